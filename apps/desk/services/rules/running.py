"""Runs rules in one ticket: what an event or a moment starts, and what these start in turn.

The whole chain is one transaction, which also deletes its tick: a killed worker neither repeats nor
skips it. A run whose action is refused is taken back whole, and the chain goes on (rules/desk §12).
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.billing.models import Invoice, InvoiceStatus
from apps.common.bulk import update_rows
from apps.companies.models import SUPER_COMPANY_ID
from apps.companies.queries import zone_of
from apps.desk import events
from apps.desk.decisions.rules import (
    SENDS,
    Event,
    Refusal,
    Refused,
    Rule,
    Run,
    Snapshot,
    When,
    due,
    play,
)
from apps.desk.models import Rule as RuleRow
from apps.desk.models import RuleRun, RuleTick, RuleTicket, RuleTickKind
from apps.desk.queries.debts import after_the_day, debtor_of
from apps.desk.queries.rules import LIVE, read_snapshot, rules_on
from apps.desk.services import ticks
from apps.desk.services.known import RULES, known
from apps.desk.services.rules.acting import ActionRefused, Actor, act
from apps.desk.services.rules.contents import Contents, contents_of
from apps.desk.services.rules.differences import difference
from apps.desk.services.rules.following import event_of, note_overdue, plan_moments, running
from apps.tickets.models import Message, Ticket

logger = logging.getLogger(__name__)

# The same refusal is logged once for a rule and ticket, and a rule's are told once.
QUIET = timedelta(hours=1)
SENTENCES: dict[str, str] = {
    Refusal.ITSELF: "A regra não se inicia pelo que ela mesma fez.",
    Refusal.CHAIN: "Três regras já se iniciaram uma à outra; a próxima não começa.",
    Refusal.OFTEN: "A regra já rodou 10 vezes nesta conversa na última hora.",
    Refusal.CLOSED: "A conversa está encerrada.",
    Refusal.WINDOW: "O contato não escreve há mais de 24 horas.",
}
# Tells whether the work is still this worker's, and takes it.
Take = Callable[[], bool]


def run_event(tick: RuleTick, take: Take) -> None:
    """Run what an event of a ticket starts. Never call it inside a transaction."""
    payload: dict[str, Any] = tick.payload or {}
    message = Message.objects.filter(pk=payload.get("message", 0)).first()
    _run(tick, take, lambda rules, snapshot, now: [event_of(payload, message)])


def run_moments(tick: RuleTick, take: Take) -> None:
    """Run what the moments of a ticket start that have come. Never call it inside a transaction."""
    _run(tick, take, due, looks=True)


def run_day(tick: RuleTick, take: Take) -> None:
    """Note invoices that have become overdue since the last day, and plan the next one."""
    company_id, payload = tick.company_id, tick.payload
    today = timezone.now().astimezone(zone_of(company_id)).date()
    with transaction.atomic():
        if not take():
            return
        wanted = any(rule.trigger.when == When.INVOICE_OVERDUE for rule in rules_on(company_id))
        if not wanted or not known.is_on(company_id, RULES):
            return
        last = date.fromisoformat(payload["day"]) if payload else today - timedelta(days=1)
        note_overdue(_debtors(company_id, last, today))
        plan_day(company_id, today)


def plan_day(company_id: int, today: date | None = None) -> None:
    """Have the invoices that are overdue by then be looked at after the next midnight."""
    zone = zone_of(company_id)
    today = today or timezone.now().astimezone(zone).date()
    ticks.plan(RuleTickKind.DAY, after_the_day(today, zone), company_id=company_id)
    key = ticks.key_of(RuleTickKind.DAY, company_id)
    RuleTick.objects.filter(key=key).update(payload={"day": today.isoformat()})


def _debtors(company_id: int, last: date, today: date) -> list[Ticket]:
    """Return the live tickets, of the company that runs the service, of companies in debt.

    An invoice is overdue from the day after its own; those of the days from `last` until yesterday
    count. The contact is known by the telephone of the company.
    """
    invoices = Invoice.objects.filter(
        status=InvoiceStatus.OPEN, due_date__gte=last, due_date__lt=today
    )
    phones = set(invoices.values_list("company__phone", flat=True))
    numbers = {debtor_of(phone) for phone in phones} - {""}
    live = Ticket.objects.for_company(company_id).filter(
        status__in=LIVE, contact__canonical_number__in=numbers
    )
    return list(live.order_by("pk")) if company_id == SUPER_COMPANY_ID and numbers else []


class ContentsMissing(Exception):
    """A run of a rule that writes was not foreseen; its contents are to be made first."""

    def __init__(self, rule: Rule) -> None:
        super().__init__(f"rule {rule.id}")
        self.rule = rule


@dataclass
class _Runner:
    """Carries out the runs in a locked ticket; `contents` are those of each rule's runs.

    Each run has its own: a copied file belongs to one message.
    """

    ticket: Ticket
    names: Mapping[int, str]
    contents: Mapping[int, Sequence[Contents]]
    used: Counter[int] = field(default_factory=Counter)
    sentences: dict[int, str] = field(default_factory=dict)

    def carry_out(self, rule: Rule, _event: Event, _before: Snapshot, _after: Snapshot) -> None:
        actor = Actor(self.names.get(rule.id, ""), rule_id=rule.id)
        contents = Contents()
        if _writes(rule):
            unused = self.contents.get(rule.id, ())[self.used[rule.id] :]
            if not unused:
                raise ContentsMissing(rule)
            contents = unused[0]
        try:
            with transaction.atomic(), running():
                act(self.ticket, rule.actions, actor, contents)
        except ActionRefused as refused:
            # The ticket in memory has what was taken back.
            self.ticket.refresh_from_db()
            self.sentences[rule.id] = refused.error.sentence
            raise Refused(refused.error.code, refused.index) from refused
        self.used[rule.id] += 1
        transaction.on_commit(contents.keep)


def _writes(rule: Rule) -> bool:
    return any(each.do in SENDS for each in rule.actions)


Causes = Callable[[Sequence[Rule], Snapshot, datetime], Sequence[Event]]


def _run(tick: RuleTick, take: Take, causes: Causes, *, looks: bool = False) -> None:
    """Play rules in one transaction; begin again with what turns out to be written as well.

    `looks`: the causes are the moments that have come.
    """
    rules = rules_on(tick.company_id) if known.is_on(tick.company_id, RULES) else []
    tickets = Ticket.objects.filter(pk=tick.ticket_id or 0)
    unlocked = tickets.select_related("contact", "connection").first()
    if unlocked is None:
        take()
        return
    with ExitStack() as stack:
        contents: defaultdict[int, list[Contents]] = defaultdict(list)
        foreseen = _foreseen(unlocked, rules, causes)
        while True:
            for rule in foreseen:
                # Never in the transaction: Meta may be asked for a template.
                made = stack.enter_context(contents_of(unlocked, rule.actions))
                contents[rule.id].append(made)
            try:
                with transaction.atomic():
                    ticket = tickets.select_for_update(no_key=True).first()
                    if take() and ticket is not None and rules:
                        _play(ticket, rules, contents, causes, looks=looks)
                    return
            except ContentsMissing as missing:
                # Of a refused run only services know, and somebody may have been faster.
                foreseen = [missing.rule]


def _foreseen(ticket: Ticket, rules: Sequence[Rule], causes: Causes) -> list[Rule]:
    """Return the rules that will write, once for each run, as the ticket is before it is locked."""
    writers = {rule.id: rule for rule in rules if _writes(rule)}
    if not writers:
        return []
    now = timezone.now()
    row = RuleTicket.objects.filter(pk=ticket.pk).first()
    snapshot = read_snapshot(ticket, row, now, rules)
    found: list[Rule] = []
    for event in causes(rules, snapshot, now):
        played = play(rules, snapshot, event, now)
        snapshot = played.snapshot
        runs = [run.rule_id for run in played.runs if not run.refusal]
        found += [writers[rule_id] for rule_id in runs if rule_id in writers]
    return found


def _play(
    ticket: Ticket,
    rules: Sequence[Rule],
    contents: Mapping[int, Sequence[Contents]],
    causes: Causes,
    *,
    looks: bool,
) -> None:
    now = timezone.now()
    row = RuleTicket.objects.select_for_update(no_key=True).filter(pk=ticket.pk).first()
    snapshot = read_snapshot(ticket, row, now, rules)
    rows = RuleRow.objects.in_bulk([rule.id for rule in rules])
    runner = _Runner(ticket, {pk: each.name for pk, each in rows.items()}, contents)
    # Before the events: what they change plans the moments after these.
    if row is not None and looks:
        row.seen_until = now
        update_rows([row], ["seen_until"])
    for event in causes(rules, snapshot, now):
        runner.sentences.clear()
        played = play(rules, snapshot, event, now, runner.carry_out)
        for run in played.runs:
            _write(run, ticket, rows, runner.sentences, now)
        snapshot = played.snapshot
    plan_moments([ticket])


def _about(event: Event) -> dict[str, int]:
    told = {"id": event.id, "messageId": event.message_id, "rate": event.rate}
    return {name: each for name, each in told.items() if each is not None}


def _write(
    run: Run,
    ticket: Ticket,
    rows: Mapping[int, RuleRow],
    sentences: Mapping[int, str],
    now: datetime,
) -> None:
    """Log a run, and tell those who change rules of one that was refused, each once in QUIET."""
    rule = rows.get(run.rule_id)
    if rule is None:
        return
    refused = RuleRun.objects.filter(rule=rule, at__gt=now - QUIET)
    if run.refusal and refused.filter(ticket=ticket, refusal=run.refusal).exists():
        return
    is_told = refused.exclude(refusal__in=("", Refusal.ITSELF)).exists() if run.refusal else False
    before, after = difference(run.before, run.after)
    sentence = SENTENCES.get(run.refusal) or sentences.get(run.rule_id, "")
    log = RuleRun.objects.create(
        company_id=ticket.company_id,
        rule=rule,
        ticket=ticket,
        name=rule.name,
        when=run.event.when,
        event=_about(run.event),
        actions=rule.actions,
        chain=list(run.event.chain),
        anchor=run.event.anchor,
        before=before,
        after=after,
        refusal=run.refusal,
        sentence=sentence[:300] if run.refusal else "",
        at=now,
    )
    if run.refusal and run.refusal != Refusal.ITSELF:
        logger.info("Rule %s was refused in ticket %s: %s", rule.pk, ticket.pk, run.refusal)
        if not is_told:
            events.rule_stopped(log)
