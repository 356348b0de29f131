"""The dialogs beside a conversation: new ticket, contact."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, CARLA, OpenPage, log_in
from tests.journeys.people import Customer, composer, conversation, pick, serve, type_in
from tests.journeys.transfers import target_field, transfer_of
from tests.product import Product


def open_new_ticket(page: Page) -> Locator:
    """Open the dialog and return it."""
    page.get_by_role("button", name="Novo ticket").first.click()
    dialog = page.get_by_role("dialog", name="Criar ticket")
    expect(dialog).to_be_visible()
    return dialog


def test_a_new_ticket_for_an_unknown_person_makes_the_contact_first(page: Page) -> None:
    log_in(page, ANA)
    dialog = open_new_ticket(page)
    dialog.get_by_role("button", name="Criar ticket").click()
    expect(dialog.get_by_text("Escolha um contato")).to_be_visible()
    expect(dialog.get_by_role("alert").filter(has_text="Selecione uma fila")).to_be_visible()

    contact = dialog.get_by_role("combobox", name="Contato")
    type_in(contact, "Ze")
    expect(page.get_by_text("Digite pelo menos 3 caracteres")).to_be_visible()
    page.keyboard.type("naide Quaresma")
    dialog.get_by_role("option", name="Adicionar Zenaide Quaresma aos contatos").click()
    person = page.get_by_role("dialog", name="Adicionar contato")
    expect(person.get_by_label("Nome", exact=True)).to_have_value("Zenaide Quaresma")
    person.get_by_role("button", name="Adicionar", exact=True).click()
    expect(person.get_by_text("Campo obrigatório!")).to_be_visible()
    type_in(person.get_by_label("Número do WhatsApp"), "5511977770061")
    person.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_role("combobox", name="Contato")).to_have_value("Zenaide Quaresma")
    pick(dialog.get_by_label("Fila", exact=True), "Vendas")
    dialog.get_by_role("button", name="Criar ticket").click()

    expect(page).to_have_url(re.compile(r"/tickets/[0-9a-f-]{36}"))
    pane = conversation(page, "Zenaide Quaresma")
    expect(pane.get_by_text("Atribuído a Ana Prado")).to_be_visible()
    # She has not written yet, so no free text may go to her.
    expect(pane.get_by_text("Este contato ainda não escreveu")).to_be_visible()


def test_a_contact_someone_else_serves_is_explained(product: Product, open_page: OpenPage) -> None:
    ana, carla = open_page(), open_page()
    customer = Customer(product, "Policarpo Quaresma Neto")
    serve(ana, ANA, customer)
    log_in(carla, CARLA)
    dialog = open_new_ticket(carla)
    type_in(dialog.get_by_role("combobox", name="Contato"), "policarpo")
    carla.get_by_role("option", name=customer.name).click()
    pick(dialog.get_by_label("Fila", exact=True), "Vendas")
    dialog.get_by_role("button", name="Criar ticket").click()
    expect(
        dialog.get_by_text("Ana Prado já está atendendo este contato na fila Vendas.")
    ).to_be_visible()

    # The one who holds it is led to it.
    own = open_new_ticket(ana)
    type_in(own.get_by_role("combobox", name="Contato"), "policarpo")
    ana.get_by_role("option", name=customer.name).click()
    pick(own.get_by_label("Fila", exact=True), "Vendas")
    own.get_by_role("button", name="Criar ticket").click()
    expect(own).to_have_count(0)
    expect(conversation(ana, customer.name)).to_be_visible()
    expect(composer(ana)).to_be_visible()


def test_a_new_ticket_with_something_chosen_asks_before_it_closes(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Sinforosa Quaresma")
    customer.write("Olá!")
    log_in(page, ANA)
    dialog = open_new_ticket(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    dialog = open_new_ticket(page)
    type_in(dialog.get_by_role("combobox", name="Contato"), "sinforosa")
    dialog.get_by_role("option", name=customer.name).click()
    pick(dialog.get_by_label("Fila", exact=True), "Vendas")
    page.keyboard.press("Escape")
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    question.get_by_role("button", name="Continuar editando").click()
    expect(dialog.get_by_role("combobox", name="Contato")).to_have_value(customer.name)
    dialog.get_by_role("button", name="Cancelar").click()
    question.get_by_role("button", name="Descartar").click()
    expect(dialog).to_have_count(0)


def test_a_contact_is_edited_from_the_conversation(product: Product, page: Page) -> None:
    customer = Customer(product, "Clotilde")
    pane = serve(page, ANA, customer)
    pane.get_by_role("button", name="Abrir contato de Clotilde").click()
    page.get_by_role("button", name="Editar contato").click()
    dialog = page.get_by_role("dialog", name="Editar contato")
    name = dialog.get_by_label("Nome", exact=True)
    type_in(name, "C")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Muito curto!")).to_be_visible()
    type_in(name, "Clotilde Sarmento")
    type_in(dialog.get_by_label("E-mail"), "sem arroba")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("E-mail inválido")).to_be_visible()

    # What was typed is not lost by Escape or by closing: both ask first.
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Continuar editando").click()
    expect(name).to_have_value("Clotilde Sarmento")
    dialog.get_by_role("button", name="Fechar").click()
    page.get_by_role("button", name="Continuar editando").click()
    type_in(dialog.get_by_label("E-mail"), "clotilde@exemplo.com.br")
    dialog.get_by_role("button", name="Adicionar informação").click()
    type_in(dialog.get_by_label("Nome do campo"), "Cidade")
    type_in(dialog.get_by_label("Valor"), "Cunha")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    renamed = conversation(page, "Clotilde Sarmento")
    expect(renamed).to_be_visible()
    page.get_by_role("button", name="Editar contato").click()
    expect(dialog.get_by_label("Valor")).to_have_value("Cunha")


def leave_transfer(page: Page, dialog: Locator) -> None:
    """Close by keyboard the list of whom to pass to, then the dialog itself."""
    page.keyboard.press("Escape")
    expect(target_field(dialog)).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_buttons_tooltip_goes_before_the_dialog_that_it_opens(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Tertuliano Brandão")
    pane = serve(page, ANA, customer)
    button = pane.get_by_role("button", name="Transferir")
    tooltip = page.get_by_role("tooltip")

    # By mouse: it rests, presses, and rests on while the dialog comes and goes.
    button.hover()
    expect(tooltip).to_have_text("Transferir")
    page.mouse.down()
    expect(tooltip).to_have_count(0)
    page.mouse.up()
    dialog = transfer_of(page, customer.name)
    expect(tooltip).to_have_count(0)
    leave_transfer(page, dialog)
    expect(button).to_be_focused()
    expect(tooltip).to_have_count(0)

    # By keyboard.
    page.keyboard.press("Tab")
    expect(tooltip).to_have_text("Buscar na conversa")
    page.keyboard.press("Shift+Tab")
    expect(tooltip).to_have_text("Transferir")
    page.keyboard.press("Enter")
    transfer_of(page, customer.name)
    expect(tooltip).to_have_count(0)

    # By another key than its own.
    leave_transfer(page, dialog)
    expect(button).to_be_focused()
    page.mouse.move(5, 5)
    button.hover()
    expect(tooltip).to_have_text("Transferir")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(tooltip).to_have_count(0)
