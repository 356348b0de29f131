from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import (
    Delivery,
    Message,
    MessageReaction,
    Ticket,
    TicketActivity,
    TicketActivityKind,
)
from conftest import ClientFor
from tests.factories import (
    make_connection,
    make_contact,
    make_message,
    make_queue,
    make_ticket,
    make_user,
)

Read = Any


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    return make_ticket(acme, connection=connection, queue=queue, user=agent, status="open")


@pytest.fixture
def read(client_for: ClientFor) -> Read:
    def get(user: User, ticket: Ticket, **query: Any) -> dict[str, Any]:
        response = client_for(user).get(f"/api/messages/{ticket.pk}", query)
        assert response.status_code == 200, response.content
        body: dict[str, Any] = response.json()
        return body

    return get


def ids(page: dict[str, Any]) -> list[int]:
    return [row["id"] for row in page["messages"]]


def test_pages_go_from_the_newest_and_inside_from_the_oldest(
    read: Read, agent: User, ticket: Ticket
) -> None:
    written = [make_message(ticket, body=str(number)).pk for number in range(45)]
    first = read(agent, ticket)
    assert ids(first) == written[25:]
    assert (first["count"], first["hasMore"], first["ticket"]["id"]) == (45, True, ticket.pk)
    assert ids(read(agent, ticket, pageNumber=2)) == written[5:25]
    last = read(agent, ticket, pageNumber=3)
    assert (ids(last), last["hasMore"], last["count"]) == (written[:5], False, 45)
    assert ids(read(agent, ticket, pageNumber=4)) == []


def test_a_cursor_stands_still_while_messages_arrive(
    read: Read, agent: User, ticket: Ticket
) -> None:
    written = [make_message(ticket).pk for _ in range(45)]
    page = read(agent, ticket, beforeId=written[25])
    assert (ids(page), page["hasMore"]) == (written[5:25], True)
    page = read(agent, ticket, beforeId=written[5])
    assert (ids(page), page["hasMore"], page["count"]) == (written[:5], False, 45)
    page = read(agent, ticket, afterId=written[22])
    assert (ids(page), page["hasMore"]) == (written[23:43], True)
    page = read(agent, ticket, afterId=written[42])
    assert (ids(page), page["hasMore"]) == (written[43:], False)
    assert ids(read(agent, ticket, afterId=written[-1])) == []


def test_it_spans_the_contacts_tickets_on_the_connection(
    read: Read, acme: Company, agent: User, queue: Queue, ticket: Ticket
) -> None:
    earlier = make_ticket(
        acme, contact=ticket.contact, connection=ticket.connection, queue=queue, status="closed"
    )
    elsewhere = make_ticket(acme, contact=ticket.contact, connection=make_connection(acme))
    old, other = make_message(earlier), make_message(elsewhere)
    new = make_message(ticket)
    page = read(agent, ticket)
    assert ids(page) == [old.pk, new.pk]
    assert [row["ticketId"] for row in page["messages"]] == [earlier.pk, ticket.pk]
    assert other.pk not in ids(page)


def test_tickets_that_the_caller_may_not_see_stay_out(
    read: Read, acme: Company, agent: User, admin: User, ticket: Ticket
) -> None:
    hidden = make_ticket(
        acme,
        contact=ticket.contact,
        connection=ticket.connection,
        queue=make_queue(acme),
        status="closed",
    )
    TicketActivity.objects.create(ticket=hidden, kind="resolved")
    secret, shown = make_message(hidden), make_message(ticket)
    page = read(agent, ticket)
    assert (ids(page), page["count"], page["events"]) == ([shown.pk], 1, [])
    assert ids(read(admin, ticket)) == [secret.pk, shown.pk]
    assert len(read(admin, ticket)["events"]) == 1
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert ids(read(agent, ticket)) == [secret.pk, shown.pk]


def test_its_own_messages_stay_after_a_change_of_connection(
    client_for: ClientFor, read: Read, acme: Company, agent: User, ticket: Ticket
) -> None:
    before = [make_message(ticket).pk for _ in range(25)]
    second = make_connection(acme)
    path = f"/api/tickets/{ticket.pk}"
    client_for(agent).put(path, {"whatsappId": second.pk}, format="json")
    ticket.refresh_from_db()
    after = make_message(ticket).pk
    page = read(agent, ticket)
    assert ids(page) == [*before[6:], after]
    assert (page["count"], page["hasMore"]) == (26, True)
    assert ids(read(agent, ticket, pageNumber=2)) == before[:6]
    assert ids(read(agent, ticket, beforeId=before[6])) == before[:6]


def test_without_a_connection_only_its_own_are_left(
    read: Read, agent: User, ticket: Ticket
) -> None:
    message = make_message(ticket)
    Message.objects.update(connection=None)
    Ticket.objects.update(connection=None)
    assert ids(read(agent, ticket)) == [message.pk]


def test_each_history_line_comes_with_exactly_one_page(
    read: Read, agent: User, ticket: Ticket
) -> None:
    start = timezone.now() - timedelta(days=1)
    written = []
    for minute in range(45):
        message = make_message(ticket, created_at=start + timedelta(minutes=minute))
        written.append(message.pk)
    activities = [
        TicketActivity.objects.create(
            ticket=ticket,
            kind=TicketActivityKind.ACCEPTED,
            created_at=start + timedelta(minutes=minute),
            detail={"actor": "Bob", "user": "Bob", "queue": "Vendas", "connection": "Loja"},
        ).pk
        for minute in (-5.0, 4.5, 10.5, 24.5, 30.5, 60.0)
    ]
    pages = [read(agent, ticket, pageNumber=number) for number in (1, 2, 3)]
    found = [[activity["id"] for activity in page["events"]] for page in pages]
    assert found == [activities[4:], activities[2:4], activities[:2]]
    by_cursor = [
        read(agent, ticket),
        read(agent, ticket, beforeId=written[25]),
        read(agent, ticket, beforeId=written[5]),
    ]
    assert [[activity["id"] for activity in page["events"]] for page in by_cursor] == found
    newer = read(agent, ticket, afterId=written[42])
    assert [activity["id"] for activity in newer["events"]] == activities[5:]
    activity = pages[0]["events"][0]
    assert (activity["kind"], activity["actorName"], activity["queueName"]) == (
        "accepted",
        "Bob",
        "Vendas",
    )


def test_the_holder_reads_and_unread_is_gone_without_moving_the_ticket(
    read: Read, agent: User, ticket: Ticket, told: list[Any]
) -> None:
    messages = [make_message(ticket) for _ in range(3)]
    Message.objects.filter(pk=messages[0].pk).update(is_read=True)
    moved_at = timezone.now() - timedelta(hours=1)
    Ticket.objects.update(unread_count=2, updated_at=moved_at)
    page = read(agent, ticket)
    assert page["ticket"]["unreadMessages"] == 0
    assert [row["read"] for row in page["messages"]] == [True, True, True]
    ticket.refresh_from_db()
    assert (ticket.unread_count, ticket.updated_at) == (0, moved_at)
    receipt = Delivery.objects.get()
    assert (receipt.kind, receipt.message_id) == ("read", messages[-1].pk)
    assert [(each.event, each.payload) for each in told] == [
        ("ticket", {"action": "updateUnread", "ticketId": ticket.pk})
    ]
    read(agent, ticket)
    assert Delivery.objects.count() == 1


@pytest.mark.parametrize("looks", ["admin", "colleague", "pending"])
def test_any_other_look_resets_nothing_and_sends_no_receipt(
    read: Read,
    acme: Company,
    admin: User,
    agent: User,
    queue: Queue,
    ticket: Ticket,
    looks: str,
) -> None:
    make_message(ticket)
    Ticket.objects.update(unread_count=1)
    if looks == "pending":
        Ticket.objects.update(status="pending", user=None)
    reader = {"admin": admin, "colleague": make_user(acme, queues=[queue]), "pending": agent}
    page = read(reader[looks], ticket)
    assert page["ticket"]["unreadMessages"] == 1
    assert page["messages"][0]["read"] is False
    assert not Delivery.objects.exists()


def test_a_page_fetched_ahead_of_being_opened_reads_nothing(
    read: Read, agent: User, ticket: Ticket, told: list[Any]
) -> None:
    message = make_message(ticket)
    Ticket.objects.update(unread_count=1)
    page = read(agent, ticket, peek="true")
    assert [row["id"] for row in page["messages"]] == [message.pk]
    assert page["ticket"]["unreadMessages"] == 1
    assert not told
    assert not Delivery.objects.exists()
    assert read(agent, ticket)["ticket"]["unreadMessages"] == 0


def test_a_row_carries_quote_reactions_participant_and_file(
    read: Read, acme: Company, agent: User, ticket: Ticket
) -> None:
    photo = make_message(
        ticket,
        body="olha.jpg",
        media_type="image",
        media_path=f"{acme.pk}/abc.jpg",
        media_name="olha.jpg",
        media_mime="image/jpeg",
        media_size=3,
        media_state="ready",
    )
    member = make_contact(acme, name="Pedro")
    answer = make_message(
        ticket,
        body="Bonita",
        from_me=True,
        quoted=photo,
        user=agent,
        source="agent",
        ack=4,
        data={"a": "ç"},
    )
    Message.objects.filter(pk=photo.pk).update(participant=member)
    MessageReaction.objects.create(message=photo, from_me=True, user=agent, emoji="👍")
    MessageReaction.objects.create(message=photo, from_me=False, sender=ticket.contact, emoji="❤️")
    rows = read(agent, ticket)["messages"]
    assert rows[0]["mediaUrl"].startswith("http")
    assert f"{acme.pk}/abc.jpg" in rows[0]["mediaUrl"]
    assert (rows[0]["mediaState"], rows[0]["mediaSize"]) == ("ready", 3)
    assert rows[0]["participant"] == {"id": member.pk, "name": "Pedro"}
    assert rows[0]["reactions"] == [
        {"emoji": "👍", "fromMe": True, "name": "Bob"},
        {"emoji": "❤️", "fromMe": False, "name": ticket.contact.name},
    ]
    assert (rows[0]["quotedMsg"], rows[0]["dataJson"]) == (None, None)
    quoted = rows[1]["quotedMsg"]
    assert (quoted["id"], quoted["body"], quoted["mediaUrl"]) == (
        photo.pk,
        "olha.jpg",
        rows[0]["mediaUrl"],
    )
    assert (rows[1]["userName"], rows[1]["source"], rows[1]["ack"]) == ("Bob", "agent", 4)
    assert rows[1]["dataJson"] == '{"a":"ç"}'
    assert rows[1]["mediaState"] is None
    assert rows[1].keys() >= {
        *("id", "ticketId", "body", "fromMe", "ack", "mediaType", "mediaUrl", "quotedMsg"),
        *("isDeleted", "isEdited", "remoteJid", "dataJson", "createdAt", "contact"),
    }
    assert rows[1]["wid"] == answer.external_id
    assert rows[1]["contact"]["number"] == ticket.contact.number


def test_a_page_takes_few_queries_however_long_the_conversation(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    ticket: Ticket,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(3):
        make_message(ticket)
    client = client_for(agent)
    path = f"/api/messages/{ticket.pk}"
    with django_assert_num_queries(5):
        client.get(path)
    previous = None
    for _ in range(45):
        previous = make_message(ticket, quoted=previous)
        MessageReaction.objects.create(
            message=previous, from_me=False, sender=ticket.contact, emoji="❤️"
        )
    with django_assert_num_queries(5):
        client.get(path)
    with django_assert_num_queries(5):
        client.get(path, {"beforeId": previous.pk if previous else 0})


def test_a_conversation_is_closed_to_others(
    client_for: ClientFor, acme: Company, agent: User, outsider: User, ticket: Ticket
) -> None:
    path = f"/api/messages/{ticket.pk}"
    assert client_for(outsider).get(path).status_code == 404
    assert client_for(make_user(acme)).get(path).status_code == 403


@pytest.mark.parametrize(
    ("field", "value"), [("beforeId", "x"), ("afterId", "0"), ("pageNumber", "zero")]
)
def test_a_bad_page_is_refused_by_name(
    client_for: ClientFor, agent: User, ticket: Ticket, field: str, value: str
) -> None:
    response = client_for(agent).get(f"/api/messages/{ticket.pk}", {field: value})
    assert response.status_code == 400
    assert list(response.json()["fields"]) == [field]


def test_a_page_around_a_message_leads_both_ways(read: Read, agent: User, ticket: Ticket) -> None:
    written = [make_message(ticket, body=str(number)).pk for number in range(100)]
    page = read(agent, ticket, aroundId=written[49])
    assert ids(page) == written[30:70]
    assert (page["hasMore"], page["hasNewer"], page["count"]) == (True, True, 100)
    older = read(agent, ticket, beforeId=written[30])
    assert (ids(older), older["hasMore"], older["hasNewer"]) == (written[10:30], True, True)
    newer = read(agent, ticket, afterId=written[69])
    assert (ids(newer), newer["hasMore"], newer["hasNewer"]) == (written[70:90], True, True)
    newest = read(agent, ticket, afterId=written[89])
    assert (ids(newest), newest["hasNewer"]) == (written[90:], False)
    assert read(agent, ticket)["hasNewer"] is False
    assert read(agent, ticket, pageNumber=2)["hasNewer"] is True
    first = read(agent, ticket, aroundId=written[0])
    assert (ids(first), first["hasMore"]) == (written[:21], False)
    last = read(agent, ticket, aroundId=written[99])
    assert (ids(last), last["hasNewer"]) == (written[80:], False)


def test_history_lines_come_once_around_a_message_too(
    read: Read, agent: User, ticket: Ticket
) -> None:
    start = timezone.now() - timedelta(days=1)
    written = [
        make_message(ticket, created_at=start + timedelta(minutes=minute)).pk
        for minute in range(60)
    ]
    activities = [
        TicketActivity.objects.create(
            ticket=ticket,
            kind=TicketActivityKind.ACCEPTED,
            created_at=start + timedelta(minutes=minute),
            detail={"actor": "Bob"},
        ).pk
        for minute in (5.5, 9.5, 20.5, 48.5, 49.5, 70.0)
    ]
    around = read(agent, ticket, aroundId=written[29])
    assert ids(around) == written[10:50]
    pages = [
        read(agent, ticket, beforeId=written[10]),
        around,
        read(agent, ticket, afterId=written[49]),
    ]
    assert [activity["id"] for page in pages for activity in page["events"]] == activities


def test_a_message_of_another_conversation_has_no_page_around_it(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket
) -> None:
    make_message(ticket)
    hidden = make_ticket(
        acme,
        contact=ticket.contact,
        connection=ticket.connection,
        queue=make_queue(acme),
        status="closed",
    )
    for stranger in (make_message(hidden), make_message(make_ticket(acme))):
        path = f"/api/messages/{ticket.pk}?aroundId={stranger.pk}"
        assert client_for(agent).get(path).status_code == 404


def test_a_transferred_tickets_pages_take_no_more_than_eight_queries(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    ticket: Ticket,
    django_assert_max_num_queries: Any,
) -> None:
    before = [make_message(ticket).pk for _ in range(45)]
    second = make_connection(acme)
    client = client_for(agent)
    client.put(f"/api/tickets/{ticket.pk}", {"whatsappId": second.pk}, format="json")
    ticket.refresh_from_db()
    after = [make_message(ticket).pk for _ in range(45)]
    written = [*before, *after]
    path = f"/api/messages/{ticket.pk}"
    for query, expected in (
        ({}, written[70:]),
        ({"pageNumber": 3}, written[30:50]),
        ({"beforeId": written[50]}, written[30:50]),
        ({"afterId": written[40]}, written[41:61]),
        ({"aroundId": written[45]}, written[26:66]),
    ):
        with django_assert_max_num_queries(8):
            page = client.get(path, query).json()
        assert (ids(page), page["count"]) == (expected, 90)
