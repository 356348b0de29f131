from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TicketActivity, TicketActivityKind
from conftest import ClientFor
from tests.factories import (
    make_connection,
    make_contact,
    make_message,
    make_queue,
    make_ticket,
    make_user,
)

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


def make_note(ticket: Ticket, text: str, kind: str = "noted", **fields: Any) -> TicketActivity:
    detail = {"actor": "Bob", "note": text}
    return TicketActivity.objects.create(ticket=ticket, kind=kind, detail=detail, **fields)


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
    nothing = {"messages": [], "count": 0, "hasMore": False, "notes": []}
    assert find(agent, ticket, search) == nothing


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
        # The first page has the notes.
        with django_assert_num_queries(4 if number == 1 else 3):
            page = client.get(f"{path}?searchParam=linha&pageNumber={number}").json()
        assert (ids(page), page["count"], page["hasMore"]) == (expected, 45, number == 1)
    page = client.get(f"{path}?searchParam=linha&pageNumber=9").json()
    assert (page["messages"], page["count"]) == ([], 45)


def test_notes_are_found_whatever_their_accents_and_case_newest_first(
    find: Find, agent: User, ticket: Ticket
) -> None:
    first = make_note(ticket, "A travessa NÃO chegou")
    make_note(ticket, "Ligar amanhã")
    second = make_note(ticket, "Não   prometer prazo", kind="transferred")
    said = make_message(ticket, body="não sei")
    page = find(agent, ticket, "nao")
    assert [note["id"] for note in page["notes"]] == [second.pk, first.pk]
    assert page["notes"][1]["note"] == "A travessa NÃO chegou"
    # They are no messages.
    assert (ids(page), page["count"]) == ([said.pk], 1)
    assert find(agent, ticket, "nao", pageNumber=2)["notes"] == []
    assert find(agent, ticket, "nao prometer")["notes"] == [page["notes"][0]]
    assert find(agent, ticket, "transferred")["notes"] == []


def test_notes_of_other_conversations_and_of_tickets_that_one_may_not_read_are_not_found(
    find: Find, acme: Company, agent: User, admin: User, queue: Queue, ticket: Ticket
) -> None:
    def other(**fields: Any) -> int:
        made = make_ticket(acme, **{"contact": ticket.contact, "status": "closed", **fields})
        return make_note(made, "desconto").pk

    earlier = other(connection=ticket.connection, queue=queue)
    hidden = other(connection=ticket.connection, queue=make_queue(acme))
    other(connection=make_connection(acme), queue=queue)
    other(connection=ticket.connection, queue=queue, contact=make_contact(acme))
    now = make_note(ticket, "Desconto").pk

    def found(user: User) -> list[int]:
        return [note["id"] for note in find(user, ticket, "desconto")["notes"]]

    assert found(agent) == [now, earlier]
    assert found(admin) == [now, hidden, earlier]
    ticket.connection = None
    ticket.save()
    assert found(admin) == [now]


def test_the_newest_notes_alone_are_searched(
    find: Find, agent: User, ticket: Ticket, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_note(ticket, "Desconto")
    make_note(ticket, "Ligar amanhã")
    monkeypatch.setattr("apps.tickets.queries.finding.MAX_NOTES", 1)
    assert find(agent, ticket, "desconto")["notes"] == []
    assert len(find(agent, ticket, "ligar")["notes"]) == 1


def test_a_page_around_a_note_has_it_between_its_messages(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    start = timezone.now() - timedelta(days=1)
    written = [
        make_message(ticket, created_at=start + timedelta(minutes=minute)).pk
        for minute in range(60)
    ]

    def around(note: TicketActivity) -> tuple[list[int], bool]:
        response = client_for(agent).get(f"/api/messages/{ticket.pk}?aroundNoteId={note.pk}")
        assert response.status_code == 200, response.content
        page = response.json()
        return ids(page), note.pk in [event["id"] for event in page["events"]]

    def noted(minute: float) -> TicketActivity:
        return make_note(ticket, "Ligar", created_at=start + timedelta(minutes=minute))

    assert around(noted(-5)) == (written[:21], True)
    assert around(noted(29.5)) == (written[10:50], True)
    assert around(noted(90)) == (written[40:], True)


def test_a_note_of_another_conversation_has_no_page_around_it(
    client_for: ClientFor, acme: Company, globex: Company, agent: User, ticket: Ticket
) -> None:
    make_message(ticket)
    hidden = make_ticket(
        acme,
        contact=ticket.contact,
        connection=ticket.connection,
        queue=make_queue(acme),
        status="closed",
    )
    strangers = [make_ticket(acme, queue=ticket.queue), make_ticket(globex), hidden]
    notes = [make_note(each, "Ligar").pk for each in strangers]
    accepted = TicketActivity.objects.create(ticket=ticket, kind=TicketActivityKind.ACCEPTED)
    for pk in (*notes, accepted.pk, 10**9):
        response = client_for(agent).get(f"/api/messages/{ticket.pk}?aroundNoteId={pk}")
        assert (response.status_code, response.json()["code"]) == (404, "ERR_NO_NOTE_FOUND")


def test_a_conversation_of_notes_alone_opens_at_each(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    note = make_note(ticket, "Ligar")
    page = client_for(agent).get(f"/api/messages/{ticket.pk}?aroundNoteId={note.pk}").json()
    assert (ids(page), [event["id"] for event in page["events"]]) == ([], [note.pk])


def test_it_is_closed_to_others(
    client_for: ClientFor, acme: Company, agent: User, outsider: User, ticket: Ticket
) -> None:
    path = f"/api/messages/{ticket.pk}/search?searchParam=oi"
    assert client_for(outsider).get(path).status_code == 404
    assert client_for(make_user(acme)).get(path).status_code == 403
    wrong = client_for(agent).get(path.replace("=oi", "=" + "a" * 201))
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["searchParam"])
