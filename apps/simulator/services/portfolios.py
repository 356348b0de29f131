"""Business portfolios: the limit of people to write to first, which all their numbers share.

developers.facebook.com/documentation/business-messaging/whatsapp/messaging-limits
"""

from django.db import transaction
from django.utils import timezone

from apps.simulator.graph import errors
from apps.simulator.models import SimConversation, SimNumber, SimPortfolio
from apps.simulator.queries import WINDOW
from apps.simulator.services.posting import enqueue

COUNTED = WINDOW
NO_LIMIT = -1


def portfolio_of(number: SimNumber) -> SimPortfolio:
    """Return the portfolio of a number; create it if it is missing."""
    portfolio, _ = SimPortfolio.objects.get_or_create(portfolio_id=number.portfolio)
    return portfolio


def tier_of(portfolio: SimPortfolio) -> str:
    """Return the limit as Meta names it."""
    if portfolio.limit == NO_LIMIT:
        return "TIER_UNLIMITED"
    thousands, rest = divmod(portfolio.limit, 1000)
    return f"TIER_{thousands}K" if thousands and not rest else f"TIER_{portfolio.limit}"


def count_begun(conversation: SimConversation) -> None:
    """Count the customer of a message outside the window towards the limit, in memory.

    Raises GraphError 131048 when the numbers of the portfolio have no room for another customer.
    Meta names no code for this limit; this is its code for restrictions on how many messages a
    number may send.
    """
    now = timezone.now()
    portfolio = portfolio_of(conversation.number)
    counted = SimConversation.objects.filter(
        number__portfolio=portfolio.portfolio_id, last_begun_at__gt=now - COUNTED
    )
    people = set(counted.values_list("customer", flat=True))
    is_full = portfolio.limit != NO_LIMIT and len(people) >= portfolio.limit
    if is_full and conversation.customer.pk not in people:
        raise errors.too_many_people()
    conversation.last_begun_at = now


@transaction.atomic
def change_portfolio(
    number: SimNumber,
    *,
    portfolio_id: str | None = None,
    name: str | None = None,
    limit: int | None = None,
    verification: str | None = None,
) -> SimPortfolio:
    """Move a number to a portfolio, or change its own; a new limit is reported to its accounts."""
    if portfolio_id is not None:
        number.portfolio = portfolio_id
        number.save(update_fields=["portfolio"])
    portfolio = portfolio_of(number)
    before = portfolio.limit
    portfolio.name = name or portfolio.name
    portfolio.verification = verification or portfolio.verification
    portfolio.limit = before if limit is None else limit
    portfolio.save()
    if portfolio.limit != before:
        numbers = SimNumber.objects.filter(portfolio=portfolio.portfolio_id, is_phone=False)
        accounts = {each.waba_id: each for each in numbers}
        for each in accounts.values():
            value = {
                "max_daily_conversations_per_business": portfolio.limit,
                "max_phone_numbers_per_business": 20,
                "max_phone_numbers_per_waba": 20,
            }
            enqueue(each, value, "business_capability_update")
    return portfolio
