"""The priority of a ticket comes before its wait."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TicketActivity, TicketPriority
from conftest import ClientFor
from tests.events import Told
from tests.factories import make_ticket, make_user


def prioritize(client: Any, ticket: Ticket, priority: str) -> Any:
    return client.put(f"/api/tickets/{ticket.pk}/priority", {"priority": priority})


def test_a_priority_is_set_once_and_told_with_its_line(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    updated_at = ticket.updated_at
    answer = prioritize(client_for(agent), ticket, "urgent")
    assert (answer.status_code, answer.json()["priority"]) == (200, "urgent")
    assert prioritize(client_for(agent), ticket, "urgent").json()["priority"] == "urgent"
    line = TicketActivity.objects.get()
    assert (line.kind, line.detail["priority"], line.actor_id) == (
        "prioritized",
        "urgent",
        agent.pk,
    )
    [each] = told
    assert each.payload["ticket"]["priority"] == each.payload["event"]["priority"] == "urgent"
    ticket.refresh_from_db()
    assert (ticket.priority, ticket.updated_at) == (TicketPriority.URGENT, updated_at)


def test_a_new_ticket_is_normal_and_a_closed_one_keeps_its_priority(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client = client_for(agent)
    assert client.get(f"/api/tickets/{ticket.pk}").json()["priority"] == "normal"
    prioritize(client, ticket, "high")
    client.put(f"/api/tickets/{ticket.pk}", {"status": "closed"})
    answer = client.put(f"/api/tickets/{ticket.pk}", {"status": "open"})
    assert answer.json()["priority"] == "high"


@pytest.mark.parametrize("body", [{}, {"priority": "top"}, {"priority": 1}, {"level": "high"}])
def test_an_unknown_priority_changes_nothing(
    client_for: ClientFor, agent: User, ticket: Ticket, body: dict[str, Any]
) -> None:
    answer = client_for(agent).put(f"/api/tickets/{ticket.pk}/priority", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_VALIDATION")
    assert not TicketActivity.objects.exists()


def test_who_may_not_act_sets_none(client_for: ClientFor, acme: Company, ticket: Ticket) -> None:
    assert prioritize(client_for(make_user(acme)), ticket, "low").status_code == 403


def test_the_waiting_list_has_the_priority_before_the_wait(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue
) -> None:
    now = timezone.now()
    tickets = [
        make_ticket(acme, queue=queue, status="pending", queued_at=now - timedelta(minutes=minutes))
        for minutes in (30, 20, 10)
    ]
    client = client_for(agent)

    def listed(order: str) -> list[int]:
        rows = client.get(f"/api/tickets?status=pending&order={order}").json()["tickets"]
        return [tickets.index(Ticket(pk=row["id"])) for row in rows]

    assert listed("longest_waiting") == [0, 1, 2]
    by_update = listed("updated")
    prioritize(client, tickets[2], "high")
    prioritize(client, tickets[0], "low")
    assert listed("longest_waiting") == [2, 1, 0]
    assert listed("updated") == by_update
