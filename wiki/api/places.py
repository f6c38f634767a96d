"""`/api/memory/wiki/{move,tree,tags,backlinks,links/broken}`: where pages are."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, StrictSerializer, paged, render
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from wiki import links, moving, tagging, tree
from wiki.api.fields import (
    BrokenRow,
    LevelOutput,
    MovedOutput,
    MoveInput,
    PageRow,
    TagsOutput,
)
from wiki.api.pages import NEWEST_FIRST
from wiki.api.requests import ERRORS, Asked, ReadsWiki, slug_of
from wiki.finding import find_page, listed


class MoveView(APIView):
    """Another address."""

    @extend_schema(
        operation_id="wiki_move",
        request=MoveInput,
        parameters=[Asked, KEY],
        responses={200: MovedOutput, 409: ErrorOutput, **ERRORS},
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Move a page and all below it; the old addresses lead to the new ones."""
        slug = slug_of(request)
        data = body_of(request, MoveInput)
        moved = moving.move_page(actor=request.actor, slug=slug, to=data["to"])
        return Response(render(MovedOutput, moved))


class TagFilters(StrictSerializer):
    """From where on, and how many."""

    after = serializers.CharField(
        required=False, default="", max_length=1000, help_text="`next` of the last one."
    )
    page_size = serializers.IntegerField(
        required=False, default=tree.MOST, min_value=1, max_value=tree.MOST
    )


class TreeFilters(TagFilters):
    """Which level, from where on, and how many."""

    slug = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=1000,
        help_text="The section; without it the top level.",
    )


class TreeView(APIView):
    """The tree, one level at a time."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_tree",
        parameters=[TreeFilters],
        responses={200: LevelOutput, 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """Return the pages and sections right below a section, in order."""
        filters = query_of(request, TreeFilters)
        found = tree.level(
            request.actor,
            filters["slug"],
            after=filters["after"],
            limit=filters["page_size"],
        )
        return Response(render(LevelOutput, asdict(found)))


class TagsView(APIView):
    """The tags in use."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_tags",
        parameters=[TagFilters],
        responses={200: TagsOutput, 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the tags of readable pages, and how many pages carry each."""
        filters = query_of(request, TagFilters)
        found = tagging.tags(
            request.actor, after=filters["after"], limit=filters["page_size"]
        )
        return Response(render(TagsOutput, asdict(found)))


class BacklinkFilters(Paged, Asked):
    """Which page is linked to."""


class BacklinksView(APIView):
    """Who links here."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_backlinks",
        parameters=[BacklinkFilters],
        responses={200: PageRow(many=True), **ERRORS},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the readable pages that link to a page."""
        filters = query_of(request, BacklinkFilters)
        page = find_page(request.actor, filters["slug"]).page
        found = listed(links.backlinks(request.actor, page))
        return paged(request, found, PageRow, ordering=NEWEST_FIRST)


class BrokenView(APIView):
    """Links that lead nowhere."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_broken_links",
        parameters=[Paged],
        responses={200: BrokenRow(many=True), 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the links of readable pages to pages that are not there."""
        query_of(request, Paged)
        return paged(request, links.broken(request.actor), BrokenRow, ordering=("-id",))
