"""Who may open a ticket, and that looking changes nothing (rules/tickets §6 and §7)."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Delivery, Ticket
from conftest import ClientFor
from tests.factories import make_message, make_queue, make_ticket, make_user

STATUSES = ("pending", "open", "closed")


@pytest.fixture
def people(acme: Company, queue: Queue, admin: User, agent: User) -> dict[str, User]:
    elsewhere = make_user(acme, queues=[make_queue(acme)])
    return {"admin": admin, "member": agent, "elsewhere": elsewhere, "nowhere": make_user(acme)}


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue) -> Ticket:
    return make_ticket(acme, connection=connection, queue=queue, unread_count=1)


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize(
    ("who", "spying", "expected"),
    [
        ("admin", "disabled", 200),
        ("member", "disabled", 200),
        ("elsewhere", "disabled", 403),
        ("nowhere", "disabled", 403),
        ("elsewhere", "enabled", 200),
        ("nowhere", "enabled", 200),
    ],
)
def test_a_ticket_is_opened_by_its_queue_admins_and_everyone_where_looking_is_allowed(
    client_for: ClientFor,
    people: dict[str, User],
    acme: Company,
    ticket: Ticket,
    status: str,
    who: str,
    spying: str,
    expected: int,
) -> None:
    Ticket.objects.update(status=status)
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value=spying)
    client = client_for(people[who])
    for path in (f"tickets/{ticket.pk}", f"tickets/u/{ticket.uuid}", f"messages/{ticket.pk}"):
        response: Any = client.get(f"/api/{path}")
        assert response.status_code == expected, path
        if expected == 403:
            assert response.json()["code"] == "ERR_NO_PERMISSION"
            assert response.json()["message"] == "Acesso não permitido"


def test_a_ticket_without_a_queue_is_opened_by_admins_and_its_holder(
    client_for: ClientFor, people: dict[str, User], ticket: Ticket
) -> None:
    path = f"/api/tickets/{ticket.pk}"
    Ticket.objects.update(queue=None)
    assert client_for(people["admin"]).get(path).status_code == 200
    assert client_for(people["member"]).get(path).status_code == 403
    Ticket.objects.update(user=people["nowhere"], status="open")
    assert client_for(people["nowhere"]).get(path).status_code == 200


@pytest.mark.parametrize("who", ["admin", "member", "elsewhere"])
def test_a_look_resets_nothing_and_sends_no_receipt(
    client_for: ClientFor,
    people: dict[str, User],
    acme: Company,
    queue: Queue,
    ticket: Ticket,
    who: str,
) -> None:
    holder = make_user(acme, queues=[queue])
    Ticket.objects.update(user=holder, status="open")
    message = make_message(ticket)
    before = Ticket.objects.values().get()
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert client_for(people[who]).get(f"/api/messages/{ticket.pk}").status_code == 200
    message.refresh_from_db()
    assert Ticket.objects.values().get() == before
    assert (before["unread_count"], message.is_read) == (1, False)
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("who", ["elsewhere", "nowhere"])
@pytest.mark.parametrize("status", STATUSES)
def test_who_may_only_look_acts_on_nothing(
    client_for: ClientFor,
    people: dict[str, User],
    acme: Company,
    queue: Queue,
    ticket: Ticket,
    who: str,
    status: str,
) -> None:
    holder = make_user(acme, queues=[queue])
    Ticket.objects.update(status=status, user=holder if status == "open" else None)
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    client, user = client_for(people[who]), people[who]
    path = f"/api/tickets/{ticket.pk}"
    before = Ticket.objects.values().get()
    for body in (
        {"status": "open", "userId": user.pk},
        {"status": "pending", "userId": None},
        {"status": "closed"},
        {"queueId": queue.pk, "userId": holder.pk},
        {"queueId": make_queue(acme).pk},
    ):
        assert client.put(path, body, format="json").status_code == 403, body
    assert client.post(f"/api/messages/{ticket.pk}", {"body": "Oi"}).status_code == 403
    assert client.delete(path).status_code == 403
    assert Ticket.objects.values().get() == before


def test_a_colleague_passes_on_what_waits_in_the_own_queue(
    client_for: ClientFor, people: dict[str, User], acme: Company, ticket: Ticket
) -> None:
    target = make_queue(acme)
    response = client_for(people["member"]).put(
        f"/api/tickets/{ticket.pk}", {"queueId": target.pk, "userId": None}, format="json"
    )
    assert response.status_code == 200, response.content
    assert (response.json()["status"], response.json()["queueId"]) == ("pending", target.pk)
