"""How many statements a received text takes, with those that begin and end transactions."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection as database
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.inbound.services import process_due
from apps.queues.models import Queue
from apps.tickets.models import Message
from tests.bench.dataset import Business
from tests.bench.inbound import notification, signed
from tests.bench.stack import APP_SECRET
from tests.factories import make_contact, make_ticket

pytestmark = pytest.mark.django_db(transaction=True)
NUMBER = "5511900000005"


def statements(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(database) as captured:
        call()
    return len(captured)


def test_a_text_takes_four_statements_until_it_is_stored_and_fourteen_until_it_is_handled(
    acme: Company,
    connection: Connection,
    queue: Queue,
    agent: User,
    settings: Any,
) -> None:
    settings.META_APP_SECRET = APP_SECRET
    fields = {"connection": connection, "queue": queue, "status": "open", "user": agent}
    make_ticket(acme, contact=make_contact(acme, number=NUMBER, name="Cliente 5"), **fields)
    business = Business(acme, agent, [agent], [queue], connection)
    client = Client()

    def report() -> None:
        body = notification(business, [(5, f"Bom dia {timezone.now()}")])
        kind = "application/json"
        answer = client.post("/webhooks/whatsapp", body, content_type=kind, headers=signed(body))
        assert answer.status_code == 200, answer.content

    report()
    process_due(limit=10)
    assert statements(report) == 4
    # SQLite reads the claimed event once more.
    most = 14 if database.vendor == "postgresql" else 15
    assert statements(lambda: process_due(limit=10)) == most
    assert statements(lambda: process_due(limit=10)) == 2  # nothing is due
    assert Message.objects.filter(contact__number=NUMBER).count() == 2
