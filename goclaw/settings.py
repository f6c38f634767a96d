"""Django's settings: from the environment only, bad values refused by name."""

import os
from pathlib import Path
from typing import Any

from goclaw.lib.databases import database_entry
from goclaw.lib.env import (
    as_table,
    env_bool,
    env_choice,
    env_float,
    env_int,
    env_list,
    env_optional_float,
    env_path,
    env_secret,
    env_str,
)
from goclaw.lib.logs import logging_config
from goclaw.lib.queue_settings import queue_settings
from goclaw.lib.server import server_config
from goclaw.lib.state import secret_key, state_directory

BASE_DIR = Path(__file__).resolve().parent.parent

# --- where things are kept -----------------------------------------------------------
_server = server_config()
GOCLAW_STATE_DIR = state_directory(_server.state_dir)
GOCLAW_HOST = _server.host
GOCLAW_PORT = _server.port
GOCLAW_WEB_PROCESSES = env_int(
    "web.processes", min(2, os.cpu_count() or 1), low=1, high=32
)
GOCLAW_WEB_THREADS = env_int("web.threads", 8, low=1, high=64)

DEFAULT_DATABASE = GOCLAW_STATE_DIR / "gc_state.sqlite"
DATABASES = {
    "default": database_entry(
        env_str("database.url")
        or f"sqlite://{env_path('database.path', DEFAULT_DATABASE)}",
        synchronous=env_choice("sqlite.synchronous", "NORMAL", ["NORMAL", "FULL"]),
        max_age=None,
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": str(GOCLAW_STATE_DIR / "run" / "cache"),
    },
    # django-q2 keeps its cluster status here.
    "qstat": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": str(GOCLAW_STATE_DIR / "run" / "qstat"),
    },
}
GOCLAW_JOB_TIMEOUT = env_int("jobs.timeout", 300, low=10, high=3600)
GOCLAW_JOB_KEEP_DAYS = env_int("jobs.keep_days", 30, low=1)
Q_CLUSTER = queue_settings(
    workers=env_int("jobs.workers", 2, low=1, high=16), timeout_s=GOCLAW_JOB_TIMEOUT
)

# --- the application -----------------------------------------------------------------
SECRET_KEY = secret_key(GOCLAW_STATE_DIR, env_secret("secret.key"))
DEBUG = env_bool("debug", default=False)
ALLOWED_HOSTS = [
    "127.0.0.1",
    "localhost",
    "[::1]",
    GOCLAW_HOST,
    *env_list("allowed.hosts"),
]
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "guardian",
    "django_q",
    "accounts",
    "wiki",  # before memory: its `demo` command goes further than that one's
    "memory",
]
MIDDLEWARE = [
    "goclaw.lib.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.ActorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "goclaw.urls"
WSGI_APPLICATION = "goclaw.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
LANGUAGE_CODE = "en-us"
USE_I18N = False  # one language; pages need not look it up for every value
TIME_ZONE = env_str("time.zone", "UTC")
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
MEDIA_ROOT = GOCLAW_STATE_DIR / "media"

# --- people and safety ---------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "guardian.backends.ObjectPermissionBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ANONYMOUS_USER_NAME = None  # guardian: no anonymous row among the people
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

TLS = env_bool("tls", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = TLS
SESSION_COOKIE_NAME = "goclaw_session"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = env_list("csrf.trusted.origins")
SECURE_HSTS_SECONDS = 31_536_000 if TLS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TLS else None
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-src": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 48 * 1024 * 1024  # 500 records of 64 KiB, as JSON

# --- the API -------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.ApiKeyAuthentication",
        "accounts.authentication.BrowserSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.permissions.IsActor"],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.throttling.ActorThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["goclaw.lib.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "goclaw.lib.drf.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
GOCLAW_THROTTLE_PER_MINUTE = env_int("throttle.per.minute", 1200, low=0)
SPECTACULAR_SETTINGS = {
    "TITLE": "GoClaw Memory",
    "DESCRIPTION": "Memory and organisation wiki for AI agents.",
    "VERSION": "0.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "SERVE_AUTHENTICATION": ["accounts.authentication.BrowserSessionAuthentication"],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
}

# --- memory --------------------------------------------------------------------------
GOCLAW_WRITE_ACCESS = env_list("memory.write_access")
GOCLAW_WORKSPACE_PATHS = env_list("memory.paths")
GOCLAW_EMBEDDING: dict[str, Any] = {
    "provider": env_choice(
        "memory.search.provider", "local", ["local", "openai", "hashing", "none"]
    ),
    "model": env_str("memory.search.model", "all-MiniLM-L6-v2"),
    "base_url": env_str("memory.search.base_url"),
    "api_key": env_secret("memory.search.api_key"),
    "batch_size": env_int("memory.search.batch_size", 32, low=1, high=1024),
    "timeout_s": env_float("memory.search.timeout", 60, low=1),
    "socket": env_str("memory.search.socket"),
}
GOCLAW_CHUNKS: dict[str, Any] = {
    "size": env_int("memory.chunk.size", 1600, low=200),
    "overlap": env_int("memory.chunk.overlap", 320, low=0),
    "window": env_int("memory.chunk.window", 500, low=100),
}
GOCLAW_SEARCH: dict[str, Any] = {
    "max_results": env_int("memory.search.max_results", 6, low=1, high=50),
    "min_score": env_float("memory.search.min_score", 0.35, low=0, high=1),
    "min_similarity": env_optional_float("memory.search.min_similarity", high=1),
    "fusion": env_choice(
        "memory.search.fusion", "zscore", ["zscore", "weighted", "rrf"]
    ),
    "rrf_constant": env_float("memory.search.rrf_constant", 10, low=1),
    "vector_weight": env_float("memory.search.vector_weight", 0.7, low=0),
    "keyword_weight": env_float("memory.search.keyword_weight", 0.3, low=0),
    "language": env_str("memory.search.language", "english"),
    "max_per_record": env_int("memory.search.max_per_record", 50, low=1),
    "log_recalls": env_bool("memory.search.log_recalls", default=True),
    "log_queries": env_bool("memory.search.log_queries", default=False),
    "half_lives": tuple(
        (kind, env_float(f"memory.half_life.{kind}", days, low=0.01))
        for kind, days in {
            "highlight": 14,
            "note": 30,
            "fact": 30,
            "preference": 30,
            "summary": 30,
            "project": 45,
            "insight": 60,
            "decision": 90,
            "skill": 180,
        }.items()
    ),
}

# --- conversations and the background model ------------------------------------------
GOCLAW_SESSIONS: dict[str, Any] = {
    "max_messages": env_int("session.max_messages", 200, low=2),
    "max_tokens": env_int("session.max_tokens", 60_000, low=100),
    "idle_minutes": env_int("session.idle_minutes", 30, low=1),
}
GOCLAW_MODEL: dict[str, Any] = {
    "base_url": env_str("model.base_url"),
    "name": env_str("model.name"),
    "key": env_secret("model.key"),
    "timeout_s": env_float("model.timeout_s", 60, low=0.1),
    "max_input_chars": env_int("model.max_input_chars", 24_000, low=1000),
}

GOCLAW_UPKEEP: dict[str, Any] = {
    "consolidate_after_days": env_int(
        "memory.consolidate_after_days", 30, low=0, high=36_500
    ),
    "heartbeat_hours": env_int("memory.heartbeat_hours", 0, low=0, high=8760),
}

# --- the prompt's memory -------------------------------------------------------------
GOCLAW_CONTEXT: dict[str, Any] = {
    "budget_chars": env_int("memory.context_budget_chars", 32_000, low=0),
    "file_chars": env_int("memory.context_file_chars", 20_000, low=100),
    "recent_days": env_int("memory.context_recent_days", 7, low=0, high=3650),
    "recent_chars": env_int("memory.context_recent_chars", 6_000, low=0),
    "caps": (
        ("user_notes", env_int("memory.context_cap.user_notes", 4_000, low=0)),
        ("datasources", env_int("memory.context_cap.datasources", 4_000, low=0)),
        ("memory_files", env_int("memory.context_cap.memory_files", 4_000, low=0)),
        ("user_file", env_int("memory.context_cap.user_file", 4_000, low=0)),
        ("user_identity", env_int("memory.context_cap.user_identity", 4_000, low=0)),
        ("learned_knowledge", env_int("memory.context_cap.learned", 4_000, low=0)),
        ("hooks", env_int("memory.context_cap.hooks", 4_000, low=0)),
        ("queries", env_int("memory.context_cap.queries", 4_000, low=0)),
    ),
    "roles": as_table(
        "memory.context_roles",
        env_list(
            "memory.context_roles",
            [
                "o1-mini*=user",
                "o1-preview*=user",
                "o1*=system",
                "o3*=system",
                "o4*=system",
                "gpt-*=system",
                "chatgpt-*=system",
            ],
        ),
        values=("system", "user"),
    ),
}

# --- the wiki ------------------------------------------------------------------------
GOCLAW_WIKI: dict[str, Any] = {
    "anonymous_reading": env_bool("wiki.anonymous_reading", default=False),
    "remote_images": env_bool("wiki.remote_images", default=False),
    "review_autonomous": env_bool("wiki.review_autonomous", default=False),
    "max_file_bytes": env_int("wiki.max_file_mb", 25, low=1, high=4096) * 1024**2,
    "max_import_bytes": env_int("wiki.max_import_mb", 250, low=1, high=4096) * 1024**2,
}

# --- copies --------------------------------------------------------------------------
GOCLAW_BACKUP: dict[str, Any] = {
    "nightly": env_bool("backup.nightly", default=True),
    "keep": env_int("backup.keep", 7, low=1),
    "safety_days": env_int("backup.safety_days", 14, low=1, high=365),
}

LOGGING = logging_config(
    level=env_choice("log.level", "INFO", ["DEBUG", "INFO", "WARNING", "ERROR"]),
    json_lines=env_choice("log.format", "text", ["text", "json"]) == "json",
)
