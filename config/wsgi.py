"""Django for HTTP; `config.asgi` serves it in threads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from apps.common.checks import refuse_misconfiguration  # noqa: E402  needs the apps loaded

refuse_misconfiguration()
