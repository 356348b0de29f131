"""What a rule names and is gone, and companies without rules (rules/desk §12 and §13)."""

from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.contacts.services.tags import delete_tag
from apps.desk.models import AssignmentLog, Rule, RuleRun, RuleTick, RuleTicket
from apps.desk.services.known import known
from apps.desk.services.rules.following import follow
from apps.desk.services.rules.working import run_due
from apps.desk.tests.conftest import make_due, work
from apps.desk.tests.ruling import (
    AddRule,
    acme,
    add_rule,
    hear,
    runs,
    ticket,
)
from apps.queues.models import Queue
from apps.queues.services.queues import delete_queue
from apps.tickets.events import message_created, ticket_updated
from apps.tickets.models import Ticket, TicketActivity
from tests.factories import (
    make_message,
    make_queue,
    make_tag,
)

pytestmark = pytest.mark.django_db
__all__ = ["acme", "add_rule", "ticket"]


def test_a_deleted_queue_switches_its_rules_off_with_a_sentence(
    events: list[dict[str, Any]], add_rule: AddRule, acme: Company, admin: User, ticket: Ticket
) -> None:
    second, tag = make_queue(acme, name="Trocas"), make_tag(acme, name="VIP")
    add_rule("message_in", {"do": "queue", "id": second.pk}, name="Fila")
    add_rule(
        "message_in",
        {"do": "note", "text": "Oi"},
        condition={"not": {"field": "tag", "values": [tag.pk]}},
        name="Tag",
    )
    add_rule("message_in", {"do": "note", "text": "Outra"}, name="Outra")
    delete_queue(actor=admin, queue_id=second.pk)
    delete_tag(actor=admin, tag_id=tag.pk)
    work()
    problems = {each.name: (each.is_on, each.problem) for each in Rule.objects.all()}
    assert problems == {
        "Fila": (False, "A fila “Trocas” foi excluída."),
        "Tag": (False, "A tag “VIP” foi excluída."),
        "Outra": (True, ""),
    }
    told = [each["payload"]["rule"] for each in events if each["event"] == "rule"]
    assert [(each["isOn"], each["problem"]) for each in told] == [
        (False, "A fila “Trocas” foi excluída."),
        (False, "A tag “VIP” foi excluída."),
    ]
    hear(ticket)
    assert runs() == [("Outra", "")]


def test_what_went_between_event_and_run_is_refused_in_words(
    add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    second = make_queue(acme)
    rule = add_rule("message_in", {"do": "note", "text": "Antes"}, {"do": "queue", "id": second.pk})
    message = make_message(ticket)
    ticket.refresh_from_db()
    message_created(message)
    Queue.objects.filter(pk=second.pk).delete()
    work()
    run = RuleRun.objects.get(rule=rule)
    assert run.sentence == "Fila não encontrada."
    assert not TicketActivity.objects.filter(kind="noted").exists()


def test_moves_by_a_rule_are_logged_as_such(
    add_rule: AddRule, acme: Company, agent: User, ticket: Ticket
) -> None:
    CompanySetting.objects.create(company=acme, key="assignment", value="enabled")
    known.forget()
    ticket_updated(ticket)
    add_rule("message_in", {"do": "person"})
    hear(ticket)
    assert AssignmentLog.objects.latest("pk").why == "rule"


def test_a_company_without_rules_pays_nothing(
    acme: Company, ticket: Ticket, globex: Company, queue: Queue
) -> None:
    CompanySetting.objects.all().delete()
    known.forget()
    known.is_on(acme.pk)
    message = make_message(ticket)
    with CaptureQueriesContext(
        database,
    ) as queries:
        follow([ticket], [message])
    assert len(queries) == 0
    assert not RuleTicket.objects.exists()
    assert not RuleTick.objects.exists()


def test_rules_of_other_events_write_no_rows(add_rule: AddRule, ticket: Ticket) -> None:
    add_rule("resolved", {"do": "note", "text": "Fim"})
    message = make_message(ticket)
    ticket.refresh_from_db()
    message_created(message)
    assert not RuleTick.objects.exists()


def test_a_worker_that_fails_does_it_again(
    monkeypatch: pytest.MonkeyPatch, add_rule: AddRule, ticket: Ticket
) -> None:
    add_rule("message_in", {"do": "note", "text": "Visto"})

    def fail(*_args: object, **_fields: object) -> None:
        raise RuntimeError

    message = make_message(ticket)
    ticket.refresh_from_db()
    message_created(message)
    with monkeypatch.context() as patched:
        patched.setattr("apps.desk.services.rules.running._write", fail)
        run_due(limit=100)
    assert not TicketActivity.objects.filter(kind="noted").exists()
    make_due()
    work()
    assert TicketActivity.objects.filter(kind="noted").count() == 1
