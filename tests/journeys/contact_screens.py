"""How to reach the screens of contacts and of their tags."""

import itertools
import re
from typing import Any
from urllib.parse import quote_plus

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import Customer, act, attach, press_box, type_in
from tests.product import Product

# Of the contacts that are merged.
_pairs = itertools.count(1)


def show_contacts(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/contacts")
    press_box(page, re.compile("^Selecionar A"), 1)
    expect(page.get_by_text("1 contato selecionado")).to_be_visible()


def show_contact_import(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/contacts")
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar contatos do telefone").click()
    dialog = page.get_by_role("dialog", name="Importar contatos")
    dialog.get_by_role("button", name="Importar").click()
    expect(dialog.get_by_role("alert")).to_be_visible()


def show_contact_file_rows(page: Page, product: Product) -> None:
    """Show the columns and first rows of a file of contacts."""
    log_in(page, ADMIN, at="/contacts")
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar de um arquivo").click()
    dialog = page.get_by_role("dialog", name="Importar contatos de um arquivo")
    text = b"nome;numero;cidade\nVitor da Vitrine;11 97777-0009;Recife\nSem nada;;\n"
    name = "clientes da loja do centro e da filial nova, revisados em maio.csv"
    file: Any = {"name": name, "mimeType": "text/csv", "buffer": text}
    attach(dialog.get_by_role("button", name="Escolher arquivo"), file)
    expect(dialog.get_by_role("cell", name="Vitor da Vitrine")).to_be_visible()


def show_contact_file(page: Page, product: Product) -> None:
    """Show what became of a file of contacts."""
    show_contact_file_rows(page, product)
    page.get_by_role("button", name="Importar", exact=True).click()
    expect(page.get_by_role("button", name="Baixar erros")).to_be_visible()


def show_contact_deletion(page: Page, product: Product) -> None:
    show_contacts(page, product)
    page.get_by_role("button", name="Excluir", exact=True).click()
    expect(page.get_by_role("alertdialog", name=re.compile("^Excluir "))).to_be_visible()


def show_merge(page: Page, product: Product) -> None:
    """Show what becomes of two contacts with names as long as they may be."""
    # They stay: each pair has names of its own.
    surname = f"{next(_pairs)} Cavalcanti de Albuquerque do Nascimento e Silva"
    keep, gone = (
        Customer(product, f"{name} {surname}"[:50]) for name in ("Guilhermina", "Hermenegildo")
    )
    for customer in (keep, gone):
        customer.write("Olá!")
    log_in(page, ADMIN, at="/contacts")
    text = keep.name[:24]
    # The answer to what is typed at last has rows of its own: what is pressed before is gone then.
    with page.expect_request(re.compile(re.escape(f"searchParam={quote_plus(text)}&"))):
        type_in(page.get_by_role("searchbox"), text)
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)
    expect(page.get_by_text(keep.name).first).to_be_visible()
    act(page, keep.name, "Mesclar com outro contato")
    dialog = page.get_by_role("dialog", name="Mesclar contatos")
    type_in(dialog.get_by_role("combobox"), gone.name[:24])
    dialog.get_by_role("option", name=re.compile(gone.name)).click()
    expect(dialog.get_by_role("row", name="Atendimentos 1 1")).to_be_visible()


def show_tags(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/tags")
    expect(page.get_by_role("row", name="Orçamento")).to_be_visible()


def show_tag(page: Page, product: Product) -> None:
    show_tags(page, product)
    page.get_by_role("row", name="Orçamento").click()
    expect(page.get_by_role("dialog").get_by_role("radio", name="Vermelho")).to_be_attached()
