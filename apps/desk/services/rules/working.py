"""Handles what is due for rules, beside the worker of the desk (rules/desk §13).

What rules write may have Meta asked for a template and files copied. Nobody's distribution and
deadlines wait for that.
"""

from collections.abc import Callable
from functools import partial

from apps.common.leases import Claim, LeasedWork
from apps.desk.models import RuleTick, RuleTickKind
from apps.desk.services.rules.running import Take, run_day, run_event, run_moments
from apps.desk.services.rules.syncing import take_in_rules
from apps.desk.services.working import attempt, begun, do_part

RULE_TICKS = LeasedWork(model=RuleTick, lease_setting="PAUSE_LEASE_SECONDS")
# Each is a transaction of its own, in which it takes the tick: what it writes is made before.
WORK: dict[str, Callable[[RuleTick, Take], None]] = {
    RuleTickKind.EVENT: run_event,
    RuleTickKind.TIME: run_moments,
    RuleTickKind.DAY: run_day,
}


def run_due(*, limit: int) -> int:
    """Claim up to `limit` ticks of rules and do what they are for; returns the number claimed.

    Never call it inside a transaction.
    """
    with RULE_TICKS.claimed(limit) as claim:
        for tick in begun(claim) if claim.ids else []:
            # Meta may have been slow for those before it.
            if claim.renew(tick):
                attempt(claim, [tick], partial(_handle, claim, tick))
        return len(claim.ids)


def _handle(claim: Claim[RuleTick], tick: RuleTick) -> None:
    if tick.kind == RuleTickKind.SYNC:
        do_part(claim, tick, take_in_rules)
        return
    WORK[tick.kind](tick, lambda: bool(claim.held(tick).delete()[0]))
