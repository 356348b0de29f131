"""Without a connection: the notice in place of a page, and what was written meanwhile."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.axe import complaints
from tests.journeys.conftest import ADMIN, ANA, PHONE, OpenPage, log_in
from tests.journeys.people import Customer, row, say, sent, serve, tick
from tests.journeys.reach import unreached
from tests.product import Product

WORDS = {
    "pt-BR": ("Sem conexão com o Balcão", "Tentar agora"),
    "en": ("Balcão cannot be reached", "Try now"),
    "es": ("Sin conexión con Balcão", "Probar ahora"),
}


def cut_off(page: Page) -> None:
    """Visit once, as one who has it installed, and open a page without a network."""
    log_in(page, ADMIN)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto("/contacts")


@pytest.mark.parametrize("locale", WORDS)
def test_a_page_opens_again_by_itself(open_page: OpenPage, locale: str) -> None:
    page = open_page(service_workers="allow", locale=locale)
    heading, button = WORDS[locale]
    cut_off(page)
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", locale)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    found = complaints(page)
    assert not found, "\n".join(found)
    page.context.set_offline(False)
    expect(page).to_have_url(re.compile("/contacts$"))
    expect(page.get_by_role("navigation").first).to_be_visible()
    expect(page.get_by_role("row").nth(1)).to_be_visible()


def test_on_a_telephone(open_page: OpenPage) -> None:
    page = open_page(service_workers="allow", **PHONE)
    cut_off(page)
    expect(page.get_by_role("heading", name="Sem conexão com o Balcão")).to_be_visible()
    assert unreached(page, 44) == []


def test_what_no_page_of_the_application_is_fails_as_it_does(open_page: OpenPage) -> None:
    page = open_page(service_workers="allow")
    cut_off(page)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        page.goto("/api/docs")


def test_what_was_written_offline_leaves_once_and_in_order(product: Product, page: Page) -> None:
    customer = Customer(product, "Otília Sem Sinal")
    serve(page, ANA, customer, "Meu pedido chegou?")
    sends = re.compile(r"/api/messages/\d+$")

    def refuse(route: Route) -> None:
        if route.request.method == "POST":
            route.abort("internetdisconnected")
        else:
            route.fallback()

    page.route(sends, refuse)
    page.context.set_offline(True)
    for text in ("Vou olhar.", "Chega amanhã."):
        say(page, text)
    page.get_by_role("button", name="Resolver", exact=True).last.click()
    question = page.get_by_role("alertdialog", name="2 mensagens não enviadas")
    question.get_by_role("button", name="Voltar").click()
    expect(question).to_be_hidden()
    # Pages load again, but the messages still find no server.
    page.context.set_offline(False)
    page.reload()
    expect(tick(sent(page, "Vou olhar."), "Aguardando envio")).to_be_visible()
    expect(tick(sent(page, "Chega amanhã."), "Aguardando envio")).to_be_visible()
    waiting = row(page, "Atendendo", customer.name).get_by_role("img", name="Aguardando conexão")
    expect(waiting).to_be_visible()
    page.unroute(sends)
    expect(tick(sent(page, "Chega amanhã."), "Entregue")).to_be_visible()
    expect(waiting).to_be_hidden()
    customer.wait_for_texts("Vou olhar.", "Chega amanhã.")
