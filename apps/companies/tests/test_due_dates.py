"""How a due date moves on (rules/companies §4)."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.utils import timezone

from apps.companies.models import Company
from apps.companies.services import extend_due_date, months_later

NOON = datetime(2026, 5, 20, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        (date(2026, 1, 31), 1, date(2026, 2, 28)),
        (date(2027, 12, 31), 2, date(2028, 2, 29)),
        (date(2026, 12, 5), 1, date(2027, 1, 5)),
        (date(2026, 8, 30), 6, date(2027, 2, 28)),
        (date(2028, 2, 29), 12, date(2029, 2, 28)),
    ],
)
def test_a_day_that_the_month_lacks_is_its_last(day: date, months: int, later: date) -> None:
    assert months_later(day, months) == later


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("recurrence", "due", "extended"),
    [
        ("MENSAL", date(2026, 6, 1), date(2026, 7, 1)),
        ("BIMESTRAL", date(2026, 6, 1), date(2026, 8, 1)),
        ("SEMESTRAL", date(2026, 6, 1), date(2026, 12, 1)),
        ("ANUAL", date(2026, 6, 1), date(2027, 6, 1)),
        ("TRIMESTRAL", date(2026, 5, 19), date(2026, 8, 20)),  # past: from today
    ],
)
def test_the_recurrence_counts_from_the_due_date_or_from_today(
    acme: Company,
    monkeypatch: pytest.MonkeyPatch,
    events: list[dict[str, Any]],
    recurrence: str,
    due: date,
    extended: date,
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    Company.objects.filter(pk=acme.pk).update(recurrence=recurrence, due_date=due)
    assert extend_due_date(company_id=acme.pk).due_date == extended
    acme.refresh_from_db()
    assert acme.due_date == extended
    assert {"event": "recheck_company", "id": acme.pk} in events


@pytest.mark.django_db
def test_company_1_has_no_date_to_move(operator_company: Company) -> None:
    before = operator_company.due_date
    assert extend_due_date(company_id=operator_company.pk).due_date == before
