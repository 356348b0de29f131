"""A rehearsal of a rule finds in what is stored the runs that there were live (rules/desk §16)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.companies.queries import zone_of
from apps.connections.models import Connection
from apps.desk.models import Rule, RuleRun, SlaPolicy
from apps.desk.services.known import known
from apps.desk.services.rules.following import follow, note_rated
from apps.desk.tests.conftest import work
from apps.desk.tests.ruling import AddRule, acme, add_rule
from apps.desk.tests.test_rehearsals import Client, ask, times
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket, TicketActivity, TrackingCycle
from tests.factories import (
    make_admin,
    make_connection,
    make_contact,
    make_invoice,
    make_message,
    make_queue,
)
from tests.past import MINUTE, make_past

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["acme", "add_rule", "times"]

NOTE = {"do": "note", "text": "Visto"}
BOLETO = {"field": "message", "operator": "contains", "values": ["boleto"]}
IMAGE = {"field": "media", "values": ["image"]}
RULES: dict[str, dict[str, Any]] = {
    **{
        when: {"trigger": {"when": when}}
        for when in (
            *("ticket_opened", "message_in", "message_out", "queue_changed", "assigned"),
            *("resolved", "rated", "call_missed"),
        )
    },
    "boleto": {"trigger": {"when": "message_in"}, "condition": BOLETO},
    "image": {"trigger": {"when": "message_in"}, "condition": IMAGE},
}


class _Day:
    """A ticket's day: what happens is stored as of then, and rules are told of it."""

    def __init__(self, ticket: Ticket, begin: datetime) -> None:
        self.ticket, self._begin = ticket, begin

    def begins(self) -> None:
        self._told([self.ticket.messages.get()])

    def says(self, minute: float, **fields: Any) -> None:
        at = self._begin + minute * MINUTE
        self._told([make_message(self.ticket, created_at=at, **fields)])

    def becomes(self, minute: float, kind: str = "", detail: Any = None, **fields: Any) -> None:
        at = self._begin + minute * MINUTE
        if kind:
            TicketActivity.objects.create(
                ticket=self.ticket, kind=kind, detail=detail or {}, created_at=at
            )
        Ticket.objects.filter(pk=self.ticket.pk).update(**fields)
        self._told([])

    def _told(self, messages: list[Message]) -> None:
        self.ticket.refresh_from_db()
        with transaction.atomic():
            follow([self.ticket], messages)
        work()


def test_the_runs_of_a_day_are_those_that_there_were(
    add_rule: AddRule,
    acme: Company,
    admin: User,
    agent: User,
    queue: Queue,
    connection: Connection,
    client_for: Client,
) -> None:
    begin = timezone.now().replace(minute=0, second=0, microsecond=0) - timedelta(days=3)
    for name, form in RULES.items():
        rule = {**form, "trigger": dict(form["trigger"])}
        when = rule["trigger"].pop("when")
        add_rule(when, NOTE, name=name, since=begin - MINUTE, **rule)
    second = make_queue(acme)
    ticket = make_past(queue, connection, agent, at=begin, taken=None, answered=None, closed=None)
    day = _Day(ticket, begin)
    day.begins()
    taken = {"user": agent.name, "queue": queue.name}
    day.says(1, from_me=True, source="bot")
    day.becomes(2, "accepted", taken, user=agent, status="open")
    day.says(3, from_me=True, source="agent", user=agent)
    for number, body in enumerate(("um", "dois", "três", "o boleto", "cinco", "seis")):
        day.says(4 + number, body=body)
    day.says(10, media_type="sticker", body="")
    day.says(11, media_type="call_log", body="")
    moved = {"user": None, "queue": second.name}
    day.becomes(12, "transferred", moved, user=None, status="pending", queue=second)
    day.becomes(
        13, "accepted", {**taken, "queue": second.name}, user=agent, status="open", queue=second
    )
    TrackingCycle.objects.filter(ticket=ticket).update(
        finished_at=begin + 20 * MINUTE, started_at=begin + 2 * MINUTE, user=agent, queue=second
    )
    day.becomes(20, status="closed", closed_at=begin + 20 * MINUTE)
    day.becomes(25, "rated", {"rate": 5})
    with transaction.atomic():
        note_rated(ticket, 5)
    work()

    assert not RuleRun.objects.exclude(refusal="").exists()
    live = {name: RuleRun.objects.filter(rule__name=name).count() for name in RULES}
    assert live == {
        "ticket_opened": 1,
        "message_in": 8,
        "message_out": 1,
        "queue_changed": 2,
        "assigned": 2,
        "resolved": 1,
        "rated": 1,
        "call_missed": 1,
        "boleto": 1,
        "image": 1,
    }
    Rule.objects.all().delete()
    rehearsed = {
        name: ask(client_for(admin), subject="rule", rule={**form, "actions": [NOTE]})["runs"]
        for name, form in RULES.items()
    }
    assert {name: runs["after"] for name, runs in rehearsed.items()} == live


@pytest.mark.parametrize(
    ("kind", "step", "minutes", "count"),
    [
        # Answered after 10, 20 and 60 minutes; due after 15, and the last quarter begins at 11:15.
        ("first_answer", "quarter", 0, 2),
        ("first_answer", "due", 0, 2),
        ("first_answer", "after", 30, 1),
        # Resolved after 70 minutes each, due after 45 without the time in which the contact had
        # the answer.
        ("resolution", "due", 0, 1),
        ("", "due", 0, 3),
    ],
)
def test_a_rule_on_deadlines_runs_as_often_as_their_steps_would_be_due(
    client_for: Client,
    admin: User,
    queue: Queue,
    connection: Connection,
    agent: User,
    times: SlaPolicy,
    kind: str,
    step: str,
    minutes: int,
    count: int,
) -> None:
    begin = timezone.now().replace(minute=0, second=0, microsecond=0) - timedelta(days=3)
    for answered in (10, 20, 60):
        make_past(queue, connection, agent, at=begin, taken=5, answered=answered, closed=70)
    trigger = {"when": "sla_step", "kind": kind, "step": step, "minutes": minutes}
    client = client_for(admin)
    report = ask(client, subject="rule", rule={"trigger": trigger, "actions": [NOTE]})
    assert report["runs"] == {"before": 0, "after": count, "refused": 0}
    steps = [
        {"kind": each, "when": step, "minutes": minutes, "action": "tell", "tells": "holder"}
        for each in ([kind] if kind else ["first_answer", "resolution"])
    ]
    sla = {"queueId": queue.pk, "firstAnswerMinutes": 15, "resolutionMinutes": 45, "steps": steps}
    deeds = ask(client, subject="sla", slaId=times.pk, sla=sla)["deeds"]
    assert sum(each["count"] for each in deeds) == count


def test_without_deadlines_a_rule_on_them_would_not_have_run(
    client_for: Client,
    admin: User,
    queue: Queue,
    connection: Connection,
    agent: User,
    times: SlaPolicy,
) -> None:
    begin = timezone.now() - timedelta(days=3)
    make_past(queue, connection, agent, at=begin)
    CompanySetting.objects.filter(key="sla").update(value="disabled")
    known.forget()
    rule = {"trigger": {"when": "sla_step", "step": "due"}, "actions": [NOTE]}
    assert ask(client_for(admin), subject="rule", rule=rule)["matched"] == 0


def test_a_rule_on_invoices_runs_when_each_became_overdue(
    client_for: Client, operator_company: Company, acme: Company
) -> None:
    operator = make_admin(operator_company)
    queue = make_queue(operator_company)
    connection = make_connection(operator_company)
    Company.objects.filter(pk=acme.pk).update(phone="+55 11 98765-4321")
    day = timedelta(days=1)
    now = timezone.now().astimezone(zone_of(operator_company.pk))
    begin = now.replace(hour=0, minute=0, second=0, microsecond=0) - 6 * day
    ticket = make_past(queue, connection, operator, at=begin, answered=None, closed=5.5 * 24 * 60)
    debtor = make_contact(operator_company, number="5511987654321")
    ticket.contact = debtor
    ticket.save()
    TrackingCycle.objects.filter(ticket=ticket).update(contact=debtor)
    make_past(queue, connection, operator, at=begin)
    stored: tuple[dict[str, Any], ...] = (
        {},
        {"status": "paid", "paid_at": begin + 1.5 * day},
        {"status": "cancelled"},
        # Written when its day was over.
        {"created_at": now},
        # Paid when it was overdue.
        {"status": "paid", "paid_at": begin + 5.2 * day},
        # The ticket was closed when it was.
        {},
    )
    for number, fields in enumerate(stored):
        invoice = make_invoice(acme, due_date=(begin + number * day).date())
        changed = {"created_at": begin - day, **fields}
        type(invoice).objects.filter(pk=invoice.pk).update(**changed)

    rule = {"trigger": {"when": "invoice_overdue"}, "actions": [NOTE]}
    report = ask(client_for(operator), subject="rule", rule=rule)
    assert (report["matched"], report["runs"]["after"]) == (1, 2)
    [sample] = report["samples"]
    assert datetime.fromisoformat(sample["at"]) == begin + day
