"""A screen of 1440 by 900 at 200 %: 720 by 450 for the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ZOOMED, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    accept,
    composer,
    conversation,
    keys_to,
    row,
    say,
    sent,
    serve,
    tab,
    tick,
    type_in,
)
from tests.journeys.reach import covered, unreached
from tests.journeys.transfers import (
    open_transfer,
    pass_to,
    submit_transfer,
    target_field,
    transfer_of,
)
from tests.product import Product


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page(viewport=ZOOMED, device_scale_factor=2)


def test_messages_have_at_least_half_of_the_height(page: Page, product: Product) -> None:
    customer = Customer(product, "Xisto Barreto")
    pane = serve(page, ADMIN, customer)
    for number in range(8):
        customer.write(f"Linha {number} do pedido, com o endereço e o que falta nele.")
    say(page, "Anotado!")
    expect(sent(page, "Anotado!")).to_be_in_viewport()
    type_in(composer(page), "Um rascunho")
    thread = pane.get_by_role("log").bounding_box()
    assert thread and thread["height"] >= ZOOMED["height"] / 2, thread
    assert thread["width"] >= ZOOMED["width"] - 64 - 1, thread
    assert covered(page) == []
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


def test_the_menu_shows_where_one_is(page: Page) -> None:
    log_in(page, ADMIN)
    place = page.locator("aside").first.locator("[aria-current=page]")
    # The last of its entries, one amid them and the first.
    for address, name in (
        ("/settings", "Configurações"),
        ("/files", "Lista de arquivos"),
        ("/tickets", "Atendimentos"),
    ):
        page.goto(address)
        expect(place).to_contain_text(name)
        expect(place).to_be_in_viewport(ratio=1)


def test_the_day_by_keyboard_on_a_screen_that_shows_one_thing_at_a_time(
    page: Page, product: Product
) -> None:
    newest, other = (Customer(product, name) for name in ("Zenóbia Pires", "Abigail Pires"))
    log_in(page, ADMIN)
    keys = page.keyboard
    for customer in (other, newest):
        customer.write("Bom dia!")
        # Waiting ones are one arrow from one's own.
        own = tab(page, "Atendendo")
        keys_to(own.or_(tab(page, "Aguardando")).and_(page.locator("[aria-selected=true]")))
        keys.press("End")
        expect(tab(page, "Aguardando")).to_be_focused()
        waiting = row(page, "Aguardando", customer.name)
        expect(waiting).to_be_visible()
        keys_to(page.get_by_role("region", name="Aguardando", exact=True).get_by_role("link").first)
        keys.press("Home")
        expect(waiting).to_be_focused()
        keys.press("a")
        expect(composer(page)).to_be_focused()
        expect(conversation(page, customer.name)).to_be_visible()
        keys.press("Escape")
        expect(row(page, "Atendendo", customer.name)).to_be_focused()

    # Open, answer, go on while writing.
    keys.press("Enter")
    expect(composer(page)).to_be_focused()
    keys.type("Bom dia, Zenóbia!")
    keys.press("Enter")
    expect(tick(sent(page, "Bom dia, Zenóbia!"), "Entregue")).to_be_in_viewport()
    keys.type("meio escrito")
    keys.press("Alt+ArrowDown")
    expect(conversation(page, other.name)).to_be_visible()
    expect(composer(page)).to_be_focused()
    keys.press("Alt+ArrowUp")
    expect(conversation(page, newest.name)).to_be_visible()
    expect(composer(page)).to_have_value("meio escrito")
    keys.press("Alt+ArrowDown")
    expect(conversation(page, other.name)).to_be_visible()
    expect(composer(page)).to_be_focused()

    # Pass it on: from the list by T, to a queue that is found by its letters.
    keys.press("Escape")
    expect(row(page, "Atendendo", other.name)).to_be_focused()
    keys.press("t")
    dialog = transfer_of(page, other.name)
    keys.type("fina")
    # Whose people are found with it; it stands above them. They may come a moment after it.
    expect(dialog.get_by_role("option", name=re.compile("^Carla"))).to_be_visible()
    keys.type("n")
    queue = dialog.get_by_role("option", name=re.compile("^Financeiro"))
    expect(dialog.get_by_role("option").first).to_have_text(re.compile("^Financeiro"))
    expect(queue).to_have_attribute("data-highlighted", "")
    keys.press("Enter")
    expect(target_field(dialog)).to_have_value("Financeiro")
    keys_to(dialog.get_by_role("button", name="Transferir", exact=True))
    keys.press("Enter")
    expect(page.get_by_text("Atendimento transferido para Financeiro.")).to_be_visible()
    expect(dialog).to_have_count(0)
    expect(page.locator("body")).not_to_be_focused()

    # The keys are in the list, on the one before; to its end.
    following = row(page, "Atendendo", newest.name)
    expect(following).to_be_focused()
    keys.press("Enter")
    expect(composer(page)).to_have_value("meio escrito")
    expect(composer(page)).to_be_focused()
    keys.press("Control+a")
    keys.type("Até logo!")
    keys.press("Control+Enter")
    expect(conversation(page, newest.name)).to_have_count(0)
    expect(page.locator("body")).not_to_be_focused()
    newest.wait_for_texts("Bom dia, Zenóbia!", "Até logo!")


def test_the_day_by_mouse_on_a_screen_that_shows_one_thing_at_a_time(
    page: Page, product: Product
) -> None:
    done, other, passed = (
        Customer(product, name) for name in ("Clemência Pires", "Diógenes Pires", "Elpídio Pires")
    )
    log_in(page, ADMIN)
    for customer in (passed, other, done):
        customer.write("Bom dia!")
        accept(page, customer.name)
        expect(composer(page)).to_be_focused()
        page.get_by_role("button", name=re.compile("^Voltar")).click()
        expect(row(page, "Atendendo", customer.name)).to_be_visible()

    # Open, answer, and to the list.
    row(page, "Atendendo", done.name).click()
    type_in(composer(page), "Bom dia, Clemência!")
    page.get_by_role("button", name="Enviar", exact=True).click()
    expect(tick(sent(page, "Bom dia, Clemência!"), "Entregue")).to_be_in_viewport()
    expect(composer(page)).to_be_focused()
    page.get_by_role("button", name=re.compile("^Voltar")).click()

    # Pass one on: the list is there again.
    row(page, "Atendendo", passed.name).click()
    dialog = open_transfer(page, passed.name)
    pass_to(dialog, "Financeiro")
    submit_transfer(dialog)
    expect(page.get_by_text("Atendimento transferido para Financeiro.")).to_be_visible()
    expect(row(page, "Atendendo", passed.name)).to_have_count(0)

    # Resolve: the next one is there; back, and to the end once more.
    row(page, "Atendendo", done.name).click()
    conversation(page, done.name).get_by_role("button", name="Resolver").click()
    expect(conversation(page, other.name)).to_be_visible()
    expect(composer(page)).to_be_focused()
    page.get_by_role("button", name="Desfazer").click()
    expect(conversation(page, done.name)).to_be_visible()
    expect(composer(page)).to_be_focused()
    conversation(page, done.name).get_by_role("button", name="Resolver").click()
    expect(conversation(page, other.name)).to_be_visible()
    assert covered(page) == []

    # Give the last one back.
    conversation(page, other.name).get_by_role("button", name="Devolver").click()
    expect(row(page, "Atendendo", other.name)).to_have_count(0)
    expect(page.locator("body")).not_to_be_focused()
    tab(page, "Aguardando").click()
    expect(row(page, "Aguardando", other.name)).to_be_visible()
    done.wait_for_texts("Bom dia, Clemência!")


CUT = """
<main style="height: 100vh; overflow: hidden">
  <div style="height: 80px; overflow: auto"><p style="height: 400px"></p>
    <button>Rolado</button></div>
  <div style="height: 80px; overflow: hidden"><p style="height: 400px"></p><button>Cortado</button>
  </div>
  <button style="position: absolute; top: -200px">Fora</button>
  <div style="position: relative"><button>Coberto</button>
    <div style="position: absolute; inset: 0"></div></div>
</main>
"""


def test_what_is_cut_off_is_not_taken_for_reached(page: Page) -> None:
    page.set_content(CUT)
    for found in (covered(page), unreached(page, 1)):
        assert [each.split()[1].strip(":") for each in found] == ["Cortado", "Fora", "Coberto"]
    page.set_content("<main>Nada</main>")
    for look in (covered, lambda nothing: unreached(nothing, 1)):
        with pytest.raises(AssertionError, match="looked at"):
            look(page)
