"""Rules carried out: what starts them, what they do, and what is taken back (rules/desk §12)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import WebhookDelivery
from apps.automation.services.webhook_events import known as known_webhooks
from apps.common.media import store_media
from apps.companies.models import Company
from apps.connections.services.templates import TemplateNotApproved
from apps.contacts.models import ContactField
from apps.desk.models import Rule, RuleRun, RuleTick, RuleTicket
from apps.desk.services.rules.contents import refused
from apps.desk.services.rules.following import note_rated
from apps.desk.tests.conftest import work
from apps.desk.tests.ruling import (
    MINUTE,
    AddRule,
    acme,
    add_rule,
    change,
    hear,
    runs,
    tags_of,
    ticket,
)
from apps.library.models import QuickMessage
from apps.tickets.events import ticket_updated
from apps.tickets.models import Message, Snooze, Ticket, TicketActivity, TicketTag
from apps.tickets.services.outbox import send_text
from apps.tickets.services.tickets.tagging import add_tag, leave_lane
from tests.factories import (
    make_queue,
    make_quick_message,
    make_tag,
    make_ticket,
    make_user,
    make_webhook,
)

pytestmark = pytest.mark.django_db
__all__ = ["acme", "add_rule", "ticket"]


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
    message = hear(ticket, "Quero o BOLETO")
    assert tags_of(ticket) == {tag.pk}
    run = RuleRun.objects.get()
    assert run.event == {"messageId": message.pk}
    assert (run.rule, run.when, run.before["tags"], run.after["tags"]) == (
        rule,
        "message_in",
        [],
        [tag.pk],
    )
    # Once more would change nothing, so it is no run.
    hear(ticket, "Boleto!")
    assert RuleRun.objects.count() == 1
    assert not RuleTick.objects.exists()


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

    # It was opened, moved and assigned before the rules were on, for all that is known.
    assert started(lambda: ticket_updated(ticket)) == []
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


def test_a_tag_from_before_a_rule_starts_it_by_no_later_word(
    add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    tags = [make_tag(acme), make_tag(acme, is_kanban=True)]
    add_rule("message_in", {"do": "note", "text": "Visto"}, name="Visto")
    hear(ticket)
    for tag in tags:
        TicketTag.objects.create(ticket=ticket, tag=tag)
    ticket_updated(ticket)
    add_rule("tag_set", {"do": "note", "text": "VIP"}, name="Tag", since=timezone.now())
    add_rule("lane_changed", {"do": "note", "text": "VIP"}, name="Coluna", since=timezone.now())
    hear(ticket)
    assert runs() == [("Visto", ""), ("Visto", "")]


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
    assert [each.body for each in texts] == [f"Olá, {first_name}", f"Olá, {first_name}!"]
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
    # In the next hour it is logged once for each ticket, and told no more.
    hear(ticket)
    other_ticket = make_ticket(acme, queue=ticket.queue, connection=ticket.connection)
    hear(other_ticket)
    refused = RuleRun.objects.filter(rule__name="Falha")
    assert list(refused.order_by("pk").values_list("ticket", flat=True)) == [
        ticket.pk,
        other_ticket.pk,
    ]
    assert len([each for each in events if each["event"] == "rule"]) == 1
    RuleRun.objects.update(at=timezone.now() - 61 * MINUTE)
    hear(ticket)
    assert refused.count() == 3
    assert len([each for each in events if each["event"] == "rule"]) == 2


def test_a_rule_that_writes_because_another_was_refused_writes_once(
    add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    Ticket.objects.filter(pk=ticket.pk).update(status="pending", user=None)
    stranger = make_user(acme, queues=[make_queue(acme)], name="Dora")
    add_rule("message_in", {"do": "person", "id": stranger.pk}, name="Para Dora")
    add_rule(
        "message_in",
        {"do": "send_text", "text": "Já vamos atender"},
        condition={"field": "person", "operator": "empty"},
        name="Senão",
    )
    hear(ticket)
    assert runs() == [("Para Dora", "ERR_VALIDATION"), ("Senão", "")]
    ours = Message.objects.filter(ticket=ticket, from_me=True)
    assert [each.body for each in ours] == ["Já vamos atender"]
    assert not RuleTick.objects.exists()


def test_each_run_sends_a_file_of_its_own(
    settings: Any, tmp_path: Path, add_rule: AddRule, acme: Company, ticket: Ticket
) -> None:
    settings.MEDIA_ROOT = tmp_path
    quick = make_quick_message(acme, is_shared=True)
    file = store_media(
        company_id=acme.pk, content=b"%PDF-1.4", name="pix.pdf", mime="application/pdf"
    )
    QuickMessage.objects.filter(pk=quick.pk).update(
        media_path=file.path, media_name=file.name, media_mime=file.mime
    )
    tags = [make_tag(acme), make_tag(acme)]
    add_rule("message_in", *[{"do": "add_tag", "id": tag.pk} for tag in tags])
    add_rule("tag_set", {"do": "send_quick", "id": quick.pk})
    hear(ticket)
    paths = Message.objects.filter(ticket=ticket, from_me=True).values_list("media_path", flat=True)
    assert len(set(paths)) == len(paths) == len(tags)


def test_meta_is_not_asked_for_a_refused_template_at_each_message(
    monkeypatch: pytest.MonkeyPatch, add_rule: AddRule, ticket: Ticket
) -> None:
    asked: list[object] = []

    def refuse(*_args: object) -> None:
        asked.append(_args)
        raise TemplateNotApproved

    monkeypatch.setattr("apps.desk.services.rules.contents.filled_template", refuse)
    add_rule("message_in", {"do": "send_template", "name": "cobranca", "language": "pt_BR"})
    add_rule("message_in", {"do": "send_template", "name": "outro", "language": "pt_BR"})
    hear(ticket)
    hear(ticket)
    assert len(asked) == 2
    assert runs() == [("Regra", TemplateNotApproved.code)] * 2
    monkeypatch.setattr("apps.desk.services.rules.contents.REMEMBERED_SECONDS", 0)
    refused.clear()
    hear(ticket)
    hear(ticket)
    assert len(asked) == 6


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
