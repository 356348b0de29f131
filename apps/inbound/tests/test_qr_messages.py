"""From a gateway's event to ticket, message and socket, and from a send to its ticks."""

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.common.media import read_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.queues.models import Queue
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.serializers import message_row
from apps.tickets.services.messages.fetching import fetch_due
from apps.tickets.services.outbox.deliveries import deliver_due
from conftest import ClientFor
from tests import factories
from tests.gateway import (
    SECRET,
    Gateway,
    Said,
    commit,
    event,
    make_qr_connection,
    message_event,
    running_gateway,
)

pytestmark = pytest.mark.django_db
NUMBER = "5511999990000"
LID = "987654321@lid"
DATA = Path(__file__).parents[2] / "connections" / "tests" / "data"


@pytest.fixture
def gateway(settings: Any) -> Iterator[Gateway]:
    settings.GATEWAY_SECRET = SECRET
    with running_gateway() as gateway:
        yield gateway


@pytest.fixture
def qr(acme: Company, queue: Queue, gateway: Gateway) -> Connection:
    connection = make_qr_connection(acme, queues=[queue])
    gateway.own(connection)
    return connection


def told(qr: Connection, *given: dict[str, Any]) -> None:
    """Commit events and handle them."""
    assert commit(qr.pk, 1, *given).status_code == 200
    while process_due(limit=100):
        pass
    assert not InboundEvent.objects.unfinished().exists(), "an event was not handled"


def person(number: str = "", lid: str = "", name: str = "Cliente") -> dict[str, Any]:
    return {
        "chat": {"number": number, "lid": lid, "group": ""},
        "sender": {"number": number, "lid": lid, "name": name},
    }


def test_a_message_becomes_a_ticket_and_is_told(
    qr: Connection, events: list[dict[str, Any]]
) -> None:
    told(qr, message_event(NUMBER, "Bom dia", message_id="A1"))
    message = Message.objects.get()
    assert (message.body, message.external_id, message.from_me) == ("Bom dia", "A1", False)
    ticket = message.ticket
    assert (ticket.status, ticket.unread_count, ticket.last_message) == ("pending", 1, "Bom dia")
    assert (ticket.contact.number, ticket.contact.name) == (NUMBER, "Cliente")
    names = [each["event"] for each in events]
    assert f"company-{qr.company_id}-appMessage" in names or "appMessage" in names
    told(qr, message_event(NUMBER, "Bom dia", message_id="A1"))
    assert Message.objects.count() == 1


def test_a_conversation_is_handled_in_order_and_once(qr: Connection) -> None:
    texts = [message_event(NUMBER, str(number)) for number in range(20)]
    told(qr, *texts[:12])
    told(qr, *texts[6:])
    bodies = Message.objects.order_by("pk").values_list("body", flat=True)
    assert list(bodies) == [str(number) for number in range(20)]


def test_who_is_known_by_a_lid_gets_the_number_once_it_is_told(qr: Connection) -> None:
    told(qr, message_event("", "Oi", **person(lid=LID)))
    contact = Contact.objects.get()
    assert (contact.number, contact.lid) == (LID, "987654321")
    told(qr, event("identity", LID, {"number": NUMBER, "lid": LID}))
    contact.refresh_from_db()
    assert (contact.number, contact.lid) == (NUMBER, "987654321")
    told(qr, message_event(NUMBER, "De novo"))
    assert Contact.objects.count() == 1 and Ticket.objects.count() == 1


def test_a_lid_and_a_number_of_one_person_are_merged(qr: Connection) -> None:
    told(qr, message_event(NUMBER, "Um"), message_event("", "Dois", **person(lid=LID)))
    assert Contact.objects.count() == 2
    told(qr, event("identity", LID, {"number": NUMBER, "lid": LID}))
    contact = Contact.objects.get()
    assert (contact.number, contact.lid) == (NUMBER, "987654321")
    assert Message.objects.filter(contact=contact).count() == 2


def test_an_identity_of_nobody_makes_nobody(qr: Connection) -> None:
    told(qr, event("identity", LID, {"number": NUMBER, "lid": LID}))
    assert not Contact.objects.exists()


def test_what_we_write_on_the_phone_is_ours_and_silent(qr: Connection) -> None:
    told(qr, message_event(NUMBER, "Do celular", fromMe=True))
    message = Message.objects.get()
    assert (message.from_me, message.source, message.ack) == (True, "phone", Ack.SENT)
    assert (message.ticket.status, message.ticket.unread_count) == ("closed", 0)


def test_what_was_there_before_is_stored_silently(
    qr: Connection, gateway: Gateway, events: list[dict[str, Any]]
) -> None:
    told(qr, message_event(NUMBER, "De ontem", isHistory=True, sentAt=int(time.time()) - 86_400))
    ticket = Message.objects.get().ticket
    assert (ticket.status, ticket.unread_count) == ("closed", 0)
    assert not Delivery.objects.exists()


def test_history_of_a_conversation_that_goes_on_is_not_its_last_word(
    qr: Connection, gateway: Gateway
) -> None:
    told(qr, message_event(NUMBER, "De hoje"), message_event(NUMBER, "1", isHistory=True))
    ticket = Ticket.objects.get(status="pending")
    assert (ticket.last_message, ticket.unread_count) == ("De hoje", 1)
    past = Ticket.objects.get(status="closed")
    assert (past.last_message, past.unread_count) == ("1", 0)
    assert Message.objects.count() == 2


GROUP: dict[str, Any] = {
    "chat": {"number": "", "lid": "", "group": "1203630@g.us"},
    "sender": {"number": NUMBER, "lid": "", "name": "Ana"},
}


def test_groups_are_left_out_unless_the_company_wants_them(qr: Connection) -> None:
    told(qr, message_event(NUMBER, "No grupo", **GROUP))
    assert not Message.objects.exists()
    qr.company.settings.create(key="CheckMsgIsGroup", value="disabled")
    told(qr, message_event(NUMBER, "No grupo, de novo", **GROUP))
    message = Message.objects.get()
    assert (message.contact.is_group, message.contact.number) == (True, "1203630@g.us")
    assert message.participant is not None and message.participant.number == NUMBER
    told(qr, event("group", "1203630@g.us", {"group": "1203630@g.us", "subject": "Família"}))
    message.contact.refresh_from_db()
    assert message.contact.name == "Família"


def test_reactions_edits_and_revokes_find_their_message(qr: Connection) -> None:
    told(qr, message_event(NUMBER, "Oi", message_id="A1"))
    told(
        qr,
        message_event(NUMBER, "👍", type="reaction", reaction={"to": "A1", "emoji": "👍"}),
        message_event(NUMBER, "Olá", type="edit", edits="A1"),
    )
    message = Message.objects.get()
    assert (message.body, message.is_edited) == ("Olá", True)
    assert [each.emoji for each in message.reactions.all()] == ["👍"]
    told(qr, message_event(NUMBER, "", type="delete", deletes="A1"))
    message.refresh_from_db()
    assert message.is_deleted


@pytest.mark.parametrize(
    ("payload", "kind", "body"),
    [
        (
            {"type": "location", "data": {"latitude": 1.5, "longitude": 2, "name": "Loja"}},
            "locationMessage",
            "|https://maps.google.com/?q=1.5,2|Loja",
        ),
        (
            {"type": "contact", "data": {"contacts": [{"name": "A", "vcard": "BEGIN:VCARD"}]}},
            "vcard",
            "BEGIN:VCARD",
        ),
        (
            {"type": "poll", "poll": {"name": "Qual?", "options": ["Um", "Dois"]}},
            "conversation",
            "Qual?\n1. Um\n2. Dois",
        ),
        ({"type": "location", "data": {"latitude": "x"}}, "unknown", "unknown"),
        ({"type": "image", "media": {}}, "unknown", "unknown"),
        ({"type": "something"}, "unknown", "unknown"),
    ],
)
def test_every_kind_is_shown_or_unknown(
    qr: Connection, payload: dict[str, Any], kind: str, body: str
) -> None:
    told(qr, message_event(NUMBER, "", **payload))
    message = Message.objects.get()
    assert (message.media_type, message.body) == (kind, body)


@pytest.mark.parametrize("odd", [None, 1, "x", [], {"a": {"b": []}}])
def test_odd_fields_never_stop_a_conversation(qr: Connection, odd: Any) -> None:
    for field in ("chat", "sender", "media", "data", "reaction", "poll", "sentAt", "raw", "body"):
        said = message_event(NUMBER)
        told(qr, {**said, "payload": {**said["payload"], field: odd}})
    for kind in ("status", "call", "identity", "group", "contacts", "session", "other"):
        told(qr, event(kind, "p", {"a": odd, "status": odd, "contacts": odd, "ack": odd}))


@pytest.mark.parametrize("years", [-11, 11, -60, 5000])
@pytest.mark.parametrize("unit", [1, 1000], ids=["seconds", "milliseconds"])
def test_a_time_beyond_ten_years_is_that_of_arrival(qr: Connection, years: int, unit: int) -> None:
    before = timezone.now()
    stamp = (int(before.timestamp()) + years * 31_557_600) * unit
    told(qr, message_event(NUMBER, sentAt=stamp))
    assert Message.objects.filter(sent_at__range=(before, timezone.now())).count() == 1
    near = (int(before.timestamp()) - 9 * 31_557_600) * unit
    told(qr, message_event(NUMBER, isHistory=True, sentAt=near))
    was = datetime.fromtimestamp(near / unit, tz=UTC)
    assert Message.objects.filter(sent_at=was).count() == 1


def test_a_file_is_fetched_from_the_owner(
    qr: Connection, gateway: Gateway, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    png = b"\x89PNG\r\n\x1a\n" + b"0" * 30
    gateway.answers["download"] = lambda body: Said(png, content_type="image/png")
    media = {"mime": "image/png", "name": "", "reference": {"mediaKey": "k3y", "url": "u" * 900}}
    told(qr, message_event(NUMBER, "Veja", type="image", media=media))
    assert fetch_due(limit=5) == 1
    message = Message.objects.get()
    assert (message.media_state, message.media_type, message.body) == ("ready", "image", "Veja")
    assert read_media(message.media_path) == png
    assert gateway.commands[-1].body["reference"] == media["reference"]


def write(client: Any, ticket: Ticket, body: str) -> Message:
    answer = client.post(f"/api/messages/{ticket.pk}", {"body": body, "read": 1}, format="json")
    assert answer.status_code == 201, answer.content
    return Message.objects.latest("pk")


@pytest.fixture
def ticket(acme: Company, qr: Connection, queue: Queue, agent: User) -> Ticket:
    contact = factories.make_contact(acme, number=NUMBER)
    return factories.make_ticket(
        acme, connection=qr, queue=queue, user=agent, contact=contact, status="open"
    )


def step(message: Message, ack: int, **more: Any) -> dict[str, Any]:
    said = {"externalId": message.external_id, "ack": ack, "at": int(time.time()), **more}
    return event("status", f"{NUMBER}@s.whatsapp.net", said)


def test_a_send_goes_to_the_gateway_and_its_ticks_come_back(
    qr: Connection, gateway: Gateway, ticket: Ticket, agent: User, client_for: ClientFor
) -> None:
    message = write(client_for(agent), ticket, "Olá")
    assert deliver_due(limit=5) == 1
    (command,) = [each for each in gateway.commands if each.name == "text"]
    assert (command.body["to"], command.body["body"]) == (NUMBER, "Olá")
    message.refresh_from_db()
    assert (message.ack, message.external_id) == (Ack.SENT, command.body["id"])
    for ack in (2, 4, 3):
        told(qr, step(message, ack))
    message.refresh_from_db()
    assert message.ack == 4
    # What the phone's other devices echo is no second message.
    told(qr, message_event(NUMBER, "Olá", message_id=command.body["id"], fromMe=True))
    assert Message.objects.count() == 1


def test_an_answer_that_never_came_is_repeated_as_the_same_message(
    qr: Connection, gateway: Gateway, ticket: Ticket, agent: User, client_for: ClientFor
) -> None:
    message = write(client_for(agent), ticket, "Olá")
    gateway.answers["text"] = lambda body: Said(drops=True)
    deliver_due(limit=5)
    delivery = Delivery.objects.get(message=message)
    assert delivery.state == "waiting"
    message.refresh_from_db()
    assert (message.ack, bool(message.external_id)) == (Ack.PENDING, True)
    del gateway.answers["text"]
    Delivery.objects.update(next_attempt_at=delivery.message.created_at)
    deliver_due(limit=5)
    message.refresh_from_db()
    assert message.ack == Ack.SENT
    assert len({each.body["id"] for each in gateway.commands if each.name == "text"}) == 1


def test_the_word_of_whatsapp_settles_a_send_whose_answer_was_lost(
    qr: Connection, gateway: Gateway, ticket: Ticket, agent: User, client_for: ClientFor
) -> None:
    message = write(client_for(agent), ticket, "Olá")
    gateway.answers["text"] = lambda body: Said(drops=True)
    deliver_due(limit=5)
    message.refresh_from_db()
    told(qr, step(message, 3))
    message.refresh_from_db()
    assert (message.ack, Delivery.objects.get(message=message).state) == (3, "done")


def test_while_the_session_is_not_open_a_message_waits_and_says_so(
    qr: Connection, gateway: Gateway, ticket: Ticket, agent: User, client_for: ClientFor
) -> None:
    message = write(client_for(agent), ticket, "Olá")
    gateway.refuse("text", "ERR_SESSION_NOT_OPEN", 503)
    deliver_due(limit=5)
    message.refresh_from_db()
    assert (message.ack, message.reason_code) == (Ack.PENDING, "session_not_open")
    Connection.objects.filter(pk=qr.pk).update(status="DISCONNECTED")
    assert deliver_due(limit=5) == 0


def test_a_refusal_of_whatsapp_fails_the_message(
    qr: Connection, gateway: Gateway, ticket: Ticket, agent: User, client_for: ClientFor
) -> None:
    message = write(client_for(agent), ticket, "Olá")
    deliver_due(limit=5)
    message.refresh_from_db()
    told(qr, step(message, -1, code="463", error="refused"))
    message.refresh_from_db()
    assert (message.ack, message.error_code, message.reason_code) == (
        Ack.ERROR,
        "463",
        "whatsapp_refused",
    )


def test_reading_in_a_group_counts_as_delivered(
    qr: Connection, ticket: Ticket, agent: User, client_for: ClientFor
) -> None:
    message = write(client_for(agent), ticket, "Olá")
    deliver_due(limit=5)
    message.refresh_from_db()
    told(qr, step(message, 4, participant="5511@s.whatsapp.net"))
    message.refresh_from_db()
    assert message.ack == 3


@pytest.mark.parametrize(
    ("from_me", "is_video", "line"),
    [
        (False, False, "Chamada de voz perdida"),
        (False, True, "Chamada de vídeo perdida"),
        (True, False, "Chamada de voz não atendida"),
    ],
)
def test_a_call_that_nobody_took_is_a_line_of_the_conversation(
    qr: Connection, from_me: bool, is_video: bool, line: str
) -> None:
    call: dict[str, Any] = {"type": "call_log", "data": {"isVideo": is_video}}
    told(qr, message_event(NUMBER, "", fromMe=from_me, **call))
    message = Message.objects.get(from_me=from_me)
    assert (message.media_type, message.body) == ("call_log", line)
    assert message.ticket.contact.number == NUMBER


def test_a_call_is_rejected_where_the_company_takes_none(qr: Connection, gateway: Gateway) -> None:
    qr.company.settings.create(key="call", value="disabled")
    caller = {"number": NUMBER, "lid": "", "name": "Ana"}
    ring = {"callId": "C1", "from": caller, "isVideo": False, "isGroup": False}
    told(qr, event("call", NUMBER, {**ring, "state": "offer"}))
    told(qr, event("call", NUMBER, {**ring, "state": "timeout"}))
    assert Message.objects.get(media_type="call_log").contact.number == NUMBER
    while deliver_due(limit=5):
        pass
    (command,) = [each for each in gateway.commands if each.name == "reject-call"]
    assert (command.body["callId"], command.body["from"]) == ("C1", NUMBER)


def test_a_poll_and_a_vote_on_it_come_and_no_secret_is_shown(qr: Connection) -> None:
    made = json.loads((DATA / "poll_votes.json").read_text())
    poll = {"name": "Almoço?", "options": made["options"], "selectable": 1}
    sealed = {**poll, "secret": made["secret"]}
    vote = made["votes"]["number"]["vote"]
    told(
        qr,
        message_event(NUMBER, "Almoço?", type="poll", poll=sealed, message_id=made["pollId"]),
        message_event(NUMBER, "", type="vote", vote=vote),
        message_event(NUMBER, "", type="vote", vote={"payload": "AAAA"}),
    )
    row = message_row(Message.objects.get())
    assert json.loads(row["dataJson"]) == {"poll": poll}
    assert row["pollVotes"] == [{"options": [1], "fromMe": False, "name": "Cliente"}]
    for stored in InboundEvent.objects.all():
        assert made["secret"] not in json.dumps(stored.payload)
