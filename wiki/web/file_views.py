"""The files of a page: listed, added without a script, removed."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from accounts.http import BrowserRequest
from goclaw.lib.config import wiki_config
from goclaw.lib.errors import GoClawError
from memory.web.http import show_error
from memory.web.paging import keyset_page
from wiki.attachments import Upload, attach, find_file, remove, require_change
from wiki.finding import find_page
from wiki.models import Attachment
from wiki.receiving import limited_handlers
from wiki.web.forms import FileForm
from wiki.web.http import member
from wiki.web.presenting import place_of


@csrf_exempt
@member
def files(request: BrowserRequest, slug: str) -> HttpResponse:
    """List the files of a page, and take another.

    The limit has to be in place before the token is looked for in what is sent.
    """
    if request.method == "POST":
        limit = wiki_config().max_file_bytes
        request.upload_handlers = limited_handlers(request.META, limit)
    return _files(request, slug)


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def _files(request: BrowserRequest, slug: str) -> HttpResponse:
    page = find_page(request.actor, slug).page
    form, status = FileForm(), 200
    if request.method == "POST":
        form = FileForm(request.POST, request.FILES)
        if form.is_valid():
            sent = form.cleaned_data["file"]
            about = form.cleaned_data["description"]
            upload = Upload(file=sent, name=sent.name, description=about)
            try:
                attach(actor=request.actor, slug=page.slug, upload=upload)
            except GoClawError as error:
                show_error(form, error)
            else:
                messages.success(request, f"Added {sent.name}.")
                return redirect("wiki:files", slug=page.slug)
        status = 400
    found = Attachment.objects.readable_by(request.actor).filter(page=page)
    context = place_of(request.actor, page) | {
        "form": form,
        "rows": keyset_page(
            found.select_related("uploaded_by").defer("text"), request.GET
        ),
        "max_mb": wiki_config().max_file_bytes // (1024 * 1024),
    }
    return render(request, "wiki/files.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@member
def remove_file(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Ask whether a file shall go for good, and delete it: no trash keeps files."""
    file = find_file(request.actor, uid)
    require_change(request.actor, file)
    if request.method != "POST":
        context = place_of(request.actor, file.page) if file.page else {}
        return render(request, "wiki/file_remove.html", context | {"file": file})
    remove(actor=request.actor, uid=uid)
    messages.success(request, f"Deleted {file.name}.")
    if file.page is None:
        return redirect("wiki:home")
    return redirect("wiki:files", slug=file.page.slug)
