"""What messages cost: the price on a day, and the cost of many messages (rules/campaigns §9)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.contacts.numbers import Country
from apps.costs.models import ELSEWHERE, MessageCategory, MessagePrice

# Categories of Meta that are priced as another category.
SAME_PRICE = {"MARKETING_LITE": MessageCategory.MARKETING}
_COLUMNS = columns_of(MessagePrice)
_all = CompiledQuery(lambda: MessagePrice.objects.order_by("valid_from").values_list(*_COLUMNS))
# Amounts are as exact as prices.
MILLIONTH = Decimal("0.000001")


@dataclass(frozen=True)
class Charged:
    """A number of messages of one category to one country on one day.

    `share` of them is expected to be billed.
    """

    category: str
    country: Country
    day: date
    count: int
    share: Decimal = Decimal(1)


@dataclass(frozen=True)
class CostLine:
    """The cost of messages of one category to one country; without a price there is no amount."""

    category: str
    country: str
    recipients: int
    price: Decimal | None
    amount: Decimal | None


@dataclass(frozen=True)
class Cost:
    """The cost of messages; incomplete if one of them has no price.

    `amount` is None if there are messages and none has a price. Without an amount, or without
    messages, `currency` is empty.
    """

    currency: str
    amount: Decimal | None
    lines: tuple[CostLine, ...] = ()
    is_complete: bool = True


class Prices:
    """All prices, read at once because they are few, when the first one is asked for."""

    def __init__(self) -> None:
        self.currency = ""

    @cached_property
    def _rows(self) -> dict[tuple[str, str], list[MessagePrice]]:
        rows: dict[tuple[str, str], list[MessagePrice]] = {}
        for row in (instance_of(MessagePrice, _COLUMNS, values) for values in _all.rows()):
            self.currency = row.currency
            rows.setdefault((row.category, row.country), []).append(row)
        return rows

    def on(self, day: date, category: str, country: Country) -> Decimal | None:
        """Return the price on a day; None if there is none."""
        row = self.row_on(day, category, country)
        return None if row is None else row.price

    def row_on(self, day: date, category: str, country: Country) -> MessagePrice | None:
        """Return the row of a day: that of the country, else of its calling code, else of `*`."""
        priced = SAME_PRICE.get(category, category)
        for code in (country.region, country.calling_code, ELSEWHERE):
            held = [row for row in self._rows.get((priced, code), []) if row.valid_from <= day]
            if held:
                return held[-1]
        return None

    def cost_of(self, charged: Iterable[Charged]) -> Cost:
        """Return the cost of messages, with a line for each category, country and price."""
        counts: dict[tuple[str, str, Decimal | None], int] = {}
        billed: dict[tuple[str, str, Decimal | None], Decimal] = {}
        for each in charged:
            price = self.on(each.day, each.category, each.country)
            key = (each.category, each.country.region or each.country.calling_code, price)
            counts[key] = counts.get(key, 0) + each.count
            billed[key] = billed.get(key, Decimal(0)) + each.count * each.share
        lines = [
            CostLine(
                category, country, count, price, _amount(price, billed[category, country, price])
            )
            for (category, country, price), count in counts.items()
            if count
        ]
        lines.sort(key=lambda line: (-line.recipients, line.category, line.country))
        amounts = [line.amount for line in lines if line.amount is not None]
        return Cost(
            currency=self.currency if amounts else "",
            amount=sum(amounts, Decimal(0)) if amounts or not lines else None,
            lines=tuple(lines),
            is_complete=len(amounts) == len(lines),
        )


def _amount(price: Decimal | None, billed: Decimal) -> Decimal | None:
    return None if price is None else (price * billed).quantize(MILLIONTH)
