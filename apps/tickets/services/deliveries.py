"""The outbox: what is due goes to the providers, in order inside a conversation.

Each row is claimed, fenced (`sending`, committed) and only then sent, outside any transaction; the
outcome is recorded in one. An attempt that nobody saw end waits for the provider's word before it
is tried again (specification 4 §6.2).
"""

import logging
from dataclasses import replace
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.common.claiming import WorkQueue, retry_delay
from apps.companies.models import Company
from apps.companies.queries import is_overdue
from apps.connections.models import ConnectionStatus
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.services import mark_reconnect_needed, pause_sends, provider_for
from apps.tickets.models import Ack, Delivery, DeliveryKind, DeliveryState, Message
from apps.tickets.services.changes import undo_change
from apps.tickets.services.dispatch import dispatch
from apps.tickets.services.statuses import advance, locked_messages, tell_changed

logger = logging.getLogger(__name__)

DELIVERIES = WorkQueue(
    model=Delivery,
    unfinished="NOT work.state IN ('done', 'failed')",
    claimable=(
        "((work.state IN ('waiting', 'unknown') AND work.next_attempt_at <= %(now)s"
        # The provider's word may have come and stand unread behind other events.
        " AND (work.state = 'waiting' OR NOT EXISTS (SELECT 1 FROM inbound_inboundevent AS word"
        " WHERE word.connection_id = work.connection_id"
        " AND word.state IN ('waiting', 'claimed') AND word.kind = 'status'"
        " AND word.received_at <= work.next_attempt_at)))"
        " OR (work.state = 'claimed' AND work.lease_expires_at < %(now)s))"
        " AND work.connection_id IN ("
        "SELECT line.id FROM connections_connection AS line"
        " JOIN companies_company AS company ON company.id = line.company_id"
        " WHERE line.status = 'CONNECTED'"
        " AND (line.sends_paused_until IS NULL OR line.sends_paused_until <= %(now)s)"
        " AND company.is_enabled AND (company.id = 1 OR company.due_date >= %(oldest)s)"
        " AND company.id NOT IN (%(stopped)s))"
    ),
    partition=("connection_id", "contact_id"),
)
# About a day at the longest pause between two tries.
MAX_ATTEMPTS = 295
# A receipt, or a call that rings no more, is worth no queue behind it; a fault of ours won't heal
# by itself.
MAX_FLEETING_ATTEMPTS = 3
MAX_FAULTY_ATTEMPTS = 8
PAUSE_SECONDS = 60.0
# Specification 4 §9: sends of a company wait when it is overdue for so long.
GRACE = timedelta(days=3)
ERROR_LENGTH = 500


def deliver_due(*, owner: str, limit: int) -> int:
    """Claim up to `limit` due rows and send them; returns how many were claimed.

    Rows of one conversation go one after another: while one waits to be tried again, or for the
    word on its outcome, those behind it wait too. Never call it inside a transaction.
    """
    _give_up_expired()
    certain, stopped_ids = long_overdue()
    queue = replace(DELIVERIES, claimable=DELIVERIES.claimable.replace("%(stopped)s", stopped_ids))
    claim, ids = queue.claim(
        owner=owner,
        lease=timedelta(seconds=settings.DELIVERY_LEASE_SECONDS),
        limit=limit,
        parameters={"oldest": certain.isoformat()},
    )
    if not ids:
        return 0
    rows = Delivery.objects.filter(pk__in=ids).order_by("pk")
    stopped: set[tuple[int, int]] = set()
    for delivery in rows.select_related("connection", "contact", "message__quoted"):
        conversation = (delivery.connection_id, delivery.contact_id)
        if conversation not in stopped and not _deliver(delivery, claim):
            stopped.add(conversation)
    if stopped:
        Delivery.objects.filter(owner=claim, state=DeliveryState.CLAIMED).update(
            state=DeliveryState.WAITING, owner="", lease_expires_at=None
        )
    return len(ids)


def long_overdue() -> tuple[date, str]:
    """Return the due date before which every company's sends wait, whatever its zone, and the ids
    of those around it that wait as well, as SQL.
    """
    moment = timezone.now() - GRACE
    around = (moment - timedelta(days=1)).date()
    companies = Company.objects.filter(due_date__range=(around, moment.date()))
    ids = [company.pk for company in companies if is_overdue(company, moment)]
    return around, ", ".join(map(str, ids)) or "0"


def _give_up_expired() -> None:
    """Take back sends whose worker died: nobody knows whether the provider got them."""
    now = timezone.now()
    expired = Delivery.objects.filter(state=DeliveryState.SENDING, lease_expires_at__lt=now)
    if expired.exists():
        expired.update(
            state=DeliveryState.UNKNOWN,
            next_attempt_at=now + _settle_window(),
            owner="",
            lease_expires_at=None,
        )


def _settle_window() -> timedelta:
    return timedelta(seconds=settings.DELIVERY_SETTLE_SECONDS)


def _deliver(delivery: Delivery, claim: str) -> bool:
    """Send one row; returns whether the conversation may go on to the next one."""
    if not _fence(delivery, claim):
        return False
    delivery.attempts += 1
    provider: Provider | None = None
    try:
        provider = provider_for(delivery.connection)
        external_id = dispatch(provider, delivery)
    except ProviderError as error:
        return _record_error(delivery, claim, error)
    except Exception:
        logger.exception("Delivery %s failed by a fault of our own", delivery.pk)
        fault = ProviderError(
            "Erro interno ao enviar a mensagem.",
            permanent=delivery.attempts >= MAX_FAULTY_ATTEMPTS,
            outcome_unknown=True,
        )
        return _record_error(delivery, claim, fault)
    finally:
        if provider is not None:
            provider.close()
    _record_sent(delivery, claim, external_id)
    return True


def _fence(delivery: Delivery, claim: str) -> bool:
    """Commit that the provider is about to be called, unless the row or its connection moved.

    A row that was claimed with the one before it may have a later time of its own.
    """
    now = timezone.now()
    is_open = Q(connection__sends_paused_until=None) | Q(connection__sends_paused_until__lte=now)
    fenced = (
        Delivery.objects.filter(pk=delivery.pk, owner=claim, state=DeliveryState.CLAIMED)
        .filter(is_open, connection__status=ConnectionStatus.CONNECTED, next_attempt_at__lte=now)
        .update(
            state=DeliveryState.SENDING,
            attempts=F("attempts") + 1,
            lease_expires_at=now + timedelta(seconds=settings.DELIVERY_LEASE_SECONDS),
        )
    )
    return bool(fenced)


def _record_sent(delivery: Delivery, claim: str, external_id: str) -> None:
    try:
        _finish_sent(delivery, claim, external_id)
    except IntegrityError:
        # An echo that did not carry our id made a row of its own: the message did go out.
        logger.warning("Message %s: its provider id is another row's", delivery.message_id)
        _finish_sent(delivery, claim, "")


@transaction.atomic
def _finish_sent(delivery: Delivery, claim: str, external_id: str) -> None:
    # Always the message first: statuses lock in the same order.
    message = locked_messages().filter(pk=delivery.message_id).first()
    _close(delivery, claim, DeliveryState.DONE, "")
    if message is not None and delivery.kind == DeliveryKind.SEND:
        advance(message, ack=Ack.SENT, external_id=external_id)


def _close(delivery: Delivery, claim: str, state: DeliveryState, error: str) -> bool:
    return bool(
        _ours(delivery, claim).update(
            state=state,
            last_error=error[:ERROR_LENGTH],
            finished_at=timezone.now(),
            owner="",
            lease_expires_at=None,
        )
    )


def _ours(delivery: Delivery, claim: str) -> "QuerySet[Delivery]":
    # Settled by a status, or taken over after our lease: then what we saw changes nothing.
    return Delivery.objects.filter(pk=delivery.pk, owner=claim, state=DeliveryState.SENDING)


def _record_error(delivery: Delivery, claim: str, error: ProviderError) -> bool:
    """Record a send that did not succeed; returns whether the conversation may go on."""
    if error.permanent or _is_exhausted(delivery, error):
        _finish_failed(delivery, claim, error)
        return True
    now = timezone.now()
    if error.needs_reconnect:
        mark_reconnect_needed(delivery.connection, error.message)
        _wait(delivery, claim, error, until=now)
        return False
    delay = error.retry_after or (
        PAUSE_SECONDS if error.pauses_connection else retry_delay(delivery.attempts)
    )
    until = now + timedelta(seconds=delay)
    if error.pauses_connection:
        pause_sends(delivery.connection, until, error.message)
    elif error.outcome_unknown and delivery.kind == DeliveryKind.SEND:
        _wait(delivery, claim, error, until=now + _settle_window(), state=DeliveryState.UNKNOWN)
        return False
    _wait(delivery, claim, error, until=until)
    return False


def _is_exhausted(delivery: Delivery, error: ProviderError) -> bool:
    # A pause or a lost connection is no fault of the row: it waits as long as that takes.
    if error.needs_reconnect or error.pauses_connection:
        return False
    is_fleeting = delivery.kind in {DeliveryKind.MARK_READ, DeliveryKind.REJECT_CALL}
    return delivery.attempts >= (MAX_FLEETING_ATTEMPTS if is_fleeting else MAX_ATTEMPTS)


@transaction.atomic
def _finish_failed(delivery: Delivery, claim: str, error: ProviderError) -> None:
    message = locked_messages().filter(pk=delivery.message_id).first()
    closed = _close(delivery, claim, DeliveryState.FAILED, error.message)
    if closed and message is not None and delivery.kind == DeliveryKind.SEND:
        advance(message, ack=Ack.ERROR, error_code=error.code, error_reason=error.message)
    elif closed:
        undo_change(delivery, error.message)


@transaction.atomic
def _wait(
    delivery: Delivery,
    claim: str,
    error: ProviderError,
    *,
    until: datetime,
    state: DeliveryState = DeliveryState.WAITING,
) -> None:
    """Leave the row for later, and let the message say why it waits."""
    message = locked_messages().filter(pk=delivery.message_id).first()
    waits = _ours(delivery, claim).update(
        state=state,
        next_attempt_at=until,
        last_error=error.message[:ERROR_LENGTH],
        owner="",
        lease_expires_at=None,
    )
    if not waits or message is None or delivery.kind != DeliveryKind.SEND:
        return
    if message.ack == Ack.PENDING and message.error_reason != error.message:
        message.error_reason = error.message[:ERROR_LENGTH]
        message.updated_at = timezone.now()
        Message.objects.filter(pk=message.pk).update(
            error_reason=message.error_reason, updated_at=message.updated_at
        )
        tell_changed(message)
