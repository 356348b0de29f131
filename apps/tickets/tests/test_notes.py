"""Notes in conversations reach the team, and never the contact."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.queues.models import Queue
from apps.realtime.rooms import user_room
from apps.tickets.models import Delivery, Message, NoteMention, Ticket, TicketActivity
from apps.tickets.rooms import chat_rooms
from conftest import ClientFor
from tests.events import Listeners, Told
from tests.factories import make_message, make_queue, make_user


@pytest.fixture
def heard(listeners: Listeners) -> list[Told]:
    seen: list[Told] = []
    names = {"conversationNote", "ticketMention", "ticket", "appMessage"}
    listeners.append(lambda each: seen.append(each) if each.event in names else None)
    return seen


def write(client: Any, ticket: Ticket, text: str = "Ligar amanhã", **mentions: list[int]) -> Any:
    return client.post(f"/api/tickets/{ticket.pk}/notes", {"text": text, **mentions})


def mentions(client: Any) -> list[tuple[int, bool]]:
    rows = client.get("/api/tickets/mentions").json()["mentions"]
    return [(row["note"]["id"], row["seen"]) for row in rows]


def test_a_note_is_in_the_conversation_and_sends_nothing(
    client_for: ClientFor, agent: User, ticket: Ticket, heard: list[Told]
) -> None:
    before = Ticket.objects.values().get(pk=ticket.pk)
    answer = write(client_for(agent), ticket, " Ligar amanhã\n")
    assert answer.status_code == 201, answer.content
    row = answer.json()
    assert (row["kind"], row["note"], row["actorId"]) == ("noted", "Ligar amanhã", agent.pk)
    page = client_for(agent).get(f"/api/messages/{ticket.pk}").json()
    assert page["events"] == [row]
    assert not Message.objects.exists()
    assert not Delivery.objects.exists()
    assert Ticket.objects.values().get(pk=ticket.pk) == before
    [told] = heard
    assert (told.event, told.payload["note"]["id"]) == ("conversationNote", row["id"])
    assert set(told.rooms or ()) == set(chat_rooms(ticket))


def test_a_note_whose_answer_was_lost_is_written_once(
    client_for: ClientFor, admin: User, agent: User, ticket: Ticket, heard: list[Told]
) -> None:
    body = {"text": "Oi", "userIds": [admin.pk], "clientId": str(uuid4())}
    path = f"/api/tickets/{ticket.pk}/notes"
    first, second = (client_for(agent).post(path, body, format="json") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201), second.content
    assert first.json() == second.json()
    assert NoteMention.objects.count() == 1
    assert [each.event for each in heard].count("ticketMention") == 1
    # It is the user's own: the id of somebody else's note writes another one.
    body["userIds"] = []
    other = client_for(admin).post(path, body, format="json")
    assert other.json()["id"] != first.json()["id"]


@pytest.mark.parametrize("status", ["pending", "closed"])
def test_who_may_read_it_writes_notes_whatever_the_status(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, ticket: Ticket, status: str
) -> None:
    Ticket.objects.update(status=status)
    colleague = make_user(acme, queues=[queue])
    assert write(client_for(colleague), ticket).status_code == 201
    stranger = make_user(acme)
    assert write(client_for(stranger), ticket).status_code == 403
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert write(client_for(stranger), ticket).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": " \n"},
        {"text": "a" * 4097},
        {"text": "Oi", "userIds": list(range(1, 22))},
        {"text": "Oi", "send": True},
    ],
)
def test_a_wrong_note_writes_nothing(
    client_for: ClientFor, agent: User, ticket: Ticket, body: dict[str, Any]
) -> None:
    answer = client_for(agent).post(f"/api/tickets/{ticket.pk}/notes", body)
    assert answer.status_code == 400, answer.content
    assert answer.json()["code"] == "ERR_VALIDATION"
    assert not TicketActivity.objects.exists()


def test_who_is_mentioned_is_told_alone_and_finds_it_until_it_was_opened(
    client_for: ClientFor,
    admin: User,
    agent: User,
    outsider: User,
    ticket: Ticket,
    heard: list[Told],
) -> None:
    message = make_message(ticket)
    Ticket.objects.update(latest_message=message)
    answer = write(client_for(agent), ticket, f"@{admin.name} pode ver?", userIds=[admin.pk])
    note = answer.json()
    assert note["mentions"] == [{"kind": "user", "name": admin.name}]
    [told] = [each for each in heard if each.event == "ticketMention"]
    assert list(told.rooms or ()) == [user_room(admin.pk)]
    assert told.payload["mention"]["note"]["id"] == note["id"]
    assert told.payload["mention"]["messageId"] == message.pk
    assert told.payload["mention"]["ticket"]["id"] == ticket.pk
    assert mentions(client_for(admin)) == [(note["id"], False)]
    assert mentions(client_for(agent)) == mentions(client_for(outsider)) == []
    heard.clear()
    for _ in range(2):
        seen = client_for(admin).put(f"/api/tickets/{ticket.pk}/mentions")
        assert seen.status_code == 204
    assert mentions(client_for(admin)) == [(note["id"], True)]
    [told] = heard
    assert (told.payload["action"], told.payload["ticketId"]) == ("seen", ticket.pk)


def test_a_queue_stands_for_its_active_members_but_the_writer(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, ticket: Ticket
) -> None:
    colleague = make_user(acme, queues=[queue])
    gone = make_user(acme, queues=[queue])
    User.objects.filter(pk=gone.pk).update(is_active=False)
    answer = write(client_for(agent), ticket, f"@{queue.name}", queueIds=[queue.pk])
    assert answer.json()["mentions"] == [{"kind": "queue", "name": queue.name}]
    assert list(NoteMention.objects.values_list("user", flat=True)) == [colleague.pk]


def test_who_may_not_read_it_is_not_mentioned(
    client_for: ClientFor, acme: Company, agent: User, admin: User, ticket: Ticket
) -> None:
    stranger = make_user(acme, name="Bruno")
    elsewhere = make_queue(acme, name="Suporte")
    elsewhere.users.add(stranger)
    for body, name in (
        ({"userIds": [stranger.pk, admin.pk]}, "Bruno"),
        ({"queueIds": [elsewhere.pk]}, "Suporte"),
    ):
        answer = write(client_for(agent), ticket, "Olhem", **body)
        assert (answer.status_code, answer.json()["code"]) == (400, "ERR_MENTION_NOT_READABLE")
        assert answer.json()["message"].startswith(f"{name}:")
    assert not TicketActivity.objects.exists()
    elsewhere.users.add(admin)
    assert write(client_for(agent), ticket, queueIds=[elsewhere.pk]).status_code == 201
    assert list(NoteMention.objects.values_list("user", flat=True)) == [admin.pk]


def test_a_user_of_another_company_is_not_mentioned(
    client_for: ClientFor, agent: User, outsider: User, ticket: Ticket
) -> None:
    answer = write(client_for(agent), ticket, userIds=[outsider.pk])
    assert (answer.status_code, answer.json()["fieldCodes"]) == (
        400,
        {"userIds": "does_not_exist"},
    )
    assert not TicketActivity.objects.exists()


def test_the_writer_or_an_admin_deletes_it_for_everyone(
    client_for: ClientFor,
    acme: Company,
    admin: User,
    agent: User,
    queue: Queue,
    ticket: Ticket,
    heard: list[Told],
) -> None:
    colleague = make_user(acme, queues=[queue])
    first = write(client_for(agent), ticket, userIds=[colleague.pk]).json()["id"]
    second = write(client_for(agent), ticket).json()["id"]
    address = f"/api/tickets/{ticket.pk}/notes"
    assert client_for(colleague).delete(f"{address}/{first}").status_code == 403
    heard.clear()
    assert client_for(agent).delete(f"{address}/{first}").status_code == 200
    assert [(each.event, each.payload["noteId"]) for each in heard] == [
        ("conversationNote", first),
        ("ticketMention", first),
    ]
    assert mentions(client_for(colleague)) == []
    assert client_for(agent).delete(f"{address}/{first}").status_code == 404
    assert client_for(admin).delete(f"{address}/{second}").status_code == 200
    assert not TicketActivity.objects.exists()


def test_no_other_line_of_the_activity_is_deleted(
    client_for: ClientFor, admin: User, ticket: Ticket
) -> None:
    line = ticket.activities.create(kind="accepted", actor=admin)
    answer = client_for(admin).delete(f"/api/tickets/{ticket.pk}/notes/{line.pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_NOTE_FOUND")
    assert TicketActivity.objects.filter(pk=line.pk).exists()


def test_a_mention_that_may_not_be_read_any_more_or_is_old_is_not_listed(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, ticket: Ticket
) -> None:
    colleague = make_user(acme, queues=[queue])
    write(client_for(agent), ticket, userIds=[colleague.pk])
    Ticket.objects.update(queue=make_queue(acme, name="Suporte"))
    assert mentions(client_for(colleague)) == []
    Ticket.objects.update(queue=queue)
    assert len(mentions(client_for(colleague))) == 1
    NoteMention.objects.update(created_at=timezone.now() - timedelta(days=91))
    assert mentions(client_for(colleague)) == []


def test_notes_and_mentions_cost_a_conversation_and_the_list_no_further_query(
    client_for: ClientFor, admin: User, agent: User, ticket: Ticket
) -> None:
    def asked(address: str) -> int:
        with CaptureQueriesContext(database) as queries:
            assert client_for(admin).get(address).status_code == 200
        return len(queries)

    write(client_for(agent), ticket, userIds=[admin.pk])
    before = asked("/api/tickets/mentions"), asked(f"/api/messages/{ticket.pk}?peek=true")
    for _ in range(3):
        write(client_for(agent), ticket, userIds=[admin.pk])
    assert (asked("/api/tickets/mentions"), asked(f"/api/messages/{ticket.pk}?peek=true")) == before
