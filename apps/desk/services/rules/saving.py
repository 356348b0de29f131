"""The rules of a company, and its switch (rules/desk §12)."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError, NotFound
from apps.companies.models import Company
from apps.companies.services import change_setting
from apps.desk import events
from apps.desk.decisions.rule_forms import rule_of
from apps.desk.decisions.rules import TIMES, When, names, starts_itself
from apps.desk.models import Rule, RuleRun, RuleTickKind
from apps.desk.queries.rules import lanes_in, rule_from
from apps.desk.services import ticks
from apps.desk.services.known import KNOWN_SECONDS, ON, RULES, known
from apps.desk.services.rules.forms import (
    as_named,
    check_names,
    checked_actions,
    checked_trigger,
    names_in,
    refuse,
)
from apps.desk.services.rules.syncing import note_rules

MOST_RULES = 100
# What starts such rules is planned ahead.
PLANNED = TIMES | {When.INVOICE_OVERDUE}
# By then every process knows whether the company has rules on.
ALL_KNOW = timedelta(seconds=KNOWN_SECONDS + 1)
COUNTED = timedelta(days=30)


class RuleNotFound(NotFound):
    """The company has no such rule."""

    message = "Regra não encontrada."


class TooManyRules(DomainError):
    code = "ERR_TOO_MANY_RULES"
    message = f"Uma empresa tem no máximo {MOST_RULES} regras."


def rules_of(company_id: int) -> list[Rule]:
    """Return a company's rules in order, with what their rows show besides."""
    return _shown(company_id, _counted(company_id))


def get_rule(*, company_id: int, rule_id: int) -> Rule:
    """Return a rule with what its row shows; raises RuleNotFound."""
    found = _shown(company_id, _counted(company_id).filter(pk=rule_id))
    if not found:
        raise RuleNotFound
    return found[0]


def _counted(company_id: int) -> "QuerySet[Rule]":
    done = RuleRun.objects.filter(rule=OuterRef("pk"), refusal="", at__gt=timezone.now() - COUNTED)
    of_rule = done.order_by().values("rule")
    rules = Rule.objects.for_company(company_id).annotate(
        run_count=Coalesce(Subquery(of_rule.annotate(count=Count("pk")).values("count")), 0),
        last_run_at=Subquery(of_rule.annotate(last=Max("at")).values("last")),
    )
    return rules


def _shown(company_id: int, rows: "QuerySet[Rule]") -> list[Rule]:
    found: list[Any] = list(rows)
    lanes = lanes_in(company_id, (row.actions for row in found))
    values = {row.pk: rule_from(row, lanes) for row in found}
    named = {pk: names(value) for pk, value in values.items()}
    known_names = names_in(company_id, {each for of_rule in named.values() for each in of_rule})
    for row in found:
        row.names = as_named(named[row.pk], known_names)
        row.starts_itself = starts_itself(values[row.pk])
    return found


def save_rule(
    *,
    actor: User,
    fields: Mapping[str, Any],
    rule_id: int | None = None,
    ip_address: str | None = None,
) -> Rule:
    """Create a rule, the last one, or replace one, audited; the first that is on switches rules on.

    Raises RuleNotFound, TooManyRules, and InvalidInput for what can't be.
    """
    company_id: int = actor.company_id
    with transaction.atomic():
        # One after another, for the limit, the order and the switch.
        Company.objects.select_for_update(no_key=True).get(pk=company_id)
        trigger, condition, actions = checked_form(company_id, fields).values()
        rules = Rule.objects.for_company(company_id)
        if rule_id is None:
            if rules.count() >= MOST_RULES:
                raise TooManyRules
            last = rules.aggregate(last=Max("position"))["last"]
            rule = Rule(company_id=company_id, position=(last or 0) + 1)
        else:
            rule = _locked(company_id, rule_id)
        is_on = fields.get("is_on", rule.is_on or rule_id is None)
        is_other = (rule.trigger, rule.condition) != (trigger, condition)
        whens = {rule.when, trigger["when"]}
        rule.name, rule.when = (fields.get("name") or "").strip(), trigger["when"]
        rule.trigger, rule.condition, rule.actions = trigger, condition, actions
        rule.problem = ""
        return _stored(actor, rule, ip_address, is_on=is_on, changed=whens if is_other else ())


def checked_form(company_id: int, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return when, if and then of a rule as they are stored; raises InvalidInput."""
    trigger = checked_trigger(company_id, fields["trigger"])
    actions = checked_actions(fields["actions"], is_macro=False)
    condition = fields.get("condition") or None
    value = rule_of(0, trigger=trigger, condition=condition, actions=actions)
    if any(each.do == "tell" and not each.tells for each in value.actions):
        raise refuse("actions", "Escolha quem é avisado.", "required")
    check_names(company_id, names(value), whose=None, field="actions")
    return {"trigger": trigger, "condition": condition, "actions": actions}


def switch_rule(*, actor: User, rule_id: int, is_on: bool, ip_address: str | None = None) -> Rule:
    """Switch a rule on or off, audited.

    Raises RuleNotFound, and InvalidInput for one to be switched on that names what is gone.
    """
    company_id: int = actor.company_id
    with transaction.atomic():
        Company.objects.select_for_update(no_key=True).get(pk=company_id)
        rule = _locked(company_id, rule_id)
        if is_on:
            check_names(company_id, names(rule_from(rule)), whose=None, field="actions")
            rule.problem = ""
        return _stored(actor, rule, ip_address, is_on=is_on)


def _stored(
    actor: User, rule: Rule, ip_address: str | None, *, is_on: bool, changed: Collection[str] = ()
) -> Rule:
    """Store a rule as on or off; `changed` are the events that start it, before and after."""
    was_on = rule.is_on
    # What happened before it was as it is now does not start it.
    if is_on and (not was_on or changed):
        rule.since = timezone.now()
    elif not is_on:
        rule.since = None
    rule.save()
    _record("rule.saved", actor, rule, ip_address, isOn=is_on)
    if is_on != was_on or (is_on and changed):
        _hold_from_now_on(rule, {rule.when, *changed}, turns_on=is_on and not was_on)
    saved = get_rule(company_id=rule.company_id, rule_id=rule.pk)
    events.rule_saved(saved)
    return saved


def delete_rule(*, actor: User, rule_id: int, ip_address: str | None = None) -> None:
    """Delete a rule, audited; what it has done stays in the log. Raises RuleNotFound."""
    with transaction.atomic():
        rule = _locked(actor.company_id, rule_id)
        _record("rule.deleted", actor, rule, ip_address)
        rule.delete()
        if rule.is_on:
            _hold_from_now_on(rule, {rule.when}, turns_on=False)
        events.rule_deleted(actor.company_id, rule_id)


def order_rules(*, actor: User, ids: Sequence[int], ip_address: str | None = None) -> list[Rule]:
    """Have the rules run in this order, audited; raises InvalidInput unless all are named once."""
    company_id: int = actor.company_id
    with transaction.atomic():
        Company.objects.select_for_update(no_key=True).get(pk=company_id)
        rows = {rule.pk: rule for rule in Rule.objects.for_company(company_id)}
        if sorted(ids) != sorted(rows):
            sentence = "As regras mudaram. Confira a lista e tente de novo."
            raise refuse("ids", sentence, "does_not_exist")
        for position, rule_id in enumerate(ids, start=1):
            rows[rule_id].position = position
        Rule.objects.bulk_update(rows.values(), ["position"])
        record(
            action="rule.ordered",
            actor=actor,
            company_id=company_id,
            detail={"ids": list(ids)},
            ip_address=ip_address,
        )
        found = rules_of(company_id)
        for rule in found:
            events.rule_saved(rule)
        return found


def _locked(company_id: int, rule_id: int) -> Rule:
    rules = Rule.objects.for_company(company_id).select_for_update(no_key=True)
    rule = rules.filter(pk=rule_id).first()
    if rule is None:
        raise RuleNotFound
    return rule


def _record(action: str, actor: User, rule: Rule, ip_address: str | None, **detail: object) -> None:
    record(
        action=action,
        actor=actor,
        company_id=rule.company_id,
        target=rule,
        detail={"name": rule.name, **detail},
        ip_address=ip_address,
    )


def _hold_from_now_on(rule: Rule, whens: Collection[str], *, turns_on: bool) -> None:
    """Have a rule hold, or no longer; the first one that is on switches the company's rules on.

    Tickets are taken in where others are to be known, or other moments planned: with the first
    rule and after the last one, and with those of times.
    """
    company_id = rule.company_id
    others = Rule.objects.for_company(company_id).filter(since__isnull=False).exclude(pk=rule.pk)
    is_alone = not others.exists()
    if known.is_on(company_id, RULES):
        if is_alone or PLANNED & set(whens):
            note_rules(company_id)
    elif turns_on and is_alone:
        change_setting(company_id=company_id, key=RULES, value=ON)


def note_setting(company_id: int, key: str, _value: str) -> None:
    """Begin or end to follow the tickets of a company."""
    if key == RULES:
        transaction.on_commit(known.forget)
        known.forget()
        # Also when they were switched off: until then other processes may still follow tickets.
        ticks.plan(RuleTickKind.SYNC, timezone.now() + ALL_KNOW, company_id=company_id)
