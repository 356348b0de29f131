"""Moments that start rules, and what costs nothing (rules/desk §12 and §13)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.companies.queries import zone_of
from apps.companies.services import change_setting
from apps.connections.models import Connection
from apps.desk.models import Rule, RuleRun, RuleTick, RuleTicket, Tick
from apps.desk.services.known import known
from apps.desk.services.rules.following import follow
from apps.desk.services.rules.running import plan_day, run_event
from apps.desk.services.rules.syncing import note_rules
from apps.desk.services.rules.working import run_due as run_rules_due
from apps.desk.services.running import run_due
from apps.desk.tests.conftest import make_due, work
from apps.desk.tests.ruling import (
    MINUTE,
    AddRule,
    acme,
    add_rule,
    hear,
    runs,
    set_back,
    ticket,
)
from apps.queues.models import Queue
from apps.tickets.events import message_created
from apps.tickets.models import Message, Ticket
from apps.tickets.services.outbox import send_text
from apps.tickets.services.tickets.snoozing import snooze_ticket
from tests.factories import (
    make_contact,
    make_invoice,
    make_message,
    make_ticket,
)

pytestmark = pytest.mark.django_db
__all__ = ["acme", "add_rule", "ticket"]


def test_who_waits_ten_minutes_is_told_of_once(
    events: list[dict[str, Any]], add_rule: AddRule, agent: User, ticket: Ticket
) -> None:
    add_rule("we_silent", {"do": "tell", "tells": "supervisors"}, trigger={"minutes": 10})
    message = hear(ticket)
    tick = RuleTick.objects.get(kind="time")
    assert tick.next_attempt_at == message.created_at + 10 * MINUTE
    # A second word of the contact changes nothing; an answer of a person ends it.
    hear(ticket)
    assert RuleTick.objects.get(kind="time").next_attempt_at == tick.next_attempt_at
    send_text(ticket=ticket, user=agent, body="Olá")
    work()
    assert not RuleTick.objects.filter(kind="time").exists()
    hear(ticket)
    set_back(11)
    work()
    assert len([each for each in events if each["event"] == "ruleAlert"]) == 1
    assert RuleRun.objects.get().anchor
    # Nothing more is planned for the same silence.
    assert not RuleTick.objects.exists()
    make_due()
    work()
    assert RuleRun.objects.count() == 1


def test_a_silent_contact_is_reminded_once(add_rule: AddRule, agent: User, ticket: Ticket) -> None:
    add_rule("contact_silent", {"do": "send_text", "text": "Ainda aí?"}, trigger={"minutes": 5})
    hear(ticket)
    send_text(ticket=ticket, user=agent, body="Qual o CPF?")
    work()
    for _ in range(3):
        set_back(6)
        work()
    ours = Message.objects.filter(ticket=ticket, from_me=True).order_by("pk")
    assert [each.body for each in ours] == ["Qual o CPF?", "Ainda aí?"]


def test_a_snooze_lets_no_silence_count(add_rule: AddRule, agent: User, ticket: Ticket) -> None:
    add_rule("we_silent", {"do": "note", "text": "Demora"}, trigger={"minutes": 5})
    hear(ticket)
    assert RuleTick.objects.filter(kind="time").exists()
    snooze_ticket(user=agent, ticket_id=ticket.pk, until=timezone.now() + 60 * MINUTE)
    work()
    assert not RuleTick.objects.filter(kind="time").exists()


def test_a_condition_that_does_not_hold_at_the_moment_is_not_asked_again(
    add_rule: AddRule, ticket: Ticket
) -> None:
    add_rule(
        "we_silent",
        {"do": "note", "text": "Demora"},
        trigger={"minutes": 5},
        condition={"field": "priority", "values": ["urgent"]},
    )
    hear(ticket)
    set_back(6)
    work()
    assert runs() == []
    assert not RuleTick.objects.filter(kind="time").exists()


def test_a_new_rule_takes_in_what_waits_but_not_what_is_over(
    add_rule: AddRule, acme: Company, queue: Queue, connection: Connection
) -> None:
    before, soon = (
        make_ticket(acme, queue=queue, connection=connection, status="pending") for _ in range(2)
    )
    now = timezone.now()
    for waiting, minutes in ((before, 60), (soon, 5)):
        make_message(waiting, created_at=now - minutes * MINUTE)
    rule = add_rule("we_silent", {"do": "note", "text": "Demora"}, trigger={"minutes": 10})
    change_setting(company_id=acme.pk, key="rules", value="disabled")
    change_setting(company_id=acme.pk, key="rules", value="enabled")
    make_due()
    work()
    assert set(RuleTicket.objects.values_list("pk", flat=True)) == {before.pk, soon.pk}
    assert list(RuleTick.objects.values_list("ticket", flat=True)) == [soon.pk]
    assert runs() == []
    rule.since = None
    rule.save()
    note_rules(acme.pk)
    make_due()
    work()
    assert not RuleTicket.objects.exists()
    assert not RuleTick.objects.exists()


def test_other_rules_take_in_tickets_a_part_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
    add_rule: AddRule,
    acme: Company,
    queue: Queue,
    connection: Connection,
) -> None:
    monkeypatch.setattr("apps.desk.services.rules.syncing.PART", 2)
    add_rule("we_silent", {"do": "note", "text": "Demora"}, trigger={"minutes": 10})
    made = [
        make_ticket(acme, queue=queue, connection=connection, status="pending") for _ in range(3)
    ]
    note_rules(acme.pk)
    for count in (2, 3):
        assert run_rules_due(limit=1) == 1
        assert RuleTicket.objects.count() == count
        sync = RuleTick.objects.get(kind="sync")
        assert (sync.state, sync.payload) == ("waiting", {"after": made[count - 1].pk})
    work()
    assert not RuleTick.objects.filter(kind="sync").exists()


def test_switching_the_distribution_off_leaves_what_rules_wait_for(
    add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    CompanySetting.objects.create(company=acme, key="assignment", value="enabled")
    known.forget()
    add_rule("we_silent", {"do": "note", "text": "Demora"}, trigger={"minutes": 5})
    add_rule("message_in", {"do": "note", "text": "Visto"})
    message_created(make_message(ticket))
    note_rules(acme.pk)
    plan_day(acme.pk)
    change_setting(company_id=acme.pk, key="assignment", value="disabled")
    Tick.objects.update(next_attempt_at=timezone.now())
    while run_due(limit=100):
        pass
    assert set(RuleTick.objects.values_list("kind", flat=True)) == {
        *("event", "time", "sync", "day")
    }


def test_a_moment_that_has_come_is_not_lost_by_an_event_before_it(
    add_rule: AddRule, ticket: Ticket
) -> None:
    add_rule("we_silent", {"do": "note", "text": "Demora"}, trigger={"minutes": 10}, name="Demora")
    add_rule("message_in", {"do": "note", "text": "Visto"}, name="Visto")
    hear(ticket)
    set_back(11)
    # The contact writes again before the worker comes to the moment.
    message = make_message(ticket)
    ticket.refresh_from_db()
    message_created(message)
    run_event(RuleTick.objects.get(kind="event"), lambda: True)
    RuleTick.objects.filter(kind="event").delete()
    work()
    assert runs() == [("Visto", ""), ("Visto", ""), ("Demora", "")]
    make_due()
    work()
    assert len(runs()) == 3


def test_many_tickets_take_as_many_queries_as_two(
    add_rule: AddRule, acme: Company, queue: Queue, connection: Connection
) -> None:
    note = {"do": "note", "text": "Demora"}
    add_rule("we_silent", note, trigger={"minutes": 5, "inHours": True})
    add_rule("contact_silent", note, trigger={"minutes": 5})
    add_rule("window_closes", note, trigger={"minutes": 60})
    add_rule("sla_step", note, trigger={"step": "due"})
    made = [make_ticket(acme, queue=queue, connection=connection) for _ in range(12)]
    for each in made:
        follow([each], [make_message(each)])

    def queries_of(count: int) -> int:
        tickets = list(Ticket.objects.order_by("pk")[:count])
        # Known for the next two seconds.
        known.is_on(acme.pk)
        with CaptureQueriesContext(database) as queries:
            follow(tickets, [])
        return len(queries)

    assert queries_of(2) == queries_of(12)
    assert RuleTick.objects.filter(kind="time").count() == 12
    # Those that have no moment any more go at once as well.
    Ticket.objects.update(snoozed_at=timezone.now())
    Rule.objects.filter(when="window_closes").delete()
    assert queries_of(2) == queries_of(12)
    assert not RuleTick.objects.filter(kind="time").exists()


def test_an_overdue_invoice_starts_the_rules_of_who_runs_the_service(
    operator_company: Company, acme: Company
) -> None:
    CompanySetting.objects.create(company=operator_company, key="rules", value="enabled")
    known.forget()
    Company.objects.filter(pk=acme.pk).update(phone="+55 11 98765-4321")
    Rule.objects.create(
        company=operator_company,
        when="invoice_overdue",
        trigger={"when": "invoice_overdue"},
        actions=[{"do": "priority", "priority": 1}],
        since=timezone.now() - MINUTE,
    )
    contact = make_contact(operator_company, number="5511987654321")
    ticket = make_ticket(operator_company, contact=contact)
    other = make_ticket(operator_company)
    today = timezone.now().astimezone(zone_of(operator_company.pk)).date()
    make_invoice(acme, due_date=today - timedelta(days=1))
    plan_day(operator_company.pk, today - timedelta(days=1))
    make_due()
    work()
    ticket.refresh_from_db()
    other.refresh_from_db()
    assert (ticket.priority, other.priority) == (1, 3)
    tick = RuleTick.objects.get()
    assert (tick.kind, tick.payload) == ("day", {"day": today.isoformat()})
    assert tick.next_attempt_at > timezone.now()
    # Each invoice is overdue once.
    Ticket.objects.update(priority=3)
    make_due()
    work()
    ticket.refresh_from_db()
    assert ticket.priority == 3
