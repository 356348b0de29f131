"""The way of a company: it signs up, tries, is overdue, pays, and goes on."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.billing_screens import sell_plans
from tests.journeys.operator import Operator
from tests.journeys.people import fill_login, type_in
from tests.product import Product

PASSWORD = "cafe-da-praca"


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
