"""What outgoing webhooks hear of tickets and messages (rules/automation §11)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.db import transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import OutgoingWebhook, WebhookDelivery
from apps.automation.services.webhook_events import known
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMedia, InboundMessage, InboundStatus
from apps.contacts.services import merge_contacts
from apps.queues.models import Queue
from apps.tickets.models import Ack, MediaState, Message, Ticket
from apps.tickets.services.messages.fetching import fetch_due
from apps.tickets.services.outbox import send_text
from apps.tickets.services.outbox.statuses import apply_statuses
from apps.tickets.services.receiving.messages import receive_messages
from apps.tickets.services.tickets.opening import open_ticket
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from tests.factories import make_connection, make_contact, make_message, make_ticket, make_webhook
from tests.graph import GraphServer

NUMBER = "5511987654321"


@pytest.fixture
def webhook(acme: Company, globex: Company) -> OutgoingWebhook:
    """Return acme's, beside one of another company that hears everything too."""
    make_webhook(globex)
    return make_webhook(acme)


def inbound(place: int = 0, **fields: Any) -> InboundMessage:
    fields.setdefault("external_id", f"wamid.{place}")
    fields.setdefault("sender", NUMBER)
    fields.setdefault("sender_name", "Maria")
    fields.setdefault("media_type", "conversation")
    fields.setdefault("body", f"Oi {place}")
    fields.setdefault("sent_at", timezone.now())
    return InboundMessage(**fields)


def receive(connection: Connection, *messages: InboundMessage) -> list[Message]:
    return receive_messages([(connection, each) for each in messages])


def announced(webhook: OutgoingWebhook) -> list[str]:
    """Return what waits for acme's address, in order; for the other company's nothing may."""
    rows = WebhookDelivery.objects.order_by("pk")
    assert not rows.exclude(webhook=webhook).exists()
    return list(rows.values_list("event", flat=True))


def last_payload() -> dict[str, Any]:
    row = WebhookDelivery.objects.latest("pk")
    assert isinstance(row.payload, dict)
    return row.payload


def test_a_first_message_is_a_contact_a_ticket_and_a_message_in_this_order(
    webhook: OutgoingWebhook, connection: Connection, queue: Queue
) -> None:
    [message] = receive(connection, inbound(body="Olá"))
    assert announced(webhook) == ["contact.created", "ticket.opened", "message.received"]
    assert len(set(WebhookDelivery.objects.values_list("contact", flat=True))) == 1
    payload = last_payload()
    ticket = message.ticket
    assert payload["ticket"] == {
        "id": ticket.pk,
        "uuid": str(ticket.uuid),
        "protocol": f"{ticket.created_at:%Y%m%d}{ticket.pk:06d}",
        "status": "pending",
        "queueId": queue.pk,
        "queue": "Vendas",
        "user": None,
        "createdAt": payload["ticket"]["createdAt"],
    }
    assert payload["contact"]["name"] == "Maria"
    assert payload["connection"]["name"] == "Loja"
    assert payload["message"] == {
        "id": message.pk,
        "externalId": "wamid.0",
        "type": "conversation",
        "body": "Olá",
        "mediaUrl": None,
        "mediaName": None,
        "mediaType": None,
        "quotedId": None,
        "sentAt": payload["message"]["sentAt"],
        "fromMe": False,
        "source": "contact",
        "ack": 0,
        "error": None,
    }
    receive(connection, inbound(1))
    assert announced(webhook)[3:] == ["message.received"]


def test_what_is_rolled_back_is_not_announced(
    webhook: OutgoingWebhook, connection: Connection
) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        receive(connection, inbound())
        raise ZeroDivisionError
    assert announced(webhook) == []


def test_an_answer_its_ticks_and_the_end(
    webhook: OutgoingWebhook, connection: Connection, agent: User
) -> None:
    [message] = receive(connection, inbound())
    ticket = message.ticket
    WebhookDelivery.objects.all().delete()
    change(ticket, agent, status="open", userId=agent.pk)
    sent = send_text(ticket=ticket, user=agent, body="Bom dia")
    assert announced(webhook) == ["message.sent"]
    payload = last_payload()
    assert (payload["message"]["source"], payload["message"]["ack"]) == ("agent", 0)
    assert payload["ticket"]["user"] == {"id": agent.pk, "name": "Bob"}
    Message.objects.filter(pk=sent.pk).update(ack=Ack.SENT, external_id="wamid.S")
    for ack in (Ack.SENT, Ack.DELIVERED, Ack.DELIVERED, Ack.READ):
        with transaction.atomic():
            apply_statuses([(connection, InboundStatus("wamid.S", ack))])
    acks = WebhookDelivery.objects.filter(event="message.acked").order_by("pk")
    assert [row.payload["message"]["ack"] for row in acks] == [Ack.DELIVERED, Ack.READ]
    change(ticket, agent, status="closed")
    assert announced(webhook)[-1] == "ticket.closed"
    assert last_payload()["ticket"]["status"] == "closed"
    assert last_payload()["closedAt"].endswith("Z")
    assert last_payload()["closingReason"] is None
    # What the contact writes now opens it again, which is another opening of the same ticket.
    receive(connection, inbound(9))
    assert announced(webhook)[-2:] == ["ticket.opened", "message.received"]


def test_the_end_has_the_reason_that_was_chosen(
    webhook: OutgoingWebhook, acme: Company, connection: Connection, agent: User
) -> None:
    CompanySetting.objects.create(company=acme, key="closingReasons", value="Vendido\nDesistiu")
    ticket = make_ticket(acme, connection=connection, status="open", user=agent)
    change(ticket, agent, status="closed", closingReason="Desistiu")
    assert (announced(webhook), last_payload()["closingReason"]) == (["ticket.closed"], "Desistiu")


def change(ticket: Ticket, user: User, **body: Any) -> Ticket:
    wire = {"userId": "user_id", "status": "status", "closingReason": "closing_reason"}
    asked = TicketChange.of({wire[name]: value for name, value in body.items()})
    return update_ticket(user=user, ticket_id=ticket.pk, change=asked)


def test_a_failed_message_says_why(
    webhook: OutgoingWebhook, acme: Company, connection: Connection
) -> None:
    ticket = make_ticket(acme, connection=connection, status="open")
    make_message(ticket, from_me=True, ack=Ack.SENT, external_id="wamid.F")
    with transaction.atomic():
        status = InboundStatus("wamid.F", Ack.ERROR, error="Não existe.", code="131026")
        apply_statuses([(connection, status)])
    assert announced(webhook) == ["message.acked"]
    assert last_payload()["message"]["error"] == {"code": "131026", "reason": ""}


def test_a_ticket_opened_by_hand_is_announced_once(
    webhook: OutgoingWebhook, acme: Company, connection: Connection, queue: Queue, agent: User
) -> None:
    contact = make_contact(acme)
    ticket = open_ticket(
        user=agent, contact_id=contact.pk, queue_id=queue.pk, connection_id=connection.pk
    )
    assert announced(webhook) == ["ticket.opened"]
    # To be given back and accepted again is no opening.
    change(ticket, agent, status="pending")
    change(ticket, agent, status="open", userId=agent.pk)
    assert announced(webhook) == ["ticket.opened"]


def test_a_rating_is_announced_with_who_it_is_for(
    webhook: OutgoingWebhook, acme: Company, connection: Connection, queue: Queue, agent: User
) -> None:
    CompanySetting.objects.create(company=acme, key="userRating", value="enabled")
    ticket = open_ticket(
        user=agent,
        contact_id=make_contact(acme, number=NUMBER).pk,
        queue_id=queue.pk,
        connection_id=connection.pk,
    )
    Ticket.objects.update(last_inbound_at=timezone.now())
    change(ticket, agent, status="closed")
    receive(connection, inbound(body="3"))
    events = announced(webhook)
    assert events[-2:] in (["message.received", "ticket.rated"], ["ticket.rated", "message.sent"])
    row = WebhookDelivery.objects.get(event="ticket.rated")
    assert row.payload["rating"] == {"rate": 3, "userId": agent.pk}


def test_a_message_with_a_file_waits_for_it_and_what_follows_waits_too(
    webhook: OutgoingWebhook, connection: Connection, graph: GraphServer
) -> None:
    graph.media["m1"] = ("image/png", b"\x89PNG\r\n\x1a\n" + b"0" * 20)
    media = InboundMedia(media_id="m1", mime="image/png")
    receive(connection, inbound(0, body="", media_type="image", media=media), inbound(1))
    waiting, behind = WebhookDelivery.objects.filter(event="message.received").order_by("pk")
    assert waiting.payload["message"]["mediaUrl"] is None
    soon = timezone.now() + timedelta(seconds=50)
    assert soon < waiting.next_attempt_at < soon + timedelta(seconds=11)
    assert behind.next_attempt_at <= timezone.now()
    assert fetch_due(limit=1) == 1
    waiting.refresh_from_db()
    assert "/api/public/" in str(waiting.payload["message"]["mediaUrl"])
    assert waiting.next_attempt_at <= timezone.now()


def test_a_file_that_will_not_come_is_waited_for_no_longer(
    webhook: OutgoingWebhook, connection: Connection, graph: GraphServer
) -> None:
    media = InboundMedia(media_id="gone", mime="image/png")
    [message] = receive(connection, inbound(0, body="", media_type="image", media=media))
    fetch_due(limit=1)
    message.refresh_from_db()
    row = WebhookDelivery.objects.get(event="message.received")
    assert (message.media_state == MediaState.FAILED) == (row.next_attempt_at <= timezone.now())


def test_the_past_of_a_group_is_not_announced(webhook: OutgoingWebhook, acme: Company) -> None:
    CompanySetting.objects.create(company=acme, key="CheckMsgIsGroup", value="disabled")
    phone = make_connection(acme, provider="beta")
    group = inbound(
        sender="120363041234567890@g.us", is_group=True, is_history=True, participant=NUMBER
    )
    assert len(receive(phone, group)) == 1
    assert "message.received" not in announced(webhook)


def test_closing_by_a_merge_is_announced_for_who_stays(
    webhook: OutgoingWebhook, acme: Company, connection: Connection, agent: User
) -> None:
    keep, gone = make_contact(acme), make_contact(acme)
    make_ticket(acme, contact=keep, connection=connection, status="open", user=agent)
    make_ticket(acme, contact=gone, connection=connection, status="open", user=agent)
    merge_contacts(keep=keep, gone=gone)
    row = WebhookDelivery.objects.get()
    assert (row.event, row.contact) == ("ticket.closed", keep)


def queries_of(deed: Callable[[], Any]) -> list[str]:
    with CaptureQueriesContext(database) as captured, transaction.atomic():
        deed()
    return [each["sql"] for each in captured.captured_queries]


def test_companies_without_a_webhook_pay_nothing(
    acme: Company, globex: Company, connection: Connection, agent: User
) -> None:
    """Not one query more on the hot lane, though another company listens to everything."""
    receive(connection, inbound())
    ticket = Ticket.objects.get()
    change(ticket, agent, status="open", userId=agent.pk)
    make_message(ticket, from_me=True, ack=Ack.SENT, external_id="wamid.S")

    def deeds(place: int) -> dict[str, int]:
        return {
            "receive": len(queries_of(lambda: receive(connection, inbound(place)))),
            "send": len(queries_of(lambda: send_text(ticket=ticket, user=agent, body="Oi"))),
        }

    before = deeds(100)
    make_webhook(globex)
    assert not known.hears(acme.pk, "message.received")  # reads once for two seconds
    known._until = float("inf")
    asked = queries_of(lambda: receive(connection, inbound(200)))
    assert not any("webhook" in sql for sql in asked)
    assert deeds(300) == before


def test_listening_costs_the_same_for_many_messages(
    webhook: OutgoingWebhook, connection: Connection
) -> None:
    def receive_many(start: int, count: int) -> None:
        people = [
            inbound(start + place, sender=f"55119{start + place:08d}") for place in range(count)
        ]
        receive(connection, *people)

    receive_many(0, 1)
    few = len(queries_of(lambda: receive_many(100, 2)))
    many = len(queries_of(lambda: receive_many(200, 20)))
    assert many <= few + 1
