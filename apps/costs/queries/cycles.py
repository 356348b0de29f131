"""What each cycle of some tickets cost (rules/reports §2)."""

from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet

from apps.costs.models import MessageCost
from apps.costs.queries.ledger import AMOUNTS, Amount
from apps.tickets.queries.passes import Time, cycle_at, within


def amounts_in(times: Mapping[int, Time]) -> dict[int, list[Amount]]:
    """Return what is to be paid for the cycles of these times, by the cycle's id, in one query.

    A message counts for the cycle in which it was delivered.
    """
    rows: QuerySet[MessageCost, Any] = (
        MessageCost.objects.filter(within(times, "delivered_at"), amount__isnull=False)
        .order_by()
        .annotate(cycle=cycle_at("ticket", "delivered_at"))
        .values("cycle", "currency")
        .annotate(**AMOUNTS)
        .order_by("currency")
    )
    found: defaultdict[int, list[Amount]] = defaultdict(list)
    for row in rows:
        paid = row["gross"] - (row["spared"] or Decimal(0))
        if row["cycle"] is not None and paid:
            found[row["cycle"]].append(Amount(row["currency"], paid))
    return dict(found)
