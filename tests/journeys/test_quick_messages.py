"""Quick messages: kept on their page, shared, switched off, and sent from a conversation."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    accept,
    attach,
    composer,
    conversation,
    press,
    sent,
    serve,
    tick,
    type_in,
)
from tests.product import ROOT, Product, wait_for

SAMPLES = ROOT / "apps/simulator/samples"


def open_quick_messages(page: Page, email: str) -> None:
    log_in(page, email)
    page.get_by_role("link", name="Respostas rápidas").click()
    expect(page.get_by_role("table", name="Respostas rápidas")).to_be_visible()


def row_of(page: Page, shortcode: str) -> Locator:
    cell = page.get_by_role("cell", name=f"/{shortcode}", exact=True)
    return page.get_by_role("row").filter(has=cell)


def fill_dialog(page: Page, shortcode: str, message: str) -> Locator:
    page.get_by_role("button", name="Adicionar resposta rápida").click()
    dialog = page.get_by_role("dialog", name="Adicionar resposta rápida")
    type_in(dialog.get_by_label("Atalho"), shortcode)
    type_in(dialog.get_by_label("Mensagem"), message)
    return dialog


def test_a_quick_message_is_written_with_a_variable_and_a_file_and_sent(
    product: Product, page: Page
) -> None:
    open_quick_messages(page, ANA)
    page.get_by_role("button", name="Adicionar resposta rápida").click()
    dialog = page.get_by_role("dialog", name="Adicionar resposta rápida")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Obrigatório", exact=True)).to_be_visible()

    type_in(dialog.get_by_label("Atalho"), "/vitrine")
    message = dialog.get_by_label("Mensagem")
    type_in(message, "Olá, ! Estes são os *vasos*.")
    page.keyboard.press("Home")
    for _ in "Olá, ":
        page.keyboard.press("ArrowRight")
    dialog.get_by_role("button", name="Primeiro nome").click()
    expect(message).to_have_value("Olá, {{firstName}}! Estes são os *vasos*.")
    expect(message).to_be_focused()
    preview = dialog.get_by_role("region", name="Como o cliente vê")
    expect(preview).to_contain_text("Olá, Mariana! Estes são os vasos.")
    attach(dialog.get_by_role("button", name="Anexar arquivo"), SAMPLES / "vasos.jpg")
    expect(preview.get_by_role("img", name="vasos.jpg")).to_be_visible()
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    made = row_of(page, "vitrine")
    expect(made).to_contain_text("vasos.jpg")
    expect(made).to_contain_text("Só você")

    customer = Customer(product, "Eulália Brum")
    customer.write("Quais vasos vocês têm?")
    page.goto("/tickets")
    accept(page, customer.name)
    type_in(composer(page), "/vit")
    expect(page.get_by_role("option").filter(has_text="/vitrine")).to_be_visible()
    press(composer(page), "Enter")
    expect(composer(page)).to_have_value("Olá, Eulália! Estes são os *vasos*.")
    files = page.get_by_role("list", name="Arquivos para enviar")
    expect(files.get_by_role("img", name="vasos.jpg")).to_be_visible()
    # What waits to be sent is there again after a reload, its file too.
    page.reload()
    expect(composer(page)).to_have_value("Olá, Eulália! Estes são os *vasos*.")
    expect(files.get_by_role("img", name="vasos.jpg")).to_be_visible()
    press(composer(page), "Enter")
    mine = sent(page, "Estes são os vasos.")
    expect(mine.get_by_role("img", name=re.compile("vasos"))).to_be_visible()
    expect(tick(mine, "Entregue")).to_be_visible()
    expect(files).to_have_count(0)
    body = customer.received()[-1]["body"]
    assert "Olá, Eulália!" in body["caption"], body


def test_a_shared_one_reaches_colleagues_live_and_leaves_when_it_is_taken_back(
    product: Product, open_page: OpenPage
) -> None:
    admin, colleague = open_page(), open_page()
    open_quick_messages(admin, ADMIN)
    open_quick_messages(colleague, BRUNO)
    dialog = fill_dialog(admin, "feriado", "Amanhã abrimos às 10h.")
    dialog.get_by_text("Geral", exact=True).click()
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    theirs = row_of(colleague, "feriado")
    expect(theirs).to_contain_text("Geral")
    # It is not theirs to change.
    expect(theirs.get_by_role("button", name="Editar /feriado")).to_have_count(0)
    theirs.click()
    shown = colleague.get_by_role("dialog", name="Resposta rápida geral")
    expect(shown.get_by_text("Compartilhada por um colega.")).to_be_visible()
    shown.get_by_role("button", name="Fechar").last.click()

    mine = row_of(admin, "feriado")
    mine.get_by_text("Amanhã abrimos").click()
    edit = admin.get_by_role("dialog", name="Editar resposta rápida")
    edit.get_by_text("Geral", exact=True).click()
    edit.get_by_role("button", name="Salvar").click()
    expect(edit).to_have_count(0)
    expect(theirs).to_have_count(0)
    expect(mine).to_contain_text("Só você")
    mine.get_by_role("button", name="Excluir /feriado").click()
    confirm = admin.get_by_role("alertdialog")
    expect(confirm).to_contain_text("Excluir /feriado?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(mine).to_have_count(0)


def test_one_that_is_switched_off_is_no_longer_offered(product: Product, page: Page) -> None:
    open_quick_messages(page, ANA)
    dialog = fill_dialog(page, "inverno", "A coleção de inverno chegou.")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    again = fill_dialog(page, "Inverno", "Outra vez")
    again.get_by_role("button", name="Adicionar", exact=True).click()
    expect(again.get_by_text("Já existe uma resposta rápida sua com este atalho.")).to_be_visible()
    again.get_by_role("button", name="Cancelar").click()
    expect(again).to_have_count(0)

    customer = Customer(product, "Teodora Pinho")
    serve(page, ANA, customer)
    option = page.get_by_role("option").filter(has_text="/inverno")
    type_in(composer(page), "/inv")
    expect(option).to_be_visible()
    type_in(composer(page), "")
    page.goto("/quick-messages")
    made = row_of(page, "inverno")
    made.get_by_text("Ativa").or_(made.locator("label")).last.click()
    expect(made.get_by_role("checkbox", name="/inverno ativa")).not_to_be_checked()
    type_in(page.get_by_placeholder("Buscar por atalho ou texto"), "nada que exista")
    expect(page.get_by_text("Nada encontrado para “nada que exista”")).to_be_visible()
    type_in(page.get_by_placeholder("Buscar por atalho ou texto"), "coleção de INVERNO")
    expect(made).to_be_visible()
    page.go_back()
    expect(conversation(page, customer.name)).to_be_visible()
    type_in(composer(page), "/inv")
    press(composer(page), "Enter")
    expect(sent(page, "/inv")).to_be_visible()
    wait_for(lambda: "/inv" in str(customer.received()[-1:]), "the text on the telephone")
