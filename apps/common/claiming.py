"""Claiming rows of work in one statement, on PostgreSQL and SQLite alike.

A table of work has the columns state, next_attempt_at, owner and lease_expires_at. Rows of one
partition are handed out in order of id: only a partition's first unfinished row can be claimed,
and with it the rows right behind it, so that one worker goes through them one after another.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection as database
from django.db import models
from django.utils import timezone


@dataclass(frozen=True)
class WorkQueue:
    """How the rows of one table wait. The texts are SQL about the row called `work`.

    `unfinished` is the condition of the table's partial indexes, word for word; `claimable` says
    which rows may be taken now, with the parameter `%(now)s`; `partition` names the columns that
    make a conversation (none: every row is on its own). `counts` adds each claim to `attempts`.
    """

    model: type[models.Model]
    unfinished: str
    claimable: str
    partition: Sequence[str] = field(default_factory=tuple)
    counts: bool = False

    def claim(
        self, *, owner: str, lease: timedelta, limit: int, parameters: dict[str, Any] | None = None
    ) -> tuple[str, list[int]]:
        """Claim up to `limit` rows; returns the claim's own name and the ids in order.

        The name, made of `owner` and something random, is what later statements check: once the
        lease has run out and another worker has taken the rows, theirs change nothing.
        """
        now = timezone.now()
        name = f"{owner[:45]}#{secrets.token_hex(6)}"
        values = {
            **(parameters or {}),
            "now": adapted(now),
            "lease": adapted(now + lease),
            "name": name,
            "limit": limit,
        }
        with database.cursor() as cursor:
            cursor.execute(self._statement(), values)
            ids = sorted(row[0] for row in cursor.fetchall())
        return name, ids

    def _statement(self) -> str:
        # Nothing but this module's and its callers' constants: values are parameters.
        table = database.ops.quote_name(self.model._meta.db_table)
        same = " AND ".join(f"earlier.{column} = work.{column}" for column in self.partition)
        unfinished = self.unfinished.replace("work.", "earlier.")
        first = (
            f"AND NOT EXISTS (SELECT 1 FROM {table} AS earlier"  # noqa: S608
            f" WHERE {same} AND earlier.id < work.id AND {unfinished})"
            if self.partition
            else ""
        )
        follows = "".join(f" AND work.{column} = head.{column}" for column in self.partition)
        columns = "".join(f", work.{column}" for column in self.partition)
        behind = ">=" if self.partition else "="
        counted = ", attempts = attempts + 1" if self.counts else ""
        lock = "FOR UPDATE SKIP LOCKED" if database.features.has_select_for_update else ""
        return f"""
            WITH head AS (
                SELECT work.id{columns} FROM {table} AS work
                WHERE {self.unfinished} AND ({self.claimable}) {first}
                ORDER BY work.id LIMIT %(limit)s {lock}
            )
            UPDATE {table}
            SET state = 'claimed', owner = %(name)s, lease_expires_at = %(lease)s{counted}
            WHERE id IN (
                SELECT work.id FROM head JOIN {table} AS work ON work.id {behind} head.id{follows}
                WHERE work.state IN ('waiting', 'claimed', 'unknown') AND {self.unfinished}
                ORDER BY work.id LIMIT %(limit)s
            )
            RETURNING id
        """  # noqa: S608


def adapted(moment: datetime) -> Any:
    """Return a moment as the database compares it, for parameters of a queue's own."""
    return database.ops.adapt_datetimefield_value(moment)


def retry_delay(attempts: int, *, first: float = 2.0, longest: float = 300.0) -> float:
    """Return the seconds to wait after so many attempts: doubling, capped, with full jitter."""
    whole = min(longest, first * 2.0 ** min(max(attempts - 1, 0), 30))
    return whole / 2 + secrets.SystemRandom().uniform(0, whole / 2)
