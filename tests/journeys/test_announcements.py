"""What the operator tells every company: written on its page, read in everybody's top bar."""

import re

from playwright.sync_api import expect

from tests.journeys.conftest import ADMIN, ANA, SUPER, OpenPage, log_in
from tests.journeys.people import attach, pick, press_box, type_in
from tests.product import ROOT

SAMPLES = ROOT / "apps/simulator/samples"
TITLE = "Manutenção no domingo"
NONE = "Nenhum informativo por aqui."


def test_what_the_operator_writes_is_read_at_once_by_who_works(open_page: OpenPage) -> None:
    ana = open_page()
    log_in(ana, ANA)
    bell = ana.get_by_role("button", name=re.compile("^Informativos"))
    bell.click()
    listed = ana.get_by_role("dialog", name="Informativos")
    # Other journeys may have announced something too.
    expect(listed.get_by_role("button").first.or_(listed.get_by_text(NONE))).to_be_visible()
    expect(listed.get_by_role("button", name=TITLE)).to_have_count(0)
    ana.keyboard.press("Escape")
    expect(listed).to_have_count(0)

    operator = open_page()
    log_in(operator, SUPER)
    operator.get_by_role("link", name="Informativos").click()
    operator.get_by_role("button", name="Adicionar informativo").first.click()
    dialog = operator.get_by_role("dialog", name="Adicionar informativo")
    expect(dialog.get_by_label("Título")).to_be_focused()
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Obrigatório", exact=True)).to_have_count(2)
    type_in(dialog.get_by_label("Título"), TITLE)
    type_in(dialog.get_by_label("Texto", exact=True), "Das 22h às 23h ficaremos fora do ar.")
    pick(dialog.get_by_label("Prioridade"), "Alta")
    attach(dialog.get_by_role("button", name="Anexar arquivo"), SAMPLES / "catalogo.pdf")
    expect(dialog.get_by_role("alert")).to_have_text("Anexe uma imagem .png, .jpg ou .jpeg.")
    attach(dialog.get_by_role("button", name="Anexar arquivo"), SAMPLES / "vasos.jpg")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    row = operator.get_by_role("row").filter(has_text=TITLE)
    expect(row).to_contain_text("vasos.jpg")
    for words in ("Alta", "Ativo"):
        expect(row).to_contain_text(words)

    news = ana.get_by_role("button", name=re.compile(r"^Informativos: \d+ novo"))
    news.click()
    listed.get_by_role("button", name=TITLE).click()
    expect(listed).to_have_count(0)
    read = ana.get_by_role("dialog", name=TITLE)
    picture = read.get_by_role("img", name="Imagem: vasos.jpg")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    ana.keyboard.press("Escape")
    expect(read).to_have_count(0)
    expect(bell).to_be_focused()

    row.click()
    edit = operator.get_by_role("dialog", name="Editar informativo")
    press_box(edit, "Ativo")
    edit.get_by_role("button", name="Salvar").click()
    expect(row).to_contain_text("Inativo")
    bell.click()
    expect(listed).to_be_visible()
    expect(listed.get_by_role("button", name=TITLE)).to_have_count(0)

    operator.get_by_role("button", name=f"Excluir {TITLE}").click()
    confirm = operator.get_by_role("alertdialog", name=f"Excluir {TITLE}?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(row).to_have_count(0)


def test_the_operators_page_leads_everybody_else_home(open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, ADMIN)
    expect(page.get_by_role("link", name="Informativos")).to_have_count(0)
    page.goto("/announcements")
    expect(page.get_by_role("alert")).to_contain_text(
        "Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando."
    )
    page.wait_for_url(re.compile(r":\d+/$"))
