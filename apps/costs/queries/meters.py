"""The meter of each official number for the month of today (rules/costs §5)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Min, Q, QuerySet, Sum

from apps.connections.models import Connection, ProviderKind
from apps.costs.models import COUNTS, IS_FREE, CostMeter, MessageCost
from apps.costs.queries.allowances import Allowances
from apps.costs.queries.ledger import AMOUNTS, Amount

LOOKED_BACK = timedelta(days=28)
DAY = timedelta(days=1)
# So many lacking prices are named.
MOST_LACKING = 50


@dataclass(frozen=True)
class Lacking:
    """A price that the operator has not entered, and how many messages of the month wait for it."""

    category: str
    country: str
    messages: int


@dataclass(frozen=True)
class Meter:
    """A number's month: its charged service messages, and what all of its messages cost.

    `allowance` and `free_left` are None while the operator has entered no allowance.
    """

    connection_id: int
    name: str
    number: str
    service: int
    allowance: int | None
    projected_service: int
    amounts: Sequence[Amount]
    projected_amounts: Sequence[Amount]
    unpriced: int
    lacking: Sequence[Lacking]

    @property
    def free_left(self) -> int | None:
        return None if self.allowance is None else max(0, self.allowance - self.service)


@dataclass
class _Past:
    """A number's last 28 days, those before its first message left out."""

    days: int = 0
    service: int = 0
    # By currency: what service messages cost, free ones too, how many have a price; the rest.
    of_service: dict[str, tuple[Decimal, int]] = field(default_factory=dict)
    of_others: dict[str, Decimal] = field(default_factory=dict)


def meters_of(company_id: int, today: date) -> list[Meter]:
    """Return the meters of a company's official numbers, in a constant number of queries."""
    numbers = list(
        Connection.objects.for_company(company_id)
        .filter(provider=ProviderKind.OFFICIAL)
        .order_by("name", "pk")
    )
    month = today.replace(day=1)
    next_month = (month + timedelta(days=31)).replace(day=1)
    rest = (next_month - today - DAY).days
    rows = MessageCost.objects.filter(company=company_id)
    of_month = rows.filter(delivered_on__gte=month, delivered_on__lt=next_month)
    services = dict(
        of_month.filter(COUNTS)
        .order_by()
        .values_list("meter__number")
        .annotate(count=Count("pk"))
        .values_list("meter__number", "count")
    )
    paid = _paid(of_month)
    lacking = _lacking(of_month)
    past = _past(rows.filter(delivered_on__gte=today - LOOKED_BACK, delivered_on__lt=today), today)
    allowance = Allowances().in_month(month)
    held = dict(
        CostMeter.objects.filter(company=company_id, month=month).values_list("number", "allowance")
    )
    return [
        _meter(
            each,
            service=services.get(number, 0),
            allowance=held.get(number, allowance),
            paid=paid.get(number, {}),
            lacking=lacking.get(number, []),
            past=past.get(number, _Past()),
            rest=rest,
        )
        for each in numbers
        for number in [each.phone_number_id or str(each.pk)]
    ]


def _meter(
    connection: Connection,
    *,
    service: int,
    allowance: int | None,
    paid: dict[str, Decimal],
    lacking: list[Lacking],
    past: _Past,
    rest: int,
) -> Meter:
    expected = past.service * rest // past.days if past.days else 0
    free = allowance or 0
    beyond = max(0, service + expected - free) - max(0, service - free)
    projected = dict(paid)
    for currency, (amount, count) in past.of_service.items():
        projected[currency] = projected.get(currency, Decimal(0)) + amount * beyond / count
    for currency, amount in past.of_others.items():
        more = amount * rest / past.days
        projected[currency] = projected.get(currency, Decimal(0)) + more
    return Meter(
        connection_id=connection.pk,
        name=connection.name,
        number=connection.number,
        service=service,
        allowance=allowance,
        projected_service=service + expected,
        amounts=_in_order(paid),
        projected_amounts=_in_order(projected),
        unpriced=sum(each.messages for each in lacking),
        lacking=lacking[:MOST_LACKING],
    )


def _in_order(amounts: dict[str, Decimal]) -> list[Amount]:
    cents = Decimal("0.000001")
    return [Amount(currency, amounts[currency].quantize(cents)) for currency in sorted(amounts)]


def _paid(rows: "QuerySet[MessageCost]") -> dict[str, dict[str, Decimal]]:
    """Return what is to be paid, by number and currency."""
    priced: Any = rows.filter(amount__isnull=False).order_by()
    grouped = priced.values("meter__number", "currency")
    paid: dict[str, dict[str, Decimal]] = defaultdict(dict)
    for each in grouped.annotate(**AMOUNTS):
        to_pay = each["gross"] - (each["spared"] or Decimal(0))
        paid[each["meter__number"]][each["currency"]] = to_pay
    return paid


def _lacking(rows: "QuerySet[MessageCost]") -> dict[str, list[Lacking]]:
    """Return the prices that lack for messages to be paid, by number, the most wanted first."""
    unpriced = rows.filter(is_billable=True, amount__isnull=True)
    grouped = unpriced.order_by().values("meter__number", "category", "country")
    counted = grouped.annotate(count=Count("pk"), free=Count("pk", filter=IS_FREE))
    found: dict[str, list[Lacking]] = defaultdict(list)
    for each in counted.order_by("-count", "category", "country"):
        if count := each["count"] - each["free"]:
            lacking = Lacking(each["category"], each["country"], count)
            found[each["meter__number"]].append(lacking)
    return found


def _past(rows: "QuerySet[MessageCost]", today: date) -> dict[str, _Past]:
    grouped: Any = rows.order_by().values("meter__number", "currency")
    counted = grouped.annotate(
        first=Min("delivered_on"),
        service=Count("pk", filter=COUNTS),
        priced=Count("pk", filter=COUNTS & Q(amount__isnull=False)),
        of_service=Sum("amount", filter=COUNTS),
        all=Sum("amount"),
    )
    found: dict[str, _Past] = defaultdict(_Past)
    for each in counted:
        past = found[each["meter__number"]]
        past.days = max(past.days, (today - each["first"]).days)
        past.service += each["service"]
        of_service = each["of_service"] or Decimal(0)
        if each["priced"]:
            past.of_service[each["currency"]] = (of_service, each["priced"])
        if others := (each["all"] or Decimal(0)) - of_service:
            past.of_others[each["currency"]] = others
    return found
