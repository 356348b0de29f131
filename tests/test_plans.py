"""The lists that are read all day read little more than they answer, however much there is.

What PostgreSQL really did, with the plan that the product's own connection had settled on.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection as database
from psycopg.errors import Diagnostic

from apps.accounts.models import User
from apps.tickets.models import Ticket, TicketActivity
from conftest import ClientFor
from tests.bench.dataset import Business, grow, insert, make_business

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

CLOSED = 20_000
OTHER_COMPANIES = 40
# After five executions PostgreSQL may settle on one plan for any values.
SETTLED = 8
# A table of so few rows is read whole, and rightly.
SMALL = 1000
MOST_READ_PER_ROW = 3


Explain = Callable[[Callable[[], Any]], "list[Statement]"]


@dataclass(frozen=True)
class Statement:
    """A statement with what it read of each table; of what a loop repeats, every time."""

    sql: str
    read: Counter[str]


@pytest.fixture
def business() -> Business:
    """Return a company with 20,000 closed tickets among small ones, as on a shared server.

    How many rows a company has is then no guess for another's: the reason why one plan for any
    company is a bad one.
    """
    with database.cursor() as cursor:
        # Foreign keys of 300,000 rows of our own take longer to check than all else.
        cursor.execute("SET LOCAL session_replication_role = replica")
    large = make_business("Large")
    grow(large, tickets=CLOSED * 100 // 85, messages_per_ticket=4, tidy=False)
    for number in range(OTHER_COMPANIES):
        grow(make_business(f"Small{number}"), tickets=20, messages_per_ticket=2, tidy=False)
    insert(
        TicketActivity,
        f"{Ticket._meta.db_table} AS t, generate_series(1, 3) AS n",
        ticket_id="t.id",
        kind="(ARRAY['queued', 'accepted', 'resolved'])[n]",
        created_at="t.created_at + n * interval '1 second'",
    )
    with database.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE")
    return large


@pytest.fixture
def explained() -> Iterator[Explain]:
    """Return a way to call something and be told of every statement that it made."""
    database.ensure_connection()
    plans: list[dict[str, Any]] = []

    def hear(notice: Diagnostic) -> None:
        _, found, plan = str(notice.message_primary).partition("plan:\n")
        if found:
            plans.append(json.loads(plan))

    def explain(call: Callable[[], Any]) -> list[Statement]:
        plans.clear()
        call()
        return [_statement(each) for each in plans]

    with database.cursor() as cursor:
        cursor.execute("LOAD 'auto_explain'")
        for setting, value in {
            "auto_explain.log_analyze": "on",
            "auto_explain.log_timing": "off",
            "auto_explain.log_format": "json",
            "auto_explain.log_min_duration": "0",
            "client_min_messages": "log",
        }.items():
            cursor.execute(f"SET LOCAL {setting} = '{value}'")
    wrapped: Any = database.connection
    wrapped.add_notice_handler(hear)
    yield explain
    wrapped.remove_notice_handler(hear)


def _statement(plan: dict[str, Any]) -> Statement:
    read: Counter[str] = Counter()
    nodes = [plan["Plan"]]
    while nodes:
        node = nodes.pop()
        nodes += node.get("Plans", [])
        if "Relation Name" in node:
            rows = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
            rows += node.get("Rows Removed by Index Recheck", 0)
            read[node["Relation Name"]] += round(rows * node["Actual Loops"])
    return Statement(plan["Query Text"], read)


def _small_tables() -> set[str]:
    with database.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE reltuples < %s", [SMALL])
        return {name for (name,) in cursor.fetchall()}


def _reads(business: Business) -> list[tuple[str, User, str, str]]:
    """Return the reads: their name, who makes them, the address, what the answer calls its rows.

    Browsers send every queue of the attendant's when nothing is narrowed.
    """
    queues = quote(str([queue.pk for queue in business.queues]))
    page = f"pageNumber=1&queueIds={queues}"
    of_company = Ticket.objects.for_company(business.company.pk)
    newest = of_company.filter(status="open").latest("updated_at")
    held = of_company.filter(status="closed", user=business.agents[0]).latest("updated_at")
    admin, agent = business.admin, business.agents[0]
    return [
        ("open list", admin, f"/api/tickets?status=open&showAll=true&{page}", "tickets"),
        ("closed list", admin, f"/api/tickets?status=closed&showAll=true&{page}", "tickets"),
        ("an attendant's closed list", agent, f"/api/tickets?status=closed&{page}", "tickets"),
        ("waiting list", agent, f"/api/tickets?status=pending&{page}", "tickets"),
        ("board", admin, f"/api/ticket/kanban?showAll=true&{page}", "tickets"),
        ("a lane", admin, f"/api/ticket/kanban?showAll=true&laneId=0&{page}", "tickets"),
        ("messages", admin, f"/api/messages/{newest.pk}?pageNumber=1", "messages"),
        ("an attendant's messages", agent, f"/api/messages/{held.pk}?pageNumber=1", "messages"),
        ("contacts", admin, "/api/contacts?pageNumber=1", "contacts"),
        ("contact search", admin, "/api/contacts?pageNumber=1&searchParam=cliente 15", "contacts"),
    ]


def test_hot_reads_read_little_more_than_they_answer(
    business: Business, explained: Explain, client_for: ClientFor
) -> None:
    small = _small_tables()
    too_much = []
    for name, user, address, rows in _reads(business):
        client = client_for(user)
        for _ in range(SETTLED):
            answer = client.get(address)
        assert answer.status_code == 200, answer.content
        answered = len(answer.json()[rows])
        assert answered, name
        # Counting reads what it counts; who waits for a large count is told one that was kept.
        statements = [
            each for each in explained(partial(client.get, address)) if "COUNT(*)" not in each.sql
        ]
        assert statements, name
        too_much += [
            f"{name}: {count} rows of {table} for {answered}: {each.sql[:200]}"
            for each in statements
            for table, count in each.read.items()
            if table not in small and count > MOST_READ_PER_ROW * answered
        ]
    assert not too_much, "\n".join(too_much)
