"""Log lines that carry the request or job they belong to, as text or as JSON."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime

request_id: ContextVar[str] = ContextVar("request_id", default="")
job_id: ContextVar[str] = ContextVar("job_id", default="")

_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class ContextFilter(logging.Filter):
    """Put the request and job ids of the running context on every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        record.job_id = job_id.get()
        return True


class JsonFormatter(logging.Formatter):
    """One JSON object a line, with the ids and any `extra` fields."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        extra = {k: v for k, v in vars(record).items() if k not in _STANDARD and v}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line | extra, ensure_ascii=False, default=str)


def logging_config(*, level: str, json_lines: bool) -> dict[str, object]:
    """Return the `LOGGING` setting."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"context": {"()": "goclaw.lib.logs.ContextFilter"}},
        "formatters": {
            "json": {"()": "goclaw.lib.logs.JsonFormatter"},
            "text": {"format": "%(asctime)s %(levelname)-7s %(name)s: %(message)s"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json" if json_lines else "text",
                "filters": ["context"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django-q": {
                "handlers": ["stderr"],
                "level": "WARNING",  # each delivery is a line; ours name the job
                "propagate": False,
            },
            "django.request": {"level": "ERROR"},
            "httpx2": {"level": "WARNING"},
            "mcp": {"level": "WARNING"},  # each request is several lines
        },
    }
