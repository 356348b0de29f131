"""A closed window: a utility text where the account may, and the template where it may not."""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, OpenPage, log_in
from tests.journeys.notices import listen, notices
from tests.journeys.people import (
    NUMBER,
    Customer,
    Simulator,
    composer,
    conversation,
    press_box,
    row,
    say,
    sent,
    tick,
    type_in,
)
from tests.journeys.test_templates import option, start, submit
from tests.product import Product, wait_for

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
    # The bubble says how it went.
    mark = sent(page, "Sua travessa chegou à loja.").get_by_title("Mensagem de utilidade")
    expect(mark).to_contain_text("Utilidade")
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


def write_yesterday(simulator: Simulator, customer: Customer, words: str, minutes: int) -> None:
    """Have Meta tell a message of a customer whose window closes in so many minutes."""
    written_at = int(time.time()) - 24 * 3600 + minutes * 60
    message = {
        "from": customer.number,
        "id": f"wamid.late.{customer.number}",
        "timestamp": str(written_at),
        "type": "text",
        "text": {"body": words},
    }
    contact = {"profile": {"name": customer.name}, "wa_id": customer.number}
    value = {"contacts": [contact], "messages": [message]}
    simulator.call("POST", "/report", {"number": NUMBER, "field": "messages", "value": value})


def test_who_waits_in_the_last_hour_is_listed_and_told_once(
    product: Product, open_page: OpenPage, simulator: Simulator
) -> None:
    page = listen(open_page(), ANA)
    customer = Customer(product, "Salvador Quintela")
    start(page, customer)
    page.goto("/tickets")
    write_yesterday(simulator, customer, "Ainda têm a travessa?", minutes=40)
    expect(row(page, "Atendendo", customer.name)).to_contain_text("Ainda têm a travessa?")

    # The timers run every 30 s.
    def closing() -> list[dict[str, str]]:
        return [each for each in notices(page) if "janela de 24 horas fecha às" in each["body"]]

    wait_for(lambda: bool(closing()), "the notice of the closing window", seconds=60)
    [notice] = closing()
    assert notice["title"] == customer.name

    page.get_by_role("button", name="Filtros").click()
    press_box(page, "A janela fecha em 1 h")
    expect(page).to_have_url(re.compile("closing=1"))
    page.keyboard.press("Escape")
    expect(row(page, "Atendendo", customer.name)).to_be_visible()
    listed = page.get_by_role("region", name="Atendendo", exact=True).get_by_role("link")
    expect(listed).to_have_count(1)
    listed.click()
    chip = page.locator("header").get_by_title("A janela de texto livre fecha em")
    expect(chip).to_have_text(re.compile(r"^(40|39) min"))
    say(page, "Temos, sim!")
    expect(sent(page, "Temos, sim!")).to_be_visible()
    # The contact waits no more, and nobody is told again.
    expect(listed).to_have_count(0)
    assert len(closing()) == 1


def test_one_is_told_when_the_contact_writes_although_the_ticket_was_closed(
    product: Product, open_page: OpenPage, simulator: Simulator
) -> None:
    page = listen(open_page(), ANA)
    customer = Customer(product, "Ubaldina Cerqueira")
    pane = start(page, customer)
    type_in(utility_field(pane), "Sobre a sua troca")
    pane.get_by_role("button", name="Avisar quando o contato escrever").click()
    expect(pane.get_by_role("button", name="Você será avisado")).to_be_visible()
    pane.get_by_role("button", name="Resolver").click()
    expect(pane).to_have_count(0)
    customer.write("Oi, alguma novidade?")
    news = page.get_by_text("Você esperava esta resposta: Oi, alguma novidade?")
    expect(news).to_be_visible()
    assert customer.name in {each["title"] for each in notices(page)}
    page.get_by_role("button", name="Abrir", exact=True).click()
    expect(pane).to_be_visible()
    # It waits for somebody; the begun text is there when it is accepted.
    pane.get_by_role("button", name="Aceitar").first.click()
    expect(composer(page)).to_have_value("Sobre a sua troca")


def test_what_came_while_no_page_was_open_is_told_when_one_is(
    product: Product, open_page: OpenPage, simulator: Simulator
) -> None:
    page = listen(open_page(), ANA)
    awaited, late = (Customer(product, name) for name in ("Virgínia Taveira", "Wálter Sequeira"))
    start(page, late)
    pane = start(page, awaited)
    pane.get_by_role("button", name="Avisar quando o contato escrever").click()
    expect(pane.get_by_role("button", name="Você será avisado")).to_be_visible()
    page.goto("/tickets")
    expect(row(page, "Atendendo", late.name)).to_be_visible()
    page.goto("about:blank")
    awaited.write("Voltei, e a peça?")
    write_yesterday(simulator, late, "Ainda dá tempo?", minutes=30)
    # The timer may tell of the window meanwhile: nobody hears it.
    page.goto("/tickets")
    news = page.get_by_text("Você esperava esta resposta: Voltei, e a peça?")
    window = page.get_by_text(f"{late.name}: A janela de 24 horas fecha às")
    expect(news).to_be_visible()
    expect(window).to_be_visible(timeout=60_000)
    page.reload()
    # The answer was not opened yet; the window was told.
    expect(news).to_be_visible()
    # Answers to others may be told beside it.
    told = page.locator("[data-scope=toast][data-part=root]").filter(has=news)
    told.get_by_role("button", name="Abrir", exact=True).click()
    expect(conversation(page, awaited.name)).to_be_visible()
    with page.expect_response("**/api/tickets/follows") as follows:
        page.reload()
    names = [each["ticket"]["contact"]["name"] for each in follows.value.json()["answers"]]
    assert awaited.name not in names
    expect(conversation(page, awaited.name)).to_be_visible()
    expect(news).to_have_count(0)
    expect(window).to_have_count(0)
