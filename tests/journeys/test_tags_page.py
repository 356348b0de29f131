"""The tags page: add, rename, colour, lanes for admins alone, delete, live for others."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import act, type_in

SIZES = pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])


def open_tags(page: Page, email: str = ADMIN, *, narrow: bool = False) -> None:
    if narrow:
        page.set_viewport_size({"width": 390, "height": 844})
    log_in(page, email, at="/tags")
    expect(page.get_by_role("table", name="Tags").get_by_role("row").nth(1)).to_be_visible()


@SIZES
def test_a_tag_is_made_changed_and_deleted(page: Page, narrow: bool) -> None:
    name = "Estreitinha" if narrow else "Larguinha"
    open_tags(page, narrow=narrow)
    page.get_by_role("button", name="Adicionar tag").click()
    dialog = page.get_by_role("dialog", name="Adicionar tag")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Obrigatório")).to_be_visible()
    type_in(dialog.get_by_label("Nome"), "ab")
    expect(dialog.get_by_text("Mensagem muito curta")).to_be_visible()
    type_in(dialog.get_by_label("Nome"), name)
    dialog.get_by_role("radio", name="Vermelho").click()
    expect(dialog.get_by_role("textbox", name="Código da cor")).to_have_value("#C7302B")
    dialog.get_by_text("Mostrar como coluna no Kanban").click()
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    row = page.get_by_role("row", name=name)
    expect(row).to_contain_text("Coluna do Kanban")

    row.click()
    dialog = page.get_by_role("dialog", name="Editar tag")
    expect(dialog.get_by_role("radio", name="Vermelho")).to_be_checked()
    type_in(dialog.get_by_role("textbox", name="Código da cor"), "azul")
    expect(dialog.get_by_text("Informe uma cor em hexadecimal")).to_be_visible()
    type_in(dialog.get_by_role("textbox", name="Código da cor"), "#123456")
    type_in(dialog.get_by_label("Nome"), "atacado")
    dialog.get_by_role("button", name="Salvar", exact=True).click()
    expect(dialog.get_by_text("Já existe uma tag com este nome.")).to_be_visible()
    type_in(dialog.get_by_label("Nome"), f"{name} nova")
    dialog.get_by_role("button", name="Salvar", exact=True).click()
    expect(page.get_by_role("row", name=f"{name} nova")).to_be_visible()

    act(page, f"{name} nova", f"Excluir {name} nova")
    question = page.get_by_role("alertdialog", name=f"Excluir a tag {name} nova?")
    expect(question).to_contain_text("Nenhum atendimento usa esta tag.")
    question.get_by_role("button", name="Excluir").click()
    expect(page.get_by_role("row", name=f"{name} nova")).to_have_count(0)


def test_deleting_says_how_many_tickets_lose_the_tag(page: Page) -> None:
    open_tags(page)
    page.get_by_role("button", name="Excluir Orçamento").click()
    question = page.get_by_role("alertdialog", name="Excluir a tag Orçamento?")
    expect(question).to_contain_text(re.compile(r"Ela sairá de \d+ atendimentos"))
    question.get_by_role("button", name="Cancelar").click()
    expect(page.get_by_role("row", name="Orçamento")).to_be_visible()


def test_an_attendant_makes_tags_but_no_lanes_and_others_see_them_at_once(
    open_page: OpenPage,
) -> None:
    ana, admin = open_page(), open_page()
    open_tags(admin)
    open_tags(ana, ANA)
    ana.get_by_role("button", name="Adicionar tag").click()
    dialog = ana.get_by_role("dialog", name="Adicionar tag")
    type_in(dialog.get_by_label("Nome"), "Da Ana")
    expect(dialog.get_by_role("switch")).to_have_count(0)
    expect(dialog.get_by_text("Mostrar como coluna no Kanban")).to_have_count(0)
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(admin.get_by_role("row", name="Da Ana")).to_be_visible()
    admin.get_by_role("button", name="Excluir Da Ana").click()
    admin.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(ana.get_by_role("row", name="Da Ana")).to_have_count(0)


def test_tags_are_found_whatever_their_accents(page: Page) -> None:
    open_tags(page)
    type_in(page.get_by_role("searchbox", name="Buscar tags"), "ORCAM")
    expect(page.get_by_text("1 tag", exact=True)).to_be_visible()
    expect(page.get_by_role("row", name="Orçamento")).to_be_visible()
    type_in(page.get_by_role("searchbox", name="Buscar tags"), "zzz")
    expect(page.get_by_text("Nenhuma tag encontrada para “zzz”")).to_be_visible()
