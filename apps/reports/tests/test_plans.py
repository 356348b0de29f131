"""A page of the report reads little more than it shows, among 40,000 conversations."""

from typing import Any

import pytest
from django.db import connection as database
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.companies.queries import zone_of
from apps.reports.queries.activity import ActivityAsked, activity_of
from apps.reports.queries.asked import Asked, Place
from apps.reports.queries.conversations import PAGE_SIZE, page_of
from apps.tickets.models import Message, Ticket, TicketActivity, TrackingCycle
from apps.tickets.queries.dashboard import Asked as DaysAsked
from apps.tickets.queries.dashboard import Span, span_of
from tests.bench.dataset import Business, grow, insert, make_business
from tests.test_plans import MOST_READ_PER_ROW, SETTLED, Explain, explained

__all__ = ["explained"]

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

TICKETS, A_TICKET, A_MESSAGE = 8000, 5, 2
CYCLES = TrackingCycle._meta.db_table


@pytest.fixture
def business() -> Business:
    """A company with 8,000 tickets of five days, and their cycles of 40 days."""
    with database.cursor() as cursor:
        cursor.execute(f"TRUNCATE {Company._meta.db_table} CASCADE")
        cursor.execute("SET LOCAL session_replication_role = replica")
    large = make_business("Large")
    grow(large, tickets=TICKETS, messages_per_ticket=A_MESSAGE, tidy=False)
    queued = "t.created_at - n * interval '7 days'"
    is_live = "n = 0 AND t.status <> 'closed'"
    insert(
        TrackingCycle,
        f"{Ticket._meta.db_table} AS t, generate_series(0, {A_TICKET - 1}) AS n",
        company_id="t.company_id",
        ticket_id="t.id",
        contact_id="t.contact_id",
        connection_id="t.connection_id",
        queue_id=f"CASE WHEN {is_live} THEN NULL ELSE t.queue_id END",
        user_id="t.user_id",
        queued_at=queued,
        started_at=f"{queued} + interval '1 minute'",
        finished_at=f"CASE WHEN {is_live} THEN NULL ELSE {queued} + interval '9 minutes' END",
        rate="CASE WHEN t.id % 10 = 0 AND n > 0 THEN 1 + t.id % 3 END",
    )
    with database.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE")
    return large


def span(business: Business, days: int) -> Span:
    zone = zone_of(business.company.pk)
    today = timezone.now().astimezone(zone).date()
    return span_of(DaysAsked(days=days, date_to=today), zone=zone, now=timezone.now())


def asked(business: Business, **narrow: Any) -> Asked:
    return Asked(business.company.pk, span(business, 90), Q(), **narrow)


@pytest.mark.parametrize("narrow", ["none", "user", "queue", "rated", "deep"])
def test_a_page_reads_what_it_shows(business: Business, narrow: str, explained: Explain) -> None:
    wanted: dict[str, dict[str, Any]] = {
        "user": {"user_id": business.agents[0].pk},
        "queue": {"queue_id": business.queues[0].pk},
        "rated": {"rating": "any"},
    }
    given = asked(business, **wanted.get(narrow, {}))
    after = None
    if narrow == "deep":
        oldest = TrackingCycle.objects.order_by("queued_at")[200]
        after = Place(oldest.queued_at, oldest.pk)
    for _ in range(SETTLED):
        page = page_of(given, after)
    assert len(page.conversations) == PAGE_SIZE
    statements = explained(lambda: page_of(given, after))
    lists = [each for each in statements if "ORDER BY" in each.sql and CYCLES in each.sql[:600]]
    found = [each for each in lists if f"LIMIT {PAGE_SIZE + 1}" in each.sql]
    assert len(found) == (2 if narrow == "queue" else 1)
    read = sum(each.read[CYCLES] for each in found)
    # Of a queue as many unfinished as finished ones are read.
    assert read <= MOST_READ_PER_ROW * (PAGE_SIZE + 1) * len(found), [each.sql for each in found]
    messages = sum(each.read[Message._meta.db_table] for each in statements)
    assert messages <= MOST_READ_PER_ROW * PAGE_SIZE * A_MESSAGE


def test_a_day_of_people_reads_that_day(business: Business, explained: Explain) -> None:
    agents = [agent.pk for agent in business.agents]
    one = f"(ARRAY{agents})[1 + n % {len(agents)}]"
    rows = "generate_series(1, 30000) AS n"
    at = "now() - n * interval '1 minute'"
    ticket = Ticket.objects.earliest("pk").pk
    insert(
        TicketActivity,
        rows,
        ticket_id=str(ticket),
        kind="'accepted'",
        detail="'{}'",
        actor_id=one,
        created_at=at,
    )
    with database.cursor() as cursor:
        cursor.execute(
            f"UPDATE {Message._meta.db_table} SET source = 'agent', from_me = true,"
            f" user_id = {agents[0]}, created_at = now() - (id % 30000) * interval '1 minute'"
        )
        cursor.execute("ANALYZE")
    given = ActivityAsked(business.company.pk, span(business, 2), Q())
    for _ in range(SETTLED):
        days = list(activity_of(given, timezone.now()))
    assert {each.user_id for each in days} <= set(
        User.objects.filter(company=business.company).values_list("pk", flat=True)
    )
    done = sum(each.acts + each.messages for each in days)
    statements = explained(lambda: list(activity_of(given, timezone.now())))
    tables = (Message._meta.db_table, TicketActivity._meta.db_table)
    read = sum(each.read[table] for each in statements for table in tables)
    assert done
    assert read <= MOST_READ_PER_ROW * done
