"""A file of contacts: refused, taken in, left alone and found again, its wrong rows in a file."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.journeys.people import attach
from tests.journeys.test_contacts_page import contact_row, open_contacts, search


def open_import(page: Page) -> Locator:
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar de um arquivo").click()
    return page.get_by_role("dialog", name="Importar contatos de um arquivo")


def test_contacts_come_from_a_file(page: Page, tmp_path: Path) -> None:
    good, wrong = tmp_path / "clientes.csv", tmp_path / "foto.csv"
    wrong.write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    lines = [
        "Nome;WhatsApp;Usuário;Cidade",
        "Quitéria do Arquivo;+55 11 97777-0001;quiteria.a;São Paulo",
        "A mesma;5511977770001;;",
        "Sem número;;;",
    ]
    good.write_text("\r\n".join(lines), "cp1252")
    open_contacts(page)
    dialog = open_import(page)
    attach(dialog.get_by_role("button", name="Escolher arquivo"), wrong)
    expect(dialog.get_by_role("alert")).to_have_text("Envie um arquivo .csv, .xls ou .xlsx.")
    attach(dialog.get_by_role("button", name="Escolher arquivo"), good)
    expect(dialog.get_by_role("status")).to_have_text("clientes.csv foi importado")
    for line, count in (("Adicionados", "1"), ("Já existiam", "1"), ("Com erro", "1")):
        expect(dialog.locator("dl > div").filter(has_text=line)).to_contain_text(count)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    search(page, "quiteria.a")
    expect(contact_row(page, "Quitéria do Arquivo")).to_be_visible()
    dialog = open_import(page)
    last = dialog.get_by_role("region", name="Última importação")
    expect(last).to_contain_text("clientes.csv foi importado")
    with page.expect_download() as download:
        last.get_by_role("button", name="Baixar erros").click()
    head, fault = download.value.path().read_text("utf-8-sig").splitlines()
    assert head.startswith('"linha do arquivo";"Nome";"WhatsApp";"Usuário";"Cidade";')
    assert fault.startswith('"4";"Sem número";"";"";"";"Falta o número')
