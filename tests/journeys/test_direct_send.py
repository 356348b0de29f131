"""A closed window: a utility text where the account may, and the template where it may not."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, log_in
from tests.journeys.people import NUMBER, Customer, Simulator, sent, tick, type_in
from tests.journeys.test_templates import option, start, submit
from tests.product import Product

LIFTED = {
    "event": "ACCOUNT_RESTRICTION",
    "violation_info": {"violation_type": "DIRECT_SEND_UTILITY_CATEGORY_ABUSE_UNBAN"},
}


@pytest.fixture
def simulator(product: Product) -> Iterator[Simulator]:
    """The simulator, whole again afterwards, with an account that may."""
    simulator = Simulator(product)
    yield simulator
    simulator.heal()
    simulator.call(
        "POST", "/report", {"number": NUMBER, "field": "account_update", "value": LIFTED}
    )


def utility_field(pane: Locator) -> Locator:
    return pane.get_by_role("textbox", name="Mensagem de utilidade")


def send_utility(pane: Locator, text: str) -> None:
    type_in(utility_field(pane), text)
    pane.get_by_role("button", name="Enviar mensagem de utilidade").click()


def test_a_utility_text_reaches_who_never_wrote_and_a_refused_account_falls_back_to_a_template(
    product: Product, page: Page, simulator: Simulator
) -> None:
    log_in(page, ANA)
    first = Customer(product, "Quirino Salgado")
    pane = start(page, first)
    expect(pane.get_by_text("Sem propaganda")).to_be_visible()
    send_utility(pane, "Sua travessa chegou à loja.")
    expect(tick(sent(page, "Sua travessa chegou à loja."), "Entregue")).to_be_visible()
    expect(utility_field(pane)).to_have_value("")
    [arrived] = first.received()
    assert arrived["body"]["category"] == "utility"
    assert "Sua travessa chegou à loja." in arrived["body"]["body"]

    simulator.fault("direct_send_blocked")
    second = Customer(product, "Rosalina Pestana")
    pane = start(page, second)
    # The account may, as the first answer has shown.
    expect(utility_field(pane)).to_be_visible()
    expect(pane.get_by_text("mostra se a conta pode")).to_have_count(0)
    send_utility(pane, "A troca do prato está pronta.")
    message = sent(page, "A troca do prato está pronta.")
    failure = message.get_by_role("status")
    expect(failure).to_contain_text("A Meta bloqueou por enquanto")
    # The composer offers what is left, at once.
    expect(utility_field(pane)).to_have_count(0)
    expect(failure.get_by_role("button", name="Reenviar")).to_have_count(0)
    failure.get_by_role("button", name="Usar um modelo").click()
    dialog = page.get_by_role("dialog", name=re.compile("^Enviar modelo para"))
    option(dialog, "retomar_conversa").click()
    wanted = dialog.get_by_role("region", name="O que você queria escrever")
    expect(wanted).to_contain_text("A troca do prato está pronta.")
    type_in(dialog.get_by_label("Texto: variável 2"), "a troca do prato")
    submit(dialog)
    expect(tick(sent(page, "sobre a troca do prato"), "Entregue")).to_be_visible()
    [template] = second.received()
    assert template["type"] == "template"

    # Meta lifts the restriction: the next conversation offers the text again.
    simulator.heal()
    report = {"number": NUMBER, "field": "account_update", "value": LIFTED}
    simulator.call("POST", "/report", report)
    expect(utility_field(pane)).to_be_visible()
