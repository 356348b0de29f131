from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from conftest import ClientFor
from tests.factories import make_connection, make_message, make_queue, make_ticket, make_user

Find = Any


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    return make_ticket(
        acme, connection=connection, queue=queue, user=agent, status="open", unread_count=2
    )


@pytest.fixture
def find(client_for: ClientFor) -> Find:
    def get(user: User, ticket: Ticket, search: str, **query: Any) -> dict[str, Any]:
        path = f"/api/messages/{ticket.pk}/search"
        response = client_for(user).get(path, {"searchParam": search, **query})
        assert response.status_code == 200, response.content
        body: dict[str, Any] = response.json()
        return body

    return get


def ids(page: dict[str, Any]) -> list[int]:
    return [row["id"] for row in page["messages"]]


def test_a_text_is_found_whatever_its_accents_and_case_newest_first(
    find: Find, agent: User, ticket: Ticket
) -> None:
    first = make_message(ticket, body="A TRAVESSA não chegou")
    make_message(ticket, body="Bom dia")
    second = make_message(ticket, body="travéssa azul, por favor")
    page = find(agent, ticket, "  Travessã ")
    assert ids(page) == [second.pk, first.pk]
    assert (page["count"], page["hasMore"]) == (2, False)
    ticket.refresh_from_db()
    assert ticket.unread_count == 2


@pytest.mark.every_case
@pytest.mark.parametrize("search", ["%", "_", "\\", "nada disto"])
def test_signs_stand_for_themselves(find: Find, agent: User, ticket: Ticket, search: str) -> None:
    make_message(ticket, body="Bom dia")
    assert find(agent, ticket, search) == {"messages": [], "count": 0, "hasMore": False}


def test_nothing_is_found_for_nothing(find: Find, agent: User, ticket: Ticket) -> None:
    make_message(ticket)
    assert find(agent, ticket, "   ")["count"] == 0


def test_deleted_and_unshown_messages_are_not_found(
    find: Find, agent: User, ticket: Ticket
) -> None:
    make_message(ticket, body="segredo", is_deleted=True)
    make_message(ticket, body="unknown", media_type="unknown")
    assert find(agent, ticket, "segredo")["count"] == 0
    assert find(agent, ticket, "unknown")["count"] == 0


def test_it_goes_across_the_tickets_that_the_caller_may_read(
    find: Find, acme: Company, agent: User, admin: User, queue: Queue, ticket: Ticket
) -> None:
    def other(**fields: Any) -> int:
        made = make_ticket(acme, contact=ticket.contact, status="closed", **fields)
        return make_message(made, body="orçamento").pk

    earlier = other(connection=ticket.connection, queue=queue)
    hidden = other(connection=ticket.connection, queue=make_queue(acme))
    other(connection=make_connection(acme), queue=queue)
    make_message(make_ticket(acme, queue=queue), body="orçamento")
    now = make_message(ticket, body="orcamento").pk
    assert ids(find(agent, ticket, "orçamento")) == [now, earlier]
    assert ids(find(admin, ticket, "orçamento")) == [now, hidden, earlier]


def test_pages_and_queries_do_not_depend_on_the_number_of_hits(
    client_for: ClientFor,
    agent: User,
    ticket: Ticket,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    written = [make_message(ticket, body=f"Linha {number}").pk for number in range(45)]
    client = client_for(agent)
    path = f"/api/messages/{ticket.pk}/search"
    newest_first = written[::-1]
    for number, expected in ((1, newest_first[:20]), (3, newest_first[40:])):
        with django_assert_num_queries(3):
            page = client.get(f"{path}?searchParam=linha&pageNumber={number}").json()
        assert (ids(page), page["count"], page["hasMore"]) == (expected, 45, number == 1)
    page = client.get(f"{path}?searchParam=linha&pageNumber=9").json()
    assert (page["messages"], page["count"]) == ([], 45)


def test_it_is_closed_to_others(
    client_for: ClientFor, acme: Company, agent: User, outsider: User, ticket: Ticket
) -> None:
    path = f"/api/messages/{ticket.pk}/search?searchParam=oi"
    assert client_for(outsider).get(path).status_code == 404
    assert client_for(make_user(acme)).get(path).status_code == 403
    wrong = client_for(agent).get(path.replace("=oi", "=" + "a" * 201))
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["searchParam"])
