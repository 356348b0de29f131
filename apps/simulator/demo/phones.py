"""The open and pending tickets' conversations in the simulator."""

from typing import Any

from apps.simulator.models import SimConversation, SimCustomer, SimMedia, SimMessage, SimNumber
from apps.simulator.services.media import store_sample
from apps.tickets.models import Message, Ticket

WIRE_TYPES = {
    "image": "image",
    "video": "video",
    "audio": "audio",
    "application": "document",
    "sticker": "sticker",
    "locationMessage": "location",
    "vcard": "contacts",
}


def _body(row: Message, files: dict[str, SimMedia]) -> Any:
    if row.media_name:
        media = files.get(row.media_name) or store_sample(row.media_name)
        files[row.media_name] = media
        body = {"id": media.media_id, "mime_type": media.mime, "filename": media.name}
        return {**body, "caption": row.body} if row.body else body
    if row.media_type == "locationMessage":
        return row.data
    if row.media_type == "vcard":
        return (row.data or {})["contacts"]
    return {"body": row.body}


def make_phones(
    number: SimNumber,
    customers: list[SimCustomer],
    tickets: list[tuple[Ticket, list[Message]]],
) -> None:
    """Create the simulated conversations of open and pending tickets, with the product's message
    ids.
    """
    by_number = {customer.wa_id: customer for customer in customers}
    files: dict[str, SimMedia] = {}
    chats, messages = [], []
    for ticket, rows in tickets:
        customer = by_number.get(ticket.contact.number)
        if ticket.status == "closed" or customer is None:
            continue
        chat = SimConversation(
            number=number,
            customer=customer,
            last_customer_at=ticket.last_inbound_at,
            active_at=rows[-1].created_at,
        )
        chats.append(chat)
        for row in rows:
            if row.external_id is None:
                continue
            status = "read" if row.is_read and not row.from_me else "delivered"
            messages.append(
                SimMessage(
                    conversation=chat,
                    wamid=row.external_id,
                    from_customer=not row.from_me,
                    type=WIRE_TYPES.get(row.media_type, "text"),
                    body=_body(row, files),
                    reply_to=(row.quoted.external_id or "") if row.quoted else "",
                    callback=str(row.callback_id) if row.from_me else "",
                    status="read" if row.from_me and row.ack >= 4 else status,
                    sent_at=row.created_at,
                )
            )
    SimConversation.objects.bulk_create(chats)
    SimMessage.objects.bulk_create(messages)
