"""The past of a number that stays in its phone's app: closed tickets, silently, once."""

import random
import time
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundHistory
from apps.connections.providers.official.webhook import notices, parse_notice
from apps.contacts.models import Contact
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due, store_notices
from apps.inbound.tests.phone import ACCOUNT, NUMBER_ID, OWN, chunk, notification, said, thread
from apps.queues.models import Queue
from apps.tickets.models import Delivery, MediaFetch, Message, MessageReaction, Ticket
from conftest import ClientFor
from tests import factories

pytestmark = pytest.mark.django_db
ANA, BIA = "5511999990001", "5511999990002"
NOW = int(time.time())
DAY = 86_400


@pytest.fixture
def number(acme: Company, queue: Queue) -> Connection:
    number = factories.make_connection(
        acme, phone_number_id=NUMBER_ID, waba_id=ACCOUNT, number=OWN, is_coexistence=True
    )
    number.queues.add(queue)
    return number


def told(*bodies: dict[str, Any]) -> None:
    """Store notifications and handle them."""
    for body in bodies:
        store_notices(notices(body))
    while process_due(limit=100):
        pass
    assert not InboundEvent.objects.unfinished().exists(), "an event was not handled"


def live(number: str, at: int, text: str) -> dict[str, Any]:
    message = {key: value for key, value in said(number, at, text).items() if key[:4] != "hist"}
    return notification("messages", messages=[message], contacts=[{"wa_id": number}])


def conversation(number: str) -> list[str]:
    """Return what was said with somebody, as it is read."""
    rows = Message.objects.filter(contact__number=number).order_by("pk")
    return list(rows.values_list("body", flat=True))


def test_the_past_becomes_a_closed_ticket_in_silence(
    number: Connection, queue: Queue, events: list[dict[str, Any]]
) -> None:
    told(
        chunk(
            thread(
                ANA,
                said(ANA, NOW - 3 * DAY, "Tem bolo?"),
                said(ANA, NOW - 3 * DAY + 60, "Temos!", from_me=True),
            ),
            thread(BIA, said(BIA, NOW - DAY, "Abre domingo?")),
        )
    )
    ticket = Ticket.objects.get(contact__number=ANA)
    assert (ticket.status, ticket.unread_count, ticket.last_message) == ("closed", 0, "Temos!")
    assert (ticket.queue, ticket.chatbot, ticket.user) == (queue, False, None)
    assert ticket.created_at.timestamp() == NOW - 3 * DAY
    assert ticket.updated_at.timestamp() == NOW - 3 * DAY + 60
    first, answer = Message.objects.filter(ticket=ticket).order_by("pk")
    assert (first.from_me, first.source, first.is_read) == (False, "contact", True)
    assert (answer.from_me, answer.source, answer.ack) == (True, "phone", 4)
    assert not Delivery.objects.exists()
    assert [each["event"] for each in events if "Message" in each["event"]] == []
    assert Ticket.objects.count() == 2


def test_phases_that_come_backwards_are_read_in_the_order_of_time(number: Connection) -> None:
    told(chunk(thread(ANA, said(ANA, NOW - 3600, "Ontem")), progress=10))
    told(live(ANA, NOW, "Agora"))
    told(chunk(thread(ANA, said(ANA, NOW - 150 * DAY, "Há meses")), phase=2))
    told(chunk(thread(ANA, said(ANA, NOW - 40 * DAY, "Há semanas")), phase=1, progress=60))
    assert conversation(ANA) == ["Há meses", "Há semanas", "Ontem", "Agora"]


def test_a_live_ticket_is_not_disturbed(number: Connection) -> None:
    told(live(ANA, NOW, "Agora"))
    before = Ticket.objects.get()
    told(chunk(thread(ANA, said(ANA, NOW, "Agora"), said(ANA, NOW - DAY, "Ontem"))))
    after = Ticket.objects.get(pk=before.pk)
    assert (after.status, after.unread_count, after.updated_at) == (
        "pending",
        1,
        before.updated_at,
    )
    assert Message.objects.filter(ticket=before).count() == 1
    assert Ticket.objects.get(status="closed").last_message == "Ontem"
    assert Message.objects.count() == 2


def test_a_file_takes_its_placeholders_place_whichever_comes_first(number: Connection) -> None:
    placeholders = [
        said(ANA, NOW - 60 + each, f"f{each}", type="media_placeholder") for each in (1, 2)
    ]
    for each in placeholders:
        del each["text"]
    files = [
        {**each, "type": "image", "image": {"id": f"9{place}", "mime_type": "image/jpeg"}}
        for place, each in enumerate(placeholders)
    ]
    told(notification("history", messages=files[:1]))
    told(chunk(thread(ANA, *placeholders)))
    assert sorted(Message.objects.values_list("media_type", flat=True)) == ["image", "unknown"]
    told(notification("history", messages=files))
    assert list(Message.objects.values_list("media_type", flat=True)) == ["image", "image"]
    assert sorted(MediaFetch.objects.values_list("media_id", flat=True)) == ["90", "91"]
    assert Ticket.objects.get().unread_count == 0


def test_reactions_and_replies_find_their_message_from_either_side(number: Connection) -> None:
    question = said(ANA, NOW - 90, "Tem bolo?")
    reply = said(ANA, NOW - 80, "Esse", context={"id": question["id"]})
    reaction = said(
        ANA, NOW - 70, "r", type="reaction", reaction={"message_id": question["id"], "emoji": "x"}
    )
    del reaction["text"]
    told(chunk(thread(ANA, reaction, reply)), chunk(thread(ANA, question), order=2))
    assert Message.objects.get(body="Esse").quoted == Message.objects.get(body="Tem bolo?")
    assert MessageReaction.objects.get().message.body == "Tem bolo?"
    assert Message.objects.count() == 2


def test_a_refusal_to_share_is_read() -> None:
    body = notification(
        "history", history=[{"errors": [{"code": 2593109, "message": "Declined to share"}]}]
    )
    (number, notice), *others = notices(body)
    found = parse_notice(notice.kind, notice.payload)
    assert (number, others) == (NUMBER_ID, [])
    assert isinstance(found, InboundHistory) and found.is_declined
    assert found.error == "Declined to share"


def test_a_notification_is_cut_into_parts_without_loss() -> None:
    threads = [
        thread(
            f"55119{each:08}", *(said(f"55119{each:08}", NOW - place, "x") for place in range(90))
        )
        for each in range(10)
    ]
    routed = notices(chunk(*threads, progress=70))
    found = [parse_notice(notice.kind, notice.payload) for _, notice in routed]
    parts = [each for each in found if isinstance(each, InboundHistory)]
    assert len(parts) == len(routed) == 5
    assert sum(len(part.messages) for part in parts) == 900
    assert max(len(part.messages) for part in parts) == 200
    assert [part.progress for part in parts] == [None] * 4 + [70]
    assert {notice.partition for _, notice in routed} == {"history"}


def state() -> list[Any]:
    """Return the database as people see it, without the ids that order gave by chance."""
    tickets = [
        (each.contact.number, each.status, each.last_message, each.created_at, each.updated_at)
        for each in Ticket.objects.select_related("contact").order_by("contact__number")
    ]
    talks = [
        list(
            Message.objects.filter(contact=contact)
            .order_by("pk")
            .values_list("external_id", "body", "from_me", "ack", "created_at", "quoted__body")
        )
        for contact in Contact.objects.order_by("number")
    ]
    return [tickets, talks]


def past(seed: int) -> list[dict[str, Any]]:
    """Return chunks of three phases with a few people's messages, some of one second."""
    draw = random.Random(seed)
    chunks = []
    moment = NOW - 170 * DAY
    for order in range(12):
        threads = []
        for person in draw.sample(range(6), 4):
            who = f"55119{person:08}"
            talk = []
            for each in range(draw.randint(1, 8)):
                moment += draw.choice((0, 1, 3600))
                talk.append(said(who, moment, f"{order}.{each}", from_me=draw.random() < 0.4))
            if talk[:-1]:
                talk[-1]["context"] = {"id": talk[0]["id"]}
            threads.append(thread(who, *talk))
        chunks.append(chunk(*threads, phase=2 - order // 4, order=order, progress=order))
    return chunks


@pytest.mark.parametrize("seed", range(3))
def test_chunks_in_any_order_and_repeated_make_the_same_rows(number: Connection, seed: int) -> None:
    chunks = past(seed)
    told(*chunks)
    expected = state()
    for model in (Ticket, Contact, InboundEvent):
        model.objects.all().delete()
    draw = random.Random(seed + 100)
    mixed = [*chunks, *draw.choices(chunks, k=8)]
    draw.shuffle(mixed)
    for each in mixed:
        told(each)
    InboundEvent.objects.all().delete()  # retention: what is told again is new to the event log
    told(*chunks)
    assert state() == expected


def test_the_statements_do_not_grow_with_the_people(number: Connection) -> None:
    def cost(*people: str) -> int:
        spans = range(180 // len(people))
        talks = [
            thread(who, *(said(who, NOW - int(who[-4:]) * 999 - each, "x") for each in spans))
            for who in people
        ]
        store_notices(notices(chunk(*talks)))
        with CaptureQueriesContext(database) as queries:
            process_due(limit=100)
        return len(queries)

    cost("5511988880000")
    assert cost("5511988880001") == cost(*(f"551198888001{each}" for each in range(6)))


def test_search_and_the_closed_list_have_it(
    number: Connection, admin: User, client_for: ClientFor
) -> None:
    told(chunk(thread(ANA, said(ANA, NOW - DAY, "Coxinha de jaca"))))
    client = client_for(admin)
    for query in ("status=closed&showAll=true", "searchParam=jaca&showAll=true"):
        found = client.get(f"/api/tickets?{query}").json()["tickets"]
        assert [each["contact"]["number"] for each in found] == [ANA], query


def entry(number: str, name: str, action: str = "add") -> dict[str, Any]:
    contact = {"full_name": name, "first_name": name.split(maxsplit=1)[0], "phone_number": number}
    return {"type": "contact", "action": action, "contact": contact, "metadata": {"timestamp": "1"}}


def test_the_address_book_names_people_and_takes_nobody_away(number: Connection) -> None:
    told(chunk(thread(ANA, said(ANA, NOW - DAY, "Oi"))))
    told(
        notification("smb_app_state_sync", state_sync=[entry(ANA, "Ana Souza"), entry(BIA, "Bia")])
    )
    told(
        notification(
            "smb_app_state_sync",
            state_sync=[entry(ANA, "Outra"), entry(BIA, "Bia", action="remove"), "?"],
        )
    )
    names = Contact.objects.order_by("number").values_list("number", "name")
    assert list(names) == [(ANA, "Ana Souza"), (BIA, "Bia")]


def echo(number: str, at: int, text: str, **also: Any) -> dict[str, Any]:
    message = said(number, at, text, from_me=True, **also)
    del message["history_context"]
    return notification("smb_message_echoes", message_echoes=[message])


def test_what_is_written_on_the_phone_appears_live_with_its_edits(
    number: Connection, events: list[dict[str, Any]]
) -> None:
    told(live(ANA, NOW - 60, "Tem bolo?"))
    before = Ticket.objects.get()
    events.clear()
    told(echo(ANA, NOW, "Temos"))
    message = Message.objects.get(body="Temos")
    assert (message.from_me, message.source, message.user) == (True, "phone", None)
    assert message.ticket == before and any("Message" in each["event"] for each in events)
    new = {"type": "text", "text": {"body": "Temos dois"}}
    edit = {"original_message_id": message.external_id, "message": new}
    told(echo(ANA, NOW + 1, "e", type="edit", edit=edit))
    message.refresh_from_db()
    assert (message.body, message.is_edited) == ("Temos dois", True)
    revoke = {"original_message_id": message.external_id}
    told(echo(ANA, NOW + 2, "r", type="revoke", revoke=revoke))
    message.refresh_from_db()
    assert message.is_deleted
    assert Ticket.objects.get().unread_count == before.unread_count


def test_five_thousand_messages_shuffled_and_repeated_are_stored_once(number: Connection) -> None:
    began, people = NOW - 170 * DAY, [f"55119{each:08}" for each in range(50)]
    messages = [
        said(people[each % 50], began + each * 2900, f"{each}", from_me=each % 3 == 0)
        for each in range(5000)
    ]
    draw = random.Random(7)
    draw.shuffle(messages)
    bodies = []
    for start in range(0, 5000, 500):
        threads: dict[str, list[Any]] = {}
        for message in messages[start : start + 500]:
            threads.setdefault(message["id"].split(".")[1], []).append(message)
        bodies.append(chunk(*(thread(who, *said) for who, said in threads.items())))
    told(*bodies, *draw.choices(bodies, k=3))
    InboundEvent.objects.all().delete()
    told(*draw.sample(bodies, k=2))
    assert (Message.objects.count(), Ticket.objects.count()) == (5000, 50)
    for who in people[:5]:
        told_in_order = [int(each) for each in conversation(who)]
        assert told_in_order == sorted(told_in_order) and len(told_in_order) == 100


def test_what_comes_live_goes_before_the_past(number: Connection) -> None:
    people = [f"55119{each:08}" for each in range(8)]
    for who in people:
        store_notices(notices(chunk(thread(who, *(said(who, NOW - 9, str(n)) for n in range(9))))))
    store_notices(notices(live(ANA, NOW, "Agora")))
    process_due(limit=100)
    assert list(Message.objects.values_list("body", flat=True)) == ["Agora"]
    process_due(limit=100)
    assert Message.objects.count() == 1 + 5 * 9
