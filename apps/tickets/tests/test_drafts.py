from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.companies.models import Company
from apps.queues.models import Queue
from apps.realtime.rooms import user_room
from apps.realtime.visits import View, keep
from apps.tickets.models import Ticket, TicketDraft
from apps.tickets.rooms import chat_rooms
from apps.tickets.services.tickets.drafts import MAX_DRAFTS
from conftest import ClientFor
from tests.events import Listeners, Told
from tests.factories import make_ticket, make_user


@pytest.fixture
def ticket(acme: Company, queue: Queue, agent: User) -> Ticket:
    return make_ticket(acme, queue=queue, user=agent, status="open")


def save(client: Any, ticket: Ticket, text: str) -> int:
    status: int = client.put(f"/api/tickets/{ticket.pk}/draft", {"text": text}).status_code
    return status


def texts(client: Any) -> list[tuple[int, str]]:
    rows = client.get("/api/tickets/drafts").json()["drafts"]
    return [(row["ticketId"], row["text"]) for row in rows]


def test_a_draft_is_kept_until_it_is_emptied(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client = client_for(agent)
    assert save(client, ticket, " Vou ver\ne aviso ") == 204
    assert save(client, ticket, " Vou ver\ne aviso já ") == 204
    assert texts(client) == [(ticket.pk, " Vou ver\ne aviso já ")]
    assert save(client, ticket, "") == 204
    assert texts(client) == []


def test_nobody_else_gets_it(
    client_for: ClientFor, admin: User, agent: User, outsider: User, ticket: Ticket
) -> None:
    save(client_for(agent), ticket, "Só meu")
    assert texts(client_for(admin)) == []
    assert texts(client_for(outsider)) == []
    save(client_for(admin), ticket, "Do admin")
    assert texts(client_for(agent)) == [(ticket.pk, "Só meu")]


def test_a_conversation_that_the_user_may_not_read_takes_none(
    client_for: ClientFor, acme: Company, ticket: Ticket
) -> None:
    stranger = make_user(acme, email="de-fora@acme.test")
    assert save(client_for(stranger), ticket, "Oi") == 403
    assert not TicketDraft.objects.exists()


def test_too_long_a_text_is_refused(client_for: ClientFor, agent: User, ticket: Ticket) -> None:
    assert save(client_for(agent), ticket, "a" * 4097) == 400


def test_drafts_are_bounded_by_number_and_age(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    ticket: Ticket,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    now = timezone.now()
    others = [make_ticket(acme, user=agent, status="open") for _ in range(MAX_DRAFTS)]
    TicketDraft.objects.bulk_create(
        TicketDraft(
            company=acme,
            user=agent,
            ticket=other,
            text="x",
            updated_at=now - timedelta(days=31 if place == 1 else 0, minutes=MAX_DRAFTS - place),
        )
        for place, other in enumerate(others)
    )
    client = client_for(agent)
    with django_assert_max_num_queries(4):
        assert len(texts(client)) == MAX_DRAFTS - 1
    save(client, ticket, "novo")
    kept = dict(texts(client))
    assert kept[ticket.pk] == "novo"
    assert others[1].pk not in kept
    assert TicketDraft.objects.count() == len(kept) <= MAX_DRAFTS


@pytest.mark.parametrize("gone", ["contact", "user", "ticket"])
def test_it_goes_with_contact_user_and_ticket(
    client_for: ClientFor, agent: User, ticket: Ticket, gone: str
) -> None:
    save(client_for(agent), ticket, "Sobre a Ana")
    {"contact": ticket.contact, "user": agent, "ticket": ticket}[gone].delete()
    assert not TicketDraft.objects.exists()


def test_note_and_text_are_kept_apart_and_what_is_left_out_stays(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client, address = client_for(agent), f"/api/tickets/{ticket.pk}/draft"

    def kept() -> list[tuple[str, str]]:
        rows = client.get("/api/tickets/drafts").json()["drafts"]
        return [(row["text"], row["note"]) for row in rows]

    assert client.put(address, {"text": "Olá"}).status_code == 204
    assert client.put(address, {"note": "Ligar"}).status_code == 204
    assert kept() == [("Olá", "Ligar")]
    client.put(address, {"text": " "})
    assert kept() == [("", "Ligar")]
    client.put(address, {"note": ""})
    assert kept() == []
    assert client.put(address, {}).status_code == 400
    assert client.put(address, {"note": "a" * 4097}).status_code == 400


def test_the_users_browsers_alone_are_told(
    client_for: ClientFor, agent: User, ticket: Ticket, listeners: Listeners
) -> None:
    told: list[Told] = []
    listeners.append(lambda each: told.append(each) if each.event == "ticketDraft" else None)
    save(client_for(agent), ticket, "Vou ver")
    client_for(agent).put(f"/api/tickets/{ticket.pk}/draft", {"note": ""})
    assert [list(each.rooms or ()) for each in told] == [[user_room(agent.pk)]] * 2
    first, second = (each.payload for each in told)
    assert (first["ticketId"], first["text"]) == (ticket.pk, "Vou ver")
    assert ("note" in first, "text" in second, second["note"]) == (False, False, "")


def test_who_has_the_conversation_open_sees_what_is_written(
    client_for: ClientFor, agent: User, ticket: Ticket, listeners: Listeners
) -> None:
    told: list[Told] = []
    listeners.append(lambda each: told.append(each) if each.event == "ticketWriting" else None)
    client = client_for(agent)
    own, other = View(ticket.pk, agent.pk, "a"), View(ticket.pk, agent.pk + 1, "b")
    keep(arrived=[own])
    save(client, ticket, "Vou")
    # Nobody else has it open.
    assert told == []
    keep(arrived=[other])
    save(client, ticket, "Vou ver")
    save(client, ticket, "")
    keep(gone=[own, other])
    client.put(f"/api/tickets/{ticket.pk}/draft", {"note": "Só da equipe"})
    assert [each.payload["text"] for each in told] == ["Vou ver", ""]
    assert all(set(each.rooms or ()) == set(chat_rooms(ticket)) for each in told)
    assert told[0].payload["writer"] == {"id": agent.pk, "name": agent.name}


def test_who_comes_later_finds_what_others_are_writing(
    client_for: ClientFor,
    acme: Company,
    admin: User,
    agent: User,
    outsider: User,
    ticket: Ticket,
) -> None:
    def writers(user: User) -> list[tuple[int, str]]:
        rows = client_for(user).get(f"/api/tickets/{ticket.pk}/writers").json()["writers"]
        return [(row["writer"]["id"], row["text"]) for row in rows]

    save(client_for(agent), ticket, "Vou ver")
    client_for(agent).put(f"/api/tickets/{ticket.pk}/draft", {"note": "Só da equipe"})
    assert writers(admin) == [(agent.pk, "Vou ver")]
    assert writers(agent) == []
    for user, status in ((outsider, 404), (make_user(acme), 403)):
        answer = client_for(user).get(f"/api/tickets/{ticket.pk}/writers")
        assert answer.status_code == status
    TicketDraft.objects.update(updated_at=timezone.now() - timedelta(minutes=11))
    assert writers(admin) == []
