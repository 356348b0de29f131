"""The contacts page: search, add, start a conversation, choose, delete, take out, live."""

import csv
import re
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, CARLA, log_in
from tests.journeys.people import Customer, conversation, press_box, type_in, wait_in
from tests.product import Product

SIZES = pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])


def open_contacts(page: Page, email: str = ADMIN, *, narrow: bool = False) -> None:
    if narrow:
        page.set_viewport_size({"width": 390, "height": 844})
    log_in(page, email, at="/contacts")
    expect(page.get_by_role("status").filter(has_text="contatos")).to_be_visible()


def search(page: Page, text: str) -> None:
    type_in(page.get_by_role("searchbox", name="Buscar por nome, número, usuário ou e-mail"), text)


def contact_row(page: Page, name: str) -> Locator:
    """A contact's row of the table, or its card."""
    card = page.get_by_role("button", name=re.compile(f"^{name} "))
    return page.get_by_role("row", name=name).or_(card)


def add(page: Page, name: str, number: str) -> Locator:
    """Fill the dialog of a new contact and return it."""
    page.get_by_role("button", name="Adicionar contato").first.click()
    dialog = page.get_by_role("dialog", name="Adicionar contato")
    type_in(dialog.get_by_label("Nome", exact=True), name)
    type_in(dialog.get_by_label("Número do WhatsApp"), number)
    return dialog


@SIZES
def test_a_new_contact_becomes_a_conversation(page: Page, narrow: bool) -> None:
    name = "Zilda Estreita" if narrow else "Zilda Larga"
    number = "5511970000001" if narrow else "5511970000002"
    open_contacts(page, narrow=narrow)
    dialog = add(page, name, "123")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Muito curto!")).to_be_visible()
    type_in(dialog.get_by_label("Número do WhatsApp"), number)
    dialog.get_by_role("button", name="Salvar e iniciar atendimento").click()
    ticket = page.get_by_role("dialog", name="Criar ticket")
    expect(ticket.get_by_role("combobox", name="Contato")).to_have_value(name)
    ticket.get_by_role("button", name="Criar ticket").click()
    page.wait_for_url(re.compile(r"/tickets/[0-9a-f-]{36}"))
    expect(page.get_by_text(name).first).to_be_visible()


@SIZES
def test_a_contact_leads_to_its_conversation(page: Page, product: Product, narrow: bool) -> None:
    customer = Customer(product, "Olívia Estreita" if narrow else "Olívia Larga")
    customer.write("Ainda tem a travessa?")
    open_contacts(page, narrow=narrow)
    search(page, customer.name)
    if narrow:
        page.get_by_role("button", name=f"Ações de {customer.name}").click()
        page.get_by_role("menuitem", name="Abrir atendimento").click()
    else:
        page.get_by_role("button", name=f"Abrir o atendimento de {customer.name}").click()
    page.wait_for_url(re.compile(r"/tickets/[0-9a-f-]{36}"))
    expect(conversation(page, customer.name)).to_be_visible()


def test_a_number_that_is_taken_is_said_at_its_field(page: Page, product: Product) -> None:
    known = Customer(product, "Quitéria Sabida")
    known.write("Oi")
    open_contacts(page)
    search(page, "quiteria")
    expect(contact_row(page, "Quitéria Sabida")).to_be_visible()
    dialog = add(page, "Outra Quitéria", known.number)
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Já existe um contato com este número.")).to_be_visible()
    expect(dialog.get_by_label("Número do WhatsApp")).to_be_focused()


@SIZES
def test_who_writes_shows_up_and_who_is_renamed_follows(
    page: Page, product: Product, narrow: bool
) -> None:
    open_contacts(page, narrow=narrow)
    name = "Aarão Estreito" if narrow else "Aarão Largo"
    search(page, name)
    expect(page.get_by_text(f"Nenhum contato encontrado para “{name}”")).to_be_visible()
    search(page, "")
    Customer(product, name).write("Cheguei")
    row = contact_row(page, name)
    expect(row).to_be_visible()
    row.first.click()
    dialog = page.get_by_role("dialog", name="Editar contato")
    type_in(dialog.get_by_label("Nome", exact=True), f"{name} Filho")
    dialog.get_by_role("button", name="Salvar", exact=True).click()
    expect(page.get_by_text("Contato salvo com sucesso.")).to_be_visible()
    expect(contact_row(page, f"{name} Filho")).to_be_visible()


def test_several_are_chosen_and_deleted(page: Page, product: Product) -> None:
    for number in range(3):
        Customer(product, f"Xisto Passageiro {number}").write("Tchau")
    open_contacts(page)
    search(page, "xisto pass")
    expect(page.get_by_text("3 contatos", exact=True)).to_be_visible()
    press_box(page, "Selecionar todos os contatos mostrados")
    press_box(page, "Selecionar Xisto Passageiro 1")
    expect(page.get_by_text("2 contatos selecionados")).to_be_visible()
    page.get_by_role("button", name="Excluir", exact=True).click()
    question = page.get_by_role("alertdialog", name="Excluir 2 contatos?")
    expect(question).to_contain_text("Xisto Passageiro 0, Xisto Passageiro 2")
    question.get_by_role("button", name="Excluir").click()
    expect(page.get_by_text("2 contatos excluídos.")).to_be_visible()
    expect(contact_row(page, "Xisto Passageiro 1")).to_be_visible()
    expect(contact_row(page, "Xisto Passageiro 0")).to_have_count(0)
    expect(page.get_by_text("1 contato", exact=True)).to_be_visible()


def test_an_attendant_deletes_no_contacts(page: Page) -> None:
    open_contacts(page, CARLA)
    page.get_by_role("button", name=re.compile("^Ações de ")).first.click()
    expect(page.get_by_role("menuitem", name="Editar contato")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    expect(page.get_by_role("menuitem", name="Excluir contato")).to_have_count(0)


@SIZES
def test_what_a_search_finds_is_taken_out_as_a_file(
    page: Page, product: Product, tmp_path: Path, narrow: bool
) -> None:
    name = "Yolanda Estreita" if narrow else "Yolanda Larga"
    customer = Customer(product, name)
    customer.write("Oi")
    open_contacts(page, narrow=narrow)
    search(page, name)
    expect(contact_row(page, name)).to_be_visible()
    page.get_by_role("button", name="Importar/Exportar").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Exportar os encontrados (CSV)").click()
    assert download.value.suggested_filename == "contacts.csv"
    download.value.save_as(tmp_path / "contacts.csv")
    text = (tmp_path / "contacts.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.reader(StringIO(text, newline=""), delimiter=";"))
    assert rows[0] == ["name", "whatsapp", "email", "username", "userId"]
    assert [row[:3] for row in rows[1:]] == [[name, customer.number, ""]]


def test_an_official_number_says_that_it_has_no_address_book(page: Page) -> None:
    open_contacts(page)
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar contatos do telefone").click()
    dialog = page.get_by_role("dialog", name="Importar contatos")
    dialog.get_by_role("button", name="Importar").click()
    expect(dialog.get_by_role("alert")).to_contain_text("não permite listar os contatos")


def test_a_message_is_planned_from_the_row(page: Page) -> None:
    open_contacts(page)
    page.get_by_role("button", name=re.compile("^Ações de ")).first.click()
    page.get_by_role("menuitem", name="Agendar mensagem").click()
    page.wait_for_url(re.compile(r"/schedules\?contactId=\d+"))


def test_the_list_goes_on_by_scrolling(page: Page) -> None:
    open_contacts(page)
    rows = page.get_by_role("table", name="Contatos").get_by_role("row")
    expect(rows.nth(5)).to_be_visible()
    table = page.get_by_role("table", name="Contatos")
    table.hover()
    seventieth = table.locator("tr[aria-rowindex='70']")
    for _ in range(40):
        if seventieth.count():
            break
        page.mouse.wheel(0, 900)
        wait_in(page, "() => !document.querySelector('tfoot [role=status]')")
    expect(seventieth).to_be_visible()
