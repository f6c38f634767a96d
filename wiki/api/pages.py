"""`/api/memory/wiki`: list, read, save and delete pages."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from accounts.kinds import RunKind
from goclaw.lib.drf import Paged, paged, render
from goclaw.lib.errors import BadInput
from goclaw.lib.hidden import without_deceiving
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.versions import IF_MATCH, etag
from wiki import reading
from wiki.api.fields import PageInput, PageOutput, PageRow, SavedOutput
from wiki.api.requests import (
    ERRORS,
    Asked,
    ReadsWiki,
    base_of,
    slug_of,
)
from wiki.api.review_fields import ItemRow
from wiki.finding import find_page, listed
from wiki.history import newest
from wiki.models import Page
from wiki.models.pages import PageQuerySet
from wiki.pages import Saved, save_page
from wiki.review.proposing import goes_to_review, propose_page
from wiki.trash import delete_page

NEWEST_FIRST = ("-updated_at", "-id")


class PageFilters(Paged):
    """One page, or which pages to list."""

    slug = serializers.CharField(
        required=False,
        trim_whitespace=False,
        max_length=1000,
        help_text="Read this page; without it, pages are listed.",
    )
    html = serializers.BooleanField(
        required=False, default=False, help_text="With `slug`: its HTML as well."
    )
    under = serializers.CharField(
        required=False, max_length=200, help_text="Only this section."
    )
    tag = serializers.CharField(required=False, max_length=64)


class PagesView(APIView):
    """The pages one may read."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_read",
        parameters=[PageFilters],
        responses={200: PageOutput, **ERRORS},
    )
    def get(self, request: ApiRequest) -> Response:
        """Read the page of `slug`, also by an old address; without it, list pages."""
        filters = query_of(request, PageFilters)
        if "slug" not in filters:
            found = listed(_filtered(request, filters))
            return paged(request, found, PageRow, ordering=NEWEST_FIRST)
        others = set(request.query_params) - {"slug", "html"}
        if others:
            raise BadInput(
                f"{min(others)} belongs to a list, not to one page.", field=min(others)
            )
        found_page = find_page(request.actor, filters["slug"])
        old = filters["slug"] if found_page.moved else None
        body = page_json(request, found_page.page, html=filters["html"], old=old)
        return Response(body, headers=etag(found_page.page.number))

    @extend_schema(
        operation_id="wiki_save",
        request=PageInput,
        parameters=[Asked, IF_MATCH, KEY],
        responses={
            201: SavedOutput,
            200: SavedOutput,
            202: ItemRow,
            409: ErrorOutput,
            413: ErrorOutput,
            **ERRORS,
        },
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Save a page: 201 for a new one; others' changes are merged, or it is 409.

        202 with an item of the review where a setting wants autonomous runs reviewed.
        """
        data = body_of(request, PageInput)
        if goes_to_review(request.actor):
            return _proposed(request, data)
        data["base_revision"] = base_of(request, data["base_revision"])
        saved = save_page(actor=request.actor, slug=slug_of(request), **data)
        return saved_response(request, saved)

    @extend_schema(
        operation_id="wiki_delete",
        parameters=[Asked, IF_MATCH],
        responses={204: None, 409: ErrorOutput, **ERRORS},
    )
    def delete(self, request: ApiRequest) -> Response:
        """Put a page into the trash; the pages below it stay."""
        delete_page(
            actor=request.actor, slug=slug_of(request), base_revision=base_of(request)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def _proposed(request: ApiRequest, data: dict[str, Any]) -> Response:
    item = propose_page(
        actor=request.actor,
        slug=slug_of(request),
        title=data["title"],
        body=data["body"],
        tags=data["tags"],
    )
    return Response(render(ItemRow, item), status=status.HTTP_202_ACCEPTED)


def page_json(
    request: ApiRequest, page: Page, *, html: bool = False, old: str | None = None
) -> dict[str, Any]:
    """Return a page with its text, in the shape of `PageOutput`."""
    page.revision = newest(page)
    body: dict[str, Any] = render(PageOutput, page)
    body["redirected_from"] = old
    if request.actor.run is not RunKind.HUMAN:
        body["body"] = without_deceiving(body["body"])
    if html:
        rendering = reading.rendering_of(page.revision)
        body["html"] = reading.html_for(request.actor, rendering)
        body["toc"] = rendering.toc
        body["render_failed"] = rendering.failed
    return body


def saved_response(request: ApiRequest, saved: Saved) -> Response:
    """Return the answer to what made a revision, or found nothing to change."""
    body = page_json(request, find_page(request.actor, saved.page.slug).page)
    body |= {name: getattr(saved, name) for name in ("changed", "merged", "in_trash")}
    return Response(
        body,
        status=status.HTTP_201_CREATED if saved.created else status.HTTP_200_OK,
        headers=etag(saved.page.number),
    )


def _filtered(request: ApiRequest, filters: dict[str, Any]) -> PageQuerySet:
    found = Page.objects.readable_by(request.actor).live()
    if "tag" in filters:
        found = found.tagged(filters["tag"])
    if "under" in filters:
        found = found.under(filters["under"])
    return found
