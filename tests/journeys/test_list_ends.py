"""Lists whose end is in sight at once, and lists whose next page does not come."""

import re

from playwright.sync_api import Page, Route, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.operator import make_company
from tests.journeys.people import tab, token
from tests.product import Product

# A window of 1440p, on which a page of 20 rows leaves room.
TALL_PX = 1_400
MANY = 45


def make_quick_messages(page: Page, count: int) -> None:
    headers = {"Authorization": f"Bearer {token(page)}"}
    for number in range(count):
        data = {"shortcode": f"resposta{number:02}", "message": "Bom dia!"}
        answer = page.request.post("/api/quick-messages", data=data, headers=headers)
        assert answer.ok, answer.text()


def test_a_tall_window_fills_by_itself_and_a_page_that_fails_waits_for_a_person(
    product: Product, page: Page
) -> None:
    log_in(page, make_company(product, "Vidraçaria Alta"))
    make_quick_messages(page, MANY)
    page.set_viewport_size({"width": 1366, "height": TALL_PX})
    page.goto("/quick-messages")
    rows = page.get_by_role("row")
    # Two pages and the head: no wheel was turned.
    expect(rows).to_have_count(41)

    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429, json={"error": "ERR_TOO_MANY_REQUESTS"})

    page.route(re.compile(r"/quick-messages.*pageNumber=3"), refuse)
    table = page.get_by_role("table", name="Respostas rápidas")
    table.hover()
    page.mouse.wheel(0, 20_000)
    alert = page.get_by_role("alert").filter(has_text="Não foi possível carregar")
    expect(alert).to_be_visible()
    page.mouse.wheel(0, -500)
    page.mouse.wheel(0, 20_000)
    expect(alert).to_be_visible()
    assert len(asked) == 1, asked

    page.unroute_all()
    alert.get_by_role("button", name="Tentar de novo").click()
    expect(rows).to_have_count(MANY + 1)
    expect(alert).to_have_count(0)


def test_the_search_tab_lists_by_a_tag_alone(page: Page) -> None:
    log_in(page, ADMIN)
    tab(page, "Busca").click()
    expect(page.get_by_text("Busque por nome")).to_be_visible()
    page.get_by_role("button", name="Filtros").click()
    page.get_by_role("group", name="Tags").get_by_text("Atacado", exact=True).click()
    page.keyboard.press("Escape")
    found = page.get_by_role("region", name="Busca", exact=True)
    expect(found.get_by_role("link").first).to_be_visible()
    expect(found.get_by_role("link").filter(has_text="Atacado")).not_to_have_count(0)
    page.get_by_role("button", name="Limpar filtros").first.click()
    expect(page.get_by_text("Busque por nome")).to_be_visible()
