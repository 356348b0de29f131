"""Whether conversations come to a queue, and whether anybody sees them there."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.queues.models import Queue
from conftest import ClientFor
from tests.factories import make_connection, make_queue, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def lone(acme: Company) -> Queue:
    return make_queue(acme, name="Sozinha")


def reach(client: Any, queue: Queue) -> tuple[bool, bool]:
    [row] = [each for each in client.get("/api/queue").json() if each["id"] == queue.pk]
    one = client.get(f"/api/queue/{queue.pk}").json()
    told = (row["hasConnection"], row["hasAttendants"])
    assert (one["hasConnection"], one["hasAttendants"]) == told
    return told


def test_a_queue_that_nothing_leads_to_and_nobody_works_in_says_so(
    client_for: ClientFor, admin: User, lone: Queue, globex: Company
) -> None:
    make_connection(globex, queues=[make_queue(globex)])
    assert reach(client_for(admin), lone) == (False, False)


@pytest.mark.parametrize("way", ["menu", "timer", "keyword", "option", "prompt", "flow"])
def test_whatever_leads_to_a_queue_counts(
    client_for: ClientFor, admin: User, acme: Company, lone: Queue, way: str
) -> None:
    if way == "menu":
        make_connection(acme, queues=[lone])
    elif way == "timer":
        make_connection(acme, transfer_queue=lone)
    elif way == "keyword":
        make_connection(acme, transfer_keyword_queue=lone)
    elif way == "option":
        make_queue(acme).options.create(title="Para lá", redirection_queue=lone)
    elif way == "flow":
        acme.integrations.create(name="Fluxo", type="webhook", fallback_queue=lone)
    else:
        acme.prompts.create(queue=lone, name="Assistente", prompt="Responda.")
    assert reach(client_for(admin), lone) == (True, False)


def test_who_may_not_log_in_attends_to_nobody(
    client_for: ClientFor, admin: User, acme: Company, lone: Queue
) -> None:
    gone = make_user(acme, is_active=False)
    gone.queues.add(lone)
    assert reach(client_for(admin), lone) == (False, False)
    make_user(acme).queues.add(lone)
    assert reach(client_for(admin), lone) == (False, True)


def test_who_saves_a_queue_is_told_in_the_answer_and_everybody_by_the_event(
    client_for: ClientFor, admin: User, acme: Company, lone: Queue, events: list[dict[str, Any]]
) -> None:
    make_connection(acme, queues=[lone])
    events.clear()
    saved = client_for(admin).put(f"/api/queue/{lone.pk}", {"name": "Nova"}, format="json").json()
    assert (saved["hasConnection"], saved["hasAttendants"]) == (True, False)
    [event] = events
    told = event["payload"]["queue"]
    assert (told["name"], told["hasConnection"], told["hasAttendants"]) == ("Nova", True, False)
