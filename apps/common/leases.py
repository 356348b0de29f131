"""Rows of work under a lease, on PostgreSQL and SQLite.

A worker claims rows in one statement, carries out their work and records the outcome; every record
checks that the row still belongs to the claim. Rows of one partition are claimed in order of id:
only the first unfinished row of a partition can be claimed, together with the rows right after it,
so that one worker handles them in order. The claims of a dead worker are freed within seconds
(`apps.common.heartbeat`), those of a hung one when the lease expires.
"""

import logging
import os
import secrets
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from operator import itemgetter
from typing import Any, ClassVar, Generic, Self, TypeVar

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, models
from django.db import connection as database
from django.db.models import F, Q
from django.utils import timezone

from apps.common import log_ids
from apps.common.compiled_queries import columns_of, kept_cursor, returned
from apps.common.conditions import Condition, adapted
from apps.common.memory import free_what_failed
from apps.common.models import TenantQuerySet
from apps.common.traces import note_row

logger = logging.getLogger(__name__)


class LeaseState(models.TextChoices):
    """The state of a row of work.

    `sending` is committed before a call that must not be repeated blindly. If the worker dies
    without an outcome the row becomes `unknown` and waits for the other side's report before it is
    retried.
    """

    WAITING = "waiting"
    CLAIMED = "claimed"
    SENDING = "sending"
    UNKNOWN = "unknown"
    DONE = "done"
    FAILED = "failed"


HELD = (LeaseState.CLAIMED, LeaseState.SENDING)
UNFINISHED = ~Q(state__in=[LeaseState.DONE, LeaseState.FAILED])  # the partial indexes' condition
UNFINISHED_SQL = "NOT work.state IN ('done', 'failed')"  # the same text
DUE_SQL = (
    "work.next_attempt_at <= %(now)s AND (work.state IN ('waiting', 'unknown')"
    " OR (work.state = 'claimed' AND work.lease_expires_at < %(now)s))"
)
# Due rows, and rows that a hung worker has been sending for too long.
WAITS_SQL = f"({DUE_SQL} OR (work.state = 'sending' AND work.lease_expires_at < %(now)s))"
_FREE: dict[str, Any] = {"owner": "", "lease_expires_at": None}
# The length that an admin page shows well.
ERROR_LENGTH = 4000
# For work that is retried until it succeeds. Failures count only up to the first number, for the
# pauses between attempts. The second is then reached only by ten deaths of the worker in a row, or
# more.
COUNTED_FAILURES, DEADLY_ATTEMPTS = 10, 20
PAUSE_AFTER_DEATHS = timedelta(days=1)
# What the log's lines name of a row of work, where it has it.
LOGGED = ("company", "connection", "ticket", "contact")

RowT_co = TypeVar("RowT_co", bound="LeasedRow", covariant=True)
RowT = TypeVar("RowT", bound="LeasedRow")


class LeasedQuerySet(TenantQuerySet[RowT_co]):
    """State changes of rows of work; each method is one statement and returns how many rows it
    changed.
    """

    def unfinished(self) -> Self:
        """Keep the unfinished rows, by the condition of the partial indexes."""
        return self.filter(UNFINISHED)

    def held(self) -> Self:
        return self.unfinished().filter(state__in=HELD, lease_expires_at__gt=timezone.now())

    def hung(self, at: Any = None) -> Self:
        """Keep the rows that have been `sending` for longer than their lease (now by default)."""
        moment = at or timezone.now()
        return self.unfinished().filter(state=LeaseState.SENDING, lease_expires_at__lte=moment)

    def finish(self, **also: Any) -> int:
        """Record that the work is done; `also` sets further fields of the model."""
        return self._close(LeaseState.DONE, "", also)

    def fail(self, error: str, **also: Any) -> int:
        """Record that the work failed for good, and why."""
        return self._close(LeaseState.FAILED, error, also)

    def retry_later(
        self,
        until: datetime,
        error: str,
        *,
        state: LeaseState = LeaseState.WAITING,
        **also: Any,
    ) -> int:
        """Postpone the rows until a moment, with the reason."""
        return self.update(
            state=state, next_attempt_at=until, last_error=_storable(error), **_FREE, **also
        )

    def release(self, **also: Any) -> int:
        """Release claimed rows that were not attempted."""
        return self.filter(state=LeaseState.CLAIMED).update(
            state=LeaseState.WAITING, **_FREE, **also
        )

    def start_over(self, at: datetime, **also: Any) -> int:
        """Reset the rows as if they were new, due at a moment."""
        return self.update(
            state=LeaseState.WAITING,
            attempts=0,
            next_attempt_at=at,
            finished_at=None,
            **_FREE,
            **also,
        )

    def give_up_claims(self) -> int:
        """Free rows of a dead worker; the outcome of those that it was sending is unknown."""
        window = timedelta(seconds=settings.DELIVERY_SETTLE_SECONDS)
        return self.give_up_sends(timezone.now() + window) + self.release()

    def give_up_sends(self, settled_at: datetime) -> int:
        """Free the rows that a dead worker was sending: the other side may tell until a moment."""
        return self.filter(state=LeaseState.SENDING).update(
            state=LeaseState.UNKNOWN, next_attempt_at=settled_at, **_FREE
        )

    def _close(self, state: LeaseState, error: str, also: dict[str, Any]) -> int:
        return self.update(
            state=state, last_error=_storable(error), finished_at=timezone.now(), **_FREE, **also
        )


def _storable(error: str) -> str:
    # PostgreSQL stores no NUL. The end is kept: the last line of a traceback names the error.
    return error.replace("\x00", "")[-ERROR_LENGTH:]


class WorkerDied(Exception):
    """The process died in every attempt."""

    def __init__(self) -> None:
        super().__init__("O processo terminou todas as vezes em que tratava disto.")


class LeasedRow(models.Model):
    """A row of work: when it is due, its attempts, its claim and the claim's end.

    Services do not write these columns: they claim rows by a `LeasedWork` and record outcomes.
    `wakes` names the task that handles the model's rows; `also_due` is SQL about the row, aliased
    `work`, for rows that the task must handle although no claim is due.
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

    def begin(self, most: int) -> None:
        """Raise WorkerDied for a row that was attempted more than `most` times.

        The caller records every other failure and gives up after `most` attempts, so the worker
        must have died in the last one.
        """
        _note(self)
        if self.attempts > most:
            raise WorkerDied

    @property
    def is_held(self) -> bool:
        """Tell whether a worker holds the row now."""
        return (
            self.state in HELD
            and self.lease_expires_at is not None
            and self.lease_expires_at > timezone.now()
        )


class Claim(Generic[RowT]):
    """The rows that one statement claimed for this worker; its methods change no other rows.

    The claim's name (the worker's name and a random part) is stored in the rows: after another
    worker has taken rows over, the methods change none of them.
    """

    def __init__(
        self, work: "LeasedWork[RowT]", name: str, ids: Sequence[int], read: Sequence[RowT] = ()
    ) -> None:
        self.work = work
        self.name = name
        self.ids = ids
        # The rows in order of id, if the work reads them with the claim.
        self.read = read

    def rows(self) -> "LeasedQuerySet[RowT]":
        """Return the claimed rows in order of id."""
        return self.work.rows().filter(pk__in=self.ids).order_by("pk")

    def held(self, *rows: "RowT | int") -> "LeasedQuerySet[RowT]":
        """Return the given rows (all if none are given) that still belong to this claim."""
        free_what_failed()
        ids = [row if isinstance(row, int) else row.pk for row in rows] or self.ids
        return self.work.rows().filter(pk__in=ids, owner=self.name, state__in=HELD)

    def begin(self, row: RowT, most: int) -> None:
        """Count an attempt of a row whose turn has come; for work that does not count its claims.

        If the row ends the process, no other row of the claim has lost an attempt. Renews the
        lease. Raises WorkerDied for more than `most` attempts, as `LeasedRow.begin` does.
        """
        row.attempts += 1
        row.begin(most)
        until = timezone.now() + self.work.lease()
        self.held(row).update(attempts=row.attempts, lease_expires_at=until)

    def hold(self, row: RowT, only: Condition | None = None, *, counts: bool = True) -> bool:
        """Commit `sending` before a call that must not be repeated blindly.

        Counts the attempt (unless `begin` did) and renews the lease. Returns False if the row no
        longer belongs to the claim, is not due, or does not satisfy `only`.
        """
        _note(row)
        now = timezone.now()
        lease = adapted(now + self.work.lease())
        values = (only.values if only else {}) | {"now": adapted(now), "lease": lease}
        counted = ", attempts = attempts + 1" if counts else ""
        also = f" AND {only.sql}" if only else ""
        is_held = self._change(
            row,
            f"state = 'sending'{counted}, lease_expires_at = %(lease)s",
            f"work.state = 'claimed' AND work.next_attempt_at <= %(now)s{also}",
            values,
        )
        row.attempts += is_held if counts else 0
        return bool(is_held)

    def _change(self, row: RowT, change: str, condition: str, values: dict[str, Any]) -> int:
        """Change a row that belongs to the claim; return how many did.

        SQL by hand, with a kept plan: every send runs it.
        """
        table = database.ops.quote_name(self.work.model._meta.db_table)
        statement = f"""
            UPDATE {table} AS work SET {change}
            WHERE work.id = %(id)s AND work.owner = %(name)s AND {condition}
        """  # noqa: S608  nothing but this module's and its callers' constants
        with kept_cursor() as cursor:
            cursor.execute(statement, values | {"name": self.name, "id": row.pk})
            return int(cursor.rowcount)

    def finish(self, *rows: RowT, **also: Any) -> int:
        """Record that rows are done; return how many still belonged to the claim."""
        if len(rows) != 1 or also:
            return self.held(*rows).finish(**also)
        free_what_failed()
        return self._change(
            rows[0],
            "state = 'done', last_error = '', finished_at = %(now)s, owner = '',"
            " lease_expires_at = NULL",
            "work.state IN ('claimed', 'sending')",
            {"now": adapted(timezone.now())},
        )

    def fail(self, row: RowT, error: str, **also: Any) -> bool:
        """Record that a row failed for good; return whether it still belonged to the claim."""
        return bool(self.held(row).fail(error, **also))

    def retry_later(self, row: RowT, until: datetime, error: str, **also: Any) -> bool:
        """Postpone a row until a moment; return whether it still belonged to the claim."""
        return bool(self.held(row).retry_later(until, error, **also))

    def try_again(
        self, row: RowT, error: str, *, first: float = 2.0, longest: float = 300.0, **also: Any
    ) -> bool:
        """Postpone a row after a failure, by `retry_delay`; return whether it still belonged to the
        claim. For work that is retried until it succeeds.
        """
        wait = retry_delay(row.attempts, first=first, longest=longest)
        until = timezone.now() + timedelta(seconds=wait)
        attempts = min(row.attempts, COUNTED_FAILURES)
        return self.retry_later(row, until, error, attempts=attempts, **also)

    def renew(self, row: RowT, **also: Any) -> bool:
        """Renew the lease of a row whose work takes long; return whether it is still the claim's.

        `also` sets further fields of the model, such as how far the work is.
        """
        until = timezone.now() + self.work.lease()
        return bool(self.held(row).update(lease_expires_at=until, **also))

    def put_off(self, row: RowT | int, death: WorkerDied) -> None:
        """Postpone a row whose worker died in each of its last attempts: one attempt a day."""
        pk = row if isinstance(row, int) else row.pk
        logger.error("%s %s is put off by a day: %s", self.work.model.__name__, pk, death)
        until = timezone.now() + PAUSE_AFTER_DEATHS
        self.held(row).retry_later(until, str(death), attempts=DEADLY_ATTEMPTS - 1)

    def release(self, *rows: RowT) -> int:
        """Release claimed rows (all if none are given) that were not attempted, without counting
        an attempt.
        """
        also = {"attempts": F("attempts") - 1} if self.work.counts else {}
        return self.held(*rows).release(**also)


# Claims that could not be released during an outage of the database.
_forgotten: "deque[tuple[type[LeasedRow], str]]" = deque()


@dataclass(frozen=True)
class LeasedWork(Generic[RowT]):
    """How the rows of one table are claimed.

    `lease_setting` names the setting with the seconds after which a hung worker loses its rows:
    longer than the sum of the time-outs of the work. `partition` names the columns that identify a
    conversation (none: every row is independent). `only` is SQL about the row, aliased `work`, that
    a due row must also satisfy; its parameters, like `%(now)s`, are values, querysets or
    conditions. `blocks` is SQL about a row `earlier` and a later row `work` of its partition:
    `work` waits only for rows that satisfy it; its only parameter is `%(now)s`. `counts` adds each
    claim to `attempts`; otherwise `begin` and `hold` do. `before` names a column that orders
    conversations before their age, smallest first. `reads` has the claim's statement return the
    whole rows (`Claim.read`), for work that needs nothing but them.
    """

    model: type[RowT]
    lease_setting: str
    partition: Sequence[str] = field(default_factory=tuple)
    only: str = ""
    blocks: str = ""
    counts: bool = True
    before: str = ""
    reads: bool = False

    def rows(self) -> "LeasedQuerySet[RowT]":
        """Return all rows of the table."""
        rows: LeasedQuerySet[RowT] = self.model._default_manager.all()  # type: ignore[assignment]
        return rows

    def lease(self) -> timedelta:
        """Return for how long a claim lasts."""
        return timedelta(seconds=getattr(settings, self.lease_setting))

    @contextmanager
    def claimed(self, limit: int, **parameters: Any) -> Iterator[Claim[RowT]]:
        """Claim up to `limit` due rows; if the body raises, the rows that are still claimed are
        released.

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
        only = Condition.of(self.only, **parameters)
        values = only.values | {
            "now": adapted(now),
            "lease": adapted(now + self.lease()),
            "name": name,
            "limit": limit,
        }
        try:
            with kept_cursor() as cursor:
                cursor.execute(self._statement(only.sql), values)
                found = sorted(cursor.fetchall(), key=itemgetter(0))
        except DatabaseError:  # the statement may have succeeded all the same
            _forgotten.append((self.model, name))
            raise
        read = returned(self.model, found) if self.reads else ()
        return Claim(self, name, [row[0] for row in found], read)

    def _give_back(self, claim: Claim[RowT]) -> None:
        try:
            claim.held().give_up_claims()
        except DatabaseError:
            _forgotten.append((self.model, claim.name))

    def _statement(self, only: str) -> str:
        # Only constants of this module and its callers are interpolated; values are parameters.
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
        names = columns_of(self.model) if self.reads else ["id"]
        returning = ", ".join(map(database.ops.quote_name, names))
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
            RETURNING {returning}
        """  # noqa: S608


def _note(row: LeasedRow) -> None:
    """Have the log's lines name the row and what it is about, as far as that was read with it.

    What was noted since keeps standing when the same row is begun once more.
    """
    ids = {"work": row._meta.model_name, "row": row.pk}
    if ids.items() <= log_ids.present().items():
        return
    about = {name: row.__dict__.get(f"{name}_id") for name in LOGGED}
    log_ids.begin(**ids, **about)
    note_row()


@cache
def worker_name() -> str:
    """Return this process's name in its claims: host, process id and something random."""
    return f"{socket.gethostname()[:20]}:{os.getpid()}:{secrets.token_hex(3)}"


def leased_models() -> "list[type[LeasedRow]]":
    return [model for model in apps.get_models() if issubclass(model, LeasedRow)]


def free_claims_of(worker: str) -> int:
    """Free the claims of a dead worker in all tables; return how many."""
    return sum(_held_under(model, f"{worker}#").give_up_claims() for model in leased_models())


def free_all_claims() -> int:
    """Free the claims of all earlier workers; for the start of the only worker of a database."""
    return sum(_held_under(model, "").give_up_claims() for model in leased_models())


def _held_under(model: "type[LeasedRow]", prefix: str) -> "LeasedQuerySet[LeasedRow]":
    rows: Any = model._default_manager
    held: LeasedQuerySet[LeasedRow] = rows.unfinished().filter(state__in=HELD)
    return held.filter(owner__startswith=prefix)


def _free_forgotten(model: "type[LeasedRow]") -> None:
    for forgotten in [each for each in list(_forgotten) if each[0] is model]:
        _held_under(*forgotten).give_up_claims()
        with suppress(ValueError):  # another thread released it as well
            _forgotten.remove(forgotten)


def retry_delay(attempts: int, *, first: float = 2.0, longest: float = 300.0) -> float:
    """Return the seconds to wait after this many attempts: exponential, capped, with full
    jitter.
    """
    whole = min(longest, first * 2.0 ** min(max(attempts - 1, 0), 30))
    return whole / 2 + secrets.SystemRandom().uniform(0, whole / 2)
