"""Users, the own profile, sessions and connections."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, PASSWORD, OpenPage, log_in
from tests.journeys.people import CONNECTION, Simulator, fill_login, pick, type_in
from tests.product import Product


def table_row(page: Page, text: str) -> Locator:
    """Return the row of a table that holds a text."""
    return page.get_by_role("row").filter(has_text=text)


def test_an_admin_adds_edits_and_deletes_a_user(page: Page, open_page: OpenPage) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Usuários").click()
    page.get_by_role("button", name="Adicionar usuário").click()
    dialog = page.get_by_role("dialog", name="Adicionar usuário")
    submit = dialog.get_by_role("button", name="Adicionar", exact=True)
    submit.click()
    expect(dialog.get_by_text("Campo obrigatório!")).to_have_count(3)
    type_in(dialog.get_by_label("Nome", exact=True), "Dalva Monteiro")
    type_in(dialog.get_by_label("E-mail"), "dalva")
    type_in(dialog.get_by_label("Senha", exact=True), "1234")
    expect(dialog.get_by_text("E-mail inválido")).to_be_visible()
    expect(dialog.get_by_text("Muito curto!")).to_be_visible()
    type_in(dialog.get_by_label("E-mail"), ANA)
    type_in(dialog.get_by_label("Senha", exact=True), PASSWORD)
    submit.click()
    expect(dialog.get_by_text("Este e-mail já está em uso.")).to_be_visible()
    type_in(dialog.get_by_label("E-mail"), "dalva@demo.local")
    dialog.get_by_text("Financeiro").click()
    submit.click()
    expect(dialog).to_have_count(0)
    expect(table_row(page, "dalva@demo.local")).to_contain_text("Financeiro")

    dalva = open_page()
    log_in(dalva, "dalva@demo.local")
    expect(table_row(page, "dalva@demo.local")).to_contain_text("Online")

    table_row(page, "dalva@demo.local").click()
    edit = page.get_by_role("dialog", name="Editar usuário")
    type_in(edit.get_by_label("Nome", exact=True), "Dalva Monteiro Alves")
    edit.get_by_text("Vendas").click()
    edit.get_by_role("button", name="Salvar").click()
    expect(page.get_by_text("Usuário salvo com sucesso.").first).to_be_visible()
    expect(edit).to_have_count(0)
    expect(table_row(page, "Dalva Monteiro Alves")).to_contain_text("Vendas")

    type_in(page.get_by_role("searchbox", name="Buscar usuário"), "alves")
    expect(table_row(page, "Ana Prado")).to_have_count(0)
    page.get_by_role("button", name="Excluir Dalva Monteiro Alves").click()
    page.get_by_role("alertdialog", name="Excluir Dalva Monteiro Alves?").get_by_role(
        "button", name="Excluir"
    ).click()
    expect(page.get_by_text("Nenhum usuário encontrado.")).to_be_visible()
    # Her open browser leaves by itself.
    expect(dalva).to_have_url(re.compile("/login"))
    fill_login(dalva, "dalva@demo.local", PASSWORD)
    expect(dalva.get_by_text("E-mail ou Senha inválida").first).to_be_visible()


def test_attendants_see_neither_users_nor_connections(page: Page) -> None:
    log_in(page, ANA)
    menu = page.get_by_role("navigation", name="Menu principal")
    expect(menu.get_by_role("link", name="Atendimentos")).to_be_visible()
    for name, address in (("Usuários", "/users"), ("Conexões", "/connections")):
        expect(menu.get_by_role("link", name=name)).to_have_count(0)
        page.goto(address)
        refusal = page.get_by_role("main").get_by_role("alert")
        expect(refusal).to_contain_text("Acesso não permitido")
        page.get_by_role("button", name="Ir para os atendimentos").click()
        expect(page).to_have_url(re.compile("/tickets"))
        expect(menu.get_by_role("link", name="Atendimentos")).to_be_visible()


def test_the_own_profile_is_changed_from_the_account_menu(page: Page) -> None:
    log_in(page, BRUNO)

    def rename(name: str) -> None:
        page.get_by_role("button", name=re.compile("^Conta de Bruno")).click()
        page.get_by_role("menuitem", name="Perfil").click()
        dialog = page.get_by_role("dialog", name="Meu perfil")
        expect(dialog.get_by_label("Papel")).to_be_disabled()
        type_in(dialog.get_by_label("Nome", exact=True), name)
        dialog.get_by_role("button", name="Salvar").click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("button", name=f"Conta de {name}", exact=True)).to_be_visible()

    rename("Bruno Santana Reis")
    expect(page.get_by_text("Olá, Bruno Santana Reis")).to_be_visible()
    rename("Bruno Santana")


def test_a_second_login_ends_the_first(open_page: OpenPage) -> None:
    first, second = open_page(), open_page()
    log_in(first, BRUNO)
    # The words stand for a second only: nothing may come between the sign-in and looking at them.
    second.request.post("/api/auth/login", data={"email": BRUNO, "password": PASSWORD})
    expect(first.get_by_text("Sua conta foi acessada em outro computador.").first).to_be_visible()
    expect(first).to_have_url(re.compile("/login"))
    # And it is still said there.
    reason = first.get_by_role("main").get_by_role("status")
    expect(reason).to_have_text("Sua conta foi acessada em outro computador.")
    log_in(second, BRUNO)
    fill_login(first, BRUNO, PASSWORD)
    expect(first).to_have_url(re.compile("/tickets"))
    expect(second).to_have_url(re.compile("/login"))


def test_logging_out_ends_the_session(page: Page) -> None:
    log_in(page, BRUNO)
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name="Sair").click()
    expect(page).to_have_url(re.compile("/login"))
    page.goto("/tickets")
    expect(page).to_have_url(re.compile("/login"))


def test_an_official_number_is_added_by_hand_and_the_default_moves(
    product: Product, page: Page
) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Conexões").click()
    expect(table_row(page, CONNECTION)).to_contain_text("Conectada")
    expect(table_row(page, CONNECTION)).to_contain_text("Padrão")

    page.get_by_role("button", name="Adicionar conexão").click()
    dialog = page.get_by_role("dialog", name="Adicionar conexão")
    dialog.get_by_role("radio", name="API oficial").click()
    submit = dialog.get_by_role("button", name="Adicionar", exact=True)
    submit.click()
    expect(dialog.get_by_text("Campo obrigatório!")).to_have_count(3)
    type_in(dialog.get_by_label("Nome", exact=True), "Loja Norte")
    type_in(dialog.get_by_label("ID do número de telefone"), "1234")
    expect(dialog.get_by_text("Muito curto!")).to_be_visible()
    type_in(dialog.get_by_label("ID do número de telefone"), "100000000000077")
    type_in(dialog.get_by_label("ID da conta do WhatsApp Business"), "200000000000077")
    type_in(dialog.get_by_label("Token de acesso"), "um-token-de-teste")
    dialog.get_by_text("Vendas").click()
    dialog.get_by_text("Financeiro").click()
    submit.click()
    expect(dialog.get_by_text("A mensagem de saudação é obrigatória")).to_be_visible()
    # What is wrong leads to its tab.
    type_in(dialog.get_by_label("Mensagem de saudação"), "Olá! Aqui é a Loja Norte.")
    dialog.get_by_role("tab", name="Conexão").click()
    dialog.get_by_text("Conexão padrão").click()
    submit.click()
    expect(dialog).to_have_count(0)
    added = table_row(page, "Loja Norte")
    # The provider does not know it yet; then it does.
    expect(added).to_contain_text("Desconectada")
    expect(added).to_contain_text("A Meta não encontrou este número.")
    Simulator(product).call(
        "POST",
        "/numbers",
        {
            "phone_number_id": "100000000000077",
            "waba_id": "200000000000077",
            "display_phone_number": "+55 11 94002-8977",
        },
    )
    added.get_by_role("button", name="Tentar novamente").click()
    expect(added).to_contain_text("Conectada")
    expect(added).to_contain_text("+55 11 94002-8977")
    expect(added).to_contain_text("Padrão")
    expect(table_row(page, CONNECTION)).not_to_contain_text("Padrão")

    page.get_by_role("button", name=f"Editar {CONNECTION}").click()
    edit = page.get_by_role("dialog", name="Editar conexão")
    edit.get_by_text("Conexão padrão").click()
    edit.get_by_role("button", name="Salvar").click()
    expect(page.get_by_text("Conexão salva com sucesso.").first).to_be_visible()
    expect(edit).to_have_count(0)
    expect(table_row(page, CONNECTION)).to_contain_text("Padrão")
    expect(added).not_to_contain_text("Padrão")
    page.get_by_role("button", name="Excluir Loja Norte").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(page.get_by_text("Conexão excluída com sucesso.")).to_be_visible()
    expect(added).to_have_count(0)


def test_a_role_of_the_company_opens_its_pages_at_once_and_hides_the_others(
    page: Page, open_page: OpenPage
) -> None:
    log_in(page, ADMIN, at="/users")
    page.get_by_role("button", name="Papéis").click()
    page.get_by_role("dialog", name="Papéis").get_by_role("button", name="Novo papel").click()
    dialog = page.get_by_role("dialog", name="Novo papel")
    type_in(dialog.get_by_label("Nome do papel"), "Só o que é seu")
    dialog.get_by_text("Resolver atendimentos").click()
    dialog.get_by_role("button", name="Criar papel").click()
    expect(page.get_by_role("dialog", name="Papéis")).to_contain_text("Só o que é seu")
    page.keyboard.press("Escape")

    bruno = open_page()
    log_in(bruno, BRUNO)
    menu = bruno.get_by_role("navigation", name="Menu principal")
    expect(menu.get_by_role("link", name="Contatos")).to_be_visible()

    table_row(page, BRUNO).click()
    edit = page.get_by_role("dialog", name="Editar usuário")
    pick(edit.get_by_label("Papel"), "Só o que é seu")
    edit.get_by_role("button", name="Salvar").click()
    expect(table_row(page, BRUNO)).to_contain_text("Só o que é seu")
    expect(menu.get_by_role("link", name="Contatos")).to_have_count(0)

    page.get_by_role("button", name="Papéis").click()
    page.get_by_role("button", name="Editar Só o que é seu").click()
    page.get_by_role("dialog").get_by_text("Ver os contatos").click()
    page.get_by_role("dialog").get_by_role("button", name="Salvar").click()
    expect(menu.get_by_role("link", name="Contatos")).to_be_visible()

    # The demo's people go on with the roles that they had.
    roles = page.get_by_role("dialog", name="Papéis")
    expect(roles).to_contain_text("2 permissões")
    page.keyboard.press("Escape")
    expect(roles).to_have_count(0)
    table_row(page, BRUNO).click()
    pick(edit.get_by_label("Papel"), "Atendente")
    edit.get_by_role("button", name="Salvar").click()
    expect(table_row(page, BRUNO)).to_contain_text("Atendente")
