"""A search through tickets: the line that matched, and the ways to it."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection as database
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.common.search import fold
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket
from apps.tickets.queries import search
from apps.tickets.serializers.excerpts import LENGTH, excerpt
from conftest import ClientFor
from tests.bench.dataset import insert
from tests.factories import make_contact, make_message, make_ticket

CASES = Path(settings.BASE_DIR) / "frontend" / "src" / "lib" / "search.cases.json"


@pytest.fixture
def waiting(acme: Company, queue: Queue, connection: Connection) -> Ticket:
    contact = make_contact(acme, name="Paula Sampaio", number="5511987654321")
    return make_ticket(acme, queue=queue, contact=contact)


@pytest.fixture(params=["rare", "walked", "gathered"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the three ways in which a search reads, whatever the size of the data."""
    if request.param != "rare":
        monkeypatch.setattr(search, "RARE_MATCHES", 0)
        monkeypatch.setattr(search, "MANY_CONTACTS", 0)
    if request.param == "walked":
        monkeypatch.setattr(search, "ENOUGH_TRIED", 0)
    return str(request.param)


def found(client_for: ClientFor, user: User, text: str, **query: Any) -> dict[int, Any]:
    body = client_for(user).get("/api/tickets", {"searchParam": text, **query}).json()
    return {row["id"]: row["match"] for row in body["tickets"]}


@pytest.mark.usefixtures("way")
def test_a_row_carries_the_newest_message_that_matches(
    client_for: ClientFor, agent: User, waiting: Ticket
) -> None:
    make_message(waiting, body="O orçamento de ontem")
    newest = make_message(waiting, body="Mandei o Orçamento\nde novo")
    make_message(waiting, body="Obrigada")
    expected = {"messageId": newest.pk, "body": "Mandei o Orçamento de novo"}
    assert found(client_for, agent, "ORCAMENTO") == {waiting.pk: expected}


@pytest.mark.usefixtures("way")
def test_a_ticket_found_by_its_contact_has_no_line(
    client_for: ClientFor, agent: User, waiting: Ticket
) -> None:
    make_message(waiting, body="Fala com a Paula")
    assert found(client_for, agent, "paula") == {waiting.pk: None}


@pytest.mark.usefixtures("way")
def test_messages_of_tickets_out_of_reach_are_not_told(
    client_for: ClientFor, acme: Company, agent: User, admin: User, outsider: User, waiting: Ticket
) -> None:
    hidden = make_ticket(acme, contact=make_contact(acme, name="Otávio"))
    line = make_message(hidden, body="o segredo azul")
    make_message(waiting, body="nada disso")
    assert found(client_for, agent, "segredo") == {}
    assert found(client_for, outsider, "segredo", showAll="true") == {}
    shown = found(client_for, admin, "segredo", showAll="true")
    assert shown == {hidden.pk: {"messageId": line.pk, "body": "o segredo azul"}}


@pytest.mark.usefixtures("way")
def test_what_was_taken_back_is_not_found(
    client_for: ClientFor, agent: User, waiting: Ticket
) -> None:
    kept = make_message(waiting, body="a senha antiga")
    make_message(waiting, body="a senha nova é 1234", is_deleted=True)
    expected = {"messageId": kept.pk, "body": "a senha antiga"}
    assert found(client_for, agent, "senha") == {waiting.pk: expected}
    assert found(client_for, agent, "1234") == {}


@pytest.mark.usefixtures("way")
def test_filters_narrow_a_search(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, waiting: Ticket
) -> None:
    mine = make_ticket(acme, queue=queue, user=agent, status="open")
    for ticket in (waiting, mine):
        make_message(ticket, body="prazo de entrega")
    assert set(found(client_for, agent, "entrega")) == {waiting.pk, mine.pk}
    assert set(found(client_for, agent, "entrega", users=f"[{agent.pk}]")) == {mine.pk}
    assert found(client_for, agent, "entrega", queueIds="[]") == {}


def test_without_a_search_there_is_no_match(
    client_for: ClientFor, agent: User, waiting: Ticket
) -> None:
    (row,) = client_for(agent).get("/api/tickets").json()["tickets"]
    assert "match" not in row
    (row,) = client_for(agent).get("/api/tickets", {"searchParam": " "}).json()["tickets"]
    assert "match" not in row


@pytest.mark.every_case
@pytest.mark.parametrize("text", ["(11) 98765-4321", "+55 11 98765", "98765.4321", "4321"])
def test_a_telephone_is_found_however_it_is_written(
    client_for: ClientFor, agent: User, waiting: Ticket, text: str
) -> None:
    assert found(client_for, agent, text) == {waiting.pk: None}


def test_punctuation_alone_is_no_telephone(
    client_for: ClientFor, agent: User, waiting: Ticket
) -> None:
    assert found(client_for, agent, "(--)") == {}


def test_the_lines_take_one_query_however_many_rows(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    queue: Queue,
    way: str,
    waiting: Ticket,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    expected = {"rare": 6, "walked": 7, "gathered": 8}[way]
    client = client_for(agent)
    make_message(waiting, body="entrega")
    with django_assert_num_queries(expected):
        client.get("/api/tickets", {"searchParam": "entrega"})
    for _ in range(20):
        make_message(make_ticket(acme, queue=queue), body="a entrega")
    with django_assert_num_queries(expected):
        rows = client.get("/api/tickets", {"searchParam": "entrega"}).json()["tickets"]
    assert len(rows) == 21
    assert all(row["match"] for row in rows)


@pytest.mark.postgres
def test_two_common_words_are_not_sought_letter_by_letter_where_only_one_is(
    client_for: ClientFor, agent: User, waiting: Ticket
) -> None:
    body = "CASE n % 2 WHEN 0 THEN 'contrato' ELSE 'assinado' END"
    insert(
        Message,
        "generate_series(1, 60000) AS n",
        company_id=str(waiting.company_id),
        ticket_id=str(waiting.pk),
        contact_id=str(waiting.contact_id),
        body=body,
        search_text=body,
    )
    both = make_message(waiting, body="O contrato assinado")

    def pages_read() -> int:
        cursor.execute("SELECT pg_stat_get_xact_blocks_fetched('message_search'::regclass)")
        (count,) = cursor.fetchone()
        return int(count)

    with database.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('message_search')")
        cursor.execute("ANALYZE tickets_message")
        cursor.execute("SET LOCAL enable_seqscan = off")
        before = pages_read()
        assert Message.objects.filter(search_text__contains="contrato assinado").get() == both
        plain = pages_read() - before
        before = pages_read()
        (match,) = found(client_for, agent, "contrato assinado").values()
        read = pages_read() - before
    assert match["messageId"] == both.pk
    assert 0 < read < 0.8 * plain


def test_the_pieces_of_a_term_are_in_whatever_holds_it() -> None:
    for term in (
        "bom dia",
        "entrega",
        "orçamento até amanhã",
        "o valor final, com 10% de desconto",
    ):
        assert all(piece in fold(term) for piece in search._pieces(fold(term)))


def test_an_excerpt_begins_near_the_hit_at_a_word() -> None:
    text = "Bom dia! Queria saber se o orçamento que pedi na semana passada já ficou pronto"
    assert excerpt(text, "orcamento").startswith("…saber se o orçamento que pedi")
    assert excerpt("Ficou pronto?", "pronto") == "Ficou pronto?"
    assert excerpt("a" * 50 + "açaí", "acai") == "…" + "a" * 18 + "açaí"
    long = excerpt("café " + "muito " * 100, "cafe")
    assert long.startswith("café muito")
    assert long.endswith("…")
    assert len(long) <= LENGTH + 1


def test_an_excerpt_leaves_out_who_signed_unless_that_is_looked_for() -> None:
    signed = "*Ana Prado:*\nPodemos ver o pedido amanhã"
    assert excerpt(signed, "podemos") == "Podemos ver o pedido amanhã"
    assert excerpt(signed, "pedido") == "Podemos ver o pedido amanhã"
    assert excerpt(signed, "amanha") == "…ver o pedido amanhã"
    assert excerpt(signed, "prado") == "*Ana Prado:* Podemos ver o pedido amanhã"
    assert excerpt("*Ana Prado:*", "prado") == "*Ana Prado:*"


def test_an_excerpt_finds_hits_over_white_space_and_ligatures() -> None:
    text = "Segue em anexo a nova ﬁcha\n\n  técnica"
    assert excerpt(text, "ficha tecnica") == "…em anexo a nova ﬁcha técnica"


@pytest.mark.every_case
@pytest.mark.parametrize(("text", "folded"), json.loads(CASES.read_text()))
def test_folding_is_what_the_browser_folds(text: str, folded: str) -> None:
    assert fold(text) == folded
