"""Tickets are given to who is there, people pause, and a supervisor moves what they have."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, OpenPage, log_in
from tests.journeys.desk_screens import call, distributing, make_queue
from tests.journeys.people import Customer, act, keys_to, row, tab, type_in
from tests.product import Product, wait_for

PEOPLE = iter(["Iracema Luz", "Tadeu Prado", "Neusa Vidal", "Ivone Reis", "Ciro Telles"])


@pytest.fixture
def admin(open_page: OpenPage) -> Iterator[Page]:
    page = open_page()
    log_in(page, ADMIN, at="/queues")
    yield page
    call(page, "PUT", "/settings/assignment", {"value": "disabled"})


def waits_in(page: Page, customer: Customer, queue: dict[str, Any]) -> None:
    """Have a customer write, and wait in a queue as if the bot had led there."""
    customer.write("Bom dia!")
    found: list[dict[str, Any]] = []

    def has_come() -> bool:
        found[:] = call(page, "GET", f"/tickets?showAll=true&searchParam={customer.number}")[
            "tickets"
        ]
        return bool(found)

    wait_for(has_come, f"the ticket of {customer.name}")
    body = {"status": "pending", "queueId": queue["id"], "userId": None}
    call(page, "PUT", f"/tickets/{found[0]['id']}", body)


def presence(page: Page, words: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^Sua presença: {words}"))


def member(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=name)


def test_who_is_there_gets_what_waits_and_a_supervisor_moves_it(
    product: Product, admin: Page, open_page: OpenPage
) -> None:
    ana, bruno = open_page(), open_page()
    queue = make_queue(admin, ANA, BRUNO)
    admin.reload()
    # The rules, in a dialog; the first automatic queue switches presence on everywhere.
    act(admin, queue["name"], f"Distribuição de {queue['name']}")
    dialog = admin.get_by_role("dialog", name=f"Distribuição · {queue['name']}")
    expect(dialog).to_contain_text("Vale para quem aguarda")
    dialog.get_by_text("Em rodízio", exact=True).click()
    expect(dialog).to_contain_text("a distribuição automática e a presença passam a valer")
    type_in(dialog.get_by_label("Tolerância (minutos)"), "0")
    dialog.get_by_role("button", name="Salvar").click()
    expect(admin.get_by_text("Distribuição salva.")).to_be_visible()
    for page, email in ((ana, ANA), (bruno, BRUNO)):
        log_in(page, email)
        expect(presence(page, "Online")).to_be_visible()

    first, second = Customer(product, next(PEOPLE)), Customer(product, next(PEOPLE))
    for customer in (first, second):
        waits_in(admin, customer, queue)
    for page in (ana, bruno):
        tab(page, "Atendendo").click()
        own = row(page, "Atendendo", first.name).or_(row(page, "Atendendo", second.name))
        expect(own).to_have_count(1)

    # Whoever pauses is given nothing.
    presence(ana, "Online").click()
    ana.get_by_role("menuitem", name="Outra pausa…").click()
    pause = ana.get_by_role("dialog", name="Pausar")
    type_in(pause.get_by_label("Minutos"), "30")
    pause.get_by_role("button", name="Começar a pausa").click()
    expect(presence(ana, "Em pausa até")).to_be_visible()
    third = Customer(product, next(PEOPLE))
    waits_in(admin, third, queue)
    expect(row(bruno, "Atendendo", third.name)).to_be_visible()

    # The supervisor sees all that, and drags the third one to Ana.
    admin.goto("/team")
    expect(member(admin, "Ana Prado")).to_contain_text("Em pausa até")
    admin.get_by_role("button", name=re.compile("^Mostrar os atendimentos de Bruno")).click()
    chip = admin.get_by_role("group", name=third.name)
    target = member(admin, "Ana Prado")
    start, end = chip.bounding_box(), target.bounding_box()
    assert start and end
    admin.mouse.move(start["x"] + 40, start["y"] + start["height"] / 2)
    admin.mouse.down()
    admin.mouse.move(end["x"] + 80, end["y"] + end["height"] / 2, steps=12)
    admin.mouse.up()
    expect(row(ana, "Atendendo", third.name)).to_be_visible()
    expect(row(bruno, "Atendendo", third.name)).to_have_count(0)

    # And back by keys.
    admin.get_by_role("button", name=re.compile("^Mostrar os atendimentos de Ana")).click()
    handle = admin.get_by_role("group", name=third.name).get_by_role("button").first
    keys_to(handle)
    admin.keyboard.press("Space")
    said = admin.get_by_role("status").filter(has_text=third.name)
    expect(said).to_contain_text("erguido, com Ana")
    for _ in range(20):
        if "sobre Bruno" in (said.text_content() or ""):
            break
        admin.keyboard.press("ArrowUp")
    expect(said).to_contain_text("sobre Bruno")
    admin.keyboard.press("Space")
    expect(row(bruno, "Atendendo", third.name)).to_be_visible()

    # A closed browser is offline after the grace, which is none here.
    bruno.context.close()
    expect(member(admin, "Bruno")).to_contain_text("Offline", timeout=90_000)


def test_a_move_that_somebody_else_was_faster_with_is_said(
    product: Product, admin: Page, open_page: OpenPage
) -> None:
    queue = make_queue(admin, ANA, BRUNO)
    with distributing(admin):
        ana = open_page()
        log_in(ana, ANA)
        customer = Customer(product, next(PEOPLE))
        waits_in(admin, customer, queue)
        ana.reload()
        tab(ana, "Aguardando").click()
        row(ana, "Aguardando", customer.name).click()
        ana.get_by_role("button", name="Aceitar").first.click()
        tab(ana, "Atendendo").click()
        expect(row(ana, "Atendendo", customer.name)).to_be_visible()
        admin.goto("/team")
        admin.get_by_role("button", name=re.compile("^Mostrar os atendimentos de Ana")).click()
        chip = admin.get_by_role("group", name=customer.name)
        expect(chip).to_be_visible()
        refusal = {"error": "", "code": "ERR_TICKET_MOVED", "message": "", "fields": {}}
        admin.route("**/api/team/moves", lambda route: route.fulfill(status=409, json=refusal))
        chip.get_by_role("button", name=f"Mover o atendimento de {customer.name}").click()
        admin.get_by_role("menuitem", name=re.compile("^Bruno")).click()
        expect(admin.get_by_text("Outra pessoa moveu ou resolveu este atendimento")).to_be_visible()
        expect(chip).to_be_visible()
