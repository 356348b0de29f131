"""The timed jobs of an installation with thousands of companies: invoices, due days, the purge."""

import time
from collections.abc import Callable
from datetime import timedelta

from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.billing.models import Invoice
from apps.billing.services.invoices import make_invoices
from apps.companies.models import Company, CompanySetting
from apps.companies.queries import companies_that_send
from apps.companies.services import end_overdue
from apps.inbound.models import InboundEvent
from apps.inbound.services import purge_finished
from apps.mail.models import Mail
from tests import factories
from tests.bench.dataset import Business, insert, settle
from tests.bench.report import Figure
from tests.bench.stack import Stack

COMPANIES = 10_000
EVENTS_OF_EACH = 20
# One company in ten keeps hours of its own.
OWN_ZONE = 10
BUDGET_SECONDS = 10.0
NAME = "Diária"


def measure(stack: Stack, business: Business, *, companies: int) -> list[Figure]:
    """Run each job once over companies that all give it something to do, and once over none."""
    stack.stop("worker")  # it may begin the same jobs
    try:
        _open(companies)
        size = f"{companies:,} companies"
        figures = _invoices(size, companies)
        figures += _due_days(size, companies)
        return figures + _purge(business, size, companies)
    finally:
        stack.start_worker()


def _open(companies: int) -> None:
    """Make the companies, due within the days for which invoices are made."""
    plan = factories.make_plan(value=99)
    insert(
        Company,
        f"generate_series(1, {companies}) AS n",
        name=f"'{NAME} ' || n",
        plan_id=str(plan.pk),
        due_date="current_date + 1 + (n % 9)::integer",
    )
    insert(
        CompanySetting,
        f"{Company._meta.db_table} AS company WHERE company.name LIKE '{NAME} %'"
        f" AND company.id % {OWN_ZONE} = 0",
        company_id="company.id",
        key="'timeZone'",
        value="'America/Manaus'",
    )
    settle()


def _invoices(size: str, companies: int) -> list[Figure]:
    made, seconds, statements = _timed(make_invoices)
    assert made >= companies, f"{made:,} invoices"
    assert Invoice.objects.count() >= companies
    again, idle, _ = _timed(make_invoices)
    assert again == 0
    return [
        Figure(f"invoices of {size}", seconds, "s", BUDGET_SECONDS),
        Figure("… statements", statements, "", 1),
        Figure("… once all are made", idle, "s", BUDGET_SECONDS),
    ]


def _due_days(size: str, companies: int) -> list[Figure]:
    """Let all companies' day have been over yesterday, then three days ago."""
    opened = Company.objects.filter(name__startswith=NAME)
    today = timezone.now().date()
    opened.update(due_date=today - timedelta(days=2))
    told, seconds, statements = _timed(end_overdue)
    assert told >= companies, f"{told:,} told"
    figures = [
        Figure(f"due days of {size} that are over", seconds, "s", BUDGET_SECONDS),
        Figure("… statements", statements, "", 2),
    ]
    opened.update(due_date=today - timedelta(days=4))
    _, seconds, statements = _timed(lambda: len(companies_that_send(timezone.now())))
    return [
        *figures,
        Figure(f"who may send, where {size} are in doubt", seconds, "s", BUDGET_SECONDS),
        Figure("… statements", statements, "", 3),
    ]


def _purge(business: Business, size: str, companies: int) -> list[Figure]:
    """Purge what providers reported and what mails were sent, beside as much that is young."""
    old, young = timezone.now() - timedelta(days=40), companies * EVENTS_OF_EACH
    for name, age in (("old", 40), ("young", 1)):
        insert(
            InboundEvent,
            f"generate_series(1, {young}) AS n",
            connection_id=str(business.connection.pk),
            event_id=f"'{name}.' || n",
            kind="'message'",
            partition="n % 1000",
            payload="'{}'",
            state="'done'",
            received_at=f"now() - interval '{age} days'",
        )
        insert(
            Mail,
            f"generate_series(1, {companies}) AS n",
            company_id=str(business.company.pk),
            recipient="'a@bench.example'",
            subject="'Senha'",
            body="'Olá'",
            state="'done'",
            message_id=f"'<{name}.' || n || '@bench.example>'",
            created_at=f"now() - interval '{age} days'",
        )
    settle()
    purged, seconds, _ = _timed(lambda: purge_finished(before=old + timedelta(days=10)))
    assert purged >= young + companies, f"{purged:,} purged"
    return [
        Figure(f"purge of {purged:,} rows of {size}", seconds, "s"),
        Figure("… rows", purged / seconds, "1/s", 2_000, at_least=True),
    ]


def _timed(job: Callable[[], int]) -> tuple[int, float, int]:
    """Return what a job says, its seconds and its statements."""
    with CaptureQueriesContext(database) as queries:
        started_at = time.perf_counter()
        said = job()
        seconds = time.perf_counter() - started_at
    return said, seconds, len(queries)
