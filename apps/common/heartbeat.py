"""Heartbeats of workers, so that the claims of a dead worker are freed within seconds.

Each worker process updates its row every second. A worker whose row is old is dead, or cut off from
the database: any other worker then frees its claims (`apps.common.leases`). All times are the
database's, so clocks may differ. A worker that failed to write does not judge others until it has
written steadily again, so that after an outage of the database all workers have time to return.
"""

import logging
import threading
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now

from apps.common.leases import free_claims_of, leased_models, worker_name
from apps.common.models import Heartbeat
from apps.common.wakeups import send_wake_up

logger = logging.getLogger(__name__)

BEAT_SECONDS = 1.0
DEAD_SECONDS = 4.0
STEADY_BEATS = 3


def beat() -> None:
    """Write this process's heartbeat."""
    if not Heartbeat.objects.filter(worker=worker_name()).update(beaten_at=Now()):
        Heartbeat.objects.create(worker=worker_name(), beaten_at=Now())


def free_dead_workers() -> int:
    """Free the claims of workers without a recent heartbeat; return the number of rows."""
    silent = Heartbeat.objects.filter(beaten_at__lt=Now() - timedelta(seconds=DEAD_SECONDS))
    if not silent.exists():
        return 0
    freed = 0
    with transaction.atomic():
        for dead in silent.select_for_update(skip_locked=True):
            rows = free_claims_of(dead.worker)
            logger.warning("Worker %s is gone; %s of its rows are free", dead.worker, rows)
            freed += rows
            dead.delete()
    for name in {model.wakes for model in leased_models()} if freed else ():
        send_wake_up(name)
    return freed


class HeartbeatThread(threading.Thread):
    """Writes the heartbeat and checks those of others until the process ends."""

    def __init__(self) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self._steady = 0
        self._last = time.monotonic()

    def run(self) -> None:
        """Run for ever; retry after an outage of the database."""
        while True:
            try:
                self._turn()
            except Exception as error:
                # Whatever it is: a worker without this thread would be taken for dead.
                if not isinstance(error, DatabaseError):
                    logger.exception("No sign of life could be given")
                self._steady = 0
                connection.close()
            if settings.ALIVE_FILE:  # also without the database: a restart would not mend that
                with suppress(OSError):
                    Path(settings.ALIVE_FILE).touch()
            time.sleep(BEAT_SECONDS)

    def _turn(self) -> None:
        beat()
        now = time.monotonic()
        is_late = now - self._last > DEAD_SECONDS
        self._steady, self._last = (0 if is_late else self._steady + 1), now
        if self._steady >= STEADY_BEATS:
            free_dead_workers()


def start_heartbeat() -> None:
    HeartbeatThread().start()
