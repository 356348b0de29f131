"""Rows of work under a lease, on PostgreSQL and SQLite alike.

A worker claims rows in one statement, does what they ask for and records what came of it; every
record checks that the row is still its claim's. Rows of one partition are handed out in order of
id: only a partition's first unfinished row can be claimed, and with it the rows right behind it,
so that one worker goes through them one after another. A worker that dies leaves its rows to the
others within seconds (`apps.common.heartbeat`); one that hangs, when its lease runs out.
"""

import os
import secrets
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar

from django.apps import apps
from django.conf import settings
from django.core.exceptions import EmptyResultSet
from django.db import DatabaseError, models
from django.db import connection as database
from django.db.models import F, Q
from django.utils import timezone

from apps.common.models import TenantQuerySet


class LeaseState(models.TextChoices):
    """Where a row of work stands.

    `sending` is set, and committed, before a call whose repetition would be seen; when its worker
    dies without an outcome the row is `unknown` and waits for the other side's word before it is
    tried again.
    """

    WAITING = "waiting"
    CLAIMED = "claimed"
    SENDING = "sending"
    UNKNOWN = "unknown"
    DONE = "done"
    FAILED = "failed"


HELD = (LeaseState.CLAIMED, LeaseState.SENDING)
UNFINISHED = ~Q(state__in=[LeaseState.DONE, LeaseState.FAILED])  # the partial indexes' condition
UNFINISHED_SQL = "NOT work.state IN ('done', 'failed')"  # the same, word for word
DUE_SQL = (
    "work.next_attempt_at <= %(now)s AND (work.state IN ('waiting', 'unknown')"
    " OR (work.state = 'claimed' AND work.lease_expires_at < %(now)s))"
)
# What is due, and what a worker that hangs has been sending for too long.
WAITS_SQL = f"({DUE_SQL} OR (work.state = 'sending' AND work.lease_expires_at < %(now)s))"
_FREE: dict[str, Any] = {"owner": "", "lease_expires_at": None}
# As long as a column of an admin's page reads well.
ERROR_LENGTH = 4000

RowT_co = TypeVar("RowT_co", bound="LeasedRow", covariant=True)
RowT = TypeVar("RowT", bound="LeasedRow")


class LeasedQuerySet(TenantQuerySet[RowT_co]):
    """What becomes of rows of work; each verb is one statement and returns how many rows it met."""

    def unfinished(self) -> Self:
        """Keep the rows that are still to be done, by the condition of the partial indexes."""
        return self.filter(UNFINISHED)

    def held(self) -> Self:
        """Keep the rows that a worker has right now."""
        return self.unfinished().filter(state__in=HELD, lease_expires_at__gt=timezone.now())

    def hung(self) -> Self:
        """Keep the rows whose worker did not say in time what became of their sending."""
        return self.unfinished().filter(
            state=LeaseState.SENDING, lease_expires_at__lte=timezone.now()
        )

    def finish(self, **also: Any) -> int:
        """Record that the work is done; `also` are fields of the model's own."""
        return self._close(LeaseState.DONE, "", also)

    def fail(self, error: str, **also: Any) -> int:
        """Record that the work is given up, and why."""
        return self._close(LeaseState.FAILED, error, also)

    def retry_later(
        self,
        until: datetime,
        error: str,
        *,
        state: LeaseState = LeaseState.WAITING,
        **also: Any,
    ) -> int:
        """Leave the rows until a moment, with the reason why."""
        return self.update(
            state=state, next_attempt_at=until, last_error=_storable(error), **_FREE, **also
        )

    def release(self, **also: Any) -> int:
        """Give back claimed rows that were not tried."""
        return self.filter(state=LeaseState.CLAIMED).update(
            state=LeaseState.WAITING, **_FREE, **also
        )

    def start_over(self, at: datetime, **also: Any) -> int:
        """Have the rows done as if they were new, from a moment on."""
        return self.update(
            state=LeaseState.WAITING,
            attempts=0,
            next_attempt_at=at,
            finished_at=None,
            **_FREE,
            **also,
        )

    def give_up_claims(self) -> int:
        """Free rows whose worker is gone: nobody knows what became of those it was sending."""
        settled_at = timezone.now() + timedelta(seconds=settings.DELIVERY_SETTLE_SECONDS)
        unknown = self.filter(state=LeaseState.SENDING).update(
            state=LeaseState.UNKNOWN, next_attempt_at=settled_at, **_FREE
        )
        return unknown + self.release()

    def _close(self, state: LeaseState, error: str, also: dict[str, Any]) -> int:
        return self.update(
            state=state, last_error=_storable(error), finished_at=timezone.now(), **_FREE, **also
        )


def _storable(error: str) -> str:
    # PostgreSQL takes no NUL, and the end of a traceback names the fault.
    return error.replace("\x00", "")[-ERROR_LENGTH:]


class LeasedRow(models.Model):
    """A row of work: when it is due, how often it was tried, who has it and for how long.

    Columns that no service writes: it claims rows by a `LeasedWork` and says what came of them.
    `wakes` names the task that does the model's rows; `also_due` is SQL about the row called
    `work`, for what the task must see to though no claim is due.
    """

    wakes: ClassVar[str] = ""
    also_due: ClassVar[str] = ""

    state = models.CharField(max_length=10, choices=LeaseState.choices, default=LeaseState.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    next_attempt_at = models.DateTimeField(default=timezone.now)
    owner = models.CharField(max_length=60, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    last_error = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_held(self) -> bool:
        """Tell whether a worker is at it right now."""
        return (
            self.state in HELD
            and self.lease_expires_at is not None
            and self.lease_expires_at > timezone.now()
        )


class Claim(Generic[RowT]):
    """The rows that one statement took for this worker; what it says of others changes nothing.

    Its name, made of the worker's and something random, stands in the rows: once another worker
    has taken them over, the verbs meet none.
    """

    def __init__(self, work: "LeasedWork[RowT]", name: str, ids: Sequence[int]) -> None:
        self.work = work
        self.name = name
        self.ids = ids

    def rows(self) -> "LeasedQuerySet[RowT]":
        """Return the claimed rows in order of id."""
        return self.work.rows().filter(pk__in=self.ids).order_by("pk")

    def held(self, *rows: "RowT | int") -> "LeasedQuerySet[RowT]":
        """Return those of some rows (all without any) that are still this claim's."""
        ids = [row if isinstance(row, int) else row.pk for row in rows] or self.ids
        return self.work.rows().filter(pk__in=ids, owner=self.name, state__in=HELD)

    def hold(self, row: RowT, only: "Condition | None" = None) -> bool:
        """Commit, before a call whose repetition would be seen, that it is about to be made.

        Counts the try, renews the lease and returns False where the row is no longer the claim's,
        due, or as `only` asks.
        """
        now = timezone.now()
        values = (only.values if only else {}) | {
            "now": _adapted(now),
            "lease": _adapted(now + self.work.lease()),
            "name": self.name,
            "id": row.pk,
        }
        table = database.ops.quote_name(self.work.model._meta.db_table)
        also = f"AND {only.sql}" if only else ""
        # Written by hand: each send asks it, and Django would make the text anew each time.
        statement = f"""
            UPDATE {table} AS work
            SET state = 'sending', attempts = attempts + 1, lease_expires_at = %(lease)s
            WHERE work.id = %(id)s AND work.owner = %(name)s AND work.state = 'claimed'
            AND work.next_attempt_at <= %(now)s {also}
        """  # noqa: S608  nothing but this module's and its callers' constants
        with database.cursor() as cursor:
            cursor.execute(statement, values)
            if not cursor.rowcount:
                return False
        row.attempts += 1
        return True

    def finish(self, *rows: RowT, **also: Any) -> int:
        """Record that rows are done; returns how many were still the claim's."""
        return self.held(*rows).finish(**also)

    def fail(self, row: RowT, error: str, **also: Any) -> bool:
        """Record that a row is given up; returns whether it was still the claim's."""
        return bool(self.held(row).fail(error, **also))

    def retry_later(self, row: RowT, until: datetime, error: str, **also: Any) -> bool:
        """Leave a row until a moment; returns whether it was still the claim's."""
        return bool(self.held(row).retry_later(until, error, **also))

    def release(self, *rows: RowT) -> int:
        """Give back rows (all without any) that were claimed and not tried, uncounted."""
        also = {"attempts": F("attempts") - 1} if self.work.counts else {}
        return self.held(*rows).release(**also)


# Claims that could not be given back while the database was away.
_forgotten: "deque[tuple[type[LeasedRow], str]]" = deque()


@dataclass(frozen=True)
class LeasedWork(Generic[RowT]):
    """How the rows of one table are claimed.

    `lease_setting` names the setting with the seconds after which a worker that hangs loses its
    rows: longer than every time-out of what is done under a claim. `partition` names the columns
    that make a conversation (none: every row is on its own). `only` is SQL about the row called
    `work` that a due row must meet too; its parameters, like `%(now)s`, are values, querysets or
    conditions.
    `blocks` is SQL about a row called `earlier` and one behind it in its partition, `work`, which
    waits for such a one alone; its only parameter is `%(now)s`.
    `counts` adds each claim to `attempts`; otherwise holding a row does. `before` names a column by
    which conversations are handed out, before their age; its smallest value is the first.
    """

    model: type[RowT]
    lease_setting: str
    partition: Sequence[str] = field(default_factory=tuple)
    only: str = ""
    blocks: str = ""
    counts: bool = True
    before: str = ""

    def rows(self) -> "LeasedQuerySet[RowT]":
        """Return all rows of the table."""
        rows: LeasedQuerySet[RowT] = self.model._default_manager.all()  # type: ignore[assignment]
        return rows

    def lease(self) -> timedelta:
        """Return for how long a claim lasts."""
        return timedelta(seconds=getattr(settings, self.lease_setting))

    @contextmanager
    def claimed(self, limit: int, **parameters: Any) -> Iterator[Claim[RowT]]:
        """Claim up to `limit` due rows; what is still claimed when the body raises is given back.

        `parameters` are those of `only`. Never call it inside a transaction.
        """
        _free_forgotten(self.model)
        claim = self.claim(limit, **parameters)
        try:
            yield claim
        except BaseException:
            self._give_back(claim)
            raise

    def claim(self, limit: int, **parameters: Any) -> Claim[RowT]:
        """Claim up to `limit` due rows, in order of id; prefer `claimed`."""
        now = timezone.now()
        name = f"{worker_name()}#{secrets.token_hex(6)}"
        only, values = _only(self.only, parameters)
        values |= {
            "now": _adapted(now),
            "lease": _adapted(now + self.lease()),
            "name": name,
            "limit": limit,
        }
        try:
            with database.cursor() as cursor:
                cursor.execute(self._statement(only), values)
                ids = sorted(row[0] for row in cursor.fetchall())
        except DatabaseError:  # it may have come to pass all the same
            _forgotten.append((self.model, name))
            raise
        return Claim(self, name, ids)

    def _give_back(self, claim: Claim[RowT]) -> None:
        try:
            claim.held().give_up_claims()
        except DatabaseError:
            _forgotten.append((self.model, claim.name))

    def _statement(self, only: str) -> str:
        # Nothing but this module's and its callers' constants: values are parameters.
        table = database.ops.quote_name(self.model._meta.db_table)
        same = " AND ".join(f"earlier.{column} = work.{column}" for column in self.partition)
        first = (
            f"AND NOT EXISTS (SELECT 1 FROM {table} AS earlier"  # noqa: S608
            f" WHERE {same} AND earlier.id < work.id"
            " AND NOT earlier.state IN ('done', 'failed')"
            f"{self.blocks and f' AND ({self.blocks})'})"
            if self.partition
            else ""
        )
        follows = "".join(f" AND work.{column} = head.{column}" for column in self.partition)
        ordering = [self.before] if self.before else []
        columns = "".join(f", work.{column}" for column in (*self.partition, *ordering))
        turn = "".join(f"work.{column}, " for column in ordering)
        turn_of_head = "".join(f"head.{column}, " for column in ordering)
        behind = ">=" if self.partition else "="
        counted = ", attempts = attempts + 1" if self.counts else ""
        lock = "FOR UPDATE SKIP LOCKED" if database.features.has_select_for_update else ""
        return f"""
            WITH head AS (
                SELECT work.id{columns} FROM {table} AS work
                WHERE {UNFINISHED_SQL} AND {DUE_SQL} {only and f"AND {only}"} {first}
                ORDER BY {turn}work.id LIMIT %(limit)s {lock}
            )
            UPDATE {table}
            SET state = 'claimed', owner = %(name)s, lease_expires_at = %(lease)s{counted}
            WHERE id IN (
                SELECT work.id FROM head JOIN {table} AS work ON work.id {behind} head.id{follows}
                WHERE work.state IN ('waiting', 'claimed', 'unknown') AND {UNFINISHED_SQL}
                ORDER BY {turn_of_head}work.id LIMIT %(limit)s
            )
            RETURNING id
        """  # noqa: S608


@dataclass(frozen=True)
class Condition:
    """SQL about the row called `work`, written once, with its values by name."""

    sql: str
    values: dict[str, Any]

    @classmethod
    def of(cls, sql: str, **parameters: Any) -> "Condition":
        """Write a condition with querysets for its parameters, or values."""
        return cls(*_only(sql, parameters))


def _only(only: str, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the condition with querysets written out, and the values that are left."""
    written: dict[str, str] = {}
    values: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if isinstance(parameter, Condition):
            written[name] = parameter.sql
            values |= parameter.values
            continue
        if not isinstance(parameter, models.QuerySet):
            values[name] = _adapted(parameter)
            continue
        try:
            sql, slots = parameter.query.get_compiler(connection=database).as_sql()
        except EmptyResultSet:
            sql, slots = "SELECT 0 WHERE 1 = 0", ()
        first, *rest = sql.split("%s")
        written[name] = first
        for number, (slot, text) in enumerate(zip(slots, rest, strict=True)):
            values[f"{name}{number}"] = slot
            written[name] += f"%({name}{number})s{text}"
    for name, text in written.items():
        only = only.replace(f"%({name})s", text)
    return only, values


def _adapted(moment: Any) -> Any:
    return (
        database.ops.adapt_datetimefield_value(moment) if isinstance(moment, datetime) else moment
    )


@cache
def worker_name() -> str:
    """Return this process's name in its claims: host, process id and something random."""
    return f"{socket.gethostname()[:20]}:{os.getpid()}:{secrets.token_hex(3)}"


def leased_models() -> "list[type[LeasedRow]]":
    return [model for model in apps.get_models() if issubclass(model, LeasedRow)]


def free_claims_of(worker: str) -> int:
    """Free the rows that a dead worker left in any table; returns how many."""
    return sum(_held_under(model, f"{worker}#").give_up_claims() for model in leased_models())


def free_all_claims() -> int:
    """Free what every earlier worker left: for the start of one that is alone on its database."""
    return sum(_held_under(model, "").give_up_claims() for model in leased_models())


def _held_under(model: "type[LeasedRow]", prefix: str) -> "LeasedQuerySet[LeasedRow]":
    rows: Any = model._default_manager
    held: LeasedQuerySet[LeasedRow] = rows.unfinished().filter(state__in=HELD)
    return held.filter(owner__startswith=prefix)


def _free_forgotten(model: "type[LeasedRow]") -> None:
    for forgotten in [each for each in list(_forgotten) if each[0] is model]:
        _held_under(*forgotten).give_up_claims()
        with suppress(ValueError):  # another thread did it too
            _forgotten.remove(forgotten)


def retry_delay(attempts: int, *, first: float = 2.0, longest: float = 300.0) -> float:
    """Return the seconds to wait after so many attempts: doubling, capped, with full jitter."""
    whole = min(longest, first * 2.0 ** min(max(attempts - 1, 0), 30))
    return whole / 2 + secrets.SystemRandom().uniform(0, whole / 2)
