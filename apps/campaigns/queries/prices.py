"""What messages cost: prices of a day, and sums of many (rules/campaigns §9)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.campaigns.models import MessageCategory, MessagePrice
from apps.campaigns.models.prices import ELSEWHERE
from apps.contacts.numbers import Country

# Meta's names of what is priced as another category.
SAME_PRICE = {"MARKETING_LITE": MessageCategory.MARKETING}


@dataclass(frozen=True)
class Charged:
    """So many messages of a category to a country, on a day."""

    category: str
    country: Country
    day: date
    count: int


@dataclass(frozen=True)
class CostLine:
    """What messages of one category to one country cost; no price, no amount."""

    category: str
    country: str
    recipients: int
    price: Decimal | None
    amount: Decimal | None


@dataclass(frozen=True)
class Cost:
    """A sum of messages; not complete where one of them has no price.

    `amount` is None, and there is no currency, where nothing that costs something has a price.
    """

    currency: str
    amount: Decimal | None
    lines: tuple[CostLine, ...] = ()
    is_complete: bool = True


class Prices:
    """All prices there are, read at once: they are few."""

    def __init__(self) -> None:
        self.currency = ""
        self._rows: dict[tuple[str, str], list[tuple[date, Decimal]]] = {}
        for row in MessagePrice.objects.order_by("valid_from"):
            self.currency = row.currency
            self._rows.setdefault((row.category, row.country), []).append(
                (row.valid_from, row.price)
            )

    def on(self, day: date, category: str, country: Country) -> Decimal | None:
        """Return the price that holds on a day: the country's, the calling code's, the rest's."""
        priced = SAME_PRICE.get(category, category)
        for code in (country.region, country.calling_code, ELSEWHERE):
            held = [price for start, price in self._rows.get((priced, code), []) if start <= day]
            if held:
                return held[-1]
        return None

    def cost_of(self, charged: Iterable[Charged]) -> Cost:
        """Return what messages cost, a line for each category, country and price."""
        counts: dict[tuple[str, str, Decimal | None], int] = {}
        for each in charged:
            price = self.on(each.day, each.category, each.country)
            key = (each.category, each.country.region or each.country.calling_code, price)
            counts[key] = counts.get(key, 0) + each.count
        lines = [
            CostLine(category, country, count, price, None if price is None else price * count)
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
