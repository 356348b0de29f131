"""Withdraws unsent messages from the outbox (rules/messages §3)."""

from collections.abc import Collection

from apps.common.leases import LeaseState
from apps.common.reasons import Reason
from apps.tickets.models import Ack, Delivery, DeliveryKind
from apps.tickets.services.outbox.statuses import give_up, locked_messages


def hold_back(messages: Collection[int]) -> set[int]:
    """Lock unsent messages until commit, so that no worker sends them; return their ids.

    Messages that are being sent, or whose outcome is unknown, are left out. Call it in a
    transaction.
    """
    # The message is locked first: recording an outcome locks in the same order.
    pending = [each.pk for each in locked_messages().filter(pk__in=messages).order_by("pk")]
    # A claimed delivery has not been marked as sending; its worker then finds it closed.
    waiting = Delivery.objects.select_for_update(no_key=True).filter(
        message__in=pending,
        kind=DeliveryKind.SEND,
        state__in=(LeaseState.WAITING, LeaseState.CLAIMED),
    )
    return set(waiting.order_by("pk").values_list("message_id", flat=True))


def withdraw(messages: Collection[int], *, sentence: str, reason: Reason) -> None:
    """Mark as failed the messages that `hold_back` locked in this transaction."""
    sends = Delivery.objects.filter(message__in=messages, kind=DeliveryKind.SEND)
    sends.unfinished().fail(sentence)
    failed = list(locked_messages().filter(pk__in=messages, ack=Ack.PENDING).order_by("pk"))
    give_up(failed, error_reason=sentence, reason=reason)
