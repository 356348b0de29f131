"""A template from its first word to the conversation: written, reviewed, sent, deleted."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import Customer, pick, sent, tick, type_in
from tests.journeys.test_templates import open_chooser, option, start, submit
from tests.product import Product

NAME = "aviso_de_retirada"


def test_a_template_is_written_reviewed_sent_and_deleted(
    product: Product, page: Page, open_page: OpenPage
) -> None:
    log_in(page, ADMIN, at="/message-templates")
    table = page.get_by_role("table", name="Modelos de mensagem")
    expect(table.get_by_text("promocao_relampago")).to_be_visible()
    page.get_by_role("button", name="Novo modelo").click()
    dialog = page.get_by_role("dialog", name="Novo modelo")
    type_in(dialog.get_by_label("Nome"), "Aviso de retirada")
    expect(dialog.get_by_label("Nome")).to_have_value(NAME)

    # What Meta would refuse is said before it is asked.
    type_in(dialog.get_by_label("Texto", exact=True), "{{1}}, seu pedido chegou.")
    dialog.get_by_role("button", name="Enviar para análise").click()
    expect(dialog.get_by_text("não pode começar nem terminar")).to_be_visible()
    type_in(dialog.get_by_label("Texto", exact=True), "Olá, {{1}}! Seu *pedido* chegou.")
    type_in(dialog.get_by_label("Exemplo para {{1}} no texto"), "Mariana")
    dialog.get_by_role("button", name="Adicionar botão").click()
    page.get_by_role("menuitem", name="Resposta rápida").click()
    type_in(dialog.get_by_label("Texto do botão"), "Vou buscar")
    preview = dialog.get_by_role("region", name="Como o contato vai ver")
    expect(preview).to_contain_text("Olá, Mariana! Seu pedido chegou.")
    expect(preview).to_contain_text("Vou buscar")
    dialog.get_by_role("button", name="Enviar para análise").click()
    expect(dialog).to_have_count(0)

    # Meta's word arrives by itself.
    row = table.get_by_role("row").filter(has_text=NAME)
    expect(row.get_by_text("Aprovado")).to_be_visible(timeout=20_000)

    customer = Customer(product, "Herculano Bastos")
    other = open_page()
    log_in(other, ANA)
    chooser = open_chooser(other, start(other, customer))
    option(chooser, NAME).click()
    submit(chooser)
    expect(chooser).to_have_count(0)
    message = sent(other, "Seu pedido chegou.")
    expect(tick(message, "Entregue")).to_be_visible()

    row.get_by_role("button", name=f"Excluir {NAME}").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(row).to_have_count(0)


def test_a_refused_one_says_why_and_the_admin_hears_of_it(product: Product, page: Page) -> None:
    log_in(page, ADMIN, at="/message-templates")
    table = page.get_by_role("table", name="Modelos de mensagem")
    source = table.get_by_role("row").filter(has_text="novidades_da_colecao")
    source.get_by_role("button", name="Duplicar novidades_da_colecao").click()
    dialog = page.get_by_role("dialog", name="Duplicar novidades_da_colecao")
    type_in(dialog.get_by_label("Nome"), "para_recusar")
    # Unsaved work is asked about once.
    page.keyboard.press("Escape")
    page.get_by_role("alertdialog").get_by_role("button", name=re.compile("Continuar")).click()
    dialog.get_by_role("button", name="Enviar para análise").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("A Meta recusou o modelo para_recusar.")).to_be_visible(timeout=20_000)
    row = table.get_by_role("row").filter(has_text="para_recusar")
    expect(row.get_by_text("Recusado")).to_be_visible()
    expect(row.get_by_text("O conteúdo é promocional.")).to_be_visible()


def test_the_filters_of_the_list_live_in_its_address(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/message-templates")
    table = page.get_by_role("table", name="Modelos de mensagem")
    expect(table.get_by_text("retomar_conversa")).to_be_visible()
    pick(page.get_by_label("Status"), "Recusado")
    expect(table.get_by_text("retomar_conversa")).to_have_count(0)
    expect(page).to_have_url(re.compile("status=REJECTED"))
    page.reload()
    expect(table.get_by_text("promocao_relampago")).to_be_visible()
    expect(table.get_by_text("retomar_conversa")).to_have_count(0)
    type_in(page.get_by_label("Buscar modelo"), "nada disso")
    expect(page.get_by_text("Nenhum modelo encontrado")).to_be_visible()
    expect(page).to_have_url(re.compile("search=nada"))


def test_why_the_templates_cannot_be_read_is_said_in_words(page: Page) -> None:
    log_in(page, ADMIN)
    refusal = {"code": "ERR_TEMPLATES_UNAVAILABLE", "message": "", "fields": {}}
    refusal["reasonCode"] = "credentials_refused"
    page.route("**/api/templates?*", lambda route: route.fulfill(status=424, json=refusal))
    page.goto("/message-templates")
    alert = page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text("A Meta recusou o token de acesso.")
    page.unroute("**/api/templates?*")
    alert.get_by_role("button", name="Tentar de novo").click()
    expect(page.get_by_role("row").filter(has_text="promocao_relampago")).to_be_visible()
