"""What was made of campaigns stays to be read when the plan holds them no more."""

from playwright.sync_api import Page, expect

from tests.journeys.campaign_screens import NOT_IN_PLAN, lose_campaigns
from tests.journeys.conftest import log_in
from tests.product import Product


def test_without_campaigns_in_the_plan_their_pages_are_for_reading(
    page: Page, product: Product
) -> None:
    email, give = lose_campaigns(product)
    log_in(page, email)
    notice = page.get_by_role("status").filter(has_text=NOT_IN_PLAN)

    page.get_by_role("link", name="Campanhas", exact=True).click()
    row = page.get_by_role("row").filter(has_text="Natal passado")
    expect(row).to_be_visible()
    expect(notice).to_be_visible()
    expect(page.get_by_role("button", name="Nova campanha")).to_have_count(0)
    row.click()
    dialog = page.get_by_role("dialog", name="Apenas visualização")
    expect(dialog.get_by_label("Nome", exact=True)).to_be_disabled()
    for name in ("Salvar", "Enviar teste"):
        expect(dialog.get_by_role("button", name=name)).to_have_count(0)
    dialog.get_by_role("button", name="Fechar").first.click()
    page.get_by_role("button", name="Segmentos").click()
    segments = page.get_by_role("dialog", name="Segmentos")
    expect(segments.get_by_text("Nenhum segmento ainda.")).to_be_visible()
    expect(segments.get_by_role("button", name="Novo segmento")).to_have_count(0)
    segments.get_by_role("button", name="Fechar").first.click()

    page.get_by_role("link", name="Listas de contatos").click()
    # The campaign's row names it too.
    lists = page.get_by_role("table", name="Listas de contatos")
    listed = lists.get_by_role("row").filter(has_text="Freguesia de antes")
    expect(listed).to_be_visible()
    expect(notice).to_be_visible()
    for name in ("Adicionar lista", "Editar Freguesia de antes"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    listed.click()
    expect(page.get_by_role("row").filter(has_text="Bia Castro")).to_be_visible()
    expect(notice).to_be_visible()
    for name in ("Importar planilha", "Adicionar contato", "Editar Bia Castro"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    # What is there may go.
    page.get_by_role("button", name="Excluir Bia Castro").click()
    confirm = page.get_by_role("alertdialog", name="Excluir Bia Castro?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(page.get_by_role("row").filter(has_text="Bia Castro")).to_have_count(0)
    expect(page.get_by_text("Nenhum contato nesta lista.")).to_be_visible()
    expect(page.get_by_text("ou importe uma planilha")).to_have_count(0)

    page.get_by_role("link", name="Ajustes de campanhas").click()
    expect(page.get_by_role("row").filter(has_text="NATAL20")).to_be_visible()
    expect(notice).to_be_visible()
    for select in page.get_by_role("combobox").all():
        expect(select).to_be_disabled()
    for name in ("Salvar", "Adicionar variável"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)

    # The operator gives them back.
    give(True)
    page.reload()
    expect(page.get_by_role("button", name="Adicionar variável")).to_be_visible()
    expect(notice).to_have_count(0)
    expect(page.get_by_role("combobox").first).to_be_enabled()
