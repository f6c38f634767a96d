"""Browser addresses under /accounts/."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts import key_views, views

app_name = "accounts"

urlpatterns = [
    path("login/", views.SignInView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("once/<str:token>/", views.once, name="once"),
    path("profile/", views.profile, name="profile"),
    path("password/", views.password, name="password"),
    path("keys/", key_views.key_list, name="keys"),
    path("keys/<int:pk>/revoke/", key_views.key_revoke, name="key-revoke"),
    path("keys/<int:pk>/rotate/", key_views.key_rotate, name="key-rotate"),
    path("keys/<int:pk>/secret/", key_views.key_secret, name="key-secret"),
]
