"""How far a sent message got: ticks that only move forward (specification 4 §6.1)."""

import uuid

from django.db.models import QuerySet
from django.utils import timezone

from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.providers.base import InboundStatus
from apps.tickets import events
from apps.tickets.models import Ack, Delivery, DeliveryKind, DeliveryState, Message

FINISHED = (DeliveryState.DONE, DeliveryState.FAILED)
CODE_LENGTH = 50
REASON_LENGTH = 500


class UnknownMessage(Exception):
    """A status of a message that we do not know; `may_be_ours` while a send is on its way."""

    def __init__(self, *, may_be_ours: bool) -> None:
        self.may_be_ours = may_be_ours
        super().__init__("No message has this provider id.")


def apply_status(connection: Connection, status: InboundStatus) -> Message | None:
    """Move a message's tick as a provider reports; returns it when something changed.

    Found by the provider's id, else by the id that we sent along, which also settles an attempt
    whose outcome was unknown. Replays and late steps change nothing. Call it in a transaction.
    Raises UnknownMessage.
    """
    message = _find(connection, status)
    if message is None:
        in_flight = Delivery.objects.filter(
            connection=connection,
            kind=DeliveryKind.SEND,
            state__in=(DeliveryState.SENDING, DeliveryState.UNKNOWN),
        )
        raise UnknownMessage(may_be_ours=not status.callback_id and in_flight.exists())
    if not message.from_me:
        return None
    changed = advance(
        message,
        ack=status.ack,
        external_id=status.external_id,
        error_code=status.code,
        error_reason=status.error,
    )
    return message if changed else None


def advance(
    message: Message,
    *,
    ack: int,
    external_id: str = "",
    error_code: str = "",
    error_reason: str = "",
) -> bool:
    """Move a locked message to `ack` when that is a step forward; tell and settle its send.

    −1 is a step only from below 3, and only a proof of delivery leads out of it. Returns whether
    anything changed. A provider id that differs from the stored one is that of an attempt before
    the one that counts, and changes nothing.
    """
    if external_id and message.external_id and external_id != message.external_id:
        return False
    before = message.ack
    moves = _is_forward(before, ack)
    learns_id = bool(external_id) and message.external_id is None
    if not moves and not learns_id:
        return False
    if learns_id:
        message.external_id = external_id
    if moves:
        message.ack = ack
        is_error = ack == Ack.ERROR
        message.error_code = error_code[:CODE_LENGTH] if is_error else ""
        message.error_reason = error_reason[:REASON_LENGTH] if is_error else ""
    message.updated_at = timezone.now()
    Message.objects.filter(pk=message.pk).update(
        ack=message.ack,
        external_id=message.external_id,
        error_code=message.error_code,
        error_reason=message.error_reason,
        updated_at=message.updated_at,
    )
    if before == Ack.PENDING and moves:
        _settle(message)
    tell_changed(message)
    return True


def tell_changed(message: Message) -> None:
    """Tell of a changed message, and of its ticket when the ticket's row shows this message."""
    events.message_updated(message)
    if message.ticket.latest_message_id == message.pk:
        events.ticket_updated(message.ticket)


def locked_messages() -> "QuerySet[Message]":
    """Return messages locked until commit: workers and statuses meet in one row."""
    return Message.objects.select_for_update(of=("self",), no_key=True).select_related("ticket")


def _find(connection: Connection, status: InboundStatus) -> Message | None:
    own = locked_messages().filter(connection=connection)
    found = own.filter(external_id=status.external_id).first() if status.external_id else None
    callback_id = _uuid(status.callback_id)
    if found is None and callback_id is not None:
        found = own.filter(callback_id=callback_id).first()
    return found


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


def _settle(message: Message) -> None:
    # The sender may still be waiting for its answer, or be dead: what the provider says counts.
    from apps.tickets.tasks import deliver

    failed = message.ack == Ack.ERROR
    settled = (
        Delivery.objects.filter(message=message, kind=DeliveryKind.SEND)
        .exclude(state__in=FINISHED)
        .update(
            state=DeliveryState.FAILED if failed else DeliveryState.DONE,
            last_error=message.error_reason,
            owner="",
            lease_expires_at=None,
            finished_at=message.updated_at,
        )
    )
    if settled:
        wake(deliver)  # what stood behind it in the conversation may go
