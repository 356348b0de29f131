"""A message of ours tells what had it written (rules/costs §1)."""

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import Message, Ticket
from apps.tickets.services.outbox import greet_accepted, tell_transferred
from apps.tickets.services.tickets.ratings import tell_resolved
from apps.tickets.tests.bot import close, receive, setting
from tests.factories import make_ticket

pytestmark = pytest.mark.django_db


def origins() -> list[str]:
    sent = Message.objects.filter(from_me=True).order_by("pk")
    return list(sent.values_list("origin", flat=True))


def test_menus_and_answers_of_the_bot_name_their_queue_and_option(
    connection: Connection, orders: Queue
) -> None:
    receive(connection, "Oi", "2", "1")
    first = QueueOption.objects.filter(queue=orders, parent=None).order_by("pk").first()
    assert first is not None
    assert origins() == ["menu", f"queue:{orders.pk}", f"option:{first.pk}"]


def test_a_greeting_names_its_queue(connection: Connection, queue: Queue, orders: Queue) -> None:
    Queue.objects.filter(pk=queue.pk).update(greeting_message="Olá, é das vendas.")
    receive(connection, "Oi", "1")
    assert origins() == ["menu", f"greeting:{queue.pk}"]


def test_what_is_said_outside_the_hours_is_the_companys(
    acme: Company, connection: Connection, queue: Queue
) -> None:
    setting(acme, "scheduleType", "company")
    close(acme)
    Connection.objects.filter(pk=connection.pk).update(out_of_hours_message="Fechado.")
    receive(connection, "Oi")
    assert "out_of_hours" in origins()


@pytest.fixture
def ticket(acme: Company, connection: Connection, agent: User) -> Ticket:
    Connection.objects.filter(pk=connection.pk).update(
        completion_message="Até logo!", provider="beta"
    )
    connection.refresh_from_db()
    return make_ticket(acme, connection=connection, status="open", user=agent)


def test_a_good_bye_a_rating_a_welcome_and_a_transfer_say_so(
    acme: Company, ticket: Ticket, agent: User
) -> None:
    for key in ("sendGreetingAccepted", "sendMsgTransfTicket"):
        setting(acme, key, "enabled")
    greet_accepted(ticket=ticket, user=agent)
    tell_transferred(ticket=ticket, queue_name="Vendas", user_name=None)
    tell_resolved(ticket=ticket, was_held=False)
    assert origins() == ["accepted", "transferred", "farewell"]
