"""Django as a WSGI application; `goclaw.asgi` serves it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "goclaw.settings")
application = get_wsgi_application()
