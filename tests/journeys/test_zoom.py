"""A screen of 1440 by 900 at 200 %: 720 by 450 for the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, OpenPage, log_in
from tests.journeys.people import Customer, composer, say, sent, serve, type_in
from tests.journeys.screens import SCREENS
from tests.product import Product

SIZE = {"width": 720, "height": 450}

# Buttons and fields that stand on the screen and are not what a press in their middle meets.
COVERED = """() => {
    const modal = document.querySelector('[role=dialog]');
    const found = document.querySelectorAll('button, input, textarea, select, [role=tab]');
    return [...found]
    .filter(e => !e.closest('[inert], [aria-hidden=true]') && e.checkVisibility(
        { visibilityProperty: true, opacityProperty: true }))
    .map(e => [e, e.getBoundingClientRect()])
    .filter(([e, box]) => box.width > 1 && box.height > 1
        && getComputedStyle(e).pointerEvents !== 'none')
    .filter(([e]) => !modal || modal.contains(e))
    .filter(([e, box]) => {
        e.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        box = e.getBoundingClientRect();
        const x = box.x + box.width / 2, y = box.y + box.height / 2;
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return true;
        const hit = document.elementFromPoint(x, y);
        return !e.contains(hit) && hit?.closest('label')?.control !== e;
    })
    .map(([e, box]) => `${e.getAttribute('aria-label') || e.textContent || e.id} at ${
        Math.round(box.x)}, ${Math.round(box.y)}`);
}"""


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page(viewport=SIZE, device_scale_factor=2)


def test_messages_have_at_least_half_of_the_height(page: Page, product: Product) -> None:
    customer = Customer(product, "Xisto Barreto")
    pane = serve(page, ADMIN, customer)
    for number in range(8):
        customer.write(f"Linha {number} do pedido, com o endereço e o que falta nele.")
    say(page, "Anotado!")
    expect(sent(page, "Anotado!")).to_be_in_viewport()
    type_in(composer(page), "Um rascunho")
    thread = pane.get_by_role("log").bounding_box()
    assert thread and thread["height"] >= SIZE["height"] / 2, thread
    assert thread["width"] >= SIZE["width"] - 64 - 1, thread
    assert page.evaluate(COVERED) == []
    page.get_by_role("button", name=re.compile("^Voltar")).click()
    expect(page.get_by_role("tab", name=re.compile("^Aguardando"))).to_be_visible()


def test_the_menu_folds_and_opens_over_the_page(page: Page) -> None:
    log_in(page, ADMIN)
    aside = page.locator("aside").first.bounding_box()
    assert aside and aside["width"] < 100, aside
    page.get_by_role("button", name="Expandir menu").click()
    menu = page.get_by_role("dialog", name="Menu principal")
    menu.get_by_role("link", name="Usuários").click()
    expect(page).to_have_url(re.compile("/users"))
    expect(menu).to_have_count(0)


@pytest.mark.parametrize(
    "screen", ["transfer", "templates", "users", "contacts", "kanban", "settings", "queue"]
)
def test_nothing_asks_to_scroll_sideways(page: Page, product: Product, screen: str) -> None:
    SCREENS[screen](page, product)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZE["width"]
    assert page.evaluate(COVERED) == []
