"""What a number says and does by itself is set in its dialog, and still there after a reload."""

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import CONNECTION, pick, type_in
from tests.product import Product


def open_dialog(page: Page) -> Locator:
    page.goto("/connections")
    page.get_by_role("button", name=f"Editar {CONNECTION}").click()
    dialog = page.get_by_role("dialog", name="Editar conexão")
    expect(dialog.get_by_label("Nome", exact=True)).to_have_value(CONNECTION)
    return dialog


def show_tab(dialog: Locator, name: str) -> None:
    dialog.get_by_role("tab", name=name).click()


def test_what_a_number_does_by_itself_is_kept(product: Product, page: Page) -> None:
    log_in(page, ADMIN)
    dialog = open_dialog(page)
    show_tab(dialog, "Mensagens")
    type_in(dialog.get_by_label("Mensagem de conclusão"), "Até logo, ")
    variables = dialog.get_by_role("group", name="Inserir variável")
    variables.nth(1).get_by_role("button", name="Primeiro nome").click()
    show_tab(dialog, "Bot")
    type_in(dialog.get_by_label("Menus sem resposta válida"), "2")
    type_in(dialog.get_by_label("Palavra-chave", exact=True), "atendente")
    quiet = dialog.get_by_label("Espera antes de responder")
    as_ever = quiet.input_value()
    type_in(quiet, "5")
    fallback = dialog.get_by_label("Mensagem ao passar para a equipe")
    expect(fallback).to_have_value("Vou chamar alguém da equipe. Um momento, por favor.")
    type_in(fallback, "Já chamo alguém.")
    show_tab(dialog, "Prazos")
    type_in(dialog.get_by_label("Transferir após"), "45")
    type_in(dialog.get_by_label("Mensagem de inatividade"), "Encerramos por aqui.")
    show_tab(dialog, "Ritmo")
    per_second = dialog.get_by_label("Mensagens por segundo")
    expect(per_second).to_have_value("80")
    type_in(per_second, "60")
    # What is missing leads to its tab, one after another.
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Escolha a fila desta palavra-chave.")).to_be_visible()
    expect(dialog.get_by_label("Leva para a fila")).to_be_focused()
    pick(dialog.get_by_label("Leva para a fila"), "Financeiro")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Escolha para qual fila transferir.")).to_be_visible()
    pick(dialog.get_by_label("Para a fila"), "Vendas")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)

    dialog = open_dialog(page)
    show_tab(dialog, "Mensagens")
    expect(dialog.get_by_label("Mensagem de conclusão")).to_have_value("Até logo, {{firstName}}")
    show_tab(dialog, "Bot")
    expect(dialog.get_by_label("Menus sem resposta válida")).to_have_value("2")
    expect(dialog.get_by_label("Palavra-chave", exact=True)).to_have_value("atendente")
    expect(dialog.get_by_label("Leva para a fila").locator("option:checked")).to_have_text(
        "Financeiro"
    )
    expect(dialog.get_by_label("Espera antes de responder")).to_have_value("5")
    expect(dialog.get_by_label("Mensagem ao passar para a equipe")).to_have_value(
        "Já chamo alguém."
    )
    type_in(dialog.get_by_label("Espera antes de responder"), as_ever)
    # Another journey's tickets wait and expire as ever.
    type_in(dialog.get_by_label("Palavra-chave", exact=True), "")
    pick(dialog.get_by_label("Leva para a fila"), 0)
    type_in(dialog.get_by_label("Menus sem resposta válida"), "3")
    show_tab(dialog, "Prazos")
    expect(dialog.get_by_label("Transferir após")).to_have_value("45")
    expect(dialog.get_by_label("Mensagem de inatividade")).to_have_value("Encerramos por aqui.")
    type_in(dialog.get_by_label("Transferir após"), "0")
    pick(dialog.get_by_label("Para a fila"), 0)
    show_tab(dialog, "Mensagens")
    type_in(dialog.get_by_label("Mensagem de conclusão"), "")

    show_tab(dialog, "Ritmo")
    expect(dialog.get_by_label("Mensagens por segundo")).to_have_value("60")
    type_in(dialog.get_by_label("Mensagens por segundo"), "80")

    show_tab(dialog, "API")
    dialog.get_by_role("button", name="Criar token").click()
    expect(dialog.get_by_text("Copie o token agora.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Copiar token")).to_be_visible()
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("row").filter(has_text=CONNECTION)).to_contain_text("Conectada")

    dialog = open_dialog(page)
    show_tab(dialog, "API")
    expect(dialog.get_by_text("Token ativo")).to_be_visible()
    expect(dialog.get_by_text("Copie o token agora.")).to_have_count(0)
    dialog.get_by_role("button", name="Revogar").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Revogar").click()
    expect(dialog.get_by_text("Nenhum token")).to_be_visible()
