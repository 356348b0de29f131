"""The board: cards between lanes by mouse, finger, keys and menu, live, wide and narrow."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, OpenPage, log_in
from tests.journeys.people import Customer, conversation, hold, keys_to, token
from tests.product import Product

OPEN, PIX, PACKING = "Em aberto", "Aguardando Pix", "Em separação"
# Somebody new for each journey.
PEOPLE = iter(
    ["Dalva Siqueira", "Otávio Brum", "Ieda Fontes", "Nilo Castro", "Zilda Paz", "Ivo Lins"]
    + ["Rute Alves", "Caio Sá", "Lia Prates", "Nair Góis"]
)


@pytest.fixture
def customer(product: Product) -> Customer:
    return Customer(product, next(PEOPLE))


def lane(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def card(page: Page, lane_name: str, contact: str) -> Locator:
    return lane(page, lane_name).get_by_role("link").filter(has_text=contact)


def open_board(page: Page, email: str = ADMIN) -> None:
    log_in(page, email, at="/kanban")
    expect(page.get_by_text(re.compile(r"^\d+ atendimentos em \d+ colunas$"))).to_be_attached()


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(page: Page, source: Locator, target: Locator) -> None:
    """Press the mouse on a card and move it over a lane, without letting go."""
    page.mouse.move(*middle(source))
    page.mouse.down()
    x, y = middle(target)
    page.mouse.move(x, y, steps=12)
    expect(target.locator("[data-place]")).to_be_visible()


def call(page: Page, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    answer = page.request.fetch(
        f"/api{path}",
        method=method,
        data=body,
        headers={"Authorization": f"Bearer {token(page)}"},
    )
    assert answer.ok, answer.text()
    return answer.json()


def test_a_card_dragged_by_mouse_moves_for_everybody_and_stays(
    page: Page, open_page: OpenPage, customer: Customer
) -> None:
    other = open_page()
    open_board(page)
    open_board(other, ANA)
    customer.write("Quero acompanhar meu pedido")
    expect(card(page, OPEN, customer.name)).to_be_visible()
    expect(card(other, OPEN, customer.name)).to_be_visible()
    carry(page, card(page, OPEN, customer.name), lane(page, PACKING))
    page.mouse.up()
    expect(card(page, PACKING, customer.name)).to_be_visible()
    expect(card(page, OPEN, customer.name)).to_have_count(0)
    expect(page).to_have_url(re.compile("/kanban$"))
    expect(card(other, PACKING, customer.name)).to_be_visible()
    customer.write("Alguma novidade?")
    expect(card(other, PACKING, customer.name)).to_contain_text("Alguma novidade?")
    page.reload()
    expect(card(page, PACKING, customer.name)).to_be_visible()


def test_a_drop_beside_or_in_its_own_lane_changes_nothing(page: Page, customer: Customer) -> None:
    open_board(page)
    customer.write("Oi")
    moves = hold(page, "**/ticket-tags/**", "PUT")
    carry(page, card(page, OPEN, customer.name), lane(page, PIX))
    page.mouse.move(*middle(lane(page, OPEN)), steps=6)
    page.mouse.up()
    expect(page.locator("[data-place]")).to_have_count(0)
    carry(page, card(page, OPEN, customer.name), lane(page, PIX))
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(card(page, OPEN, customer.name)).to_be_visible()
    assert moves == []


def test_a_refused_move_goes_back_and_says_why(page: Page, customer: Customer) -> None:
    open_board(page)
    customer.write("Oi")
    moves = hold(page, "**/ticket-tags/**", "PUT")
    carry(page, card(page, OPEN, customer.name), lane(page, PIX))
    page.mouse.up()
    expect(card(page, PIX, customer.name)).to_be_visible()
    refusal = {"error": "", "code": "ERR_NO_TAG_FOUND", "message": "Tag não encontrada."}
    moves[0].fulfill(status=404, json={**refusal, "fields": {}})
    # It goes by itself after a while.
    expect(page.get_by_text(re.compile("[Tt]ag não"))).to_be_visible()
    expect(card(page, OPEN, customer.name)).to_be_visible()
    expect(card(page, PIX, customer.name)).to_have_count(0)


def test_a_card_is_moved_by_keys_alone_and_opened(page: Page, customer: Customer) -> None:
    open_board(page)
    customer.write("Pode me enviar o Pix?")
    source = card(page, OPEN, customer.name)
    keys_to(source)
    page.keyboard.press("Space")
    status = page.get_by_role("status").filter(has_text=customer.name)
    expect(status).to_contain_text(f"Você pegou {customer.name}")
    page.keyboard.press("ArrowRight")
    expect(lane(page, PIX).locator("[data-place]")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(lane(page, PACKING).locator("[data-place]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(status).to_contain_text("continua na coluna Em aberto")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    moved = card(page, PIX, customer.name)
    expect(moved).to_be_focused()
    expect(status).to_contain_text("foi para a coluna Aguardando Pix")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/tickets/[0-9a-f-]{36}$"))
    expect(conversation(page, customer.name)).to_be_visible()


def test_lanes_come_change_and_go_as_their_tags_do(page: Page, customer: Customer) -> None:
    open_board(page)
    tag = call(page, "POST", "/tags", {"name": "Brinde", "color": "#2C9A58", "kanban": 1})
    try:
        expect(lane(page, "Brinde")).to_contain_text("Nenhum atendimento aqui.")
        customer.write("Ganhei um brinde?")
        expect(card(page, OPEN, customer.name)).to_be_visible()
        carry(page, card(page, OPEN, customer.name), lane(page, "Brinde"))
        page.mouse.up()
        expect(card(page, "Brinde", customer.name)).to_be_visible()
        call(page, "PUT", f"/tags/{tag['id']}", {"name": "Brindes de Natal"})
        expect(card(page, "Brindes de Natal", customer.name)).to_be_visible()
    finally:
        call(page, "DELETE", f"/tags/{tag['id']}")
    expect(lane(page, "Brindes de Natal")).to_have_count(0)
    expect(card(page, OPEN, customer.name)).to_be_visible()


@pytest.fixture
def spying(open_page: OpenPage) -> Iterator[None]:
    """While it lasts everybody may look into every conversation."""
    admin = open_page()
    log_in(admin, ADMIN)
    call(admin, "PUT", "/settings/allowToSpyMessage", {"value": "enabled"})
    yield
    call(admin, "PUT", "/settings/allowToSpyMessage", {"value": "disabled"})


@pytest.mark.usefixtures("spying")
def test_who_only_looks_on_can_not_carry_a_card(page: Page, customer: Customer) -> None:
    open_board(page, BRUNO)
    customer.write("Uma pergunta para as vendas")
    page.get_by_text("Todos", exact=True).click()
    expect(page).to_have_url(re.compile("all=1"))
    theirs = card(page, OPEN, customer.name)
    expect(theirs).to_be_visible()
    expect(theirs).not_to_have_attribute("aria-roledescription", re.compile("."))
    expect(page.locator("[data-card][aria-roledescription]").first).to_be_visible()
    keys_to(theirs)
    page.keyboard.press("Space")
    expect(page.get_by_role("status").filter(has_text="Você pegou")).to_have_count(0)


def test_narrow_a_lane_is_chosen_by_name_and_a_card_moved_by_its_menu(
    page: Page, customer: Customer
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_board(page)
    customer.write("Oi")
    source = card(page, OPEN, customer.name)
    source.hover()
    page.get_by_role("button", name=f"Mover {customer.name} para outra coluna").click()
    page.get_by_role("menuitem", name=PACKING).click()
    lanes = page.get_by_role("navigation", name="Colunas do quadro")
    lanes.get_by_role("button", name=PACKING).click()
    expect(lanes.get_by_role("button", name=PACKING)).to_have_attribute("aria-current", "true")
    expect(card(page, PACKING, customer.name)).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_no_word_of_a_card_lies_under_its_menu(phone: Page, customer: Customer) -> None:
    open_board(phone)
    words = "Bom dia! Preciso de ajuda com o meu pedido, que veio com o prato de cima quebrado"
    customer.write(words)
    entry = card(phone, OPEN, customer.name)
    lines = entry.get_by_text(words)
    expect(lines).to_be_visible()
    menu = phone.get_by_role("button", name=f"Mover {customer.name} para outra coluna")
    expect(menu.locator("..")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    sign, text = menu.locator("svg").bounding_box(), lines.bounding_box()
    assert sign and text
    assert sign["y"] + sign["height"] <= text["y"], (sign, text)


def test_a_finger_that_rests_on_a_card_carries_it(page: Page, customer: Customer) -> None:
    page.set_viewport_size({"width": 900, "height": 844})
    open_board(page)
    customer.write("Oi")
    source, target = card(page, OPEN, customer.name), lane(page, PIX)
    expect(source).to_be_visible()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind: str, *points: tuple[float, float]) -> None:
        devtools.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    start, end = middle(source), middle(target)
    touch("touchStart", start)
    expect(page.get_by_role("status").filter(has_text="Você pegou")).to_be_attached()
    for step in range(1, 6):
        x = start[0] + (end[0] - start[0]) * step / 5
        touch("touchMove", (x, start[1] + 10))
    expect(target.locator("[data-place]")).to_be_visible()
    touch("touchEnd")
    expect(card(page, PIX, customer.name)).to_be_visible()


def test_the_queue_filter_narrows_every_lane(page: Page) -> None:
    open_board(page)
    expect(page.locator("[data-card]").first).to_be_visible()
    before = page.locator("[data-card]").count()
    page.get_by_role("button", name="Filas").click()
    page.get_by_role("group", name="Filas").get_by_text("Sem fila").click()
    expect(page).to_have_url(re.compile("queues=0"))
    page.keyboard.press("Escape")
    expect(page.get_by_text(re.compile(r"em 5 colunas$"))).to_be_attached()
    expect(page.get_by_text("Nenhum atendimento aqui.").first).to_be_visible()
    assert page.locator("[data-card]").count() < before
