"""The wiki's routes under `/api/`."""

from django.urls import path

from wiki.api import (
    distill,
    files,
    history,
    pages,
    places,
    portability,
    restriction,
    review,
    search,
    trash,
)

urlpatterns = [
    path("memory/wiki", pages.PagesView.as_view(), name="wiki"),
    path("memory/wiki/history", history.HistoryView.as_view(), name="wiki-history"),
    path("memory/wiki/restore", history.RestoreView.as_view(), name="wiki-restore"),
    path("memory/wiki/recent", history.RecentView.as_view(), name="wiki-recent"),
    path("memory/wiki/move", places.MoveView.as_view(), name="wiki-move"),
    path("memory/wiki/tree", places.TreeView.as_view(), name="wiki-tree"),
    path("memory/wiki/tags", places.TagsView.as_view(), name="wiki-tags"),
    path(
        "memory/wiki/backlinks", places.BacklinksView.as_view(), name="wiki-backlinks"
    ),
    path("memory/wiki/links/broken", places.BrokenView.as_view(), name="wiki-broken"),
    path("memory/wiki/trash", trash.TrashView.as_view(), name="wiki-trash"),
    path(
        "memory/wiki/trash/<uuid:uid>/restore",
        trash.UndeleteView.as_view(),
        name="wiki-undelete",
    ),
    path("memory/wiki/attachments", files.PageFilesView.as_view(), name="wiki-files"),
    path("memory/wiki/distill", distill.DistillView.as_view(), name="wiki-distill"),
    path("memory/wiki/export", portability.ExportView.as_view(), name="wiki-export"),
    path("memory/wiki/import", portability.ImportView.as_view(), name="wiki-import"),
    path("files", files.FilesView.as_view(), name="files"),
    path("files/<uuid:uid>", files.FileView.as_view(), name="file"),
    path("memory/wiki/search", search.PageSearchView.as_view(), name="wiki-search"),
    path("memory/wiki/suggest", search.SuggestView.as_view(), name="wiki-suggest"),
    path("review/items", review.ItemsView.as_view(), name="review-items"),
    path("review/items/<uuid:uid>", review.ItemView.as_view(), name="review-item"),
    *(
        path(f"review/items/<uuid:uid>/{verb}", view.as_view(), name=f"review-{verb}")
        for verb, view in (
            ("approve", review.ApproveView),
            ("reject", review.RejectView),
            ("skip", review.SkipView),
            ("undo", review.UndoView),
        )
    ),
    path(
        "memory/wiki/restriction",
        restriction.RestrictionView.as_view(),
        name="wiki-restriction",
    ),
]
