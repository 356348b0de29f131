from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.queues.models import Queue
from apps.tickets import events
from apps.tickets.models import Ticket
from apps.tickets.rooms import ticket_audiences
from apps.tickets.serializers import message_row, ticket_row
from apps.tickets.services.bot.leading import end_bot
from apps.tickets.services.receiving.messages import receive_message
from conftest import ClientFor
from tests.factories import make_connection, make_message, make_queue, make_tag, make_ticket


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    return make_ticket(acme, connection=connection, queue=queue, user=agent, status="open")


def rooms_of(ticket: Ticket, status: str, *audiences: str) -> set[str]:
    company_id = ticket.company_id
    return {
        room
        for audience in audiences
        for room in (
            f"ticket:{ticket.pk}:{audience}",
            f"tickets:{company_id}:{status}:{audience}",
            f"notification:{company_id}:{audience}",
        )
    }


def test_a_new_message_comes_with_ticket_and_contact_to_those_who_may_read(
    ticket: Ticket, queue: Queue, agent: User, told: list[Any]
) -> None:
    message = make_message(ticket)
    events.message_created(message)
    (event,) = told
    assert (event.event, event.company_id) == ("appMessage", ticket.company_id)
    row = ticket_row(ticket)
    assert event.payload == {
        "action": "create",
        "message": message_row(message),
        "ticket": row,
        "contact": row["contact"],
    }
    readers = ("all", f"queue-{queue.pk}", f"user-{agent.pk}")
    assert set(event.rooms) == rooms_of(ticket, "open", *readers)


def test_a_changed_message_goes_to_the_same(
    ticket: Ticket, queue: Queue, agent: User, told: list[Any]
) -> None:
    message = make_message(ticket, from_me=True, ack=3)
    events.message_updated(message)
    (event,) = told
    assert event.payload == {"action": "update", "message": message_row(message)}
    readers = ("all", f"queue-{queue.pk}", f"user-{agent.pk}")
    assert set(event.rooms) == rooms_of(ticket, "open", *readers)


def test_unread_reset_names_the_ticket(ticket: Ticket, told: list[Any]) -> None:
    events.unread_reset(ticket)
    assert told[0].payload == {"action": "updateUnread", "ticketId": ticket.pk}


@pytest.fixture
def conversation(ticket: Ticket, told: list[Any]) -> Callable[[], list[str]]:
    """What the open conversation heard since it was last asked: event and action."""

    def heard() -> list[str]:
        rooms = {f"ticket:{ticket.pk}:{each}" for each in ticket_audiences(ticket)}
        found = [f"{each.event} {each.payload['action']}" for each in told if rooms & {*each.rooms}]
        told.clear()
        return found

    return heard


def lists_heard(told: list[Any], ticket: Ticket) -> bool:
    rooms = {f"tickets:{ticket.company_id}:{ticket.status}:all"}
    return any(
        (each.event, each.payload["action"]) == ("ticket", "update") and rooms <= {*each.rooms}
        for each in told
    )


def test_what_a_message_or_a_tick_does_to_a_ticket_is_for_the_lists_alone(
    ticket: Ticket, conversation: Callable[[], list[str]], told: list[Any]
) -> None:
    message = make_message(ticket, from_me=True)
    ticket.latest_message = message
    ticket.save()
    events.messages_and_tickets_updated([message])
    assert lists_heard(told, ticket)
    assert conversation() == ["appMessage update"]
    inbound = InboundMessage(
        external_id="wamid.in",
        sender=ticket.contact.number,
        sender_name="Maria",
        media_type="conversation",
        body="Oi",
        sent_at=timezone.now(),
    )
    assert ticket.connection is not None
    receive_message(connection=ticket.connection, inbound=inbound)
    assert conversation() == ["appMessage create"]


def test_an_end_of_the_bot_is_for_the_lists_alone(
    ticket: Ticket, conversation: Callable[[], list[str]], told: list[Any]
) -> None:
    ticket.user, ticket.status, ticket.chatbot = None, "pending", True
    ticket.save()
    end_bot(ticket, "leaf")
    assert lists_heard(told, ticket)
    assert conversation() == []


def test_another_queue_tag_or_connection_is_told_in_the_conversation(
    client_for: ClientFor,
    ticket: Ticket,
    acme: Company,
    agent: User,
    conversation: Callable[[], list[str]],
) -> None:
    client, address = client_for(agent), f"/api/tickets/{ticket.pk}"
    tags = {"ticketId": ticket.pk, "tags": [make_tag(acme).pk]}
    assert client.post("/api/tags/sync", tags, format="json").status_code == 200
    assert conversation() == ["ticket update"]
    other = make_connection(acme, queues=[ticket.queue] if ticket.queue else [])
    for change in ({"whatsappId": other.pk}, {"queueId": make_queue(acme).pk}):
        assert client.put(address, change, format="json").status_code == 200
        ticket.refresh_from_db()
        assert conversation() == ["ticket update"]


def test_a_change_of_status_leaves_the_old_lists_first_and_never_the_chat(
    client_for: ClientFor, ticket: Ticket, queue: Queue, agent: User, told: list[Any]
) -> None:
    client_for(agent).put(f"/api/tickets/{ticket.pk}", {"status": "pending"}, format="json")
    removal, update = told
    company_id = ticket.company_id
    assert removal.payload == {"action": "delete", "ticketId": ticket.pk, "oldStatus": "open"}
    assert set(removal.rooms) == {
        f"tickets:{company_id}:open:{audience}"
        for audience in ("all", f"queue-{queue.pk}", f"user-{agent.pk}")
    }
    assert update.payload["action"] == "update"
    assert update.payload["ticket"] == ticket_row(ticket)
    assert update.payload["event"]["kind"] == "returned"
    assert set(update.rooms) == rooms_of(ticket, "pending", "all", f"queue-{queue.pk}")


def test_a_transfer_in_one_status_leaves_the_lists_of_those_who_lose_it(
    client_for: ClientFor,
    acme: Company,
    connection: Connection,
    queue: Queue,
    agent: User,
    told: list[Any],
) -> None:
    ticket = make_ticket(acme, connection=connection, queue=queue)
    target = make_queue(acme)
    client_for(agent).put(f"/api/tickets/{ticket.pk}", {"queueId": target.pk}, format="json")
    removal, update = told
    assert removal.payload["oldStatus"] == "pending"
    assert removal.rooms == [f"tickets:{acme.pk}:pending:queue-{queue.pk}"]
    ticket.refresh_from_db()
    assert set(update.rooms) == rooms_of(ticket, "pending", "all", f"queue-{target.pk}")


def test_a_deletion_has_no_old_status_and_goes_everywhere(
    client_for: ClientFor, admin: User, ticket: Ticket, queue: Queue, agent: User, told: list[Any]
) -> None:
    client_for(admin).delete(f"/api/tickets/{ticket.pk}")
    (event,) = told
    assert event.payload == {"action": "delete", "ticketId": ticket.pk}
    readers = ("all", f"queue-{queue.pk}", f"user-{agent.pk}")
    assert set(event.rooms) == rooms_of(ticket, "open", *readers)


def test_a_ticket_of_no_queue_and_holder_is_told_to_admins_alone(
    acme: Company, connection: Connection, told: list[Any]
) -> None:
    ticket = make_ticket(acme, connection=connection)
    events.ticket_updated(ticket)
    (event,) = told
    assert set(event.rooms) == rooms_of(ticket, "pending", "all")
