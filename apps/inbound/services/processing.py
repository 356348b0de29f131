"""Working through the stored events: in order inside a conversation, side by side otherwise."""

import logging
import traceback
from datetime import timedelta

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.utils import IntegrityError
from django.utils import timezone

from apps.common.claiming import WorkQueue, retry_delay
from apps.connections.models import Connection
from apps.inbound.handler import NotYet, handle
from apps.inbound.models import InboundEvent, InboundState

logger = logging.getLogger(__name__)

EVENTS = WorkQueue(
    model=InboundEvent,
    unfinished="work.state IN ('waiting', 'claimed')",
    claimable=(
        "(work.state = 'waiting' AND work.next_attempt_at <= %(now)s)"
        " OR (work.state = 'claimed' AND work.lease_expires_at < %(now)s)"
    ),
    partition=("connection_id", "partition"),
)
MAX_ATTEMPTS = 8
# Two workers met in one row (a new contact's, a new ticket's): the second look finds it.
CONFLICT_TRIES = 3
ERROR_LENGTH = 4000


class ClaimLost(Exception):
    """The lease ran out and another worker has the event."""


def process_due(*, owner: str, limit: int) -> int:
    """Claim up to `limit` due events and handle them; returns how many were claimed.

    Each event is handled and marked done in one transaction. A failing one is tried again later
    with the rest of its conversation behind it, and parked as `failed` after MAX_ATTEMPTS.
    """
    lease = timedelta(seconds=settings.INBOUND_LEASE_SECONDS)
    claim, ids = EVENTS.claim(owner=owner, lease=lease, limit=limit)
    if not ids:
        return 0
    events = list(InboundEvent.objects.filter(pk__in=ids).order_by("pk"))
    connections = Connection.objects.select_related("company").in_bulk(
        {event.connection_id for event in events}
    )
    stopped: set[tuple[int, str]] = set()
    for event in events:
        conversation = (event.connection_id, event.partition)
        if conversation in stopped:
            continue
        connection = connections.get(event.connection_id)
        if connection is None:  # deleted since the claim, and its events with it
            continue
        if not _process(event, connection, claim):
            stopped.add(conversation)
    if stopped:
        InboundEvent.objects.filter(owner=claim, state=InboundState.CLAIMED).update(
            state=InboundState.WAITING, owner="", lease_expires_at=None
        )
    return len(events)


def _process(event: InboundEvent, connection: Connection, claim: str) -> bool:
    """Handle one event; returns whether the conversation may go on to the next one."""
    for attempt in range(1, CONFLICT_TRIES + 1):
        try:
            _handle_once(event, connection, claim)
        except ClaimLost:
            return False
        except NotYet as wait:
            _retry(event, claim, str(wait), delay=wait.seconds, counts=False)
            return False
        except (IntegrityError, OperationalError) as error:
            if attempt == CONFLICT_TRIES:
                return _fail(event, claim, error)
        except Exception as error:
            return _fail(event, claim, error)
        else:
            return True
    return False


@transaction.atomic
def _handle_once(event: InboundEvent, connection: Connection, claim: str) -> None:
    # First, so that the row is locked: whoever takes an expired lease waits, or finds it done.
    marked = InboundEvent.objects.filter(
        pk=event.pk, owner=claim, state=InboundState.CLAIMED
    ).update(state=InboundState.DONE, processed_at=timezone.now(), owner="", error="")
    if not marked:
        raise ClaimLost
    handle(event, connection)


def _fail(event: InboundEvent, claim: str, error: Exception) -> bool:
    """Record a failure; returns True when the event is parked and the next one may go."""
    logger.exception("Event %s of connection %s failed", event.event_id, event.connection_id)
    text = "".join(traceback.format_exception(error))[-ERROR_LENGTH:].replace("\x00", "")
    if event.attempts + 1 < MAX_ATTEMPTS:
        _retry(event, claim, text, delay=retry_delay(event.attempts + 1), counts=True)
        return False
    parked = InboundEvent.objects.filter(pk=event.pk, owner=claim).update(
        state=InboundState.FAILED,
        attempts=event.attempts + 1,
        error=text,
        owner="",
        lease_expires_at=None,
        processed_at=timezone.now(),
    )
    return bool(parked)


def _retry(event: InboundEvent, claim: str, text: str, *, delay: float, counts: bool) -> None:
    InboundEvent.objects.filter(pk=event.pk, owner=claim).update(
        state=InboundState.WAITING,
        attempts=event.attempts + int(counts),
        next_attempt_at=timezone.now() + timedelta(seconds=delay),
        error=text,
        owner="",
        lease_expires_at=None,
    )


def retry_failed(*, event_ids: list[int]) -> int:
    """Put parked events back to work; returns how many."""
    from apps.common.wakeups import wake
    from apps.inbound.tasks import process_inbound

    count = InboundEvent.objects.filter(pk__in=event_ids, state=InboundState.FAILED).update(
        state=InboundState.WAITING, attempts=0, next_attempt_at=timezone.now(), processed_at=None
    )
    wake(process_inbound)
    return count
