"""How to reach the screens of templates, and of texts without one."""

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import NUMBER, Customer, Simulator, type_in
from tests.product import Product


def show_template_list(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/message-templates")
    expect(page.get_by_role("row").filter(has_text="promocao_relampago")).to_be_visible()


def show_template_library(page: Page, product: Product) -> None:
    """Show Meta's library of templates."""
    show_template_list(page, product)
    page.get_by_role("button", name="Biblioteca da Meta").click()
    dialog = page.get_by_role("dialog", name="Biblioteca da Meta")
    expect(dialog.get_by_role("button", name="payment_due_reminder_1")).to_be_visible()


def show_library_choice(page: Page, product: Product) -> None:
    """Show a template of Meta's library that is being filled in."""
    show_template_library(page, product)
    page.get_by_role("button", name="payment_due_reminder_1").click()
    dialog = page.get_by_role("dialog", name="payment_due_reminder_1")
    type_in(dialog.get_by_label("Link do botão Pagar agora"), "https://casaaroeira.example/p/{{1}}")
    expect(dialog.get_by_label("Exemplo do final do link")).to_be_visible()


def show_template(page: Page, product: Product) -> None:
    show_template_list(page, product)
    page.get_by_role("row").filter(has_text="lembrete_de_pagamento").click()
    dialog = page.get_by_role("dialog", name="Editar lembrete_de_pagamento")
    expect(dialog.get_by_role("region", name="Como o contato vai ver")).to_be_visible()


def show_templates(page: Page, product: Product) -> None:
    """Show the chooser with a template filled in, for somebody who never wrote."""
    from tests.journeys.test_templates import open_chooser, option, start

    log_in(page, ADMIN)
    dialog = open_chooser(page, start(page, Customer(product, "Zulmira Teixeira")))
    option(dialog, "pedido_enviado").filter(has_text="pt-BR").click()
    type_in(dialog.get_by_label("Texto: variável 2"), "10482")
    expect(dialog.get_by_role("region", name="Como o contato vai ver")).to_contain_text("10482")


def show_utility_text(page: Page, product: Product) -> None:
    """Show a closed window on an account that may send utility texts."""
    from tests.journeys.test_direct_send import utility_field
    from tests.journeys.test_templates import start

    log_in(page, ADMIN)
    pane = start(page, Customer(product, "Zoraide Meireles"))
    type_in(utility_field(pane), "Sua travessa azul chegou à loja e espera por você.")


def show_utility_refused(page: Page, product: Product) -> None:
    """Show a refused utility text, with the template beside it."""
    from tests.journeys.test_direct_send import LIFTED, send_utility, utility_field
    from tests.journeys.test_templates import start

    simulator = Simulator(product)
    report = {"number": NUMBER, "field": "account_update", "value": LIFTED}
    simulator.call("POST", "/report", report)
    log_in(page, ADMIN)
    pane = start(page, Customer(product, "Zuleide Montenegro"))
    expect(utility_field(pane)).to_be_visible()
    simulator.fault("direct_send_blocked", times=1)
    send_utility(pane, "Sua travessa azul chegou à loja e espera por você.")
    expect(pane.get_by_role("button", name="Usar um modelo")).to_be_visible()
    simulator.call("POST", "/report", report)
