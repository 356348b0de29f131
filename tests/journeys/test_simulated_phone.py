"""A number by QR code in the demo: the code in one window, the shop's telephone in another."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, OpenPage, log_in
from tests.journeys.people import accept, attach, conversation, say, sent, tick, type_in
from tests.journeys.test_administration import table_row
from tests.product import Product, wait_for

NAME, CUSTOMER = "Loja do celular", "Mariana Albuquerque"
CODE = "QR Code para escanear com o WhatsApp"


@pytest.fixture
def demo() -> Iterator[Product]:
    """The demo as a newcomer starts it: the simulator holds its QR sessions."""
    running = Product()
    try:
        wait_for(lambda: running.get("/health/ready/")[0] == 200, "a worker")
        yield running
    finally:
        running.remove()


def devices(phone: Page) -> Locator:
    """Open what the telephone has under linked devices."""
    phone.get_by_role("button", name="Aparelhos conectados").click()
    return phone.get_by_role("dialog", name="Aparelhos conectados")


def write(phone: Page, words: str) -> None:
    type_in(phone.get_by_role("textbox", name="Mensagem"), words)
    phone.get_by_role("button", name="Enviar", exact=True).click()


def test_a_code_is_scanned_answered_removed_and_scanned_again(
    demo: Product, open_page: OpenPage
) -> None:
    assert not demo.child("gateway/dist/main.js"), "the simulator holds the sessions alone"
    page, inbox, phone = (open_page(base_url=demo.address) for _ in range(3))
    log_in(page)
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name="Adicionar conexão").click()
    form = page.get_by_role("dialog", name="Adicionar conexão")
    type_in(form.get_by_label("Nome", exact=True), NAME)
    form.get_by_text("Vendas").click()
    form.get_by_role("button", name="Adicionar", exact=True).click()
    dialog = page.get_by_role("dialog", name=f"Conectar {NAME}")
    expect(dialog.get_by_role("img", name=CODE)).to_be_visible()

    # A picture of the screen is read as a telephone's camera reads it.
    screen = {"name": "tela.png", "mimeType": "image/png", "buffer": page.screenshot()}
    phone.goto("/simulator")
    linking = devices(phone)
    attach(linking.get_by_role("button", name="Imagem do código"), screen)
    expect(dialog).to_have_count(0)
    line = table_row(page, NAME)
    expect(line).to_contain_text("Conectada")
    expect(line).to_contain_text("+55 11 97777-0009")
    expect(linking).to_have_count(0)

    # A customer writes to that number, and is answered.
    log_in(inbox, ANA)
    phone.get_by_role("button", name=re.compile(CUSTOMER)).click()
    expect(phone.get_by_role("heading", name="Celular da loja")).to_be_visible()
    write(phone, "Boa tarde, tem caneca azul?")
    accept(inbox, CUSTOMER)
    log = conversation(inbox, CUSTOMER).get_by_role("log")
    expect(log.get_by_text("Boa tarde, tem caneca azul?")).to_be_visible()
    say(inbox, "Tem, sim!")
    answers = phone.get_by_role("log").get_by_role("article", name="Mensagem da empresa")
    expect(answers.filter(has_text="Tem, sim!")).to_be_visible()
    expect(tick(sent(inbox, "Tem, sim!"), "Lida")).to_be_visible()

    # The telephone removes the device, and one code more brings it back.
    linking = devices(phone)
    linking.get_by_role("button", name="Remover aparelho de Celular da loja").click()
    expect(line).to_contain_text("Desconectada")
    expect(line).to_contain_text("O telefone desconectou este aparelho.")
    line.get_by_role("button", name=f"Novo QR Code para {NAME}").click()
    expect(dialog.get_by_role("img", name=CODE)).to_be_visible()
    linking.get_by_role("button", name=re.compile("^Ler o código das ")).click()
    expect(dialog).to_have_count(0)
    expect(line).to_contain_text("Conectada")
    write(phone, "Pode separar?")
    expect(log.get_by_text("Pode separar?")).to_have_count(1)
