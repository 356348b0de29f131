"""Clocks of tickets and the steps on their way (rules/desk §8 to §10)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.companies.services import change_setting
from apps.connections.models import Connection
from apps.contacts.services.tags import delete_tag
from apps.desk.models import (
    AssignmentLog,
    SlaAction,
    SlaClock,
    SlaFiring,
    SlaPolicy,
    SlaStep,
    Tick,
)
from apps.desk.services.following import follow_anew
from apps.desk.services.known import known
from apps.desk.services.running import run_due
from apps.desk.services.sla.following import follow
from apps.desk.services.sla.recounting import take_in_times
from apps.desk.tests.conftest import make_due, work
from apps.queues.models import Queue
from apps.queues.services.queues import delete_queue
from apps.tickets.models import Message, MessageSource, Ticket, TicketActivity, TicketTag
from apps.tickets.services.outbox import send_text
from apps.tickets.services.tickets.snoozing import snooze_ticket, wake_by_hand
from tests.factories import make_message, make_queue, make_tag, make_ticket, make_user

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def acme(acme: Company) -> Iterator[Company]:
    """Acme, with deadlines on and nothing distributed."""
    CompanySetting.objects.all().delete()
    CompanySetting.objects.create(company=acme, key="sla", value="enabled")
    known.forget()
    yield acme
    known.be_sure_of_none()


@pytest.fixture
def policy(acme: Company, queue: Queue) -> SlaPolicy:
    return SlaPolicy.objects.create(
        company=acme,
        queue=queue,
        first_answer_minutes=15,
        next_answer_minutes=30,
        resolution_minutes=240,
    )


@pytest.fixture
def ticket(policy: SlaPolicy, acme: Company, queue: Queue, connection: Connection) -> Ticket:
    """A waiting ticket whose contact has written."""
    ticket = make_ticket(acme, queue=queue, connection=connection)
    hear(ticket)
    return ticket


def hear(ticket: Ticket, **fields: Any) -> Message:
    """Have somebody write, as far as the clocks are told."""
    message = make_message(ticket, **fields)
    ticket.refresh_from_db()
    follow([ticket], [message])
    return message


def clock(kind: str = "first_answer") -> SlaClock:
    return SlaClock.objects.filter(kind=kind).latest("pk")


def set_back(minutes: int) -> None:
    """Have the open clocks have begun earlier, and what is planned be due."""
    earlier = minutes * MINUTE
    for row in SlaClock.objects.filter(ended_at=None, paused_at=None):
        row.started_at -= earlier
        for name in ("runs_from", "due_at", "warns_at"):
            moment = getattr(row, name)
            setattr(row, name, moment - earlier if moment else None)
        row.save()
    make_due()


def add_step(policy: SlaPolicy, action: str, **fields: Any) -> SlaStep:
    fields.setdefault("kind", "first_answer")
    fields.setdefault("when", "due")
    fields.setdefault("created_at", timezone.now() - timedelta(days=1))
    return SlaStep.objects.create(policy=policy, action=action, **fields)


def test_the_first_word_starts_the_clocks_and_the_ticket_has_the_nearest_deadline(
    events: list[dict[str, Any]], ticket: Ticket
) -> None:
    first, resolution = clock(), clock("resolution")
    assert first.due_at == first.started_at + 15 * MINUTE
    assert resolution.due_at == resolution.started_at + 240 * MINUTE
    ticket.refresh_from_db()
    assert (ticket.sla_due_at, ticket.sla_warns_at) == (first.due_at, first.warns_at)
    assert Tick.objects.get().next_attempt_at == first.due_at
    [told] = [each for each in events if each["event"] == "ticketDeadline"]
    assert told["payload"]["ticketId"] == ticket.pk
    assert f"notification:{ticket.company_id}:all" in told["rooms"]


def test_a_person_meets_the_answer_and_the_resolution_waits(ticket: Ticket, agent: User) -> None:
    hear(ticket, from_me=True, source=MessageSource.BOT)
    assert clock().ended_at is None
    hear(ticket, from_me=True, source=MessageSource.PHONE)
    first, resolution = clock(), clock("resolution")
    assert first.met_at == first.judged_at == first.ended_at
    assert resolution.paused_at is not None
    ticket.refresh_from_db()
    assert ticket.sla_due_at is None
    assert not Tick.objects.exists()
    hear(ticket)
    assert clock("next_answer").due_at is not None
    assert clock("resolution").paused_at is None


def test_an_answer_through_the_product_is_one(
    ticket: Ticket, agent: User, connection: Connection
) -> None:
    Ticket.objects.update(last_inbound_at=timezone.now(), status="open", user=agent)
    ticket.refresh_from_db()
    send_text(ticket=ticket, user=agent, body="Já vejo isso.")
    row = clock()
    assert row.met_at is not None
    assert row.user == agent


def test_a_deadline_that_passes_is_missed_and_stays_so(ticket: Ticket) -> None:
    set_back(16)
    work()
    row = clock()
    assert row.missed_at == row.judged_at == row.due_at
    hear(ticket, from_me=True, source=MessageSource.AGENT)
    row = clock()
    assert row.met_at is None
    assert row.ended_at is not None


def test_the_bot_another_responder_and_a_snooze_let_no_time_run(
    policy: SlaPolicy, acme: Company, queue: Queue, agent: User, connection: Connection
) -> None:
    led = make_ticket(acme, queue=queue, connection=connection, chatbot=True)
    hear(led)
    assert not SlaClock.objects.exists()
    Ticket.objects.update(chatbot=False, status="open", user=agent)
    led.refresh_from_db()
    follow([led], [])
    assert clock().due_at is not None
    snooze_ticket(user=agent, ticket_id=led.pk, until=None)
    assert clock().paused_at is not None
    assert not Tick.objects.filter(kind="sla").exists()
    wake_by_hand(user=agent, ticket_id=led.pk)
    assert clock().paused_at is None
    Ticket.objects.update(owner="other", owner_at=timezone.now())
    led.refresh_from_db()
    follow([led], [])
    assert clock().paused_at is not None


def test_a_closed_ticket_has_no_clock(ticket: Ticket) -> None:
    Ticket.objects.update(status="closed")
    ticket.refresh_from_db()
    follow([ticket], [])
    first, resolution = clock(), clock("resolution")
    assert (first.met_at, first.missed_at) == (None, None)
    assert resolution.met_at == resolution.ended_at
    ticket.refresh_from_db()
    assert ticket.sla_due_at is None
    assert not Tick.objects.exists()


def test_a_tag_and_a_priority_go_before_the_queue(ticket: Ticket, acme: Company) -> None:
    began = clock().started_at
    tag = make_tag(acme)
    SlaPolicy.objects.create(company=acme, tag=tag, first_answer_minutes=60)
    SlaPolicy.objects.create(company=acme, priority=1, first_answer_minutes=2)
    TicketTag.objects.create(ticket=ticket, tag=tag)
    follow([ticket], [])
    assert clock().minutes == 60
    assert abs((clock().due_at - began) - 60 * MINUTE) < MINUTE  # type: ignore[operator]
    ticket.priority = 1
    follow([ticket], [])
    assert clock().minutes == 2
    assert clock("resolution").minutes == 240


def test_a_deleted_queue_takes_its_times_along(
    ticket: Ticket, admin: User, queue: Queue, policy: SlaPolicy
) -> None:
    add_step(
        SlaPolicy.objects.create(company=ticket.company, priority=2, first_answer_minutes=1),
        SlaAction.QUEUE,
        queue=queue,
    )
    delete_queue(actor=admin, queue_id=queue.pk)
    assert list(SlaPolicy.objects.values_list("priority", flat=True)) == [2]
    assert not SlaStep.objects.exists()
    assert not SlaClock.objects.filter(ended_at=None).exists()
    assert not Tick.objects.filter(kind="sla").exists()


def test_a_deleted_tag_takes_its_times_along(ticket: Ticket, admin: User, acme: Company) -> None:
    tag = make_tag(acme)
    SlaPolicy.objects.create(company=acme, tag=tag, first_answer_minutes=60)
    TicketTag.objects.create(ticket=ticket, tag=tag)
    follow([ticket], [])
    assert clock().minutes == 60
    delete_tag(actor=admin, tag_id=tag.pk)
    work()
    assert clock().minutes == 15


def test_steps_happen_in_order_and_once(
    ticket: Ticket, policy: SlaPolicy, acme: Company, events: list[dict[str, Any]]
) -> None:
    tag = make_tag(acme)
    add_step(policy, SlaAction.TELL, when="quarter", tells="holder")
    add_step(policy, SlaAction.TAG, tag=tag)
    add_step(policy, SlaAction.PRIORITY, when="after", minutes=10, priority=1)
    set_back(12)
    work()
    assert [row.action for row in SlaFiring.objects.all()] == ["tell"]
    [alert] = [each for each in events if each["event"] == "slaAlert"]
    assert alert["payload"]["missed"] is False
    set_back(4)
    work()
    assert list(ticket.tags.all()) == [tag]
    ticket.refresh_from_db()
    assert ticket.priority == 3
    set_back(10)
    work()
    work()
    ticket.refresh_from_db()
    assert ticket.priority == 1
    assert [row.action for row in SlaFiring.objects.all()] == ["tell", "tag", "priority"]
    assert not Tick.objects.filter(kind="sla", next_attempt_at__lte=timezone.now()).exists()


def test_the_supervisors_alone_are_told_where_the_step_says_so(
    ticket: Ticket, policy: SlaPolicy, events: list[dict[str, Any]]
) -> None:
    add_step(policy, SlaAction.TELL, tells="supervisors")
    set_back(16)
    work()
    [alert] = [each for each in events if each["event"] == "slaAlert"]
    assert alert["rooms"] == [f"notification:{ticket.company_id}:all"]
    assert (alert["payload"]["kind"], alert["payload"]["missed"]) == ("first_answer", True)


def test_a_step_changes_the_queue_and_its_times_hold_then(
    ticket: Ticket, policy: SlaPolicy, acme: Company
) -> None:
    second = make_queue(acme, name="Segunda linha")
    SlaPolicy.objects.create(company=acme, queue=second, resolution_minutes=600)
    add_step(policy, SlaAction.QUEUE, queue=second)
    set_back(16)
    work()
    ticket.refresh_from_db()
    assert (ticket.queue, ticket.status, ticket.user) == (second, "pending", None)
    assert TicketActivity.objects.filter(detail__by="sla").count() == 1
    assert clock("resolution").minutes == 600
    # It stays missed, for who had the ticket.
    assert (clock().missed_at is not None, clock().queue) == (True, policy.queue)


def test_a_step_gives_the_ticket_to_a_person_who_may_hold_it(
    ticket: Ticket, policy: SlaPolicy, agent: User, acme: Company
) -> None:
    stranger = make_user(acme, name="Eva")
    add_step(policy, SlaAction.ASSIGN, user=stranger)
    add_step(policy, SlaAction.ASSIGN, user=agent)
    add_step(policy, SlaAction.ASSIGN, user=agent)
    set_back(16)
    work()
    ticket.refresh_from_db()
    assert (ticket.user, ticket.status) == (agent, "open")
    assert [row.refusal for row in SlaFiring.objects.all()] == [
        "person_cannot_hold",
        "",
        "nothing_to_do",
    ]


def test_a_step_without_a_person_gives_it_back_to_the_queue(
    ticket: Ticket, policy: SlaPolicy, agent: User
) -> None:
    Ticket.objects.update(status="open", user=agent)
    CompanySetting.objects.create(company=ticket.company, key="assignment", value="enabled")
    known.forget()
    ticket.refresh_from_db()
    follow_anew([ticket])
    add_step(policy, SlaAction.ASSIGN)
    set_back(16)
    work()
    ticket.refresh_from_db()
    assert (ticket.user, ticket.status) == (None, "pending")
    assert "sla" in AssignmentLog.objects.values_list("why", flat=True)


def test_switching_the_distribution_off_leaves_the_deadlines(ticket: Ticket) -> None:
    change_setting(company_id=ticket.company_id, key="assignment", value="disabled")
    Tick.objects.filter(kind="sync").update(next_attempt_at=timezone.now())
    work()
    assert Tick.objects.filter(kind="sla").exists()


def test_other_hours_count_anew_in_a_job(
    ticket: Ticket,
    acme: Company,
    queue: Queue,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("apps.desk.services.sla.recounting.PART", 1)
    hear(make_ticket(acme, queue=queue, connection=connection))
    closed = [{**row, "startTime": "00:00", "endTime": "00:00"} for row in acme.schedules]
    Company.objects.filter(pk=acme.pk).update(schedules=closed)
    change_setting(company_id=acme.pk, key="scheduleType", value="company")
    assert Tick.objects.filter(kind="sla_hours").count() == 1
    before = clock().due_at
    assert before is not None
    while Tick.objects.filter(kind="sla_hours").exists():
        assert run_due(limit=10)
    # Nothing opens within a year, so nothing is due.
    assert not SlaClock.objects.filter(due_at__isnull=False).exists()
    ticket.refresh_from_db()
    assert ticket.sla_due_at is None
    change_setting(company_id=acme.pk, key="scheduleType", value="disabled")
    work()
    assert clock().due_at == before


def test_in_a_queue_of_other_hours_no_time_that_has_passed_counts_anew(
    policy: SlaPolicy, acme: Company, queue: Queue, connection: Connection
) -> None:
    """By a priority the same times hold in both; the first queue is closed at all times."""
    CompanySetting.objects.create(company=acme, key="scheduleType", value="queue")
    policy.delete()
    SlaPolicy.objects.create(company=acme, priority=3, first_answer_minutes=15)
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    queue.schedules = [{"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"} for day in days]
    queue.save()
    ticket = make_ticket(acme, queue=queue, connection=connection)
    hear(ticket)
    assert clock().due_at is None
    set_back(60)
    other = make_queue(acme, schedules=[])
    Ticket.objects.update(queue=other)
    ticket.refresh_from_db()
    follow([ticket], [])
    moved = clock()
    assert (moved.queue, moved.missed_at, moved.left_seconds) == (other, None, 15 * 60)
    assert moved.runs_from is not None
    assert moved.due_at == moved.runs_from + 15 * MINUTE


def test_what_another_responder_has_answered_waits_for_nobody_when_it_hands_back(
    policy: SlaPolicy, acme: Company, queue: Queue, connection: Connection
) -> None:
    ticket = make_ticket(
        acme, queue=queue, connection=connection, owner="other", owner_at=timezone.now()
    )
    make_message(ticket)
    make_message(ticket, from_me=True, source=MessageSource.OTHER)
    Ticket.objects.update(owner="us")
    ticket.refresh_from_db()
    follow([ticket], [])
    assert not SlaClock.objects.exists()


def test_nobody_has_answered_after_a_way_through_a_queue_without_times(
    ticket: Ticket, acme: Company
) -> None:
    home, other = ticket.queue, make_queue(acme)
    for queue in (other, home):
        Ticket.objects.update(queue=queue)
        ticket.refresh_from_db()
        follow([ticket], [])
    assert SlaClock.objects.get(kind="first_answer", ended_at=None).minutes == 15
    assert not SlaClock.objects.filter(kind="next_answer").exists()


def test_a_new_step_leaves_alone_what_was_overdue_before(
    ticket: Ticket, policy: SlaPolicy, connection: Connection
) -> None:
    set_back(16)
    work()
    add_step(policy, SlaAction.PRIORITY, priority=1, created_at=timezone.now())
    take_in_times(Tick(company_id=ticket.company_id), 0)
    work()
    ticket.refresh_from_db()
    assert ticket.priority == 3
    assert not SlaFiring.objects.exists()
    late = make_ticket(ticket.company, queue=ticket.queue, connection=connection)
    hear(late)
    set_back(16)
    SlaStep.objects.update(created_at=timezone.now() - 10 * MINUTE)
    work()
    late.refresh_from_db()
    assert late.priority == 1


def test_switched_off_clocks_end_and_judgements_stay(ticket: Ticket) -> None:
    set_back(16)
    work()
    change_setting(company_id=ticket.company_id, key="sla", value="disabled")
    make_due()
    work()
    assert not SlaClock.objects.filter(ended_at=None).exists()
    assert clock().missed_at is not None
    ticket.refresh_from_db()
    assert ticket.sla_due_at is None
    assert not Tick.objects.exists()


def test_switched_on_it_takes_in_what_waits(
    acme: Company, policy: SlaPolicy, queue: Queue, connection: Connection
) -> None:
    CompanySetting.objects.all().delete()
    known.forget()
    waiting = make_ticket(acme, queue=queue, connection=connection)
    make_message(waiting)
    answered = make_ticket(acme, queue=queue, connection=connection)
    make_message(answered)
    make_message(answered, from_me=True, source=MessageSource.AGENT)
    change_setting(company_id=acme.pk, key="sla", value="enabled")
    make_due()
    work()
    assert list(SlaClock.objects.values_list("ticket", "kind")) == [
        (waiting.pk, "first_answer"),
        (waiting.pk, "resolution"),
    ]


def test_a_company_without_deadlines_pays_nothing(
    acme: Company, policy: SlaPolicy, queue: Queue, connection: Connection
) -> None:
    CompanySetting.objects.all().delete()
    known.forget()
    ticket = make_ticket(acme, queue=queue, connection=connection)
    message = make_message(ticket)
    known.is_on(acme.pk)
    with CaptureQueriesContext(database) as captured:
        follow([ticket], [message])
    assert not captured.captured_queries
    assert not SlaClock.objects.exists()
