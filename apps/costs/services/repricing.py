"""Prices the ledger anew after the operator changed prices or allowances (rules/costs §4)."""

from collections import defaultdict
from datetime import date

from django.db import transaction
from django.db.models import Q

from apps.costs.models import CostMeter, MessageCost
from apps.costs.queries.allowances import Allowances
from apps.costs.queries.prices import Prices
from apps.costs.services.free import find_free
from apps.costs.services.recording import country_named


@transaction.atomic
def mark_stale(*, since: date) -> None:
    """Have the months from that of a day on priced anew; call it in the change's transaction."""
    # Whoever writes rows locks their meters in this order, and reads the prices afterwards.
    meters = CostMeter.objects.filter(month__gte=since.replace(day=1)).order_by("pk")
    ids = list(meters.select_for_update(no_key=True).values_list("pk", flat=True))
    CostMeter.objects.filter(pk__in=ids).update(is_stale=True)


def price_stale(*, limit: int = 100) -> int:
    """Price the stale meters anew, each in a transaction; return how many."""
    if not CostMeter.objects.filter(is_stale=True).exists():
        return 0
    done = 0
    while done < limit and _price_next():
        done += 1
    return done


@transaction.atomic
def _price_next() -> bool:
    stale = CostMeter.objects.filter(is_stale=True).order_by("pk")
    meter = stale.select_for_update(no_key=True, skip_locked=True).first()
    if meter is None:
        return False
    _price(meter)
    meter.allowance = Allowances().in_month(meter.month)
    meter.is_stale = False
    meter.save(update_fields=["allowance", "is_stale"])
    find_free([meter])
    return True


def _price(meter: CostMeter) -> None:
    """Give the meter's charged rows the prices that hold now, in a statement for each price."""
    rows = MessageCost.objects.filter(
        # By day: the index that finds them.
        company=meter.company_id,
        delivered_on__gte=meter.month,
        delivered_on__lt=_month_after(meter.month),
        meter=meter,
        is_billable=True,
    )
    prices = Prices()
    priced: dict[tuple[str, str, int | None], list[date]] = defaultdict(list)
    kinds = rows.order_by().values_list("category", "country", "delivered_on").distinct()
    found = {}
    for category, country, day in kinds:
        price = prices.row_on(day, category, country_named(country))
        priced[category, country, price.pk if price else None].append(day)
        if price:
            found[price.pk] = price
    for (category, country, price_id), days in priced.items():
        price = found.get(price_id) if price_id else None
        amount, currency = (price.price, price.currency) if price else (None, "")
        differs = ~Q(price=price_id, amount=amount) if price else Q(price__isnull=False)
        same = rows.filter(differs, category=category, country=country, delivered_on__in=days)
        same.update(price_id=price_id, amount=amount, currency=currency)


def _month_after(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)
