"""Another responder of a number, such as Meta's agent, which leads some conversations.

developers.facebook.com/documentation/business-messaging/whatsapp/conversation-routing/overview
"""

from django.db import transaction
from django.utils import timezone

from apps.simulator.models import SimConversation, SimMessage
from apps.simulator.services.conversations import new_wamid
from apps.simulator.services.telling import tell_echo, tell_handover, tell_step


@transaction.atomic
def hand_over(conversation: SimConversation, *, is_ours: bool) -> None:
    """Pass a conversation to the business, or take it from the business."""
    conversation.is_elsewhere = not is_ours
    conversation.save(update_fields=["is_elsewhere"])
    tell_handover(conversation, timezone.now())


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
