"""File lists: kept by an admin, sent by an attendant from a conversation."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    attach,
    composer,
    keys_to,
    press,
    sent,
    serve,
    type_in,
)
from tests.product import ROOT, Product, wait_for

SAMPLES = ROOT / "apps/simulator/samples"


def open_files(page: Page) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Lista de arquivos").click()
    expect(page.get_by_role("button", name="Adicionar lista").first).to_be_visible()


def row_of(page: Page, name: str) -> Locator:
    cell = page.get_by_role("cell", name=name, exact=True)
    return page.get_by_role("row").filter(has=cell)


def test_a_list_is_kept_changed_and_sent_from_a_conversation(
    product: Product, open_page: OpenPage
) -> None:
    page = open_page()
    open_files(page)
    page.get_by_role("button", name="Adicionar lista").first.click()
    dialog = page.get_by_role("dialog", name="Adicionar lista de arquivos")
    expect(dialog.get_by_label("Nome", exact=False).first).to_be_focused()
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Campo obrigatório!")).to_have_count(2)

    type_in(dialog.get_by_label("Nome", exact=True), "Catálogo de vasos")
    type_in(dialog.get_by_label("Mensagem"), "Olá, {{firstName}}! Segue o catálogo.")
    add = dialog.get_by_role("button", name="Adicionar arquivos")
    attach(add, SAMPLES / "vasos.jpg")
    expect(dialog.get_by_label("Nome do arquivo 1")).to_have_value("vasos")
    attach(add, SAMPLES / "catalogo.pdf")
    type_in(dialog.get_by_label("Nome do arquivo 2"), "Tabela de preços")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    made = row_of(page, "Catálogo de vasos")
    expect(made).to_contain_text("2 arquivos")

    customer = Customer(product, "Rosângela Pires")
    customer.write("Vocês têm catálogo?")
    attendant = open_page()
    serve(attendant, ANA, customer, "Oi!")
    attendant.get_by_role("button", name="Listas de arquivos").click()
    search = attendant.get_by_role("combobox", name="Buscar lista de arquivos")
    expect(search).to_be_focused()
    attendant.keyboard.type("vasos")
    choice = attendant.get_by_role("option", name="Catálogo de vasos")
    expect(choice).to_contain_text("2 arquivos")
    press(search, "Enter")
    files = attendant.get_by_role("list", name="Arquivos para enviar")
    expect(files.get_by_role("listitem")).to_have_count(2)
    expect(composer(attendant)).to_be_focused()
    expect(composer(attendant)).to_have_value("Olá, Rosângela! Segue o catálogo.")
    press(composer(attendant), "Enter")
    expect(sent(attendant, "Segue o catálogo.")).to_be_visible()
    expect(files).to_have_count(0)

    def files_received() -> list[dict[str, Any]]:
        bodies = [each["body"] for each in customer.received()]
        return [body for body in bodies if "filename" in body]

    wait_for(lambda: len(files_received()) == 2, "both files")
    picture, document = files_received()
    assert "Olá, Rosângela! Segue o catálogo." in picture["caption"], picture
    assert document["filename"] == "catalogo.pdf", document

    # One file goes, another takes the place of what was there.
    made.click()
    edit = page.get_by_role("dialog", name="Editar lista de arquivos")
    edit.get_by_role("button", name="Retirar Tabela de preços").click()
    attach(edit.get_by_role("button", name="Trocar o arquivo vasos"), SAMPLES / "catalogo.pdf")
    edit.get_by_role("button", name="Salvar").click()
    expect(edit).to_have_count(0)
    expect(made).to_contain_text("1 arquivo")

    delete = page.get_by_role("button", name="Excluir Catálogo de vasos")
    keys_to(delete)
    page.keyboard.press("Enter")
    confirm = page.get_by_role("alertdialog", name="Excluir Catálogo de vasos?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(made).to_have_count(0)
    # What is open already offers it no more.
    attendant.get_by_role("button", name="Listas de arquivos").click()
    expect(attendant.get_by_role("option").first).to_be_visible()
    expect(choice).to_have_count(0)
