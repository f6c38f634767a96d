"""What uvicorn serves.

Django runs as WSGI in a fixed pool of threads: each keeps its database connection (and
SQLite its page cache), and PostgreSQL never sees more connections than threads.
"""

from a2wsgi import WSGIMiddleware
from django.conf import settings

from goclaw.warmup import warm_up
from goclaw.wsgi import application as django_application

application = WSGIMiddleware(
    django_application,  # type: ignore[arg-type]  # a WSGI application, typed otherwise
    workers=settings.GOCLAW_WEB_THREADS,
)
warm_up()
