"""HTTP: Django, with the hot reads in front of it; `config.asgi` serves it in threads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django_application = get_wsgi_application()

from apps.common.checks import refuse_misconfiguration  # noqa: E402  needs the apps loaded
from apps.common.presence import take_part  # noqa: E402
from apps.common.traces import send_traces  # noqa: E402
from config.hot_lane import HotLane  # noqa: E402
from config.request_ids import RequestIds  # noqa: E402
from config.urls import api  # noqa: E402

take_part()
refuse_misconfiguration()
send_traces("balcao-web")
application = RequestIds(HotLane(django_application, api))
