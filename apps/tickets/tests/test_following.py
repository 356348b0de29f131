"""Who waits for a contact is told of the next message, wherever it comes."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.queues.models import Queue
from apps.realtime.rooms import user_room
from apps.tickets.models import Message, Ticket, TicketDraft, TicketFollow
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.services.tickets.following import MAX_FOLLOWS
from conftest import ClientFor
from tests.events import Listeners, Told
from tests.factories import make_queue, make_role, make_ticket, make_user


@pytest.fixture
def told(listeners: Listeners) -> list[Told]:
    seen: list[Told] = []
    listeners.append(lambda each: seen.append(each) if each.event == "ticketFollow" else None)
    return seen


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    return make_ticket(
        acme,
        connection=connection,
        queue=queue,
        user=agent,
        status="open",
        last_inbound_at=timezone.now() - timedelta(hours=30),
    )


def hear(ticket: Ticket, wid: str = "wamid.in1", **fields: Any) -> Message:
    assert ticket.connection is not None
    inbound = InboundMessage(
        external_id=wid,
        sender=ticket.contact.number,
        sender_name=ticket.contact.name,
        media_type="conversation",
        body="Voltei",
        sent_at=timezone.now(),
        **fields,
    )
    message = receive_message(connection=ticket.connection, inbound=inbound)
    assert message is not None
    return message


def follow(client_for: ClientFor, user: User, ticket: Ticket) -> int:
    status: int = client_for(user).put(f"/api/tickets/{ticket.pk}/follow").status_code
    return status


def followed(client_for: ClientFor, user: User) -> list[int]:
    ids: list[int] = client_for(user).get("/api/tickets/follows").json()["ticketIds"]
    return ids


def test_the_next_message_is_told_once_to_the_user_alone(
    client_for: ClientFor, agent: User, admin: User, ticket: Ticket, told: list[Told]
) -> None:
    assert follow(client_for, agent, ticket) == follow(client_for, agent, ticket) == 200
    assert (followed(client_for, agent), followed(client_for, admin)) == ([ticket.pk], [])
    message = hear(ticket)
    hear(ticket, "wamid.in2")
    [each] = told
    assert list(each.rooms or ()) == [user_room(agent.pk)]
    assert each.payload["message"]["id"] == message.pk
    assert (each.payload["ticket"]["id"], each.payload["fromTicketId"]) == (ticket.pk, ticket.pk)
    assert followed(client_for, agent) == []


def answers(client_for: ClientFor, user: User) -> list[tuple[int, int, int]]:
    """Return message, its ticket and the ticket from which the user waited, of what came."""
    rows = client_for(user).get("/api/tickets/follows").json()["answers"]
    return [(each["message"]["id"], each["ticket"]["id"], each["fromTicketId"]) for each in rows]


def test_what_came_is_there_until_its_conversation_was_opened(
    client_for: ClientFor, agent: User, admin: User, outsider: User, ticket: Ticket
) -> None:
    follow(client_for, agent, ticket)
    Ticket.objects.update(status="closed", closed_at=timezone.now() - timedelta(days=2), user=None)
    message = hear(ticket)
    assert answers(client_for, agent) == [(message.pk, message.ticket_id, ticket.pk)]
    assert answers(client_for, admin) == answers(client_for, outsider) == []
    address = f"/api/tickets/{message.ticket_id}/follow"
    assert client_for(outsider).delete(address).status_code == 404
    assert client_for(admin).delete(address).json()["answers"] == []
    assert len(answers(client_for, agent)) == 1
    nothing: dict[str, list[Any]] = {"lastingIds": [], "ticketIds": [], "answers": []}
    assert client_for(agent).delete(address).json() == nothing
    assert not TicketFollow.objects.exists()


def test_who_waits_again_hears_of_the_next_message_too(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    follow(client_for, agent, ticket)
    hear(ticket)
    follow(client_for, agent, ticket)
    assert (followed(client_for, agent), answers(client_for, agent)) == ([ticket.pk], [])
    message = hear(ticket, "wamid.in2")
    assert answers(client_for, agent) == [(message.pk, ticket.pk, ticket.pk)]
    assert len(told) == 2


def test_what_came_and_may_not_be_read_any_more_is_not_shown(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket
) -> None:
    follow(client_for, agent, ticket)
    hear(ticket)
    Ticket.objects.update(queue=make_queue(acme, name="Suporte"), user=None, status="pending")
    assert answers(client_for, agent) == []
    Ticket.objects.update(user=agent, status="open")
    assert len(answers(client_for, agent)) == 1
    TicketFollow.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert answers(client_for, agent) == []


def test_what_came_costs_two_queries_more(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(database) as queries:
            client_for(agent).get("/api/tickets/follows")
        return len(queries)

    follow(client_for, agent, ticket)
    before = asked()
    hear(ticket)
    assert asked() == before + 2
    other = make_ticket(acme, connection=ticket.connection, queue=ticket.queue, user=agent)
    follow(client_for, agent, other)
    hear(other, "wamid.in2")
    assert asked() == before + 2
    assert len(answers(client_for, agent)) == 2


def test_a_deleted_conversation_takes_what_came_with_it(
    client_for: ClientFor, admin: User, ticket: Ticket
) -> None:
    follow(client_for, admin, ticket)
    hear(ticket)
    assert client_for(admin).delete(f"/api/tickets/{ticket.pk}").status_code in {200, 204}
    assert answers(client_for, admin) == []


def test_who_waits_no_longer_is_not_told(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    follow(client_for, agent, ticket)
    answer = client_for(agent).delete(f"/api/tickets/{ticket.pk}/follow")
    nothing: dict[str, list[Any]] = {"lastingIds": [], "ticketIds": [], "answers": []}
    assert (answer.status_code, answer.json()) == (200, nothing)
    hear(ticket)
    assert told == []
    assert not Ticket.objects.get(pk=ticket.pk).is_followed


def test_what_our_side_writes_is_not_told(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    follow(client_for, agent, ticket)
    hear(ticket, from_me=True)
    assert (told, followed(client_for, agent)) == ([], [ticket.pk])


def test_after_the_ticket_was_closed_the_new_one_is_told_and_has_the_text(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    follow(client_for, agent, ticket)
    client_for(agent).put(f"/api/tickets/{ticket.pk}/draft", {"text": "Sobre a troca"})
    Ticket.objects.update(status="closed", closed_at=timezone.now() - timedelta(days=2), user=None)
    message = hear(ticket)
    assert message.ticket_id != ticket.pk
    [each] = told
    assert each.payload["ticket"]["id"] == message.ticket_id
    assert each.payload["fromTicketId"] == ticket.pk
    draft = TicketDraft.objects.get()
    assert (draft.ticket_id, draft.text) == (message.ticket_id, "Sobre a troca")
    assert not Ticket.objects.filter(is_followed=True).exists()


def test_a_text_that_is_begun_in_the_new_ticket_stays(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, ticket: Ticket
) -> None:
    Ticket.objects.update(status="closed", closed_at=timezone.now() - timedelta(days=2))
    newer = make_ticket(
        acme, connection=ticket.connection, contact=ticket.contact, queue=queue, user=agent
    )
    follow(client_for, agent, ticket)
    Ticket.objects.filter(pk=newer.pk).update(is_followed=True)
    for each, text in ((ticket, "alt"), (newer, "neu")):
        client_for(agent).put(f"/api/tickets/{each.pk}/draft", {"text": text})
    hear(newer)
    texts = dict(TicketDraft.objects.values_list("ticket_id", "text"))
    assert texts == {ticket.pk: "alt", newer.pk: "neu"}


def test_who_may_not_read_it_is_told_when_they_may(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    connection: Connection,
    queue: Queue,
    ticket: Ticket,
    told: list[Told],
) -> None:
    follow(client_for, agent, ticket)
    elsewhere = make_queue(acme, name="Suporte")
    Ticket.objects.update(queue=elsewhere, user=None, status="pending")
    hear(ticket)
    assert (told, TicketFollow.objects.count()) == ([], 1)
    Ticket.objects.update(queue=queue)
    hear(ticket, "wamid.in2")
    assert len(told) == 1


def test_only_readable_tickets_are_followed(
    client_for: ClientFor, acme: Company, outsider: User, ticket: Ticket
) -> None:
    stranger = make_user(acme)
    assert follow(client_for, outsider, ticket) == 404
    assert follow(client_for, stranger, ticket) == 403
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert follow(client_for, stranger, ticket) == 200


def test_a_user_waits_for_a_hundred_at_most_and_for_a_month(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    others = [
        make_ticket(acme, connection=ticket.connection, queue=ticket.queue)
        for _ in range(MAX_FOLLOWS)
    ]
    TicketFollow.objects.bulk_create(
        TicketFollow(company=acme, user=agent, ticket=each) for each in others
    )
    follow(client_for, agent, ticket)
    assert len(followed(client_for, agent)) == TicketFollow.objects.count() == MAX_FOLLOWS
    TicketFollow.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert followed(client_for, agent) == []
    hear(ticket)
    assert told == []


def test_waiting_ends_no_lasting_follow_and_these_have_a_limit_of_their_own(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket, monkeypatch: Any
) -> None:
    monkeypatch.setattr("apps.tickets.services.tickets.following.MAX_FOLLOWS", 2)
    first, second, third, fourth = (
        make_ticket(acme, connection=ticket.connection, queue=ticket.queue) for _ in range(4)
    )
    for lasting in (ticket, first):
        follow_lastingly(client_for, agent, lasting)
    for waiting in (second, third, fourth):
        assert follow(client_for, agent, waiting) == 200
    assert set(followed(client_for, agent)) == {ticket.pk, first.pk, third.pk, fourth.pk}
    path = f"/api/tickets/{fourth.pk}/follow"
    refused = client_for(agent).put(path, {"lasting": True}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_TOO_MANY_FOLLOWS")
    kept = TicketFollow.objects.filter(is_lasting=True).values_list("ticket_id", flat=True)
    assert set(kept) == {ticket.pk, first.pk}
    # Once more for one that is followed is none more.
    assert set(follow_lastingly(client_for, agent, first)) == {ticket.pk, first.pk}


def test_a_message_to_a_ticket_without_followers_reads_none(ticket: Ticket) -> None:
    with CaptureQueriesContext(database) as queries:
        hear(ticket)
    assert not any("ticketfollow" in each["sql"] for each in queries)


def follow_lastingly(client_for: ClientFor, user: User, ticket: Ticket) -> list[int]:
    answer = client_for(user).put(f"/api/tickets/{ticket.pk}/follow", {"lasting": True})
    assert answer.status_code == 200, answer.content
    ids: list[int] = answer.json()["lastingIds"]
    return ids


def test_who_follows_a_ticket_hears_of_each_message_until_they_end_it(
    client_for: ClientFor, admin: User, ticket: Ticket, told: list[Told]
) -> None:
    client = client_for(admin)
    assert follow_lastingly(client_for, admin, ticket) == [ticket.pk]
    assert follow(client_for, admin, ticket) == 200  # waiting once does not end it
    first, second = hear(ticket), hear(ticket, "wamid.in2")
    assert [each.payload["message"]["id"] for each in told] == [first.pk, second.pk]
    assert answers(client_for, admin) == [(second.pk, ticket.pk, ticket.pk)]
    seen = client.put(f"/api/tickets/{ticket.pk}/follow/seen").json()
    assert seen == {"lastingIds": [ticket.pk], "ticketIds": [ticket.pk], "answers": []}
    TicketFollow.objects.update(created_at=timezone.now() - timedelta(days=300))
    hear(ticket, "wamid.in3")
    assert len(told) == 3
    client.delete(f"/api/tickets/{ticket.pk}/follow")
    hear(ticket, "wamid.in4")
    assert len(told) == 3


def test_opening_the_conversation_ends_waiting_once(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    follow(client_for, agent, ticket)
    hear(ticket)
    seen = client_for(agent).put(f"/api/tickets/{ticket.pk}/follow/seen").json()
    assert seen == {"lastingIds": [], "ticketIds": [], "answers": []}
    assert not TicketFollow.objects.exists()


def test_who_follows_a_ticket_hears_what_others_do_with_it(
    client_for: ClientFor, admin: User, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    for user in (admin, agent):
        follow_lastingly(client_for, user, ticket)
    client = client_for(agent)
    client.post(f"/api/tickets/{ticket.pk}/notes", {"text": "Falta o número do pedido"})
    client.put(f"/api/tickets/{ticket.pk}", {"status": "closed"})
    assert [list(each.rooms or ()) for each in told] == [[user_room(admin.pk)]] * 2
    assert [each.payload["event"]["kind"] for each in told] == ["noted", "resolved"]
    assert told[1].payload["ticket"]["status"] == "closed"


def test_who_follows_a_ticket_hears_of_its_priority_and_snoozes(
    client_for: ClientFor, admin: User, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    for user in (admin, agent):
        follow_lastingly(client_for, user, ticket)
    client, address = client_for(agent), f"/api/tickets/{ticket.pk}"
    client.put(f"{address}/priority", {"priority": "urgent"})
    client.put(f"{address}/snooze", {"until": None}, format="json")
    client.delete(f"{address}/snooze")
    assert [list(each.rooms or ()) for each in told] == [[user_room(admin.pk)]] * 3
    kinds = [each.payload["event"]["kind"] for each in told]
    assert kinds == ["prioritized", "snoozed", "woken"]
    client.put(f"{address}/snooze", {"until": None}, format="json")
    message = hear(ticket)
    # What the contact wakes is told by their message alone.
    of_admin = [each.payload for each in told if list(each.rooms or ()) == [user_room(admin.pk)]]
    assert of_admin[-1]["message"]["id"] == message.pk
    assert of_admin[-2]["event"]["kind"] == "snoozed"


def test_the_follow_goes_on_in_the_ticket_that_the_contact_opens(
    client_for: ClientFor, admin: User, ticket: Ticket, told: list[Told]
) -> None:
    follow_lastingly(client_for, admin, ticket)
    Ticket.objects.update(status="closed", closed_at=timezone.now() - timedelta(days=2), user=None)
    message = hear(ticket)
    assert message.ticket_id != ticket.pk
    follow_of = TicketFollow.objects.get()
    assert (follow_of.ticket_id, follow_of.is_lasting) == (message.ticket_id, True)
    hear(ticket, "wamid.in2")
    assert len(told) == 2


def test_who_may_not_read_it_any_more_hears_of_no_change(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    admin: User,
    queue: Queue,
    ticket: Ticket,
    told: list[Told],
) -> None:
    colleague = make_user(acme, queues=[queue])
    follow_lastingly(client_for, colleague, ticket)
    Ticket.objects.update(queue=make_queue(acme, name="Suporte"))
    client_for(admin).post(f"/api/tickets/{ticket.pk}/notes", {"text": "Só aqui"})
    assert told == []


def test_many_followers_take_no_more_queries_than_one(
    client_for: ClientFor,
    acme: Company,
    admin: User,
    queue: Queue,
    ticket: Ticket,
    told: list[Told],
) -> None:
    people = [
        make_user(acme, queues=[queue], role=make_role(acme, Permission.SEE_QUEUES))
        for _ in range(4)
    ]

    def heard(wid: str) -> tuple[int, int]:
        told.clear()
        with CaptureQueriesContext(database) as queries:
            hear(ticket, wid)
        by_message = len(queries)
        assert {room for each in told for room in each.rooms or ()} == following
        with CaptureQueriesContext(database) as queries:
            client_for(admin).post(f"/api/tickets/{ticket.pk}/notes", {"text": "Só aqui"})
        return by_message, len(queries)

    following = {user_room(people[0].pk)}
    follow_lastingly(client_for, people[0], ticket)
    hear(ticket, "wamid.first")
    before = heard("wamid.one")
    for person in people[1:]:
        follow_lastingly(client_for, person, ticket)
    following = {user_room(person.pk) for person in people}
    assert heard("wamid.all") == before


def test_a_change_without_followers_reads_none(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    with CaptureQueriesContext(database) as queries:
        client_for(agent).put(f"/api/tickets/{ticket.pk}", {"status": "closed"})
    assert not any("ticketfollow" in each["sql"] for each in queries)
