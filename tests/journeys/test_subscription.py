"""The way of a company: it signs up, tries, is overdue, pays, and goes on."""

import itertools
import json
import re
import urllib.request
from collections.abc import Iterator
from datetime import date, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from apps.billing.tests.efi import Efi
from tests.journeys.bank import WEBHOOK_SECRET
from tests.journeys.billing_screens import sell_plans
from tests.journeys.conftest import PASSWORD as COMMON
from tests.journeys.conftest import SUPER, OpenPage, log_in
from tests.journeys.operator import Operator
from tests.journeys.people import fill_login, pick, type_in
from tests.product import Product

PASSWORD = "cafe-da-praca"
# Where who has paid is led.
HOME = re.compile(r":\d+/$")
_numbers = itertools.count(1)


class Overdue:
    """A company with an admin and an attendant, whose last day was the day before yesterday."""

    def __init__(self, product: Product) -> None:
        number = next(_numbers)
        self.admin = f"dona{number}@vencida.example"
        self.attendant = f"atendente{number}@vencida.example"
        self.operator = Operator(product)
        plan = sell_plans(self.operator)
        self.id = self.operator.open_company(f"Vencida {number}", self.admin, plan)
        own = self.operator.as_user(self.admin)
        user = {"name": "Atendente", "email": self.attendant, "password": COMMON}
        own("POST", "/users", {**user, "profile": "user", "queueIds": []})
        self.operator.make_due(self.id, -2)
        day = date.today() - timedelta(days=2)
        self.last_day = f"{day:%d/%m/%Y}"


def notify(product: Product, txid: str) -> None:
    """Have the bank tell the product of a payment."""
    request = urllib.request.Request(
        f"{product.address}/webhooks/efi/pix?hmac={WEBHOOK_SECRET}",
        data=json.dumps({"pix": [{"txid": txid}]}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 200


def confirm_by_hand(office: Page, company: Overdue) -> None:
    """Have the operator, who sees the money, say so in the administration."""
    office.goto(
        f"/admin/login/?next=/admin/billing/invoice/%3Fq={company.admin}%26status__exact=open"
    )
    type_in(office.locator("#id_username"), SUPER)
    type_in(office.locator("#id_password"), COMMON)
    office.locator("input[type=submit]").click()
    listed = office.get_by_role("row").filter(has_text="Plano Essencial").first
    listed.get_by_role("checkbox").check()
    pick(office.locator("select[name=action]"), "Confirmar o pagamento")
    office.locator("button[name=index]").click()
    expect(office.locator(".messagelist .success")).to_contain_text("1 pagamento")


def ask_for_code(page: Page, company: Overdue) -> Locator:
    """Sign an overdue company's admin in and go to the code of its invoice; return its dialog."""
    page.goto("/login")
    fill_login(page, company.admin, COMMON)
    row = page.get_by_role("row").filter(has_text="Plano Essencial")
    row.get_by_role("button", name=re.compile("^PAGAR")).click()
    dialog = page.get_by_role("dialog", name="Falta pouco!")
    dialog.get_by_role("button", name="PRÓXIMO").click()
    dialog.get_by_role("button", name="PAGAR").click()
    pix = page.get_by_role("dialog", name="Pagar com Pix")
    expect(pix.get_by_role("img", name="Código QR do Pix")).to_be_visible()
    return pix


def test_a_company_signs_up_and_tries_until_tomorrow(product: Product, page: Page) -> None:
    operator = Operator(product)
    sell_plans(operator)
    page.goto("/login")
    page.get_by_role("link", name="Cadastre sua empresa").click()
    expect(page).to_have_url(re.compile("/signup$"))
    expect(page.get_by_label("Nome da empresa")).to_be_focused()
    expect(page.get_by_role("radio", name="Essencial")).to_be_checked()

    # The name is taken: that is said where it stands.
    type_in(
        page.get_by_label("Nome da empresa"), operator.call("GET", "/companies/list")[0]["name"]
    )
    type_in(page.get_by_label("E-mail", exact=True), "dona@praca.example")
    type_in(page.get_by_label("Telefone com DDD"), "(11) 98888-7777")
    type_in(page.get_by_label("Senha", exact=True), PASSWORD)
    page.get_by_role("radio", name="Profissional").click()
    page.get_by_role("button", name="Criar conta").click()
    expect(page.get_by_role("alert").get_by_text("Já existe uma empresa")).to_be_visible()
    failed = "Erro ao criar usuário. Verifique os dados informados."
    expect(page.get_by_text(failed)).to_be_visible()
    expect(page.get_by_label("Nome da empresa")).to_be_focused()

    type_in(page.get_by_label("Nome da empresa"), "Café da Praça")
    page.get_by_role("button", name="Criar conta").click()
    expect(page).to_have_url(re.compile("/login$"))
    expect(page.get_by_text("Conta criada! Entre com seu e-mail e sua senha.")).to_be_visible()
    expect(page.get_by_label("E-mail", exact=True)).to_have_value("dona@praca.example")
    expect(page.get_by_label("Senha", exact=True)).to_be_focused()

    fill_login(page, "dona@praca.example", PASSWORD)
    expect(page).to_have_url(re.compile("/tickets"))
    expect(page.get_by_text("Sua assinatura vence em 1 dia")).to_be_visible()
    company = operator.company("Café da Praça")
    assert (company["plan"]["name"], company["phone"]) == ("Profissional", "(11) 98888-7777")
    assert company["trialExpiration"] == company["dueDate"]


@pytest.fixture
def company(product: Product) -> Iterator[Overdue]:
    """A company with an admin and an attendant, whose last day was the day before yesterday."""
    opened = Overdue(product)
    yield opened
    opened.operator.make_due(opened.id, 30)


def test_an_overdue_company_pays_by_pix_and_goes_on_without_signing_in(
    product: Product, open_page: OpenPage, bank: Efi, company: Overdue
) -> None:
    # An attendant is told whom to ask.
    attendant = open_page()
    attendant.goto("/login")
    fill_login(attendant, company.attendant, COMMON)
    words = f"Opss! Sua assinatura venceu {company.last_day}."
    ask = "Peça a um administrador da sua empresa que pague a fatura."
    told = attendant.get_by_role("main").get_by_text(words)
    expect(told).to_contain_text(ask)

    # Its admin comes to the invoices, whatever the address, and to nothing else.
    page = open_page()
    page.goto("/contacts")
    fill_login(page, company.admin, COMMON)
    expect(page).to_have_url(re.compile("/financeiro$"))
    expect(page.get_by_role("main").get_by_text(words)).to_be_visible()
    expect(page.get_by_role("navigation")).to_have_count(0)
    page.goto("/tickets")
    expect(page).to_have_url(re.compile("/financeiro$"))
    page.get_by_role("button", name="Já paguei").click()
    expect(page.get_by_text("O pagamento ainda não chegou.")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="Plano Essencial")
    expect(row).to_contain_text("Vencido")

    # The bank is away: that is said, and the way on stays.
    row.get_by_role("button", name=re.compile("^PAGAR")).click()
    dialog = page.get_by_role("dialog", name="Falta pouco!")
    step = dialog.get_by_role("list", name="Etapas do pagamento").locator("[aria-current=step]")
    expect(step).to_contain_text("Personalizar")
    dialog.get_by_role("radio", name="Profissional").click()
    dialog.get_by_role("button", name="PRÓXIMO").click()
    expect(step).to_contain_text("Revisar")
    expect(dialog).to_contain_text(re.compile(r"R\$\s149,90"))
    bank.is_down = True
    dialog.get_by_role("button", name="PAGAR").click()
    expect(page.get_by_text(re.compile("Não foi possível gerar o Pix"))).to_be_visible()
    bank.is_down = False
    dialog.get_by_role("button", name="PAGAR").click()
    waiting = "Assinatura realizada com sucesso!, aguardando a realização do pagamento."
    expect(page.get_by_text(waiting)).to_be_visible()

    pix = page.get_by_role("dialog", name="Pagar com Pix")
    expect(pix.get_by_role("img", name="Código QR do Pix")).to_be_visible()
    expect(pix.get_by_text(re.compile("O código vale por mais 59:"))).to_be_visible()
    pix.get_by_role("button", name="Copiar o código Pix").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    [txid] = [txid for txid, charge in bank.charges.items() if charge["pixCopiaECola"] == copied]
    assert bank.charges[txid]["valor"]["original"] == "149.90"
    bank.pay(txid)
    notify(product, txid)

    renewed = re.compile(r"Sua licença foi renovada até \d{2}/\d{2}/\d{4}!")
    expect(pix.get_by_text(renewed)).to_be_visible()
    expect(page).to_have_url(HOME)
    expect(page.get_by_role("navigation").first).to_be_visible()
    expect(page.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()
    page.goto("/financeiro")
    row = page.get_by_role("row").filter(has_text="Plano Profissional")
    expect(row).to_contain_text("PAGO")
    fill_login(attendant, company.attendant, COMMON)
    expect(attendant).to_have_url(re.compile("/tickets"))


def test_a_company_whose_day_ends_while_people_are_in_it_and_a_payment_confirmed_by_hand(
    product: Product, open_page: OpenPage, bank: Efi, company: Overdue
) -> None:
    company.operator.make_due(company.id, 3)
    attendant, boss = open_page(), open_page()
    log_in(attendant, company.attendant)
    log_in(boss, company.admin)
    company.operator.make_due(company.id, -2)
    # Each is told once, on the page that takes the place of what one saw.
    ask = "Peça a um administrador da sua empresa que pague a fatura."
    expect(attendant).to_have_url(re.compile("/login"))
    expect(attendant.get_by_role("main").get_by_role("status")).to_contain_text(ask)
    expect(boss).to_have_url(re.compile("/financeiro$"))
    expect(boss.get_by_role("main").get_by_text("Opss! Sua assinatura venceu")).to_be_visible()

    confirm_by_hand(open_page(), company)
    expect(boss.get_by_text("Sua licença foi renovada até")).to_be_visible()
    expect(boss).to_have_url(HOME)
    expect(boss.get_by_role("navigation").first).to_be_visible()


def test_a_code_whose_hour_is_over_gives_way_to_another(
    product: Product, page: Page, bank: Efi, company: Overdue
) -> None:
    page.clock.install()
    pix = ask_for_code(page, company)
    page.clock.fast_forward("01:00:01")
    expect(pix.get_by_text("O código expirou")).to_be_visible()
    expect(pix.get_by_role("img", name="Código QR do Pix")).to_have_count(0)

    def by_the_pages_clock(route: Route) -> None:
        if route.request.method != "POST":
            route.fallback()
            return
        body = route.fetch().json()
        ends_at = datetime.fromisoformat(body["expiresAt"]) + timedelta(hours=1)
        route.fulfill(json={**body, "expiresAt": ends_at.isoformat()})

    page.route("**/api/subscription", by_the_pages_clock)
    pix.get_by_role("button", name="Gerar novo código").click()
    expect(pix.get_by_role("img", name="Código QR do Pix")).to_be_visible()
    pix.get_by_role("button", name="Copiar o código Pix").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    [txid] = [txid for txid, charge in bank.charges.items() if charge["pixCopiaECola"] == copied]
    bank.pay(txid)
    notify(product, txid)
    expect(pix.get_by_text("Sua licença foi renovada até")).to_be_visible()
    expect(page).to_have_url(HOME)
