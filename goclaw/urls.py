"""Where everything is: browser pages, the admin, the API, and the probes."""

from django.contrib import admin
from django.urls import include, path

from goclaw import views
from wiki.media import MediaView

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("api/", include("goclaw.api_urls")),
    path("agentic/", include("goclaw.compat.agentic.urls")),
    path("v1/", include("goclaw.compat.openai")),
    path("media/<uuid:uid>", MediaView.as_view(), name="wiki-media"),
    path("review/", include("wiki.web.review_urls")),
    path("", include("wiki.web.urls")),
    path("", include("memory.web.urls")),
]

handler400 = "goclaw.views.bad_request"
handler404 = "goclaw.views.page_not_found"
handler500 = "goclaw.views.server_error"
