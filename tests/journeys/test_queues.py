"""A queue from its first colour to its last word: made, tried, saved, read again, deleted."""

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import keys_to, pick, type_in


def add_options(dialog: Locator) -> None:
    """Write a menu of two levels: one option, and one below it."""
    dialog.get_by_role("button", name="Adicionar a primeira opção").click()
    type_in(dialog.get_by_role("textbox", name="Título", exact=True), "Pedido com defeito")
    type_in(
        dialog.get_by_role("textbox", name="Mensagem", exact=True),
        "Que pena! Como prefere resolver?",
    )
    dialog.get_by_role("button", name="Adicionar subopção").first.click()
    type_in(dialog.get_by_role("textbox", name="Título", exact=True), "Quero outro")
    type_in(
        dialog.get_by_role("textbox", name="Mensagem", exact=True), "Envie uma foto do produto."
    )


def test_a_queue_is_made_tried_saved_and_deleted(page: Page) -> None:
    log_in(page, ADMIN, at="/queues")
    page.get_by_role("button", name="Nova fila").first.click()
    dialog = page.get_by_role("dialog", name="Nova fila")
    type_in(dialog.get_by_label("Nome", exact=True), "Pós-venda")
    # The palette by keys: a taken colour says by whom and is not taken twice.
    dialog.get_by_role("button", name="Cor:").click()
    taken = page.get_by_role("radio", name="usada em Financeiro")
    expect(taken).to_have_attribute("aria-disabled", "true")
    keys_to(page.get_by_role("radio", name="Verde escuro", exact=True), "ArrowRight")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Cor: #1E793D")).to_be_focused()
    type_in(dialog.get_by_label("Mensagem de saudação"), "Olá, {{firstName}}! Como ajudamos?")
    add_options(dialog)

    chat = dialog.get_by_role("complementary", name="Testar conversa")
    chat.get_by_role("button", name="Começar o teste").click()
    log = chat.get_by_role("log", name="Conversa de teste")
    expect(log).to_contain_text("Olá, Camila! Como ajudamos?")
    for answer, words in (("1", "Que pena!"), ("quero outro", "Envie uma foto")):
        type_in(chat.get_by_placeholder("Responda como cliente"), answer)
        page.keyboard.press("Enter")
        expect(log).to_contain_text(words)
    expect(log).to_contain_text("Aqui um atendente assume")

    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog).to_be_hidden()
    # Nothing leads to it and nobody works in it: said at once, and in its row.
    expect(
        page.get_by_text("Nenhum número leva à fila Pós-venda e ninguém a atende")
    ).to_be_visible()
    page.reload()
    row = page.get_by_role("row").filter(has_text="Pós-venda")
    expect(row).to_contain_text("Sem conexão")
    expect(row).to_contain_text("Sem atendente")
    expect(row).to_contain_text("#1E793D")
    row.click()
    dialog = page.get_by_role("dialog", name="Editar fila")
    expect(dialog.get_by_text("Pedido com defeito").first).to_be_visible()
    # A name that another queue has is refused at its field.
    type_in(dialog.get_by_label("Nome", exact=True), "Vendas")
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog.get_by_text("Já existe uma fila com este nome.")).to_be_visible()
    dialog.get_by_role("button", name="Fechar").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Descartar").click()

    page.get_by_role("button", name="Excluir Pós-venda").click()
    confirm = page.get_by_role("alertdialog", name="Excluir a fila Pós-venda?")
    expect(confirm.get_by_text("Nenhum atendimento, conexão ou usuário")).to_be_visible()
    confirm.get_by_role("button", name="Excluir").click()
    expect(row).to_be_hidden()


def test_an_option_asks_for_a_value_that_is_checked(page: Page) -> None:
    log_in(page, ADMIN, at="/queues")
    page.get_by_role("button", name="Nova fila").first.click()
    dialog = page.get_by_role("dialog", name="Nova fila")
    type_in(dialog.get_by_label("Nome", exact=True), "Segunda via")
    type_in(dialog.get_by_label("Mensagem de saudação"), "Olá! Como ajudamos?")
    dialog.get_by_role("button", name="Adicionar a primeira opção").click()
    type_in(dialog.get_by_role("textbox", name="Título", exact=True), "Boleto")
    pick(dialog.get_by_label("Pedir um dado"), "CPF")
    kept_in = dialog.get_by_label("Guardar em")
    expect(kept_in).to_have_value("CPF")
    type_in(kept_in, "")
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog.get_by_text("Informe em que campo do contato a resposta fica.")).to_be_visible()
    type_in(kept_in, "CPF do titular")

    chat = dialog.get_by_role("complementary", name="Testar conversa")
    chat.get_by_role("button", name="Começar o teste").click()
    log = chat.get_by_role("log", name="Conversa de teste")
    expect(log).to_contain_text("Olá! Como ajudamos?")
    for answer, words in (
        ("1", "Qual é o seu CPF?"),
        ("123", "Este CPF não confere."),
        ("52998224725", "No contato, CPF do titular recebe: 529.982.247-25"),
    ):
        type_in(chat.get_by_placeholder("Responda como cliente"), answer)
        page.keyboard.press("Enter")
        expect(log).to_contain_text(words)
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("row").filter(has_text="Segunda via").click()
    dialog = page.get_by_role("dialog", name="Editar fila")
    dialog.get_by_text("Boleto").first.click()
    expect(dialog.get_by_label("Guardar em")).to_have_value("CPF do titular")


def test_an_option_carries_a_file_chosen_before_it_was_saved(page: Page) -> None:
    log_in(page, ADMIN, at="/queues")
    page.get_by_role("button", name="Nova fila").first.click()
    dialog = page.get_by_role("dialog", name="Nova fila")
    type_in(dialog.get_by_label("Nome", exact=True), "Tabelas")
    type_in(dialog.get_by_label("Mensagem de saudação"), "Olá! Como ajudamos?")
    dialog.get_by_role("button", name="Adicionar a primeira opção").click()
    type_in(dialog.get_by_role("textbox", name="Título", exact=True), "Preços")
    type_in(dialog.get_by_role("textbox", name="Mensagem", exact=True), "Segue a tabela.")
    with page.expect_file_chooser() as chooser:
        dialog.get_by_role("button", name="Anexar arquivo").click()
    chooser.value.set_files(
        FilePayload(name="precos.pdf", mimeType="application/pdf", buffer=b"%PDF-1.4 x")
    )
    expect(dialog.get_by_role("link", name="precos.pdf")).to_be_visible()

    chat = dialog.get_by_role("complementary", name="Testar conversa")
    chat.get_by_role("button", name="Começar o teste").click()
    log = chat.get_by_role("log", name="Conversa de teste")
    expect(log).to_contain_text("Olá! Como ajudamos?")
    type_in(chat.get_by_placeholder("Responda como cliente"), "1")
    page.keyboard.press("Enter")
    expect(log.get_by_role("link", name="precos.pdf")).to_be_visible()
    expect(log).to_contain_text("Segue a tabela.")

    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("row").filter(has_text="Tabelas").click()
    dialog = page.get_by_role("dialog", name="Editar fila")
    dialog.get_by_text("Preços").first.click()
    address = dialog.get_by_role("link", name="precos.pdf").get_attribute("href")
    assert page.request.get(str(address)).body() == b"%PDF-1.4 x"
    dialog.get_by_role("button", name="Remover arquivo").click()
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("row").filter(has_text="Tabelas").click()
    dialog.get_by_text("Preços").first.click()
    expect(dialog.get_by_role("button", name="Anexar arquivo")).to_be_visible()
