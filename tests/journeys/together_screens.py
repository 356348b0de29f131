"""How to reach the screens of working on one conversation together."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, PASSWORD, log_in
from tests.journeys.desk_screens import call
from tests.journeys.people import UUID, Customer, serve, type_in
from tests.product import Product

TEXT = "@Camila Duarte pode dar 10% de desconto? É a terceira compra dela este ano."


def note_of_ana(page: Page, product: Product, ticket_id: int) -> None:
    """Have Ana, in a browser of her own, mention the admin in a note."""
    browser = page.context.browser
    assert browser is not None
    admin = next(
        user for user in call(page, "GET", "/users/list") if user["name"] == "Camila Duarte"
    )
    other = browser.new_context(base_url=product.address)
    try:
        login = other.request.post("/api/auth/login", data={"email": ANA, "password": PASSWORD})
        answer = other.request.post(
            f"/api/tickets/{ticket_id}/notes",
            data={"text": TEXT, "userIds": [admin["id"]]},
            headers={"Authorization": f"Bearer {login.json()['token']}"},
        )
        assert answer.ok, answer.text()
    finally:
        other.close()


def show_found_note(page: Page, product: Product) -> None:
    """Show a saved note that the search in its conversation has found."""
    customer = Customer(product, "Olívia Bilhete")
    pane = serve(page, ADMIN, customer, "Vocês fazem desconto para 40 canecas?")
    ticket = call(page, "GET", f"/tickets/u/{_uuid(page)}")
    note_of_ana(page, product, ticket["id"])
    expect(pane.locator("[data-note]")).to_be_visible()
    pane.get_by_role("button", name="Nota", exact=True).focus()
    page.keyboard.press("Control+f")
    search = pane.get_by_role("search", name="Busca na conversa")
    type_in(search.get_by_role("searchbox"), "desconto")
    expect(search.get_by_role("status")).to_have_text("1 de 2")
    expect(pane.locator("[data-note] mark")).to_be_visible()


def show_mentions(page: Page, product: Product) -> None:
    customer = Customer(product, "Cecília Aviso")
    serve(page, ADMIN, customer)
    ticket = call(page, "GET", f"/tickets/u/{_uuid(page)}")
    page.goto("/tickets")
    note_of_ana(page, product, ticket["id"])
    page.get_by_role("button", name=re.compile("menç", re.IGNORECASE)).click()
    expect(page.get_by_role("button", name=re.compile("terceira compra")).first).to_be_visible()


def show_closing(page: Page, product: Product) -> None:
    """Show what is asked for before a conversation is resolved; nothing is."""
    customer = Customer(product, "Quitéria Final")
    log_in(page, ADMIN)
    wanted = {
        "closingReasons": "Venda feita\nSem estoque\nDúvida respondida",
        "closingFields": "CPF",
    }
    for key, value in wanted.items():
        call(page, "PUT", f"/settings/{key}", {"value": value})
    try:
        pane = serve(page, ADMIN, customer)
        pane.get_by_role("button", name="Resolver").click()
        dialog = page.get_by_role("dialog", name=re.compile(customer.name))
        expect(dialog.get_by_role("textbox", name="CPF")).to_be_visible()
        dialog.get_by_role("button", name="Sem estoque").click()
        expect(dialog.get_by_text("Preencha para resolver")).to_be_visible()
    finally:
        for key in wanted:
            call(page, "PUT", f"/settings/{key}", {"value": ""})


def _uuid(page: Page) -> str:
    found = UUID.search(page.url)
    assert found is not None, page.url
    return found[1]
