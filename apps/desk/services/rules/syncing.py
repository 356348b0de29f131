"""Takes in the live tickets of a company, in parts, when other rules hold (rules/desk §13)."""

from collections.abc import Sequence
from functools import partial

from django.db.models import QuerySet
from django.utils import timezone

from apps.desk.decisions.rules import TIMES, Rule, When
from apps.desk.models import RuleTick, RuleTicket, RuleTickKind
from apps.desk.queries.rules import rules_on
from apps.desk.queries.sla import live_tickets
from apps.desk.services import ticks
from apps.desk.services.known import RULES, known
from apps.desk.services.parts import PART, take_in_part
from apps.desk.services.rules.following import follow_anew
from apps.desk.services.rules.running import plan_day


def note_rules(company_id: int) -> None:
    """Have the tickets of a company taken in, because other rules hold."""
    ticks.plan(RuleTickKind.SYNC, timezone.now(), company_id=company_id)


def take_in_rules(tick: RuleTick, after: int) -> int | None:
    """Know a part of a company's live tickets and their moments, or nothing where no rule is on."""
    company_id = tick.company_id
    rules = rules_on(company_id) if known.is_on(company_id, RULES) else []
    if not rules:
        _times_of(company_id).delete()
        RuleTicket.objects.for_company(company_id).delete()
        return None
    if not after:
        _begin(company_id, rules)
    ids = live_tickets(company_id, after, PART)
    return take_in_part(ids, partial(follow_anew, company_id))


def _begin(company_id: int, rules: Sequence[Rule]) -> None:
    if any(rule.trigger.when == When.INVOICE_OVERDUE for rule in rules):
        key = ticks.key_of(RuleTickKind.DAY, company_id)
        if not RuleTick.objects.filter(key=key).exists():
            plan_day(company_id)
    # Where a rule waits for moments, each ticket's are planned anew or go.
    if not any(rule.trigger.when in TIMES for rule in rules):
        _times_of(company_id).delete()


def _times_of(company_id: int) -> "QuerySet[RuleTick]":
    return RuleTick.objects.filter(company=company_id, kind=RuleTickKind.TIME)
