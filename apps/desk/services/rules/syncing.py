"""Takes in the live tickets of a company when other rules hold (rules/desk §13).

Each part is a transaction; what was taken in changes nothing the second time.
"""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from apps.desk.decisions.rules import TIMES, When
from apps.desk.models import RuleTick, RuleTicket, RuleTickKind
from apps.desk.queries.rules import rules_on
from apps.desk.queries.sla import live_tickets
from apps.desk.services import ticks
from apps.desk.services.known import RULES, known
from apps.desk.services.rules.following import follow_anew
from apps.desk.services.rules.running import plan_day
from apps.tickets.models import Ticket

PART = 100


def note_rules(company_id: int) -> None:
    """Have the tickets of a company taken in, because other rules hold."""
    ticks.plan(RuleTickKind.SYNC, timezone.now(), company_id=company_id)


def take_in_rules(company_id: int, renew: Callable[[], bool]) -> None:
    """Know a company's live tickets and their moments, or nothing where no rule is on."""
    rules = rules_on(company_id) if known.is_on(company_id, RULES) else []
    ticks_of_times = RuleTick.objects.filter(company=company_id, kind=RuleTickKind.TIME)
    if not rules:
        ticks_of_times.delete()
        RuleTicket.objects.for_company(company_id).delete()
        return
    if any(rule.trigger.when == When.INVOICE_OVERDUE for rule in rules):
        key = ticks.key_of(RuleTickKind.DAY, company_id)
        if not RuleTick.objects.filter(key=key).exists():
            plan_day(company_id)
    # Where a rule waits for moments, each ticket's are planned anew or go.
    if not any(rule.trigger.when in TIMES for rule in rules):
        ticks_of_times.delete()
    after = 0
    while ids := live_tickets(company_id, after, PART):
        with transaction.atomic():
            tickets = Ticket.objects.filter(pk__in=ids).order_by("pk")
            locked = tickets.select_for_update(no_key=True, of=("self",))
            follow_anew(company_id, list(locked.select_related("latest_message")))
        after = ids[-1]
        if not renew():
            # Another worker has it now.
            return
