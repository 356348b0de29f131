"""Testing a connection from its page."""

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import CONNECTION, Customer, Simulator, keys_to, pick, press, type_in
from tests.product import Product


def open_test(page: Page) -> Locator:
    """Open the dialog from the connection's row."""
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name=f"Testar o envio de {CONNECTION}").click()
    dialog = page.get_by_role("dialog", name=f"Testar o envio de {CONNECTION}")
    expect(dialog.get_by_label("Número de destino")).to_be_focused()
    return dialog


def test_an_admin_tests_a_connection_and_sees_the_message_arrive(
    page: Page, product: Product
) -> None:
    known = Customer(product, "Teresa Teste")
    known.write("Oi")
    log_in(page, ADMIN)
    dialog = open_test(page)
    type_in(dialog.get_by_label("Número de destino"), known.number)
    type_in(dialog.get_by_label("Mensagem"), "Isto é um teste.")
    keys_to(dialog.get_by_role("button", name="Enviar teste"))
    press(dialog.get_by_role("button", name="Enviar teste"), "Enter")
    expect(dialog.get_by_text("A conexão envia.")).to_be_visible()
    known.wait_for_texts("Isto é um teste.")
    dialog.get_by_role("button", name="Concluir").click()
    expect(page.get_by_role("button", name=f"Testar o envio de {CONNECTION}")).to_be_focused()


def test_where_a_text_may_not_go_a_template_does(page: Page, product: Product) -> None:
    stranger = Customer(product, "Estela Estranha")
    log_in(page, ADMIN)
    dialog = open_test(page)
    type_in(dialog.get_by_label("Número de destino"), stranger.number)
    type_in(dialog.get_by_label("Mensagem"), "Oi")
    dialog.get_by_role("button", name="Enviar teste").click()
    expect(dialog.get_by_text("Passaram mais de 24 horas")).to_be_visible()
    pick(dialog.get_by_label("O que enviar"), "retomar_conversa (pt_BR)")
    dialog.get_by_role("button", name="Enviar teste").click()
    expect(dialog.get_by_text("A conexão envia.")).to_be_visible()
    [came] = stranger.received()
    assert "Ficamos com uma conversa em aberto" in str(came["body"])


def test_a_refusal_of_the_provider_is_told_in_words(page: Page, product: Product) -> None:
    known = Customer(product, "Frida Falha")
    known.write("Oi")
    log_in(page, ADMIN)
    dialog = open_test(page)
    Simulator(product).call("POST", "/faults", {"kind": "not_on_whatsapp", "times": 1})
    type_in(dialog.get_by_label("Número de destino"), known.number)
    type_in(dialog.get_by_label("Mensagem"), "Oi")
    dialog.get_by_role("button", name="Enviar teste").click()
    expect(dialog.get_by_role("status")).to_contain_text("A mensagem não foi enviada: ")
    Simulator(product).heal()
