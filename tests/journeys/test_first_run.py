"""An empty company's first day: its number is connected, and each step says what is missing."""

import itertools
import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, PASSWORD, PHONE, OpenPage, log_in
from tests.journeys.operator import make_company
from tests.journeys.people import (
    Customer,
    Simulator,
    accept,
    conversation,
    fill_login,
    say,
    sent,
    type_in,
)
from tests.product import Product

_ids = itertools.count(300_000_000_000_001)


def make_number(product: Product, name: str) -> tuple[str, str]:
    """Have Meta know a number that nobody connected; return its id and its account's."""
    phone_number_id, waba_id = str(next(_ids)), str(next(_ids))
    body = {
        "phone_number_id": phone_number_id,
        "waba_id": waba_id,
        "display_phone_number": "+55 11 93000-0001",
        "verified_name": name,
    }
    Simulator(product).call("POST", "/numbers", body)
    return phone_number_id, waba_id


def step(dialog: Locator, name: str, state: str) -> Locator:
    """Return a step of the test that has come to a state: Certo, Com problema, Aguardando."""
    item = dialog.get_by_role("list", name="Resultado do teste").get_by_role("listitem")
    return item.filter(has_text=name).filter(
        has=dialog.page.get_by_role("img", name=state, exact=True)
    )


def test_the_form_leads_through_connecting_a_number(product: Product, page: Page) -> None:
    phone_number_id, waba_id = make_number(product, "Loja Guiada")
    log_in(page, ADMIN)
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name="Adicionar conexão").click()
    dialog = page.get_by_role("dialog", name="Adicionar conexão")
    dialog.get_by_role("radio", name="API oficial").click()
    test = dialog.get_by_role("button", name="Testar conexão")

    # What is entered at Meta's is copied from here.
    dialog.get_by_role("button", name="Copiar endereço").click()
    expect(dialog.get_by_role("button", name="Copiado").first).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{product.address}/webhooks/whatsapp"

    # Nothing is asked without the ids, and the first that lacks has the focus.
    test.click()
    expect(dialog.get_by_text("Campo obrigatório!")).to_have_count(2)
    expect(dialog.get_by_label("ID do número de telefone")).to_be_focused()

    type_in(dialog.get_by_label("Nome", exact=True), "Loja Guiada")
    type_in(dialog.get_by_label("ID do número de telefone"), phone_number_id)
    type_in(dialog.get_by_label("ID da conta do WhatsApp Business"), "399999999999999")
    type_in(dialog.get_by_label("Token de acesso"), "invalid-token")
    test.click()
    expect(step(dialog, "Token de acesso aceito", "Com problema")).to_contain_text("Gere outro")
    expect(step(dialog, "Número encontrado", "Ainda não conferido")).to_be_visible()

    type_in(dialog.get_by_label("Token de acesso"), "EAAG-um-token")
    # The ticks were another token's.
    expect(dialog.get_by_role("list", name="Resultado do teste")).to_have_count(0)
    test.click()
    expect(step(dialog, "Número encontrado", "Certo")).to_contain_text("+55 11 93000-0001")
    account = step(dialog, "Número nesta conta do WhatsApp Business", "Com problema")
    expect(account).to_contain_text("Confira o ID da conta do WhatsApp Business.")

    type_in(dialog.get_by_label("ID da conta do WhatsApp Business"), waba_id)
    test.click()
    expect(step(dialog, "Primeira mensagem recebida", "Aguardando")).to_contain_text(
        "Salve a conexão"
    )
    expect(step(dialog, "", "Certo")).to_have_count(5)
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)

    # Saved, the empty field means the stored token; then the first message ticks its step.
    page.get_by_role("row").filter(has_text="Loja Guiada").click()
    edit = page.get_by_role("dialog", name="Editar conexão")
    edit.get_by_role("button", name="Testar conexão").click()
    expect(step(edit, "Primeira mensagem recebida", "Aguardando")).to_contain_text(
        "Envie uma mensagem"
    )
    Customer(product, "Gilda Guiada", to=phone_number_id).write("Chegou aí?")
    expect(step(edit, "Primeira mensagem recebida", "Certo")).to_be_visible()

    edit.get_by_role("button", name="Cancelar").click()
    expect(edit).to_have_count(0)
    page.get_by_role("button", name="Excluir Loja Guiada").click()
    question = page.get_by_role("alertdialog", name=re.compile("Loja Guiada"))
    question.get_by_role("button", name="Excluir").click()
    expect(question).to_have_count(0)


def steps_of(page: Page) -> Locator:
    """Return the checklist of an empty company."""
    return page.get_by_role("region", name="Vamos começar")


def back_to_the_inbox(page: Page, done: str) -> None:
    """Go to the inbox, and see how many steps are ticked."""
    page.get_by_role("navigation", name="Menu principal").get_by_role(
        "link", name="Atendimentos"
    ).click()
    expect(steps_of(page).get_by_role("status")).to_have_text(done)


def test_an_empty_company_is_led_to_its_first_message(
    product: Product, page: Page, open_page: OpenPage
) -> None:
    phone_number_id, waba_id = make_number(product, "Padaria Nova")
    log_in(page, make_company(product, "Padaria Nova"))
    expect(steps_of(page).get_by_role("status")).to_have_text("0 de 4 passos feitos")
    # There is nothing to write to before a number is connected.
    expect(steps_of(page)).to_contain_text("Com o número conectado, escreva para ele")

    steps_of(page).get_by_role("link", name="Conecte um número").click()
    dialog = page.get_by_role("dialog", name="Adicionar conexão")
    dialog.get_by_role("radio", name="API oficial").click()
    type_in(dialog.get_by_label("Nome", exact=True), "Balcão da padaria")
    type_in(dialog.get_by_label("ID do número de telefone"), phone_number_id)
    type_in(dialog.get_by_label("ID da conta do WhatsApp Business"), waba_id)
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    # The operator's token is lent to no account that a company just names.
    expect(dialog.get_by_text("Informe o token de acesso da Meta.")).to_be_visible()
    type_in(dialog.get_by_label("Token de acesso"), "EAAG-da-padaria")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    back_to_the_inbox(page, "1 de 4 passos feitos")

    steps_of(page).get_by_role("link", name="Crie as filas").click()
    dialog = page.get_by_role("dialog", name="Nova fila")
    type_in(dialog.get_by_label("Nome", exact=True), "Encomendas")
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog).to_have_count(0)
    # It has the number that was there, and its maker.
    expect(
        page.get_by_text("A fila Encomendas é a primeira: o número da empresa leva a ela")
    ).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="Encomendas")).not_to_contain_text("Sem ")
    back_to_the_inbox(page, "2 de 4 passos feitos")

    steps_of(page).get_by_role("link", name="Convide a equipe").click()
    dialog = page.get_by_role("dialog", name="Adicionar usuário")
    type_in(dialog.get_by_label("Nome", exact=True), "Nair Forno")
    type_in(dialog.get_by_label("E-mail"), "nair@empresa.local")
    type_in(dialog.get_by_label("Senha", exact=True), PASSWORD)
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    back_to_the_inbox(page, "3 de 4 passos feitos")

    # Who only attends has nothing to set up.
    attendant = open_page()
    log_in(attendant, "nair@empresa.local")
    expect(attendant.get_by_role("heading", name="Bem-vindo ao balcão")).to_be_visible()
    expect(steps_of(attendant)).to_have_count(0)

    # The last step ticks itself, and with it the list goes.
    with page.expect_popup() as opened:
        steps_of(page).get_by_role("link", name="Abrir o celular dos clientes").click()
    expect(opened.value).to_have_url(re.compile("/simulator"))
    Customer(product, "Primeira Freguesa", to=phone_number_id).write("Tem pão quente?")
    expect(steps_of(page)).to_have_count(0)
    page.reload()
    expect(page.get_by_role("tab", name=re.compile("^Aguardando 1"))).to_be_visible()
    expect(steps_of(page)).to_have_count(0)


def test_a_company_signs_up_and_goes_through_its_first_steps_to_its_first_message(
    product: Product, page: Page
) -> None:
    phone_number_id, waba_id = make_number(product, "Flores da Serra")
    page.goto("/login")
    page.get_by_role("link", name="Cadastre sua empresa").click()
    type_in(page.get_by_label("Nome da empresa"), "Flores da Serra")
    type_in(page.get_by_label("E-mail", exact=True), "dona@flores.example")
    type_in(page.get_by_label("Telefone com DDD"), "(11) 98888-7777")
    type_in(page.get_by_label("Senha", exact=True), PASSWORD)
    # The demo's own plan.
    page.get_by_role("radio", name=re.compile("^Loja")).click()
    page.get_by_role("button", name="Criar conta").click()
    expect(page).to_have_url(re.compile("/login$"))
    fill_login(page, "dona@flores.example", PASSWORD)

    # Nothing but the steps, the queues first.
    expect(steps_of(page).get_by_role("status")).to_have_text("0 de 4 passos feitos")
    expect(page.get_by_role("region", name="Lista de atendimentos")).to_have_count(0)
    expect(steps_of(page).get_by_role("listitem").first).to_contain_text("Crie as filas")
    steps_of(page).get_by_role("link", name="Crie as filas").click()
    dialog = page.get_by_role("dialog", name="Nova fila")
    type_in(dialog.get_by_label("Nome", exact=True), "Buquês")
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("Você já atende a fila Buquês.")).to_be_visible()
    back_to_the_inbox(page, "1 de 4 passos feitos")

    # The first number is offered the queue that is there.
    steps_of(page).get_by_role("link", name="Conecte um número").click()
    dialog = page.get_by_role("dialog", name="Adicionar conexão")
    expect(dialog.get_by_text("Buquês", exact=True)).to_be_visible()
    dialog.get_by_role("radio", name="API oficial").click()
    type_in(dialog.get_by_label("Nome", exact=True), "Balcão das flores")
    type_in(dialog.get_by_label("ID do número de telefone"), phone_number_id)
    type_in(dialog.get_by_label("ID da conta do WhatsApp Business"), waba_id)
    type_in(dialog.get_by_label("Token de acesso"), "EAAG-das-flores")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    back_to_the_inbox(page, "2 de 4 passos feitos")

    # The first message comes to the queue, and with it the list.
    customer = Customer(product, "Rosa Freguesa", to=phone_number_id)
    customer.write("Tem rosas?")
    expect(page.get_by_role("tab", name=re.compile("^Aguardando 1"))).to_be_visible()
    expect(steps_of(page).get_by_role("status")).to_have_text("3 de 4 passos feitos")
    accept(page, customer.name)
    say(page, "Temos, chegaram hoje.")
    expect(sent(page, "Temos, chegaram hoje.")).to_be_visible()
    expect(conversation(page, customer.name)).to_contain_text("Buquês")


def test_the_steps_are_put_away_for_good(product: Product, open_page: OpenPage) -> None:
    phone = open_page(**PHONE)
    log_in(phone, make_company(product, "Papelaria Nova"))
    # Above the empty list, where the conversation has no room.
    expect(steps_of(phone).get_by_role("link", name="Convide a equipe")).to_be_visible()
    steps_of(phone).get_by_role("button", name="Não mostrar mais").tap()
    expect(steps_of(phone)).to_have_count(0)
    phone.reload()
    expect(phone.get_by_role("region", name="Lista de atendimentos")).to_be_visible()
    expect(steps_of(phone)).to_have_count(0)


def test_the_demo_shows_the_way_to_the_customers_telephone(page: Page) -> None:
    log_in(page, ADMIN, banner=True)
    banner = page.get_by_role("region", name="Demonstração")
    with page.expect_popup() as opened:
        banner.get_by_role("link", name="Abrir o celular dos clientes").click()
    expect(opened.value).to_have_url(re.compile("/simulator"))
    banner.get_by_role("button", name="Dispensar o aviso").click()
    expect(banner).to_have_count(0)
    page.reload()
    expect(page.get_by_role("navigation", name="Menu principal")).to_be_visible()
    expect(banner).to_have_count(0)
