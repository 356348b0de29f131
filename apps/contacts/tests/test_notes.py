"""/ticket-notes: writing, reading and deleting observations on a contact."""

from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.companies.models import Company
from apps.contacts.models import Contact, TicketNote
from apps.contacts.services import merge_contacts
from apps.tickets.models import Ticket
from conftest import ClientFor
from tests.factories import make_contact, make_ticket, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def contact(acme: Company) -> Contact:
    return make_contact(acme)


@pytest.fixture
def ticket(acme: Company, contact: Contact) -> Ticket:
    return make_ticket(acme, contact=contact)


def write(client: Any, ticket: Ticket, note: str = "Prefere falar de manhã") -> Any:
    body = {"note": note, "ticketId": ticket.pk, "contactId": ticket.contact_id}
    return client.post("/api/ticket-notes", body, format="json")


def test_a_note_is_written_listed_and_told(
    client_for: ClientFor,
    agent: User,
    ticket: Ticket,
    contact: Contact,
    events: list[dict[str, Any]],
) -> None:
    client = client_for(agent)
    answer = write(client, ticket)
    assert answer.status_code == 201
    row = answer.json()
    assert row.pop("createdAt")
    assert row == {
        "id": row["id"],
        "note": "Prefere falar de manhã",
        "ticketId": ticket.pk,
        "contactId": contact.pk,
        "userId": agent.pk,
        "user": {"id": agent.pk, "name": "Bob"},
    }
    listed = client.get(f"/api/ticket-notes/list?ticketId={ticket.pk}&contactId={contact.pk}")
    assert [each["id"] for each in listed.json()] == [row["id"]]
    (event,) = events
    assert (event["event"], event["payload"]["action"]) == ("ticketNote", "create")
    assert event["payload"]["note"]["id"] == row["id"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"note": ""}, "note"),
        ({"note": " a "}, "note"),
        ({"note": "a" * 5001}, "note"),
        ({"ticketId": None}, "ticketId"),
        ({"ticketId": 999}, "ticketId"),
        ({"contactId": 999}, "contactId"),
        ({"contactId": "x"}, "contactId"),
    ],
)
def test_a_wrong_field_is_named(
    client_for: ClientFor, agent: User, ticket: Ticket, change: dict[str, Any], field: str
) -> None:
    body = {"note": "Oi", "ticketId": ticket.pk, "contactId": ticket.contact_id, **change}
    answer = client_for(agent).post("/api/ticket-notes", body, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    assert not TicketNote.objects.exists()


def test_the_ticket_must_be_the_contacts(
    client_for: ClientFor, agent: User, acme: Company, ticket: Ticket
) -> None:
    body = {"note": "Oi", "ticketId": ticket.pk, "contactId": make_contact(acme).pk}
    answer = client_for(agent).post("/api/ticket-notes", body, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["ticketId"])


def test_a_contacts_notes_are_those_of_all_its_tickets_newest_first_in_one_query(
    client_for: ClientFor, agent: User, acme: Company, contact: Contact, ticket: Ticket
) -> None:
    client = client_for(agent)
    Ticket.objects.filter(pk=ticket.pk).update(status="closed")
    later = make_ticket(acme, contact=contact)
    first, second = write(client, ticket).json()["id"], write(client, later).json()["id"]
    write(client, make_ticket(acme))
    url = f"/api/ticket-notes/list?ticketId={later.pk}&contactId={contact.pk}"
    with CaptureQueriesContext(database) as queries:
        rows = client.get(url).json()
    assert len(queries) == 1
    assert [row["id"] for row in rows] == [second, first]
    alone = client.get(f"/api/ticket-notes/list?ticketId={ticket.pk}&contactId=").json()
    assert [row["id"] for row in alone] == [first]
    nobodys = client.get("/api/ticket-notes/list")
    assert (nobodys.status_code, list(nobodys.json()["fields"])) == (400, ["contactId"])


def test_the_writer_and_admins_delete_a_note_others_do_not(
    client_for: ClientFor,
    agent: User,
    admin: User,
    acme: Company,
    ticket: Ticket,
    events: list[dict[str, Any]],
) -> None:
    client = client_for(agent)
    ids = [write(client, ticket).json()["id"] for _ in range(2)]
    colleague = client_for(make_user(acme))
    refused = colleague.delete(f"/api/ticket-notes/{ids[0]}")
    assert (refused.status_code, refused.json()["code"]) == (403, "ERR_NO_PERMISSION")
    assert client.delete(f"/api/ticket-notes/{ids[0]}").status_code == 200
    assert client_for(admin).delete(f"/api/ticket-notes/{ids[1]}").status_code == 200
    gone = client.delete(f"/api/ticket-notes/{ids[1]}")
    assert (gone.status_code, gone.json()["code"]) == (404, "ERR_NO_NOTE_FOUND")
    told = {"action": "delete", "noteId": ids[1], "contactId": ticket.contact_id}
    assert events[-1]["payload"] == told


def test_notes_outlive_the_ticket_and_follow_a_merged_contact(
    client_for: ClientFor, agent: User, acme: Company, ticket: Ticket, contact: Contact
) -> None:
    write(client_for(agent), ticket)
    keep = make_contact(acme)
    merge_contacts(keep=keep, gone=contact)
    Ticket.objects.all().delete()
    note = TicketNote.objects.get()
    assert (note.contact, note.ticket) == (keep, None)
