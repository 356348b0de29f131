"""Short notices: named in the reader's language, and never over what can be pressed in a head."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, PHONE, OpenPage, log_in
from tests.journeys.people import Customer, serve
from tests.product import Product

NAMES = {
    "English": ("en", "Notices"),
    "Español": ("es", "Avisos"),
    "Português": ("pt-BR", "Avisos"),
}


@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_notice_leaves_the_head_of_a_conversation_free(
    product: Product, open_page: OpenPage, screen: str
) -> None:
    page = open_page(**(PHONE if screen == "phone" else {}))
    pane = serve(page, ADMIN, Customer(product, f"Teodoro {screen}"))
    head = pane.locator("header").bounding_box()
    notices = page.get_by_role("region", name="Avisos (Alt+T)")
    place = notices.bounding_box()
    assert head and place
    assert place["y"] >= head["y"] + head["height"], (place, head)

    # Where nothing stands below it, it is near the edge as before.
    page.goto("/tags")
    expect(page.get_by_role("row", name="Orçamento")).to_be_visible()
    place = notices.bounding_box()
    assert place and place["y"] == 16, place


def test_what_is_told_stands_there(product: Product, page: Page) -> None:
    pane = serve(page, ADMIN, Customer(product, "Teodoro Avisado"))
    page.get_by_role("button", name="Opções do atendimento").click()
    page.get_by_role("menuitem", name="Copiar link").click()
    notices = page.get_by_role("region", name="Avisos (Alt+T)")
    expect(notices.get_by_text("Link copiado")).to_be_visible()
    # Its buttons can be pressed meanwhile.
    pane.get_by_role("button", name="Transferir").click()
    expect(page.get_by_role("dialog", name=re.compile("^Transferir"))).to_be_visible()


def test_a_finger_finds_the_way_back_beside_the_cross(product: Product, phone: Page) -> None:
    pane = serve(phone, ADMIN, Customer(product, "Teodorico Desfeito"))
    pane.get_by_role("button", name="Resolver").tap()
    notices = phone.get_by_role("region", name="Avisos (Alt+T)")
    undo = notices.get_by_role("button", name="Desfazer")
    expect(undo).to_be_visible()
    # Its words stand in it, and so does the cross in its own button.
    assert undo.evaluate("e => e.scrollWidth <= e.clientWidth")
    cross = notices.get_by_role("button", name="Fechar")
    whole, sign = cross.bounding_box(), cross.locator("svg").bounding_box()
    assert whole and sign
    apart = sign["x"] + sign["width"] / 2 - whole["x"] - whole["width"] / 2
    assert abs(apart) <= 1, (sign, whole)
    undo.tap()
    expect(pane).to_be_visible()


@pytest.mark.parametrize("language", NAMES)
def test_notices_have_a_name_in_the_readers_language(page: Page, language: str) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name=language).click()
    code, name = NAMES[language]
    expect(page.locator("html")).to_have_attribute("lang", code)
    expect(page.get_by_role("region", name=f"{name} (Alt+T)", exact=True)).to_be_attached()
