"""Opening a conversation: what is known shows at once, what is not says so."""

import re

from playwright.sync_api import Locator, Page, Response, expect

from tests.journeys.conftest import ANA, log_in
from tests.journeys.people import (
    UUID,
    Customer,
    accept,
    address,
    composer,
    conversation,
    hold,
    open_waiting,
    row,
    serve,
    tab,
    token,
    type_in,
)
from tests.product import Product

MESSAGES = re.compile(r"/api/messages/\d+")


def is_look_ahead(response: Response) -> bool:
    return bool(MESSAGES.search(response.url)) and "peek=true" in response.url


def badge(listed: Locator) -> Locator:
    return listed.get_by_label("não lida")


def served_and_written_again(product: Product, page: Page, name: str) -> Customer:
    """Return a customer of Ana's who wrote while her page, just loaded, shows no conversation."""
    customer = Customer(product, name)
    serve(page, ANA, customer)
    mine = row(page, "Atendendo", customer.name)
    expect(mine).to_be_visible()
    expect(badge(mine)).to_have_count(0)
    page.goto("/tickets")
    expect(mine).to_be_visible()
    customer.write("Chegou a encomenda?")
    expect(badge(mine)).to_have_count(1)
    return customer


def test_where_the_pointer_rests_is_fetched_ahead_and_not_read(
    product: Product, page: Page
) -> None:
    customer = served_and_written_again(product, page, "Iracema Valadares")
    mine = row(page, "Atendendo", customer.name)
    with page.expect_response(is_look_ahead):
        mine.hover()
    # Nobody has read it: not here, and not on the server.
    page.mouse.move(1200, 5)
    page.reload()
    expect(badge(mine)).to_have_count(1)

    with page.expect_response(is_look_ahead):
        mine.hover()
    held = hold(page, "**/api/messages/*")
    mine.click()
    expect(page.get_by_role("log").get_by_text("Chegou a encomenda?")).to_be_visible()
    expect(page.get_by_role("separator").filter(has_text="não lida")).to_be_visible()
    for route in held:
        route.continue_()
    page.unroute("**/api/messages/*")
    expect(badge(mine)).to_have_count(0)


def test_where_the_arrows_rest_is_fetched_ahead(product: Product, page: Page) -> None:
    customer = served_and_written_again(product, page, "Ubaldo Siqueira")
    mine = row(page, "Atendendo", customer.name)
    first = page.get_by_role("region", name="Atendendo", exact=True).get_by_role("link").first
    expect(first).to_contain_text(customer.name)
    with page.expect_response(is_look_ahead):
        page.keyboard.press("j")
    expect(mine).to_be_focused()
    hold(page, "**/api/messages/*")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").get_by_text("Chegou a encomenda?")).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")


def test_where_an_arrow_leads_is_fetched_ahead(product: Product, page: Page) -> None:
    other = Customer(product, "Doroteia Queirós")
    serve(page, ANA, other, "Vocês abrem hoje?")
    first = served_and_written_again(product, page, "Evaristo Pimenta")
    upper, lower = (row(page, "Atendendo", customer.name) for customer in (first, other))
    listed = page.get_by_role("region", name="Atendendo", exact=True).locator("[data-ticket]")
    expect(listed.nth(0)).to_contain_text(first.name)
    expect(listed.nth(1)).to_contain_text(other.name)
    ticket_id = listed.nth(1).get_attribute("data-ticket")
    page.keyboard.press("j")
    expect(upper).to_be_focused()

    # Nothing but the arrow asks for this one.
    def is_its_own(response: Response) -> bool:
        return is_look_ahead(response) and f"/api/messages/{ticket_id}?" in response.url

    with page.expect_response(is_its_own):
        page.keyboard.press("ArrowDown")
    expect(lower).to_be_focused()
    hold(page, "**/api/messages/*")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").get_by_text("Vocês abrem hoje?")).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")


def test_a_conversation_that_is_not_here_shows_its_shape_first(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Leocádia Brandão")
    customer.write("Bom dia!")
    log_in(page, ANA)
    held = hold(page, "**/api/messages/*")
    pane = open_waiting(page, customer.name)
    # Who it is, the row has told; the words are on their way.
    expect(pane.get_by_role("heading", name=customer.name)).to_be_visible()
    expect(pane.get_by_role("status", name="Carregando…")).to_be_visible()
    for route in held:
        route.continue_()
    page.unroute("**/api/messages/*")
    expect(pane.get_by_text("Bom dia!")).to_be_visible()

    # By its address alone not even that is known: the list beside it shows closed tickets.
    tickets = hold(page, "**/api/tickets/u/*")
    page.goto(f"{address(page)}?tab=closed")
    expect(page.get_by_role("main").get_by_role("status", name="Carregando…")).to_have_count(1)
    for route in tickets:
        route.continue_()
    page.unroute("**/api/tickets/u/*")
    expect(pane.get_by_text("Bom dia!")).to_be_visible()


def test_without_a_network_what_is_here_shows_and_what_is_not_says_so(
    product: Product, page: Page
) -> None:
    known, unknown = (Customer(product, name) for name in ("Otília Camargo", "Baltazar Nóbrega"))
    unknown.write("Tem em azul?")
    serve(page, ANA, known, "Boa tarde!")
    tab(page, "Aguardando").click()
    expect(row(page, "Aguardando", unknown.name)).to_be_visible()

    page.context.set_offline(True)
    row(page, "Aguardando", unknown.name).click()
    notice = conversation(page, unknown.name).get_by_role("alert")
    expect(notice).to_contain_text("Esta conversa ainda não foi carregada neste navegador")
    expect(notice).to_contain_text("Sem conexão com o servidor")
    expect(notice.get_by_role("button", name="Tentar de novo")).to_be_visible()

    tab(page, "Atendendo").click()
    row(page, "Atendendo", known.name).click()
    expect(page.get_by_role("log").get_by_text("Boa tarde!")).to_be_visible()
    expect(page.get_by_text("Sem conexão com o servidor. Tentando reconectar…")).to_be_visible()

    # What was opened meanwhile comes by itself once there is a network.
    tab(page, "Aguardando").click()
    row(page, "Aguardando", unknown.name).click()
    expect(notice).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("log").get_by_text("Tem em azul?")).to_be_visible()


def test_an_address_of_what_is_not_here_says_so_and_tries_again(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Perpétua Machado")
    serve(page, ANA, customer, "Que dia chega?")
    place = address(page)
    # Without any network the page itself would not come: its one call for the ticket is lost. The
    # list beside it shows closed tickets, and live events are lost: either may bring the ticket.
    page.route("**/api/tickets/u/*", lambda route: route.abort())
    page.route("**/socket.io/**", lambda route: route.abort())
    page.route_web_socket(re.compile(r"/socket\.io/"), lambda socket: socket.close())
    page.goto(f"{place}?tab=closed")
    words = "Esta conversa ainda não foi carregada neste navegador"
    notice = page.get_by_role("main").get_by_role("alert").filter(has_text=words)
    expect(notice).to_contain_text("Sem conexão com o servidor")
    again = notice.get_by_role("button", name="Tentar de novo")
    expect(again).to_be_visible()
    page.unroute("**/api/tickets/u/*")
    again.click()
    pane = conversation(page, customer.name)
    expect(pane.get_by_role("log").get_by_text("Que dia chega?")).to_be_visible()
    expect(notice).to_have_count(0)


def test_what_could_not_be_fetched_is_tried_again_on_demand(product: Product, page: Page) -> None:
    customer = Customer(product, "Gumercindo Peixoto")
    customer.write("Fecha que horas?")
    log_in(page, ANA)
    page.route("**/api/messages/*", lambda route: route.abort())
    pane = open_waiting(page, customer.name)
    again = pane.get_by_role("button", name="Tentar de novo")
    expect(again).to_be_visible()
    page.unroute("**/api/messages/*")
    again.click()
    expect(pane.get_by_text("Fecha que horas?")).to_be_visible()


def test_a_conversation_that_was_left_stands_ready_and_is_not_read(
    product: Product, page: Page
) -> None:
    other, customer = (Customer(product, name) for name in ("Celestina Rabelo", "Anacleto Furtado"))
    serve(page, ANA, other)
    customer.write("Olá!")
    pane = accept(page, customer.name)
    expect(pane.get_by_text("Olá!")).to_be_visible()
    type_in(composer(page), "Já vejo")
    pane.get_by_role("button", name="Buscar na conversa").click()
    expect(pane.get_by_role("search")).to_be_visible()
    row(page, "Atendendo", other.name).click()
    expect(conversation(page, other.name)).to_be_visible()

    # It is drawn as it will open, and nobody sees or reads it.
    ready = page.locator(f'section[aria-label="Conversa com {customer.name}"]')
    expect(ready.locator("[data-message]")).to_have_count(1)
    expect(ready).to_be_hidden()
    customer.write("Chegou a encomenda?")
    mine = row(page, "Atendendo", customer.name)
    expect(badge(mine)).to_have_count(1)
    expect(ready.locator("[data-message]")).to_have_count(2)
    expect(ready).to_be_hidden()
    answer = page.request.get(
        f"/api/tickets/u/{uuid_of(mine)}", headers={"Authorization": f"Bearer {token(page)}"}
    )
    assert answer.json()["unreadMessages"] == 1

    # Opened, it begins anew: at its end, with the line, what was typed, and without the search.
    mine.click()
    expect(pane.get_by_text("Chegou a encomenda?")).to_be_in_viewport()
    expect(pane.get_by_role("separator").filter(has_text="não lida")).to_be_visible()
    expect(pane.get_by_role("search")).to_have_count(0)
    expect(composer(page)).to_have_value("Já vejo")
    expect(composer(page)).to_be_focused()
    expect(badge(mine)).to_have_count(0)


def uuid_of(listed: Locator) -> str:
    found = UUID.search(listed.get_attribute("href") or "")
    assert found
    return found.group(1)
