"""Who comes by an advertisement or a post: which one is seen in the conversation and the drawer."""

import itertools
import time
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, log_in
from tests.journeys.people import NUMBER, Customer, Simulator, accept
from tests.journeys.test_drawer import open_drawer
from tests.product import Product

AD = {
    "source_type": "ad",
    "source_id": "120226305854810726",
    "source_url": "https://fb.me/3cr4Wqqkv",
    "headline": "Travessas da nova estação",
    "body": "Feitas à mão, com frete grátis para a Vila Madalena até domingo.",
    "media_type": "image",
    "image_url": "https://scontent.example/travessas.jpg",
    "ctwa_clid": "ARAkLkA8rmlFeiCktEJQ",
}
POST = {
    "source_type": "post",
    "source_id": "120226305854810727",
    "source_url": "https://www.instagram.com/p/olaria",
    "headline": "O forno de terça",
    "body": "O que saiu hoje.",
}
_written = itertools.count(1)


def come_by(simulator: Simulator, customer: Customer, words: str, referral: dict[str, Any]) -> None:
    """Have Meta tell a customer's message with what it says of the advertisement."""
    message = {
        "from": customer.number,
        "id": f"wamid.referral.{customer.number}.{next(_written)}",
        "timestamp": str(int(time.time())),
        "type": "text",
        "text": {"body": words},
        "referral": referral,
    }
    contact = {"profile": {"name": customer.name}, "wa_id": customer.number}
    value = {"contacts": [contact], "messages": [message]}
    simulator.call("POST", "/report", {"number": NUMBER, "field": "messages", "value": value})


def message(pane: Locator, words: str) -> Locator:
    """Return a message of the customer's, with what stands in it."""
    return pane.locator("[data-message]").filter(has_text=words)


def test_which_advertisement_brought_somebody_is_shown_and_stays(
    page: Page, product: Product
) -> None:
    simulator, customer = Simulator(product), Customer(product, "Petronila Vidigal")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    log_in(page, ANA)
    come_by(simulator, customer, "Quero saber das travessas", AD)
    pane = accept(page, customer.name)
    shown = message(pane, "Quero saber das travessas")
    for words in ("Veio por um anúncio", AD["headline"], AD["body"]):
        expect(shown.get_by_text(words)).to_be_visible()
    link = shown.get_by_role("link", name="Abrir anúncio")
    expect(link).to_have_attribute("href", AD["source_url"])
    expect(link).to_have_attribute("target", "_blank")
    drawer = open_drawer(page, customer.name)
    expect(drawer.get_by_text(f"Anúncio: {AD['headline']}")).to_be_visible()

    # The latest one stays with the ticket; each message keeps its own.
    come_by(simulator, customer, "Ainda tem o de terça?", POST)
    later = message(pane, "Ainda tem o de terça?")
    expect(later.get_by_text("Veio por uma publicação")).to_be_visible()
    opened = later.get_by_role("link", name="Abrir publicação")
    expect(opened).to_have_attribute("href", POST["source_url"])
    expect(drawer.get_by_text(f"Publicação: {POST['headline']}")).to_be_visible()
    page.reload()
    expect(drawer.get_by_text(f"Publicação: {POST['headline']}")).to_be_visible()
    expect(shown.get_by_text(AD["headline"])).to_be_visible()
    # Who placed it learns nothing of who looks at it.
    assert not [url for url in asked if "scontent" in url or "fb.me" in url]
