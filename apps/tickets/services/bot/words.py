"""What the bot writes, stored for many tickets at once as rows of the outbox."""

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any

from django.utils import timezone

from apps.automation.clients.pieces import pieces
from apps.tickets.models import (
    Ack,
    Delivery,
    DeliveryKind,
    MediaType,
    Message,
    MessageSource,
    Ticket,
)
from apps.tickets.routing import Ask
from apps.tickets.routing.menus import BODY_LENGTH
from apps.tickets.services.notices import protocol_of
from apps.tickets.services.previews import preview_of
from apps.tickets.variables import render, variables_for


class Words:
    """Gathers texts and menus with their variables filled in; `store` writes them.

    Tickets are changed in memory, for the caller to store. `zones` are those of their companies.
    """

    def __init__(self, zones: Mapping[int, tzinfo]) -> None:
        self._zones = zones
        self._replies: list[Message] = []
        self._payloads: list[dict[str, Any]] = []

    def say(self, ticket: Ticket, text: str) -> None:
        """Write a text, in as many messages as it takes, unless its variables leave nothing."""
        if body := self._rendered(ticket, text).strip():
            for part in pieces(body):
                self._add(ticket, part, MediaType.TEXT)

    def ask(self, ticket: Ticket, menu: Ask) -> None:
        """Write a menu, natively where it is one and its filled-in words still fit."""
        text = self._rendered(ticket, menu.text).strip()
        if not menu.choices or not text or len(text) > BODY_LENGTH:
            self.say(ticket, menu.fallback or menu.text)
            return
        choices = [
            {"id": each.id, "title": each.title, "description": each.description}
            for each in menu.choices
        ]
        payload = {"menu": {"body": text, "choices": choices, "as_list": menu.as_list}}
        data = {"choices": choices}
        self._add(ticket, text, MediaType.INTERACTIVE_LIST, data=data, payload=payload)

    def store(self) -> list[Message]:
        """Store the messages and their deliveries, in order; returns the messages."""
        if not self._replies:
            return []
        Message.objects.bulk_create(self._replies)
        Delivery.objects.bulk_create(
            Delivery(
                company_id=reply.company_id,
                connection_id=reply.connection_id or 0,
                contact_id=reply.contact_id,
                message=reply,
                kind=DeliveryKind.SEND,
                payload=payload,
            )
            for reply, payload in zip(self._replies, self._payloads, strict=True)
        )
        for reply in self._replies:
            reply.ticket.latest_message = reply
        return self._replies

    def _rendered(self, ticket: Ticket, text: str) -> str:
        now = timezone.now().astimezone(self._zones[ticket.company_id])
        name, protocol = ticket.contact.name, protocol_of(ticket)
        return render(text, variables_for(name=name, protocol=protocol, now=now))

    def _add(
        self,
        ticket: Ticket,
        body: str,
        media_type: str,
        *,
        data: dict[str, Any] | None = None,
        payload: dict[str, Any] | None = None,
    ) -> None:
        now = timezone.now()
        reply = Message(
            company_id=ticket.company_id,
            connection=ticket.connection,
            ticket=ticket,
            contact=ticket.contact,
            from_me=True,
            is_read=True,
            source=MessageSource.BOT,
            ack=Ack.PENDING,
            media_type=media_type,
            body=body,
            data=data,
            remote_jid=ticket.contact.number[:100],
            created_at=now,
        )
        reply.fold_text()
        self._replies.append(reply)
        self._payloads.append(payload or {})
        ticket.last_message = preview_of(media_type, body)
        ticket.updated_at = now
