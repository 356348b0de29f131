"""What people see when the provider or the connection fails, and when it is back."""

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.journeys.conftest import ANA, PHONE, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    Simulator,
    accept,
    row,
    say,
    sent,
    serve,
    tab,
    tick,
    token,
    wait_until_read,
)
from tests.product import Product, wait_for

# A message that waits is tried again after some seconds, with growing pauses.
PATIENCE_MS = 40_000
BANNER = "Sem conexão com o servidor. Tentando reconectar…"


@pytest.fixture
def simulator(product: Product) -> Iterator[Simulator]:
    """The simulator, whole again afterwards."""
    simulator = Simulator(product)
    yield simulator
    simulator.heal()


def test_messages_wait_visibly_while_the_provider_is_down_and_go_in_order(
    product: Product, page: Page, simulator: Simulator
) -> None:
    customer = Customer(product, "Leocádia Sampaio")
    serve(page, ANA, customer)
    simulator.fault("provider_down")
    for words in ("Primeira parte", "Segunda parte", "Terceira parte"):
        say(page, words)
    for words in ("Primeira parte", "Segunda parte", "Terceira parte"):
        expect(tick(sent(page, words), "Aguardando envio")).to_be_visible()
    assert customer.received() == []

    simulator.heal()
    expect(tick(sent(page, "Terceira parte"), "Entregue")).to_be_visible(timeout=PATIENCE_MS)
    customer.wait_for_texts("Primeira parte", "Segunda parte", "Terceira parte")


def test_a_refused_message_says_why_and_is_sent_again_on_demand(
    product: Product, page: Page, simulator: Simulator
) -> None:
    customer = Customer(product, "Hermenegildo Pinto")
    serve(page, ANA, customer)
    simulator.fault("not_on_whatsapp")
    say(page, "Segue o orçamento")
    message = sent(page, "Segue o orçamento")
    failure = message.get_by_role("status")
    expect(failure).to_contain_text("Não enviada:")
    expect(failure).to_contain_text("WhatsApp")

    simulator.heal()
    failure.get_by_role("button", name="Reenviar").click()
    expect(tick(message, "Entregue")).to_be_visible()
    expect(failure).to_have_count(0)
    customer.wait_for_texts("Segue o orçamento")


def test_a_lost_connection_is_visible_and_nothing_is_missed(product: Product, page: Page) -> None:
    customer = Customer(product, "Etelvina Queiroga")
    serve(page, ANA, customer)
    tab(page, "Aguardando").click()
    page.context.set_offline(True)
    expect(page.get_by_text(BANNER)).to_be_visible()
    stranger = Customer(product, "Waldemar Carneiro")
    stranger.write("Bom dia!")
    customer.write("Você ainda está aí?")
    page.context.set_offline(False)

    expect(page.get_by_text(BANNER)).to_have_count(0)
    expect(row(page, "Aguardando", stranger.name)).to_be_visible()
    thread = page.get_by_role("log", name=f"Mensagens com {customer.name}")
    expect(thread.get_by_text("Você ainda está aí?")).to_be_visible()
    # Live again, not only fetched once.
    customer.write("Agora voltou")
    expect(thread.get_by_text("Agora voltou")).to_be_visible()


PLACES = """() => [...document.querySelectorAll('header, [role=log], textarea, [role=tablist]')]
    .filter(e => e.checkVisibility())
    .map(e => { const { x, y, width, height } = e.getBoundingClientRect();
                return [e.tagName, x, y, width, height]; })"""


@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_nothing_moves_when_the_connection_goes_and_comes(
    product: Product, open_page: OpenPage, screen: str
) -> None:
    page = open_page(**(PHONE if screen == "phone" else {}))
    pane = serve(page, ANA, Customer(product, f"Etelvina {screen}"))
    expect(pane.get_by_role("log").get_by_text("Olá!")).to_be_visible()
    wait_until_read(page)
    before = page.evaluate(PLACES)
    assert len(before) >= 3, before
    page.context.set_offline(True)
    lost = page.get_by_text(BANNER)
    expect(lost).to_be_visible()
    assert page.evaluate(PLACES) == before
    # It hides neither a button nor what is written, and what it lies over can be pressed.
    box, head = lost.bounding_box(), pane.locator("header").bounding_box()
    assert box and head
    assert box["y"] + box["height"] <= head["y"] or box["y"] >= head["y"] + head["height"]
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    hit = "([x, y]) => document.elementFromPoint(x, y).closest('[role=status]') === null"
    assert page.evaluate(hit, middle)
    page.context.set_offline(False)
    expect(page.get_by_text("Conexão restabelecida. Tudo atualizado.")).to_be_visible()
    assert page.evaluate(PLACES) == before
    expect(page.get_by_text("Conexão restabelecida. Tudo atualizado.")).to_have_count(0)
    assert page.evaluate(PLACES) == before


def test_what_came_before_the_page_could_hear_shows_all_the_same(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Gumercindo Pires")
    serve(page, ANA, customer)
    joins: list[Callable[[], None]] = []

    def delay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(frame: str | bytes) -> None:
            if "join" in str(frame):
                joins.append(partial(server.send, frame))
            else:
                server.send(frame)

        socket.on_message(pass_on)

    page.route_web_socket(re.compile(r"/socket\.io/"), delay)
    page.reload()
    thread = page.get_by_role("log", name=f"Mensagens com {customer.name}")
    expect(thread.get_by_text("Olá!")).to_be_visible()
    wait_for(lambda: page.evaluate("true") and any(joins), "the wish to hear")
    customer.write("Consegue me ouvir?")
    headers = {"Authorization": f"Bearer {token(page)}"}
    wait_for(
        lambda: "Consegue me ouvir?" in page.request.get("/api/tickets", headers=headers).text(),
        "the message to be stored",
    )
    for join in joins:
        join()
    expect(thread.get_by_text("Consegue me ouvir?")).to_be_visible()


def test_what_is_written_without_a_connection_leaves_by_itself_afterwards(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Benvinda Toledo")
    log_in(page, ANA)
    customer.write("Boa tarde")
    accept(page, customer.name)
    page.context.set_offline(True)
    say(page, "Já respondo")
    message = sent(page, "Já respondo")
    expect(tick(message, "Aguardando envio")).to_be_visible()
    page.context.set_offline(False)
    expect(tick(message, "Entregue")).to_be_visible()
    customer.wait_for_texts("Já respondo")
