"""Zips and their import over the API, for tests."""

import io
import re
import zipfile
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.response import Response
from rest_framework.test import APIClient

from memory import runner
from memory.models import Job
from tests.people import Api
from tests.wiki.files import body_of, fetch


def zip_of(*entries: tuple[str | zipfile.ZipInfo, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def query(params: dict[str, Any]) -> str:
    return "?" + "&".join(f"{name}={value}" for name, value in params.items())


def raw(api: Api, **params: str) -> bytes:
    """Return an export."""
    return body_of(fetch(api, "/api/memory/wiki/export" + query(params)))


def send(api: Api, data: bytes, headers: Any = None, **params: Any) -> Response:
    """Send a zip, by default only to try it."""
    return APIClient().post(
        "/api/memory/wiki/import" + query(params),
        {"file": SimpleUploadedFile("wiki.zip", data)},
        format="multipart",
        headers={"Authorization": f"Bearer {api.secret}"}
        | api.headers
        | (headers or {}),
    )


def bring(api: Api, data: bytes, **params: Any) -> dict[str, tuple[str, str]]:
    """Import for good; return result and slug of each entry, as the try said before."""
    trial = tried(api, data, **params)
    job = imported(api, data, **params)
    assert trial["state"] == job["state"] == "done", (trial, job)
    assert trial["counts"] == job["counts"]
    assert sum(trial["counts"].values()) == len(trial["report"].splitlines())
    return dict(map(outcome, trial["report"].splitlines()))


def outcome(line: str) -> tuple[str, tuple[str, str]]:
    """Return the path, and result and slug, that a line of a trial's report tells."""
    found = re.fullmatch(r"(\w+): (.*?)(?: -> (\S+?))?(?:: .*)?", line)
    assert found
    return found[2], (found[1], found[3] or "")


def tried(api: Api, data: bytes, **params: Any) -> Any:
    """Return the job of a trial at its end."""
    return imported(api, data, dry_run="true", **params)


def imported(api: Api, data: bytes, **params: Any) -> Any:
    """Return the job of an import at its end."""
    uid = queued(api, data, **params)
    run_imports()
    return api.get(f"/jobs/{uid}").json()


def queued(api: Api, data: bytes, *, dry_run: str = "false", **params: Any) -> str:
    """Return the id of the job of an import that has not begun."""
    answer = send(api, data, dry_run=dry_run, **params)
    assert answer.status_code == 202, answer.json()
    uid: str = answer.json()["id"]
    return uid


def run_imports() -> None:
    """Do the imports that wait, turn by turn, as a worker would."""
    while job := Job.objects.filter(kind="import_pages", state="queued").first():
        runner.run(job.pk)
