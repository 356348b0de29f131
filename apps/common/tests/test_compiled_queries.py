from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.db import connection as database
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.db.transaction import TransactionManagementError

from apps.common.compiled_queries import CompiledQuery, collected, stored
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Ticket
from tests.factories import make_connection, make_message, make_ticket


def _tickets(company_id: RawSQL, ids: RawSQL) -> "QuerySet[Ticket, Any]":
    bodies = collected(
        "message.id, message.body",
        "tickets_message AS message WHERE message.ticket_id = tickets_ticket.id",
    )
    tickets = Ticket.objects.filter(company_id=company_id, pk__among=ids, is_group=False)
    found = tickets.annotate(bodies=bodies).order_by("pk")
    return found.values_list("pk", "uuid", "created_at", "is_group", "bodies")


@pytest.mark.django_db
def test_a_compiled_query_answers_what_its_queryset_would(acme: Company, globex: Company) -> None:
    tickets = [make_ticket(acme) for _ in range(3)]
    message = make_message(tickets[0], body="a 'b' %s")
    query = CompiledQuery(_tickets)
    ids = [tickets[0].pk, tickets[2].pk, make_ticket(globex).pk]
    for _ in range(7):  # also once PostgreSQL has settled on one plan
        rows = query.rows(company_id=acme.pk, ids=ids)
        assert [row[:4] for row in rows] == [
            (each.pk, each.uuid, each.created_at, False) for each in (tickets[0], tickets[2])
        ]
    assert rows[0][4] == [[message.pk, "a 'b' %s"]]
    assert not rows[1][4]
    assert query.rows(company_id=acme.pk, ids=[]) == []


@pytest.mark.own_sessions
@pytest.mark.django_db
def test_postgresql_keeps_the_plan(acme: Company) -> None:
    if database.vendor != "postgresql":
        return
    query = CompiledQuery(_tickets)
    query.rows(company_id=acme.pk, ids=[1])
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%bodies%'"
        )
        (kept,) = cursor.fetchone()
    assert kept


@pytest.mark.django_db
def test_faults_are_those_of_django(acme: Company) -> None:
    """On PostgreSQL its cursor is passed by."""
    wrong = CompiledQuery(
        lambda company_id: Ticket.objects.filter(company_id=company_id).values_list(
            RawSQL("no_such_function(1)", [])
        )
    )
    with pytest.raises(DatabaseError), transaction.atomic():
        wrong.rows(company_id=acme.pk)
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            CompiledQuery(_tickets).rows(company_id=acme.pk, ids=[1])


@pytest.mark.django_db
def test_rows_by_id_are_those_of_the_orm_secrets_and_json_as_well(acme: Company) -> None:
    rows = [
        make_connection(acme, access_token="EAAG-segredo", alerts=[{"kind": "a"}]),
        make_connection(acme),
    ]
    found = stored(Connection, [rows[0].pk])
    assert (found[rows[0].pk].access_token, found[rows[0].pk].alerts) == (
        "EAAG-segredo",
        [{"kind": "a"}],
    )
    ids = [None, *(row.pk for row in rows), 10**9]
    both, wanted = stored(Connection, ids), Connection.objects.in_bulk()
    columns = [field.attname for field in Connection._meta.concrete_fields]
    assert set(both) == set(wanted)
    for pk, row in both.items():
        assert [getattr(row, name) for name in columns] == [
            getattr(wanted[pk], name) for name in columns
        ]
    assert stored(Connection, [None]) == {}
