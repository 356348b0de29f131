"""A change is tried on what happened before it goes live (rules/desk §16)."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.models import AuditEntry
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.contacts.models import Tag
from apps.desk.decisions.assignment import Mode, Presence, Why
from apps.desk.models import (
    AssignmentLog,
    AssignmentPolicy,
    PresencePeriod,
    Rehearsal,
    Seat,
    SlaClock,
    SlaPolicy,
)
from apps.desk.services.known import known
from apps.desk.services.rehearsals import running
from apps.desk.services.rehearsals.running import run_due
from apps.desk.services.sla.following import Follower
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket, TrackingCycle
from tests.factories import make_message, make_role, make_user
from tests.past import MINUTE, make_past

pytestmark = pytest.mark.django_db(transaction=True)
Client = Callable[[User], APIClient]


@pytest.fixture
def monday() -> Any:
    """Return a moment three days ago, so that a week holds it."""
    return timezone.now().replace(minute=0, second=0, microsecond=0) - timedelta(days=3)


@pytest.fixture
def week(acme: Company, queue: Queue, connection: Connection, agent: User, monday: Any) -> Any:
    """Six tickets of one morning, all taken by hand after half an hour by the same person."""
    colleague = make_user(acme, queues=[queue], name="Dora")
    # She was there, and had nothing to do.
    for hour in (0, 1, 2):
        make_past(
            queue,
            connection,
            colleague,
            at=monday + hour * 60 * MINUTE,
            taken=0,
            answered=0.5,
            closed=1,
        )
    return [
        make_past(queue, connection, agent, at=monday + number * 10 * MINUTE)
        for number in range(1, 7)
    ]


def ask(client: APIClient, **body: Any) -> dict[str, Any]:
    """Ask for a rehearsal, have it done, and return its report."""
    answer = client.post("/api/rehearsals", {"days": 7, **body}, format="json")
    assert answer.status_code == 201, answer.json()
    while run_due(limit=1):
        pass
    found: dict[str, Any] = client.get(f"/api/rehearsals/{answer.json()['id']}").json()
    assert found["rehearsal"]["state"] == "done", found
    report: dict[str, Any] = found["report"]
    return report


def rows() -> dict[str, int]:
    """Return how many rows each table has that a rehearsal may not touch."""
    own = {Rehearsal, AuditEntry}
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model not in own and not model._meta.proxy and model._meta.managed
    }


def test_a_week_by_hand_shows_what_turns_would_have_made_of_it(
    week: list[Ticket], client_for: Client, admin: User, queue: Queue
) -> None:
    before = rows()
    report = ask(
        client_for(admin),
        subject="assignment",
        queueId=queue.pk,
        assignment={"mode": "round_robin"},
    )
    assert (report["tickets"], report["matched"]) == (9, 9)
    assert report["before"]["waits"]["p90"] == 1800.0
    assert report["after"]["waits"]["p90"] == 0.0
    assert report["before"]["answers"]["p90"] == 33 * 60.0
    assert report["after"]["answers"]["p90"] == 180.0
    shares = {each["name"]: (each["before"], each["after"]) for each in report["people"]}
    assert shares["Dora"][0] == 3
    # By turns the other one has about as many.
    assert abs(shares["Dora"][1] - (9 - shares["Dora"][1])) <= 1
    assert report["estimatedPeople"] == 2
    assert report["samples"][0]["before"]["waitSeconds"] == 1800.0
    assert report["samples"][0]["after"]["waitSeconds"] == 0.0
    assert {each["ticket"]["id"] for each in report["samples"]} >= {each.pk for each in week}
    # Nothing is written but the report; the queue is as it was.
    assert rows() == before
    assert not AssignmentPolicy.objects.exists()


def test_before_the_timelines_began_people_were_there_when_they_wrote(
    week: list[Ticket], client_for: Client, admin: User, queue: Queue
) -> None:
    an_hour_ago = timezone.now() - 60 * MINUTE
    for user in User.objects.filter(queues=queue):
        PresencePeriod.objects.create(
            company=queue.company, user=user, presence="offline", started_at=an_hour_ago
        )
    report = ask(
        client_for(admin),
        subject="assignment",
        queueId=queue.pk,
        assignment={"mode": "round_robin"},
    )
    assert report["after"]["waits"]["p90"] == 0.0
    assert report["estimatedPeople"] == 2


def test_by_hand_all_is_as_it_was(
    week: list[Ticket], client_for: Client, admin: User, queue: Queue
) -> None:
    report = ask(client_for(admin), subject="assignment", queueId=queue.pk, assignment={})
    assert report["changed"] == 0
    assert report["samples"] == []
    for name in ("held", "answered", "waits", "answers"):
        assert report["before"][name] == report["after"][name]


def test_the_policy_that_was_on_gives_what_happened(
    client_for: Client,
    admin: User,
    acme: Company,
    queue: Queue,
    connection: Connection,
    agent: User,
    monday: Any,
) -> None:
    policy = AssignmentPolicy.objects.create(
        company=acme, queue=queue, mode=Mode.ROUND_ROBIN, return_minutes=10
    )
    other = make_user(acme, queues=[queue], name="Dora")
    PresencePeriod.objects.bulk_create(
        PresencePeriod(
            company=acme, user=who, presence=Presence.ONLINE, started_at=monday - 60 * MINUTE
        )
        for who in (agent, other)
    )
    people = sorted((agent, other), key=lambda each: each.pk)
    for number in range(4):
        at = monday + number * 20 * MINUTE
        who = people[number % 2]
        ticket = make_past(queue, connection, who, at=at, taken=0, answered=4, closed=8)
        AssignmentLog.objects.create(
            company=acme, ticket=ticket, queue=queue, to_user=who, why=Why.TURN, at=at
        )
    # The last one was not answered, came back, and went to the other.
    at = monday + 120 * MINUTE
    late = make_past(queue, connection, people[1], at=at, taken=0, answered=12, closed=20)
    for minutes, from_user, to_user, why in (
        (0, None, people[0], Why.TURN),
        (10, people[0], None, Why.UNANSWERED),
        (10, None, people[1], Why.TURN),
    ):
        AssignmentLog.objects.create(
            company=acme,
            ticket=late,
            queue=queue,
            from_user=from_user,
            to_user=to_user,
            why=why,
            at=at + minutes * MINUTE,
        )
    report = ask(client_for(admin), subject="assignment", queueId=queue.pk, assignment={})
    assert (report["matched"], report["changed"]) == (5, 0)
    assert report["estimatedPeople"] == 0
    assert (report["before"]["returned"], report["after"]["returned"]) == (1, 1)
    shares = {each["userId"]: (each["before"], each["after"]) for each in report["people"]}
    assert shares == {people[0].pk: (3, 3), people[1].pk: (2, 2)}
    # Without returns it stays with the first one, and is answered when it really was.
    without = ask(
        client_for(admin),
        subject="assignment",
        queueId=queue.pk,
        assignment={"returnMinutes": 0},
    )
    assert without["after"]["returned"] == 0
    policy.refresh_from_db()
    assert policy.return_minutes == 10


def test_a_small_capacity_shows_who_would_have_waited(
    week: list[Ticket], client_for: Client, admin: User, acme: Company, queue: Queue, agent: User
) -> None:
    for user in User.objects.for_company(acme.pk).filter(queues=queue):
        Seat.objects.create(user=user, company=acme, capacity=1)
    report = ask(
        client_for(admin),
        subject="assignment",
        queueId=queue.pk,
        assignment={"mode": "round_robin", "manualAccept": False, "releaseMinutes": 600},
    )
    assert report["after"]["waits"]["p90"] > 0


def test_times_tell_how_many_would_have_been_missed(
    client_for: Client,
    admin: User,
    queue: Queue,
    connection: Connection,
    agent: User,
    monday: Any,
) -> None:
    for minutes in (10, 20, 40):
        make_past(
            queue, connection, agent, at=monday, taken=5, answered=minutes, closed=minutes + 5
        )
    steps = [
        {"kind": "first_answer", "when": "due", "action": "tell", "tells": "holder"},
        {"kind": "first_answer", "when": "quarter", "action": "tell", "tells": "supervisors"},
    ]
    report = ask(
        client_for(admin),
        subject="sla",
        sla={"queueId": queue.pk, "firstAnswerMinutes": 15, "steps": steps},
    )
    assert report["matched"] == 3
    assert report["kinds"] == [
        {
            "kind": "first_answer",
            "metBefore": 0,
            "missedBefore": 0,
            "metAfter": 1,
            "missedAfter": 2,
        }
    ]
    assert report["deeds"] == [{"id": 1, "count": 2}, {"id": 2, "count": 2}]
    assert [each["missedAfter"] for each in report["samples"]] == [["first_answer"]] * 2
    assert not SlaPolicy.objects.exists()


def test_a_rule_tells_which_tickets_it_would_have_met(
    client_for: Client,
    admin: User,
    acme: Company,
    queue: Queue,
    connection: Connection,
    agent: User,
    monday: Any,
) -> None:
    tag = Tag.objects.create(company=acme, name="Financeiro")
    met = make_past(queue, connection, agent, at=monday, body="Preciso do BOLETO de março")
    make_past(queue, connection, agent, at=monday, body="Bom dia")
    rule = {
        "trigger": {"when": "message_in"},
        "condition": {"field": "message", "operator": "contains", "values": ["boleto"]},
        "actions": [{"do": "add_tag", "id": tag.pk}],
    }
    before = rows()
    report = ask(client_for(admin), subject="rule", rule=rule)
    assert (report["tickets"], report["matched"]) == (2, 1)
    assert report["runs"] == {"before": 0, "after": 1, "refused": 0}
    [sample] = report["samples"]
    assert (sample["ticket"]["id"], sample["runs"]) == (met.pk, 1)
    assert rows() == before


def test_a_rule_of_silence_tells_when_it_would_have_come(
    client_for: Client,
    admin: User,
    queue: Queue,
    connection: Connection,
    agent: User,
    monday: Any,
) -> None:
    make_past(queue, connection, agent, at=monday, taken=5, answered=40, closed=50)
    make_past(queue, connection, agent, at=monday, taken=5, answered=10, closed=50)
    rule = {
        "trigger": {"when": "we_silent", "minutes": 30},
        "actions": [{"do": "priority", "priority": "urgent"}],
    }
    report = ask(client_for(admin), subject="rule", rule=rule)
    assert (report["matched"], report["runs"]["after"]) == (1, 1)
    at = report["samples"][0]["at"]
    assert at.startswith((monday + 30 * MINUTE).strftime("%Y-%m-%dT%H:%M"))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"subject": "assignment"}, "queueId"),
        ({"subject": "sla"}, "sla"),
        ({"subject": "rule"}, "rule"),
        ({"subject": "sla", "sla": {}, "queueId": 1}, "queueId"),
        ({"subject": "assignment", "days": 31}, "days"),
        ({"subject": "assignment", "days": 0}, "days"),
        ({"subject": "bot", "queueId": 1}, "bot"),
        ({"subject": "flow"}, "subject"),
    ],
)
def test_what_can_not_be_tried_is_refused(
    client_for: Client, admin: User, acme: Company, body: dict[str, Any], field: str
) -> None:
    answer = client_for(admin).post("/api/rehearsals", {"days": 7, **body}, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    assert not Rehearsal.objects.exists()


def test_a_rule_of_which_nothing_is_stored_is_refused(
    client_for: Client, admin: User, acme: Company
) -> None:
    tag = Tag.objects.create(company=acme, name="VIP")
    rule = {"trigger": {"when": "tag_set"}, "actions": [{"do": "remove_tag", "id": tag.pk}]}
    answer = client_for(admin).post(
        "/api/rehearsals", {"subject": "rule", "days": 7, "rule": rule}, format="json"
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_REHEARSAL_NOT_STORED")


def test_who_may_make_the_change_may_try_it(
    client_for: Client, admin: User, queue: Queue, acme: Company
) -> None:
    """Its report shows everybody's tickets, so that has to be allowed, too."""
    body = {"subject": "assignment", "days": 1, "queueId": queue.pk, "assignment": {}}
    sees = (Permission.SEE_QUEUES, Permission.SEE_ALL)
    of_queues = client_for(make_user(acme, role=make_role(acme, *sees, Permission.QUEUES)))
    of_rules = client_for(make_user(acme, role=make_role(acme, *sees, Permission.RULES)))
    sees_little = client_for(make_user(acme, role=make_role(acme, Permission.QUEUES)))
    refused = of_rules.post("/api/rehearsals", body, format="json")
    assert (refused.status_code, refused.json()["permissions"]) == (403, ["queues:manage"])
    assert sees_little.post("/api/rehearsals", body, format="json").status_code == 403
    asked = of_queues.post("/api/rehearsals", body, format="json").json()
    assert [each["id"] for each in of_queues.get("/api/rehearsals").json()] == [asked["id"]]
    assert of_rules.get("/api/rehearsals").json() == []
    path = f"/api/rehearsals/{asked['id']}"
    assert of_rules.get(path).status_code == of_rules.delete(path).status_code == 404
    assert of_queues.delete(path).status_code == 200


def test_one_at_a_time_and_stopped_by_deleting_it(
    client_for: Client, admin: User, queue: Queue, acme: Company
) -> None:
    client = client_for(admin)
    body = {"subject": "assignment", "days": 1, "queueId": queue.pk, "assignment": {}}
    first = client.post("/api/rehearsals", body, format="json").json()
    second = client.post("/api/rehearsals", body, format="json")
    assert (second.status_code, second.json()["code"]) == (409, "ERR_REHEARSAL_RUNS")
    [listed] = client.get(f"/api/rehearsals?subject=assignment&targetId={queue.pk}").json()
    assert (listed["id"], listed["userName"]) == (first["id"], admin.name)
    assert client.delete(f"/api/rehearsals/{first['id']}").status_code == 200
    assert client.post("/api/rehearsals", body, format="json").status_code == 201
    assert AuditEntry.objects.filter(action="rehearsal.requested").count() == 2


def test_one_that_is_stopped_in_the_middle_ends_without_a_report(
    week: list[Ticket],
    client_for: Client,
    admin: User,
    queue: Queue,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(rehearsal: Rehearsal, tell: Callable[[int, int], None]) -> dict[str, Any]:
        tell(1, 9)
        Rehearsal.objects.all().delete()
        monkeypatch.setattr(running, "TELL_SECONDS", 0.0)
        tell(2, 9)
        tell(3, 9)
        raise AssertionError("It goes on.")

    monkeypatch.setattr(running, "TELL_SECONDS", 0.0)
    monkeypatch.setattr(running, "report_of", stopped)
    body = {"subject": "assignment", "days": 7, "queueId": queue.pk, "assignment": {}}
    client_for(admin).post("/api/rehearsals", body, format="json")
    run_due(limit=1)
    assert not Rehearsal.objects.exists()


def test_a_fault_is_tried_again_and_then_told(
    client_for: Client, admin: User, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> dict[str, Any]:
        raise RuntimeError

    monkeypatch.setattr(running, "report_of", broken)
    body = {"subject": "assignment", "days": 7, "queueId": queue.pk, "assignment": {}}
    made = client_for(admin).post("/api/rehearsals", body, format="json").json()
    for _ in range(running.MAX_ATTEMPTS):
        Rehearsal.objects.update(next_attempt_at=timezone.now())
        run_due(limit=1)
    found = client_for(admin).get(f"/api/rehearsals/{made['id']}").json()
    assert (found["rehearsal"]["state"], found["report"]) == ("failed", None)
    assert found["rehearsal"]["errorCode"] == "ERR_REHEARSAL_FAILED"


def test_one_that_ends_the_worker_each_time_has_failed(
    client_for: Client, admin: User, queue: Queue
) -> None:
    body = {"subject": "assignment", "days": 7, "queueId": queue.pk, "assignment": {}}
    client_for(admin).post("/api/rehearsals", body, format="json")
    Rehearsal.objects.update(attempts=running.MAX_ATTEMPTS)
    run_due(limit=1)
    assert Rehearsal.objects.get().state == "failed"


def test_reports_go_with_time(client_for: Client, admin: User, queue: Queue) -> None:
    ask(client_for(admin), subject="assignment", queueId=queue.pk, assignment={})
    Rehearsal.objects.update(expires_at=timezone.now() - MINUTE)
    run_due(limit=1)
    assert not Rehearsal.objects.exists()


def test_supervisors_hear_how_far_it_is(
    week: list[Ticket], client_for: Client, admin: User, queue: Queue, events: Any
) -> None:
    ask(client_for(admin), subject="assignment", queueId=queue.pk, assignment={})
    told = [each for each in events if each["event"] == "rehearsal"]
    assert told[-1]["payload"]["rehearsal"]["state"] == "done"
    assert all(each["rooms"] for each in told)


def test_what_happened_is_read_with_few_queries(
    week: list[Ticket],
    client_for: Client,
    admin: User,
    queue: Queue,
    django_assert_max_num_queries: Any,
) -> None:
    body = {"subject": "assignment", "days": 7, "queueId": queue.pk, "assignment": {}}
    client_for(admin).post("/api/rehearsals", body, format="json")
    # However many tickets a part has.
    with django_assert_max_num_queries(45):
        run_due(limit=1)


def test_a_word_after_the_answer_counts_as_it_did(
    client_for: Client,
    admin: User,
    queue: Queue,
    connection: Connection,
    agent: User,
    monday: Any,
) -> None:
    ticket = make_past(queue, connection, agent, at=monday, taken=5, answered=10, closed=90)
    make_message(ticket, created_at=monday + 20 * MINUTE)
    make_message(ticket, from_me=True, source="agent", user=agent, created_at=monday + 70 * MINUTE)
    report = ask(
        client_for(admin),
        subject="sla",
        sla={"queueId": queue.pk, "firstAnswerMinutes": 15, "nextAnswerMinutes": 30},
    )
    found = {each["kind"]: (each["metAfter"], each["missedAfter"]) for each in report["kinds"]}
    assert found == {"first_answer": (1, 0), "next_answer": (0, 1)}


@pytest.fixture
def times(acme: Company, queue: Queue) -> Iterator[SlaPolicy]:
    CompanySetting.objects.create(company=acme, key="sla", value="enabled")
    known.forget()
    yield SlaPolicy.objects.create(
        company=acme,
        queue=queue,
        first_answer_minutes=15,
        next_answer_minutes=30,
        resolution_minutes=45,
    )
    known.be_sure_of_none()


def _follow(ticket: Ticket, messages: Sequence[Message], now: datetime) -> None:
    with transaction.atomic():
        Follower([ticket], messages, now=now).run()


def test_the_times_that_were_on_give_what_happened(
    client_for: Client,
    admin: User,
    queue: Queue,
    connection: Connection,
    agent: User,
    monday: Any,
    times: SlaPolicy,
) -> None:
    for answered, asked, again, closed in ((10, 20, 40, 50), (20, 30, 100, 110), (5, 6, 7, 8)):
        ticket = make_past(
            queue, connection, agent, at=monday, taken=None, answered=None, closed=None
        )
        _follow(ticket, [ticket.messages.get()], monday)
        for minutes, is_ours in ((answered, True), (asked, False), (again, True)):
            at = monday + minutes * MINUTE
            written = {"from_me": True, "source": "agent", "user": agent} if is_ours else {}
            message = make_message(ticket, created_at=at, **written)
            _follow(ticket, [message], at)
        at = monday + closed * MINUTE
        ticket.status, ticket.closed_at = "closed", at
        ticket.save()
        TrackingCycle.objects.filter(ticket=ticket).update(finished_at=at, queue=queue)
        _follow(ticket, (), at)
    same = {
        "queueId": queue.pk,
        "firstAnswerMinutes": 15,
        "nextAnswerMinutes": 30,
        "resolutionMinutes": 45,
    }
    report = ask(client_for(admin), subject="sla", slaId=times.pk, sla=same)
    assert (report["matched"], report["changed"]) == (3, 0)
    assert {each["kind"] for each in report["kinds"]} == {
        "first_answer",
        "next_answer",
        "resolution",
    }
    for each in report["kinds"]:
        assert (each["metBefore"], each["missedBefore"]) == (each["metAfter"], each["missedAfter"])
    assert sum(each["missedAfter"] for each in report["kinds"]) > 0
    # What the ticket missed by other times is no figure of these.
    SlaClock.objects.create(
        company=queue.company,
        ticket=ticket,
        policy=SlaPolicy.objects.create(company=queue.company, priority=1, first_answer_minutes=1),
        kind="first_answer",
        minutes=1,
        started_at=monday,
        left_seconds=0,
        missed_at=monday + MINUTE,
        judged_at=monday + MINUTE,
        ended_at=monday + MINUTE,
    )
    assert (
        ask(client_for(admin), subject="sla", slaId=times.pk, sla=same)["kinds"] == report["kinds"]
    )
    stricter = ask(
        client_for(admin), subject="sla", slaId=times.pk, sla={**same, "firstAnswerMinutes": 8}
    )
    assert stricter["changed"] == 1
    # With a distribution by hand the clocks are those that were.
    by_hand = ask(client_for(admin), subject="assignment", queueId=queue.pk, assignment={})
    for name in ("met", "missed"):
        assert by_hand["before"][name] == by_hand["after"][name]
