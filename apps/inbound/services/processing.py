"""Working through the stored events: in order inside a conversation, side by side otherwise."""

import logging
import traceback
from datetime import timedelta

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from apps.common.compiled_queries import stored
from apps.common.leases import Claim, LeasedWork, LeaseState, WorkerDied, retry_delay
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.inbound.handler import NotYet, Report, handle, read
from apps.inbound.models import InboundEvent
from apps.realtime.backplane import publisher

logger = logging.getLogger(__name__)

_CONVERSATION = ("connection_id", "partition")
EVENTS = LeasedWork(
    model=InboundEvent,
    lease_setting="INBOUND_LEASE_SECONDS",
    partition=_CONVERSATION,
    only="work.kind <> 'history'",
    reads=True,
)
# A phone history is thousands of messages for which nobody waits. It is handled only while nothing
# else is due, in small claims, so that new connections do not occupy all threads.
PAST = LeasedWork(
    model=InboundEvent,
    lease_setting="INBOUND_LEASE_SECONDS",
    partition=_CONVERSATION,
    only="work.kind = 'history'",
    reads=True,
)
# Pending events of one connection.
OF_ONE = LeasedWork(
    model=InboundEvent,
    lease_setting="INBOUND_LEASE_SECONDS",
    partition=_CONVERSATION,
    only="work.connection_id = %(connection)s AND work.kind <> 'history'",
    reads=True,
)
PAST_AT_ONCE = 5
MAX_ATTEMPTS = 8
# Two workers created the same row (a contact, a ticket); the retry finds it.
CONFLICT_ATTEMPTS = 3


class ClaimLost(Exception):
    """A lease ran out and another worker has the event."""


def process_due(*, limit: int) -> int:
    """Claim up to `limit` due events and handle them; returns how many were claimed.

    Events are handled and marked done together, in one transaction; should that fail, in halves,
    so that one bad event is left alone. It is tried again later with the rest of its conversation
    behind it, and parked as `failed` after MAX_ATTEMPTS.
    """
    return _process(EVENTS, limit) or _process(PAST, min(limit, PAST_AT_ONCE))


def process_of(connection: Connection, *, limit: int) -> int:
    """Claim and handle up to `limit` due events of one connection, as `process_due` does."""
    return _process(OF_ONE, limit, connection=connection.pk)


def _process(work: LeasedWork[InboundEvent], limit: int, **parameters: int) -> int:
    with work.claimed(limit, **parameters) as claim:
        if claim.ids:
            _Run(claim).work()
        return len(claim.ids)


def _reports(claim: Claim[InboundEvent]) -> list[Report]:
    connections = stored(Connection, (event.connection_id for event in claim.read))
    return [
        read(event, connections[event.connection_id])
        for event in claim.read
        if event.connection_id in connections  # else deleted since, and its events with it
    ]


class _Run:
    """The work of one claim.

    The claim counts as an attempt of each new event. An event that was attempted before is handled
    alone and counted when its turn comes: if it kills the process, no other event loses an attempt.
    """

    def __init__(self, claim: Claim[InboundEvent]) -> None:
        self._claim = claim
        self._reports = _reports(claim)
        # Conversations that must wait, and the first event of each that waits.
        self._stopped: dict[tuple[int, str], int] = {}

    def work(self) -> None:
        """Handle the events, those of one conversation in order."""
        retried = [report.event for report in self._reports if _is_retried(report)]
        if retried:
            self._claim.held(*retried).update(attempts=F("attempts") - 1)
        rest = self._reports
        while rest:
            together, alone, rest = _turn(rest)
            self._handle(together)
            for report in alone:
                if not _is_retried(report) or self._begin(report):
                    self._handle([report])
            rest = self._going_on(rest)
        self._release()

    def _handle(self, reports: list[Report], attempts: int = CONFLICT_ATTEMPTS) -> None:
        reports = self._going_on(reports)
        if not reports:
            return
        try:
            self._handle_once(reports)
        except NotYet as wait:
            self._postpone(wait)
            self._handle(reports)
        except Exception as error:
            if len(reports) > 1:
                logger.info("Events are handled in halves after %r", error)
                middle = len(reports) // 2
                self._handle(reports[:middle])
                self._handle(reports[middle:])
            elif isinstance(error, ClaimLost):
                self._stop(reports[0])
            elif isinstance(error, IntegrityError | OperationalError) and attempts > 1:
                self._handle(reports, attempts - 1)
            else:
                self._fail(reports[0], error)

    def _handle_once(self, reports: list[Report]) -> None:
        with publisher.together(), transaction.atomic():
            # Marking comes first and locks the rows: a worker that takes over an expired lease
            # waits, or finds the events done.
            if self._claim.finish(*(report.event for report in reports)) != len(reports):
                raise ClaimLost
            handle(reports)

    def _begin(self, report: Report) -> bool:
        """Count another attempt of an event; return whether it may begin."""
        if report.conversation in self._stopped:
            return False
        if report.event.attempts > MAX_ATTEMPTS:
            self._park(report, WorkerDied())
            return False
        if not self._claim.held(report.event).update(attempts=report.event.attempts):
            self._stop(report)
            return False
        return True

    def _fail(self, report: Report, error: Exception) -> None:
        event = report.event
        logger.error(
            "Event %s of connection %s failed", event.event_id, event.connection_id, exc_info=error
        )
        if event.attempts >= MAX_ATTEMPTS:
            self._park(report, error)
            return
        delay = retry_delay(event.attempts)
        self._wait(report, _text_of(error), delay, attempts=event.attempts)

    def _park(self, report: Report, error: Exception) -> None:
        if not self._claim.fail(report.event, _text_of(error), attempts=MAX_ATTEMPTS):
            self._stop(report)

    def _postpone(self, wait: NotYet) -> None:
        for report in wait.reports:
            self._wait(report, str(wait), wait.seconds, attempts=report.event.attempts - 1)

    def _wait(self, report: Report, text: str, delay: float, *, attempts: int) -> None:
        self._stop(report)
        until = timezone.now() + timedelta(seconds=delay)
        self._claim.retry_later(report.event, until, text, attempts=attempts)

    def _stop(self, report: Report) -> None:
        stopped_at = self._stopped.get(report.conversation, report.event.pk)
        self._stopped[report.conversation] = min(stopped_at, report.event.pk)

    def _going_on(self, reports: list[Report]) -> list[Report]:
        return [each for each in reports if not self._is_stopped(each)]

    def _is_stopped(self, report: Report) -> bool:
        stopped_at = self._stopped.get(report.conversation)
        return stopped_at is not None and report.event.pk >= stopped_at

    def _release(self) -> None:
        """Release events that were not attempted, as if they had not been claimed."""
        untried = [each.event for each in self._reports if self._is_stopped(each)]
        retried = [event for event in untried if event.attempts > 1]
        if retried:  # its attempts are not counted by the claim
            self._claim.held(*retried).release()
        if fresh := [event for event in untried if event.attempts == 1]:
            self._claim.release(*fresh)


def _turn(reports: list[Report]) -> tuple[list[Report], list[Report], list[Report]]:
    """Return the batch, the events to handle alone after it, and the rest.

    The batch is the plain events at the head of each conversation; the event after them is handled
    alone.
    """
    together: list[Report] = []
    alone: dict[tuple[int, str], Report] = {}
    rest: list[Report] = []
    for report in reports:
        if report.conversation in alone:
            rest.append(report)
        elif report.is_plain and not _is_retried(report):
            together.append(report)
        else:
            alone[report.conversation] = report
    return together, list(alone.values()), rest


def _is_retried(report: Report) -> bool:
    return report.event.attempts > 1


def _text_of(error: Exception) -> str:
    return "".join(traceback.format_exception(error))


def retry_failed(*, event_ids: list[int]) -> int:
    """Put parked events back to work; returns how many."""
    parked = InboundEvent.objects.filter(pk__in=event_ids, state=LeaseState.FAILED)
    count = parked.start_over(timezone.now())
    wake("inbound.process")
    return count
