"""Customers with a username: without a number, answered, and one contact once it is known."""

import re
from secrets import choice
from string import ascii_lowercase
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    accept,
    conversation,
    press_box,
    say,
    sent,
    tick,
    token,
    type_in,
)
from tests.journeys.test_contacts_page import contact_row, search
from tests.journeys.test_drawer import open_drawer
from tests.journeys.test_templates import option
from tests.product import Product


def shown(number: str) -> str:
    return f"+55 {number[2:4]} {number[4:9]}-{number[9:]}"


def profile(phone: Page, customer: Customer) -> Locator:
    """Open what a customer is called at WhatsApp, on their telephone."""
    phone.goto(customer.phone_address)
    phone.get_by_role("button", name="Nome de usuário").click()
    return phone.get_by_role("dialog", name=f"WhatsApp de {customer.name}")


def save(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)


def call(page: Page, method: str, path: str, data: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {token(page)}"}
    answer = page.request.fetch(f"/api{path}", method=method, data=data, headers=headers)
    assert answer.ok, answer.text()
    return answer.json()


def test_who_hides_the_number_is_answered_and_later_becomes_one_contact(
    product: Product, page: Page, open_page: OpenPage
) -> None:
    # Of this run alone: a second try finds what the first one left.
    word = "".join(choice(ascii_lowercase) for _ in range(8))
    name, username, typed_name = f"Iolanda {word}", f"iolanda.{word}", f"Dona {word}"
    customer, phone = Customer(product, name), open_page()
    dialog = profile(phone, customer)
    hides = dialog.get_by_role("checkbox", name="Esconder o número das empresas")
    expect(hides).to_be_disabled()
    type_in(dialog.get_by_label("Nome de usuário"), "io")
    press_box(dialog, "Esconder o número das empresas")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Use de 3 a 35 letras sem acento")).to_be_visible()
    type_in(dialog.get_by_label("Nome de usuário"), username)
    save(dialog)
    expect(phone.get_by_text(f"@{username}")).to_be_visible()

    # Somebody typed her number long before; nobody knows that it is she.
    log_in(page, ADMIN)
    typed = {"name": typed_name, "number": customer.number, "email": "io@exemplo.com.br"}
    call(page, "POST", "/contacts", typed)

    inbox = open_page()
    log_in(inbox, ANA)
    customer.write("Bom dia! Prefiro não passar meu número.")
    pane = accept(inbox, customer.name)
    drawer = open_drawer(inbox, customer.name)
    expect(drawer.get_by_text(f"@{username}").first).to_be_visible()
    expect(drawer.get_by_text(re.compile(r"^BR\.\d+$"))).to_be_visible()
    expect(drawer.get_by_text(shown(customer.number))).to_have_count(0)
    say(inbox, "Sem problema, Iolanda!")
    expect(tick(sent(inbox, "Sem problema"), "Entregue")).to_be_visible()
    customer.wait_for_texts("Sem problema, Iolanda!")

    # A code needs a number, and the list of templates says so.
    pane.get_by_role("button", name="Modelos de mensagem").click()
    chooser = inbox.get_by_role("dialog", name=re.compile("^Enviar modelo para"))
    code = option(chooser, "codigo_de_acesso")
    expect(code).to_contain_text("Só com o número de telefone do contato")
    expect(code).to_have_attribute("aria-disabled", "true")
    expect(option(chooser, "retomar_conversa")).to_have_attribute("aria-disabled", "false")
    chooser.get_by_role("button", name="Fechar").click()
    expect(chooser).to_have_count(0)

    # Found by her username, once.
    page.goto("/contacts")
    search(page, username)
    expect(contact_row(page, customer.name)).to_contain_text(f"@{username}")
    expect(page.get_by_text("1 contato", exact=True)).to_be_visible()

    # She shows the number: both were one person all along.
    dialog = profile(phone, customer)
    press_box(dialog, "Esconder o número das empresas")
    save(dialog)
    customer.write("Pode me ligar, é este número.")
    log = conversation(inbox, typed_name).get_by_role("log")
    expect(log.get_by_text("Pode me ligar, é este número.")).to_have_count(1)
    expect(log.get_by_text("Prefiro não passar meu número")).to_have_count(1)
    expect(drawer.get_by_text(shown(customer.number))).to_be_visible()
    expect(drawer.get_by_text("io@exemplo.com.br")).to_be_visible()
    expect(drawer.get_by_text(f"@{username}")).to_be_visible()
    search(page, word)
    expect(page.get_by_text("1 contato", exact=True)).to_be_visible()
    say(inbox, "Obrigada, já anotei.")
    customer.wait_for_texts("Sem problema, Iolanda!", "Obrigada, já anotei.")
