"""Calls from contacts, when the company does not take calls (rules/bot §8)."""

from datetime import timedelta

from django.utils import timezone

from apps.companies.queries import setting_of
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundCall, InboundMessage
from apps.tickets.models import DeliveryKind, MediaType, Message
from apps.tickets.origins import Origin
from apps.tickets.services.outbox import AUTOMATIC_HEADING, enqueue, write_automatic_text
from apps.tickets.services.receiving.messages import receive_message

VOICE, VIDEO = "Chamada de voz recusada", "Chamada de vídeo recusada"
REPLY = f"{AUTOMATIC_HEADING}\nNão atendemos chamadas por aqui. Por favor, escreva a sua mensagem."
# No phone rings longer than this, so an older call need not be rejected.
RINGS_FOR = timedelta(minutes=2)


def receive_call(*, connection: Connection, call: InboundCall) -> Message | None:
    """Reject a call, store it as a message and reply to the contact; returns the message.

    If the company takes calls, nothing happens. A repeated call event changes nothing. Call it in a
    transaction: the rejection at the provider is an outbox row.
    """
    if setting_of(connection.company_id, "call") != "disabled":
        return None
    inbound = InboundMessage(
        external_id=call.call_id,
        sender=call.sender,
        sender_name=call.sender_name,
        lid=call.lid,
        media_type=MediaType.CALL_LOG,
        body=VIDEO if call.is_video else VOICE,
        sent_at=call.at,
        data={"callId": call.call_id, "isVideo": call.is_video},
    )
    message = receive_message(connection=connection, inbound=inbound)
    if message is None:
        return None
    if timezone.now() - call.at < RINGS_FOR:
        enqueue(message, kind=DeliveryKind.REJECT_CALL)
    write_automatic_text(message.ticket, REPLY, Origin.CALL)
    return message
