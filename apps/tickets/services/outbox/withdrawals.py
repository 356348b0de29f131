"""Taking back what waits in the outbox and was not sent (rules/messages §3)."""

from collections.abc import Collection

from apps.common.leases import LeaseState
from apps.common.reasons import Reason
from apps.tickets.models import Ack, Delivery, DeliveryKind
from apps.tickets.services.outbox.statuses import give_up, locked_messages


def hold_back(messages: Collection[int]) -> set[int]:
    """Keep messages until commit from being sent that no provider has been asked to send.

    Returns the ids of those. One that is being sent right now, or whose outcome nobody knows, goes
    its way. Call it in a transaction.
    """
    # Always the message first: who records an outcome locks in the same order.
    pending = [each.pk for each in locked_messages().filter(pk__in=messages).order_by("pk")]
    # A claimed one is still to be held by its worker, who then finds it closed.
    waiting = Delivery.objects.select_for_update(no_key=True).filter(
        message__in=pending,
        kind=DeliveryKind.SEND,
        state__in=(LeaseState.WAITING, LeaseState.CLAIMED),
    )
    return set(waiting.order_by("pk").values_list("message_id", flat=True))


def withdraw(messages: Collection[int], *, sentence: str, reason: Reason) -> None:
    """Let messages fail that `hold_back` holds in this transaction."""
    sends = Delivery.objects.filter(message__in=messages, kind=DeliveryKind.SEND)
    sends.unfinished().fail(sentence)
    failed = list(locked_messages().filter(pk__in=messages, ack=Ack.PENDING).order_by("pk"))
    give_up(failed, error_reason=sentence, reason=reason)
