"""A number by QR code with the real gateway: from the picture on the screen to the phone's end."""

import base64
import io
import os
import signal
from collections.abc import Iterator

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ANA, OpenPage, log_in
from tests.journeys.people import accept, conversation, row, say, sent, tab, tick, type_in
from tests.journeys.test_administration import table_row
from tests.product import Product, wait_for
from tests.whatsapp import FakeWhatsApp, running_whatsapp

SHOP, MARIA = "5511977770009", "5511988887777"
NAME = "Loja do celular"


@pytest.fixture
def whatsapp() -> Iterator[FakeWhatsApp]:
    with running_whatsapp() as running:
        running.call("person", number=SHOP, name="Loja")
        running.call("person", number=MARIA, name="Maria do Celular")
        yield running


@pytest.fixture
def installation(whatsapp: FakeWhatsApp) -> Iterator[Product]:
    """A product of its own, whose gateway reaches that WhatsApp."""
    running = Product(
        SIMULATE_QR="0", WHATSAPP_URL=whatsapp.url, WHATSAPP_MEDIA_URL=whatsapp.media_url
    )
    try:
        wait_for(lambda: running.get("/health/ready/")[0] == 200, "a worker")
        yield running
    finally:
        running.remove()


def scan(page: Page, whatsapp: FakeWhatsApp) -> None:
    """Read the code off the screen with the shop's phone."""
    code = page.get_by_role("img", name="QR Code para escanear com o WhatsApp")
    expect(code).to_be_visible()
    # The quiet zone is what stands round the drawing.
    picture = Image.open(io.BytesIO(code.locator("xpath=..").screenshot()))
    # Its modules may look like bars of another kind, too.
    kinds = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    [read] = zxingcpp.read_barcodes(picture, kinds)
    whatsapp.call("scan", qr=read.text, number=SHOP)


def test_a_shop_connects_its_phone_writes_and_comes_back_after_every_end(
    installation: Product, whatsapp: FakeWhatsApp, open_page: OpenPage
) -> None:
    page, inbox = (open_page(base_url=installation.address) for _ in range(2))
    log_in(page)
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name="Adicionar conexão").click()
    form = page.get_by_role("dialog", name="Adicionar conexão")
    type_in(form.get_by_label("Nome", exact=True), NAME)
    form.get_by_text("Vendas").click()
    form.get_by_role("button", name="Adicionar", exact=True).click()
    scan(page, whatsapp)
    line = table_row(page, NAME)
    expect(line).to_contain_text("Conectada")
    expect(line).to_contain_text("+55 11 97777-0009")

    # A customer writes, is shown with the picture, and is answered.
    log_in(inbox, ANA)
    drawn = io.BytesIO()
    Image.new("RGB", (96, 96), "teal").save(drawn, "JPEG")
    face = base64.b64encode(drawn.getvalue()).decode()
    whatsapp.call("picture", number=MARIA, file=face)
    whatsapp.call("write", number=MARIA, to=SHOP, text="Boa tarde, tem caneca azul?")
    accept(inbox, "Maria do Celular")
    log = conversation(inbox, "Maria do Celular").get_by_role("log")
    expect(log.get_by_text("Boa tarde, tem caneca azul?")).to_be_visible()
    picture = row(inbox, "Atendendo", "Maria do Celular").locator("img")
    expect(picture).to_be_visible()
    wait_for(lambda: picture.evaluate("picture => picture.naturalWidth === 96"), "the picture")
    say(inbox, "Tem, sim!")
    answer = sent(inbox, "Tem, sim!")
    # WhatsApp's server has it: two ticks, as the rules of a message's ack say.
    expect(tick(answer, "Recebida pelo servidor")).to_be_visible()
    [told] = whatsapp.call("inbox", number=MARIA)
    assert "Tem, sim!" in told["text"]
    for kind in ("", "read"):
        whatsapp.call("receipt", number=MARIA, to=SHOP, id=told["id"], type=kind)
    expect(tick(answer, "Lida")).to_be_visible()

    # The gateway dies; what both wrote meanwhile comes once, when its lease has run out.
    gateway = installation.child("gateway/dist/main.js")
    os.kill(gateway, signal.SIGKILL)
    whatsapp.call("write", number=MARIA, to=SHOP, text="Quanto custa?")
    say(inbox, "Quarenta reais.")
    expect(log.get_by_text("Quanto custa?")).to_have_count(1, timeout=60_000)
    expect(tick(sent(inbox, "Quarenta reais."), "Recebida pelo servidor")).to_be_visible()
    assert installation.child("gateway/dist/main.js") not in {0, gateway}
    texts = whatsapp.texts(MARIA)
    assert [text.rpartition("\n")[2] for text in texts] == ["Tem, sim!", "Quarenta reais."]

    # The phone removes the device: the page says so, and one code more brings it back.
    whatsapp.call("unlink", to=SHOP)
    expect(line).to_contain_text("Desconectada")
    say(inbox, "Posso separar?")
    line.get_by_role("button", name=f"Novo QR Code para {NAME}").click()
    scan(page, whatsapp)
    expect(line).to_contain_text("Conectada")
    expect(tick(sent(inbox, "Posso separar?"), "Recebida pelo servidor")).to_be_visible()
    whatsapp.call("write", number=MARIA, to=SHOP, text="Pode!")
    expect(log.get_by_text("Pode!")).to_have_count(1)
    tab(inbox, "Abertas").click()
    expect(row(inbox, "Atendendo", "Maria do Celular")).to_have_count(1)
    texts = whatsapp.texts(MARIA)
    assert [text.rpartition("\n")[2] for text in texts][2:] == ["Posso separar?"]
