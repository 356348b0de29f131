"""The Celery application: it only wakes workers, the database is the record of the work."""

import logging
import os
import sys
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init, task_postrun, task_prerun, worker_ready
from kombu.transport.redis import Channel, QoS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

logger = logging.getLogger(__name__)

app = Celery("balcao")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect  # type: ignore[untyped-decorator]
@beat_init.connect  # type: ignore[untyped-decorator]
def refuse_to_start(**kwargs: Any) -> None:
    """Work on no data of a half-made restore, nor half configured, as the web process does not.

    Celery logs what a handler raises, and goes on: only the end of the process is heard.
    """
    import django
    from django.core.exceptions import ImproperlyConfigured

    django.setup()
    from apps.common.checks import refuse_misconfiguration
    from apps.common.presence import take_part

    try:
        take_part()
        refuse_misconfiguration()
    except ImproperlyConfigured as refused:
        print(refused, file=sys.__stderr__)  # by then Celery has taken `sys.stderr`
        raise SystemExit(1) from refused


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


@worker_ready.connect  # type: ignore[untyped-decorator]
def look_for_due_rows(**kwargs: Any) -> None:
    """Find what nobody woke this worker for."""
    from apps.common.sweeps import start_sweeping

    start_sweeping()


class ForgivingQoS(QoS):
    """Leaves with the broker what cannot be given back to it.

    Kombu gives back what a worker has not begun as it closes a lost connection, of which it has
    taken everything apart by then: the worker ended. Redis hands such messages out again by itself
    after its visibility timeout, and the sweep finds what they were to wake somebody for.
    """

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Give back what was not begun, to a broker that is there."""
        try:
            super().restore_unacked_once(stderr)  # type: ignore[no-untyped-call]
        except Exception:
            logger.warning("The broker is away: what was not begun stays with it", exc_info=True)


Channel.QoS = ForgivingQoS


@task_prerun.connect  # type: ignore[untyped-decorator]
def begin_connected(**kwargs: Any) -> None:
    """Let no task begin on a connection that broke since the last one."""
    from django.db import close_old_connections, connections

    close_old_connections()
    for connection in connections.all(initialized_only=True):
        is_open = connection.connection is not None and not connection.in_atomic_block
        if is_open and not connection.is_usable():
            connection.close()


@task_postrun.connect  # type: ignore[untyped-decorator]
def end_connected(**kwargs: Any) -> None:
    """Keep the connection for the next task, unless it is old or broken."""
    from django.db import close_old_connections

    close_old_connections()
