"""What replies cost: counted from the first one, priced once the operator has entered prices."""

import csv
import re
from datetime import date

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN
from tests.journeys.operator import AdminForms
from tests.journeys.people import Customer, pick, say, sent, serve, tick
from tests.product import Product

CONNECTION = "Loja Centro"


def meter_of(page: Page) -> Locator:
    """Return the card of the number on the page of costs."""
    page.goto("/costs")
    card = page.get_by_role("list", name="Números oficiais neste mês").get_by_role("listitem")
    return card.filter(has=page.get_by_role("heading", name=CONNECTION))


def test_replies_are_counted_and_then_priced(page: Page, product: Product) -> None:
    customer = Customer(product, "Rita dos custos")
    serve(page, ADMIN, customer)
    say(page, "Custa dez reais")
    expect(tick(sent(page, "Custa dez reais"), "Entregue")).to_be_visible()

    # Nobody has entered an allowance or a price: the page counts, and says what is missing.
    card = meter_of(page)
    expect(card).to_contain_text("Falta a franquia")
    expect(card).to_contain_text("Atendimento, Brasil")
    people = page.get_by_role("row").filter(has_text="Pessoas")
    expect(people).to_contain_text("sem preço")

    forms = AdminForms(product)
    month = date.today().replace(day=1).isoformat()
    forms.post("/admin/costs/serviceallowance/add/", messages="1000", valid_from=month)
    price = {"category": "SERVICE", "country": "BR", "price": "0.05", "currency": "BRL"}
    forms.post("/admin/costs/messageprice/add/", valid_from=month, **price)

    def is_priced() -> bool:
        return "de 1.000 grátis neste mês" in (meter_of(page).text_content() or "")

    for _ in range(60):  # priced anew within a minute
        if is_priced():
            break
        page.wait_for_timeout(1000)
    expect(meter_of(page)).to_contain_text("de 1.000 grátis neste mês")
    expect(card.get_by_role("meter")).to_have_attribute("aria-valuemax", "1000")

    pick(page.get_by_label("Agrupar por"), "Conversa")
    row = page.get_by_role("row").filter(has_text=customer.name)
    expect(row).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Exportar").click()
    lines = list(csv.reader(download.value.path().read_text("utf-8-sig").splitlines()))
    assert any(customer.name in ";".join(line) for line in lines)

    # The conversation, the connection and the dashboard say the same.
    row.click()
    expect(page).to_have_url(re.compile("/tickets/"))
    page.get_by_role("button", name="Dados do contato").first.click()
    cost = page.get_by_role("region", name="Custo das mensagens")
    expect(cost).to_contain_text("grátis")
    page.goto("/connections")
    expect(page.get_by_role("row").filter(has_text=CONNECTION)).to_contain_text("de 1.000 grátis")
    page.goto("/")
    expect(page.get_by_role("main")).to_contain_text("de 1.000 grátis neste mês")
