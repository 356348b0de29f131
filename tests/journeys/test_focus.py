"""Where the keys go: into a dialog's first field, back to what opened it, and nowhere lost."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import Customer, accept, composer, conversation, type_in
from tests.journeys.screens import SCREENS
from tests.product import Product

# By page: the button that opens a form, the form's name, and its first field.
FORMS = {
    "/users": ("Adicionar usuário", "Adicionar usuário", "Nome"),
    "/connections": ("Adicionar conexão", "Adicionar conexão", "Nome"),
    "/queues": ("Nova fila", "Nova fila", "Nome"),
    "/tags": ("Adicionar tag", "Adicionar tag", "Nome"),
    "/prompts": ("Adicionar prompt", "Adicionar prompt", "Nome"),
    "/queue-integration": ("Adicionar integração", "Adicionar integração", "Nome"),
    "/quick-messages": ("Adicionar resposta rápida", "Adicionar resposta rápida", "Atalho"),
    "/files": ("Adicionar lista", "Adicionar lista de arquivos", "Nome"),
    "/contact-lists": ("Adicionar lista", "Adicionar lista de contatos", "Nome"),
    "/opt-outs": ("Adicionar número", "Adicionar número", "Número"),
    "/contacts": ("Adicionar contato", "Adicionar contato", "Nome"),
    "/schedules?view=list": ("Novo agendamento", "Agendar mensagem", "Contato"),
    "/tickets": ("Novo ticket", "Criar ticket", "Contato"),
}
# Nothing is lost with what was looked for to choose from.
CHOICES = ("/schedules?view=list", "/tickets")


@pytest.fixture(autouse=True)
def nothing_gets_lost(page: Page) -> Iterator[None]:
    """After each journey something in the page has the focus."""
    yield
    expect(page.locator("body :focus")).to_have_count(1)


def expect_back_at(opener: Locator, dialog: Locator) -> None:
    """The dialog is gone and the focus is where it came from."""
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.parametrize("address", FORMS)
def test_a_form_takes_the_keys_at_once_and_gives_the_focus_back(page: Page, address: str) -> None:
    button, name, label = FORMS[address]
    log_in(page, ADMIN)
    page.goto(address)
    opener = page.get_by_role("button", name=button, exact=True).first
    dialog = page.get_by_role("dialog", name=name)
    field = dialog.get_by_role("textbox", name=label, exact=True)
    if address in CHOICES:
        field = dialog.get_by_role("combobox", name=label)

    opener.click()
    expect(dialog).to_be_visible()
    page.keyboard.type("Xandra")
    expect(field).to_have_value("Xandra")
    expect(field).to_be_focused()
    if address not in CHOICES:
        _leave_unsaved(page, dialog, field)
        expect_back_at(opener, dialog)

        # By keys alone, with nothing to lose.
        page.keyboard.press("Enter")
        expect(field).to_be_focused()
    page.keyboard.press("Escape")
    if dialog.count():  # What it offered to choose from closed first.
        page.keyboard.press("Escape")
    expect_back_at(opener, dialog)


def _leave_unsaved(page: Page, dialog: Locator, field: Locator) -> None:
    """Escape and 'Cancelar' ask once; going on editing loses nothing, not even the place."""
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    page.keyboard.press("Escape")
    expect(question.get_by_role("button", name="Continuar editando")).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(field).to_be_focused()
    expect(field).to_have_value("Xandra")
    dialog.get_by_role("button", name="Cancelar", exact=True).click()
    question.get_by_role("button", name="Descartar").click()
    expect(question).to_have_count(0)


def test_a_row_a_pencil_and_a_bin_get_the_focus_back(page: Page) -> None:
    log_in(page, ADMIN, at="/users")
    row = page.get_by_role("row").filter(has_text="Ana Prado")
    dialog = page.get_by_role("dialog", name="Editar usuário")
    row.click(position={"x": 5, "y": 5})
    expect(dialog.get_by_label("Nome", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect_back_at(row, dialog)

    pencil = row.get_by_role("button", name="Editar Ana Prado")
    pencil.click()
    expect(dialog.get_by_label("Nome", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect_back_at(pencil, dialog)

    bin = row.get_by_role("button", name="Excluir Ana Prado")
    bin.click()
    question = page.get_by_role("alertdialog")
    expect(question.get_by_role("button", name="Cancelar")).to_be_focused()
    page.keyboard.press("Escape")
    expect_back_at(bin, question)


def test_a_deleted_row_leaves_the_focus_to_the_one_beside_it(page: Page) -> None:
    log_in(page, ADMIN, at="/tags")
    for name in ("Aa focada", "Ab vizinha"):
        page.get_by_role("button", name="Adicionar tag").click()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("row", name=name)).to_be_visible()
    for name, neighbour in (("Aa focada", "Ab vizinha"), ("Ab vizinha", "")):
        page.get_by_role("button", name=f"Excluir {name}").click()
        page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
        expect(page.get_by_role("row", name=name)).to_have_count(0)
        expect(page.locator("tr:focus, tr:has(:focus)")).to_contain_text(neighbour)


def test_a_menu_that_is_gone_leaves_the_focus_to_its_button(page: Page) -> None:
    log_in(page, ADMIN)
    account = page.get_by_role("button", name=re.compile("^Conta de"))
    account.click()
    page.get_by_role("menuitem", name="Perfil").click()
    dialog = page.get_by_role("dialog", name="Meu perfil")
    expect(dialog.get_by_label("Nome", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect_back_at(account, dialog)

    # By keys, and with a form that loads first.
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.type("Perf")
    page.keyboard.press("Enter")
    expect(dialog.get_by_label("Nome", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect_back_at(account, dialog)


def test_what_opens_beside_a_conversation_gives_the_focus_back(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Quitéria Foco")
    log_in(page, ADMIN)
    customer.write("Olá!")
    pane = accept(page, customer.name)
    options = pane.get_by_role("button", name="Opções do atendimento")

    options.click()
    page.get_by_role("menuitem", name="Agendar").click()
    dialog = page.get_by_role("dialog", name="Agendar mensagem")
    expect(dialog).to_be_visible()
    page.keyboard.type("Bom dia")
    expect(dialog.get_by_label("Mensagem", exact=True)).to_have_value("Bom dia")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Descartar").click()
    expect(dialog).to_have_count(0)
    expect(pane.locator(":focus")).to_have_count(1)

    header = pane.get_by_role("button", name="Abrir contato de Quitéria")
    header.click()
    edit = page.get_by_role("button", name="Editar contato")
    edit.click()
    form = page.get_by_role("dialog", name="Editar contato")
    expect(form.get_by_label("Nome", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect_back_at(edit, form)
    panel = page.get_by_role("complementary", name="Contato")
    panel.get_by_role("button", name="Fechar").click()
    expect(panel).to_have_count(0)
    expect(header).to_be_focused()


def test_what_is_opened_by_a_key_leads_back_to_where_one_was(product: Product, page: Page) -> None:
    customer = Customer(product, "Eleutéria Foco")
    log_in(page, ADMIN)
    customer.write("Olá!")
    accept(page, customer.name)
    composer(page).click()
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Buscar ou ir para")
    expect(palette).to_be_visible()
    page.keyboard.type("fila")
    expect(palette.get_by_role("combobox")).to_have_value("fila")
    page.keyboard.press("Escape")
    expect_back_at(composer(page), palette)


def test_a_conversation_that_leaves_takes_no_focus_with_it(product: Product, page: Page) -> None:
    customer = Customer(product, "Resoluta Foco")
    log_in(page, ADMIN)
    customer.write("Olá!")
    pane = accept(page, customer.name)
    pane.get_by_role("button", name="Resolver").first.click()
    expect(conversation(page, customer.name)).to_have_count(0)


def test_the_way_back_asks_before_it_takes_what_was_typed(page: Page) -> None:
    log_in(page, ADMIN, at="/users")
    page.get_by_role("link", name="Tags", exact=True).click()
    page.get_by_role("button", name="Adicionar tag").click()
    dialog = page.get_by_role("dialog", name="Adicionar tag")
    page.keyboard.type("Ainda não salva")
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    page.go_back()
    question.get_by_role("button", name="Continuar editando").click()
    expect(dialog.get_by_label("Nome", exact=True)).to_have_value("Ainda não salva")
    expect(dialog.get_by_label("Nome", exact=True)).to_be_focused()
    page.go_back()
    question.get_by_role("button", name="Descartar").click()
    expect(page).to_have_url(re.compile("/users"))
    expect(dialog).to_have_count(0)


# By screen with a dialog: what is written in it, where the screen itself leaves nothing begun, and
# the button that leaves it.
BEGUN = {
    "template": ("Rodapé", "Cancelar"),
    "connection-profile": ("Recado", "Cancelar"),
    "connection-test": ("Número de destino", "Cancelar"),
    "profile": (None, "Cancelar"),
    "role": ("Nome do papel", "Cancelar"),
    "merge": (None, "Cancelar"),
    "forward": (None, "Cancelar"),
    "templates": (None, "Fechar"),
    "queue": ("Nome", "Cancelar"),
    "connection": ("Nome", "Cancelar"),
    "contact": (None, "Cancelar"),
}


@pytest.mark.parametrize("screen", BEGUN)
def test_what_is_begun_in_a_dialog_is_asked_about(
    product: Product, page: Page, screen: str
) -> None:
    label, button = BEGUN[screen]
    SCREENS[screen](page, product)
    dialog = page.get_by_role("dialog")
    if label:
        type_in(dialog.get_by_label(label, exact=True), "Outra coisa")
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    begun = dialog.element_handle()
    page.keyboard.press("Escape")
    expect(question.get_by_role("button", name="Continuar editando")).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name=button, exact=True).click()
    question.get_by_role("button", name="Descartar").click()
    # The one from which it was opened may be there again.
    begun.wait_for_element_state("hidden")
