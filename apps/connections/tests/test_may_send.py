"""Which rows of work may send: the compiled condition and the queryset agree."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection as database

from apps.common.conditions import Condition
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus
from apps.connections.queries import connections_that_send, may_send
from tests.factories import make_company, make_connection

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 29, 1, 30, tzinfo=UTC)  # still the day before in São Paulo


def allowed(condition: Condition) -> set[int]:
    table = Connection._meta.db_table
    with database.cursor() as cursor:
        cursor.execute(
            f"SELECT work.connection_id FROM (SELECT id AS connection_id FROM {table}) AS work"
            f" WHERE {condition.sql}",
            condition.values,
        )
        return {row[0] for row in cursor.fetchall()}


def test_it_allows_what_the_queryset_allows_at_any_time(acme: Company) -> None:
    make_connection(acme)
    make_connection(acme, status=ConnectionStatus.DISCONNECTED)
    make_connection(acme, sends_paused_until=NOW + timedelta(minutes=5))
    make_connection(make_company(name="off", is_enabled=False))
    for days in range(8):
        make_connection(make_company(name=f"d{days}", due_date=NOW.date() - timedelta(days=days)))
    seen = set()
    for hours in (0, 2, 26, 50, 74):
        now = NOW + timedelta(hours=hours)
        wanted = set(connections_that_send(now).values_list("pk", flat=True))
        assert allowed(may_send(now)) == wanted
        seen.add(frozenset(wanted))
    assert len(seen) > 2
