import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.services.service_tokens import create_token
from apps.common.media import store_media
from apps.companies.models import Company
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.outbox.deliveries import deliver_due
from conftest import ClientFor
from tests.factories import make_connection, make_contact, make_message, make_ticket, make_user
from tests.graph import GraphServer

PDF = b"%PDF-1.4 catalogo"


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def with_ticket(ticket: Ticket, **fields: Any) -> Contact:
    """A contact whose window is open, with a ticket like the given one."""
    made = make_ticket(
        ticket.company,
        **{
            "connection": ticket.connection,
            "queue": ticket.queue,
            "user": ticket.user,
            "status": "open",
            "last_inbound_at": timezone.now(),
        }
        | fields,
    )
    return made.contact


def forward(client: Any, message: Message, *contacts: Contact | int | str, **body: Any) -> Any:
    ids = [contact.pk if isinstance(contact, Contact) else contact for contact in contacts]
    return client.post(
        f"/api/messages/{message.pk}/forward", {"contactIds": ids, **body}, format="json"
    )


def test_each_contact_gets_a_message_in_the_callers_own_ticket(
    client_for: ClientFor, agent: User, ticket: Ticket, graph: GraphServer, told: list[Any]
) -> None:
    first, second = with_ticket(ticket), with_ticket(ticket)
    source = make_message(ticket, body="O endereço é *Rua Harmonia, 412*")
    answer = forward(client_for(agent), source, first, second)
    assert answer.status_code == 200
    body = answer.json()
    assert [row["contactId"] for row in body["messages"]] == [first.pk, second.pk]
    assert body["refused"] == []
    row = body["messages"][0]
    assert (row["body"], row["fromMe"], row["ack"]) == (source.body, True, Ack.PENDING)
    assert (row["userName"], row["source"]) == ("Bob", "agent")
    assert row["dataJson"] == '{"forwarded":true}'
    assert row["ticketId"] == Ticket.objects.get(contact=first).pk
    created = [each for each in told if each.payload["action"] == "create"]
    assert len(created) == 2
    deliver_due(limit=10)
    assert {message["to"] for message in graph.messages} == {first.number, second.number}
    assert graph.bodies == [source.body, source.body]


def test_a_file_is_copied_on_the_server_with_its_caption(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    stored = store_media(
        company_id=acme.pk, content=PDF, name="catálogo.pdf", mime="application/pdf"
    )
    source = make_message(
        ticket,
        body="Segue o catálogo",
        media_type="application",
        media_state="ready",
        media_path=stored.path,
        media_name=stored.name,
        media_mime=stored.mime,
        media_size=stored.size,
    )
    row = forward(client_for(agent), source, with_ticket(ticket)).json()["messages"][0]
    copy = Message.objects.get(pk=row["id"])
    assert copy.media_path != stored.path
    assert copy.media_path.startswith(f"{acme.pk}/")
    assert default_storage.open(copy.media_path).read() == PDF
    assert (copy.media_name, copy.body, copy.media_size) == (
        "catálogo.pdf",
        "Segue o catálogo",
        len(PDF),
    )
    deliver_due(limit=10)
    assert PDF in graph.uploads[0]
    assert graph.messages[0]["document"]["caption"] == "Segue o catálogo"


def test_of_a_template_with_a_file_the_file_goes_with_its_text(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    picture = b"\x89PNG\r\n\x1a\n recibo"
    stored = store_media(company_id=acme.pk, content=picture, name="recibo.png", mime="image/png")
    source = make_message(
        ticket,
        from_me=True,
        ack=Ack.READ,
        body="Segue o recibo, Maria",
        media_type="template",
        data={"name": "recibo", "components": []},
        media_state="ready",
        media_path=stored.path,
        media_name=stored.name,
        media_mime=stored.mime,
        media_size=stored.size,
    )
    row = forward(client_for(agent), source, with_ticket(ticket)).json()["messages"][0]
    assert (row["mediaType"], row["body"]) == ("image", source.body)
    assert row["dataJson"] == '{"forwarded":true}'
    deliver_due(limit=10)
    assert graph.messages[0]["image"]["caption"] == "Segue o recibo, Maria"


def test_a_place_and_a_card_stay_what_they_are(
    client_for: ClientFor, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    place = make_message(
        ticket,
        media_type="locationMessage",
        body="|https://maps.google.com/?q=-23.5,-46.6|Loja",
        data={"latitude": -23.5, "longitude": -46.6, "name": "Loja"},
    )
    card = make_message(
        ticket,
        media_type="vcard",
        body="BEGIN:VCARD",
        data={
            "contacts": [
                {
                    "name": {"formatted_name": "Paula"},
                    "phones": [{"phone": "+55 11 97333-4821", "wa_id": "5511973334821"}],
                }
            ]
        },
    )
    contact = with_ticket(ticket)
    for source in (place, card):
        row = forward(client_for(agent), source, contact).json()["messages"][0]
        copy = Message.objects.get(pk=row["id"])
        assert (copy.media_type, copy.body) == (source.media_type, source.body)
    deliver_due(limit=10)
    assert [message["type"] for message in graph.messages] == ["location", "contacts"]
    assert graph.messages[0]["location"]["latitude"] == -23.5
    assert graph.messages[1]["contacts"][0]["phones"][0]["wa_id"] == "5511973334821"


def test_who_can_not_be_written_to_is_refused_in_words_and_the_rest_get_it(
    client_for: ClientFor,
    acme: Company,
    queue: Queue,
    agent: User,
    ticket: Ticket,
) -> None:
    carla = make_user(acme, queues=[queue], name="Carla")
    fine = with_ticket(ticket)
    held = with_ticket(ticket, user=carla)
    waiting = with_ticket(ticket, user=None, status="pending")
    cold = with_ticket(ticket, last_inbound_at=None)
    stranger = make_contact(acme)
    numberless = make_contact(acme, number="", canonical_number="lid:1")
    gone = make_contact(acme)
    gone_id = gone.pk
    gone.delete()
    source = make_message(ticket, body="Oi")
    contacts = (held, fine, waiting, cold, stranger, numberless, gone_id)
    body = forward(client_for(agent), source, *contacts).json()
    assert [row["contactId"] for row in body["messages"]] == [fine.pk]
    refused = {each["contactId"]: each for each in body["refused"]}
    assert {pk: each["code"] for pk, each in refused.items()} == {
        held.pk: "ERR_OTHER_OPEN_TICKET",
        waiting.pk: "ERR_TICKET_NOT_OPEN",
        cold.pk: "ERR_OUTSIDE_24H_WINDOW",
        stranger.pk: "ERR_OUTSIDE_24H_WINDOW",
        numberless.pk: "ERR_VALIDATION",
        gone_id: "ERR_NO_CONTACT_FOUND",
    }
    assert refused[held.pk]["message"] == "Carla está atendendo este contato."
    assert refused[held.pk]["name"] == held.name
    # Nothing is left behind of a ticket that could not be written in.
    assert not Ticket.objects.filter(contact=stranger).exists()


def test_without_a_ticket_one_is_opened_in_the_sources_queue(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, ticket: Ticket
) -> None:
    contact = with_ticket(ticket, status="closed", user=None)
    source = make_message(ticket, body="Oi")
    row = forward(client_for(agent), source, contact).json()["messages"][0]
    opened = Ticket.objects.get(pk=row["ticketId"])
    assert (opened.status, opened.user, opened.queue) == ("open", agent, queue)
    assert opened.connection == ticket.connection


def test_an_open_ticket_on_another_connection_is_the_second_choice(
    client_for: ClientFor, acme: Company, agent: User, admin: User, queue: Queue, ticket: Ticket
) -> None:
    second = make_connection(acme, queues=[queue])
    contact = with_ticket(ticket, connection=second)
    source = make_message(ticket)
    row = forward(client_for(agent), source, contact).json()["messages"][0]
    assert Ticket.objects.get(pk=row["ticketId"]).connection == second
    here = make_ticket(
        acme,
        contact=contact,
        connection=ticket.connection,
        queue=queue,
        user=agent,
        status="open",
        last_inbound_at=timezone.now(),
    )
    assert forward(client_for(admin), source, contact).json()["messages"][0]["ticketId"] == here.pk


def test_the_same_submission_twice_is_one_message(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    contacts = [with_ticket(ticket), with_ticket(ticket)]
    source = make_message(ticket)
    client_id = str(uuid.uuid4())
    first = forward(client_for(agent), source, *contacts, contacts[0], clientId=client_id).json()
    again = forward(client_for(agent), source, *contacts, clientId=client_id).json()
    assert [row["id"] for row in first["messages"]] == [row["id"] for row in again["messages"]]
    assert Message.objects.filter(from_me=True).count() == 2
    assert Delivery.objects.count() == 2


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"is_deleted": True}, "ERR_MESSAGE_DELETED"),
        ({"from_me": True, "ack": -1}, "ERR_MESSAGE_NOT_SENT"),
        ({"media_type": "image", "media_state": "fetching"}, "ERR_MEDIA_NOT_READY"),
        ({"media_type": "image", "media_state": "failed"}, "ERR_MEDIA_NOT_READY"),
        ({"media_type": "unknown", "body": "unknown"}, "ERR_FORWARD_WAPP_MSG"),
        ({"media_type": "call_log"}, "ERR_FORWARD_WAPP_MSG"),
    ],
)
def test_what_is_no_message_to_pass_on_is_refused(
    client_for: ClientFor, agent: User, ticket: Ticket, fields: dict[str, Any], code: str
) -> None:
    source = make_message(ticket, **fields)
    answer = forward(client_for(agent), source, with_ticket(ticket))
    assert 400 <= answer.status_code < 500
    assert answer.json()["code"] == code
    assert not Delivery.objects.exists()


def test_foreign_messages_and_contacts_are_out_of_reach(
    client_for: ClientFor, acme: Company, agent: User, outsider: User, ticket: Ticket
) -> None:
    source = make_message(ticket)
    contact = with_ticket(ticket)
    assert forward(client_for(outsider), source, contact).status_code == 404
    assert forward(client_for(make_user(acme)), source, contact).status_code == 403
    own = make_message(
        make_ticket(outsider.company, connection=make_connection(outsider.company), user=outsider)
    )
    answer = forward(client_for(outsider), own, contact)
    assert (answer.status_code, list(answer.json()["fields"])) == (404, ["contactIds"])
    for ids in ([], list(range(1, 30)), ["x"]):
        wrong = forward(client_for(agent), source, *ids)
        assert (wrong.status_code, next(iter(wrong.json()["fields"]))[:10]) == (400, "contactIds")


def test_a_file_that_is_gone_is_refused_for_the_contact(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    source = make_message(
        ticket, media_type="image", media_state="ready", media_path="1/gone.png", media_name="a.png"
    )
    body = forward(client_for(agent), source, with_ticket(ticket)).json()
    assert body["messages"] == []
    assert "não está mais disponível" in body["refused"][0]["message"]


def check(client: Any, message: Message, *contacts: Contact) -> dict[int, str]:
    ids = ",".join(str(contact.pk) for contact in contacts)
    answer = client.get(f"/api/messages/{message.pk}/forward?contactIds=[{ids}]")
    assert answer.status_code == 200, answer.json()
    return {row["contactId"]: row["code"] for row in answer.json()["refused"]}


def test_who_could_not_get_it_is_told_beforehand_and_nothing_is_sent(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket
) -> None:
    source = make_message(ticket, body="O endereço")
    warm = with_ticket(ticket)
    cold = with_ticket(ticket, last_inbound_at=None)
    waiting = with_ticket(ticket, user=None, status="pending")
    taken = with_ticket(ticket, user=make_user(acme, email="outra@acme.test"))
    stranger = make_contact(acme)
    before = (Message.objects.count(), Ticket.objects.count())
    told = check(client_for(agent), source, warm, cold, waiting, taken, stranger)
    assert told == {
        cold.pk: "ERR_OUTSIDE_24H_WINDOW",
        waiting.pk: "ERR_TICKET_NOT_OPEN",
        taken.pk: "ERR_OTHER_OPEN_TICKET",
        stranger.pk: "ERR_OUTSIDE_24H_WINDOW",
    }
    assert (Message.objects.count(), Ticket.objects.count()) == before
    # The same contacts are refused when it is sent.
    done = forward(client_for(agent), source, warm, cold, waiting, taken, stranger).json()
    assert {row["contactId"]: row["code"] for row in done["refused"]} == told


LED: dict[str, Any] = {"owner": "other", "user": None, "status": "closed"}


def test_no_forward_takes_a_conversation_over(
    client_for: ClientFor, admin: User, agent: User, ticket: Ticket
) -> None:
    source = make_message(ticket, body="O endereço")
    now = timezone.now()
    held = with_ticket(ticket, owner="other", owner_at=now)
    closed = with_ticket(ticket, **LED, owner_at=now)
    silent = with_ticket(ticket, **LED, owner_at=now - timedelta(hours=25))
    contacts = (held, closed, silent)
    tickets = Ticket.objects.order_by("pk").values("status", "user", "owner")
    before = list(tickets)
    refused = dict.fromkeys((held.pk, closed.pk), "ERR_LED_ELSEWHERE")
    assert check(client_for(agent), source, *contacts) == refused
    # A program asks nobody at all, so it writes only where we lead.
    token = create_token(actor=admin, fields={"name": "ERP", "scopes": ["messages"]})
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token.text}")
    of_a_program = refused | {silent.pk: "ERR_LED_ELSEWHERE"}
    assert check(client, source, *contacts) == of_a_program
    body = forward(client, source, *contacts).json()
    assert {row["contactId"]: row["code"] for row in body["refused"]} == of_a_program
    assert list(tickets) == before
    body = forward(client_for(agent), source, *contacts).json()
    assert {row["contactId"]: row["code"] for row in body["refused"]} == refused
    assert [row["contactId"] for row in body["messages"]] == [silent.pk]
    assert list(tickets)[: len(before)] == before
    assert Ticket.objects.count() == len(before) + 1, "refused ones open no ticket"


def test_a_program_forwards_as_nobody_and_opens_no_ticket(
    admin: User, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    source = make_message(ticket, body="O endereço")
    open_one = with_ticket(ticket)
    waiting = with_ticket(ticket, user=None, status="pending")
    closed = with_ticket(ticket, status="closed")
    cold = make_contact(ticket.company)
    numberless = with_ticket(ticket, status="closed")
    Contact.objects.filter(pk=numberless.pk).update(number="", canonical_number="lid:1")
    contacts = (open_one, waiting, closed, cold, numberless)
    tickets = Ticket.objects.order_by("pk")
    before = list(tickets.values_list("status", "user"))
    token = create_token(actor=admin, fields={"name": "ERP", "scopes": ["messages"]})
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token.text}")
    refused = {cold.pk: "ERR_OUTSIDE_24H_WINDOW", numberless.pk: "ERR_VALIDATION"}
    assert check(client, source, *contacts) == refused
    client_id = str(uuid.uuid4())
    for _each in range(2):
        body = forward(client, source, *contacts, clientId=client_id).json()
        assert {row["contactId"]: row["code"] for row in body["refused"]} == refused
        rows = [(row["contactId"], row["userName"], row["source"]) for row in body["messages"]]
        assert rows == [(each.pk, None, "api") for each in (open_one, waiting, closed)]
    assert list(tickets.values_list("status", "user")) == before
    deliver_due(limit=10)
    assert {each["to"] for each in graph.messages} == {
        each.number for each in (open_one, waiting, closed)
    }


def test_of_too_many_contacts_nothing_is_told(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    source = make_message(ticket, body="O endereço")
    ids = ",".join(map(str, range(1, 62)))
    answer = client_for(agent).get(f"/api/messages/{source.pk}/forward?contactIds=[{ids}]")
    assert answer.status_code == 400
