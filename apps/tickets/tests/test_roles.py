"""What a role shows of tickets, what it lets do with them, and whose number it shows."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import ALL, OF_USERS, Permission
from apps.companies.models import Company, CompanySetting
from apps.queues.models import Queue
from apps.tickets.consumers import chat_rooms, list_rooms
from apps.tickets.models import Ticket
from apps.tickets.rooms import chat_room, status_room
from conftest import ClientFor
from tests.factories import (
    make_contact,
    make_message,
    make_queue,
    make_role,
    make_ticket,
    make_user,
)

pytestmark = pytest.mark.django_db
OWN = OF_USERS - {Permission.SEE_QUEUES}
SEEING_ALL = OF_USERS | {Permission.SEE_ALL}


class Desk:
    """A person of a role who holds one ticket, and tickets beside it."""

    def __init__(self, company: Company, queue: Queue, granted: frozenset[Permission]) -> None:
        role = make_role(company, *granted)
        self.person = make_user(company, queues=[queue], role=role)
        self.colleague = make_user(company, queues=[queue])
        self.mine = make_ticket(company, queue=queue, user=self.person, status="open")
        self.waiting = make_ticket(company, queue=queue)
        self.theirs = make_ticket(company, queue=queue, user=self.colleague, status="open")
        self.elsewhere = make_ticket(company, queue=make_queue(company))
        self.done = make_ticket(company, queue=queue, user=self.person, status="closed")

    @property
    def others(self) -> list[Ticket]:
        return [self.waiting, self.theirs, self.elsewhere]


@pytest.fixture
def desk(acme: Company, queue: Queue, request: pytest.FixtureRequest) -> Desk:
    return Desk(acme, queue, getattr(request, "param", OWN))


def found(client: Any, **query: Any) -> set[int]:
    body = client.get("/api/tickets", query).json()
    assert body["count"] == len(body["tickets"])
    return {row["id"] for row in body["tickets"]}


@pytest.mark.parametrize("spying", [False, True])
def test_own_means_own_in_lists_counts_and_the_board(
    client_for: ClientFor, acme: Company, desk: Desk, queue: Queue, spying: bool
) -> None:
    """Also while everybody else may read all conversations."""
    if spying:
        CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    client = client_for(desk.person)
    for query in ({}, {"showAll": "true"}, {"queueIds": f"[{queue.pk}]"}):
        assert found(client, status="open", **query) == {desk.mine.pk}
        assert found(client, status="pending", **query) == set()
    assert found(client, status="closed", showAll="true") == {desk.done.pk}
    counts = client.get("/api/tickets/counts", {"showAll": "true"}).json()
    assert (counts["open"], counts["pending"]) == (1, 0)
    board = client.get("/api/ticket/kanban", {"showAll": "true"}).json()
    assert {row["id"] for row in board["tickets"]} == {desk.mine.pk}


def test_own_means_own_in_conversations_and_searches(client_for: ClientFor, desk: Desk) -> None:
    client = client_for(desk.person)
    for ticket in (desk.mine, *desk.others):
        make_message(ticket, body="abacaxi")
    assert client.get(f"/api/tickets/{desk.mine.pk}").status_code == 200
    for ticket in desk.others:
        assert client.get(f"/api/tickets/{ticket.pk}").status_code == 403
        assert client.get(f"/api/messages/{ticket.pk}").status_code == 403
        assert (
            client.put(f"/api/tickets/{ticket.pk}", {"status": "open"}, "json").status_code == 403
        )
    assert found(client, searchParam="abacaxi", showAll="true") == {desk.mine.pk}
    past = client.get(f"/api/contacts/{desk.theirs.contact_id}/tickets").json()
    assert past["tickets"] == []


def test_a_conversation_has_no_messages_of_tickets_that_others_held(
    client_for: ClientFor, acme: Company, desk: Desk
) -> None:
    """Of one contact and number, as after a ticket that a colleague resolved."""
    past = make_ticket(
        acme,
        contact=desk.mine.contact,
        connection=desk.mine.connection,
        user=desk.colleague,
        status="closed",
    )
    make_message(past, body="segredo")
    make_message(desk.mine, body="oi")
    body = client_for(desk.person).get(f"/api/messages/{desk.mine.pk}").json()
    assert [message["body"] for message in body["messages"]] == ["oi"]
    assert body["count"] == 1


def test_own_means_own_in_live_rooms(acme: Company, desk: Desk) -> None:
    own = f"user-{desk.person.pk}"
    assert list_rooms(desk.person, "open") == [status_room(acme.pk, "open", own)]
    assert chat_rooms(desk.person, str(desk.mine.pk)) == [chat_room(desk.mine.pk, own)]
    for ticket in desk.others:
        assert chat_rooms(desk.person, str(ticket.pk)) == []


@pytest.mark.parametrize("desk", [SEEING_ALL], indirect=True)
def test_who_sees_all_is_shown_all(client_for: ClientFor, acme: Company, desk: Desk) -> None:
    client = client_for(desk.person)
    assert found(client, status="pending", showAll="true") == {desk.waiting.pk, desk.elsewhere.pk}
    assert found(client, status="open", showAll="true") == {desk.mine.pk, desk.theirs.pk}
    assert list_rooms(desk.person, "open") == [status_room(acme.pk, "open", "all")]


def test_a_supervisor_sees_all_and_reads_the_reports(
    client_for: ClientFor, acme: Company, desk: Desk
) -> None:
    client = client_for(make_user(acme, is_supervisor=True))
    assert client.get(f"/api/tickets/{desk.elsewhere.pk}").status_code == 200
    assert client.get("/api/dashboard?days=30").status_code == 200
    assert client.get("/api/audit-log").status_code == 403


@pytest.mark.parametrize(
    ("missing", "ticket", "body"),
    [
        (Permission.TAKE, "waiting", {"status": "open"}),
        (Permission.TAKE, "done", {"status": "open"}),
        (Permission.TAKE, "done", {"status": "pending"}),
        (Permission.ASSIGN, "mine", {"userId": "colleague"}),
        (Permission.ASSIGN, "waiting", {"userId": "colleague", "status": "open"}),
        (Permission.TRANSFER, "mine", {"queueId": "other"}),
        (Permission.RESOLVE, "mine", {"status": "closed"}),
    ],
)
def test_a_change_of_a_ticket_needs_its_permission(
    client_for: ClientFor,
    acme: Company,
    queue: Queue,
    missing: Permission,
    ticket: str,
    body: dict[str, Any],
) -> None:
    desk = Desk(acme, queue, ALL - {missing})
    ids = {"colleague": desk.colleague.pk, "other": desk.elsewhere.queue_id}
    body = {key: ids.get(value, value) for key, value in body.items()}
    changed: Ticket = getattr(desk, ticket)
    before = (changed.status, changed.user_id, changed.queue_id)
    path = f"/api/tickets/{changed.pk}"
    answer = client_for(desk.person).put(path, body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
    assert answer.json()["permissions"] == [missing]
    changed.refresh_from_db()
    assert (changed.status, changed.user_id, changed.queue_id) == before
    # With it, it is done.
    desk.person.role = make_role(acme, *ALL)
    desk.person.save()
    assert client_for(desk.person).put(path, body, format="json").status_code == 200


def test_returning_needs_no_permission(client_for: ClientFor, acme: Company, queue: Queue) -> None:
    desk = Desk(acme, queue, frozenset({Permission.SEE_QUEUES}))
    path = f"/api/tickets/{desk.mine.pk}"
    assert client_for(desk.person).put(path, {"status": "pending"}, "json").status_code == 200


def test_opening_a_ticket_for_another_is_assigning(
    client_for: ClientFor, acme: Company, queue: Queue
) -> None:
    desk = Desk(acme, queue, OF_USERS - {Permission.ASSIGN})
    body = {
        "contactId": make_contact(acme).pk,
        "queueId": queue.pk,
        "userId": desk.colleague.pk,
        "status": "open",
    }
    answer = client_for(desk.person).post("/api/tickets", body, format="json")
    assert (answer.status_code, answer.json().get("permissions")) == (403, [Permission.ASSIGN])
    del body["userId"]
    assert client_for(desk.person).post("/api/tickets", body, format="json").status_code == 201


def test_who_sees_all_and_takes_nothing_acts_in_no_ticket_of_others(
    client_for: ClientFor, acme: Company, queue: Queue
) -> None:
    desk = Desk(acme, queue, ALL - {Permission.TAKE})
    client = client_for(desk.person)

    def tried(ticket: Ticket) -> list[Any]:
        path = f"/api/tickets/{ticket.pk}"
        return [
            client.post(f"/api/messages/{ticket.pk}", {"body": "olá"}, format="json"),
            client.put(f"{path}/priority", {"priority": "high"}, format="json"),
            client.put(f"{path}/snooze", {"until": None}, format="json"),
            client.delete(f"{path}/snooze"),
        ]

    answers = tried(desk.theirs)
    assert [answer.status_code for answer in answers] == [403] * 4
    assert all(answer.json()["permissions"] == [Permission.TAKE] for answer in answers)
    assert 403 not in [answer.status_code for answer in tried(desk.mine)]


@pytest.fixture
def hiding(acme: Company, queue: Queue) -> User:
    """Somebody who sees everything but full numbers."""
    return make_user(acme, queues=[queue], role=make_role(acme, *(ALL - {Permission.FULL_NUMBER})))


def test_numbers_are_masked_wherever_they_are_shown(
    client_for: ClientFor, acme: Company, queue: Queue, hiding: User
) -> None:
    number = "5511987654321"
    contact = make_contact(acme, name=number, number=number)
    ticket = make_ticket(acme, contact=contact, queue=queue, user=hiding, status="open")
    make_message(ticket, body="oi")
    client = client_for(hiding)
    for path in (
        "/api/contacts",
        "/api/contacts/list",
        f"/api/contacts/{contact.pk}",
        "/api/contacts/export",
        "/api/tickets?showAll=true",
        f"/api/tickets/{ticket.pk}",
        f"/api/tickets/u/{ticket.uuid}",
        f"/api/messages/{ticket.pk}",
        f"/api/contacts/{contact.pk}/tickets",
        "/api/ticket/kanban?showAll=true",
    ):
        answer: Any = client.get(path)
        assert answer.status_code == 200, path
        text = answer.getvalue().decode()
        assert number not in text, path
        assert "87654" not in text, path
    assert "5511•••••••21" in client.get(f"/api/contacts/{contact.pk}").content.decode()


def test_no_search_tells_a_hidden_number_digit_by_digit(
    client_for: ClientFor, acme: Company, queue: Queue, hiding: User
) -> None:
    contact = make_contact(acme, name="Maria", number="5511987654321")
    ticket = make_ticket(acme, contact=contact, queue=queue, user=hiding, status="open")
    make_message(ticket, body="pedido 98765")
    client = client_for(hiding)

    def contacts(text: str) -> list[int]:
        rows = client.get("/api/contacts", {"searchParam": text}).json()["contacts"]
        options = client.get("/api/contacts/list", {"name": text}).getvalue()
        found = [row["id"] for row in rows]
        assert [row["id"] for row in json.loads(options)] == found
        return found

    for text in ("5511987", "987", "(11) 9876", "maria 55119", "21"):
        assert contacts(text) == [], text
        assert found(client, searchParam=text, showAll="true") == (
            {ticket.pk} if text == "987" else set()
        )
    for text in ("maria", "5511987654321", "+55 (11) 98765-4321"):
        assert contacts(text) == [contact.pk], text
        assert found(client, searchParam=text, showAll="true") == {ticket.pk}


def test_a_masked_number_that_is_sent_back_changes_nothing(
    client_for: ClientFor, acme: Company, hiding: User
) -> None:
    contact = make_contact(acme, number="5511987654321", canonical_number="5511987654321")
    client, path = client_for(hiding), f"/api/contacts/{contact.pk}"
    shown = client.get(path).json()["number"]
    answer = client.put(path, {"name": "Outro nome", "number": shown}, format="json")
    assert answer.status_code == 200
    contact.refresh_from_db()
    assert (contact.name, contact.number) == ("Outro nome", "5511987654321")
    contact.name = contact.number
    contact.save()
    assert client.put(path, {"name": shown}, format="json").status_code == 200
    contact.refresh_from_db()
    assert contact.name == contact.number
    refused = client.put(path, {"number": "5511•••••••99"}, format="json")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["number"])


def test_who_sees_no_contacts_chooses_only_those_of_the_own_tickets(
    client_for: ClientFor, acme: Company, queue: Queue
) -> None:
    """To open a ticket, to forward, and to schedule a message."""
    desk = Desk(acme, queue, OWN - {Permission.SEE_CONTACTS, Permission.EDIT_CONTACTS})
    client = client_for(desk.person)
    other, own = desk.theirs.contact, desk.done.contact
    message = make_message(desk.mine, body="oi")
    tomorrow = (timezone.now() + timedelta(days=1)).isoformat()

    def tried(contact_id: int) -> list[Any]:
        bodies = {
            "/api/tickets": {"contactId": contact_id, "queueId": queue.pk, "status": "open"},
            f"/api/messages/{message.pk}/forward": {"contactIds": [contact_id]},
            "/api/schedules": {"contactId": contact_id, "body": "Até amanhã!", "sendAt": tomorrow},
        }
        answers = [client.post(path, body, format="json") for path, body in bodies.items()]
        return [answer.json().get("code") for answer in answers]

    assert tried(other.pk) == ["ERR_NO_CONTACT_FOUND"] * 3
    assert tried(own.pk) == [None] * 3
    mine = client.get("/api/schedules").json()["schedules"]
    assert [each["contactId"] for each in mine] == [own.pk]
    theirs = client_for(desk.colleague).post(
        "/api/schedules",
        {"contactId": other.pk, "body": "É segredo", "sendAt": tomorrow},
        format="json",
    )
    assert client.get("/api/schedules").json()["count"] == 1
    path = f"/api/schedules/{theirs.json()['id']}"
    assert client.get(path).status_code == 404
    assert client.put(path, {"body": "Outro"}, format="json").status_code == 404
    assert client.delete(path).status_code == 404


def test_forwarding_to_somebody_new_is_taking(
    client_for: ClientFor, acme: Company, queue: Queue
) -> None:
    desk = Desk(acme, queue, OF_USERS - {Permission.TAKE})
    message, contact = make_message(desk.mine, body="oi"), make_contact(acme)
    answer = client_for(desk.person).post(
        f"/api/messages/{message.pk}/forward", {"contactIds": [contact.pk]}, format="json"
    )
    [refused] = answer.json()["refused"]
    assert refused["code"] == "ERR_NO_PERMISSION"
