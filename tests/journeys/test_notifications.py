"""Notices of new messages: sound, desktop, title and icon, and when there are none."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, OpenPage, log_in
from tests.journeys.notices import RECORDER, listen, notices
from tests.journeys.people import Customer, conversation, press, row, tab, wait_in
from tests.product import Product


@pytest.fixture
def listener(open_page: OpenPage) -> Page:
    """An admin's page that writes down its sounds and notices."""
    return listen(open_page(), ADMIN)


def test_a_message_sounds_shows_and_is_counted(listener: Page, product: Product) -> None:
    page = listener
    expect(page).to_have_title(re.compile(r"^\(\d"))
    before = page.title()
    icon = page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("^data:image/png"))
    customer = Customer(product, "Quitéria Avelar")
    customer.write("Vocês *abrem* hoje?")
    wait_in(page, "window.notices.length === 1")
    (notice,) = notices(page)
    assert (notice["title"], notice["body"]) == (customer.name, "Vocês abrem hoje?")
    assert page.evaluate("window.sounds") > 0
    expect(page).not_to_have_title(before)
    page.evaluate("window.notices[0].open()")
    expect(conversation(page, customer.name)).to_be_visible()


def test_the_conversation_in_view_is_silent_until_one_looks_away(
    listener: Page, product: Product
) -> None:
    page = listener
    customer = Customer(product, "Raimundo Sá")
    customer.write("Oi")
    wait_in(page, "window.notices.length === 1")
    tab(page, "Aguardando").click()
    row(page, "Aguardando", customer.name).click()
    pane = conversation(page, customer.name)
    expect(pane).to_be_visible()
    customer.write("ainda aí?")
    expect(pane.get_by_text("ainda aí?").last).to_be_visible()
    page.evaluate("window.isAway = true")
    customer.write("alô?")
    wait_in(page, "window.notices.length === 2")
    assert [notice["body"] for notice in notices(page)] == ["Oi", "alô?"]
    assert len({notice["tag"] for notice in notices(page)}) == 1


def test_volume_zero_is_silent_and_moving_the_slider_plays_it(
    listener: Page, product: Product
) -> None:
    page = listener
    page.get_by_role("button", name="Volume das notificações").click()
    slider = page.get_by_role("slider", name="Volume das notificações")
    press(slider, "ArrowLeft")
    wait_in(page, "window.sounds > 0")
    press(slider, "Home")
    expect(page.get_by_text("0%")).to_be_visible()
    page.keyboard.press("Escape")
    page.evaluate("window.sounds = 0")
    Customer(product, "Salete Pinho").write("Olá")
    wait_in(page, "window.notices.length === 1")
    assert page.evaluate("window.sounds") == 0


def test_of_several_tabs_one_tells(listener: Page, product: Product) -> None:
    first = listener
    second = first.context.new_page()
    second.goto("/tickets")
    expect(tab(second, "Aguardando")).to_be_visible()
    tab(second, "Aguardando").click()
    customer = Customer(product, "Tarcila Brum")
    customer.write("Bom dia")
    expect(row(second, "Aguardando", customer.name)).to_be_visible()
    wait_in(first, "window.notices.length === 1")
    assert notices(second) == []


def test_the_question_is_asked_by_us_first(open_page: OpenPage) -> None:
    page = open_page()
    page.context.add_init_script("window.permission = 'default';" + RECORDER)
    log_in(page, ADMIN)
    prompt = page.get_by_role("region", name="Avisos na área de trabalho")
    prompt.get_by_role("button", name="Agora não").click()
    expect(prompt).to_have_count(0)
    page.reload()
    expect(tab(page, "Aguardando")).to_be_visible()
    expect(prompt).to_have_count(0)
    page.get_by_role("button", name="Volume das notificações").click()
    page.get_by_role("button", name="Ativar avisos na área de trabalho").click()
    expect(page.get_by_text("Avisos na área de trabalho ativos.")).to_be_visible()


def test_on_narrow_screens_too(listener: Page, product: Product) -> None:
    page = listener
    page.set_viewport_size({"width": 390, "height": 844})
    customer = Customer(product, "Ulisses Paz")
    customer.write("Olá!")
    wait_in(page, "window.notices.length === 1")
    assert notices(page)[0]["title"] == customer.name
