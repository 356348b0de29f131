"""All companies' invoices for the super user: found and put right (rules/billing §8)."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.billing.models import Invoice, Payment, PixCharge
from apps.billing.queries.credits import balance_of, credit_of
from apps.billing.tests.efi import Efi
from apps.billing.tests.test_payments import charge_for, look_again
from apps.companies.models import Company
from apps.companies.services import months_later
from conftest import ClientFor
from tests.factories import make_company, make_invoice

pytestmark = pytest.mark.django_db


@pytest.fixture
def call(client_for: ClientFor, super_user: User) -> Any:
    """Post to a call of one invoice; returns the answer."""

    def post(invoice: Invoice, verb: str, **body: Any) -> Any:
        return client_for(super_user).post(f"/api/billing/{invoice.pk}/{verb}", body, format="json")

    return post


def test_invoices_of_all_companies_are_found_by_company_text_and_status(
    invoice: Invoice, globex: Company, super_user: User, client_for: ClientFor, today: date
) -> None:
    late = make_invoice(globex, due_date=today - timedelta(days=3), detail="Plano Ouro")
    Payment.objects.create(
        company=globex, invoice=late, provider="manual", reference="1", value=5, outcome="partial",
        paid_at=late.created_at,
    )  # fmt: skip

    def found(**query: Any) -> list[int]:
        body = client_for(super_user).get("/api/billing", query).json()
        return [row["id"] for row in body["invoices"]]

    assert found() == [invoice.pk, late.pk]
    assert found(searchParam=globex.name.upper()) == found(searchParam="ouro") == [late.pk]
    assert found(searchParam=f"#{invoice.pk}") == [invoice.pk]
    assert found(status="overdue") == found(status="partial") == [late.pk]
    assert found(status="open") == [invoice.pk, late.pk]
    assert found(status="paid") == []
    row = client_for(super_user).get("/api/billing?status=partial").json()["invoices"][0]
    assert (row["companyName"], row["received"], row["refunded"]) == (globex.name, 5.0, 0.0)
    assert client_for(super_user).get("/api/billing?status=odd").status_code == 400


def test_the_list_takes_as_many_queries_for_many_as_for_one(
    invoice: Invoice, super_user: User, client_for: ClientFor, django_assert_max_num_queries: Any
) -> None:
    for _ in range(25):
        make_invoice(make_company())
    with django_assert_max_num_queries(6):
        body = client_for(super_user).get("/api/billing").json()
    assert (len(body["invoices"]), body["count"], body["hasMore"]) == (20, 26, True)


def test_a_part_and_then_the_rest_are_registered_and_settle_the_invoice(
    acme: Company, invoice: Invoice, efi: Efi, call: Any, super_user: User
) -> None:
    before = acme.due_date
    code = charge_for(invoice)
    body = call(invoice, "payments", value="20.00", reference="TED 17").json()
    assert (body["invoice"]["status"], body["due"]) == ("open", 29.9)
    code.refresh_from_db()
    assert code.is_replaced  # it asks for more than is due now
    assert charge_for(invoice).value == Decimal("29.90")
    again = call(invoice, "payments", value="1.00", reference="TED 17")
    assert again.status_code == 400 and "reference" in again.json()["fields"]
    body = call(invoice, "payments").json()
    assert (body["invoice"]["status"], body["due"]) == ("paid", 0.0)
    assert [each["value"] for each in body["payments"]] == [29.9, 20.0]
    acme.refresh_from_db()
    assert acme.due_date == months_later(before, 1)
    actions = [each["action"] for each in body["history"]]
    assert actions[:1] == ["payment.applied"] and "payment.partial" in actions
    assert AuditEntry.objects.filter(actor=super_user, action__startswith="payment.").count() == 2
    refused = call(invoice, "payments", value="1.00")
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_INVOICE_PAID")


@pytest.mark.parametrize("value", ["0", "-1", "0.001", "x", 1e12])
def test_odd_values_are_refused(invoice: Invoice, call: Any, value: Any) -> None:
    for verb in ("payments", "credit"):
        answer = call(invoice, verb, value=value)
        assert answer.status_code == 400 and "value" in answer.json()["fields"]
    assert not Payment.objects.exists()


def test_a_credit_is_given_and_lessens_what_is_due(
    acme: Company, invoice: Invoice, efi: Efi, call: Any
) -> None:
    code = charge_for(invoice)
    body = call(invoice, "credit", value="9.90", note="Desculpas pela falha").json()
    assert (body["credit"], body["due"]) == (9.9, 40.0)
    assert body["credits"][0]["note"] == "Desculpas pela falha"
    assert credit_of(acme.pk) == Decimal("9.90")
    code.refresh_from_db()
    assert code.is_replaced
    assert AuditEntry.objects.get(action="company.credited", company=acme).detail == {
        "value": "9.90",
        "note": "Desculpas pela falha",
    }


def test_a_payment_is_marked_as_refunded(
    acme: Company, invoice: Invoice, call: Any, globex: Company
) -> None:
    before = acme.due_date
    (paid,) = call(invoice, "payments").json()["payments"]
    other = make_invoice(globex)
    assert call(other, "refund", payment=paid["id"]).status_code == 404
    body = call(invoice, "refund", payment=paid["id"]).json()
    assert (body["invoice"]["status"], body["payments"][0]["refunded"]) == ("refunded", 49.9)
    assert body["companyDueDate"] == before.isoformat()
    assert body["history"][0]["action"] == "payment.refunded"


def test_an_invoice_is_cancelled_unless_it_is_due(
    acme: Company, invoice: Invoice, call: Any
) -> None:
    assert call(invoice, "cancel").json()["code"] == "ERR_INVOICE_STILL_DUE"
    Invoice.objects.filter(pk=invoice.pk).update(due_date=acme.due_date - timedelta(days=1))
    assert call(invoice, "cancel").json()["invoice"]["status"] == "cancelled"
    assert call(Invoice(pk=999), "cancel").status_code == 404


def test_the_details_show_the_charges(
    invoice: Invoice, efi: Efi, super_user: User, client_for: ClientFor
) -> None:
    charge_for(invoice)
    body = client_for(super_user).get(f"/api/billing/{invoice.pk}").json()
    (charge,) = body["charges"]
    assert (charge["provider"], charge["txid"]) == ("efi", PixCharge.objects.get().txid)
    assert (charge["isReplaced"], charge["lastError"]) == (False, "")


def test_only_the_super_user_sees_and_changes_them(
    admin: User, agent: User, outsider: User, invoice: Invoice, client_for: ClientFor
) -> None:
    for user in (admin, agent, outsider):
        assert client_for(user).get("/api/billing").status_code == 403
        for verb in ("payments", "cancel", "credit", "refund"):
            answer = client_for(user).post(f"/api/billing/{invoice.pk}/{verb}", {}, format="json")
            assert answer.status_code == 403


def test_what_is_paid_beyond_the_price_is_a_credit(
    acme: Company, invoice: Invoice, call: Any
) -> None:
    body = call(invoice, "payments", value="60.00").json()
    assert (body["invoice"]["status"], body["credit"]) == ("paid", 10.1)
    assert [(row["kind"], row["value"]) for row in body["credits"]] == [("overpaid", 10.1)]
    # A refund takes the excess first, and then the days.
    (paid,) = body["payments"]
    after = Company.objects.get(pk=acme.pk).due_date
    body = call(invoice, "refund", payment=paid["id"], value="10.10").json()
    assert (body["credit"], body["companyDueDate"]) == (0.0, after.isoformat())
    body = call(invoice, "refund", payment=paid["id"]).json()
    assert (body["invoice"]["status"], body["credit"]) == ("refunded", 0.0)
    assert body["companyDueDate"] == acme.due_date.isoformat()


def test_a_part_that_is_registered_beside_a_paid_code_is_a_credit(
    acme: Company, invoice: Invoice, efi: Efi, call: Any
) -> None:
    before = acme.due_date
    efi.pay(charge_for(invoice).txid)
    call(invoice, "payments", value="30.00")
    look_again()
    acme.refresh_from_db()
    assert acme.due_date == months_later(before, 1)
    assert credit_of(acme.pk) == Decimal("30.00")


def test_an_excess_that_was_used_and_returned_is_asked_for_with_the_next_invoice(
    client_for: ClientFor, acme: Company, admin: User, invoice: Invoice, efi: Efi, call: Any
) -> None:
    (paid,) = call(invoice, "payments", value="60.00").json()["payments"]
    second = make_invoice(acme, due_date=months_later(acme.due_date, 1))
    assert call(second, "payments").json()["payments"][0]["value"] == 39.8
    body = call(invoice, "refund", payment=paid["id"], value="10.10").json()
    assert (body["credit"], body["owed"]) == (0.0, 10.1)
    for address in ("/api/subscription/plan", "/api/subscription"):
        body = client_for(admin).get(address).json()
        assert (body["credit"], body["owed"]) == (0.0, 10.1)
    third = make_invoice(acme, due_date=months_later(acme.due_date, 2))
    charge = charge_for(third)
    assert charge.value == Decimal("60.00")
    efi.pay(charge.txid)
    look_again()
    third.refresh_from_db()
    assert (third.status, third.value) == ("paid", Decimal("49.90"))
    assert balance_of(acme.pk) == 0
    # If that payment is returned as well, the company owes it again.
    paid = call(third, "refund", payment=Payment.objects.get(invoice=third).pk).json()
    assert paid["invoice"]["status"] == "refunded"
    assert balance_of(acme.pk) == Decimal("-10.10")
