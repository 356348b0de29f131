"""Another responder of a number, such as Meta's agent, which leads some conversations.

developers.facebook.com/documentation/business-messaging/whatsapp/conversation-routing/overview
"""

from django.db import transaction
from django.utils import timezone

from apps.simulator.graph import errors
from apps.simulator.graph.user_ids import USER_ID, number_of
from apps.simulator.models import FaultKind, SimConversation, SimMessage, SimNumber
from apps.simulator.queries import customer_for
from apps.simulator.services.conversations import conversation_of, new_wamid
from apps.simulator.services.faults import take_fault
from apps.simulator.services.telling import tell_echo, tell_handover, tell_step


@transaction.atomic
def hand_over(conversation: SimConversation, *, is_ours: bool) -> None:
    """Pass a conversation to the business, or take it from the business."""
    conversation.is_elsewhere = not is_ours
    conversation.save(update_fields=["is_elsewhere"])
    tell_handover(conversation, timezone.now())


def control_thread(number: SimNumber, to: str, action: str) -> None:
    """Have the business take a conversation, release it or pass it on.

    What it releases is routed to the other responder. Raises GraphError: 2494191 to take with the
    fault `control_refused`.
    """
    customer = customer_for(number_of(to) if USER_ID.fullmatch(to) else to)
    if customer is None:
        raise errors.not_on_whatsapp()
    if action == "take" and take_fault(FaultKind.CONTROL_REFUSED, number):
        raise errors.control_refused()
    conversation = conversation_of(number, customer)
    conversation.is_elsewhere = action != "take"
    conversation.save(update_fields=["is_elsewhere"])


@transaction.atomic
def write_elsewhere(conversation: SimConversation, body: str) -> SimMessage:
    """Have the other responder write a text, and lead the conversation from then on."""
    now = timezone.now()
    conversation.is_elsewhere, conversation.active_at = True, now
    conversation.save(update_fields=["is_elsewhere", "active_at"])
    message = SimMessage.objects.create(
        conversation=conversation,
        wamid=new_wamid(),
        from_customer=False,
        type="text",
        body={"body": body},
        status="delivered",
        is_elsewhere=True,
        sent_at=now,
    )
    tell_echo(message)
    for step in ("sent", "delivered"):
        tell_step(message, step, now)
    return message
