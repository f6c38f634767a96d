"""The house stays as it is drawn: migrations, jobs, light imports, time zones."""

import os
import subprocess
import sys

import pytest
from django.core.management import call_command
from django.utils.module_loading import import_string

from memory.models import JobKind
from memory.queue import POLICIES


@pytest.mark.django_db
def test_no_model_change_lacks_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize("kind", list(JobKind))
def test_every_job_has_its_function(kind: JobKind) -> None:
    assert callable(import_string(POLICIES[kind].handler))


@pytest.mark.parametrize(
    "code",
    [
        "import django; django.setup()",
        "import django; django.setup(); import goclaw.urls",
        "import goclaw.cli",
        "import goclaw.supervisor",
    ],
)
def test_light_paths_do_not_import_the_model(code: str) -> None:
    script = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'\n"
        f"{code}\nheavy = {{'torch', 'sentence_transformers'}} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_time_zones_need_no_files_of_the_machine() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import zoneinfo; zoneinfo.ZoneInfo('Asia/Tokyo')"],
        env=os.environ | {"PYTHONTZPATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
