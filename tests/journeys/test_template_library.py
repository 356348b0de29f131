"""Meta's template library: found, chosen, filled in, submitted, and sent to a customer."""

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import Customer, pick, press_box, sent, tick, type_in
from tests.journeys.test_templates import open_chooser, option, start, submit
from tests.product import Product

NAME = "vencimento_da_loja"


def open_library(page: Page) -> Locator:
    log_in(page, ADMIN, at="/message-templates")
    page.get_by_role("button", name="Biblioteca da Meta").click()
    dialog = page.get_by_role("dialog", name="Biblioteca da Meta")
    expect(dialog.get_by_role("button", name="payment_due_reminder_1")).to_be_visible()
    return dialog


def test_a_template_of_the_library_is_found_filled_in_and_sent(
    page: Page, product: Product, open_page: OpenPage
) -> None:
    library = open_library(page)
    # One that asks for a form can't be used here, and says so.
    form = library.get_by_role("button", name="delivery_failed_2_form")
    expect(form).to_be_disabled()
    expect(form).to_contain_text("Só o Gerenciador do WhatsApp usa este modelo.")
    type_in(library.get_by_label("Buscar na biblioteca"), "nada disso")
    expect(library.get_by_text("Nenhum modelo encontrado")).to_be_visible()
    type_in(library.get_by_label("Buscar na biblioteca"), "pagamento")
    expect(library.get_by_role("button", name="order_confirmation_2")).to_have_count(0)
    pick(library.get_by_label("Tema"), "Pagamentos")
    library.get_by_role("button", name="payment_due_reminder_1").click()

    dialog = page.get_by_role("dialog", name="payment_due_reminder_1")
    preview = dialog.get_by_role("region", name="Como o contato vai ver")
    expect(preview).to_contain_text("O pagamento de R$ 389,00 vence em 20/11.")
    type_in(dialog.get_by_label("Nome"), "Vencimento da loja")
    expect(dialog.get_by_label("Nome")).to_have_value(NAME)
    link, phone = dialog.get_by_label("Link do botão"), dialog.get_by_label("Telefone do botão")
    dialog.get_by_role("button", name="Criar modelo").click()
    for field in (link, phone):
        expect(field).to_have_attribute("aria-invalid", "true")
    type_in(link, "https://casaaroeira.example/p/{{1}}")
    type_in(dialog.get_by_label("Exemplo do final do link"), "10482")
    type_in(phone, "+551140028922")
    press_box(dialog, "Telefone de contato")
    dialog.get_by_role("button", name="Criar modelo").click()
    expect(dialog).to_have_count(0)
    # A template of the library is not reviewed.
    row = page.get_by_role("table", name="Modelos de mensagem").get_by_role("row")
    made = row.filter(has_text=NAME)
    expect(made).to_contain_text("Aprovado")

    customer = Customer(product, "Felisberto Amorim")
    other = open_page()
    log_in(other, ANA)
    chooser = open_chooser(other, start(other, customer))
    option(chooser, NAME).click()
    for place, value in ((1, "Felisberto"), (2, "R$ 120,00"), (3, "10/12")):
        type_in(chooser.get_by_label(f"Texto: variável {place}"), value)
    type_in(chooser.get_by_label("Pagar agora"), "10482")
    submit(chooser)
    expect(chooser).to_have_count(0)
    message = sent(other, "O pagamento de R$ 120,00 vence em 10/12.")
    expect(tick(message, "Entregue")).to_be_visible()
    [arrived] = customer.received()
    assert arrived["body"]["shown"]["text"].startswith("Olá, Felisberto.")

    made.get_by_role("button", name=f"Excluir {NAME}").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(made).to_have_count(0)


def test_a_library_that_can_not_be_read_says_why_and_tries_again(page: Page) -> None:
    log_in(page, ADMIN, at="/message-templates")
    refusal = {"code": "ERR_TEMPLATES_UNAVAILABLE", "message": "", "fields": {}}
    refusal["reasonCode"] = "credentials_refused"
    address = "**/template-library?*"
    page.route(address, lambda route: route.fulfill(status=424, json=refusal))
    page.get_by_role("button", name="Biblioteca da Meta").click()
    dialog = page.get_by_role("dialog", name="Biblioteca da Meta")
    expect(dialog.get_by_role("alert")).to_contain_text("A Meta recusou o token de acesso.")
    page.unroute(address)
    dialog.get_by_role("button", name="Tentar de novo").click()
    expect(dialog.get_by_role("button", name="delivery_update_1")).to_be_visible()
