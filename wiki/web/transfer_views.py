"""The wiki as a zip of Markdown files: out, and in after a try."""

from uuid import UUID

from django import forms
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import BrowserRequest
from goclaw.lib.config import wiki_config
from goclaw.lib.errors import BadInput, Forbidden, GoClawError
from memory.web.http import show_error
from wiki import slugs
from wiki.exporting import export_zip
from wiki.importing import begin, begin_tried
from wiki.models import Page
from wiki.receiving import limited_handlers
from wiki.web.forms import PLAIN
from wiki.web.http import may_create, member, reader


class ImportForm(forms.Form):
    """A zip, and below which section its pages come."""

    file = forms.FileField(label="Zip of Markdown files", max_length=1000)
    under = forms.CharField(
        label="Below the section",
        required=False,
        max_length=slugs.MAX_SLUG,
        help_text="Left empty, paths in the zip are addresses of pages as they are.",
        widget=forms.TextInput(attrs=PLAIN),
    )


@require_safe
@reader
def export(request: BrowserRequest) -> HttpResponseBase:
    """Say what a zip would hold; with `zip` send it."""
    under = request.GET.get("under", "").strip("/ ")
    section = slugs.parse(under) if under else ""
    if "zip" in request.GET:
        response = StreamingHttpResponse(
            export_zip(request.actor, under=section), content_type="application/zip"
        )
        name = f"wiki-{timezone.localdate():%Y-%m-%d}.zip"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response
    pages = Page.objects.readable_by(request.actor).live().under(section)
    context = {"under": section, "count": pages.count()}
    return render(request, "wiki/export.html", context)


@csrf_exempt
@member
def import_(request: BrowserRequest) -> HttpResponse:
    """Begin to try a zip; with the `trial` that this made, begin its import.

    The limit has to be in place before the trial is looked for in what is sent.
    """
    if request.method == "POST":
        limit = wiki_config().max_import_bytes
        request.upload_handlers = limited_handlers(request.META, limit)
    return _import(request)


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def _import(request: BrowserRequest) -> HttpResponse:
    if "trial" in request.POST:
        trial = _uid(request.POST["trial"])
        return redirect("memory:job", begin_tried(actor=request.actor, trial=trial).uid)
    section = request.POST.get("under") or request.GET.get("under") or ""
    _check_editor(request, section.strip("/ "))
    form = ImportForm(
        request.POST or None, request.FILES or None, initial=request.GET.dict()
    )
    if form.is_valid():
        file, under = form.cleaned_data["file"], form.cleaned_data["under"].strip("/ ")
        try:
            job = begin(
                actor=request.actor,
                file=file,
                size=file.size,
                under=under,
                dry_run=True,
            )
        except GoClawError as error:
            show_error(form, error)
        else:
            return redirect("memory:job", job.uid)
    status = 400 if form.errors else 200
    return render(request, "wiki/import.html", {"form": form}, status=status)


def _check_editor(request: BrowserRequest, section: str) -> None:
    if not may_create(request.actor, section or "home"):
        raise Forbidden(
            "You are not among the editors of this part of the wiki.",
            remedy="Ask an administrator to add you to them.",
        )


def _uid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise BadInput("There is no such trial.") from None
