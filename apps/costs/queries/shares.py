"""How much of what a number delivers is really billed (rules/campaigns §9)."""

from datetime import date
from decimal import Decimal

from django.db.models import Count, Q

from apps.connections.models import Connection
from apps.costs.models import IS_FREE, MessageCost
from apps.costs.queries.meters import LOOKED_BACK
from apps.costs.queries.prices import SAME_PRICE


def billed_shares(connection: Connection, today: date) -> dict[str, Decimal]:
    """Return the billed share of a number's delivered messages of the last 28 days, by category.

    A category of which nothing was billed is left out.
    """
    rows = MessageCost.objects.filter(
        company=connection.company_id,
        delivered_on__gte=today - LOOKED_BACK,
        delivered_on__lt=today,
        meter__number=connection.phone_number_id or str(connection.pk),
    )
    counted = (
        rows.order_by()
        .values_list("category")
        .annotate(
            count=Count("pk"),
            billable=Count("pk", filter=Q(is_billable=True)),
            free=Count("pk", filter=IS_FREE),
        )
    )
    counts: dict[str, tuple[int, int]] = {}
    for category, count, billable, free in counted:
        priced = SAME_PRICE.get(category, category)
        before = counts.get(priced, (0, 0))
        counts[priced] = (before[0] + count, before[1] + billable - free)
    return {
        category: Decimal(billed) / count for category, (count, billed) in counts.items() if billed
    }
