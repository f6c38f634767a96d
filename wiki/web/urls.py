"""The pages of the wiki. Verbs lie below `-`, which no page's slug begins with."""

from django.urls import path

from wiki.web import (
    edit_views,
    file_views,
    history_views,
    list_views,
    page_views,
    place_views,
    transfer_views,
)

app_name = "wiki"
urlpatterns = [
    path("llms.txt", page_views.llms, name="llms"),
    path("wiki/", page_views.home, name="home"),
    path("wiki/-/pages", page_views.pages, name="pages"),
    path("wiki/-/new", edit_views.new, name="new"),
    path("wiki/-/preview", edit_views.preview, name="preview"),
    path("wiki/-/search", list_views.search, name="search"),
    path("wiki/-/recent", list_views.recent, name="recent"),
    path("wiki/-/broken", list_views.broken, name="broken"),
    path("wiki/-/tags", list_views.tags, name="tags"),
    path("wiki/-/feed.atom", page_views.feed, name="feed"),
    path("wiki/-/trash", place_views.bin_, name="trash"),
    path("wiki/-/undelete/<uuid:uid>", place_views.undelete, name="undelete"),
    path("wiki/-/remove-file/<uuid:uid>", file_views.remove_file, name="remove-file"),
    path("wiki/-/export", transfer_views.export, name="export"),
    path("wiki/-/import", transfer_views.import_, name="import"),
    path("wiki/-/edit/<path:slug>", edit_views.edit, name="edit"),
    path("wiki/-/history/<path:slug>", history_views.history, name="history"),
    path("wiki/-/revision/<path:slug>", history_views.revision, name="revision"),
    path("wiki/-/diff/<path:slug>", history_views.diff, name="diff"),
    path("wiki/-/restore/<path:slug>", history_views.restore, name="restore"),
    path("wiki/-/move/<path:slug>", place_views.move, name="move"),
    path("wiki/-/delete/<path:slug>", place_views.delete, name="delete"),
    path("wiki/-/files/<path:slug>", file_views.files, name="files"),
    path("wiki/-/restrict/<path:slug>", place_views.restrict, name="restrict"),
    path("wiki/<path:slug>.md", page_views.markdown, name="markdown"),
    path("wiki/<path:slug>", page_views.show, name="page"),
]
