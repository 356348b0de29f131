"""Every call, tried by the admin of a company whose due date is past (rules/companies §4)."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Access
from apps.billing.services.payments import confirm_payment
from apps.companies.models import Company
from apps.companies.queries import companies_that_send, overdue_among
from apps.connections.services.qr_leases import LeaseCall, renew_leases
from config.access import BILLING_CALLS, NEEDS
from conftest import ClientFor
from tests.calls.test_tenancy import PROTECTED, acme_rows, call
from tests.factories import PASSWORD, make_company, make_invoice
from tests.gateway import make_qr_connection
from tests.tenancy_rows import ROWS
from tests.worlds import World


def due(company: Company, *, days: int) -> None:
    Company.objects.filter(pk=company.pk).update(
        due_date=timezone.localdate() + timedelta(days=days)
    )


def paying_client(client_for: ClientFor, admin: User) -> Any:
    """Return a client with the token that the refused sign-in brings."""
    client = client_for(None)
    credentials = {"email": admin.email, "password": PASSWORD}
    answer = client.post("/api/auth/login", credentials, "json")
    assert (answer.status_code, answer.json()["code"]) == (402, "ERR_COMPANY_EXPIRED")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {answer.json()['token']}")
    return client


def test_the_token_for_paying_is_good_for_nothing_else(
    client_for: ClientFor, world: World, admin: User
) -> None:
    due(admin.company, days=-2)
    client = paying_client(client_for, admin)
    before = acme_rows()
    for name, method in PROTECTED:
        row = ROWS[name, method]
        answer = call(client, method, row.path, row.body, world)
        if name in BILLING_CALLS:
            assert answer.status_code != 402, name
        elif NEEDS[name, method].level == Access.SUPER:
            assert answer.status_code == 403, name
        else:
            told = (answer.status_code, answer.json()["code"])
            assert told == (402, "ERR_COMPANY_EXPIRED"), (name, method)
    if not BILLING_CALLS:
        assert acme_rows() == before


def test_once_it_is_paid_the_next_call_asks_for_a_whole_session(
    client_for: ClientFor, admin: User
) -> None:
    due(admin.company, days=-2)
    client = paying_client(client_for, admin)
    due(admin.company, days=30)
    answer = client.get("/api/tickets")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_SESSION_EXPIRED")
    client.credentials()
    renewed = client.post("/api/auth/refresh_token")
    assert renewed.status_code == 200
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {renewed.json()['token']}")
    assert client.get("/api/tickets").status_code == 200


@pytest.mark.parametrize(("days", "sends"), [(0, True), (-1, True), (-3, True), (-5, False)])
def test_sends_wait_three_days_later_and_go_on_once_it_is_paid(
    acme: Company, operator_company: Company, days: int, sends: bool
) -> None:
    due(acme, days=days)
    due(operator_company, days=-400)
    sending = set(companies_that_send(timezone.now()))
    assert (acme in sending, operator_company in sending) == (sends, True)
    due(acme, days=1)
    assert acme in companies_that_send(timezone.now())


def test_a_company_that_is_switched_off_sends_nothing(acme: Company) -> None:
    Company.objects.filter(pk=acme.pk).update(is_enabled=False)
    assert acme not in companies_that_send(timezone.now())


def test_a_qr_session_stops_three_days_later_and_is_back_with_the_payment(
    acme: Company, super_user: User
) -> None:
    session = make_qr_connection(acme).pk

    def lease(held: dict[int, int]) -> dict[str, Any]:
        return renew_leases(LeaseCall(gateway="a", address="http://a", room=5, held=held))

    [claimed] = lease({})["claimed"]
    due(acme, days=-5)
    answer = lease({session: claimed["epoch"]})
    assert (answer["held"], answer["lost"], answer["claimed"]) == ([], [session], [])
    assert lease({})["claimed"] == []
    # What the operator confirms and what a bank tells of is settled by the same verb.
    acme.refresh_from_db()
    invoice = make_invoice(acme, due_date=acme.due_date)
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    [again] = lease({})["claimed"]
    assert (again["session"], again["epoch"]) == (session, claimed["epoch"] + 1)


def test_zones_of_companies_near_their_day_are_one_query(
    acme: Company, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    """In Tokyo a day is over twelve hours before São Paulo's."""
    now = datetime(2026, 3, 13, 18, tzinfo=UTC)
    tokyo = [make_company(due_date=date(2026, 3, 13)) for _ in range(3)]
    here = [make_company(due_date=date(2026, 3, 13)) for _ in range(3)]
    for company in tokyo:
        company.settings.create(key="timeZone", value="Asia/Tokyo")
    near = Company.objects.filter(due_date__range=(date(2026, 3, 12), date(2026, 3, 14)))
    with django_assert_max_num_queries(2):
        assert set(overdue_among(near, now)) == {company.pk for company in tokyo}
    assert {company.pk for company in here} <= set(near.values_list("pk", flat=True))
