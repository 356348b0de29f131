"""Buttons, lists and requests that a person sends, and what the customer's telephone answers."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import Customer, Simulator, accept, conversation, row, type_in
from tests.product import Product, wait_for


@pytest.fixture
def simulator(product: Product) -> Iterator[Simulator]:
    """The simulator, whole again afterwards."""
    simulator = Simulator(product)
    yield simulator
    simulator.heal()


def open_dialog(pane: Locator, name: str, kind: str) -> Locator:
    """Open the dialog of interactive messages at a kind."""
    pane.get_by_role("button", name="Mensagem interativa").click()
    dialog = pane.page.get_by_role("dialog", name=f"Mensagem interativa para {name}")
    dialog.get_by_role("button", name=re.compile(f"^{kind}")).click()
    return dialog


def test_the_customer_presses_a_button_and_shares_the_number(
    page: Page, product: Product, simulator: Simulator
) -> None:
    customer = Customer(product, "Otília Ramos")
    log_in(page, ADMIN)
    customer.write("Quando chega?")
    accept(page, customer.name)
    pane = conversation(page, customer.name)

    dialog = open_dialog(pane, customer.name, "Botões")
    type_in(dialog.get_by_label("Texto", exact=True), "Quando você recebe?")
    type_in(dialog.get_by_role("textbox", name="Botão 1"), "De manhã")
    dialog.get_by_role("button", name="Enviar").click()
    # The second button is still empty.
    expect(dialog.get_by_text("Preencha este campo.")).to_be_visible()
    type_in(dialog.get_by_role("textbox", name="Botão 2"), "À tarde")
    expect(dialog.get_by_role("region", name="Prévia").get_by_text("À tarde")).to_be_visible()
    dialog.get_by_role("button", name="Enviar").click()
    expect(dialog).to_be_hidden()
    log = pane.get_by_role("log")
    expect(log.get_by_text("Quando você recebe?")).to_be_visible()

    phone = page.context.new_page()
    phone.goto(customer.phone_address)
    phone.get_by_role("button", name="À tarde").click()
    answer = log.get_by_role("group").last
    expect(answer).to_contain_text("À tarde")
    # It quotes what was pressed.
    expect(answer).to_contain_text("Quando você recebe?")
    # The bot stays away.
    assert len(customer.received()) == 1

    dialog = open_dialog(pane, customer.name, "Pedir telefone")
    type_in(dialog.get_by_label("Texto", exact=True), "Qual é o seu número?")
    dialog.get_by_role("button", name="Enviar").click()
    phone.get_by_role("button", name="Compartilhar contato").click()
    wait_for(lambda: customer.messages()[-1]["type"] == "contacts", "the customer's number")
    expect(log.get_by_role("group").last).to_contain_text(customer.name)
    phone.close()


def test_products_of_the_catalogue_are_searched_and_sent(
    page: Page, product: Product, simulator: Simulator
) -> None:
    customer = Customer(product, "Leonor Dias")
    log_in(page, ADMIN)
    customer.write("Que canecas vocês têm?")
    accept(page, customer.name)
    pane = conversation(page, customer.name)
    dialog = open_dialog(pane, customer.name, "Produto")
    type_in(dialog.get_by_role("combobox", name="Produto"), "caneca")
    dialog.get_by_role("option", name=re.compile("azul-cobalto")).click()
    dialog.get_by_role("button", name="Enviar").click()
    log = pane.get_by_role("log")
    expect(log.get_by_text("Caneca azul-cobalto")).to_be_visible()
    wait_for(lambda: bool(customer.received()), "the product")
    [sent] = customer.received()
    assert sent["body"]["action"]["product_retailer_id"] == "caneca-azul"
    expect(row(page, "Atendendo", customer.name)).to_contain_text("Caneca azul-cobalto")
