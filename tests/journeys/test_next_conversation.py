"""What comes after a conversation is accepted or resolved, and the day by keyboard alone."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import FloatRect, Locator, Page, Request, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    accept,
    composer,
    conversation,
    keys_to,
    open_waiting,
    row,
    say,
    sent,
    tab,
    tick,
    token,
)
from tests.product import Product, wait_for

CURRENT = re.compile("^true$")


def resolve(pane: Locator) -> None:
    """Press the button of the head."""
    pane.get_by_role("button", name="Resolver").click()


def serve_two(page: Page, product: Product, email: str, *names: str) -> tuple[Customer, Customer]:
    """Sign in and accept two, the first named being the newest; it is open."""
    newest, other = (Customer(product, name) for name in names)
    log_in(page, email)
    for customer in (other, newest):
        customer.write("Bom dia")
        accept(page, customer.name)
    return newest, other


def expect_focus(page: Page) -> None:
    """Nothing that was done leaves the keyboard nowhere."""
    expect(page.locator("body")).not_to_be_focused()


def test_after_resolving_the_next_one_is_there_and_for_a_while_the_way_back(
    product: Product, page: Page
) -> None:
    done, following = serve_two(page, product, ANA, "Abelardo Nunes", "Benedita Rosa")
    resolve(conversation(page, done.name))
    expect(conversation(page, following.name)).to_be_visible()
    expect(composer(page)).to_be_focused()
    expect(row(page, "Atendendo", following.name)).to_have_attribute("aria-current", CURRENT)
    expect(row(page, "Atendendo", done.name)).to_have_count(0)

    page.get_by_role("button", name="Desfazer").click()
    pane = conversation(page, done.name)
    expect(pane).to_be_visible()
    expect(pane.get_by_text("Atribuído a Ana Prado")).to_be_visible()
    expect(composer(page)).to_be_focused()
    expect(row(page, "Atendendo", done.name)).to_have_attribute("aria-current", CURRENT)
    # It is as it was: what is written goes.
    say(page, "Ainda estou aqui.")
    expect(tick(sent(page, "Ainda estou aqui."), "Entregue")).to_be_visible()


def test_the_way_back_is_there_for_five_seconds(product: Product, page: Page) -> None:
    customer = Customer(product, "Adalgisa Brandão")
    log_in(page, ANA)
    customer.write("Bom dia")
    pane = accept(page, customer.name)
    # The page's time passes when it is told to: a slow machine takes nothing from the seconds.
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(seconds=30))
    undo = page.get_by_role("button", name="Desfazer")
    resolve(pane)

    def comes() -> bool:
        page.clock.run_for(50)
        return undo.is_visible()

    wait_for(comes, "the way back")
    page.clock.run_for(4500)
    expect(undo).to_be_visible()
    page.clock.run_for(500)

    def goes() -> bool:
        page.clock.run_for(50)
        return undo.count() == 0

    before = page.evaluate("Date.now()")
    wait_for(goes, "its end")
    assert page.evaluate("Date.now()") - before <= 1000
    expect(pane).to_have_count(0)


def test_an_admin_gives_a_ticket_back_to_who_held_it(product: Product, page: Page) -> None:
    customer = Customer(product, "Clotilde Ramos")
    log_in(page, ANA)
    customer.write("Bom dia")
    accept(page, customer.name)
    place = page.url
    log_in(page, ADMIN)
    page.goto(place)
    pane = conversation(page, customer.name)
    expect(pane.get_by_text("Atribuído a Ana Prado")).to_be_visible()
    resolve(pane)
    expect(pane).to_have_count(0)
    page.get_by_role("button", name="Desfazer").click()
    expect(pane.get_by_text("Atribuído a Ana Prado")).to_be_visible()


@pytest.fixture
def ana_as_before(open_page: OpenPage) -> Iterator[None]:
    """Whatever Ana chose, the next journey meets her without it."""
    yield
    page = open_page()
    log_in(page, ANA)
    headers = {"Authorization": f"Bearer {token(page)}"}
    assert page.request.put("/api/auth/me", data={"opensNext": True}, headers=headers).ok


@pytest.mark.usefixtures("ana_as_before")
def test_who_prefers_the_list_is_led_to_the_list(
    product: Product, page: Page, open_page: OpenPage
) -> None:
    done, following = serve_two(page, product, ANA, "Dagoberto Luz", "Eulina Prado")
    choice = page.get_by_role("menuitem", name="Abrir a próxima conversa ao resolver")
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    expect(choice).to_have_attribute("aria-current", CURRENT)
    with page.expect_response("**/auth/me"):
        choice.click()
    place = page.url
    # It is the person's, not the browser's.
    page = open_page()
    log_in(page, ANA)
    page.goto(place)
    choice = page.get_by_role("menuitem", name="Abrir a próxima conversa ao resolver")
    resolve(conversation(page, done.name))
    expect(page).to_have_url(re.compile(r"/tickets(\?|$)"))
    expect(page.get_by_role("heading", name="Bem-vindo ao balcão")).to_be_visible()
    expect(row(page, "Atendendo", following.name)).to_be_focused()
    page.get_by_role("button", name="Desfazer").click()
    expect(conversation(page, done.name)).to_be_visible()
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    expect(choice).not_to_have_attribute("aria-current", CURRENT)
    choice.click()
    resolve(conversation(page, done.name))
    expect(conversation(page, following.name)).to_be_visible()


def test_an_accepted_conversation_is_followed_to_its_list(product: Product, page: Page) -> None:
    customer = Customer(product, "Filomena Dias")
    log_in(page, ANA)
    customer.write("Bom dia")
    tab(page, "Aguardando").click()
    waiting = row(page, "Aguardando", customer.name)
    waiting.hover()
    waiting.locator("..").get_by_role("button", name="Aceitar").click()
    own = row(page, "Atendendo", customer.name)
    expect(own).to_be_in_viewport()
    expect(own).to_have_attribute("aria-current", CURRENT)
    expect(conversation(page, customer.name)).to_be_visible()
    expect(composer(page)).to_be_focused()


def test_a_second_press_never_resolves(product: Product, page: Page) -> None:
    customer = Customer(product, "Gaspar Toledo")
    log_in(page, ANA)
    customer.write("Bom dia")
    changes = watch_changes(page)
    pane = open_waiting(page, customer.name)
    button = pane.locator("header").get_by_role("button", name="Aceitar")
    box = button.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(x, y)
    final = pane.get_by_role("button", name="Resolver")
    expect(final).to_be_visible()
    # What comes in its place is not the final one, and a double press does not act.
    place = final.bounding_box()
    assert place is not None
    assert not (place["x"] <= x <= place["x"] + place["width"])
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    keys_to(final, "Shift+Tab")
    page.mouse.move(place["x"] + 5, place["y"] + 5)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    say(page, "Já vejo.")
    expect(tick(sent(page, "Já vejo."), "Entregue")).to_be_visible()
    assert len(changes) == 1, changes


LONG = "Uma mensagem bem longa, que não cabe em uma só linha da lista de atendimentos"


def hovered(page: Page, entry: Locator) -> FloatRect:
    """Move onto a row from afar; nothing in it moves. Return where its eye is."""
    eye = entry.get_by_role("button", name="Espiar conversa")
    expect(eye).to_be_visible()
    page.mouse.move(0, 0)
    before, seen = entry.bounding_box(), eye.bounding_box()
    entry.hover()
    assert entry.evaluate("row => row.matches(':hover')")
    assert entry.bounding_box() == before
    assert eye.bounding_box() == seen
    assert seen is not None
    return seen


def expect_own_place(entry: Locator, button: Locator, eye: FloatRect) -> FloatRect:
    """What hovering offers lies over no word and above the eye; return where it is."""
    expect(button).to_have_css("pointer-events", "auto")
    place = button.bounding_box()
    assert place is not None
    assert place["y"] + place["height"] <= eye["y"], (place, eye)
    # The text ends before, in an ellipsis.
    words = entry.get_by_text("Uma mensagem bem longa")
    text = words.bounding_box()
    assert text is not None
    assert text["x"] + text["width"] <= place["x"], (text, place)
    expect(words).to_have_css("text-overflow", "ellipsis")
    assert words.evaluate("e => e.scrollWidth > e.clientWidth")
    return place


def expect_look(page: Page, eye: FloatRect, name: str) -> None:
    """Who goes for the eye gets the eye."""
    page.mouse.click(eye["x"] + eye["width"] / 2, eye["y"] + eye["height"] / 2)
    look = page.get_by_role("dialog", name=re.compile(f"^Conversa de {name}"))
    expect(look).to_be_visible()
    page.keyboard.press("Escape")
    expect(look).to_have_count(0)


def test_hovering_moves_nothing_and_each_action_has_a_place_of_its_own(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Hermenegilda Albuquerque")
    log_in(page, ADMIN)
    customer.write(LONG)
    tab(page, "Aguardando").click()
    entry = row(page, "Aguardando", customer.name).locator("..")
    eye = hovered(page, entry)
    accepts = entry.get_by_role("button", name="Aceitar")
    begin = expect_own_place(entry, accepts, eye)
    expect_look(page, eye, "Hermenegilda")
    accept(page, customer.name)

    entry = row(page, "Atendendo", customer.name).locator("..")
    eye = hovered(page, entry)
    end = expect_own_place(entry, entry.get_by_role("button", name="Resolver"), eye)
    # Whose hand still rests where it accepted does not resolve.
    assert begin["x"] + begin["width"] <= end["x"], (begin, end)
    expect_look(page, eye, "Hermenegilda")
    expect(row(page, "Atendendo", customer.name)).to_be_visible()

    # One that is closed is read; its conversation offers to open it again.
    resolve(conversation(page, customer.name))
    expect(row(page, "Atendendo", customer.name)).to_have_count(0)
    tab(page, "Resolvidos").click()
    entry = row(page, "Resolvidos", customer.name).locator("..")
    eye = hovered(page, entry)
    expect(entry.get_by_role("button")).to_have_count(1)
    expect_look(page, eye, "Hermenegilda")


def test_a_day_by_keyboard(product: Product, page: Page) -> None:
    newest, other = serve_two(page, product, ANA, "Iracema Leal", "Joaquim Sá")
    keys = page.keyboard
    expect(composer(page)).to_be_focused()

    # From one to the next and back, while writing; what is half written stays.
    keys.type("tr? meio escrito")
    expect(composer(page)).to_have_value("tr? meio escrito")
    keys.press("Alt+ArrowDown")
    expect(conversation(page, other.name)).to_be_visible()
    expect(composer(page)).to_be_focused()
    keys.press("Alt+ArrowUp")
    expect(conversation(page, newest.name)).to_be_visible()
    expect(composer(page)).to_have_value("tr? meio escrito")

    # To the list; letters act there.
    keys.press("Escape")
    own = row(page, "Atendendo", newest.name)
    expect(own).to_be_focused()
    keys.press("?")
    sheet = page.get_by_role("dialog", name="Atalhos do teclado")
    expect(sheet).to_be_visible()
    for words in (
        "Voltar para a lista",
        "Próxima e anterior",
        "Enviar e resolver",
        "Transferir",
        "Devolver",
        "Mostrar estes atalhos",
    ):
        expect(sheet.get_by_text(words)).to_be_visible()
    # A dialog has the keys to itself, the one that closes it too.
    for key in ("t", "r", "Alt+ArrowDown"):
        keys.press(key)
    keys.press("Escape")
    expect(sheet).to_have_count(0)
    expect(conversation(page, newest.name)).to_be_visible()
    expect(own).to_be_focused()
    keys.press("t")
    dialog = page.get_by_role("dialog", name=f"Transferir atendimento de {newest.name}")
    expect(dialog).to_be_visible()
    # Its list is there at once, and the first to go.
    choices = dialog.get_by_role("listbox")
    expect(choices).to_be_visible()
    keys.press("Escape")
    expect(choices).not_to_be_visible()
    keys.press("Escape")
    expect(dialog).to_have_count(0)
    expect(own).to_be_focused()

    # Sending and resolving at once: it arrives, and the next one is there.
    keys.press("Enter")
    expect(composer(page)).to_be_focused()
    keys.press("Control+a")
    keys.type("Até logo!")
    keys.press("Control+Enter")
    expect(conversation(page, other.name)).to_be_visible()
    expect(composer(page)).to_be_focused()
    expect(own).to_have_count(0)
    wait_for(
        lambda: any("Até logo!" in each["body"].get("body", "") for each in newest.received()),
        "the last words",
    )
    # Pressed once more at once, the key does not resolve what has only just opened.
    keys.press("Control+Enter")
    expect(composer(page)).to_be_focused()
    expect(row(page, "Atendendo", other.name)).to_be_visible()

    # Back to the queue.
    keys.press("Escape")
    expect(row(page, "Atendendo", other.name)).to_be_focused()
    keys.press("r")
    expect(row(page, "Atendendo", other.name)).to_have_count(0)
    expect(conversation(page, other.name)).to_have_count(0)
    expect_focus(page)
    tab(page, "Aguardando").click()
    expect(row(page, "Aguardando", other.name)).to_be_visible()


def watch_changes(page: Page) -> list[str]:
    """Return what fills with the changes of tickets that the page asks for."""
    changes: list[str] = []

    def note(asked: Request) -> None:
        # What is typed is kept as a draft, and changes nothing.
        if asked.method == "PUT" and not asked.url.endswith("/draft"):
            changes.append(asked.url)

    page.on("request", note)
    return changes


def test_a_key_held_or_pressed_twice_returns_one_conversation(product: Product, page: Page) -> None:
    newest, other = serve_two(page, product, ANA, "Leocádia Brito", "Marcolino Dias")
    expect(composer(page)).to_be_focused()
    keys = page.keyboard
    keys.press("Escape")
    expect(row(page, "Atendendo", newest.name)).to_be_focused()
    changes = watch_changes(page)
    for _ in range(3):
        keys.down("r")
    keys.up("r")
    keys.press("r")
    expect(row(page, "Atendendo", newest.name)).to_have_count(0)
    # The next one has the focus, and takes no letter of who did not choose it.
    following = row(page, "Atendendo", other.name)
    expect(following).to_be_focused()
    for key in ("r", "r", "a", "Control+Enter"):
        keys.press(key)
    # It is one key away.
    keys.press("Alt+ArrowDown")
    expect(conversation(page, other.name)).to_be_visible()
    expect(composer(page)).to_be_focused()
    assert len(changes) == 1, changes
    # Who goes to the list again means it.
    keys.press("Escape")
    expect(following).to_be_focused()
    keys.press("r")
    expect(following).to_have_count(0)
    assert len(changes) == 2, changes
    expect_focus(page)


def test_what_is_typed_in_a_conversation_goes_to_its_input(product: Product, page: Page) -> None:
    customer = Customer(product, "Nepomuceno Vaz")
    log_in(page, ANA)
    customer.write("Vocês têm bule?")
    pane = accept(page, customer.name)
    expect(composer(page)).to_be_focused()
    changes = watch_changes(page)
    keys = page.keyboard
    pane.get_by_text("Vocês têm bule?").click()
    expect(composer(page)).not_to_be_focused()
    keys.type("resposta: já trago, não/jantar")
    expect(composer(page)).to_have_value("resposta: já trago, não/jantar")
    expect(composer(page)).to_be_focused()
    # From a button of the head too; the map stays a key.
    keys_to(pane.get_by_role("button", name="Resolver"), "Shift+Tab")
    keys.press("?")
    sheet = page.get_by_role("dialog", name="Atalhos do teclado")
    expect(sheet).to_be_visible()
    keys.press("Escape")
    expect(sheet).to_have_count(0)
    expect(pane.get_by_role("button", name="Resolver")).to_be_focused()
    keys.type("tar")
    expect(composer(page)).to_have_value(re.compile("jantartar$"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert changes == []
    # Before it is accepted no letter but N, which writes a note, opens anything; A accepts it.
    other = Customer(product, "Olímpia Vaz")
    other.write("Boa tarde")
    pane = open_waiting(page, other.name)
    expect(pane).to_be_focused()
    keys.type("tudo, /jk")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(pane).to_be_focused()
    assert changes == []
    keys.type("a")
    keys.type("Boa tarde!")
    expect(row(page, "Atendendo", other.name)).to_be_visible()
    expect(composer(page)).to_have_value("Boa tarde!")
    assert len(changes) == 1, changes


def test_a_conversation_from_the_list_to_its_end_by_keys(product: Product, page: Page) -> None:
    customer = Customer(product, "Querubina Lima")
    log_in(page, ANA)
    customer.write("Têm bule azul?")
    tab(page, "Aguardando").click()
    entry = row(page, "Aguardando", customer.name)
    expect(entry).to_be_visible()
    keys = page.keyboard
    keys_to(entry, "Tab")
    keys.press("Enter")
    expect(conversation(page, customer.name)).to_be_focused()
    keys.press("a")
    expect(composer(page)).to_be_focused()
    keys.type("Temos!")
    keys.press("Enter")
    expect(tick(sent(page, "Temos!"), "Entregue")).to_be_visible()
    # With nothing written the key resolves.
    keys.press("Control+Enter")
    expect(conversation(page, customer.name)).to_have_count(0)
    expect(page.get_by_role("button", name="Desfazer")).to_be_visible()
