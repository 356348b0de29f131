"""What the contact drawer lists: a contact's tickets and files, for those who may read them."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket
from conftest import ClientFor
from tests.factories import (
    make_connection,
    make_contact,
    make_message,
    make_queue,
    make_tag,
    make_ticket,
    make_user,
)

Get = Any


@pytest.fixture
def contact(acme: Company) -> Contact:
    return make_contact(acme, name="Maria")


@pytest.fixture
def get(client_for: ClientFor, contact: Contact) -> Get:
    def send(user: User, part: str, **query: Any) -> Any:
        return client_for(user).get(f"/api/contacts/{contact.pk}/{part}", query)

    return send


@pytest.fixture
def ticket(contact: Contact, connection: Connection, queue: Queue) -> Ticket:
    return make_ticket(
        contact.company, contact=contact, connection=connection, queue=queue, status="closed"
    )


def with_file(ticket: Ticket, kind: str = "image", **fields: Any) -> Message:
    fields = {"media_state": "ready", "media_path": f"1/{kind}.bin", "media_name": kind} | fields
    return make_message(ticket, media_type=kind, **fields)


def ids(response: Any, name: str) -> list[int]:
    assert response.status_code == 200, response.content
    body = response.json()
    assert body["count"] >= len(body[name])
    return [row["id"] for row in body[name]]


def test_the_history_lists_the_contacts_tickets_newest_first(
    get: Get, agent: User, ticket: Ticket, queue: Queue, connection: Connection
) -> None:
    newer = make_ticket(
        ticket.company, contact=ticket.contact, connection=connection, queue=queue, user=agent
    )
    make_ticket(ticket.company, queue=queue)  # another contact's
    response = get(agent, "tickets")
    assert ids(response, "tickets") == [newer.pk, ticket.pk]
    row = response.json()["tickets"][0]
    assert (row["uuid"], row["status"]) == (str(newer.uuid), "pending")
    assert (row["queue"]["name"], row["user"]["name"]) == ("Vendas", "Bob")
    assert row["whatsapp"]["name"] == "Loja"
    assert {"createdAt", "closedAt", "lastMessage"} <= set(row)


def test_a_user_sees_only_what_they_may_read(
    get: Get, admin: User, agent: User, acme: Company, ticket: Ticket
) -> None:
    elsewhere = make_ticket(
        acme, contact=ticket.contact, connection=make_connection(acme), queue=make_queue(acme)
    )
    own, foreign = with_file(ticket), with_file(elsewhere)
    assert ids(get(agent, "tickets"), "tickets") == [ticket.pk]
    assert ids(get(agent, "media"), "messages") == [own.pk]
    assert ids(get(make_user(acme), "tickets"), "tickets") == []
    assert ids(get(make_user(acme), "media"), "messages") == []
    assert ids(get(admin, "tickets"), "tickets") == [elsewhere.pk, ticket.pk]
    assert ids(get(admin, "media"), "messages") == [foreign.pk, own.pk]
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert ids(get(agent, "tickets"), "tickets") == [elsewhere.pk, ticket.pk]
    assert ids(get(agent, "media"), "messages") == [foreign.pk, own.pk]


def test_a_ticket_that_one_holds_outside_the_own_queues_is_listed(
    get: Get, agent: User, acme: Company, contact: Contact
) -> None:
    held = make_ticket(acme, contact=contact, queue=make_queue(acme), user=agent, status="open")
    assert ids(get(agent, "tickets"), "tickets") == [held.pk]


def listed(client_for: ClientFor, user: User) -> dict[int, str | None]:
    rows = client_for(user).get("/api/contacts").json()["contacts"]
    return {row["id"]: row["uuid"] for row in rows}


def test_a_listed_contact_names_its_live_ticket(
    client_for: ClientFor, admin: User, contact: Contact, ticket: Ticket
) -> None:
    company = contact.company
    assert listed(client_for, admin) == {contact.pk: None}
    older, newest = (
        make_ticket(company, contact=contact, connection=make_connection(company), status=status)
        for status in ("open", "pending")
    )
    none = make_contact(company)
    assert listed(client_for, admin) == {contact.pk: str(newest.uuid), none.pk: None}
    Ticket.objects.filter(pk=newest.pk).update(status="closed")
    assert listed(client_for, admin)[contact.pk] == str(older.uuid)


def test_a_listed_contact_names_no_ticket_that_one_may_not_read(
    client_for: ClientFor, agent: User, acme: Company, contact: Contact, queue: Queue
) -> None:
    live = make_ticket(acme, contact=contact, queue=queue)
    stranger = make_user(acme)
    assert listed(client_for, agent) == {contact.pk: str(live.uuid)}
    assert listed(client_for, stranger) == {contact.pk: None}
    Ticket.objects.filter(pk=live.pk).update(queue=make_queue(acme), user=stranger, status="open")
    assert listed(client_for, agent) == {contact.pk: None}
    assert listed(client_for, stranger) == {contact.pk: str(live.uuid)}
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert listed(client_for, agent) == {contact.pk: str(live.uuid)}


@pytest.mark.parametrize("part", ["tickets", "media"])
def test_another_companys_contact_does_not_exist(
    get: Get, outsider: User, ticket: Ticket, part: str
) -> None:
    with_file(ticket)
    response = get(outsider, part)
    assert (response.status_code, response.json()["code"]) == (404, "ERR_NO_CONTACT_FOUND")


def test_the_gallery_shows_files_that_can_be_opened(get: Get, agent: User, ticket: Ticket) -> None:
    photo, film, sound, paper = (
        with_file(ticket, kind) for kind in ("image", "video", "audio", "application")
    )
    make_message(ticket)
    with_file(ticket, "sticker")
    with_file(ticket, media_state="fetching", media_path="")
    with_file(ticket, media_state="failed", media_path="")
    with_file(ticket, is_deleted=True)
    everything = [paper.pk, sound.pk, film.pk, photo.pk]
    assert ids(get(agent, "media"), "messages") == everything
    assert ids(get(agent, "media", kind=""), "messages") == everything
    assert ids(get(agent, "media", kind="audio"), "messages") == [sound.pk]
    assert ids(get(agent, "media", kind="image,video"), "messages") == [film.pk, photo.pk]
    row = get(agent, "media", kind="application").json()["messages"][0]
    assert "/api/public/" in row["mediaUrl"]
    assert (row["mediaName"], row["ticketId"], row["contact"]["name"]) == (
        "application",
        ticket.pk,
        "Maria",
    )


@pytest.mark.parametrize(
    ("query", "field"),
    [({"kind": "sticker"}, "kind"), ({"pageNumber": "0"}, "pageNumber")],
)
def test_a_wrong_question_is_refused_by_field(
    get: Get, agent: User, query: dict[str, str], field: str
) -> None:
    response = get(agent, "media", **query)
    assert response.status_code == 400
    assert list(response.json()["fields"]) == [field]


def test_pages_follow_each_other(get: Get, agent: User, ticket: Ticket) -> None:
    files = [with_file(ticket).pk for _ in range(35)][::-1]
    first = get(agent, "media")
    assert ids(first, "messages") == files[:30]
    assert (first.json()["count"], first.json()["hasMore"]) == (35, True)
    second = get(agent, "media", pageNumber=2)
    assert ids(second, "messages") == files[30:]
    assert (second.json()["count"], second.json()["hasMore"]) == (35, False)


def test_the_number_of_queries_does_not_grow(
    get: Get,
    agent: User,
    ticket: Ticket,
    queue: Queue,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    tag = make_tag(ticket.company)
    for _ in range(22):
        old = make_ticket(ticket.company, contact=ticket.contact, queue=queue, status="closed")
        old.tags.add(tag)
        for _ in range(2):
            with_file(old)
    # The contact and its lines, the ids, their number, the rows.
    with django_assert_num_queries(5):
        assert len(ids(get(agent, "tickets"), "tickets")) == 20
    with django_assert_num_queries(5):
        assert len(ids(get(agent, "media"), "messages")) == 30
