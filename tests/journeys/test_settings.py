"""The settings page: what is chosen is saved at once, and the company's hours."""

from playwright.sync_api import expect

from tests.journeys.conftest import ADMIN, OpenPage, log_in
from tests.journeys.people import pick, type_in


def test_an_admin_chooses_the_companys_hours_and_changes_them(open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, ADMIN, at="/settings")
    expect(page.get_by_role("tab", name="Horários")).to_have_count(0)
    page.get_by_role("radio", name="Da empresa").click()
    expect(page.get_by_role("radio", name="Da empresa")).to_be_checked()
    expect(page.get_by_text("Operação atualizada com sucesso.")).to_be_visible()

    page.get_by_role("tab", name="Horários").click()
    opening = page.get_by_role("textbox").first
    expect(opening).to_have_value("08:00")
    type_in(opening, "09:30")
    # Neither another page nor the tab beside takes it in silence.
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    for way_out in (
        page.get_by_role("link", name="Tags", exact=True),
        page.get_by_role("tab", name="Opções"),
    ):
        way_out.click()
        question.get_by_role("button", name="Continuar editando").click()
        expect(question).to_have_count(0)
        expect(opening).to_have_value("09:30")
    page.get_by_role("button", name="Salvar horários").click()
    expect(page.get_by_text("Horários atualizados com sucesso.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("textbox").first).to_have_value("09:30")

    # The other journeys' bot answers at any time.
    page.get_by_role("tab", name="Opções").click()
    page.get_by_role("radio", name="Sem horário").click()
    expect(page.get_by_role("tab", name="Horários")).to_have_count(0)
    expect(page.get_by_role("radio", name="Sem horário")).to_be_checked()
    expect(page.get_by_text("Salvo")).to_be_visible()


def test_an_admin_sees_what_would_go_and_chooses_for_how_long_data_are_kept(
    open_page: OpenPage,
) -> None:
    page = open_page()
    log_in(page, ADMIN, at="/settings")
    page.get_by_role("tab", name="Guarda de dados").click()
    seen = page.get_by_role("region", name="O que será apagado")
    expect(seen.get_by_text("Nada: com esta escolha tudo fica guardado.")).to_be_visible()
    pick(page.get_by_label("Mensagens"), "5 anos")
    pick(page.get_by_label("Arquivos"), "12 meses")
    expect(seen.get_by_text("Nenhuma mensagem")).to_be_visible()
    expect(seen.get_by_text("a primeira limpeza será em")).to_be_visible()
    page.get_by_role("button", name="Salvar prazos").click()
    question = page.get_by_role("alertdialog", name="Salvar estes prazos?")
    expect(question.get_by_text("O que for apagado não volta.")).to_be_visible()
    question.get_by_role("button", name="Salvar").click()
    expect(page.get_by_text("Prazos salvos.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Mensagens")).to_have_value("5")
    expect(page.get_by_text("Vale o prazo escolhido pela sua empresa.")).to_be_visible()
    page.get_by_role("button", name="Usar o prazo padrão").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Salvar").click()
    expect(page.get_by_text("Vale o prazo padrão do sistema.")).to_be_visible()
    expect(page.get_by_label("Mensagens")).to_have_value("")
