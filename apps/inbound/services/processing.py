"""Working through the stored events: in order inside a conversation, side by side otherwise."""

import logging
import traceback
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from apps.common.claiming import WorkQueue, retry_delay
from apps.connections.models import Connection
from apps.inbound.handler import NotYet, Report, handle, read
from apps.inbound.models import InboundEvent, InboundState
from apps.realtime.backplane import publisher

logger = logging.getLogger(__name__)

EVENTS = WorkQueue(
    model=InboundEvent,
    unfinished="work.state IN ('waiting', 'claimed')",
    claimable=(
        "(work.state = 'waiting' AND work.next_attempt_at <= %(now)s)"
        " OR (work.state = 'claimed' AND work.lease_expires_at < %(now)s)"
    ),
    partition=("connection_id", "partition"),
    counts=True,
)
MAX_ATTEMPTS = 8
# Two workers met in one row (a new contact's, a new ticket's): the second look finds it.
CONFLICT_TRIES = 3
ERROR_LENGTH = 4000


class ClaimLost(Exception):
    """A lease ran out and another worker has the event."""


class WorkerDied(Exception):
    """Every try ended with the process."""

    def __init__(self) -> None:
        super().__init__("O processo terminou todas as vezes em que tratava este evento.")


def process_due(*, owner: str, limit: int) -> int:
    """Claim up to `limit` due events and handle them; returns how many were claimed.

    Events are handled and marked done together, in one transaction; should that fail, in halves,
    so that one bad event is left alone. It is tried again later with the rest of its conversation
    behind it, and parked as `failed` after MAX_ATTEMPTS.
    """
    lease = timedelta(seconds=settings.INBOUND_LEASE_SECONDS)
    claim, ids = EVENTS.claim(owner=owner, lease=lease, limit=limit)
    if not ids:
        return 0
    run = _Run(claim, _reports(ids))
    run.work()
    return len(ids)


def _reports(ids: list[int]) -> list[Report]:
    events = list(InboundEvent.objects.filter(pk__in=ids).order_by("pk"))
    connections = Connection.objects.in_bulk({event.connection_id for event in events})
    return [
        read(event, connections[event.connection_id])
        for event in events
        if event.connection_id in connections  # else deleted since, and its events with it
    ]


class _Run:
    """The work of one claim.

    The claim counts as a try of each event. One that was tried before is handled alone, and
    counted when its turn comes: should the process die of it, no other event pays for that.
    """

    def __init__(self, claim: str, reports: list[Report]) -> None:
        self._claim = claim
        self._reports = reports
        # Conversations that must wait, from which event on.
        self._stopped: dict[tuple[int, str], int] = {}

    def work(self) -> None:
        """Handle the events, those of one conversation in order."""
        retried = [report.event.pk for report in self._reports if _is_retried(report)]
        if retried:
            self._ours(*retried).update(attempts=F("attempts") - 1)
        rest = self._reports
        while rest:
            together, alone, rest = _turn(rest)
            self._handle(together)
            for report in alone:
                if not _is_retried(report) or self._begin(report):
                    self._handle([report])
            rest = self._going_on(rest)
        self._release()

    def _handle(self, reports: list[Report], tries: int = CONFLICT_TRIES) -> None:
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
            elif isinstance(error, IntegrityError | OperationalError) and tries > 1:
                self._handle(reports, tries - 1)
            else:
                self._fail(reports[0], error)

    def _handle_once(self, reports: list[Report]) -> None:
        with publisher.together(), transaction.atomic():
            # First, so that the rows are locked: whoever takes an expired lease waits, or finds
            # them done.
            marked = self._ours(*(report.event.pk for report in reports)).update(
                state=InboundState.DONE, processed_at=timezone.now(), owner="", error=""
            )
            if marked != len(reports):
                raise ClaimLost
            handle(reports)

    def _begin(self, report: Report) -> bool:
        """Count the try of an event that was tried before; returns whether it may begin."""
        if report.conversation in self._stopped:
            return False
        if report.event.attempts > MAX_ATTEMPTS:
            self._park(report, WorkerDied())
            return False
        if not self._ours(report.event.pk).update(attempts=report.event.attempts):
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
        parked = self._ours(report.event.pk).update(
            state=InboundState.FAILED,
            attempts=MAX_ATTEMPTS,
            error=_text_of(error),
            owner="",
            lease_expires_at=None,
            processed_at=timezone.now(),
        )
        if not parked:
            self._stop(report)

    def _postpone(self, wait: NotYet) -> None:
        for report in wait.reports:
            self._wait(report, str(wait), wait.seconds, attempts=report.event.attempts - 1)

    def _wait(self, report: Report, text: str, delay: float, *, attempts: int) -> None:
        self._stop(report)
        self._ours(report.event.pk).update(
            state=InboundState.WAITING,
            attempts=attempts,
            next_attempt_at=timezone.now() + timedelta(seconds=delay),
            error=text,
            owner="",
            lease_expires_at=None,
        )

    def _stop(self, report: Report) -> None:
        stopped_at = self._stopped.get(report.conversation, report.event.pk)
        self._stopped[report.conversation] = min(stopped_at, report.event.pk)

    def _going_on(self, reports: list[Report]) -> list[Report]:
        return [each for each in reports if not self._is_stopped(each)]

    def _is_stopped(self, report: Report) -> bool:
        stopped_at = self._stopped.get(report.conversation)
        return stopped_at is not None and report.event.pk >= stopped_at

    def _release(self) -> None:
        """Give back what was not tried, as if it had not been claimed."""
        untried = [each for each in self._reports if self._is_stopped(each)]
        for attempts in {each.event.attempts for each in untried}:
            self._ours(
                *(each.event.pk for each in untried if each.event.attempts == attempts)
            ).update(
                state=InboundState.WAITING, attempts=attempts - 1, owner="", lease_expires_at=None
            )

    def _ours(self, *ids: int) -> "QuerySet[InboundEvent]":
        return InboundEvent.objects.filter(
            pk__in=ids, owner=self._claim, state=InboundState.CLAIMED
        )


def _turn(reports: list[Report]) -> tuple[list[Report], list[Report], list[Report]]:
    """Return what can be handled together, what alone after that, and what comes then.

    Together go the plain events at the head of each conversation; alone the one that follows.
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
    return "".join(traceback.format_exception(error))[-ERROR_LENGTH:].replace("\x00", "")


def retry_failed(*, event_ids: list[int]) -> int:
    """Put parked events back to work; returns how many."""
    from apps.common.wakeups import wake
    from apps.inbound.tasks import process_inbound

    count = InboundEvent.objects.filter(pk__in=event_ids, state=InboundState.FAILED).update(
        state=InboundState.WAITING, attempts=0, next_attempt_at=timezone.now(), processed_at=None
    )
    wake(process_inbound)
    return count
