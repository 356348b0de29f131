"""What ends the bot: accepting, returning, moving, closing (rules/bot §1, rules/automation §1)."""

import uuid
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import IntegrationSession, QueueIntegration
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import BotTurn, Message, Ticket, TicketActivity
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.services.tickets.opening import open_ticket
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from tests.factories import make_contact, make_message, make_queue, make_ticket

NUMBER = "5511987654321"


@pytest.fixture(autouse=True)
def _menu(queue: Queue) -> None:
    QueueOption.objects.create(queue=queue, title="Preços", message="Nossos preços")


def write(connection: Connection, body: str) -> Ticket:
    inbound = InboundMessage(
        external_id=f"wamid.{Message.objects.count()}",
        sender=NUMBER,
        sender_name="Maria",
        media_type="conversation",
        body=body,
        sent_at=timezone.now(),
    )
    message = receive_message(connection=connection, inbound=inbound)
    assert message is not None
    return Ticket.objects.get(pk=message.ticket_id)


def change(ticket: Ticket, user: User, **body: Any) -> Ticket:
    update_ticket(user=user, ticket_id=ticket.pk, change=TicketChange.of(body))
    return Ticket.objects.get(pk=ticket.pk)


def bot_texts() -> int:
    return Message.objects.filter(source="bot").count()


def test_the_bot_leads_who_waits(connection: Connection) -> None:
    ticket = write(connection, "Oi")
    assert (ticket.status, ticket.chatbot, bot_texts()) == ("pending", True, 1)


def test_an_accept_ends_the_bot_and_a_return_does_not_restart_it(
    connection: Connection, agent: User
) -> None:
    ticket = write(connection, "Oi")
    ticket = change(ticket, agent, status="open", user_id=agent.pk)
    assert (ticket.chatbot, ticket.bot_state["ended"]) == (False, True)
    said = bot_texts()
    write(connection, "1")
    ticket = change(ticket, agent, status="pending", user_id=None)
    ticket = write(connection, "1")
    assert (ticket.status, ticket.chatbot, bot_texts()) == ("pending", False, said)
    kinds = TicketActivity.objects.filter(ticket=ticket).values_list("kind", flat=True)
    assert list(kinds) == ["accepted", "returned"]


def test_an_accept_ends_the_session_of_an_integration(
    acme: Company, connection: Connection, queue: Queue, agent: User
) -> None:
    integration = QueueIntegration.objects.create(company=acme, type="typebot", name="Bot")
    ticket = make_ticket(
        acme, connection=connection, queue=queue, use_integration=True, integration=integration
    )
    IntegrationSession.objects.create(ticket=ticket, integration=integration)
    ticket = change(ticket, agent, status="open", user_id=agent.pk)
    assert (ticket.use_integration, ticket.integration) == (False, None)
    assert not IntegrationSession.objects.exists()


def test_a_new_cycle_restarts_it(connection: Connection, agent: User) -> None:
    ticket = write(connection, "Oi")
    change(ticket, agent, status="open", user_id=agent.pk)
    change(ticket, agent, status="closed")
    said = bot_texts()
    again = write(connection, "Oi de novo")
    assert again.pk == ticket.pk
    assert (again.status, again.chatbot, bot_texts()) == ("pending", True, said + 1)


def test_closing_ends_sessions_and_turns(
    acme: Company, connection: Connection, queue: Queue, agent: User
) -> None:
    integration = QueueIntegration.objects.create(company=acme, type="typebot", name="Bot")
    ticket = make_ticket(
        acme,
        connection=connection,
        queue=queue,
        use_integration=True,
        integration=integration,
        chatbot=True,
    )
    IntegrationSession.objects.create(ticket=ticket, integration=integration)
    BotTurn.objects.create(
        company=acme,
        ticket=ticket,
        message=make_message(ticket),
        kind="integration",
        integration=integration,
        event_id=uuid.uuid4(),
    )
    ticket = change(ticket, agent, status="closed")
    assert (ticket.use_integration, ticket.integration) == (False, None)
    assert not IntegrationSession.objects.exists()
    assert BotTurn.objects.get().state == "done"


def test_who_is_moved_by_a_person_waits_for_one(
    acme: Company, connection: Connection, agent: User
) -> None:
    other = make_queue(acme)
    QueueOption.objects.create(queue=other, title="Segunda via", message="Aqui está")
    ticket = write(connection, "Oi")
    ticket = change(ticket, agent, queue_id=other.pk)
    said = bot_texts()
    ticket = write(connection, "1")
    assert (ticket.queue, ticket.status, bot_texts()) == (other, "pending", said)


def test_a_ticket_that_a_person_opened_stays_without_bot(
    acme: Company, connection: Connection, queue: Queue, agent: User
) -> None:
    contact = make_contact(acme, number=NUMBER)
    ticket = open_ticket(
        user=agent, contact_id=contact.pk, queue_id=queue.pk, connection_id=connection.pk
    )
    change(ticket, agent, status="pending", user_id=None)
    ticket = write(connection, "Oi")
    assert (ticket.status, ticket.chatbot, bot_texts()) == ("pending", False, 0)
