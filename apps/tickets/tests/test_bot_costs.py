"""What the bot costs in statements, and what it does when two workers meet."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection as database
from django.db import transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket
from apps.tickets.services.receiving.messages import receive_messages
from apps.tickets.tests.bot import inbound
from tests.factories import (
    make_company,
    make_connection,
    make_contact,
    make_message,
    make_queue,
    make_ticket,
)


def statements(connection: Connection, senders: int, text: str = "Oi") -> int:
    """Return how many statements the messages of so many contacts take, received together."""
    batch = [
        (Connection.objects.get(pk=connection.pk), inbound(text, sender=f"55119{n:08d}"))
        for n in range(10_000_000, 10_000_000 + senders)
    ]
    with CaptureQueriesContext(database) as captured, transaction.atomic():
        receive_messages(batch)
    return len(captured)


def test_without_a_bot_one_statement_reads_the_settings_of_waiting_tickets(
    acme: Company, connection: Connection, queue: Queue, agent: User
) -> None:
    statements(connection, 3)
    waiting = statements(connection, 3)
    Ticket.objects.update(status="open", user=agent)
    held = statements(connection, 3)
    # The holder is read with a held ticket, the settings with a waiting one.
    assert waiting == held


@pytest.mark.postgres  # SQLite cuts a long INSERT into several
def test_with_the_bot_statements_do_not_grow_with_the_contacts(
    connection: Connection, orders: Queue
) -> None:
    first, many = statements(connection, 1), statements(connection, 40)
    assert first == many - 1 or first == many
    assert statements(connection, 40, "2") <= many + 6
    assert Message.objects.filter(source="bot").count() >= 80


# Two workers at once


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_messages_at_once_are_decided_one_after_the_other() -> None:
    company = make_company()
    queues = [make_queue(company, name=f"Fila {number}", order=number) for number in range(3)]
    connection = make_connection(company, queues=queues, bot_max_menus=3)
    for round_number in range(4):
        contact = make_contact(company)
        ticket = make_ticket(company, contact=contact, connection=connection, chatbot=True)
        make_message(ticket)
        start = Barrier(3)

        def write(text: str, contact: Any = contact, start: Barrier = start) -> None:
            start.wait(timeout=10)
            try:
                with transaction.atomic():
                    wrote = inbound(text, sender=contact.number, sent_at=timezone.now())
                    receive_messages([(Connection.objects.get(pk=connection.pk), wrote)])
            finally:
                database.close()

        with ThreadPoolExecutor(3) as pool:
            list(pool.map(write, ["Oi", "Alô", "Olá"]))
        ticket.refresh_from_db()
        assert ticket.bot_state["menus_sent"] == 3, round_number
        assert ticket.messages.filter(source="bot").count() == 3
