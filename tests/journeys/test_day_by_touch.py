"""A day on a telephone, by the finger alone: 390 px, no mouse and no keyboard but the screen's."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, PHONE, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    composer,
    conversation,
    row,
    say,
    sent,
    tab,
    tick,
    type_in,
)
from tests.journeys.test_next_conversation import ana_as_before  # noqa: F401
from tests.journeys.transfers import target_field, transfer_of
from tests.product import Product


@pytest.fixture
def phone(open_page: OpenPage) -> Iterator[Page]:
    """A telephone in whose page no mouse ever does anything."""
    page = open_page(**PHONE)
    page.add_init_script(
        "window.mice = [];"
        "addEventListener('pointerdown',"
        " e => { if (e.pointerType === 'mouse') window.mice.push(e.target.outerHTML); }, true);"
    )
    yield page
    assert page.evaluate("window.mice") == []


def accept_by_touch(page: Page, contact: str) -> Locator:
    """Go to who waits, open one and accept; return the pane."""
    tab(page, "Aguardando").tap()
    row(page, "Aguardando", contact).tap()
    pane = conversation(page, contact)
    pane.get_by_role("button", name="Aceitar").first.tap()
    expect(composer(page)).to_be_visible()
    expect(page).not_to_have_url(re.compile("list=pending"))
    return pane


def choose(pane: Locator, action: str) -> None:
    """Take one of the actions that the head keeps in its menu."""
    pane.get_by_role("button", name="Opções do atendimento").tap()
    pane.page.get_by_role("menuitem", name=action, exact=True).tap()


def to_list(pane: Locator) -> None:
    pane.get_by_role("button", name=re.compile("^Voltar")).tap()
    expect(pane).to_be_hidden()


def expect_read_first(page: Page, contact: str) -> None:
    """A conversation is there to be read: no keyboard covers it, and the focus is not lost."""
    expect(conversation(page, contact)).to_be_visible()
    expect(composer(page)).to_be_visible()
    expect(composer(page)).not_to_be_focused()
    expect(page.locator("body")).not_to_be_focused()


def test_a_day(product: Product, phone: Page) -> None:
    done, other, passed = (
        Customer(product, name) for name in ("Anfilóquio Reis", "Belmira Reis", "Cesário Reis")
    )
    log_in(phone, ANA)
    for customer in (passed, other, done):
        customer.write("Bom dia!")
        pane = accept_by_touch(phone, customer.name)
        to_list(pane)

    # Answer.
    row(phone, "Atendendo", done.name).tap()
    expect_read_first(phone, done.name)
    say(phone, "Bom dia, Anfilóquio!")
    expect(tick(sent(phone, "Bom dia, Anfilóquio!"), "Entregue")).to_be_in_viewport()
    done.wait_for_texts("Bom dia, Anfilóquio!")
    to_list(conversation(phone, done.name))

    # Pass one on.
    row(phone, "Atendendo", passed.name).tap()
    choose(conversation(phone, passed.name), "Transferir")
    dialog = transfer_of(phone, passed.name)
    type_in(target_field(dialog), "Financeiro")
    dialog.get_by_role("option", name=re.compile("^Financeiro")).tap()
    expect(target_field(dialog)).to_have_value(re.compile("Financeiro"))
    dialog.get_by_role("button", name="Transferir").tap()
    expect(phone.get_by_text("Atendimento transferido para Financeiro.")).to_be_visible()
    expect(dialog).to_have_count(0)
    expect(row(phone, "Atendendo", done.name)).to_be_visible()
    expect(row(phone, "Atendendo", passed.name)).to_have_count(0)

    # Resolve: the next one is there, and for a while the way back.
    row(phone, "Atendendo", done.name).tap()
    conversation(phone, done.name).get_by_role("button", name="Resolver").tap()
    expect_read_first(phone, other.name)
    phone.get_by_role("button", name="Desfazer").tap()
    expect_read_first(phone, done.name)
    say(phone, "Ainda estou aqui.")
    expect(tick(sent(phone, "Ainda estou aqui."), "Entregue")).to_be_visible()
    conversation(phone, done.name).get_by_role("button", name="Resolver").tap()
    expect_read_first(phone, other.name)

    # Give the last one back.
    choose(conversation(phone, other.name), "Devolver")
    expect(conversation(phone, other.name)).to_have_count(0)
    expect(row(phone, "Atendendo", other.name)).to_have_count(0)
    tab(phone, "Aguardando").tap()
    expect(row(phone, "Aguardando", other.name)).to_be_visible()


@pytest.mark.usefixtures("ana_as_before")
def test_who_prefers_the_list_is_led_to_the_list(product: Product, phone: Page) -> None:
    done, following = (Customer(product, name) for name in ("Deodato Reis", "Edwiges Reis"))
    log_in(phone, ANA)
    phone.get_by_role("button", name=re.compile("^Conta de")).tap()
    with phone.expect_response("**/auth/me"):
        phone.get_by_role("menuitem", name="Abrir a próxima conversa ao resolver").tap()
    for customer in (following, done):
        customer.write("Bom dia!")
        pane = accept_by_touch(phone, customer.name)
        if customer is following:
            to_list(pane)
    conversation(phone, done.name).get_by_role("button", name="Resolver").tap()
    expect(row(phone, "Atendendo", following.name)).to_be_focused()
    expect(row(phone, "Atendendo", done.name)).to_have_count(0)
    phone.get_by_role("button", name="Desfazer").tap()
    expect_read_first(phone, done.name)
