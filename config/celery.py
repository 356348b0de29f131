"""The Celery application: it only wakes workers, the database is the record of the work."""

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("balcao")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect  # type: ignore[untyped-decorator]
def listen_without_end(**kwargs: Any) -> None:
    """Let a worker wait for work as long as it takes."""
    options = app.conf.broker_transport_options
    app.conf.broker_transport_options = {**options, "socket_timeout": None}


@worker_ready.connect  # type: ignore[untyped-decorator]
def give_signs_of_life(**kwargs: Any) -> None:
    """Let the other workers see whether this one lives."""
    from apps.common.heartbeat import start_heartbeat

    start_heartbeat()
