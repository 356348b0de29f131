"""Which price holds, and how the operator fills them in."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.contacts.numbers import Country, country_of
from apps.costs.models import MessagePrice
from apps.costs.queries.prices import Charged, Prices

pytestmark = pytest.mark.django_db
BRAZIL, PORTUGAL = Country("BR", "55"), Country("PT", "351")
MAY, JUNE = date(2026, 5, 1), date(2026, 6, 1)


def price(country: str, amount: str, valid_from: date = MAY, **fields: Any) -> MessagePrice:
    fields = {"category": "MARKETING", "currency": "BRL", **fields}
    row = MessagePrice(country=country, price=Decimal(amount), valid_from=valid_from, **fields)
    row.full_clean()
    row.save()
    return row


def test_the_countrys_own_price_of_the_day_holds_then_the_codes_then_the_rests() -> None:
    price("*", "0.5")
    price("55", "0.4")
    price("br", "0.3", JUNE)
    price("BR", "0.35", date(2026, 7, 1))
    prices = Prices()
    assert prices.on(date(2026, 4, 30), "MARKETING", BRAZIL) is None
    assert prices.on(MAY, "MARKETING", BRAZIL) == Decimal("0.4")
    assert prices.on(JUNE, "MARKETING", BRAZIL) == Decimal("0.3")
    assert prices.on(date(2026, 8, 1), "MARKETING_LITE", BRAZIL) == Decimal("0.35")
    assert prices.on(JUNE, "MARKETING", PORTUGAL) == Decimal("0.5")
    assert prices.on(JUNE, "UTILITY", BRAZIL) is None


def test_a_sum_says_when_a_price_is_missing() -> None:
    nothing = Prices().cost_of(())
    assert (nothing.amount, nothing.is_complete) == (Decimal(0), True)
    charged = [
        Charged("MARKETING", BRAZIL, MAY, 3),
        Charged("MARKETING", BRAZIL, JUNE, 2),
        Charged("UTILITY", BRAZIL, JUNE, 1),
    ]
    unknown = Prices().cost_of(charged)
    assert (unknown.currency, unknown.amount, unknown.is_complete) == ("", None, False)
    price("BR", "0.3")
    known = Prices().cost_of(charged)
    assert (known.currency, known.amount, known.is_complete) == ("BRL", Decimal("1.5"), False)
    lines = [(each.category, each.country, each.recipients, each.amount) for each in known.lines]
    assert lines == [("MARKETING", "BR", 5, Decimal("1.5")), ("UTILITY", "BR", 1, None)]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"country": "XX"}, "country"),
        ({"country": "999"}, "country"),
        ({"currency": "R$"}, "currency"),
        ({"currency": "USD"}, "currency"),
        ({"price": Decimal("-1")}, "price"),
        ({"country": "BR"}, "__all__"),
    ],
)
def test_nonsense_and_a_second_currency_are_refused(fields: dict[str, Any], wrong: str) -> None:
    price("BR", "0.3")
    given = {"country": "PT", "price": Decimal("1"), "valid_from": MAY, **fields}
    with pytest.raises(ValidationError) as refused:
        MessagePrice(**{"category": "MARKETING", "currency": "BRL", **given}).full_clean()
    assert list(refused.value.message_dict) == [wrong]


def test_the_operator_sets_changes_and_deletes_prices(super_user: User) -> None:
    client = Client()
    client.force_login(super_user, backend="django.contrib.auth.backends.ModelBackend")
    body = {
        "category": "MARKETING",
        "country": "+55",
        "currency": "brl",
        "price": "0.3625",
        "valid_from": "2026-05-01",
    }
    address = "/admin/costs/messageprice/"
    assert client.post(f"{address}add/", body).status_code == 302
    row = MessagePrice.objects.get()
    assert (row.country, row.currency, row.price) == ("55", "BRL", Decimal("0.3625"))
    client.post(f"{address}{row.pk}/change/", {**body, "price": "0.4"})
    assert client.get(address).status_code == 200
    client.post(f"{address}{row.pk}/delete/", {"post": "yes"})
    assert not MessagePrice.objects.exists()
    actions = AuditEntry.objects.order_by("id").values_list("action", flat=True)
    told = [each for each in actions if each.startswith("message_price")]
    assert told == ["message_price.created", "message_price.changed", "message_price.deleted"]


@pytest.mark.parametrize(
    ("number", "region", "code"),
    [
        ("5511984321100", "BR", "55"),
        ("12025550123", "US", "1"),
        ("14165550123", "CA", "1"),
        ("18095550123", "DO", "1"),
        ("79161234567", "RU", "7"),
        ("77012345678", "KZ", "7"),
        ("351912345678", "PT", "351"),
        ("447781123456", "GB", "44"),
        ("80012345678", "", "800"),
        ("999123", "", ""),
        ("lid:BR.1349", "", ""),
        ("", "", ""),
    ],
)
def test_a_number_tells_its_country(number: str, region: str, code: str) -> None:
    assert country_of(number) == Country(region, code)
