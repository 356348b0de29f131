"""The Celery application: it only wakes workers, the database is the record of the work."""

import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from celery import Celery, Task, bootsteps
from celery.signals import beat_init, celeryd_init, task_postrun, task_prerun, worker_shutdown
from kombu.exceptions import OperationalError
from kombu.transport.redis import Channel, QoS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

logger = logging.getLogger(__name__)


class TracedTask(Task):
    """A task each start of which is a trace, whether a wake-up or the clock began it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from apps.common.traces import traced

        with traced(self.name):
            return super().__call__(*args, **kwargs)


class ImpatientProducer(Celery):
    """A Celery application whose worker listens without a time-out, and sends with one.

    Otherwise a thread that wakes a worker for later would wait as long as Redis hangs, and with it
    what the thread has in hand (`apps.common.wakeups`).
    """

    def connection_for_write(self, url: Any = None, **options: Any) -> Any:
        """Return a connection with the time-outs of who does not listen."""
        from django.conf import settings

        options["transport_options"] = {
            **settings.CELERY_BROKER_TRANSPORT_OPTIONS,
            **(options.get("transport_options") or {}),
        }
        return super().connection_for_write(url, **options)


app = ImpatientProducer("balcao", task_cls=TracedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect  # type: ignore[untyped-decorator]
@beat_init.connect  # type: ignore[untyped-decorator]
def refuse_to_start(**kwargs: Any) -> None:
    """Refuse to start on the data of an unfinished restore or with an incomplete configuration,
    like the web process.

    Celery only logs the exceptions of a handler, so the process has to exit.
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
        print(refused, file=sys.__stderr__)  # Celery has replaced `sys.stderr` by now
        raise SystemExit(1) from refused


@beat_init.connect  # type: ignore[untyped-decorator]
def ask_for_reports(**kwargs: Any) -> None:
    """Have workers report when beat starts: its own first report is due 15 s later, and until then
    the installation does not count as ready.
    """
    from django.conf import settings

    with suppress(OperationalError):  # without a broker that later report will do
        for each in settings.CELERY_BEAT_SCHEDULE.values():
            if each["task"] == "apps.common.tasks.report_alive":
                app.send_task(
                    each["task"], each["args"], expires=each["schedule"], **each["options"]
                )


@celeryd_init.connect  # type: ignore[untyped-decorator]
def keep_memory_below_ceiling(**kwargs: Any) -> None:
    """End a job that takes too much memory, not the machine."""
    from django.conf import settings

    from apps.common.memory import keep_below

    keep_below(settings.WORKER_MEMORY_MB)


@celeryd_init.connect  # type: ignore[untyped-decorator]
def begin_traces(**kwargs: Any) -> None:
    from apps.common.traces import send_traces

    send_traces("balcao-worker")


@celeryd_init.connect  # type: ignore[untyped-decorator]
def listen_without_end(**kwargs: Any) -> None:
    """Let a worker wait for messages without a time-out."""
    options = app.conf.broker_transport_options
    app.conf.broker_transport_options = {**options, "socket_timeout": None}


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def end_in_order(**kwargs: Any) -> None:
    """Say that a worker has ended with all its work done; Celery sends this only then."""
    from apps.common.heartbeat import end_in_order

    end_in_order()


class SignsOfLife(bootsteps.StartStopStep):
    """Has a worker beat, so that others free its claims when it is dead, and show its figures."""

    def start(self, parent: Any) -> None:
        """Start the heartbeat that other workers see, and the server of METRICS_BIND."""
        from django.conf import settings

        from apps.common.heartbeat import start_heartbeat
        from apps.common.metrics import serve_figures

        start_heartbeat()
        if settings.METRICS_BIND:
            serve_figures(settings.METRICS_BIND)


class RowsOfWork(bootsteps.StartStopStep):
    """Has a worker's threads handle due rows: woken through Redis, else found by sweeps.

    It starts before the worker's connection to the broker, which only carries timed tasks.
    """

    requires = ("celery.worker.components:Pool",)

    def start(self, parent: Any) -> None:
        """Start the threads that hear wake-ups and that look for due rows without one."""
        from apps.common.listening import ListenThread
        from apps.common.sweeps import SweepThread
        from apps.common.workers import Starter

        def submit(work: Callable[[], None]) -> None:
            parent.pool.apply_async(_connected, (work,), callback=lambda result: None)

        starter = Starter(submit, app.amqp.queues.consume_from)
        ListenThread(starter).start()
        SweepThread(starter).start()


def _connected(work: Callable[[], None]) -> None:
    from apps.common import log_ids

    log_ids.begin()
    begin_connected()
    try:
        work()
    finally:
        end_connected()


app.steps["worker"].update({SignsOfLife, RowsOfWork})


class ForgivingQoS(QoS):
    """Leaves unacknowledged messages with a broker that is out of reach.

    When Kombu closes a lost connection it tries to return the messages that the worker has not
    begun, on a channel that is already closed; the exception ended the worker. Redis delivers such
    messages again after its visibility timeout, and the sweep finds the rows that they were about.
    """

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Return the messages that were not begun, if the broker is reachable."""
        try:
            super().restore_unacked_once(stderr)  # type: ignore[no-untyped-call]
        except Exception:
            logger.warning("The broker is away: what was not begun stays with it", exc_info=True)


Channel.QoS = ForgivingQoS


@task_prerun.connect  # type: ignore[untyped-decorator]
def begin_connected(**kwargs: Any) -> None:
    """Close a database connection that broke since the last task."""
    from apps.common.database_connections import renew_connections

    renew_connections()


@task_postrun.connect  # type: ignore[untyped-decorator]
def end_connected(**kwargs: Any) -> None:
    """Keep the connection for the next task, unless it is old or broken."""
    from django.db import close_old_connections

    close_old_connections()
