"""Every call, tried by the admin of a company whose due date is past (rules/companies §4)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Access
from apps.companies.models import Company
from apps.companies.queries import companies_that_send
from config.access import ACCESS, BILLING_CALLS
from conftest import ClientFor
from tests.factories import PASSWORD
from tests.tenancy_rows import ROWS
from tests.test_tenancy import PROTECTED, World, acme_rows, call, world

pytestmark = pytest.mark.django_db
__all__ = ["world"]


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
        elif ACCESS[name][method] == Access.SUPER:
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
