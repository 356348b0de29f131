"""A file of contacts: refused, mapped, shown, taken in; its wrong rows in a file."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.journeys.people import attach, pick
from tests.journeys.test_contacts_page import contact_row, open_contacts, search


def open_import(page: Page) -> Locator:
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar de um arquivo").click()
    return page.get_by_role("dialog", name="Importar contatos de um arquivo")


def first_rows(dialog: Locator) -> Locator:
    shown = dialog.get_by_role("region", name="Primeiras linhas, como serão salvas")
    return shown.get_by_role("row")


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
    rows = first_rows(dialog)
    # The second row is the same person, so it is shown as the contact of the first.
    once, again = rows.filter(has_text="Quitéria do Arquivo").nth(0), rows.nth(2)
    expect(once).to_contain_text("Cidade: São Paulo")
    expect(again).to_contain_text("Quitéria do Arquivo")
    expect(again).to_contain_text("Já existe")
    expect(rows.filter(has_text="Sem número")).to_contain_text("Falta o número ou o userId.")
    dialog.get_by_role("button", name="Importar", exact=True).click()
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


def test_the_columns_of_a_file_are_chosen_and_its_rows_shown_before_anything_is_kept(
    page: Page, tmp_path: Path
) -> None:
    file = tmp_path / "agenda.csv"
    file.write_text("pessoa;contato;clube\nQuirino da Agenda;11 97777-0002;Ouro\n")
    open_contacts(page)
    dialog = open_import(page)
    attach(dialog.get_by_role("button", name="Escolher arquivo"), file)
    # Without a known title the columns are chosen; the first rows show how they will be kept.
    send = dialog.get_by_role("button", name="Importar", exact=True)
    expect(send).to_be_disabled()
    pick(dialog.get_by_label("Número"), "contato")
    shown = first_rows(dialog).filter(has_text="+55 11 97777-0002")
    expect(shown).to_contain_text("pessoa: Quirino da Agenda")
    pick(dialog.get_by_label("Nome"), "pessoa")
    expect(shown).not_to_contain_text("pessoa:")
    expect(shown).to_contain_text("clube: Ouro")
    dialog.get_by_role("button", name="Outro arquivo").click()
    page.keyboard.press("Escape")
    search(page, "Quirino da Agenda")
    expect(contact_row(page, "Quirino da Agenda")).to_have_count(0)

    dialog = open_import(page)
    attach(dialog.get_by_role("button", name="Escolher arquivo"), file)
    pick(dialog.get_by_label("Nome"), "pessoa")
    pick(dialog.get_by_label("Número"), "contato")
    expect(shown).to_contain_text("Quirino da Agenda")
    send.click()
    expect(dialog.get_by_role("status")).to_have_text("agenda.csv foi importado")
    dialog.get_by_role("button", name="Importar outro").click()
    attach(dialog.get_by_role("button", name="Escolher arquivo"), file)
    pick(dialog.get_by_label("Número"), "contato")
    expect(shown).to_contain_text("Já existe")
    page.keyboard.press("Escape")
    expect(contact_row(page, "Quirino da Agenda")).to_be_visible()
