"""Contact lists: made, filled by hand and from a sheet, corrected, and deleted."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import attach, keys_to, pick, type_in
from tests.sheets import xlsx


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("cell", name=name, exact=True))


def test_a_list_is_made_filled_from_a_sheet_and_deleted(page: Page, tmp_path: Path) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Listas de contatos").click()
    page.get_by_role("button", name="Adicionar lista").first.click()
    dialog = page.get_by_role("dialog", name="Adicionar lista de contatos")
    type_in(dialog.get_by_label("Nome"), "Feira de maio")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    made = row_of(page, "Feira de maio")
    expect(made).to_contain_text("0 contato")
    with page.expect_download() as example:
        page.get_by_role("button", name="Baixar planilha de exemplo para Feira de maio").click()
    assert example.value.suggested_filename == "modelo-contatos.xlsx"
    made.click()

    expect(page.get_by_role("heading", name="Feira de maio")).to_be_visible()
    page.get_by_role("button", name="Adicionar contato", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Adicionar contato à lista")
    type_in(dialog.get_by_label("Nome"), "Ana Souza")
    type_in(dialog.get_by_label("Número"), "+55 11 98765-0001")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(row_of(page, "Ana Souza")).to_be_visible()

    sheet = tmp_path / "feira.xlsx"
    people = [("Bia Castro", "5521987650002", "bia@example.com"), ("Ana", "5511987650001", "")]
    sheet.write_bytes(xlsx([*people, ("Sem número", "", ""), ("Zeca", "não sei", "")]))
    wrong = tmp_path / "feira.csv"
    wrong.write_text("nome;numero")
    page.get_by_role("button", name="Importar planilha").click()
    dialog = page.get_by_role("dialog", name="Importar planilha")
    attach(dialog.get_by_role("button", name="Escolher arquivo"), wrong)
    expect(dialog.get_by_role("alert")).to_have_text(
        "A planilha não tem nenhuma linha depois do título."
    )
    attach(dialog.get_by_role("button", name="Escolher arquivo"), sheet)
    rows = dialog.get_by_role("region", name="Primeiras linhas, como serão salvas")
    expect(rows.get_by_role("row").filter(has_text="Bia Castro")).to_contain_text(
        "+55 21 98765-0002"
    )
    expect(rows.get_by_role("row").filter(has_text="Zeca")).to_contain_text("só com dígitos")
    dialog.get_by_role("button", name="Importar", exact=True).click()
    expect(dialog.get_by_role("status")).to_have_text("feira.xlsx foi importado")
    for line, count in (("Adicionados", "1"), ("Repetidos", "1"), ("Com erro", "2")):
        expect(dialog.locator("dl > div").filter(has_text=line)).to_contain_text(count)
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Baixar erros").click()
    faults = download.value.path().read_text("utf-8-sig").splitlines()
    assert [line.split(";")[1] for line in faults[1:]] == ['"Sem número"', '"Zeca"']
    dialog.get_by_role("button", name="Fechar").last.click()
    expect(row_of(page, "Bia Castro")).to_contain_text("bia@example.com")
    expect(page.get_by_text("2 contatos")).to_be_visible()

    row_of(page, "Bia Castro").click()
    dialog = page.get_by_role("dialog", name="Editar contato da lista")
    type_in(dialog.get_by_label("Nome"), "Beatriz Castro")
    dialog.get_by_role("button", name="Salvar").click()
    expect(row_of(page, "Beatriz Castro")).to_be_visible()
    page.get_by_role("button", name="Excluir Ana Souza").click()
    confirm = page.get_by_role("alertdialog", name="Excluir Ana Souza?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(row_of(page, "Ana Souza")).to_have_count(0)

    page.get_by_role("button", name="Listas", exact=True).click()
    expect(made).to_contain_text("1 contato")
    delete = page.get_by_role("button", name="Excluir Feira de maio")
    keys_to(delete)
    page.keyboard.press("Enter")
    confirm = page.get_by_role("alertdialog", name="Excluir Feira de maio?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(made).to_have_count(0)


def test_a_sheet_that_cannot_be_used_is_refused_in_words_and_columns_are_chosen(
    page: Page, tmp_path: Path
) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Listas de contatos").click()
    page.get_by_role("button", name="Adicionar lista").first.click()
    dialog = page.get_by_role("dialog", name="Adicionar lista de contatos")
    type_in(dialog.get_by_label("Nome"), "Planilhas ruins")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    row_of(page, "Planilhas ruins").click()
    page.get_by_role("button", name="Importar planilha").click()
    dialog = page.get_by_role("dialog", name="Importar planilha")
    choose = dialog.get_by_role("button", name="Escolher arquivo")
    told = dialog.get_by_role("alert")

    # What is seen at once is said beside the button.
    huge, broken = tmp_path / "enorme.xlsx", tmp_path / "quebrada.xlsx"
    with huge.open("wb") as file:
        file.truncate(200 * 2**20)
    broken.write_bytes(b"PK\x03\x04 quebrada")
    for path, words in ((huge, "o limite é de 20 MB"), (broken, "está danificada")):
        attach(choose, path)
        expect(told).to_contain_text(words)

    # Without a known title the columns are chosen; the first rows show how they will be kept.
    columns = tmp_path / "sem-colunas.csv"
    columns.write_text("pessoa;contato\nBia Castro;11 98765-0002\n")
    attach(choose, columns)
    pick(dialog.get_by_label("Nome"), "pessoa")
    pick(dialog.get_by_label("Número"), "contato")
    rows = dialog.get_by_role("region", name="Primeiras linhas, como serão salvas")
    expect(rows.get_by_role("row").filter(has_text="Bia Castro")).to_contain_text(
        "+55 11 98765-0002"
    )
    dialog.get_by_role("button", name="Importar", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("sem-colunas.csv foi importado")
    dialog.get_by_role("button", name="Importar outro").click()

    # A formula that was never computed has no number.
    formula = tmp_path / "formula.xlsx"
    formula.write_bytes(xlsx([("Ana Souza", '=CONCATENATE("55","11987650001")', "")]))
    attach(choose, formula)
    expect(rows.get_by_role("row").filter(has_text="Ana Souza")).to_contain_text("Falta o número")
    dialog.get_by_role("button", name="Importar", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("formula.xlsx foi importado")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Baixar erros").click()
    assert "abra e salve a planilha no Excel" in download.value.path().read_text("utf-8-sig")
    dialog.get_by_role("button", name="Fechar").last.click()
    expect(row_of(page, "Bia Castro")).to_be_visible()
    expect(page.get_by_text("1 contato", exact=True)).to_be_visible()
