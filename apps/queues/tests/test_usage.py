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
    acme.integrations.create(name="Fluxo", type="webhook", fallback_queue=queue)
    acme.integrations.create(name="Outro", type="webhook", fallback_queue=other)
    client = client_for(User.objects.select_related("company__plan").get(pk=admin.pk))
    acme.sla_policies.create(queue=queue, first_answer_minutes=15)
    led = acme.sla_policies.create(priority=1, first_answer_minutes=5)
    led.steps.create(kind="first_answer", when="due", action="queue", queue=queue)
    with django_assert_num_queries(8):
        answer = client.get(f"/api/queue/{queue.pk}/usage")
    assert answer.json() == {
        "tickets": 2,
        "connections": 3,
        "users": 1,
        "options": 1,
        "prompts": 1,
        "integrations": 1,
        "deadlines": 2,
    }


def test_whom_its_prompts_lead_elsewhere_is_not_said_to_stay_without_a_queue(
    client_for: ClientFor, admin: User, agent: User, queue: Queue
) -> None:
    acme, other = admin.company, make_queue(admin.company)
    prompt = acme.prompts.create(queue=queue, name="Assistente", prompt="Responda.")
    both = make_connection(acme, queues=[queue, other])
    by_timer = make_connection(acme, queues=[queue], transfer_queue=other)
    alone = make_connection(acme, queues=[queue])
    led = {"queue": queue, "prompt": prompt, "chatbot": True}
    make_ticket(acme, connection=both, **led)
    make_ticket(acme, connection=by_timer, **led)
    stay = [
        make_ticket(acme, connection=alone, **led),
        make_ticket(acme, connection=both, **led, status="open", user=agent),
        make_ticket(acme, connection=both, queue=queue),
        make_ticket(acme, connection=both, **led | {"chatbot": False}),
    ]
    client = client_for(User.objects.select_related("company__plan").get(pk=admin.pk))
    said = client.get(f"/api/queue/{queue.pk}/usage").json()["tickets"]
    assert client.delete(f"/api/queue/{queue.pk}").status_code == 200
    without = acme.tickets.filter(queue=None).values_list("pk", flat=True)
    assert set(without) == {each.pk for each in stay}
    assert said == len(without)
