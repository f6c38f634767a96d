"""The routes under `/api/`, of all apps."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

app_name = "api"

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path(
        "docs/", SpectacularSwaggerSplitView.as_view(url_name="api:schema"), name="docs"
    ),
    path("", include("accounts.api.urls")),
    path("", include("memory.api.urls")),
    path("", include("wiki.api.urls")),
]
