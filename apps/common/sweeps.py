"""Finds due rows without a wake-up: it was lost, or the rows became due by time.

A thread of each worker runs one statement about all tables of work, over a connection that stays
open, and starts the tasks with due rows on the worker's own threads, so that work goes on without
Redis. An idle installation starts no task.
"""

import logging
import threading
import time
from functools import cache

from django.db import Error, connection
from django.utils import timezone

from apps.common.leases import UNFINISHED_SQL, WAITS_SQL, LeasedRow, leased_models
from apps.common.workers import Starter

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 2.0


def sweep() -> list[str]:
    """Return the names of the tasks with due rows.

    The statement is coarse: the task may find that a row still waits for something else.
    """
    tables, statement = _question()
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(statement, {"now": now})
        return sorted({tables[number].wakes for (number,) in cursor.fetchall()})


@cache
def _question() -> tuple[list[type[LeasedRow]], str]:
    """Return the tables, and the statement that returns the positions of those with due rows."""
    tables = leased_models()
    parts = [f"SELECT {number} WHERE {_waits(table)}" for number, table in enumerate(tables)]
    return tables, " UNION ALL ".join(parts)


def _waits(table: type[LeasedRow]) -> str:
    # Only constants of this module and of the models are interpolated.
    rows = f"EXISTS (SELECT 1 FROM {connection.ops.quote_name(table._meta.db_table)} AS work WHERE"  # noqa: S608
    waits = f"{rows} {UNFINISHED_SQL} AND {WAITS_SQL})"
    return f"({waits} OR {rows} {table.also_due}))" if table.also_due else waits


class SweepThread(threading.Thread):
    def __init__(self, starter: Starter) -> None:
        super().__init__(name="sweeps", daemon=True)
        self._starter = starter

    def run(self) -> None:
        """Run for ever; retry after an outage of the database."""
        while True:
            try:
                for name in sweep():
                    self._starter.start(name)
            except Error:
                logger.warning("The database could not be asked for due rows")
                connection.close()
            except Exception:  # without this thread lost wake-ups are never made up for
                logger.exception("Due rows could not be looked for")
            time.sleep(SWEEP_SECONDS)
