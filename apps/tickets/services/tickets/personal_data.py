"""Exports and deletes a person's data in conversations, on request (rules/contacts §13)."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from apps.automation.models import IntegrationCall, WebhookDelivery
from apps.common.leases import LeaseState
from apps.contacts.models import Contact
from apps.contacts.services import PersonalData, Traces, traces_of
from apps.tickets.models import (
    ApiSend,
    Delivery,
    EarlyReference,
    Message,
    Rating,
    Ticket,
    TicketActivity,
)

CHUNK = 2000
NOBODY = "@—"


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
    noted = TicketActivity.objects.filter(ticket__in=tickets, detail__has_key="note")
    data.rows["conversation_notes"] = noted.order_by("pk").values(
        "ticket_id", "detail__actor", "detail__note", "created_at"
    )
    data.rows["messages"] = _messages(contact, data)


def _messages(contact: Contact, data: PersonalData) -> Iterator[dict[str, Any]]:
    own = Q(contact=contact) | Q(participant=contact, from_me=False)
    rows = Message.objects.for_company(contact.company_id).filter(own).order_by("pk")
    columns = ("id", "ticket_id", "from_me", "created_at", "sent_at", "media_type", "body", "data")
    for row in rows.values(*columns, "media_path", "media_name").iterator(CHUNK):
        path, name = row.pop("media_path"), row.pop("media_name")
        yield row | {"file": data.add_file(path, name or path) if path else None}


def forget_in_logs(contact: Contact) -> None:
    """Delete a contact's data in logs and in what waits for an original, and the contact's address
    in group messages.
    """
    traces, company = traces_of(contact), contact.company_id
    IntegrationCall.objects.filter(ticket__contact=contact).delete()
    # The tickets of some may be deleted; others report a group.
    calls = IntegrationCall.objects.filter(company=company)
    traces.named_in(calls, "request_body", "response_text").delete()
    reports = WebhookDelivery.objects.filter(company=company)
    traces.named_in(reports, "payload", "response_text").delete()
    references = EarlyReference.objects.filter(connection__company=company)
    traces.named_in(references, "report").delete()
    traces.named_in(ApiSend.objects.for_company(company), "key", "answer").delete()
    sent = Delivery.objects.filter(company=company).exclude(contact=contact)
    ended = sent.filter(state__in=(LeaseState.DONE, LeaseState.FAILED))
    traces.named_in(ended, "payload", "last_error").update(payload={}, last_error="")
    _forget_in_groups(contact, traces)


def _forget_in_groups(contact: Contact, traces: Traces) -> None:
    messages = Message.objects.for_company(contact.company_id).filter(contact__is_group=True)
    messages.filter(participant=contact).update(raw=None, remote_jid="")
    # Of others: replies to the person's messages, and mentions, which the text has as '@number'.
    traces.named_in(messages, "raw").update(raw=None)
    traces.named_in(messages, "remote_jid").update(remote_jid="")
    for message in traces.named_in(messages, "body", "data"):
        message.body = _unmentioned(traces, message.body)
        message.data = _without(traces, message.data)
        message.save(update_fields=["body", "data"])
    groups = Ticket.objects.for_company(contact.company_id).filter(contact__is_group=True)
    for ticket in traces.named_in(groups, "last_message"):
        ticket.last_message = _unmentioned(traces, ticket.last_message)
        ticket.save(update_fields=["last_message"])


def _unmentioned(traces: Traces, text: str) -> str:
    for key in sorted(traces.keys, key=len, reverse=True):
        text = text.replace(f"@{key}", NOBODY)
    return text


def _without(traces: Traces, value: Any) -> Any:
    """Return a message's data without the texts that name a person."""
    if isinstance(value, dict):
        return {key: _without(traces, each) for key, each in value.items()}
    if isinstance(value, list):
        return [_without(traces, each) for each in value]
    if isinstance(value, str) and any(key in value for key in traces.keys | traces.emails):
        return ""
    return value
