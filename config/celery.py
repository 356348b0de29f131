"""The Celery application: it only wakes workers, the database is the record of the work."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("balcao")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect  # type: ignore[untyped-decorator]
def give_signs_of_life(**kwargs: Any) -> None:
    """Let the other workers see whether this one lives."""
    from apps.common.heartbeat import start_heartbeat

    start_heartbeat()
