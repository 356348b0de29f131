"""Forms that Meta refused to send: their questions are asked one by one (rules/bot §12)."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from apps.connections.services import FORM_CODES, note_form_refused
from apps.tickets.models import Ack, Delivery, DeliveryKind, Message, Ticket
from apps.tickets.services.bot.leading import ask_one_by_one
from apps.tickets.services.outbox import FORM


def replace_refused_forms(messages: Sequence[Message]) -> None:
    """Have the questions of refused forms asked one by one after commit.

    Tickets are locked before messages, so not here, where messages are locked. If the process dies
    before that, people see the ticket as one whose menu nobody answers (rules/bot §7).
    """
    for message in messages:
        is_refused = message.ack == Ack.ERROR and message.error_code in FORM_CODES
        if is_refused and FORM in (message.data or {}):
            transaction.on_commit(partial(_replace, message.pk), robust=True)


def _replace(message_id: int) -> None:
    sends = Delivery.objects.filter(message=message_id, kind=DeliveryKind.SEND)
    sent = sends.select_related("connection", "message").first()
    if sent is None:
        return
    message = sent.message
    # The next contact gets no such form any more.
    note_form_refused(sent.connection, sent.payload["form"]["flow_id"], message.error_code)
    with transaction.atomic():
        related = Ticket.objects.select_related("contact", "connection", "queue", "company")
        locked = related.select_for_update(of=("self",), no_key=True)
        ticket = locked.filter(pk=message.ticket_id).first()
        if ticket is not None:
            ask_one_by_one(ticket, (message.data or {})[FORM]["first"])
