"""The rules of queues, the company's switch, people's settings and moves (rules/desk §1 to §7)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company, CompanySetting
from apps.companies.services import change_setting
from apps.connections.models import Connection
from apps.desk.decisions.assignment import Presence
from apps.desk.models import (
    Assignment,
    AssignmentLog,
    AssignmentPolicy,
    PresencePeriod,
    Seat,
    Tick,
    TickKind,
)
from apps.desk.queries.team import log_of
from apps.desk.services import syncing, ticks
from apps.desk.services.known import known
from apps.desk.services.presence import browsers_came, browsers_stay, choose_presence
from apps.desk.services.running import run_due
from apps.desk.tests.conftest import Arrive, Sit, loads, make_due, work
from apps.queues.models import Queue
from conftest import ClientFor
from tests.factories import make_queue, make_tag, make_ticket, make_user

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def address(queue: Queue) -> str:
    return f"/api/queue/{queue.pk}/assignment"


def test_a_queue_without_rules_answers_the_defaults(
    admin: User, address: str, client_for: ClientFor
) -> None:
    rules = client_for(admin).get(address).json()
    assert (rules["mode"], rules["returnMinutes"], rules["fairLimit"]) == ("manual", 0, 100)
    assert not AssignmentPolicy.objects.exists()


def test_the_first_automatic_queue_switches_the_company_on_and_takes_in_what_waits(
    operator_company: Company,
    admin: User,
    agent: User,
    connection: Connection,
    queue: Queue,
    address: str,
    sit: Sit,
    client_for: ClientFor,
) -> None:
    CompanySetting.objects.all().delete()
    known.forget()
    waiting = make_ticket(admin.company, connection=connection, queue=queue)
    held = make_ticket(admin.company, connection=connection, queue=queue, user=agent, status="open")
    answer = client_for(admin).put(address, {"mode": "least_busy"}, format="json")
    assert (answer.status_code, answer.json()["mode"]) == (200, "least_busy")
    setting = CompanySetting.objects.get(key="assignment")
    assert setting.value == "enabled"
    assert AuditEntry.objects.filter(action="queue.assignment_changed").count() == 1
    assert Tick.objects.get().next_attempt_at > timezone.now()
    make_due()
    work()
    assert set(Assignment.objects.values_list("ticket", flat=True)) == {waiting.pk, held.pk}
    assert loads() == {"Bob": 1}
    # What was held before is nobody's change of hands.
    answer = client_for(admin).get(f"/api/tickets/{held.pk}/assignments")
    assert answer.json() == []


def test_after_a_read_that_failed_who_has_it_on_is_read_again(
    acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    known.forget()
    with monkeypatch.context() as patched:
        patched.setattr("apps.desk.services.known.CompanySetting", None)
        with pytest.raises(AttributeError):
            known.is_on(acme.pk)
    assert known.is_on(acme.pk)


def test_switched_off_everything_is_forgotten_and_nothing_more_is_written(
    policy: AssignmentPolicy,
    admin: User,
    agent: User,
    sit: Sit,
    arrive: Arrive,
    client_for: ClientFor,
) -> None:
    sit(agent)
    arrive()
    work()
    body = {"value": "disabled"}
    assert client_for(admin).put("/api/settings/assignment", body, format="json").status_code == 200
    arrive()
    make_due()
    work()
    assert not Assignment.objects.exists()
    assert not Tick.objects.exists()
    assert loads() == {"Bob": 0}
    assert AssignmentPolicy.objects.get().mode == "round_robin"
    refused = client_for(agent).put("/api/presence/me", {"presence": "online"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_ASSIGNMENT_OFF")


def test_on_again_people_are_there_by_their_browsers_and_loads_are_those_of_the_tickets(
    policy: AssignmentPolicy, agent: User, colleague: User, sit: Sit, arrive: Arrive
) -> None:
    ids = (agent.company_id, agent.pk)
    browsers_came([ids])
    choose_presence(
        company_id=agent.company_id, user_id=agent.pk, presence=Presence.PAUSED, minutes=30
    )
    sit(colleague)
    ticket = arrive(user=agent, status="open")
    tomorrow = timezone.now() + timedelta(days=1)
    ticks.plan(TickKind.SLA_HOURS, tomorrow, company_id=agent.company_id)
    change_setting(company_id=agent.company_id, key="assignment", value="disabled")
    Tick.objects.filter(kind="sync").update(next_attempt_at=timezone.now())
    work()
    assert list(Tick.objects.values_list("kind", flat=True)) == ["sla_hours"]
    assert set(Seat.objects.values_list("presence", "load")) == {("offline", 0)}
    assert not PresencePeriod.objects.filter(ended_at=None).exclude(presence="offline").exists()
    # As a process that did not know yet may have left it.
    Seat.objects.filter(user=agent).update(load=-1)
    change_setting(company_id=agent.company_id, key="assignment", value="enabled")
    Tick.objects.filter(kind="sync").update(next_attempt_at=timezone.now())
    work()
    assert loads() == {"Bob": 1, "Dora": 0}
    browsers_stay([ids])
    assert Seat.objects.get(user=agent).presence == Presence.ONLINE
    assert Assignment.objects.get().ticket == ticket


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"mode": "magic"}, "mode"),
        ({"stickyDays": 0}, "stickyDays"),
        ({"graceMinutes": 1441}, "graceMinutes"),
        ({"fairLimit": 0}, "fairLimit"),
        ({"maxReturns": "many"}, "maxReturns"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wrong_rules_are_refused_by_field(
    admin: User, address: str, client_for: ClientFor, body: dict[str, Any], field: str
) -> None:
    answer = client_for(admin).put(address, body, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    assert not AssignmentPolicy.objects.exists()


def test_new_rules_plan_the_timers_of_what_is_held(
    policy: AssignmentPolicy,
    admin: User,
    agent: User,
    address: str,
    sit: Sit,
    arrive: Arrive,
    client_for: ClientFor,
) -> None:
    sit(agent)
    ticket = arrive(last_inbound_at=timezone.now())
    work()
    assert not Tick.objects.filter(kind="return").exists()
    assert client_for(admin).put(address, {"returnMinutes": 5}, format="json").status_code == 200
    work()
    assert Tick.objects.get(kind="return").ticket_id == ticket.pk
    assert client_for(admin).put(address, {"returnMinutes": 0}, format="json").status_code == 200
    work()
    assert not Tick.objects.filter(kind="return").exists()


def test_tickets_are_taken_in_a_part_at_a_time_and_their_queue_is_given_once(
    policy: AssignmentPolicy,
    acme: Company,
    connection: Connection,
    queue: Queue,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(syncing, "PART", 2)
    made = [make_ticket(acme, connection=connection, queue=queue) for _ in range(5)]
    ticks.plan(TickKind.SYNC, timezone.now(), company_id=acme.pk)
    for count in (2, 4, 5):
        assert run_due(limit=1) == 1
        assert Assignment.objects.count() == count
        assert Tick.objects.filter(kind="give").count() == (count + 1) // 2
        sync = Tick.objects.get(kind="sync")
        assert (sync.state, sync.attempts) == ("waiting", 0)
        assert sync.payload == {"after": made[count - 1].pk}
        # Others have their turn before the next part.
        Tick.objects.exclude(kind="sync").update(next_attempt_at=timezone.now() + MINUTE)
    # Asked for anew in the middle, it begins anew.
    ticks.plan(TickKind.SYNC, timezone.now(), company_id=acme.pk)
    assert Tick.objects.get(kind="sync").payload is None
    work()
    assert not Tick.objects.filter(kind="sync").exists()


def test_other_rules_of_a_queue_take_in_its_tickets_alone(
    policy: AssignmentPolicy,
    acme: Company,
    admin: User,
    queue: Queue,
    address: str,
    connection: Connection,
    client_for: ClientFor,
) -> None:
    ours = make_ticket(acme, connection=connection, queue=queue)
    make_ticket(acme, connection=connection, queue=make_queue(acme))
    assert client_for(admin).put(address, {"fairLimit": 7}, format="json").status_code == 200
    work()
    assert not Assignment.objects.exists()
    assert client_for(admin).put(address, {"returnMinutes": 7}, format="json").status_code == 200
    work()
    assert Assignment.objects.get().ticket == ours


def test_the_team_is_read_with_a_constant_number_of_queries(
    policy: AssignmentPolicy,
    acme: Company,
    admin: User,
    queue: Queue,
    sit: Sit,
    arrive: Arrive,
    client_for: ClientFor,
) -> None:
    client, counts = client_for(admin), []
    for _ in range(2):
        for _ in range(3):
            sit(make_user(acme, queues=[queue]))
            arrive()
        work()
        with CaptureQueriesContext(database) as captured:
            answer = client.get("/api/team")
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 12
    loaded = [member for member in answer.json()["members"] if member["load"]]
    assert [member["load"] for member in loaded] == [1] * 6
    assert [member["givenToday"] for member in loaded] == [1] * 6


def test_the_team_tells_what_waits_and_what_nobody_answered(
    policy: AssignmentPolicy, admin: User, queue: Queue, arrive: Arrive, client_for: ClientFor
) -> None:
    arrive()
    aside = arrive()
    Assignment.objects.filter(ticket=aside).update(aside="supervisors", is_ready=False)
    told = client_for(admin).get("/api/team").json()
    assert [(each["queueId"], each["count"]) for each in told["waiting"]] == [(queue.pk, 2)]
    assert [each["id"] for each in told["forSupervisors"]] == [aside.pk]


def test_the_team_tells_who_is_out_of_hours_or_without_a_browser(
    policy: AssignmentPolicy,
    acme: Company,
    admin: User,
    agent: User,
    queue: Queue,
    sit: Sit,
    client_for: ClientFor,
) -> None:
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    closed = [
        {"weekday": day, "weekdayEn": day, "startTime": "00:00", "endTime": "00:00"} for day in days
    ]
    colleague = make_user(acme, queues=[queue])
    sit(agent, schedules=closed)
    sit(colleague, seen_until=None)
    members = {each["id"]: each for each in client_for(admin).get("/api/team").json()["members"]}
    told = [
        (members[each.pk]["connected"], members[each.pk]["withinHours"])
        for each in (agent, colleague)
    ]
    assert told == [(True, False), (False, True)]


def test_a_person_gets_capacity_hours_and_skills(
    policy: AssignmentPolicy,
    acme: Company,
    admin: User,
    agent: User,
    sit: Sit,
    arrive: Arrive,
    client_for: ClientFor,
) -> None:
    sit(agent)
    for _ in range(3):
        arrive()
    work()
    tag = make_tag(acme)
    # Below the present load: nothing is taken away.
    body = {"capacity": 2, "whatsappWeight": 2, "skillIds": [tag.pk], "schedules": []}
    answer = client_for(admin).put(f"/api/team/{agent.pk}", body, format="json")
    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["capacity"], shown["load"], shown["skillIds"]) == (2, 6, [tag.pk])
    more = arrive()
    work()
    more.refresh_from_db()
    assert more.user is None
    assert AuditEntry.objects.filter(action="user.seat_changed").count() == 1


def test_a_tag_of_another_company_is_no_skill(
    policy: AssignmentPolicy,
    globex: Company,
    admin: User,
    agent: User,
    sit: Sit,
    client_for: ClientFor,
) -> None:
    sit(agent)
    body = {"capacity": 9, "skillIds": [make_tag(globex).pk]}
    answer = client_for(admin).put(f"/api/team/{agent.pk}", body, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["skillIds"])
    assert Seat.objects.get().capacity == 0


def test_of_two_supervisors_one_moves_a_ticket(
    policy: AssignmentPolicy,
    admin: User,
    agent: User,
    colleague: User,
    sit: Sit,
    arrive: Arrive,
    client_for: ClientFor,
) -> None:
    sit(agent)
    sit(colleague)
    ticket = arrive(user=agent, status="open")
    client = client_for(admin)
    move = {"ticketId": ticket.pk, "fromUserId": agent.pk, "toUserId": colleague.pk}
    assert client.post("/api/team/moves", move, format="json").json()["userId"] == colleague.pk
    again = client.post("/api/team/moves", move, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "ERR_TICKET_MOVED")
    assert loads() == {"Bob": 0, "Dora": 1}
    held = client.get(f"/api/team/{colleague.pk}/tickets").json()
    assert [each["ticket"]["id"] for each in held] == [ticket.pk]
    [line] = client.get(f"/api/tickets/{ticket.pk}/assignments").json()[1:]
    assert (line["why"], line["fromName"], line["toName"], line["actorName"]) == (
        "supervisor",
        "Bob",
        "Dora",
        "Alice",
    )
    back = {**move, "fromUserId": colleague.pk, "toUserId": None}
    assert client.post("/api/team/moves", back, format="json").json()["status"] == "pending"


def test_of_a_ticket_that_changed_hands_often_the_latest_lines_are_told(
    policy: AssignmentPolicy, admin: User, agent: User, arrive: Arrive, client_for: ClientFor
) -> None:
    ticket = arrive()
    AssignmentLog.objects.bulk_create(
        AssignmentLog(
            company=ticket.company, ticket=ticket, to_user=agent, why="by_hand", at=timezone.now()
        )
        for _ in range(105)
    )
    ids = list(AssignmentLog.objects.order_by("pk").values_list("pk", flat=True))
    told = client_for(admin).get(f"/api/tickets/{ticket.pk}/assignments").json()
    assert len(told) == 100
    assert [line.pk for line in log_of(ticket.pk)] == ids[5:]


def test_what_its_holder_has_resolved_is_not_moved(
    policy: AssignmentPolicy,
    admin: User,
    agent: User,
    colleague: User,
    arrive: Arrive,
    client_for: ClientFor,
) -> None:
    ticket = arrive(user=agent, status="open")
    client = client_for(agent)
    assert (
        client.put(f"/api/tickets/{ticket.pk}", {"status": "closed"}, format="json").status_code
        == 200
    )
    move = {"ticketId": ticket.pk, "fromUserId": agent.pk, "toUserId": colleague.pk}
    answer = client_for(admin).post("/api/team/moves", move, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_TICKET_MOVED")
    ticket.refresh_from_db()
    assert (ticket.status, ticket.user) == ("closed", agent)


def test_a_ticket_goes_only_to_who_works_in_its_queue(
    policy: AssignmentPolicy,
    acme: Company,
    admin: User,
    agent: User,
    arrive: Arrive,
    client_for: ClientFor,
) -> None:
    stranger = make_user(acme, queues=[make_queue(acme)])
    ticket = arrive(user=agent, status="open")
    move = {"ticketId": ticket.pk, "fromUserId": agent.pk, "toUserId": stranger.pk}
    answer = client_for(admin).post("/api/team/moves", move, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["userId"])
    ticket.refresh_from_db()
    assert ticket.user == agent
