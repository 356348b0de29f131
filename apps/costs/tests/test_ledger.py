"""The ledger follows the statuses, whatever their order and however often they come."""

import random
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from prometheus_client import REGISTRY

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundStatus, Pricing
from apps.connections.providers.official.webhook import notices
from apps.costs.models import CostMeter, MessageCost, MessagePrice, ServiceAllowance
from apps.costs.queries.ledger import Figures, figures_of
from apps.inbound.models import InboundEvent
from apps.inbound.services.processing import process_due
from apps.inbound.services.storing import store_notices
from apps.tickets.models import Ack, Message, Ticket
from apps.tickets.services.outbox.statuses import apply_statuses
from tests.factories import make_connection, make_contact, make_message, make_ticket

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 10, 15, tzinfo=UTC)
SERVICE = Pricing(is_billable=True, category="SERVICE", model="PMP", type="regular")
MARKETING = Pricing(is_billable=True, category="MARKETING", model="PMP", type="regular")
FREE = Pricing(is_billable=False, category="SERVICE", model="PMP", type="free_entry_point")
BATCH = 250


def price(amount: str, category: str = "SERVICE", **fields: Any) -> MessagePrice:
    fields = {"country": "BR", "currency": "BRL", "valid_from": date(2026, 10, 1), **fields}
    return MessagePrice.objects.create(category=category, price=Decimal(amount), **fields)


def allow(messages: int, valid_from: date = date(2026, 10, 1)) -> None:
    ServiceAllowance.objects.create(messages=messages, valid_from=valid_from)


def sent(ticket: Ticket, **fields: Any) -> Message:
    fields = {"ack": Ack.SENT, "created_at": NOON - timedelta(seconds=1), **fields}
    return make_message(ticket, from_me=True, **fields)


def told(
    message: Message, ack: int = Ack.DELIVERED, pricing: Pricing | None = SERVICE, **fields: Any
) -> InboundStatus:
    fields.setdefault("at", NOON)
    return InboundStatus(message.external_id or "", ack, pricing=pricing, **fields)


def apply(connection: Connection, statuses: Sequence[InboundStatus], size: int = BATCH) -> None:
    for start in range(0, len(statuses), size):
        with transaction.atomic():
            apply_statuses([(connection, each) for each in statuses[start : start + size]])


def wire(external_id: str | None, pricing: Any, step: str = "delivered") -> dict[str, Any]:
    at = str(int(NOON.timestamp()))
    status = {"id": external_id, "status": step, "timestamp": at, "recipient_id": "5511984321100"}
    return {**status, "pricing": pricing}


def meta_tells(connection: Connection, *statuses: dict[str, Any]) -> None:
    """Receive statuses by the webhook's way."""
    metadata = {"phone_number_id": connection.phone_number_id}
    value = {"messaging_product": "whatsapp", "metadata": metadata, "statuses": list(statuses)}
    change = {"field": "messages", "value": value}
    store_notices(notices({"entry": [{"id": connection.waba_id, "changes": [change]}]}))
    process_due(limit=10)


def total() -> Figures:
    return figures_of(MessageCost.objects.all())


def amount() -> Decimal:
    return sum((each.amount for each in total().amounts), Decimal(0))


@pytest.fixture
def ticket(acme: Company, connection: Connection) -> Ticket:
    contact = make_contact(acme, number="5511984321100")
    return make_ticket(acme, contact=contact, connection=connection, status="open")


def test_a_delivered_message_has_one_row_with_its_price(
    acme: Company, connection: Connection, ticket: Ticket
) -> None:
    rate = price("0.03")
    message = sent(ticket, source="bot", origin="greeting:5")
    apply(connection, [told(message, Ack.SERVER)])
    assert not MessageCost.objects.exists()
    apply(connection, [told(message, pricing=None)])
    row = MessageCost.objects.get()
    assert (row.message_id, row.company, row.ticket) == (message.pk, acme, ticket)
    assert (row.source, row.origin, row.country) == ("bot", "greeting:5", "BR")
    assert (row.category, row.type, row.is_billable) == ("SERVICE", "regular", True)
    assert (row.price, row.amount, row.currency) == (rate, Decimal("0.03"), "BRL")
    assert (row.delivered_at, row.delivered_on) == (NOON, date(2026, 11, 10))
    assert (row.meter.number, row.meter.month) == (connection.phone_number_id, date(2026, 11, 1))
    apply(connection, [told(message), told(message, Ack.READ, at=NOON + timedelta(days=40))])
    assert MessageCost.objects.values().get() == {
        **MessageCost.objects.filter(pk=row.pk).values().get()
    }
    assert CostMeter.objects.count() == 1


def test_what_is_charged_is_counted_once_for_the_operator(
    connection: Connection, ticket: Ticket
) -> None:
    def counted(name: str, **labels: str) -> float:
        return REGISTRY.get_sample_value(f"balcao_{name}_total", labels) or 0.0

    def figures() -> list[float]:
        return [
            counted("charged_messages", category="SERVICE"),
            counted("charged_messages", category="other"),
            counted("message_cost", category="SERVICE", currency="BRL"),
        ]

    price("0.03")
    before = figures()
    message = sent(ticket)
    strange = Pricing(is_billable=True, category="HOLOGRAM", model="PMP", type="regular")
    apply(connection, [told(message), told(message), told(sent(ticket), pricing=strange)])
    apply(connection, [told(message, Ack.READ), told(sent(ticket), pricing=FREE)])
    assert figures() == [before[0] + 1, before[1] + 1, pytest.approx(before[2] + 0.03)]


def test_a_month_is_that_of_the_companys_zone(connection: Connection, ticket: Ticket) -> None:
    early = datetime(2026, 12, 1, 2, tzinfo=UTC)  # still November in São Paulo
    apply(connection, [told(sent(ticket), at=early)])
    assert MessageCost.objects.get().meter.month == date(2026, 11, 1)


def test_what_failed_is_free_and_a_delivery_after_all_is_not(
    connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    message = sent(ticket)
    apply(connection, [told(message, Ack.ERROR)])
    assert not MessageCost.objects.exists()
    apply(connection, [told(message), told(message, Ack.ERROR)])
    assert amount() == Decimal("0.03")


def test_only_what_meta_charges_costs(connection: Connection, ticket: Ticket) -> None:
    price("0.03")
    free, charged = sent(ticket), sent(ticket)
    apply(connection, [told(free, pricing=FREE), told(charged)])
    figures = total()
    assert (figures.messages, figures.billable, figures.free) == (2, 1, 0)
    assert amount() == Decimal("0.03")


def test_a_qr_session_has_no_rows(acme: Company) -> None:
    session = make_connection(acme, provider="beta", phone_number_id=None)
    ticket = make_ticket(acme, connection=session)
    apply(session, [told(sent(ticket), pricing=None)])
    assert not MessageCost.objects.exists()


def test_without_a_price_a_message_is_counted_apart(connection: Connection, ticket: Ticket) -> None:
    price("0.03", country="PT")
    unknown = Pricing(is_billable=True, category="GENERAL_PURPOSE_AI", type="regular")
    none = told(sent(ticket), pricing=None)
    apply(connection, [told(sent(ticket)), told(sent(ticket), pricing=unknown), none])
    figures = total()
    assert (figures.messages, figures.billable, figures.unpriced) == (3, 2, 2)
    assert figures.amounts == []


@pytest.mark.parametrize(
    "pricing",
    [
        {"billable": True, "type": "regular"},
        {"billable": True, "category": ["service"], "type": "regular"},
        {"billable": True, "category": "", "price": -5, "count": 10**15},
        "regular",
    ],
)
def test_a_price_without_a_category_is_kept_raw_and_costs_nothing(
    connection: Connection, ticket: Ticket, pricing: Any
) -> None:
    price("0.03")
    status = wire(sent(ticket).external_id, pricing)
    meta_tells(connection, status)
    row = MessageCost.objects.get()
    assert (row.category, row.is_billable, row.amount) == ("", False, None)
    assert InboundEvent.objects.get().payload["status"] == status


def test_an_odd_price_costs_what_its_category_does_and_no_more(
    connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    odd = {"billable": -1, "pricing_model": "x" * 500, "type": "regular", "category": "service"}
    meta_tells(connection, wire(sent(ticket).external_id, {**odd, "price": -5, "count": 10**15}))
    unknown = {"billable": True, "type": "t" * 500, "category": "c" * 500}
    meta_tells(connection, wire(sent(ticket).external_id, unknown))
    assert (total().messages, amount()) == (2, Decimal("0.03"))


def test_statuses_before_their_message_cost_nothing_and_are_kept(
    connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    steps = [
        wire("wamid.nobody", {"type": "regular", "category": "service"}, step)
        for step in ("read", "delivered", "sent")
    ]
    meta_tells(connection, *steps)
    assert not MessageCost.objects.exists() and not Message.objects.exists()
    kept = InboundEvent.objects.order_by("pk")
    assert [(each.state, each.payload["status"]) for each in kept] == [
        ("done", each) for each in steps
    ]


def test_a_changed_price_of_a_later_status_counts(connection: Connection, ticket: Ticket) -> None:
    price("0.03")
    price("0.3", "MARKETING")
    message = sent(ticket)
    later = told(message, Ack.READ, MARKETING, at=NOON + timedelta(minutes=1))
    apply(connection, [told(message)])
    assert amount() == Decimal("0.03")
    apply(connection, [later])
    assert amount() == Decimal("0.3")
    apply(connection, [told(message)])
    assert amount() == Decimal("0.3")
    assert MessageCost.objects.get().category == "MARKETING"


def test_the_first_ones_of_a_month_are_free(connection: Connection, ticket: Ticket) -> None:
    price("0.03")
    price("0.3", "MARKETING")
    allow(2)
    apply(connection, [told(sent(ticket), pricing=MARKETING) for _ in range(3)])
    assert (total().free, amount()) == (0, Decimal("0.9"))
    apply(connection, [told(sent(ticket))])
    assert (total().free, amount()) == (1, Decimal("0.9"))
    apply(connection, [told(sent(ticket)) for _ in range(4)])
    assert (total().free, amount()) == (2, Decimal("0.99"))
    # The next month begins anew.
    apply(connection, [told(sent(ticket), at=NOON + timedelta(days=30))])
    assert (total().free, amount()) == (3, Decimal("0.99"))


def test_another_number_has_its_own_allowance(
    acme: Company, connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    allow(1)
    other = make_connection(acme)
    there = make_ticket(acme, connection=other)
    apply(connection, [told(sent(ticket)), told(sent(ticket))])
    apply(other, [told(sent(there)), told(sent(there))])
    assert total().free == 2
    assert {each.free_until_id for each in CostMeter.objects.all()} == set(
        MessageCost.objects.filter(
            message_id__in=[
                MessageCost.objects.filter(meter=meter).order_by("message_id")[0].message_id
                for meter in CostMeter.objects.all()
            ]
        ).values_list("message_id", flat=True)
    )


def test_an_earlier_one_that_comes_late_is_free_in_place_of_a_later_one(
    acme: Company, connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    price("0.5", country="PT")
    allow(1)
    contact = make_contact(acme, number="351912345678")
    abroad = make_ticket(acme, contact=contact, connection=connection)
    first, second = sent(abroad), sent(ticket)
    apply(connection, [told(second, at=NOON + timedelta(minutes=5))])
    assert amount() == 0
    apply(connection, [told(first)])
    assert amount() == Decimal("0.03")


@pytest.mark.parametrize("count", [0, 5, 1_000_000])
def test_any_allowance_is_taken(connection: Connection, ticket: Ticket, count: int) -> None:
    price("0.03")
    allow(count)
    apply(connection, [told(sent(ticket)) for _ in range(7)])
    assert total().free == min(count, 7)
    assert amount() == Decimal("0.03") * (7 - min(count, 7))


def test_the_cost_outlives_conversation_queue_and_connection(
    acme: Company, connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    apply(connection, [told(sent(ticket))])
    ticket.delete()
    connection.delete()
    assert amount() == Decimal("0.03")


# Whatever the order


def everything(
    connection: Connection, tickets: Sequence[Ticket], chance: random.Random
) -> list[InboundStatus]:
    """Return 10,000 statuses of 1,250 messages to two countries, in the order of their times."""
    messages = Message.objects.bulk_create(
        Message(
            company=connection.company,
            connection=connection,
            ticket=ticket,
            contact=ticket.contact,
            from_me=True,
            ack=Ack.SENT,
            external_id=f"wamid.{place}",
            created_at=NOON - timedelta(days=9),
        )
        for place in range(1250)
        for ticket in [chance.choice(tickets)]
    )
    statuses = []
    for message in messages:
        at = NOON + timedelta(seconds=chance.randrange(25 * 24 * 3600))
        pricing = chance.choice([SERVICE, SERVICE, SERVICE, MARKETING, FREE, None])
        later = chance.choice([pricing, pricing, pricing, SERVICE, MARKETING])
        steps: list[tuple[int, Pricing | None, int]] = [
            (Ack.SERVER, pricing, 0),
            (Ack.DELIVERED, pricing, 2),
            (Ack.DELIVERED, None, 3),
            (Ack.READ, later, 9),
        ]
        if chance.random() < 0.1:
            steps = [(Ack.SERVER, pricing, 0), (Ack.ERROR, pricing, 1)]
        elif chance.random() < 0.1:
            steps.insert(1, (Ack.ERROR, None, 1))
        for ack, told_of, seconds in steps:
            statuses.append(told(message, ack, told_of, at=at + timedelta(seconds=seconds)))
    statuses += chance.choices(statuses, k=10_000 - len(statuses))
    return sorted(statuses, key=lambda each: (each.at, each.ack))


def ledger() -> list[tuple[Any, ...]]:
    fields = (
        *("message_id", "category", "type", "is_billable", "amount", "currency"),
        *("delivered_at", "delivered_on", "meter__month", "meter__free_until_id"),
    )
    return list(MessageCost.objects.order_by("message_id").values_list(*fields))


def forgotten() -> Iterable[int]:
    MessageCost.objects.all().delete()
    CostMeter.objects.all().delete()
    return [Message.objects.filter(from_me=True).update(ack=Ack.SENT, pricing=None)]


def test_a_shuffled_replay_leaves_the_sum(
    acme: Company, connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    price("0.05", valid_from=date(2026, 11, 20))
    price("0.04", country="PT")
    price("0.3", "MARKETING", country="*")
    allow(300)
    allow(20, date(2026, 12, 1))
    chance = random.Random(27)
    contact = make_contact(acme, number="351912345678")
    tickets = [ticket, make_ticket(acme, contact=contact, connection=connection)]
    statuses = everything(connection, tickets, chance)
    assert len(statuses) == 10_000
    apply(connection, statuses)
    before, figures = ledger(), total()
    assert (figures.free, figures.unpriced) == (320, 0)
    assert len(before) > 1000 and amount() > 0
    chance.shuffle(statuses)
    apply(connection, statuses)
    assert (ledger(), total()) == (before, figures)
    # And as if they had come so for the first time.
    forgotten()
    apply(connection, statuses, size=100)
    assert (ledger(), total()) == (before, figures)
