"""REST addresses of the accounts app, under /api/."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from accounts.api.users import UsersView, UserView
from accounts.api.views import KeyViewSet, MeView

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("keys", KeyViewSet, basename="key")

urlpatterns = [
    path("me", MeView.as_view(), name="me"),
    path("users", UsersView.as_view(), name="users"),
    path("users/<str:username>", UserView.as_view(), name="user"),
    path("", include(router.urls)),
]
