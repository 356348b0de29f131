"""What the dashboard takes of a company with 200,000 tickets and a million messages."""

import time

import httpx
from django.db import connection as database

from apps.contacts.models import Tag
from apps.tickets.models import Rating, Ticket, TicketTag, TrackingCycle
from tests.bench.dataset import Business, grow, insert, say_more
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.factories import make_tag

TICKETS = 200_000
MESSAGES = 1_000_000
BUDGET_MS = 300.0
CALLS = 20
TAGS = 20
# What the page asks for, and the most that can be asked for.
SPANS = {"30 days": "days=30", "90 days": "days=90", "every day": "date_from=2000-01-01"}
ADDRESSES = {
    "dashboard": "/api/dashboard",
    "breakdown": "/api/dashboard/breakdown",
    "tags": "/api/dashboard/tags",
}


def fill(business: Business, *, tickets: int, messages: int) -> int:
    """Give the company so many tickets and messages, with cycles, ratings and tags; returns cycles.

    A ticket a minute: 200,000 are those of 139 days. Every fourth has a cycle of the day before.
    """
    grow(business, tickets=tickets, messages_per_ticket=1)
    say_more(business, messages=messages)
    company_id = business.company.pk
    of_company = f"t.company_id = {company_id}"
    row = f"{Ticket._meta.db_table} AS t"
    # Not `NOT EXISTS`: of a table that nobody has looked at yet it is read once for every ticket.
    uncycled = f"t.id NOT IN (SELECT ticket_id FROM {TrackingCycle._meta.db_table})"
    again = f"{row}, generate_series(0, CASE WHEN t.id % 4 = 0 THEN 1 ELSE 0 END) AS n"
    queued = "t.created_at - n * interval '1 day'"
    started = f"{queued} + (t.id % 40) * interval '1 minute'"
    finished = f"{started} + (t.id % 90) * interval '1 minute'"
    is_live = "n = 0 AND t.status <> 'closed'"
    insert(
        TrackingCycle,
        f"{again} WHERE {of_company} AND {uncycled}",
        company_id="t.company_id",
        ticket_id="t.id",
        contact_id="t.contact_id",
        connection_id="t.connection_id",
        queue_id=f"CASE WHEN {is_live} THEN NULL ELSE t.queue_id END",
        user_id="t.user_id",
        queued_at=queued,
        started_at=f"CASE WHEN n = 0 AND t.status = 'pending' THEN NULL ELSE {started} END",
        first_answer_at=f"CASE WHEN {is_live} THEN NULL ELSE {started} END",
        finished_at=f"CASE WHEN {is_live} THEN NULL ELSE {finished} END",
        rate=f"CASE WHEN {is_live} OR (t.id + n) % 3 > 0 THEN NULL ELSE 1 + t.id % 7 % 3 END",
    )
    tags = [make_tag(business.company) for _ in range(TAGS)]
    if Tag.objects.for_company(company_id).count() == TAGS:
        ids = ",".join(str(tag.pk) for tag in tags)
        insert(
            TicketTag,
            f"{row} WHERE {of_company} AND t.id % 2 = 0",
            ticket_id="t.id",
            tag_id=f"(ARRAY[{ids}])[1 + t.id / 2 % {TAGS}]",
        )
    insert(
        Rating,
        f"{TrackingCycle._meta.db_table} AS c WHERE c.company_id = {company_id}"
        " AND c.rate IS NOT NULL AND NOT EXISTS"
        f" (SELECT 1 FROM {Rating._meta.db_table} AS r WHERE r.cycle_id = c.id)",
        company_id="c.company_id",
        cycle_id="c.id",
        ticket_id="c.ticket_id",
        user_id="c.user_id",
        rate="c.rate",
    )
    with database.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return TrackingCycle.objects.for_company(company_id).count()


def measure(stack: Stack, token: str) -> list[Figure]:
    """Call each for each span, one call after another."""
    lines: list[Figure] = []
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=stack.web_address, headers=headers, timeout=60) as client:
        for name, address in ADDRESSES.items():
            for span, query in SPANS.items():
                client.get(f"{address}?{query}").raise_for_status()
                taken = []
                before = stack.cpu("web", "postgres")
                for _ in range(CALLS):
                    started_at = time.perf_counter()
                    client.get(f"{address}?{query}").raise_for_status()
                    taken.append((time.perf_counter() - started_at) * 1000)
                spent = (stack.cpu("web", "postgres") - before) * 1000 / CALLS
                lines += [
                    Figure(f"{name}, {span}, p50", percentile(taken, 0.5), "ms", BUDGET_MS),
                    Figure(f"{name}, {span}, p95", percentile(taken, 0.95), "ms"),
                    Figure(f"{name}, {span}, CPU", spent, "ms"),
                ]
        started_at = time.perf_counter()
        client.get(f"/api/dashboard/export?{SPANS['30 days']}").raise_for_status()
        lines.append(Figure("dashboard's file", (time.perf_counter() - started_at) * 1000, "ms"))
    return lines
