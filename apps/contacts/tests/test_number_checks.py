"""A number is asked for at WhatsApp where a QR session is up, and taken as it is otherwise."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.contacts.services import upsert_contact
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from conftest import ClientFor
from tests import factories
from tests.gateway import SECRET, Gateway, Said, make_qr_connection, running_gateway

pytestmark = pytest.mark.django_db
KNOWN, UNKNOWN = "5511999990000", "5511999990001"
OLD = "551199990000"


@pytest.fixture
def gateway(settings: Any) -> Iterator[Gateway]:
    settings.GATEWAY_SECRET = SECRET
    with running_gateway() as gateway:
        gateway.answers["check"] = lambda body: Said(
            {"numbers": [{"number": each, "exists": each == KNOWN} for each in body["numbers"]]}
        )
        yield gateway


@pytest.fixture
def qr(acme: Company, queue: Queue, gateway: Gateway) -> Connection:
    connection = make_qr_connection(acme, queues=[queue])
    gateway.own(connection)
    return connection


def make(client: Any, number: str) -> Any:
    return client.post("/api/contacts/", {"name": "Ana", "number": number}, format="json")


def test_a_contact_needs_a_number_that_is_on_whatsapp(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    row = make(client, KNOWN)
    assert row.status_code in (200, 201)
    refused = make(client, UNKNOWN)
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_WAPP_INVALID_CONTACT")
    assert list(refused.json()["fields"]) == ["number"]
    place = f"/api/contacts/{row.json()['id']}"
    changed = client.put(place, {"name": "Ana", "number": UNKNOWN}, format="json")
    assert changed.json()["code"] == "ERR_WAPP_INVALID_CONTACT"
    kept = client.put(place, {"name": "Ana Maria", "number": KNOWN}, format="json")
    assert kept.status_code == 200
    # What is there already is no question for WhatsApp.
    asked = len(gateway.commands)
    assert make(client, KNOWN).json()["code"] == "ERR_DUPLICATED_CONTACT"
    assert len(gateway.commands) == asked


@pytest.mark.parametrize("state", ["down", "silent", "official"])
def test_without_a_session_that_answers_every_number_is_taken(
    client_for: ClientFor,
    admin: User,
    qr: Connection,
    gateway: Gateway,
    acme: Company,
    state: str,
) -> None:
    if state == "down":
        Connection.objects.update(status="DISCONNECTED")
    elif state == "silent":
        gateway.refuse("check", "ERR_SESSION_NOT_OPEN", 503)
    else:
        qr.delete()
        factories.make_connection(acme)
    assert make(client_for(admin), UNKNOWN).status_code in (200, 201)
    assert Contact.objects.count() == 1


def test_a_ticket_is_opened_with_who_is_on_whatsapp(
    client_for: ClientFor, admin: User, qr: Connection, acme: Company, queue: Queue
) -> None:
    client = client_for(admin)

    def open_with(contact: Contact) -> Any:
        body = {"contactId": contact.pk, "queueId": queue.pk, "whatsappId": qr.pk, "status": "open"}
        return client.post("/api/tickets/", body, format="json")

    stranger = factories.make_contact(acme, number=UNKNOWN)
    refused = open_with(stranger)
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_WAPP_INVALID_CONTACT")
    assert not Ticket.objects.exists()
    assert open_with(factories.make_contact(acme, number=KNOWN)).status_code in (200, 201)


@pytest.fixture
def called_otherwise(gateway: Gateway) -> None:
    """WhatsApp knows this number without the ninth digit, as it does many Brazilian ones."""
    gateway.answers["check"] = lambda body: Said(
        {
            "numbers": [
                {
                    "number": each,
                    "exists": True,
                    "jid": f"{OLD}@s.whatsapp.net",
                    "lid": "77@lid",
                }
                for each in body["numbers"]
            ]
        }
    )


@pytest.mark.usefixtures("called_otherwise")
def test_a_contact_is_called_as_whatsapp_calls_it(
    client_for: ClientFor, admin: User, qr: Connection
) -> None:
    client = client_for(admin)
    row = make(client, KNOWN).json()
    assert row["number"] == OLD
    contact = Contact.objects.get()
    assert (contact.number, contact.canonical_number, contact.lid) == (OLD, KNOWN, "77")
    Contact.objects.update(number="5511988887777", canonical_number="5511988887777", lid=None)
    changed = client.put(f"/api/contacts/{row['id']}", {"name": "Ana", "number": KNOWN})
    assert changed.json()["number"] == OLD


@pytest.mark.usefixtures("called_otherwise")
def test_who_wrote_under_the_lid_alone_is_the_new_contact(
    client_for: ClientFor, admin: User, qr: Connection, acme: Company
) -> None:
    upsert_contact(company_id=acme.pk, number="", lid="77")
    assert make(client_for(admin), KNOWN).status_code in (200, 201)
    contact = Contact.objects.get()
    assert (contact.number, contact.lid) == (OLD, "77")


@pytest.mark.usefixtures("called_otherwise")
def test_what_is_written_goes_to_who_whatsapp_knows(
    client_for: ClientFor, admin: User, qr: Connection, acme: Company, queue: Queue
) -> None:
    contact = factories.make_contact(acme, number=KNOWN)
    body = {"contactId": contact.pk, "queueId": queue.pk, "whatsappId": qr.pk, "status": "open"}
    opened = client_for(admin).post("/api/tickets/", body, format="json")
    assert opened.status_code in (200, 201)
    assert opened.json()["contact"]["number"] == OLD
    contact.refresh_from_db()
    assert contact.number == OLD


def test_a_message_tells_what_the_writer_is_called(acme: Company) -> None:
    contact = factories.make_contact(acme, number=KNOWN)
    upsert_contact(company_id=acme.pk, number=OLD, lid="77")
    upsert_contact(company_id=acme.pk, number="", lid="77")
    contact.refresh_from_db()
    assert (contact.number, contact.canonical_number, contact.lid) == (OLD, KNOWN, "77")
