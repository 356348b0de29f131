"""What the deletion of a queue would concern."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from conftest import ClientFor
from tests.factories import make_connection, make_queue, make_ticket

pytestmark = pytest.mark.django_db


def test_the_usage_counts_what_hangs_on_a_queue(
    client_for: ClientFor,
    admin: User,
    agent: User,
    queue: Queue,
    connection: Connection,
    globex: Company,
    django_assert_num_queries: Any,
) -> None:
    acme, other = admin.company, make_queue(admin.company)
    for status in ("open", "pending", "closed"):
        make_ticket(acme, connection=connection, queue=queue, status=status)
    make_ticket(acme, connection=connection, queue=other)
    make_connection(acme, queues=[queue, other], transfer_queue=queue)
    make_connection(acme, transfer_keyword_queue=queue)
    make_connection(acme, queues=[other])
    other.options.create(title="Para lá", redirection_queue=queue)
    acme.prompts.create(queue=queue, name="Assistente", prompt="Responda.")
    client = client_for(User.objects.select_related("company__plan").get(pk=admin.pk))
    with django_assert_num_queries(6):
        answer = client.get(f"/api/queue/{queue.pk}/usage")
    assert answer.json() == {
        "tickets": 2,
        "connections": 3,
        "users": 1,
        "options": 1,
        "prompts": 1,
    }
