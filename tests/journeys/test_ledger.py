"""The super user's invoices, and a change of plan that is paid through them."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.billing_screens import sell_plans
from tests.journeys.conftest import SUPER, OpenPage, log_in
from tests.journeys.operator import Operator
from tests.journeys.people import pick, type_in
from tests.product import Product

NAME = "Padaria Estrela"
EMAIL = "dona@estrela.example"


def open_invoice(page: Page, status: str, words: str) -> Locator:
    """Narrow the list by its filter, open the company's invoice, and return its dialog."""
    pick(page.get_by_label("Situação"), status)
    row = page.get_by_role("row").filter(has_text=words)
    expect(row).to_have_count(1)
    row.get_by_role("button", name=re.compile(f"^Abrir a fatura .* de {NAME}$")).click()
    dialog = page.get_by_role("dialog", name=re.compile("^Fatura "))
    expect(dialog.get_by_text(words)).to_be_visible()
    return dialog


def register(page: Page, dialog: Locator, value: str | None = None) -> None:
    """Register a payment, of what is due unless a value is typed."""
    dialog.get_by_role("button", name="Registrar pagamento").click()
    form = page.get_by_role("dialog", name="Registrar pagamento")
    if value:
        type_in(form.get_by_label("Valor em reais"), value)
    form.get_by_role("button", name="Registrar pagamento").click()
    expect(page.get_by_text("Pagamento registrado.").first).to_be_visible()
    expect(form).to_have_count(0)


def test_a_plan_is_changed_paid_in_two_parts_and_given_back(
    product: Product, open_page: OpenPage
) -> None:
    operator = Operator(product)
    plan = sell_plans(operator)
    operator.open_company(NAME, EMAIL, plan, days=5)
    boss, office = open_page(), open_page()
    log_in(office, SUPER, at="/settings?tab=billing")
    type_in(office.get_by_label("Buscar por empresa, detalhe ou id"), NAME)

    # The month is paid in two parts.
    dialog = open_invoice(office, "Em aberto", "Plano Essencial")
    register(office, dialog, "20,00")
    expect(dialog.get_by_text("Parcial", exact=False).first).to_be_visible()
    expect(dialog.get_by_text(re.compile(r"R\$\s29,90")).first).to_be_visible()
    office.keyboard.press("Escape")
    dialog = open_invoice(office, "Paga em parte", "Plano Essencial")
    register(office, dialog)
    expect(dialog.get_by_text("Paga", exact=True)).to_be_visible()
    office.keyboard.press("Escape")

    # Its admin asks for the larger plan, and gets it once the difference is paid.
    log_in(boss, EMAIL, at="/subscription")
    section = boss.get_by_role("region", name="Plano e uso")
    section.get_by_role("button", name="Mudar para o plano Profissional").click()
    question = boss.get_by_role("alertdialog", name="Mudar para o plano Profissional?")
    expect(question).to_contain_text("A diferença até")
    question.get_by_role("button", name="Gerar fatura").click()
    expect(section.get_by_role("status")).to_contain_text("o plano muda quando a fatura")
    dialog = open_invoice(office, "Em aberto", "Mudança para o plano Profissional")
    register(office, dialog)
    own = section.get_by_role("listitem").filter(has_text="Profissional")
    expect(own.get_by_text("Seu plano")).to_be_visible()
    expect(section.get_by_role("status")).to_have_count(0)

    # The money goes back.
    dialog.get_by_role("button", name="Marcar como devolvido").click()
    form = office.get_by_role("dialog", name="Marcar como devolvido")
    form.get_by_role("button", name="Marcar como devolvido").click()
    expect(office.get_by_text("Devolução registrada.")).to_be_visible()
    expect(dialog.get_by_text("devolvido:")).to_be_visible()
    expect(dialog.get_by_text("Estornada")).to_be_visible()
