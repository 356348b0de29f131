"""Several periods of a day (rules/hours §2)."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company, default_schedules
from conftest import ClientFor

pytestmark = pytest.mark.django_db
AFTERNOON = {"startTime": "14:00", "endTime": "18:00"}


def week(**monday: Any) -> list[dict[str, Any]]:
    """The default week, whose Monday is open in the morning."""
    rows: list[dict[str, Any]] = [*default_schedules()]
    rows[0] |= {"startTime": "08:00", "endTime": "12:00", **monday}
    return rows


@pytest.fixture
def address(acme: Company) -> str:
    return f"/api/companies/{acme.pk}/schedules"


def test_further_periods_are_kept_where_a_browser_does_not_know_them(
    admin: User, acme: Company, address: str, client_for: ClientFor
) -> None:
    client = client_for(admin)
    answer = client.put(address, {"schedules": week(morePeriods=[AFTERNOON])}, format="json")
    assert answer.status_code == 200
    rows = answer.json()["schedules"]
    assert rows[0]["morePeriods"] == [AFTERNOON]
    assert "morePeriods" not in rows[1]
    client.put(address, {"schedules": week()}, format="json")
    acme.refresh_from_db()
    assert acme.schedules[0]["morePeriods"] == [AFTERNOON]
    client.put(address, {"schedules": week(morePeriods=[])}, format="json")
    acme.refresh_from_db()
    assert not acme.schedules[0]["morePeriods"]


@pytest.mark.parametrize(
    "monday",
    [
        {"morePeriods": [{"startTime": "11:00", "endTime": "15:00"}]},
        {"morePeriods": [{"startTime": "14:00", "endTime": "14:00"}]},
        {"morePeriods": [{"startTime": "14:00", "endTime": "9"}]},
        {"morePeriods": [{"startTime": "14:00"}]},
        {"morePeriods": [AFTERNOON] * 6},
        {"morePeriods": [{"startTime": "20:00", "endTime": "09:00"}]},
        {"startTime": "", "endTime": "", "morePeriods": [AFTERNOON]},
    ],
)
def test_periods_that_can_not_be_are_refused(
    monday: dict[str, Any], admin: User, acme: Company, address: str, client_for: ClientFor
) -> None:
    answer = client_for(admin).put(address, {"schedules": week(**monday)}, format="json")
    assert answer.status_code == 400
    acme.refresh_from_db()
    assert acme.schedules == default_schedules()
