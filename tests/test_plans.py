"""What is read all day reads little more than it answers, however much there is.

What PostgreSQL really did, with the plan that the product's own connection had settled on.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection as database
from django.utils import timezone
from psycopg.errors import Diagnostic

from apps.accounts.models import User
from apps.common import counts
from apps.companies.models import Company
from apps.connections.models import BegunConversation, Connection
from apps.connections.queries import portfolio_of
from apps.contacts.models import Contact
from apps.tickets.models import Message, Ticket, TicketActivity
from apps.tickets.queries.inbox import PAGE_SIZE
from apps.tickets.queries.search import RARE_MATCHES
from apps.tickets.services.outbox import use_of
from apps.tickets.services.tickets.retention import NOTES
from conftest import ClientFor
from tests.bench.dataset import Business, grow, insert, make_business
from tests.factories import make_ticket

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

CLOSED = 20_000
OTHER_COMPANIES = 40
# After five executions PostgreSQL may settle on one plan for any values.
SETTLED = 8
# A table of so few rows is read whole, and rightly.
SMALL = 1000
# 256 kB of new texts, and the index's own pages.
MOST_WAITING_PAGES = 32 + 10
MOST_READ_PER_ROW = 3
# A term that is in more messages than are gathered.
EVERYWHERE = "entrega"


Explain = Callable[[Callable[[], Any]], "list[Statement]"]


@dataclass(frozen=True)
class Statement:
    """A statement with what it read of each table; of what a loop repeats, every time."""

    sql: str
    read: Counter[str]

    @property
    def counts(self) -> bool:
        """Tell whether it is for a list's length."""
        return "COUNT(" in self.sql


@dataclass(frozen=True)
class Read:
    """A call that is made all day."""

    name: str
    user: User
    address: str
    # What the answer calls its rows; one that is a single row has no name for it.
    rows: str = ""
    # How many rows it may gather whatever it answers.
    gathers: int = 0


@pytest.fixture
def business() -> Business:
    """Return a company with 20,000 closed tickets among small ones, as on a shared server.

    How many rows a company has is then no guess for another's: the reason why one plan for any
    company is a bad one.
    """
    with database.cursor() as cursor:
        # New files: rows would also go where those of earlier tests were, in any order.
        cursor.execute(f"TRUNCATE {Company._meta.db_table} CASCADE")
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
    # Some contacts whose window closes soon wrote last.
    live = Ticket.objects.filter(company=large.company, status__in=["open", "pending"])
    heard_at = timezone.now() - timedelta(hours=23)
    latest = live.filter(last_inbound_at__range=(heard_at - timedelta(hours=1), heard_at))
    latest_ids = list(latest.values_list("latest_message", flat=True))
    assert Message.objects.filter(pk__in=latest_ids).update(from_me=False) >= 5
    with database.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = origin")
        # In the order of their ids: a short row also went where a page before had just room for it,
        # which the digits of ids decide.
        messages = Message._meta.db_table
        cursor.execute(f"CLUSTER {messages} USING {messages}_pkey")
        # As VACUUM does, for which a transaction is no place: new texts are in the indexes' trees.
        for index in ("message_search", "contact_search"):
            cursor.execute("SELECT gin_clean_pending_list(%s)", [index])
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
            # A scan of a whole table begins where it begins, not where another one was.
            "synchronize_seqscans": "off",
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


def _reads(business: Business) -> list[Read]:
    """Return the reads. Browsers send every queue of the attendant's when nothing is narrowed."""
    queues = quote(str([queue.pk for queue in business.queues]))
    page = f"pageNumber=1&queueIds={queues}"
    of_company = Ticket.objects.for_company(business.company.pk)
    newest = of_company.filter(status="open").latest("updated_at")
    held = of_company.filter(status="closed", user=business.agents[0]).latest("updated_at")
    admin, agent = business.admin, business.agents[0]
    closed = "/api/tickets?status=closed"
    board = f"/api/ticket/kanban?showAll=true&{page}"
    search = f"/api/tickets?showAll=true&{page}&searchParam="
    contacts = "/api/contacts?pageNumber=1"
    gathers = RARE_MATCHES + OTHER_COMPANIES
    return [
        Read("open list", admin, f"/api/tickets?status=open&showAll=true&{page}", "tickets"),
        Read("closed list", admin, f"{closed}&showAll=true&{page}", "tickets"),
        Read("an attendant's closed list", agent, f"{closed}&{page}", "tickets"),
        Read("waiting list", agent, f"/api/tickets?status=pending&{page}", "tickets"),
        Read(
            "longest waiting",
            agent,
            f"/api/tickets?status=pending&order=longest_waiting&{page}",
            "tickets",
        ),
        Read(
            "closing windows",
            admin,
            f"/api/tickets?status=open&windowClosing=true&showAll=true&{page}",
            "tickets",
        ),
        Read("board", admin, board, "tickets"),
        Read("a lane", admin, f"{board}&laneId=0", "tickets"),
        Read("messages", admin, f"/api/messages/{newest.pk}?pageNumber=1", "messages"),
        Read("an attendant's messages", agent, f"/api/messages/{held.pk}?pageNumber=1", "messages"),
        Read("one ticket", admin, f"/api/tickets/{newest.pk}"),
        Read("an attendant's ticket", agent, f"/api/tickets/{held.pk}"),
        # The index of texts goes by three letters at a time, over all companies: of what it finds
        # some is something else.
        Read("a number's tickets", admin, f"{search}5511900001999", "tickets", PAGE_SIZE),
        Read("a rare text", admin, f"{search}cliente%201999", "tickets"),
        # It gives nothing in the list's order, so what it finds is gathered: so many at most.
        Read("a text", admin, f"{search}entrega%20prazo", "tickets", gathers),
        Read("a common text", admin, f"{search}{EVERYWHERE}", "tickets", gathers),
        Read("contacts", admin, contacts, "contacts"),
        Read("contact search", admin, f"{contacts}&searchParam=cliente 15", "contacts"),
    ]


def _most(statement: Statement, answer: dict[str, Any], read: Read) -> int:
    """Return how many rows of a table a statement may read.

    A list's length is counted, and what is counted is read once: three times the number that is
    answered bounds it as three times the rows bound a page. Large ones are then kept for a while.
    """
    answered = len(answer[read.rows]) if read.rows else 1
    assert answered, read.name
    rows = max(answered, answer.get("count", 0)) if statement.counts else answered
    return max(MOST_READ_PER_ROW * rows, read.gathers)


def test_hot_reads_read_little_more_than_they_answer(
    business: Business,
    explained: Explain,
    client_for: ClientFor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counts, "LARGE_COUNT_SECONDS", 0)
    said = Message.objects.filter(company=business.company, search_text__contains=EVERYWHERE)
    assert said.count() > 2 * RARE_MATCHES
    small = _small_tables()
    too_much, counted = [], 0
    for read in _reads(business):
        client = client_for(read.user)
        for _ in range(SETTLED):
            answer = client.get(read.address)
        assert answer.status_code == 200, answer.content
        statements = explained(partial(client.get, read.address))
        assert statements, read.name
        counted += sum(each.counts for each in statements)
        too_much += [
            f"{read.name}: {count} rows of {table}, {most} allowed: {each.sql}"
            for each in statements
            for most in [_most(each, answer.json(), read)]
            for table, count in each.read.items()
            if table not in small and count > most
        ]
    assert not too_much, "\n".join(too_much)
    assert counted >= 3, "Nothing was counted"


def test_the_nearest_deadlines_are_read_by_their_index(
    business: Business, explained: Explain, client_for: ClientFor
) -> None:
    with database.cursor() as cursor:
        cursor.execute(
            "UPDATE tickets_ticket SET sla_due_at = now() + id * interval '1 minute'"
            " WHERE company_id = %s AND status = 'open' AND id %% 3 = 0",
            [business.company.pk],
        )
        cursor.execute("ANALYZE tickets_ticket")
    queues = quote(str([queue.pk for queue in business.queues]))
    address = f"/api/tickets?status=open&order=nearest_deadline&showAll=true&queueIds={queues}"
    read = Read("nearest deadline", business.admin, address, "tickets")
    client = client_for(read.user)
    for _ in range(SETTLED):
        answer = client.get(address).json()
    moments = [row["slaDueAt"] for row in answer["tickets"]]
    assert all(moments)
    assert moments == sorted(moments)
    too_much = [
        f"{count} rows: {each.sql}"
        for each in explained(partial(client.get, address))
        for table, count in each.read.items()
        if table == Ticket._meta.db_table and count > _most(each, answer, read)
    ]
    assert not too_much, "\n".join(too_much)


@pytest.mark.parametrize("model", [Contact, Message])
def test_a_search_reads_few_pages_of_texts_that_wait_for_the_index(
    acme: Company, model: type[Contact | Message]
) -> None:
    ticket = make_ticket(acme)
    shown = {"company_id": str(acme.pk), "search_text": "md5(n::text) || ' ' || md5((-n)::text)"}
    if model is Message:
        shown |= {"ticket_id": str(ticket.pk), "contact_id": str(ticket.contact_id)}
    else:
        shown["canonical_number"] = "'9' || n"
    insert(model, "generate_series(1, 3000) AS n", **shown)
    found = model._default_manager.filter(search_text__contains="zzq").order_by()
    with database.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    plan = json.loads(found.explain(format="json", analyze=True, buffers=True))
    assert plan[0]["Plan"]["Shared Hit Blocks"] <= MOST_WAITING_PAGES


def test_the_room_of_a_portfolio_is_counted_without_reading_messages(
    business: Business, explained: Explain
) -> None:
    number = Connection.objects.filter(company=business.company).order_by("pk")[0]
    others = Connection.objects.exclude(pk=number.pk)
    assert others.count() > 1
    Connection.objects.filter(pk=number.pk).update(
        provider="official", verified_at=timezone.now(), messaging_limit=250
    )
    # Many count no more, and many are other companies'.
    for each, ago, people in ((number, 30, 20_000), (others[0], 1, 20_000), (number, 1, 200)):
        insert(
            BegunConversation,
            f"generate_series(1, {people}) AS n",
            connection_id=str(each.pk),
            contact_id=f"{people} * {ago} * 100 + n",
            begun_at=f"now() - interval '{ago} hours'",
        )
    with database.cursor() as cursor:
        cursor.execute("ANALYZE connections_begunconversation")

    def count() -> None:
        number.refresh_from_db()
        portfolio = portfolio_of(number)
        assert portfolio is not None
        assert use_of(portfolio).left(250) == 50

    for _ in range(SETTLED):
        count()
    read = Counter[str]()
    for statement in explained(count):
        read += statement.read
    assert read["connections_begunconversation"] <= 2 * 200 + 10
    assert read["tickets_message"] == 0
    assert read["tickets_ticket"] == 0


@pytest.mark.parametrize("is_large", [True, False])
def test_old_notes_are_deleted_without_reading_other_activities(
    business: Business, explained: Explain, is_large: bool
) -> None:
    # A fifth of the tickets has an old note, and each a newer one.
    for ago, part in (("3 years", "id % 5 = 0"), ("1 month", "true")):
        insert(
            TicketActivity,
            f"{Ticket._meta.db_table} WHERE {part}",
            ticket_id="id",
            kind="'noted'",
            detail="""'{"note": "Ligar", "mentions": []}'""",
            created_at=f"now() - interval '{ago}'",
        )
    with database.cursor() as cursor:
        cursor.execute("ANALYZE tickets_ticketactivity")
    company = business.company
    if not is_large:
        company = Company.objects.exclude(pk=company.pk).latest("pk")
    before = timezone.now() - timedelta(days=365)
    limit = 100
    of_company = TicketActivity.objects.filter(ticket__company=company, created_at__lt=before)
    noted = of_company.filter(kind="noted")
    had = noted.count()

    def delete() -> None:
        assert NOTES.delete_some(company.pk, before, limit).rows == min(limit, had)

    statements = explained(delete)
    assert noted.count() == had - min(limit, had)
    assert any("detail" in each.sql for each in statements)
    too_much = [
        f"{count} rows of {table}: {each.sql}"
        for each in statements
        for table, count in each.read.items()
        if count > MOST_READ_PER_ROW * limit
    ]
    assert not too_much, "\n".join(too_much)
