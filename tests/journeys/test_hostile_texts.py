"""Texts of 65,536 letters that were made to hang a browser: who reads them can go on working."""

import time

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ANA, log_in
from tests.journeys.people import Customer, accept, composer, say, type_in
from tests.product import Product

LONGEST = 65_536
# What once took the square of its time, and what makes the most elements and the widest lines.
SHAPES = [
    *("*a* ", "**a", "~*_a_*~ ", "`a` ", "a@b.c ", "www.a ", "(www.", "{{a}} ", "{{ "),
    *(" ", "\n", "😍 ", "e\u0301", "\ufdfa", "a"),
]
# A page that hangs took 90 seconds; what a machine does beside it takes less than these.
PATIENCE_SECONDS = 2.0
OPENING_MS = 60_000
TURNS = 30


def shows_keys_at_once(page: Page, text: str) -> None:
    """Write into the composer; the page shows it while it could do nothing else."""
    begun = time.monotonic()
    type_in(composer(page), text)
    expect(composer(page)).to_have_value(text)
    taken = time.monotonic() - begun
    assert taken < PATIENCE_SECONDS, f"{taken:.1f} s for {text!r}"


def test_a_conversation_of_hostile_texts_opens_scrolls_and_is_answered(
    product: Product, page: Page
) -> None:
    log_in(page, ANA)
    # Drawing all of it takes a slow machine a while, and once only.
    page.set_default_timeout(OPENING_MS)
    customer = Customer(product, "Zoroastro Hostil")
    for shape in SHAPES:
        customer.write((shape * LONGEST)[: LONGEST - 1] + "z")
    customer.send(type="image", sample="canecas.jpg", caption=("**a" * LONGEST)[:LONGEST])
    customer.write("Cheguei ao fim")
    accept(page, customer.name)
    thread = page.get_by_role("log", name=f"Mensagens com {customer.name}")
    expect(thread.get_by_text("Cheguei ao fim")).to_be_visible(timeout=OPENING_MS)
    shows_keys_at_once(page, "Oi")
    # Of each its beginning; one is read whole, and stays so.
    thread.get_by_role("button", name="Ler mais").last.click()
    shows_keys_at_once(page, "Lido")
    thread.hover()
    for turn in range(TURNS):
        page.mouse.wheel(0, -4000)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        if turn % 10 == 9:
            shows_keys_at_once(page, f"Volta {turn}")
            thread.hover()
    say(page, "Tudo lido")
    customer.wait_for_texts("Tudo lido")
