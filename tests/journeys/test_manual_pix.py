"""Where the operator has no bank's interface: a code of the own key, and a person's word."""

import io
import re
from collections.abc import Iterator

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from apps.billing.pix.manual import crc16
from tests.journeys.conftest import OpenPage
from tests.journeys.test_subscription import HOME, Overdue, ask_for_code, confirm_by_hand
from tests.product import Product, wait_for

KEY = "pix@balcao.example"


@pytest.fixture
def by_hand() -> Iterator[Product]:
    """A product whose operator confirms payments."""
    running = Product(
        PIX_PROVIDER="manual",
        PIX_KEY=KEY,
        PIX_NAME="Balcão Atendimento",
        PIX_CITY="São Paulo",
        SIMULATE_QR="0",
        GATEWAY_MAX_SESSIONS="0",
    )
    try:
        wait_for(lambda: running.get("/health/ready/")[0] == 200, "a worker")
        yield running
    finally:
        running.remove()


def test_a_static_code_is_paid_and_the_operator_says_so(
    by_hand: Product, open_page: OpenPage
) -> None:
    company = Overdue(by_hand)
    page, office = (open_page(base_url=by_hand.address) for _ in range(2))
    pix = ask_for_code(page, company)
    expect(pix.get_by_text("A confirmação é feita por uma pessoa.")).to_be_visible()
    # It never ends, so nothing counts down.
    expect(pix.get_by_text("O código vale por mais")).to_have_count(0)
    pix.get_by_role("button", name="Copiar o código Pix").click()
    code = page.evaluate("navigator.clipboard.readText()")
    for part in (KEY, "540549.90", "5802BR", "Balcao Atendimento", "Sao Paulo"):
        assert part in code, code
    assert code[-4:] == f"{crc16(code[:-4].encode()):04X}"
    picture = pix.get_by_role("img", name="Código QR do Pix").locator("xpath=..").screenshot()
    # Its modules may look like bars of another kind, too.
    kinds = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    [read] = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)), kinds)
    assert read.text == code

    # Who closed it in the meantime gets the same code again.
    page.keyboard.press("Escape")
    expect(pix).to_have_count(0)
    page.get_by_role("button", name=re.compile("^PAGAR")).click()
    dialog = page.get_by_role("dialog", name="Falta pouco!")
    dialog.get_by_role("button", name="PRÓXIMO").click()
    dialog.get_by_role("button", name="PAGAR").click()
    pix.get_by_role("button", name="Copiar o código Pix").click()
    assert page.evaluate("navigator.clipboard.readText()") == code

    confirm_by_hand(office, company)
    expect(pix.get_by_text(re.compile("Sua licença foi renovada até"))).to_be_visible()
    expect(page).to_have_url(HOME)
    expect(page.get_by_role("navigation").first).to_be_visible()
