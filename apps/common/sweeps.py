"""The look for rows that nobody woke a worker for: a wake-up was lost, or time alone made them due.

A thread of each worker asks one statement about all tables of work, over a connection that stays
open, and wakes the tasks that have something to do. So an idle installation starts no task, and no
broker hears of it.
"""

import logging
import threading
import time
from functools import cache

from django.db import Error, connection
from django.utils import timezone

from apps.common.leases import UNFINISHED_SQL, WAITS_SQL, LeasedRow, leased_models
from apps.common.wakeups import send_wake_up

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 2.0


def sweep() -> list[str]:
    """Wake the tasks that have something to do; returns their names.

    Some of the rows may turn out to wait for something else: their task looks closer.
    """
    tables, statement = _question()
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(statement, {"now": now})
        names = sorted({tables[number].wakes for (number,) in cursor.fetchall()})
    for name in names:
        send_wake_up(name)
    return names


@cache
def _question() -> tuple[list[type[LeasedRow]], str]:
    """Return the tables, and the statement that names by their numbers those with work."""
    tables = leased_models()
    parts = [f"SELECT {number} WHERE {_waits(table)}" for number, table in enumerate(tables)]
    return tables, " UNION ALL ".join(parts)


def _waits(table: type[LeasedRow]) -> str:
    # Nothing but constants of this module and of the models.
    rows = f"EXISTS (SELECT 1 FROM {connection.ops.quote_name(table._meta.db_table)} AS work WHERE"  # noqa: S608
    waits = f"{rows} {UNFINISHED_SQL} AND {WAITS_SQL})"
    return f"({waits} OR {rows} {table.also_due}))" if table.also_due else waits


class SweepThread(threading.Thread):
    def __init__(self) -> None:
        super().__init__(name="sweeps", daemon=True)

    def run(self) -> None:
        """Go on for ever; a database that is away is tried again."""
        while True:
            try:
                sweep()
            except Error:
                logger.warning("The database could not be asked for due rows")
                connection.close()
            except Exception:  # without this thread a lost wake-up stays lost
                logger.exception("Due rows could not be looked for")
            time.sleep(SWEEP_SECONDS)


def start_sweeping() -> None:
    """Look for due rows from now on."""
    SweepThread().start()
