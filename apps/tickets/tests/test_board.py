from typing import Any

from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.companies.models import Company
from apps.contacts.models import Tag
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TicketTag
from conftest import ClientFor
from tests.factories import make_queue, make_tag, make_ticket

ADDRESS = "/api/ticket/kanban"


def lane(acme: Company, *tickets: Ticket, **fields: Any) -> Tag:
    tag = make_tag(acme, is_kanban=True, **fields)
    for ticket in tickets:
        TicketTag.objects.create(ticket=ticket, tag=tag)
    return tag


def ids(response: Any) -> list[int]:
    assert response.status_code == 200, response.content
    body = response.json()
    assert body["count"] == len(body["tickets"])
    return [row["id"] for row in body["tickets"]]


def test_the_board_shows_what_is_open_or_waits_in_the_own_queues(
    client_for: ClientFor, acme: Company, agent: User, admin: User, queue: Queue
) -> None:
    mine = make_ticket(acme, queue=queue, user=agent, status="open")
    waiting = make_ticket(acme, queue=queue)
    make_ticket(acme, queue=queue, user=admin, status="open")
    make_ticket(acme, queue=make_queue(acme))
    make_ticket(acme, queue=queue, user=agent, status="closed")
    client = client_for(agent)
    assert ids(client.get(f"{ADDRESS}/", {"queueIds": f"[{queue.pk}]"})) == [waiting.pk, mine.pk]
    assert ids(client.get(ADDRESS)) == [waiting.pk, mine.pk]
    row = client.get(ADDRESS).json()["tickets"][0]
    assert row["uuid"] == str(waiting.uuid)
    assert len(ids(client_for(admin).get(ADDRESS, {"showAll": "true"}))) == 4


def test_a_lane_holds_the_tickets_of_its_tag_and_lane_0_the_others(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue
) -> None:
    tagged, labelled, plain = (make_ticket(acme, queue=queue) for _ in range(3))
    done = lane(acme, tagged, name="Feito")
    label = make_tag(acme, name="VIP")
    TicketTag.objects.create(ticket=labelled, tag=label)
    client = client_for(agent)
    assert ids(client.get(ADDRESS, {"laneId": done.pk})) == [tagged.pk]
    assert ids(client.get(ADDRESS, {"laneId": 0})) == [plain.pk, labelled.pk]
    assert client.get(ADDRESS, {"laneId": label.pk}).status_code == 404
    assert client.get(ADDRESS, {"laneId": "x"}).status_code == 400


def test_a_ticket_with_two_kanban_tags_stands_in_the_lane_of_the_older(
    client_for: ClientFor, acme: Company, admin: User
) -> None:
    ticket = make_ticket(acme)
    older, newer = lane(acme, ticket), lane(acme, ticket)
    client = client_for(admin)
    assert ids(client.get(ADDRESS, {"laneId": older.pk})) == [ticket.pk]
    assert ids(client.get(ADDRESS, {"laneId": newer.pk})) == []


def test_another_companys_lane_does_not_exist(
    client_for: ClientFor, acme: Company, outsider: User
) -> None:
    theirs = lane(acme, make_ticket(acme))
    assert client_for(outsider).get(ADDRESS, {"laneId": theirs.pk}).status_code == 404


def test_a_lane_is_paged_by_forty_in_few_queries(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    queue: Queue,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    tickets = [make_ticket(acme, queue=queue) for _ in range(42)]
    todo = lane(acme, *tickets)
    client = client_for(agent)
    with django_assert_max_num_queries(8):
        first = client.get(ADDRESS, {"laneId": todo.pk}).json()
    second = client.get(ADDRESS, {"laneId": todo.pk, "pageNumber": 2}).json()
    assert (len(first["tickets"]), first["count"], first["hasMore"]) == (40, 42, True)
    assert (len(second["tickets"]), second["count"], second["hasMore"]) == (2, 42, False)
    assert len({row["id"] for row in [*first["tickets"], *second["tickets"]]}) == 42


def test_a_plan_without_a_board_shows_none(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    assert client_for(agent).get(ADDRESS).status_code == 200, "it is on unless it is switched off"
    acme.plan.use_kanban = False
    acme.plan.save()
    answer = client_for(agent).get(ADDRESS)
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
    assert answer.json()["feature"] == "useKanban"
