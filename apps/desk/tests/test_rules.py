"""Rules carried out: what starts them, what they do, and what is taken back (rules/desk §12)."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import WebhookDelivery
from apps.automation.services.webhook_events import known as known_webhooks
from apps.companies.models import Company, CompanySetting
from apps.companies.queries import zone_of
from apps.companies.services import change_setting
from apps.connections.models import Connection
from apps.contacts.models import ContactField
from apps.contacts.services.tags import delete_tag
from apps.desk.models import AssignmentLog, Rule, RuleRun, RuleTicket, Tick
from apps.desk.services.known import known
from apps.desk.services.rules.following import follow, note_rated
from apps.desk.services.rules.running import plan_day
from apps.desk.services.running import run_due
from apps.desk.tests.conftest import make_due, work
from apps.queues.models import Queue
from apps.queues.services.queues import delete_queue
from apps.tickets.events import message_created, ticket_updated
from apps.tickets.models import Message, Snooze, Ticket, TicketActivity, TicketTag
from apps.tickets.services.outbox import send_text
from apps.tickets.services.tickets.snoozing import snooze_ticket
from apps.tickets.services.tickets.tagging import add_tag, leave_lane
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from tests.factories import (
    make_contact,
    make_invoice,
    make_message,
    make_queue,
    make_quick_message,
    make_tag,
    make_ticket,
    make_user,
    make_webhook,
)

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
AddRule = Callable[..., Rule]


@pytest.fixture
def acme(acme: Company) -> Iterator[Company]:
    """Acme, with rules on and nothing distributed."""
    CompanySetting.objects.all().delete()
    CompanySetting.objects.create(company=acme, key="rules", value="enabled")
    known.forget()
    yield acme
    known.be_sure_of_none()


@pytest.fixture
def add_rule(acme: Company) -> AddRule:
    """Return a function that switches a rule on, a minute ago."""

    def build(when: str, *actions: dict[str, Any], **fields: Any) -> Rule:
        trigger = {"when": when, **fields.pop("trigger", {})}
        fields.setdefault("name", "Regra")
        fields.setdefault("position", Rule.objects.count() + 1)
        fields.setdefault("since", timezone.now() - MINUTE)
        return Rule.objects.create(
            company=acme, when=when, trigger=trigger, actions=list(actions), **fields
        )

    return build


@pytest.fixture
def ticket(acme: Company, queue: Queue, connection: Connection, agent: User) -> Ticket:
    """An open ticket whose contact has written, known to no rule yet."""
    ticket = make_ticket(
        acme,
        queue=queue,
        connection=connection,
        user=agent,
        status="open",
        last_inbound_at=timezone.now(),
    )
    ticket.queued_at = timezone.now() - 10 * MINUTE
    ticket.save(update_fields=["queued_at"])
    return ticket


def hear(ticket: Ticket, body: str = "Oi", **fields: Any) -> Message:
    """Have somebody write, as all are told of it, and do what that starts."""
    message = make_message(ticket, body=body, **fields)
    ticket.refresh_from_db()
    message_created(message)
    work()
    ticket.refresh_from_db()
    return message


def tags_of(ticket: Ticket) -> set[int]:
    return set(TicketTag.objects.filter(ticket=ticket).values_list("tag_id", flat=True))


def runs() -> list[tuple[str, str]]:
    return list(RuleRun.objects.order_by("pk").values_list("rule__name", "refusal"))


def test_what_the_contact_writes_starts_a_rule(
    add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    tag = make_tag(acme)
    rule = add_rule(
        "message_in",
        {"do": "add_tag", "id": tag.pk},
        condition={"all": [{"field": "message", "operator": "contains", "values": ["boleto"]}]},
    )
    hear(ticket, "Bom dia")
    assert (tags_of(ticket), runs()) == (set(), [])
    hear(ticket, "Quero o BOLETO")
    assert tags_of(ticket) == {tag.pk}
    run = RuleRun.objects.get()
    assert (run.rule, run.when, run.before["tags"], run.after["tags"]) == (
        rule,
        "message_in",
        [],
        [tag.pk],
    )
    # Once more would change nothing, so it is no run.
    hear(ticket, "Boleto!")
    assert RuleRun.objects.count() == 1
    assert not Tick.objects.exists()


def test_each_event_starts_its_rules_and_no_others(
    add_rule: AddRule, acme: Company, agent: User, admin: User, ticket: Ticket
) -> None:
    tag, lane = make_tag(acme), make_tag(acme, is_kanban=True)
    second = make_queue(acme)
    agent.queues.add(second)
    note = {"do": "note", "text": "Visto"}
    for when in (
        *("ticket_opened", "message_in", "message_out", "tag_set", "tag_taken", "queue_changed"),
        *("assigned", "resolved", "rated", "lane_changed", "call_missed"),
    ):
        add_rule(when, note, name=when)

    def started(act: Callable[[], object]) -> list[str]:
        RuleRun.objects.all().delete()
        act()
        work()
        ticket.refresh_from_db()
        return list(RuleRun.objects.order_by("pk").values_list("rule__name", flat=True))

    # It was opened before the rules were on.
    assert started(lambda: ticket_updated(ticket)) == ["queue_changed", "assigned"]
    assert started(lambda: hear(ticket)) == ["message_in"]
    assert started(lambda: hear(ticket, media_type="call_log")) == ["call_missed"]
    assert started(lambda: send_text(ticket=ticket, user=agent, body="Olá")) == ["message_out"]
    assert started(lambda: add_tag(user=agent, ticket_id=ticket.pk, tag_id=tag.pk)) == ["tag_set"]
    assert started(lambda: add_tag(user=agent, ticket_id=ticket.pk, tag_id=lane.pk)) == [
        "lane_changed"
    ]
    assert started(lambda: leave_lane(user=agent, ticket_id=ticket.pk)) == ["lane_changed"]
    assert started(lambda: change(agent, ticket, queue_id=second.pk)) == ["queue_changed"]
    assert started(lambda: change(agent, ticket, status="open")) == ["assigned"]
    assert started(lambda: change(agent, ticket, status="closed")) == ["resolved"]
    assert started(lambda: note_rated(ticket, 3)) == ["rated"]
    assert started(lambda: change(agent, ticket, status="open")) == [
        "ticket_opened",
        "queue_changed",
        "assigned",
    ]
    assert not RuleRun.objects.exclude(refusal="").exists()


def change(user: User, ticket: Ticket, **wanted: Any) -> Ticket:
    return update_ticket(user=user, ticket_id=ticket.pk, change=TicketChange.of(wanted))


def test_the_bot_and_programs_start_no_rule_of_our_words(add_rule: AddRule, ticket: Ticket) -> None:
    add_rule("message_out", {"do": "note", "text": "Visto"})
    for source in ("bot", "campaign", "api", "integration"):
        hear(ticket, from_me=True, source=source)
    assert runs() == []
    hear(ticket, from_me=True, source="phone")
    assert len(runs()) == 1


def test_every_action_is_done_and_seen(
    events: list[dict[str, Any]], add_rule: AddRule, acme: Company, agent: User, ticket: Ticket
) -> None:
    second, tag, quick = make_queue(acme), make_tag(acme), make_quick_message(acme, is_shared=True)
    old = make_tag(acme)
    colleague = make_user(acme, queues=[second], name="Dora")
    TicketTag.objects.create(ticket=ticket, tag=old)
    make_webhook(acme, events=["rule.ran"])
    known_webhooks.forget()
    add_rule(
        "message_in",
        {"do": "tell", "tells": "supervisors", "text": "Urgente!"},
        {"do": "add_tag", "id": tag.pk},
        {"do": "remove_tag", "id": old.pk},
        {"do": "priority", "priority": 1},
        {"do": "contact_field", "name": "Cidade", "text": "Recife"},
        {"do": "note", "text": "Veio da regra"},
        {"do": "send_text", "text": "Olá, {{firstName}}"},
        {"do": "send_quick", "id": quick.pk},
        {"do": "queue", "id": second.pk},
        {"do": "person", "id": colleague.pk},
        {"do": "webhook", "text": "aviso"},
        {"do": "snooze", "minutes": 60},
        name="Tudo",
    )
    hear(ticket)
    assert runs() == [("Tudo", "")]
    assert (ticket.priority, ticket.queue, ticket.user) == (1, second, colleague)
    assert ticket.snoozed_until is not None
    assert Snooze.objects.filter(ticket=ticket).exists()
    assert tags_of(ticket) == {tag.pk}
    assert ContactField.objects.get(contact=ticket.contact).value == "Recife"
    texts = Message.objects.filter(ticket=ticket, from_me=True).order_by("pk")
    first_name = ticket.contact.name.split()[0]
    assert [each.body for each in texts] == [f"Olá, {first_name}", quick.message]
    assert {each.origin for each in texts} == {f"rule:{Rule.objects.get().pk}"}
    told = [each for each in events if each["event"] == "ruleAlert"]
    assert [(each["payload"]["text"], each["payload"]["name"]) for each in told] == [
        ("Urgente!", "Tudo")
    ]
    note = TicketActivity.objects.get(kind="noted")
    assert (note.detail["note"], note.detail["by"]) == ("Veio da regra", "rule")
    posted = WebhookDelivery.objects.get()
    assert posted.event == "rule.ran"
    assert posted.payload["rule"]["text"] == "aviso"
    known_webhooks.be_sure_of_none()


def test_a_rule_resolves_and_gives_back(add_rule: AddRule, agent: User, ticket: Ticket) -> None:
    back = add_rule("message_in", {"do": "person"})
    hear(ticket)
    assert (ticket.status, ticket.user) == ("pending", None)
    back.delete()
    add_rule("message_in", {"do": "resolve"}, {"do": "note", "text": "Fim"})
    hear(ticket)
    assert ticket.status == "closed"
    assert RuleTicket.objects.count() == 0


def test_a_refused_action_takes_the_others_back_and_is_told(
    events: list[dict[str, Any]], add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    tag, second = make_tag(acme), make_queue(acme)
    stranger = make_user(acme, queues=[second], name="Dora")
    text = {"do": "send_text", "text": "Olá"}
    add_rule(
        "message_in",
        {"do": "add_tag", "id": tag.pk},
        text,
        {"do": "person", "id": stranger.pk},
        name="Falha",
    )
    other = make_tag(acme)
    add_rule("message_in", {"do": "add_tag", "id": other.pk}, name="Segue")
    hear(ticket)
    # Nothing half done, and the next rule goes on.
    assert tags_of(ticket) == {other.pk}
    assert not Message.objects.filter(ticket=ticket, from_me=True).exists()
    assert runs() == [("Falha", "ERR_VALIDATION"), ("Segue", "")]
    run = RuleRun.objects.get(rule__name="Falha")
    assert run.sentence == "Dora não atende na fila desta conversa."
    assert (run.before, run.after) == ({}, {})
    [told] = [each for each in events if each["event"] == "rule"]
    assert told["payload"]["run"]["sentence"] == run.sentence


def test_outside_the_window_and_where_another_leads_nothing_is_sent(
    add_rule: AddRule, ticket: Ticket
) -> None:
    add_rule("tag_set", {"do": "send_text", "text": "Olá"}, {"do": "priority", "priority": 1})
    tag = make_tag(ticket.company)
    ticket_updated(ticket)
    work()
    Ticket.objects.filter(pk=ticket.pk).update(last_inbound_at=timezone.now() - 25 * 60 * MINUTE)
    TicketTag.objects.create(ticket=ticket, tag=tag)
    ticket.refresh_from_db()
    ticket_updated(ticket)
    work()
    assert runs() == [("Regra", "window")]
    ticket.refresh_from_db()
    assert ticket.priority == 3
    assert not Message.objects.filter(from_me=True).exists()


def test_a_chain_ends_at_its_third_rule_and_the_admin_hears_of_it(
    events: list[dict[str, Any]], add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    tags = [make_tag(acme) for _ in range(6)]
    add_rule("message_in", {"do": "add_tag", "id": tags[0].pk}, name="0")
    for number in range(1, 6):
        add_rule(
            "tag_set",
            {"do": "add_tag", "id": tags[number].pk},
            trigger={"ids": [tags[number - 1].pk]},
            name=str(number),
        )
    hear(ticket)
    assert runs() == [("0", ""), ("1", ""), ("2", ""), ("3", "chain")]
    assert tags_of(ticket) == {tag.pk for tag in tags[:3]}
    chain = RuleRun.objects.get(refusal="chain").chain
    assert chain == list(Rule.objects.order_by("position").values_list("pk", flat=True)[:3])
    assert len([each for each in events if each["event"] == "rule"]) == 1
    # What is refused for the same reason within an hour is told once.
    TicketTag.objects.all().delete()
    hear(ticket)
    assert RuleRun.objects.filter(refusal="chain").count() == 1


def test_a_rule_that_fires_itself_does_so_once(
    events: list[dict[str, Any]], add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    first, second = make_tag(acme), make_tag(acme)
    add_rule("tag_set", {"do": "add_tag", "id": second.pk}, name="Eco")
    hear(ticket)
    TicketTag.objects.create(ticket=ticket, tag=first)
    ticket_updated(ticket)
    work()
    assert runs() == [("Eco", ""), ("Eco", "itself")]
    assert tags_of(ticket) == {first.pk, second.pk}
    # It is logged, and no news for the admin.
    assert not [each for each in events if each["event"] == "rule"]


def test_two_machines_that_answer_each_other_come_to_an_end(
    add_rule: AddRule, ticket: Ticket
) -> None:
    add_rule("message_in", {"do": "send_text", "text": "Já respondemos"})
    for _ in range(13):
        hear(ticket, "Sou um robô")
    assert Message.objects.filter(ticket=ticket, from_me=True).count() == 10
    assert runs().count(("Regra", "often")) == 1


# Moments ------------------------------------------------------------------------------------


def test_who_waits_ten_minutes_is_told_of_once(
    events: list[dict[str, Any]], add_rule: AddRule, agent: User, ticket: Ticket
) -> None:
    add_rule("we_silent", {"do": "tell", "tells": "supervisors"}, trigger={"minutes": 10})
    message = hear(ticket)
    tick = Tick.objects.get(kind="rule_time")
    assert tick.next_attempt_at == message.created_at + 10 * MINUTE
    # A second word of the contact changes nothing; an answer of a person ends it.
    hear(ticket)
    assert Tick.objects.get(kind="rule_time").next_attempt_at == tick.next_attempt_at
    send_text(ticket=ticket, user=agent, body="Olá")
    work()
    assert not Tick.objects.filter(kind="rule_time").exists()
    hear(ticket)
    set_back(11)
    work()
    assert len([each for each in events if each["event"] == "ruleAlert"]) == 1
    assert RuleRun.objects.get().anchor
    # Nothing more is planned for the same silence.
    assert not Tick.objects.exists()
    make_due()
    work()
    assert RuleRun.objects.count() == 1


def set_back(minutes: int) -> None:
    """Have what was said have been said earlier, and what is planned be due."""
    for row in RuleTicket.objects.all():
        for name in ("our_word_at", "unanswered_since", "seen_until"):
            moment = getattr(row, name)
            setattr(row, name, moment - minutes * MINUTE if moment else None)
        row.save()
    Rule.objects.update(since=timezone.now() - 2 * minutes * MINUTE)
    make_due()


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
    assert Tick.objects.filter(kind="rule_time").exists()
    snooze_ticket(user=agent, ticket_id=ticket.pk, until=timezone.now() + 60 * MINUTE)
    work()
    assert not Tick.objects.filter(kind="rule_time").exists()


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
    assert not Tick.objects.filter(kind="rule_time").exists()


def test_a_new_rule_takes_in_what_waits_but_not_what_is_over(
    add_rule: AddRule, acme: Company, queue: Queue, connection: Connection
) -> None:
    before, soon = (
        make_ticket(acme, queue=queue, connection=connection, status="pending") for _ in range(2)
    )
    now = timezone.now()
    for ticket, minutes in ((before, 60), (soon, 5)):
        make_message(ticket, created_at=now - minutes * MINUTE)
    rule = add_rule("we_silent", {"do": "note", "text": "Demora"}, trigger={"minutes": 10})
    change_setting(company_id=acme.pk, key="rules", value="disabled")
    change_setting(company_id=acme.pk, key="rules", value="enabled")
    make_due()
    work()
    assert set(RuleTicket.objects.values_list("pk", flat=True)) == {before.pk, soon.pk}
    assert list(Tick.objects.values_list("ticket", flat=True)) == [soon.pk]
    assert runs() == []
    rule.since = None
    rule.save()
    change_setting(company_id=acme.pk, key="rules", value="enabled")
    make_due()
    work()
    assert not RuleTicket.objects.exists()
    assert not Tick.objects.exists()


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
    tick = Tick.objects.get()
    assert (tick.kind, tick.payload) == ("rule_day", {"day": today.isoformat()})
    assert tick.next_attempt_at > timezone.now()
    # Each invoice is overdue once.
    Ticket.objects.update(priority=3)
    make_due()
    work()
    ticket.refresh_from_db()
    assert ticket.priority == 3


# What goes, and what costs nothing ----------------------------------------------------------


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
    assert not Tick.objects.exists()


def test_rules_of_other_events_write_no_rows(add_rule: AddRule, ticket: Ticket) -> None:
    add_rule("resolved", {"do": "note", "text": "Fim"})
    message = make_message(ticket)
    ticket.refresh_from_db()
    message_created(message)
    assert not Tick.objects.exists()


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
