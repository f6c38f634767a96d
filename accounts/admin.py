"""Django admin pages of people, roles, identities, keys and the audit log.

They are for administrators only: whoever can edit people, roles, identities or keys can
become anybody, so a staff member with a few model permissions does not get in here.
"""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from accounts import keys, shown_once
from accounts.actors import actor_for_user
from accounts.admin_base import AdministratorsOnly, ReadOnlyAdmin
from accounts.admin_forms import NewKeyForm
from accounts.forms import AdminSignInForm
from accounts.http import client_ip
from accounts.key_rules import KeyRights
from accounts.models import ApiKey, AuditEntry, Identity, User

admin.site.site_header = "GoClaw Memory administration"
admin.site.site_title = "GoClaw Memory"
admin.site.index_title = "Administration"
admin.site.login_form = AdminSignInForm
admin.site.unregister(Group)


@admin.register(User)
class PersonAdmin(AdministratorsOnly, UserAdmin):  # type: ignore[type-arg]
    """People; they are deactivated here, and erased by `clear-user`."""

    list_display = ["username", "email", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser", "is_staff"]
    search_help_text = "User name, name or e-mail address."
    autocomplete_fields = ["groups"]
    filter_horizontal = ["user_permissions"]
    readonly_fields = ["last_login", "date_joined"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Person", {"fields": ["first_name", "last_name", "email", "timezone"]}),
        ("Access", {"fields": ["is_active", "is_superuser", "is_staff", "groups"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
        (
            "Single permissions",
            {"fields": ["user_permissions"], "classes": ["collapse"]},
        ),
    ]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a person's records are erased with counts and proof, not here."""
        return False


@admin.register(Group)
class RoleAdmin(AdministratorsOnly, GroupAdmin):
    """Roles."""


@admin.register(Identity)
class IdentityAdmin(AdministratorsOnly):
    """Who a sender on a channel is."""

    list_display = ["channel", "account", "sender", "user", "created_at"]
    list_select_related = ["user"]
    search_fields = ["sender", "user__username", "account"]
    search_help_text = "Sender, account, or user name."
    autocomplete_fields = ["user"]
    readonly_fields = ["created_at"]


@admin.register(ApiKey)
class ApiKeyAdmin(AdministratorsOnly):
    """Keys: a new one shows its secret once; later only the label can be changed."""

    list_display = ["prefix", "label", "owner", "state", "last_used_at", "expires_at"]
    list_select_related = ["owner"]
    list_filter = ["may_act_for_others", ("revoked_at", admin.EmptyFieldListFilter)]
    search_fields = ["label", "owner__username", "prefix"]
    search_help_text = "Label, user name of the owner, or prefix."
    actions = ["revoke_selected"]
    fields = [
        "label",
        "prefix",
        "owner",
        "state",
        "runs",
        "may_act_for_others",
        "auto_provision",
        "may_write_db_cache",
        "is_local_admin",
        "created_at",
        "expires_at",
        "last_used_at",
        "revoked_at",
    ]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Ask for a new key's rights; show an existing key's facts."""
        return self.fields if obj else NewKeyForm.Meta.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Keep the rights of an existing key as they were given."""
        return self.fields[1:] if obj else []

    def get_autocomplete_fields(self, request: HttpRequest) -> Any:
        """Find the owner by typing."""
        return ["owner"]

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Use the form for new keys when there is no key yet."""
        if obj is None:
            kwargs["form"] = NewKeyForm
        return super().get_form(request, obj, change, **kwargs)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: keys are revoked, so that the audit log keeps what they did."""
        return False

    def save_model(
        self, request: HttpRequest, obj: ApiKey, form: Any, change: bool
    ) -> None:
        """Make new keys where all keys are made."""
        if change:
            super().save_model(request, obj, form, change)
            return
        key, secret = keys.create(
            actor=actor_for_user(request.user),  # type: ignore[arg-type]
            owner=obj.owner,
            label=obj.label,
            rights=KeyRights.of(obj),
            ip=client_ip(request),
        )
        obj.pk = key.pk
        obj.refresh_from_db()
        shown_once.keep(request, key, secret)

    def response_add(
        self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go to where the secret is shown, this once."""
        return redirect("admin:accounts_apikey_secret", obj.pk)

    def get_urls(self) -> list[URLPattern]:
        """Add the page of a new secret."""
        view = self.admin_site.admin_view(self.show_secret)
        secret = path("<int:pk>/secret/", view, name="accounts_apikey_secret")
        return [secret, *super().get_urls()]

    def show_secret(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the secret of a key that this administrator has just made."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        key = get_object_or_404(ApiKey, pk=pk)
        secret = shown_once.take(request, key)
        if secret is None:
            messages.info(request, "A secret is shown once.")
            return redirect("admin:accounts_apikey_changelist")
        context = {
            **self.admin_site.each_context(request),
            "title": "New API key",
            "opts": self.opts,
            "key": key,
            "secret": secret,
        }
        return TemplateResponse(request, "accounts/admin_secret.html", context)

    @admin.action(description="Revoke selected keys", permissions=["change"])
    def revoke_selected(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """End the keys for good."""
        actor = actor_for_user(request.user)  # type: ignore[arg-type]
        for key in queryset:
            keys.revoke(actor=actor, key=key, ip=client_ip(request))
        messages.success(request, f"Revoked: {queryset.count()}.")


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """The audit log, to read."""

    list_display = ["created_at", "actor", "key", "run", "action", "target", "ip"]
    list_select_related = ["actor", "key"]
    list_filter = ["created_at"]
    search_fields = ["action", "target", "actor__username"]
    search_help_text = "Action, target, or user name."
    sortable_by = ["created_at"]
