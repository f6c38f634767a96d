"""The project's settings, quick and shut off from everything outside."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault(
    "GOCLAW_STATE_DIR",
    tempfile.mkdtemp(prefix="goclaw-test-", dir=tempfile.gettempdir()),
)
os.environ.setdefault("GOCLAW_MEMORY_SEARCH_PROVIDER", "hashing")
os.environ.setdefault("GOCLAW_MEMORY_SEARCH_LOG_RECALLS", "false")
os.environ.setdefault("GOCLAW_THROTTLE_PER_MINUTE", "0")

from goclaw.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Files collected for tests have other names than those the real server needs.
STATIC_ROOT = Path(os.environ["GOCLAW_STATE_DIR"]) / "staticfiles"
CACHES["default"] = {  # noqa: F405 - processes that share a directory share nothing else
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache"
}
# A file, not memory: threads and processes of a test must see the same database.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    DATABASES["default"]["TEST"] = {  # noqa: F405
        "NAME": str(Path(os.environ["GOCLAW_STATE_DIR"]) / "test.sqlite")
    }
