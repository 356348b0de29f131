"""The checkout: the server's price, one code at a time, no card (rules/billing §2)."""

import json
import logging
from datetime import timedelta
from decimal import Decimal
from threading import Event
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.tests.wire import Answer
from apps.billing.models import Invoice, PixCharge, Plan
from apps.billing.services.checkout import subscribe
from apps.billing.tests.efi import Efi
from apps.common.checks import check_environment
from apps.companies.models import SUPER_COMPANY_ID, Company
from conftest import ClientFor
from tests.factories import make_company, make_invoice, make_plan

pytestmark = pytest.mark.django_db
CARD = {"nameOnCard": "ALICE QUE PAGA", "cardNumber": "4111111111111111", "cvv": "cvv 9173"}


def pay(client_for: ClientFor, user: User, invoice: Invoice, **fields: Any) -> Any:
    body = {"invoiceId": invoice.pk, **fields}
    return client_for(user).post("/api/subscription", body, format="json")


def test_an_older_browsers_checkout_gets_its_code_at_the_servers_price(
    admin: User, invoice: Invoice, better: Plan, efi: Efi, client_for: ClientFor
) -> None:
    answer = pay(
        client_for,
        admin,
        invoice,
        firstName="Alice Souza",
        lastName="",
        address2="Rua das Flores, 10",
        city="São Paulo",
        state="SP",
        zipcode="01310-100",
        country="BR",
        useAddressForPaymentDetails=False,
        **CARD,
        plan=json.dumps({"title": "Completo", "users": 10, "connections": 5, "price": 0.01}),
        price=0.01,
        users=10,
        connections=5,
    )
    assert answer.status_code == 200
    charge = PixCharge.objects.get()
    body = answer.json()
    assert body["valor"] == {"original": "120.00"}
    assert body["qrcode"]["qrcode"] == efi.charges[charge.txid]["pixCopiaECola"]
    assert (body["txid"], body["invoiceId"]) == (charge.txid, invoice.pk)
    assert body["expiresAt"] and body["isConfirmedByHand"] is False
    made = efi.charges[charge.txid]
    assert made["valor"] == {"original": "120.00"} and made["chave"] == "pix@balcao.example"
    assert made["solicitacaoPagador"] == "Plano Completo (mensal)"
    invoice.refresh_from_db()
    assert (invoice.value, invoice.plan, invoice.is_paid) == (Decimal("120.00"), better, False)
    company = Company.objects.get(pk=admin.company_id)
    assert (company.billing_name, company.address_city) == ("Alice Souza", "São Paulo")
    assert company.plan != better  # it is not paid yet


def test_a_card_is_neither_stored_nor_logged(
    admin: User,
    invoice: Invoice,
    efi: Efi,
    client_for: ClientFor,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        assert pay(client_for, admin, invoice, **CARD).status_code == 200
        assert pay(client_for, admin, invoice, **CARD, plan="{").status_code == 400
        efi.is_down = True
        PixCharge.objects.all().delete()
        assert pay(client_for, admin, invoice, **CARD).status_code == 424
    stored = " ".join(
        str(row) for model in apps.get_models() for row in model._default_manager.values()
    )
    assert "Básico" in stored
    for secret in CARD.values():
        assert secret not in stored and secret not in caplog.text


@pytest.mark.parametrize(
    "named",
    [
        {"id": "{better}", "price": 1},
        {"planId": "{better}"},
        {"name": "Completo"},
        {"users": 10, "connections": 5, "price": 49},
    ],
)
def test_a_plan_is_named_in_any_of_its_ways(
    admin: User,
    invoice: Invoice,
    better: Plan,
    efi: Efi,
    client_for: ClientFor,
    named: dict[str, Any],
) -> None:
    plan = {name: better.pk if value == "{better}" else value for name, value in named.items()}
    for sent in (plan, json.dumps(plan)):
        answer = pay(client_for, admin, invoice, plan=sent)
        assert answer.json()["valor"]["original"] == "120.00"


def test_without_a_plan_the_own_one_goes_on_even_when_it_is_not_public(
    admin: User, invoice: Invoice, plan: Plan, efi: Efi, client_for: ClientFor
) -> None:
    Plan.objects.filter(pk=plan.pk).update(is_public=False)
    for sent in ({}, {"plan": ""}, {"plan": {"id": plan.pk}}):
        answer = pay(client_for, admin, invoice, **sent)
        assert answer.json()["valor"]["original"] == "49.90"


def test_what_is_not_offered_is_refused_and_changes_nothing(
    admin: User, invoice: Invoice, efi: Efi, client_for: ClientFor
) -> None:
    hidden = make_plan(name="Interno", value=1, is_public=False)
    free = make_plan(name="Grátis", value=0)
    for sent in ({"id": hidden.pk}, {"id": free.pk}, {"name": "Nenhum"}, "[1]", {"users": 99}):
        answer = pay(client_for, admin, invoice, plan=sent, firstName="Mallory")
        assert answer.status_code == 400, sent
        assert "plan" in answer.json()["fields"]
    before = invoice.value
    invoice.refresh_from_db()
    assert (invoice.value, PixCharge.objects.count(), efi.charges) == (before, 0, {})
    assert Company.objects.get(pk=admin.company_id).billing_name == ""


def test_a_second_click_shows_the_same_code_and_another_plan_a_new_one(
    admin: User, invoice: Invoice, better: Plan, efi: Efi, client_for: ClientFor
) -> None:
    first = pay(client_for, admin, invoice).json()
    assert pay(client_for, admin, invoice).json() == first
    other = pay(client_for, admin, invoice, plan={"id": better.pk}).json()
    assert other["txid"] != first["txid"]
    assert PixCharge.objects.get(txid=first["txid"]).is_replaced
    # A code that ends soon is not worth showing.
    soon = timezone.now() + timedelta(minutes=4)
    PixCharge.objects.filter(txid=other["txid"]).update(expires_at=soon)
    again = pay(client_for, admin, invoice, plan={"id": better.pk}).json()
    assert again["txid"] not in (first["txid"], other["txid"])


def test_a_paid_or_foreign_invoice_is_not_charged(
    admin: User, outsider: User, invoice: Invoice, efi: Efi, client_for: ClientFor
) -> None:
    assert pay(client_for, outsider, invoice).status_code == 404
    Invoice.objects.update(status="paid")
    answer = pay(client_for, admin, invoice)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_INVOICE_PAID")
    assert efi.charges == {}


def test_an_attendant_does_not_pay(
    agent: User, invoice: Invoice, efi: Efi, client_for: ClientFor
) -> None:
    assert pay(client_for, agent, invoice).status_code == 403


def test_a_provider_that_is_away_is_told_in_words(
    admin: User, invoice: Invoice, efi: Efi, client_for: ClientFor, settings: Any
) -> None:
    efi.is_down = True
    answer = pay(client_for, admin, invoice)
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_PIX_UNAVAILABLE")
    assert "503" in PixCharge.objects.get().last_error
    efi.is_down = False
    assert pay(client_for, admin, invoice).status_code == 200
    settings.PIX_PROVIDER = ""
    answer = pay(client_for, admin, invoice)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_PIX_NOT_SET_UP")


def test_the_manual_code_waits_for_the_super_user(
    admin: User, invoice: Invoice, client_for: ClientFor, settings: Any
) -> None:
    settings.PIX_PROVIDER, settings.PIX_KEY = "manual", "pix@balcao.example"
    settings.PIX_NAME, settings.PIX_CITY = "Balcão Serviços", "São Paulo"
    body = pay(client_for, admin, invoice).json()
    assert body["isConfirmedByHand"] is True and body["expiresAt"] is None
    assert body["qrcode"]["qrcode"].startswith("000201")
    assert not PixCharge.objects.unfinished().exists()
    assert pay(client_for, admin, invoice).json() == body


def test_the_checkout_shows_what_may_be_chosen(
    admin: User, plan: Plan, better: Plan, efi: Efi, client_for: ClientFor
) -> None:
    Company.objects.filter(pk=admin.company_id).update(
        recurrence="BIMESTRAL", billing_name="Acme Ltda."
    )
    make_plan(name="Interno", value=1, is_public=False)
    support = {"email": "ajuda@balcao.example", "phone": "(11) 4002-8922"}
    Company.objects.filter(pk=SUPER_COMPANY_ID).update(**support)
    body = client_for(admin).get("/api/subscription").json()
    assert body["support"] == support
    offers = [(each["name"], each["value"], each["price"]) for each in body["plans"]]
    assert offers == [("Básico", 49.9, 99.8), ("Completo", 120.0, 240.0)]
    assert (body["planId"], body["months"], body["isAvailable"]) == (plan.pk, 2, True)
    assert (body["firstName"], body["city"]) == ("Acme Ltda.", "")


def test_a_webhook_is_registered_with_its_secret(efi: Efi, settings: Any, capsys: Any) -> None:
    settings.PUBLIC_URL = "https://balcao.example"
    call_command("register_pix_webhook")
    (told,) = efi.webhooks
    secret = settings.PIX_WEBHOOK_SECRET
    assert told["webhookUrl"] == f"https://balcao.example/webhooks/efi?hmac={secret}&ignorar="
    assert secret not in capsys.readouterr().out
    efi.is_down = True
    with pytest.raises(CommandError, match="503"):
        call_command("register_pix_webhook")


def test_the_admins_pages_show_and_confirm(
    client: Any, super_user: User, invoice: Invoice, efi: Efi
) -> None:
    client.force_login(super_user)
    charge = subscribe(
        actor=super_user, company_id=invoice.company_id, invoice_id=invoice.pk, asked={}, billing={}
    )
    for page in ("invoice", "pixcharge", "payment", "pixnotice"):
        assert client.get(f"/admin/billing/{page}/").status_code == 200
    page = "/admin/billing/invoice/"
    choice = {"action": "confirm", "_selected_action": [invoice.pk]}
    for words in (
        "1 pagamento(s) confirmado(s).",
        f"Fatura {invoice.pk}: Esta fatura já está paga.",
    ):
        answer = client.post(page, choice, follow=True)
        assert words in answer.content.decode()
    invoice.refresh_from_db()
    charge.refresh_from_db()
    assert invoice.is_paid and charge.is_replaced


def test_the_admins_list_takes_as_many_queries_for_many_as_for_one(
    client: Any, super_user: User, invoice: Invoice, django_assert_max_num_queries: Any
) -> None:
    client.force_login(super_user)
    for _ in range(15):
        make_invoice(make_company())
    with django_assert_max_num_queries(10):
        assert client.get("/admin/billing/invoice/").status_code == 200


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"TRIAL_DAYS": 0}, "TRIAL_DAYS"),
        ({"PIX_PROVIDER": "efi", "PIX_KEY": "k"}, "EFI_CERTIFICATE"),
        ({"PIX_PROVIDER": "asaas"}, "BILLING_ASAAS_TOKEN"),
        ({"PIX_PROVIDER": "manual", "PIX_KEY": "k"}, "PIX_CITY"),
        ({"PIX_WEBHOOK_SECRET": "curto"}, "PIX_WEBHOOK_SECRET"),
    ],
)
def test_what_a_provider_lacks_is_named_at_the_start(
    settings: Any, variables: dict[str, Any], named: str
) -> None:
    for name, value in variables.items():
        setattr(settings, name, value)
    assert any(named in fault.msg for fault in check_environment(None))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_make_one_charge(admin: User, invoice: Invoice, efi: Efi) -> None:
    from apps.connections.tests.test_race import at_once

    other_made = Event()
    make = efi.make

    def make_slowly(txid: str, asked: dict[str, Any]) -> Answer:
        if efi.charges:
            other_made.set()
        answer = make(txid, asked)
        other_made.wait(1)  # the time in which the other click must not make a charge
        return answer

    efi.make = make_slowly  # type: ignore[method-assign]

    def click() -> Any:
        return subscribe(
            actor=admin, company_id=admin.company_id, invoice_id=invoice.pk, asked={}, billing={}
        )

    first, second = at_once(click, click)
    assert first.code and (first.txid, first.code) == (second.txid, second.code)
    assert list(efi.charges) == [first.txid]
    assert not PixCharge.objects.exclude(pk=first.pk).exists()


def test_a_code_that_was_never_issued_is_not_waited_for_for_ever(
    admin: User, invoice: Invoice, efi: Efi, client_for: ClientFor
) -> None:
    lost = pay(client_for, admin, invoice).json()["txid"]
    # The worker process ended before the provider's answer was stored.
    made = PixCharge.objects.filter(txid=lost)
    made.update(code="", expires_at=None, created_at=timezone.now() - timedelta(seconds=91))
    answer = pay(client_for, admin, invoice)
    assert answer.status_code == 200 and answer.json()["txid"] != lost
