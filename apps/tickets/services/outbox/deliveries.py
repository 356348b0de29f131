"""The outbox: sends due rows to the providers, in order inside a conversation.

Each row is claimed and prepared, outside any transaction. Right before the first byte of its
request's body is written it is marked as `sending` and committed; a second transaction records
the outcome. An attempt with an unknown outcome waits for the provider's status before it is
repeated; one that ended before the mark is known not to have gone (rules/messages §3).
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.common.bulk import update_rows
from apps.common.compiled_queries import CompiledQuery, Stored, columns_of, instance_of, stored
from apps.common.conditions import Condition
from apps.common.leases import Claim, LeasedWork, LeaseState, retry_delay
from apps.common.reasons import NO_REASON, Reason, ReasonCode
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.providers.content import SentMessage
from apps.connections.queries import may_send
from apps.connections.services import (
    latest_open_slot,
    mark_reconnect_needed,
    pause_sends,
    provider_for,
    take_slot,
)
from apps.contacts.models import Contact
from apps.realtime.backplane import publisher
from apps.tickets import events
from apps.tickets.models import (
    Ack,
    Delivery,
    DeliveryKind,
    DeliveryTurn,
    MediaType,
    Message,
    Ticket,
    TicketOwner,
)
from apps.tickets.owners import (
    LED_ELSEWHERE,
    OWNER_FIELDS,
    may_leave,
    move_owner,
    owner_now,
)
from apps.tickets.services.outbox.content import dispatch, send_context
from apps.tickets.services.outbox.departure import MAX_ATTEMPTS, Departure, NotOurs
from apps.tickets.services.outbox.pace import begins_again, kept, waits_until
from apps.tickets.services.outbox.statuses import (
    REASON_LENGTH,
    advance,
    change_refused,
    locked_message,
    unread_reports,
)

logger = logging.getLogger(__name__)

Conversation = tuple[int, int]
# How often hung attempts are looked for while there is always something to send.
HUNG_SECONDS = 2.0

DELIVERIES = LeasedWork(
    model=Delivery,
    lease_setting="DELIVERY_LEASE_SECONDS",
    partition=("connection_id", "contact_id"),
    before="turn",
    only=(
        "%(sends)s"
        # A stored status may already tell the outcome.
        " AND (work.state <> 'unknown' OR NOT (%(unread)s))"
        # The connection's pace allows the next send later.
        " AND (work.kind <> 'send' OR NOT EXISTS"
        " (SELECT 1 FROM connections_sendpace AS pace"
        " WHERE pace.connection_id = work.connection_id"
        " AND CASE WHEN work.turn = 0 THEN pace.people_from ELSE pace.others_from END"
        " > %(latest_open_slot)s))"
    ),
    # Rows held back by sending hours do not block later rows of the conversation, except changes of
    # the held message.
    blocks=(
        "earlier.leaves_until IS NULL OR earlier.leaves_until > %(now)s"
        " OR earlier.next_attempt_at <= %(now)s OR earlier.state <> 'waiting'"
        " OR earlier.message_id = work.message_id"
    ),
    counts=False,
)
# Receipts and rejections of calls must not block the rows behind them; a fault of our own does not
# heal by itself.
MAX_FLEETING_ATTEMPTS = 3
MAX_FAULTY_ATTEMPTS = 8
# For a later turn the sweep is early enough.
LONGEST_WAKE_SECONDS = 10.0
CEILING = (
    "Este número é novo e já iniciou hoje as conversas que o aquecimento permite. A mensagem sai"
    " sozinha amanhã."
)

HOURS_OVER = (
    "Fora do horário de envio das campanhas. A mensagem sai sozinha quando o horário recomeçar."
)

TAKEN = ProviderError(LED_ELSEWHERE, reason=ReasonCode.LED_ELSEWHERE, permanent=True)


def deliver_due(*, limit: int) -> int:
    """Claim up to `limit` due rows and send them; return how many were claimed.

    Rows of one conversation are sent one after another: while one waits for a retry or for its
    outcome, the later ones wait too. Never call it inside a transaction.
    """
    sends = may_send(timezone.now())
    with DELIVERIES.claimed(
        limit, sends=sends, unread=_unread(), latest_open_slot=latest_open_slot()
    ) as claim:
        if not claim.ids or _Hung.sought_at + HUNG_SECONDS <= time.monotonic():
            _give_up_hung()
        stopped: set[Conversation] = set()
        for delivery in _by_turn(_rows(claim)):
            conversation = (delivery.connection_id, delivery.contact_id)
            if conversation not in stopped and not _deliver(delivery, claim, sends):
                stopped.add(conversation)
        if stopped:
            claim.release()
        return len(claim.ids)


def _unread() -> Condition:
    """Return the condition of rows for which an unhandled status may be stored."""
    conditions: list[str] = []
    unread_reports(conditions)
    return Condition(" OR ".join(conditions) or "1 = 0", {})


def _stored(deliveries: "QuerySet[Delivery]") -> "QuerySet[Delivery, Any]":
    return deliveries.order_by("pk").values_list(
        *columns_of(Delivery),
        *(f"contact__{name}" for name in columns_of(Contact)),
        *(f"message__{name}" for name in columns_of(Message)),
        *(f"message__quoted__{name}" for name in columns_of(Message)),
        *(f"message__ticket__{name}" for name in OWNER_FIELDS),
    )


_claimed = CompiledQuery(lambda ids: _stored(Delivery.objects.filter(pk__among=ids)))
# The usual claim; for a list PostgreSQL would plan anew each time.
_claimed_one = CompiledQuery(lambda delivery_id: _stored(Delivery.objects.filter(pk=delivery_id)))


def _rows(claim: Claim[Delivery]) -> list[Delivery]:
    """Return the claimed rows with the relations that sending needs."""
    if not claim.ids:
        return []
    if len(claim.ids) == 1:
        found = _claimed_one.rows(delivery_id=claim.ids[0])
    else:
        found = _claimed.rows(ids=list(claim.ids))
    rows = []
    for values in found:
        rest = iter(values)
        delivery = _next(Delivery, rest)
        delivery.contact = _next(Contact, rest)
        message, quoted = _next(Message, rest), _next(Message, rest)
        if delivery.message_id is not None:
            delivery.message = message
            message.quoted = quoted if message.quoted_id is not None else None
            delivery.led_by = owner_now(*rest)
        rows.append(delivery)
    connections = stored(Connection, (row.connection_id for row in rows))
    # Deleting a connection meanwhile deleted its rows.
    left = [row for row in rows if row.connection_id in connections]
    for row in left:
        row.connection = connections[row.connection_id]
    return left


def _next(model: type[Stored], values: Iterator[Any]) -> Stored:
    columns = columns_of(model)
    return instance_of(model, columns, islice(values, len(columns)))


def _by_turn(rows: list[Delivery]) -> list[Delivery]:
    """Return claimed rows, conversations with a person's message first, each in its order."""
    turns: dict[Conversation, int] = {}
    for row in rows:
        conversation = (row.connection_id, row.contact_id)
        turns[conversation] = min(row.turn, turns.get(conversation, row.turn))
    return sorted(rows, key=lambda row: (turns[row.connection_id, row.contact_id], row.pk))


_hung = CompiledQuery(lambda at_moment: Delivery.objects.hung(at_moment).values_list("pk")[:1])


class _Hung:
    """When this process last looked for attempts of hung workers."""

    sought_at = 0.0


def _give_up_hung() -> None:
    """End the attempts of a hung worker with an unknown outcome."""
    _Hung.sought_at = time.monotonic()
    if _hung.rows(at_moment=timezone.now()):
        Delivery.objects.hung().give_up_claims()


def _settle_window() -> timedelta:
    return timedelta(seconds=settings.DELIVERY_SETTLE_SECONDS)


def _deliver(delivery: Delivery, claim: Claim[Delivery], sends: Condition) -> bool:
    """Send one row if its connection may send; return whether its conversation may go on."""
    if delivery.kind == DeliveryKind.SEND:
        if not may_leave(delivery.message, delivery.led_by):
            _finish_failed(delivery, claim, TAKEN)
            return True
        if not _comes_to_turn(delivery, claim):
            return False
    departure = Departure(delivery, claim, sends)
    began_at = timezone.now()
    provider: Provider | None = None
    try:
        departure.prepare()
        provider = provider_for(delivery.connection, on_writing=departure)
        _fix_id(delivery, provider)
        sent = dispatch(provider, delivery)
    except NotOurs:
        return False
    except ProviderError as error:
        departure.count()
        return _record_error(delivery, claim, error)
    except Exception:
        departure.count()
        logger.exception("Delivery %s failed by a fault of our own", delivery.pk)
        fault = ProviderError(
            "Erro interno ao enviar a mensagem.",
            reason=ReasonCode.INTERNAL,
            permanent=delivery.attempts >= MAX_FAULTY_ATTEMPTS,
            outcome_unknown=departure.has_left,
        )
        return _record_error(delivery, claim, fault)
    finally:
        if provider is not None:
            provider.close()
    _record_sent(delivery, claim, sent)
    if delivery.led_by != TicketOwner.US:
        _note_taken_over(delivery, began_at)
    return True


def _note_taken_over(delivery: Delivery, at: datetime) -> None:
    """Note that a message, sent at `at`, took the conversation over.

    A template takes none, and Meta sends a utility text as one.
    """
    message = delivery.message
    is_template = message.media_type == MediaType.TEMPLATE or message.is_utility_text
    if delivery.kind != DeliveryKind.SEND or is_template:
        return
    with transaction.atomic():
        rows = Ticket.objects.select_for_update(no_key=True)
        locked = rows.filter(pk=message.ticket_id).first()
        if locked is not None and move_owner(locked, TicketOwner.US, at):
            update_rows([locked], OWNER_FIELDS)
            events.ticket_updated(locked)


def _comes_to_turn(delivery: Delivery, claim: Claim[Delivery]) -> bool:
    """Keep the connection's pace; return False if the row has to wait for a later turn.

    A row that waits for another day or hour stores that time. Any other stays due and is claimed
    when its turn comes.
    """
    try:
        opening = begins_again(delivery)
        if opening is not None:
            _wait(delivery, claim, HOURS_OVER, Reason(ReasonCode.SENDING_HOURS), until=opening)
            return False
        until = waits_until(delivery)
        if until is not None:
            _wait(delivery, claim, CEILING, Reason(ReasonCode.DAILY_CEILING), until=until)
            return False
        slot = take_slot(delivery.connection, is_person=delivery.turn == DeliveryTurn.PERSON)
    except IntegrityError:  # the connection was deleted since the claim
        return False
    if slot is None:
        return False
    for gap in slot.gaps:
        if gap <= LONGEST_WAKE_SECONDS:
            wake("tickets.deliver", after=gap)
    time.sleep(slot.wait)
    return True


def _fix_id(delivery: Delivery, provider: Provider) -> None:
    """Store the message's provider id before the send, where we choose it.

    Every report about it, even an echo before the answer, then finds this row.
    """
    message = delivery.message
    is_ours = provider.capabilities.fixed_ids and delivery.kind == DeliveryKind.SEND
    if is_ours and message.external_id is None:
        message.external_id = provider.message_id(send_context(delivery))
        rows = Message.objects.filter(pk=message.pk, external_id=None)
        rows.update(external_id=message.external_id)


def _record_sent(delivery: Delivery, claim: Claim[Delivery], sent: SentMessage) -> None:
    try:
        with publisher.together():
            _finish_sent(delivery, claim, sent)
    except IntegrityError:
        # An echo without our id created a row of its own: the message was sent.
        logger.warning("Message %s: its provider id is another row's", delivery.message_id)
        _finish_sent(delivery, claim, replace(sent, external_id=""))


@transaction.atomic
def _finish_sent(delivery: Delivery, claim: Claim[Delivery], sent: SentMessage) -> None:
    # The message is locked first: statuses lock in the same order.
    message = locked_message(delivery.message_id)
    is_closed = bool(claim.finish(delivery))
    if message is not None and delivery.kind == DeliveryKind.SEND:
        advance(
            message,
            ack=Ack.SENT,
            external_id=sent.external_id,
            error_code=sent.held,
            reason=Reason(ReasonCode.TEMPLATE_ASSESSED) if sent.held else NO_REASON,
            is_settled=is_closed,
        )


def _record_error(delivery: Delivery, claim: Claim[Delivery], error: ProviderError) -> bool:
    """Record a failed send; return whether the conversation may go on."""
    if error.permanent and delivery.kind == DeliveryKind.SEND and (until := kept(delivery, error)):
        # With sending hours that are over it blocks no later row of its conversation.
        _wait(
            delivery, claim, error.message, error.reason, until=until, leaves_until=timezone.now()
        )
        return True
    if error.permanent or _is_exhausted(delivery, error):
        _finish_failed(delivery, claim, error)
        return True
    now = timezone.now()
    if error.needs_reconnect:
        mark_reconnect_needed(delivery.connection, error.message, error.reason)
        _wait(delivery, claim, error.message, error.reason, until=now)
        return False
    asked = now + timedelta(seconds=error.retry_after) if error.retry_after else None
    until = asked or now + timedelta(seconds=retry_delay(delivery.attempts))
    if error.pauses_connection:
        paused = pause_sends(delivery.connection, asked, error.message, error.reason)
        until = paused.sends_paused_until or until
    elif error.outcome_unknown and delivery.kind == DeliveryKind.SEND:
        _wait(
            delivery,
            claim,
            error.message,
            error.reason,
            until=now + _settle_window(),
            state=LeaseState.UNKNOWN,
        )
        return False
    _wait(delivery, claim, error.message, error.reason, until=until)
    return False


def _is_exhausted(delivery: Delivery, error: ProviderError) -> bool:
    # A pause or a lost connection does not count as an attempt: the row waits.
    if error.needs_reconnect or error.pauses_connection:
        return False
    is_fleeting = delivery.kind in {DeliveryKind.MARK_READ, DeliveryKind.REJECT_CALL}
    return delivery.attempts >= (MAX_FLEETING_ATTEMPTS if is_fleeting else MAX_ATTEMPTS)


@transaction.atomic
def _finish_failed(delivery: Delivery, claim: Claim[Delivery], error: ProviderError) -> None:
    message = locked_message(delivery.message_id)
    is_closed = claim.fail(delivery, error.message, attempts=delivery.attempts)
    if is_closed and message is not None and delivery.kind == DeliveryKind.SEND:
        advance(
            message,
            ack=Ack.ERROR,
            error_code=error.code,
            error_reason=error.message,
            reason=error.reason,
            is_settled=True,
        )
    elif is_closed:
        change_refused(delivery, error.message, error.reason)


@transaction.atomic
def _wait(
    delivery: Delivery,
    claim: Claim[Delivery],
    sentence: str,
    reason: Reason,
    *,
    until: datetime,
    state: LeaseState = LeaseState.WAITING,
    **also: Any,
) -> None:
    """Postpone the row, and show the reason on the message; `also` sets further columns."""
    message = locked_message(delivery.message_id)
    also["attempts"] = delivery.attempts
    waits = claim.retry_later(delivery, until, sentence, state=state, **also)
    if not waits or message is None or delivery.kind != DeliveryKind.SEND:
        return
    if message.ack == Ack.PENDING and message.error_reason != sentence:
        message.error_reason = sentence[:REASON_LENGTH]
        message.reason_code, message.reason_detail = reason.code, reason.detail
        message.updated_at = timezone.now()
        Message.objects.filter(pk=message.pk).update(
            error_reason=message.error_reason,
            reason_code=message.reason_code,
            reason_detail=message.reason_detail,
            updated_at=message.updated_at,
        )
        events.messages_and_tickets_updated([message])
