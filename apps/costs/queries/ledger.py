"""What the ledger says: messages and their cost, by group (rules/costs §5)."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from apps.common.compiled_queries import CompiledQuery
from apps.common.masking import masked_name
from apps.costs.models import IS_FREE, CostMeter, MessageCost
from apps.costs.queries.origins import Named, names_of
from apps.tickets.models import MessageSource
from apps.tickets.origins import Origin

# By the name of a group: the columns that tell its rows apart, and those that name them.
GROUPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "ticket": (("ticket_id",), ("ticket__contact__name", "ticket__uuid")),
    "queue": (("queue_id",), ("queue__name",)),
    "user": (("user_id",), ("user__name",)),
    "source": (("source", "origin"), ()),
    "campaign": (("origin",), ()),
    "connection": (("meter__number",), ()),
    "category": (("category",), ()),
}
FIGURES = {
    "messages": Count("pk"),
    "billable": Count("pk", filter=Q(is_billable=True)),
    "free": Count("pk", filter=IS_FREE),
    "lacking": Count("pk", filter=Q(is_billable=True, amount__isnull=True)),
    "free_lacking": Count("pk", filter=IS_FREE & Q(amount__isnull=True)),
}
AMOUNTS = {"gross": Sum("amount"), "spared": Sum("amount", filter=IS_FREE)}


@dataclass(frozen=True)
class Amount:
    """What is to be paid in one currency (an ISO code), exact to a millionth."""

    currency: str
    amount: Decimal


@dataclass(frozen=True)
class Figures:
    """Delivered messages: how many are charged, free by the allowance, and charged but without a
    price, which no amount contains.
    """

    messages: int = 0
    billable: int = 0
    free: int = 0
    unpriced: int = 0
    amounts: Sequence[Amount] = ()


@dataclass(frozen=True)
class Group:
    """A row of a report: `name` is None if the record has none, or none any more."""

    id: int | None
    name: str | None
    figures: Figures
    uuid: Any = None
    source: str = ""
    origin: str = ""
    queue: str | None = None
    category: str = ""


@dataclass(frozen=True)
class Asked:
    """What a report is about: days of the company's zone, both included, and only some rows.

    `hides`: a contact's name that is a number is masked.
    """

    company_id: int
    first: date
    last: date
    group: str
    only: Q = field(default_factory=Q)
    hides: bool = False

    @property
    def rows(self) -> "QuerySet[MessageCost]":
        rows = MessageCost.objects.filter(
            self.only,
            company=self.company_id,
            delivered_on__gte=self.first,
            delivered_on__lte=self.last,
        )
        if self.group == "campaign":
            rows = rows.filter(origin__startswith=f"{Origin.CAMPAIGN}:")
        return rows


def figures_of(rows: "QuerySet[MessageCost]") -> Figures:
    """Return the figures of all rows, in two queries."""
    counts = rows.aggregate(**FIGURES)
    return _figures(counts, _amounts(rows, ())[()])


def _of_campaign(company_id: Any, origin_text: Any) -> "QuerySet[MessageCost, Any]":
    rows = MessageCost.objects.filter(
        company=company_id, source=MessageSource.CAMPAIGN, origin=origin_text
    )
    of_currency = rows.order_by().values("currency").annotate(**FIGURES, **AMOUNTS)
    found: QuerySet[MessageCost, Any] = of_currency.order_by("currency").values_list(
        "currency", *FIGURES, *AMOUNTS
    )
    return found


# The condition of its index is a part of the statement, which a kept plan would not see.
_OF_CAMPAIGN = CompiledQuery(_of_campaign, keeps_plan=False)


def figures_of_campaign(company_id: int, origin: str) -> Figures:
    """Return the figures of what a campaign sent, its requests and tests too, in one query."""
    counts: Counter[str] = Counter()
    amounts = []
    for currency, *values in _OF_CAMPAIGN.rows(company_id=company_id, origin_text=origin):
        row = dict(zip((*FIGURES, *AMOUNTS), values, strict=True))
        counts.update({name: row[name] for name in FIGURES})
        if row["gross"] is not None:
            amounts.append(Amount(currency, row["gross"] - (row["spared"] or Decimal(0))))
    return _figures(counts, amounts)


def groups_of(asked: Asked) -> "QuerySet[MessageCost, dict[str, Any]]":
    """Return the groups of a report, the dearest first; `read_groups` makes rows of a part."""
    keys, names = GROUPS[asked.group]
    paid = Coalesce(F("gross"), Decimal(0)) - Coalesce(F("spared"), Decimal(0))
    grouped = asked.rows.order_by().values(*keys, *names)
    counted = grouped.annotate(**FIGURES, **AMOUNTS)
    ordered: QuerySet[MessageCost, dict[str, Any]] = counted.annotate(paid=paid).order_by(
        "-paid", "-messages", *keys
    )
    return ordered


def read_groups(asked: Asked, found: Sequence[Mapping[str, Any]]) -> list[Group]:
    """Return the rows of some groups, in a bounded number of queries."""
    keys, _ = GROUPS[asked.group]
    among = Q()
    for each in found:
        among |= Q(
            **{
                (key if each[key] is not None else f"{key}__isnull"): (
                    each[key] if each[key] is not None else True
                )
                for key in keys
            }
        )
    amounts = _amounts(asked.rows.filter(among), keys) if found else {}
    named = names_of(asked.company_id, [each.get("origin", "") for each in found])
    numbers = _numbers(asked, found)
    return [
        _group(
            each,
            _figures(each, amounts[tuple(each[key] for key in keys)]),
            named,
            numbers,
            hides=asked.hides,
        )
        for each in found
    ]


def _group(
    each: Mapping[str, Any],
    figures: Figures,
    named: Mapping[str, Named],
    numbers: Mapping[str, tuple[int | None, str | None]],
    *,
    hides: bool,
) -> Group:
    if "origin" in each:
        kind, _, record = each["origin"].partition(":")
        known = named.get(each["origin"], Named())
        return Group(
            id=int(record) if record else None,
            name=known.name,
            queue=known.queue,
            figures=figures,
            source=each.get("source", ""),
            origin=kind,
        )
    if "category" in each:
        return Group(None, None, figures, category=each["category"])
    if "meter__number" in each:
        connection_id, name = numbers.get(each["meter__number"], (None, None))
        return Group(connection_id, name or each["meter__number"], figures)
    if "ticket_id" in each:
        name = each["ticket__contact__name"]
        if hides and name:
            name = masked_name(name)
        return Group(each["ticket_id"], name, figures, uuid=each["ticket__uuid"])
    if "queue_id" in each:
        return Group(each["queue_id"], each["queue__name"], figures)
    return Group(each["user_id"], each["user__name"], figures)


def _numbers(
    asked: Asked, found: Sequence[Mapping[str, Any]]
) -> dict[str, tuple[int | None, str | None]]:
    """Return the connections of the numbers, by Meta's id of the number."""
    numbers = [each["meter__number"] for each in found if "meter__number" in each]
    if not numbers:
        return {}
    meters = CostMeter.objects.filter(
        company=asked.company_id, number__in=numbers, connection__isnull=False
    )
    return {
        number: (pk, name)
        for number, pk, name in meters.order_by("month").values_list(
            "number", "connection_id", "connection__name"
        )
    }


def _figures(counts: Mapping[str, Any], amounts: Sequence[Amount]) -> Figures:
    return Figures(
        messages=counts["messages"],
        billable=counts["billable"] - counts["free"],
        free=counts["free"],
        unpriced=counts["lacking"] - counts["free_lacking"],
        amounts=amounts,
    )


def _amounts(
    rows: "QuerySet[MessageCost]", keys: Sequence[str]
) -> dict[tuple[Any, ...], list[Amount]]:
    """Return what is to be paid, by group and currency."""
    priced = rows.filter(amount__isnull=False).order_by().values(*keys, "currency")
    amounts: dict[tuple[Any, ...], list[Amount]] = defaultdict(list)
    for each in priced.annotate(**AMOUNTS).order_by("currency"):
        to_pay = each["gross"] - (each["spared"] or Decimal(0))
        amounts[tuple(each[key] for key in keys)].append(Amount(each["currency"], to_pay))
    return amounts
