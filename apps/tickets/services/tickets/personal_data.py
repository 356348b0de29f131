"""Exports and deletes a person's data in conversations, on request (rules/contacts §13)."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from apps.automation.models import IntegrationCall
from apps.contacts.models import Contact
from apps.contacts.services import PersonalData
from apps.tickets.models import Message, Rating, Ticket

CHUNK = 2000


def add_conversations(contact: Contact, data: PersonalData) -> None:
    """Add tickets, ratings and messages with their files, including messages in groups."""
    tickets = Ticket.objects.for_company(contact.company_id).filter(contact=contact)
    data.rows["tickets"] = tickets.order_by("pk").values(
        "id",
        "uuid",
        "status",
        "queue__name",
        "connection__name",
        "referral",
        "created_at",
        "closed_at",
    )
    ratings = Rating.objects.filter(ticket__in=tickets).order_by("pk")
    data.rows["ratings"] = ratings.values("ticket_id", "rate", "created_at")
    data.rows["messages"] = _messages(contact, data)


def _messages(contact: Contact, data: PersonalData) -> Iterator[dict[str, Any]]:
    own = Q(contact=contact) | Q(participant=contact, from_me=False)
    rows = Message.objects.for_company(contact.company_id).filter(own).order_by("pk")
    columns = ("id", "ticket_id", "from_me", "created_at", "sent_at", "media_type", "body", "data")
    for row in rows.values(*columns, "media_path", "media_name").iterator(CHUNK):
        path, name = row.pop("media_path"), row.pop("media_name")
        yield row | {"file": data.add_file(path, name or path) if path else None}


def forget_in_logs(contact: Contact) -> None:
    """Delete a contact's data in integration logs, and the contact's address in group messages."""
    IntegrationCall.objects.filter(ticket__contact=contact).delete()
    in_groups = Message.objects.for_company(contact.company_id).filter(participant=contact)
    in_groups.update(raw=None, remote_jid="")
