"""Prices and allowances that the operator enters late, and two workers at once."""

import threading
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connections as databases
from django.db import transaction
from django.test import Client

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.costs.models import CostMeter, MessageCost, MessagePrice, ServiceAllowance
from apps.costs.services.repricing import price_stale
from apps.costs.tasks import follow
from apps.costs.tests.test_ledger import allow, amount, apply, price, sent, told, total
from apps.tickets.models import Ticket
from apps.tickets.services.outbox.statuses import apply_statuses
from tests.factories import make_connection, make_contact, make_ticket

pytestmark = pytest.mark.django_db
PRICE = {"category": "SERVICE", "country": "BR", "currency": "BRL", "price": "0.03"}


@pytest.fixture
def ticket(acme: Company, connection: Connection) -> Ticket:
    contact = make_contact(acme, number="5511984321100")
    return make_ticket(acme, contact=contact, connection=connection, status="open")


@pytest.fixture
def operator(super_user: User) -> Client:
    client = Client()
    client.force_login(super_user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_what_the_operator_enters_late_counts_from_its_day_on(
    connection: Connection, ticket: Ticket, operator: Client
) -> None:
    apply(connection, [told(sent(ticket)) for _ in range(4)])
    assert (total().unpriced, amount()) == (4, Decimal(0))
    prices, allowances = "/admin/costs/messageprice/", "/admin/costs/serviceallowance/"
    body = {**PRICE, "valid_from": "2026-10-01"}
    assert operator.post(f"{prices}add/", body).status_code == 302
    follow()
    assert (total().unpriced, amount()) == (0, Decimal("0.12"))
    entered = {"messages": "3", "valid_from": "2026-10-01"}
    assert operator.post(f"{allowances}add/", entered).status_code == 302
    follow()
    assert (total().free, amount()) == (3, Decimal("0.03"))
    # A price from the day after on does not concern them, an earlier one does.
    price = MessagePrice.objects.get()
    address = f"{prices}{price.pk}/change/"
    operator.post(address, {**body, "valid_from": "2026-11-11"})
    follow()
    assert (total().unpriced, amount()) == (1, Decimal(0))
    operator.post(address, {**body, "price": "0.05", "valid_from": "2026-11-10"})
    follow()
    assert amount() == Decimal("0.05")
    allowance = ServiceAllowance.objects.get()
    operator.post(f"{allowances}{allowance.pk}/delete/", {"post": "yes"})
    operator.post(f"{prices}{price.pk}/delete/", {"post": "yes"})
    follow()
    assert (total().free, total().unpriced, amount()) == (0, 4, Decimal(0))
    told_of = AuditEntry.objects.filter(action__startswith="service_allowance").order_by("pk")
    assert [each.action for each in told_of] == [
        "service_allowance.created",
        "service_allowance.deleted",
    ]
    assert price_stale() == 0


@pytest.mark.parametrize(
    ("address", "body", "words"),
    [
        ("messageprice", {**PRICE, "valid_from": "2026-10-01"}, "já existe"),
        ("messageprice", {**PRICE, "price": "-1", "valid_from": "2026-10-02"}, "maior"),
        ("serviceallowance", {"messages": "5", "valid_from": "2026-10-01"}, "já existe"),
        ("serviceallowance", {"messages": "5", "valid_from": "2026-10-02"}, "first day"),
        ("serviceallowance", {"messages": "-5", "valid_from": "2026-11-01"}, "maior"),
        ("serviceallowance", {"messages": "1000001", "valid_from": "2026-11-01"}, "At most"),
        ("serviceallowance", {"messages": "9" * 30, "valid_from": "2026-11-01"}, "menor"),
    ],
)
def test_two_of_one_day_and_nonsense_are_refused_in_words(
    operator: Client, address: str, body: dict[str, Any], words: str
) -> None:
    price("0.03")
    allow(10)
    answer = operator.post(f"/admin/costs/{address}/add/", body)
    assert answer.status_code == 200
    said = answer.context["adminform"].errors.as_text()
    assert words in said, said
    assert (MessagePrice.objects.count(), ServiceAllowance.objects.count()) == (1, 1)


def test_an_allowance_begins_with_a_month() -> None:
    with pytest.raises(ValidationError):
        ServiceAllowance(messages=1, valid_from=date(2026, 11, 2)).full_clean()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_grant_the_allowance_once(
    connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    allow(10)
    messages = [sent(ticket) for _ in range(40)]
    start = threading.Barrier(4)

    def work(part: int) -> None:
        try:
            start.wait()
            for message in messages[part::4]:
                with transaction.atomic():
                    apply_statuses([(connection, told(message)), (connection, told(message, 4))])
        finally:
            databases.close_all()

    threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (MessageCost.objects.count(), total().free) == (40, 10)
    assert CostMeter.objects.get().free_until_id == messages[9].pk
    assert amount() == Decimal("0.9")


def test_statements_do_not_grow_with_messages_numbers_and_months(
    acme: Company, ticket: Ticket, connection: Connection, django_assert_max_num_queries: Any
) -> None:
    price("0.03")
    allow(1)
    reported = []
    for _ in range(12):
        number = make_connection(acme)
        there = make_ticket(acme, connection=number)
        reported += [(number, told(sent(there))) for _ in range(3)]
    with django_assert_max_num_queries(22):
        apply_statuses(reported)
    assert (MessageCost.objects.count(), total().free) == (36, 12)
    with django_assert_max_num_queries(4):
        apply_statuses(reported)
