"""Files between the browser and a store that it reaches itself."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ANA
from tests.journeys.people import Customer, attach, attach_file, composer, press, sent, serve, tick
from tests.product import Product, wait_for
from tests.s3 import S3Server

LARGE = b"%PDF-1.7 " + b"0" * 2_000_000
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8"
    "cfc000000301010018dd8db00000000049454e44ae426082"
)


@pytest.fixture
def store() -> Iterator[S3Server]:
    server = S3Server()
    yield server
    server.stop()


@pytest.fixture
def product(store: S3Server) -> Iterator[Product]:
    """The demo with its files in the store."""
    running = Product(port=None, **store.environment)
    try:
        wait_for(lambda: running.get("/health/ready/")[0] == 200, "a worker")
        yield running
    finally:
        running.remove()


def test_a_large_file_goes_to_the_store_itself_and_a_picture_is_shown_from_there(
    product: Product, store: S3Server, page: Page
) -> None:
    customer = Customer(product, "Tomás Vidal")
    serve(page, ANA, customer)
    large = {"name": "relatorio.pdf", "mimeType": "application/pdf", "buffer": LARGE}
    attach(attach_file(page), large)
    composer(page).click()
    with page.expect_request(lambda request: request.url.startswith(store.url)) as brought:
        press(composer(page), "Enter")
    assert brought.value.method == "PUT"
    message = sent(page, "relatorio.pdf")
    expect(message).to_be_visible()
    expect(tick(message, "Entregue").or_(tick(message, "Lida"))).to_be_visible()
    kept = [name.partition("/")[0] for name, size in store.names().items() if size == len(LARGE)]
    assert kept.count("uploads") == 1
    assert sum(folder.isdigit() for folder in kept) == 1

    small = {"name": "ponto.png", "mimeType": "image/png", "buffer": PICTURE}
    attach(attach_file(page), small)
    composer(page).click()
    press(composer(page), "Enter")
    shown = page.get_by_role("button", name="Ampliar imagem").get_by_role("img", name="Foto")
    expect(shown).to_be_visible()
    with page.expect_response(lambda answer: answer.url.startswith(store.url)) as fetched:
        page.reload()
    assert fetched.value.status == 200
    expect(shown).to_have_attribute("src", re.compile(f"^{product.address}/api/public/"))
    wait_for(lambda: bool(shown.evaluate("image => image.naturalWidth")), "the picture")
