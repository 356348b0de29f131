"""What replies cost: counted from the first one, priced once the operator has entered prices."""

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.operator import AdminForms
from tests.journeys.people import (
    BOT_NUMBER,
    Customer,
    open_waiting,
    pick,
    say,
    sent,
    serve,
    tick,
)
from tests.product import Product, wait_for

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


@contextmanager
def nothing_is_free(product: Product) -> Iterator[None]:
    """Have prices and no free messages this month."""
    forms = AdminForms(product)
    month = date.today().replace(day=1).isoformat()
    allowances = "/admin/costs/serviceallowance"
    if not forms.has_rows(f"{allowances}/"):
        forms.post(f"{allowances}/add/", messages="1000", valid_from=month)
    if not forms.has_rows("/admin/costs/messageprice/"):
        price = {"category": "SERVICE", "country": "BR", "price": "0.05", "currency": "BRL"}
        forms.post("/admin/costs/messageprice/add/", valid_from=month, **price)
    change = f"{allowances}/{forms.first_id(f'{allowances}/')}/change/"
    forms.post(change, messages="0", valid_from=month)
    try:
        yield
    finally:
        forms.post(change, messages="1000", valid_from=month)


def go_to_sales(product: Product, name: str, *came: str) -> Customer:
    """Have a customer choose Vendas in the bot's menu; these texts come, and no other."""
    customer = Customer(product, name, to=BOT_NUMBER)
    customer.write("Oi")
    customer.wait_for_texts("Casa Aroeira, loja do bairro")
    customer.write("Vendas")
    customer.wait_for_texts("Casa Aroeira, loja do bairro", *came)
    return customer


def test_a_greeting_is_stopped_by_a_click_and_sent_again_by_another(
    page: Page, product: Product
) -> None:
    greeting = "Aqui é a equipe de vendas"
    with nothing_is_free(product):
        go_to_sales(product, "Saulo Saudado", greeting)
        log_in(page, ADMIN, at="/costs")
        texts = page.get_by_role("list", name="Textos automáticos")
        row = texts.get_by_role("listitem").filter(has_text="Saudação da fila: Vendas")

        def is_charged() -> bool:
            page.reload()
            expect(row).to_be_visible()
            return "R$" in (row.text_content() or "")

        wait_for(is_charged, "the price of the greeting", 90)  # priced anew within a minute
        expect(row).to_contain_text("cobrada")

        row.get_by_role("button", name="Parar de enviar").click()
        dialog = page.get_by_role("alertdialog")
        expect(dialog).to_contain_text("não recebe mais a saudação")
        expect(dialog).to_contain_text(greeting)
        dialog.get_by_role("button", name="Parar de enviar").click()
        try:
            expect(row).to_contain_text("Parado")
            expect(dialog).to_have_count(0)

            # The next customer comes into the queue, and hears nothing more.
            customer = go_to_sales(product, "Quirino Quieto")
            page.goto("/tickets")
            thread = open_waiting(page, customer.name).get_by_role("log")
            expect(thread.get_by_text("O contato escolheu Vendas no menu")).to_be_visible()
            expect(thread.get_by_text(greeting)).to_have_count(0)
            assert len(customer.received()) == 1
        finally:
            page.goto("/costs")
            row.get_by_role("button", name="Voltar a enviar").click()
            expect(row.get_by_role("button", name="Parar de enviar")).to_be_visible()
        go_to_sales(product, "Regina Recebida", greeting)
