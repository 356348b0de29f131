"""Heartbeats of processes, so that what a dead one has left undone is done within seconds.

Each worker, and each process of production's HTTP, updates its row every second and deletes it when
it ends in order. One whose row is old is dead, or cut off from the database: any other then frees
its claims (`apps.common.leases`), and calls `process_died`. All times are the database's, so clocks
may differ. A process that failed to write does not judge others until it has written steadily
again, so that after an outage of the database all have time to return.
"""

import logging
import threading
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, Error, connection, transaction
from django.db.models.functions import Now

from apps.common.leases import free_all_claims, free_claims_of, leased_models, worker_name
from apps.common.models import Heartbeat
from apps.common.registry import Hook
from apps.common.wakeups import send_wake_up

logger = logging.getLogger(__name__)

BEAT_SECONDS = 1.0
DEAD_SECONDS = 4.0
STEADY_BEATS = 3
# Called, outside any transaction, after a process ended without order: what it committed last may
# have been told to nobody.
process_died: Hook[[]] = Hook()


def beat() -> None:
    """Write this process's heartbeat."""
    if not Heartbeat.objects.filter(worker=worker_name()).update(beaten_at=Now()):
        Heartbeat.objects.create(worker=worker_name(), beaten_at=Now())


def free_dead_workers() -> int:
    """Free the claims of processes without a recent heartbeat; return the number of rows."""
    silent = Heartbeat.objects.filter(beaten_at__lt=Now() - timedelta(seconds=DEAD_SECONDS))
    if not silent.exists():
        return 0
    freed = 0
    with transaction.atomic():
        gone = list(silent.select_for_update(skip_locked=True))
        for dead in gone:
            rows = free_claims_of(dead.worker)
            logger.warning("Process %s is gone; %s of its rows are free", dead.worker, rows)
            freed += rows
            dead.delete()
    if gone:
        process_died()
    for name in {model.wakes for model in leased_models()} if freed else ():
        send_wake_up(name)
    return freed


def begin_alone() -> None:
    """Begin as the only worker of a database: free the claims of an earlier one at once.

    Nobody could read its heartbeats, so it gives none; its row stays if it ends without order.
    """
    free_all_claims()
    has_died, _ = Heartbeat.objects.all().delete()
    beat()
    if has_died:
        process_died()


class HeartbeatThread(threading.Thread):
    """Writes the heartbeat and checks those of others until `end` is called."""

    def __init__(self) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self._steady = 0
        self._last = time.monotonic()
        self._ending = threading.Event()

    def run(self) -> None:
        """Run until the end; retry after an outage of the database."""
        while not self._ending.is_set():
            try:
                self._turn()
            except Exception as error:
                # Whatever it is: a process without this thread would be taken for dead.
                if not isinstance(error, DatabaseError):
                    logger.exception("No sign of life could be given")
                self._steady = 0
                connection.close()
            if settings.ALIVE_FILE:  # also without the database: a restart would not mend that
                with suppress(OSError):
                    Path(settings.ALIVE_FILE).touch()
            self._ending.wait(BEAT_SECONDS)

    def end(self) -> None:
        """Stop the thread; wait up to DEAD_SECONDS for a beat that is being written."""
        self._ending.set()
        self.join(DEAD_SECONDS)

    def _turn(self) -> None:
        beat()
        now = time.monotonic()
        is_late = now - self._last > DEAD_SECONDS
        self._steady, self._last = (0 if is_late else self._steady + 1), now
        if self._steady >= STEADY_BEATS:
            free_dead_workers()


_threads: list[HeartbeatThread] = []


def start_heartbeat() -> None:
    thread = HeartbeatThread()
    _threads.append(thread)
    thread.start()


def end_in_order() -> None:
    """Take this process's row away when all its work is done: nobody takes it for dead."""
    while _threads:
        _threads.pop().end()
    with suppress(Error):  # then it is taken for dead, and clients reload for nothing
        Heartbeat.objects.filter(worker=worker_name()).delete()
