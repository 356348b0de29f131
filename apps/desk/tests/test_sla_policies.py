"""The calls of deadlines, their report, and holidays (rules/desk §8 and §11, rules/hours §4)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.contacts.models import Tag
from apps.desk.models import SlaClock, SlaPolicy, SlaStep, Tick
from apps.desk.services.known import known
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from conftest import ClientFor
from tests.factories import make_queue, make_tag, make_ticket

pytestmark = pytest.mark.django_db
SLA = "/api/sla"


@pytest.fixture
def tag(acme: Company) -> Tag:
    return make_tag(acme)


def step(**fields: Any) -> dict[str, Any]:
    return {"kind": "first_answer", "when": "due", "action": "tell", "tells": "holder", **fields}


def test_the_first_times_switch_deadlines_on(
    admin: User, queue: Queue, client_for: ClientFor
) -> None:
    client = client_for(admin)
    assert client.get(SLA).json() == []
    body = {"queueId": queue.pk, "firstAnswerMinutes": 15, "steps": [step()]}
    answer = client.post(SLA, body, format="json")
    assert answer.status_code == 201, answer.json()
    row = answer.json()
    assert (row["queueName"], row["firstAnswerMinutes"], row["resolutionMinutes"]) == (
        queue.name,
        15,
        None,
    )
    assert row["steps"][0]["tells"] == "holder"
    assert CompanySetting.objects.get(key="sla").value == "enabled"
    assert Tick.objects.get(kind="sla_sync").next_attempt_at > timezone.now()
    assert AuditEntry.objects.filter(action="sla.saved").count() == 1
    known.be_sure_of_none()


def test_times_are_listed_priorities_first_and_replaced(
    admin: User, acme: Company, queue: Queue, tag: Tag, client_for: ClientFor
) -> None:
    client = client_for(admin)
    for body in (
        {"queueId": queue.pk, "firstAnswerMinutes": 15, "steps": [step(), step(when="quarter")]},
        {"tagId": tag.pk, "nextAnswerMinutes": 5},
        {"priority": "urgent", "resolutionMinutes": 60},
    ):
        assert client.post(SLA, body, format="json").status_code == 201
    rows = client.get(SLA).json()
    assert [(row["priority"], row["tagId"], row["queueId"]) for row in rows] == [
        ("urgent", None, None),
        (None, tag.pk, None),
        (None, None, queue.pk),
    ]
    kept = rows[2]["steps"][0]["id"]
    changed = {"queueId": queue.pk, "firstAnswerMinutes": 20, "steps": [step()]}
    answer = client.put(f"{SLA}/{rows[2]['id']}", changed, format="json")
    assert answer.json()["firstAnswerMinutes"] == 20
    # A step that is as it was stays the same, so it does not happen again.
    assert [each["id"] for each in answer.json()["steps"]] == [kept]
    assert client.delete(f"{SLA}/{rows[0]['id']}").status_code == 200
    assert SlaPolicy.objects.for_company(acme.pk).count() == 2
    known.be_sure_of_none()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"queueId": None}, "queueId"),
        ({"priority": "high"}, "queueId"),
        ({"firstAnswerMinutes": None}, "firstAnswerMinutes"),
        ({"firstAnswerMinutes": 0}, "firstAnswerMinutes"),
        ({"firstAnswerMinutes": 44641}, "firstAnswerMinutes"),
        ({"nonsense": 1}, "nonsense"),
        ({"steps": [step(kind="resolution")]}, "steps.0.kind"),
        ({"steps": [step(when="after")]}, "steps.0.minutes"),
        ({"steps": [step(minutes=5)]}, "steps.0.minutes"),
        ({"steps": [step(tells="")]}, "steps.0.tells"),
        ({"steps": [step(action="tag")]}, "steps.0.tells"),
        ({"steps": [step(action="tag", tells="")]}, "steps.0.tagId"),
        ({"steps": [step(action="priority", tells="")]}, "steps.0.priority"),
        ({"steps": [step(action="queue", tells="")]}, "steps.0.queueId"),
        ({"steps": [step(userId=1)]}, "steps.0.userId"),
        ({"steps": [step(action="assign", tells="", userId=10**9)]}, "steps.userId"),
    ],
)
def test_what_can_not_be_is_refused_and_changes_nothing(
    change: dict[str, Any], field: str, admin: User, queue: Queue, client_for: ClientFor
) -> None:
    body = {"queueId": queue.pk, "firstAnswerMinutes": 15, **change}
    answer = client_for(admin).post(SLA, body, format="json")
    assert answer.status_code == 400
    assert field in str(answer.json())
    assert not SlaPolicy.objects.exists()
    assert not CompanySetting.objects.filter(key="sla").exists()


def test_the_same_queue_twice_and_a_step_to_itself_are_refused(
    admin: User, queue: Queue, client_for: ClientFor
) -> None:
    client = client_for(admin)
    body: dict[str, Any] = {"queueId": queue.pk, "firstAnswerMinutes": 15}
    to_itself = step(action="queue", tells="", queueId=queue.pk)
    assert client.post(SLA, {**body, "steps": [to_itself]}, format="json").status_code == 400
    assert client.post(SLA, body, format="json").status_code == 201
    again = client.post(SLA, body, format="json")
    assert (again.status_code, again.json()["code"]) == (400, "ERR_SLA_EXISTS")
    assert SlaPolicy.objects.count() == 1
    known.be_sure_of_none()


def test_times_for_what_another_company_has_are_refused(
    admin: User, globex: Company, client_for: ClientFor
) -> None:
    foreign = make_queue(globex)
    answer = client_for(admin).post(
        SLA, {"queueId": foreign.pk, "firstAnswerMinutes": 1}, format="json"
    )
    assert answer.status_code == 400
    assert not SlaPolicy.objects.exists()
    assert not SlaStep.objects.exists()


@pytest.fixture
def judged(acme: Company, queue: Queue, agent: User, connection: Connection) -> Ticket:
    """A ticket with a met and a missed clock."""
    ticket = make_ticket(acme, queue=queue, connection=connection)
    now = timezone.now()
    for missed_at, met_at in ((None, now), (now, None)):
        SlaClock.objects.create(
            company=acme,
            ticket=ticket,
            queue=queue,
            user=agent if missed_at else None,
            kind="first_answer",
            minutes=15,
            started_at=now,
            left_seconds=0,
            met_at=met_at,
            missed_at=missed_at,
            judged_at=now,
            ended_at=now,
        )
    return ticket


def test_the_report_counts_by_queue_person_and_hour(
    judged: Ticket,
    admin: User,
    agent: User,
    client_for: ClientFor,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = client_for(admin)
    with django_assert_max_num_queries(12):
        report = client.get(f"{SLA}/report?days=1").json()
    assert report["kinds"] == [{"kind": "first_answer", "met": 1, "missed": 1}]
    assert [(row["name"], row["met"], row["missed"]) for row in report["queues"]] == [
        (judged.queue.name, 1, 1)  # type: ignore[union-attr]
    ]
    assert [(row["name"], row["missed"]) for row in report["users"]] == [(agent.name, 1), (None, 0)]
    assert sum(row["missed"] for row in report["hours"]) == 1
    assert client.get(f"{SLA}/report?days=1&kind=resolution").json()["kinds"] == []
    assert client.get(f"{SLA}/report").json()["code"] == "ERR_DASHBOARD_FILTER"


def test_the_missed_ones_come_with_their_conversations(
    judged: Ticket, admin: User, agent: User, client_for: ClientFor
) -> None:
    client = client_for(admin)
    page = client.get(f"{SLA}/missed?days=1").json()
    [row] = page["clocks"]
    assert (row["ticket"]["id"], row["userName"], page["hasMore"]) == (judged.pk, agent.name, False)
    hour = client.get(f"{SLA}/report?days=1").json()["hours"][0]["hour"]
    for query, count in (
        (f"userId={agent.pk}", 1),
        ("userId=0", 0),
        ("queueId=0", 0),
        (f"hour={hour}", 1),
        (f"hour={(hour + 1) % 24}", 0),
        ("kind=resolution", 0),
    ):
        assert len(client.get(f"{SLA}/missed?days=1&{query}").json()["clocks"]) == count, query


def test_who_may_read_a_ticket_reads_its_clocks(
    judged: Ticket, agent: User, client_for: ClientFor
) -> None:
    rows = client_for(agent).get(f"/api/tickets/{judged.pk}/clocks").json()
    assert [row["missedAt"] is None for row in rows] == [False, True]


def test_the_nearest_deadline_is_on_top_and_none_is_left_out(
    acme: Company, admin: User, queue: Queue, connection: Connection, client_for: ClientFor
) -> None:
    now = timezone.now()
    tickets = [make_ticket(acme, queue=queue, connection=connection) for _ in range(95)]
    # Every second one has a deadline, the last of them the nearest.
    for number, ticket in enumerate(tickets[::2]):
        Ticket.objects.filter(pk=ticket.pk).update(sla_due_at=now - timedelta(hours=number))
    client = client_for(admin)
    found: list[int] = []
    for number in (1, 2, 3):
        query = f"order=nearest_deadline&status=pending&showAll=true&pageNumber={number}"
        page = client.get(f"/api/tickets?{query}").json()
        found += [row["id"] for row in page["tickets"]]
        assert page["count"] == 95
        assert page["hasMore"] == (number < 3)
    assert found[:48] == [ticket.pk for ticket in reversed(tickets[::2])]
    assert sorted(found) == [ticket.pk for ticket in tickets]


def test_holidays_of_a_year_are_the_national_and_the_own_ones(
    agent: User, acme: Company, client_for: ClientFor
) -> None:
    client = client_for(agent)
    assert client.get("/api/holidays?year=2026").json() == []
    CompanySetting.objects.create(company=acme, key="nationalHolidays", value="BR-SP")
    own = "2026-12-24 08:00-12:00 Véspera\n2026-12-25 Natal da casa\n2027-01-02 Depois"
    CompanySetting.objects.create(company=acme, key="ownHolidays", value=own)
    rows = {row["date"]: row for row in client.get("/api/holidays?year=2026").json()}
    assert rows["2026-07-09"]["national"] is True
    assert rows["2026-12-24"] == {
        "date": "2026-12-24",
        "name": "Véspera",
        "national": False,
        "startTime": "08:00",
        "endTime": "12:00",
    }
    assert rows["2026-12-25"]["national"] is False
    assert "2027-01-02" not in rows


def test_holidays_that_are_none_are_refused(
    admin: User, acme: Company, client_for: ClientFor
) -> None:
    client = client_for(admin)
    for key, value in (("ownHolidays", "2026-02-30 X"), ("nationalHolidays", "BR-XX")):
        assert (
            client.put(f"/api/settings/{key}", {"value": value}, format="json").status_code == 400
        )
    answer = client.put(
        "/api/settings/ownHolidays", {"value": "2026-12-28  Recesso"}, format="json"
    )
    assert answer.status_code == 200
    assert CompanySetting.objects.get(key="ownHolidays").value == "2026-12-28 Recesso"
