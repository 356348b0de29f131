"""People's days: presence, messages, acts, first and last (rules/reports §5)."""

from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from apps.accounts.models import User
from apps.companies.models import Company
from apps.desk.models import PresencePeriod
from apps.tickets.models import Message, TicketActivity
from conftest import ClientFor
from tests.factories import make_message, make_ticket, make_user

pytestmark = pytest.mark.django_db
# 09:00 in São Paulo.
NINE = datetime(2026, 6, 10, 12, tzinfo=UTC)
DAYS = "dateFrom=2026-06-09&dateTo=2026-06-10"


def present(user: User, presence: str, start: datetime, end: datetime, reason: str = "") -> None:
    PresencePeriod.objects.create(
        company=user.company,
        user=user,
        presence=presence,
        reason=reason,
        started_at=start,
        ended_at=end,
    )


def wrote(user: User, at: datetime, source: str = "agent") -> None:
    ticket = make_ticket(user.company)
    message = make_message(ticket, from_me=True, source=source, user=user)
    Message.objects.filter(pk=message.pk).update(created_at=at)


def activity(client: Any, query: str = DAYS) -> dict[str, Any]:
    answer = client.get(f"/api/reports/activity?{query}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_a_day_tells_presence_pauses_and_what_was_done(
    client_for: ClientFor, admin: User, agent: User, globex: Company
) -> None:
    hour = timedelta(hours=1)
    present(agent, "offline", NINE - 30 * hour, NINE)
    present(agent, "online", NINE, NINE + 3 * hour)
    present(agent, "paused", NINE + 3 * hour, NINE + 4 * hour, "Almoço")
    present(agent, "online", NINE + 4 * hour, NINE + 9 * hour)
    wrote(agent, NINE + hour)
    wrote(agent, NINE + 2 * hour)
    wrote(agent, NINE + 8 * hour, source="schedule")
    TicketActivity.objects.create(
        ticket=make_ticket(agent.company), kind="resolved", actor=agent, created_at=NINE + 5 * hour
    )
    wrote(make_user(globex), NINE)
    body = activity(client_for(admin))
    # All of the day before the agent was offline.
    [today] = body["days"]
    assert body["next"] is None
    assert today == {
        "date": "2026-06-10",
        "userId": agent.pk,
        "userName": agent.name,
        "onlineSeconds": 8 * 3600,
        "pausedSeconds": 3600,
        "pauses": [{"reason": "Almoço", "seconds": 3600}],
        # Since midnight.
        "offlineSeconds": 9 * 3600,
        "firstAt": "2026-06-10T13:00:00Z",
        "lastAt": "2026-06-10T17:00:00Z",
        "messages": 2,
        "acts": 1,
    }


def test_what_is_not_logged_has_no_presence(
    client_for: ClientFor, admin: User, agent: User
) -> None:
    wrote(agent, NINE)
    [day] = activity(client_for(admin))["days"]
    times = ("onlineSeconds", "pausedSeconds", "offlineSeconds")
    assert [day[name] for name in times] == [0, 0, 0]
    assert (day["firstAt"], day["pauses"]) == ("2026-06-10T12:00:00Z", [])


def test_one_person_is_asked_for(client_for: ClientFor, admin: User, agent: User) -> None:
    wrote(agent, NINE)
    wrote(admin, NINE)
    client = client_for(admin)
    assert {day["userId"] for day in activity(client)["days"]} == {agent.pk, admin.pk}
    days = activity(client, f"{DAYS}&userId={agent.pk}")["days"]
    assert [day["userId"] for day in days] == [agent.pk]


def test_the_number_of_queries_is_constant(
    client_for: ClientFor, admin: User, acme: Company, django_assert_max_num_queries: Any
) -> None:
    client = client_for(admin)
    for each in range(5):
        user = make_user(acme)
        present(user, "online", NINE - timedelta(days=each), NINE)
        wrote(user, NINE)
    with django_assert_max_num_queries(8):
        assert len(activity(client)["days"]) > 5


def test_pages_follow_each_other(client_for: ClientFor, admin: User, acme: Company) -> None:
    for _ in range(55):
        user = make_user(acme)
        wrote(user, NINE)
        wrote(user, NINE - timedelta(days=3))
    client, days = client_for(admin), "dateFrom=2026-05-01&dateTo=2026-06-10"
    first = activity(client, days)
    assert {day["date"] for day in first["days"]} == {"2026-06-10"}
    assert (len(first["days"]), first["next"]) == (55, "2026-06-09")
    second = activity(client, f"{days}&cursor={first['next']}")
    assert {day["date"] for day in second["days"]} == {"2026-06-07"}
    assert len(second["days"]) == 55
    last = activity(client, f"{days}&cursor={second['next']}")
    assert (last["days"], last["next"]) == ([], None)


def test_a_page_reads_its_own_days_alone(
    client_for: ClientFor, admin: User, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.reports.queries.activity.PAGE_SIZE", 1)
    for back in range(3):
        wrote(admin, NINE - timedelta(days=back))
    client, days = client_for(admin), "dateFrom=2026-06-01&dateTo=2026-06-10"
    with CaptureQueriesContext(database) as captured:
        assert len(activity(client, days)["days"]) == 1
    table = f'FROM "{Message._meta.db_table}"'
    assert sum(table in each["sql"] for each in captured.captured_queries) == 1
    whole = activity(client, f"{days}&cursor=2026-06-09")
    assert (len(whole["days"]), whole["next"]) == (1, "2026-06-08")


def test_too_many_days_are_refused(client_for: ClientFor, admin: User) -> None:
    begin = date(2026, 6, 10) - timedelta(days=92)
    answer = client_for(admin).get(f"/api/reports/activity?dateFrom={begin}&dateTo=2026-06-10")
    assert answer.status_code == 400
    assert answer.json()["fields"]["dateFrom"]


def test_the_sheet_has_days_and_spans(client_for: ClientFor, admin: User, agent: User) -> None:
    present(agent, "online", NINE, NINE + timedelta(hours=2))
    answer = client_for(admin).get(
        f"/api/reports/activity/export?{DAYS}&file=xlsx", headers={"Accept-Language": "en"}
    )
    sheet = load_workbook(BytesIO(answer.getvalue())).active
    assert sheet is not None
    head, row = sheet.values
    told = dict(zip(head, row, strict=True))
    assert told["Day"] == datetime(2026, 6, 10)
    assert sheet["A2"].number_format == "dd/mm/yyyy"
    assert told["Available"] == timedelta(hours=2)


def test_the_file_has_the_rows_of_the_call(client_for: ClientFor, admin: User, agent: User) -> None:
    present(agent, "paused", NINE, NINE + timedelta(hours=26), "=1+1")
    client = client_for(admin)
    answer = client.get(f"/api/reports/activity/export?{DAYS}", headers={"Accept-Language": "en"})
    text = answer.getvalue().decode("utf-8-sig")
    head, line = text.splitlines()[:2]
    assert head.split(";")[:5] == ["day", "person", "available", "paused", "pauses by reason"]
    assert line.startswith('"10/06/2026";')
    assert "15:00:00" in line
    assert "=1+1 15:00:00" in line
    assert ';"=1+1' not in line
