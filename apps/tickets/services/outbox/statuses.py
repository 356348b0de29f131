"""Applies statuses to sent messages; acks only move forward (rules/messages §2)."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.common.bulk import update_rows
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.leases import LeaseState
from apps.common.metrics import TICK_SECONDS, count_provider_error
from apps.common.reasons import NO_REASON, Reason, ReasonCode
from apps.common.registry import Hook
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundStatus
from apps.contacts.models import Contact
from apps.contacts.numbers import canonical_number
from apps.contacts.services import join_identities
from apps.tickets import events
from apps.tickets.models import Ack, Delivery, DeliveryKind, Message, Ticket
from apps.tickets.services.announcing import messages_acked

CODE_LENGTH = 50
REASON_LENGTH = 500

# Called with messages that the provider accepted or refused, in the same transaction.
outcomes_recorded: Hook[[Sequence[Message]]] = Hook()
# Called with messages that were delivered or read, in the same transaction.
ticks_recorded: Hook[[Sequence[Message]]] = Hook()
# Called with what statuses told of messages that are delivered, in the same transaction, and again
# for a status that changes nothing else.
deliveries_reported: Hook[[Sequence["Arrival"]]] = Hook()
# Called when a provider has refused a reaction, an edit or a deletion for good, with its delivery,
# the sentence and the reason, in the transaction that closes the delivery.
change_refused: Hook[[Delivery, str, Reason]] = Hook()
# Called before deliveries are claimed. The app that stores provider events adds an SQL condition on
# a delivery, aliased `work`: an unhandled status about it may be stored.
unread_reports: Hook[[list[str]]] = Hook()


Reported = tuple[Connection, InboundStatus]


@dataclass(frozen=True)
class Arrival:
    """A delivered message, and when by the earliest of these statuses, if one says it."""

    message: Message
    connection: Connection
    at: datetime | None


def apply_statuses(reported: Sequence[Reported]) -> tuple[list[Message], list[Reported]]:
    """Apply statuses in order; return the changed messages and the unknown ids.

    Messages are found by the provider's id, else by the callback id, which also settles an attempt
    with an unknown outcome. Replays and late statuses change nothing. Call it in a transaction. The
    number of statements is constant. If a status shows that a number and a user id belong to one
    person, the contacts are merged after commit (rules/contacts §3).
    """
    by_external, by_callback = _found(reported)
    before: dict[int, int] = {}
    changed: dict[int, Message] = {}
    unknown: list[Reported] = []
    told: dict[tuple[int, str, str], None] = {}
    arrivals: dict[int, Arrival] = {}
    let_go: set[int] = set()
    for connection, status in reported:
        message = by_external.get((connection.pk, status.external_id)) or by_callback.get(
            (connection.pk, _uuid(status.callback_id))
        )
        if message is None:
            unknown.append((connection, status))
        elif message.from_me:
            if _names_anew(status, message.contact):
                told[connection.company_id, status.number, status.user_id] = None
            if not _is_of_attempt(message, status):
                continue
            if status.ack >= Ack.DELIVERED or status.pricing is not None:
                _note_arrival(arrivals, message, connection, status)
            ack, was_assessed = message.ack, _is_assessed(message)
            if _step(message, status):
                if was_assessed and not _is_assessed(message):
                    let_go.add(message.pk)
                before.setdefault(message.pk, ack)
                changed[message.pk] = message
                by_external[connection.pk, message.external_id or ""] = message
    _record_steps(list(changed.values()), before, let_go=let_go)
    arrived = [each for each in arrivals.values() if each.message.ack >= Ack.DELIVERED]
    if arrived:
        deliveries_reported(arrived)
    if told:
        # Tickets and contacts are locked before messages, so not here, where messages are locked.
        # If the process dies before the merge, the next status causes it.
        transaction.on_commit(lambda: _join(list(told)), robust=True)
    return list(changed.values()), unknown


def _is_of_attempt(message: Message, status: InboundStatus) -> bool:
    """Tell whether a status is about the attempt that counts, not about one before it."""
    ids = {status.external_id, message.external_id} - {"", None}
    return len(ids) < 2


def _note_arrival(
    arrivals: dict[int, Arrival], message: Message, connection: Connection, status: InboundStatus
) -> None:
    known = arrivals.get(message.pk)
    at = known.at if known else None
    if status.ack >= Ack.DELIVERED:
        # No message is delivered before it was written, whatever a status says.
        told = max(status.at or message.created_at, message.created_at)
        at = min(at or told, told)
    arrivals[message.pk] = Arrival(message, connection, at)


def _names_anew(status: InboundStatus, contact: Contact) -> bool:
    """Tell whether a status has a number and a user id of which the contact lacks one."""
    if not (status.number and status.user_id) or contact.is_group:
        return False
    is_known = contact.canonical_number == canonical_number(status.number)
    return not is_known or status.user_id not in contact.ids


def _join(told: Sequence[tuple[int, str, str]]) -> None:
    for company_id, number, user_id in told:
        join_identities(company_id=company_id, number=number, lid=user_id)


def may_be_ours(unknown: Sequence[Reported]) -> list[Reported]:
    """Return the unknown ids that may be our own sends whose outcome is not recorded yet."""
    nameless = [each for each in unknown if not each[1].callback_id]
    if not nameless:
        return []
    sending = set(
        Delivery.objects.filter(
            connection__in={connection.pk for connection, _ in nameless},
            kind=DeliveryKind.SEND,
            state__in=(LeaseState.SENDING, LeaseState.UNKNOWN),
        ).values_list("connection_id", flat=True)
    )
    return [each for each in nameless if each[0].pk in sending]


def advance(
    message: Message,
    *,
    ack: int,
    external_id: str = "",
    error_code: str = "",
    error_reason: str = "",
    reason: Reason = NO_REASON,
    is_settled: bool = False,
) -> bool:
    """Move a locked message to `ack` when that is a step forward; tell and settle its send.

    `is_settled` says that the caller has closed the send's delivery. −1 is a step only from below
    3, and only a proof of delivery leads out of it. Returns whether anything changed. A provider
    id that differs from the stored one is that of an attempt before the one that counts, and
    changes nothing.
    """
    before = {message.pk: message.ack}
    status = InboundStatus(
        external_id=external_id, ack=ack, error=error_reason, code=error_code, reason=reason
    )
    if not _step(message, status):
        return False
    _record_steps([message], before, are_settled=is_settled)
    return True


def give_up(
    messages: Sequence[Message], *, error_reason: str, reason: Reason, error_code: str = ""
) -> None:
    """Mark locked messages as failed whose deliveries the caller has closed: `advance` for many."""
    before = {message.pk: message.ack for message in messages}
    status = InboundStatus(
        external_id="", ack=Ack.ERROR, error=error_reason, code=error_code, reason=reason
    )
    failed = [message for message in messages if _step(message, status)]
    _record_steps(failed, before, are_settled=True)


def _step(message: Message, status: InboundStatus) -> bool:
    """Move a message in memory; returns whether anything changed."""
    external_id, ack = status.external_id, status.ack
    if not _is_of_attempt(message, status):
        return False
    moves = _is_forward(message.ack, ack)
    learns_id = bool(external_id) and message.external_id is None
    priced = _priced(status)
    learns_price = priced is not None and _counts_more(priced, message.pricing)
    # A later 'sent' says that Meta has assessed the template (rules/messages §2).
    is_let_go = ack == Ack.SENT and _is_assessed(message) and not status.reason.code
    if not moves and not learns_id and not learns_price and not is_let_go:
        return False
    if learns_price:
        message.pricing = priced
    if learns_id:
        message.external_id = external_id
    if moves or is_let_go:
        message.ack = ack
        has_reason = ack in (Ack.ERROR, Ack.SENT)
        message.error_code = status.code[:CODE_LENGTH] if has_reason else ""
        message.error_reason = status.error[:REASON_LENGTH] if has_reason else ""
        message.reason_code = status.reason.code if has_reason else ""
        message.reason_detail = status.reason.detail if has_reason else ""
    if moves and ack == Ack.ERROR and message.error_code:
        count_provider_error(message.error_code)
    if moves and status.at:
        TICK_SECONDS.observe(max(0.0, (timezone.now() - status.at).total_seconds()))
    message.updated_at = timezone.now()
    return True


def _is_assessed(message: Message) -> bool:
    """Tell whether Meta accepted a message and assesses its template before it delivers it."""
    return message.ack == Ack.SENT and message.reason_code == ReasonCode.TEMPLATE_ASSESSED


def _priced(status: InboundStatus) -> dict[str, Any] | None:
    """Return a status's price as a message keeps it, with the time of the status if it has one."""
    pricing = status.pricing
    if pricing is None:
        return None
    kept: dict[str, Any] = {
        "billable": pricing.is_billable,
        "category": pricing.category,
        "model": pricing.model,
        "type": pricing.type,
    }
    return kept | ({"at": status.at.astimezone(UTC).isoformat()} if status.at else {})


def _counts_more(told: Mapping[str, Any], known: Mapping[str, Any] | None) -> bool:
    """Tell whether a price counts in place of the known one: that of the latest status does.

    Statuses come in any order. Of two at one time any counts, but always the same one.
    """
    if known is None:
        return True
    order = ("at", "billable", "category", "type", "model")
    return [str(told.get(key, "")) for key in order] > [str(known.get(key, "")) for key in order]


def _record_steps(
    messages: Sequence[Message],
    before: Mapping[int, int],
    *,
    are_settled: bool = False,
    let_go: Collection[int] = (),
) -> None:
    """Save the steps of messages; `let_go` are those whose template Meta has assessed."""
    if not messages:
        return
    reasons = ("error_code", "error_reason", "reason_code", "reason_detail")
    fields = ("ack", "external_id", *reasons, "pricing", "updated_at")
    update_rows(messages, fields)
    if not are_settled:
        _settle(
            [
                message
                for message in messages
                if before[message.pk] == Ack.PENDING and message.ack != Ack.PENDING
            ]
        )
    turns = (Ack.PENDING, Ack.ERROR)
    settled = [
        each
        for each in messages
        if each.ack == Ack.ERROR or before[each.pk] in turns or each.pk in let_go
    ]
    if settled:
        outcomes_recorded(settled)
    arrived = [each for each in messages if each.ack >= Ack.DELIVERED]
    if arrived:
        ticks_recorded(arrived)
    events.messages_and_tickets_updated(messages)
    messages_acked(messages, before)


def locked_messages() -> "QuerySet[Message]":
    """Return messages locked until commit: sending workers and statuses change the same row."""
    return Message.objects.select_for_update(of=("self",), no_key=True).select_related("ticket")


_MESSAGE, _TICKET = columns_of(Message), columns_of(Ticket)
_locked = CompiledQuery(
    lambda message_id: (
        Message.objects.filter(pk=message_id).select_for_update(no_key=True).values_list(*_MESSAGE)
    )
)
_ticket = CompiledQuery(lambda ticket_id: Ticket.objects.filter(pk=ticket_id).values_list(*_TICKET))


def locked_message(message_id: int) -> Message | None:
    """Return one message with its ticket, locked until commit; called for each send."""
    for values in _locked.rows(message_id=message_id):
        message = instance_of(Message, _MESSAGE, values)
        [ticket] = _ticket.rows(ticket_id=message.ticket_id)
        message.ticket = instance_of(Ticket, _TICKET, ticket)
        return message
    return None


def _found(
    reported: Sequence[Reported],
) -> tuple[dict[tuple[int, str], Message], dict[tuple[int, uuid.UUID | None], Message]]:
    """Return the messages of statuses, locked, by the provider's id and by the callback id."""
    externals = {status.external_id for _, status in reported} - {""}
    callbacks = {_uuid(status.callback_id) for _, status in reported} - {None}
    wanted = Q(external_id__in=externals)
    if callbacks:
        wanted |= Q(callback_id__in=callbacks)
    connections = {connection.pk for connection, _ in reported}
    by_external: dict[tuple[int, str], Message] = {}
    by_callback: dict[tuple[int, uuid.UUID | None], Message] = {}
    messages = locked_messages().select_related("contact").filter(wanted)
    for message in messages.filter(connection__in=connections).order_by("pk"):
        connection_id = message.connection_id or 0
        by_callback[connection_id, message.callback_id] = message
        if message.external_id:
            by_external[connection_id, message.external_id] = message
    return by_external, by_callback


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _is_forward(before: int, after: int) -> bool:
    if after == Ack.ERROR:
        return Ack.PENDING <= before < Ack.DELIVERED
    if before == Ack.ERROR:
        return after >= Ack.DELIVERED
    return after > before


def _settle(messages: Sequence[Message]) -> None:
    # The sender may still wait for its answer, or be dead: the provider's status counts. Failed
    # messages are grouped by reason; '' stands for the others.
    by_reason: dict[tuple[bool, str], list[Message]] = {}
    for message in messages:
        key = (message.ack == Ack.ERROR, message.error_reason)
        by_reason.setdefault(key, []).append(message)
    settled = 0
    for (failed, reason), group in by_reason.items():
        sends = Delivery.objects.filter(message__in=group, kind=DeliveryKind.SEND).unfinished()
        settled += sends.fail(reason) if failed else sends.finish()
    if settled:
        wake("tickets.deliver")  # the next delivery of the conversation may be sent
