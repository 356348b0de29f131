"""Taking back what waits in the outbox and was not sent (rules/messages §3)."""

from collections.abc import Collection

from apps.common.leases import LeaseState
from apps.common.reasons import Reason
from apps.tickets.models import Ack, Delivery, DeliveryKind
from apps.tickets.services.messages.statuses import advance, locked_messages


def withdraw(messages: Collection[int], *, sentence: str, reason: Reason) -> set[int]:
    """Let messages fail that no provider has been asked to send; returns the ids of those.

    One that is being sent right now, or whose outcome nobody knows, goes its way. Call it in a
    transaction.
    """
    taken = set()
    found = locked_messages().filter(pk__in=messages, ack=Ack.PENDING).order_by("pk")
    for message in found:
        # A claimed one is still to be held by its worker, who then finds it closed.
        waiting = Delivery.objects.filter(
            message=message,
            kind=DeliveryKind.SEND,
            state__in=(LeaseState.WAITING, LeaseState.CLAIMED),
        )
        if waiting.fail(sentence):
            advance(message, ack=Ack.ERROR, error_reason=sentence, reason=reason, is_settled=True)
            taken.add(message.pk)
    return taken
