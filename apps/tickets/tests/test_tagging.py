from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection as database
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.contacts.models import Tag
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TicketTag
from apps.tickets.serializers import ticket_row
from apps.tickets.services.tickets.tagging import add_tag
from apps.tickets.tests.conftest import Emitted
from conftest import ClientFor
from tests.factories import make_company, make_queue, make_tag, make_ticket, make_user


@pytest.fixture
def ticket(acme: Company, queue: Queue, agent: User) -> Ticket:
    return make_ticket(acme, queue=queue, user=agent, status="open")


@pytest.fixture
def lanes(acme: Company) -> list[Tag]:
    return [make_tag(acme, name=name, is_kanban=True) for name in ("A fazer", "Feito")]


@pytest.fixture
def label(acme: Company) -> Tag:
    return make_tag(acme, name="VIP")


def put(client: Any, ticket: Ticket, tag: Tag) -> Any:
    return client.put(f"/api/ticket-tags/{ticket.pk}/{tag.pk}")


def sync(client: Any, ticket_id: int, tags: Any) -> Any:
    return client.post("/api/tags/sync", {"ticketId": ticket_id, "tags": tags}, "json")


def tags_of(ticket: Ticket) -> set[int]:
    return set(TicketTag.objects.filter(ticket=ticket).values_list("tag_id", flat=True))


def test_a_move_replaces_the_lane_and_touches_no_other_tag(
    client_for: ClientFor, ticket: Ticket, agent: User, lanes: list[Tag], label: Tag
) -> None:
    client = client_for(agent)
    put(client, ticket, label)
    put(client, ticket, lanes[0])
    answer = put(client, ticket, lanes[1])
    assert answer.status_code == 200, answer.content
    assert {tag["id"] for tag in answer.json()["tags"]} == {label.pk, lanes[1].pk}
    assert tags_of(ticket) == {label.pk, lanes[1].pk}
    answer = client.delete(f"/api/ticket-tags/{ticket.pk}/")
    assert answer.status_code == 200
    assert [tag["id"] for tag in answer.json()["tags"]] == [label.pk]


@pytest.mark.parametrize("lane", ["0", "lane0", "0/"])
def test_lane_0_takes_the_kanban_tag_off(
    client_for: ClientFor,
    ticket: Ticket,
    agent: User,
    lanes: list[Tag],
    label: Tag,
    lane: str,
) -> None:
    client = client_for(agent)
    for tag in (label, lanes[0]):
        put(client, ticket, tag)
    answer = client.put(f"/api/ticket-tags/{ticket.pk}/{lane}")
    assert answer.status_code == 200, answer.content
    assert [tag["id"] for tag in answer.json()["tags"]] == [label.pk]
    assert tags_of(ticket) == {label.pk}
    # Older boards take the tag off first.
    assert client.delete(f"/api/ticket-tags/{ticket.pk}").status_code == 200
    assert client.put(f"/api/ticket-tags/{ticket.pk}/{lane}").status_code == 200


def test_a_change_is_told_without_moving_the_ticket_and_none_is_not_told(
    client_for: ClientFor, ticket: Ticket, agent: User, lanes: list[Tag], emitted: Emitted
) -> None:
    client = client_for(agent)
    before = ticket.updated_at
    put(client, ticket, lanes[0])
    ticket.refresh_from_db()
    assert ticket.updated_at == before
    assert emitted == [("ticket", {"action": "update", "ticket": ticket_row(ticket)})]
    assert put(client, ticket, lanes[0]).status_code == 200
    assert sync(client, ticket.pk, [lanes[0].pk]).status_code == 200
    assert len(emitted) == 1
    client.delete(f"/api/ticket-tags/{ticket.pk}")
    client.delete(f"/api/ticket-tags/{ticket.pk}")
    assert len(emitted) == 2


def test_syncing_writes_only_what_differs(
    client_for: ClientFor, acme: Company, ticket: Ticket, agent: User, lanes: list[Tag], label: Tag
) -> None:
    kept = TicketTag.objects.create(ticket=ticket, tag=label)
    TicketTag.objects.create(ticket=ticket, tag=lanes[0])
    whole = {"id": label.pk, "name": label.name, "color": label.color, "kanban": 0}
    answer = sync(client_for(agent), ticket.pk, [whole, lanes[1].pk, lanes[1].pk])
    assert answer.status_code == 200, answer.content
    assert {tag["id"] for tag in answer.json()["tags"]} == {label.pk, lanes[1].pk}
    assert TicketTag.objects.get(ticket=ticket, tag=label).pk == kept.pk
    assert sync(client_for(agent), ticket.pk, []).json()["tags"] == []


def test_two_lanes_and_unknown_tags_are_refused_with_the_field(
    client_for: ClientFor,
    globex: Company,
    ticket: Ticket,
    agent: User,
    lanes: list[Tag],
    label: Tag,
) -> None:
    TicketTag.objects.create(ticket=ticket, tag=label)
    client = client_for(agent)
    theirs = make_tag(globex)
    both = [lane.pk for lane in lanes]
    wrong: list[Any] = [both, [label.pk, theirs.pk], [10**9], "x", None, [[]]]
    for tags in wrong:
        answer = sync(client, ticket.pk, tags)
        assert answer.status_code == 400, answer.content
        assert {name.split(".")[0] for name in answer.json()["fields"]} == {"tags"}
    answer = sync(client, make_ticket(globex).pk, [label.pk])
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["ticketId"])
    assert put(client, ticket, theirs).status_code == 404
    assert tags_of(ticket) == {label.pk}


def test_who_may_not_serve_the_ticket_may_not_tag_it(
    client_for: ClientFor, acme: Company, admin: User, ticket: Ticket, lanes: list[Tag]
) -> None:
    elsewhere = make_user(acme, queues=[make_queue(acme)])
    CompanySetting.objects.update_or_create(
        company=acme, key="allowToSpyMessage", defaults={"value": "enabled"}
    )
    client = client_for(elsewhere)
    for answer in (
        put(client, ticket, lanes[0]),
        client.delete(f"/api/ticket-tags/{ticket.pk}"),
        sync(client, ticket.pk, [lanes[0].pk]),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
    assert tags_of(ticket) == set()
    assert put(client_for(admin), ticket, lanes[0]).status_code == 200


def test_a_move_takes_few_queries(
    client_for: ClientFor,
    ticket: Ticket,
    agent: User,
    lanes: list[Tag],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = client_for(agent)
    put(client, ticket, lanes[0])
    with django_assert_max_num_queries(10):
        put(client, ticket, lanes[1])


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_who_move_at_once_leave_one_lane() -> None:
    company = make_company()
    queue = make_queue(company)
    people = [make_user(company, queues=[queue]) for _ in range(2)]
    lanes = [make_tag(company, is_kanban=True) for _ in range(2)]
    for _ in range(5):
        ticket = make_ticket(company, queue=queue)
        start = Barrier(2)

        def move(number: int, ticket: Ticket = ticket, start: Barrier = start) -> None:
            start.wait(timeout=10)
            try:
                add_tag(user=people[number], ticket_id=ticket.pk, tag_id=lanes[number].pk)
            finally:
                database.close()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(move, range(2)))
        assert len(tags_of(ticket)) == 1
