"""Small things that a person sees: what moves, what is cut, what covers what."""

import itertools
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    composer,
    conversation,
    fill_login,
    hold,
    keys_to,
    press,
    row,
    scroll_to,
    token,
    type_in,
)
from tests.product import Product

_tags = itertools.count(1)
# Of an element: where it begins and ends, rounded to whole pixels.
PLACE = """e => { const {x, y, right, bottom} = e.getBoundingClientRect();
  return [x, y, right, bottom].map(Math.round) }"""


def place(element: Locator) -> list[int]:
    """Return left, top, right and bottom of an element."""
    found: list[int] = element.evaluate(PLACE)
    return found


def open_far(page: Page, contact: str) -> Locator:
    """Open a waiting conversation, wherever it is in the list, and return its pane."""
    page.get_by_role("tab", name=re.compile("^Aguardando")).click()
    wanted = row(page, "Aguardando", contact)
    scroll_to(page.get_by_role("region", name="Aguardando", exact=True), wanted)
    wanted.click()
    return conversation(page, contact)


def take(page: Page, contact: str) -> Locator:
    """Accept a waiting conversation and return its pane."""
    pane = open_far(page, contact)
    pane.get_by_role("button", name="Aceitar").first.click()
    expect(composer(page)).to_be_focused()
    return pane


def served(page: Page, email: str, customer: Customer, words: str = "Olá!") -> Locator:
    """Sign in, have the customer write, and accept the conversation."""
    log_in(page, email)
    customer.write(words)
    return take(page, customer.name)


def test_the_login_stays_where_it_is(page: Page) -> None:
    held = hold(page, "**/api/auth/signup")
    with page.expect_request("**/api/auth/signup"):
        page.goto("/login")
    title = page.get_by_role("heading", level=1)
    button = page.get_by_role("button", name="Entrar", exact=True)
    expect(page.get_by_role("link", name="Esqueceu a senha?")).to_be_visible()
    before = place(title), place(button)
    for route in held:
        route.continue_()
    expect(page.locator("a[href='/signup']")).to_be_visible()
    assert (place(title), place(button)) == before
    fill_login(page, ANA, "errada")
    expect(page.locator("form").get_by_text("inválida")).to_be_visible()
    assert (place(title), place(button)) == before


# Where the words of the first head begin, and what is seen in the cell below it.
BEGINNINGS = """table => {
  const words = document.createRange();
  words.selectNodeContents(table.querySelector('th'));
  const parts = [...table.querySelectorAll(
    'tbody tr:first-of-type :is([data-picture] > *, [data-name])')];
  const shown = parts.filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect().x);
  return [words.getBoundingClientRect().x, Math.min(...shown)].map(Math.round);
}"""


@pytest.mark.parametrize("path", ["/queues", "/tags", "/quick-messages", "/users", "/connections"])
def test_a_column_begins_below_its_head(page: Page, path: str) -> None:
    log_in(page, ADMIN, at=path)
    table = page.get_by_role("table")
    expect(table.locator("tbody tr [data-name]").first).to_be_visible()
    head, cell = table.evaluate(BEGINNINGS)
    assert head == cell


def group(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Menu principal").get_by_role("group", name=name)


def test_a_group_of_the_menu_folds_and_stays_so(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1440, "height": 900})
    log_in(page, ADMIN, at="/queues")
    heading = group(page, "Administração").get_by_role("button", name="Administração")
    expect(heading).to_have_attribute("aria-expanded", "true")
    heading.click()
    for _ in range(2):
        expect(heading).to_have_attribute("aria-expanded", "false")
        # The page that is open stays in sight.
        expect(group(page, "Administração").get_by_role("link")).to_have_text(["Filas"])
        page.reload()
    menu = page.get_by_role("navigation", name="Menu principal")
    assert menu.evaluate("e => e.scrollHeight <= e.clientHeight")
    # Another user of this browser has left nothing folded.
    log_in(page, "super@balcao.local")
    expect(heading).to_have_attribute("aria-expanded", "true")
    log_in(page, ADMIN)
    keys_to(heading)
    page.keyboard.press("Enter")
    expect(group(page, "Administração").get_by_role("link", name="Usuários")).to_be_visible()


def test_over_a_page_is_one_notice_at_a_time(open_page: OpenPage) -> None:
    page = open_page(permissions=[])
    page.add_init_script(
        "Object.defineProperty(Notification, 'permission', {get: () => 'default'})"
    )
    log_in(page, ANA, banner=True)
    desktop = page.get_by_role("region", name="Avisos na área de trabalho")
    demo = page.get_by_role("region", name="Demonstração")
    expect(desktop).to_be_visible()
    expect(demo).to_have_count(0)
    desktop.get_by_role("button", name="Agora não").click()
    expect(demo).to_be_visible()
    expect(desktop).to_have_count(0)


def test_what_a_search_finds_says_its_state(page: Page, product: Product) -> None:
    waits, open_one = (Customer(product, f"Zenóbia {place}") for place in ("Espera", "Atendida"))
    waits.write("Oi")
    served(page, ADMIN, open_one)
    page.goto("/tickets?tab=search&q=zenóbia")
    expect(row(page, "Busca", waits.name)).to_contain_text("Aguardando")
    expect(row(page, "Busca", open_one.name)).to_contain_text("Atendendo")
    conversation(page, open_one.name)
    page.goto("/tickets?list=pending")
    expect(row(page, "Aguardando", waits.name)).not_to_contain_text("Aguardando")


def test_accepting_and_resolving_look_different(page: Page, product: Product) -> None:
    customer = Customer(product, "Ilda Ícone")
    customer.write("Oi")
    log_in(page, ANA)
    pane = open_far(page, customer.name)
    icons = [pane.get_by_role("button", name="Aceitar").first.locator("svg").inner_html()]
    pane.get_by_role("button", name="Aceitar").first.click()
    resolve = pane.get_by_role("button", name="Resolver")
    expect(resolve).to_be_visible()
    icons.append(resolve.locator("svg").inner_html())
    assert icons[0] != icons[1]


def test_tags_without_room_are_counted(page: Page, product: Product) -> None:
    customer = Customer(product, "Eulália das Tags")
    pane = served(page, ADMIN, customer)
    ticket_id = row(page, "Atendendo", customer.name).locator("..").get_attribute("data-ticket")
    headers = {"Authorization": f"Bearer {token(page)}"}
    tags = [
        page.request.post(
            "/api/tags",
            data={"name": f"Etiqueta bem comprida {next(_tags)}", "color": "#123456"},
            headers=headers,
        ).json()
        for _ in range(7)
    ]
    answer = page.request.post(
        "/api/tags/sync", data={"ticketId": int(str(ticket_id)), "tags": tags}, headers=headers
    )
    assert answer.ok, answer.text()
    labels = pane.get_by_role("group", name="Fila e tags")
    more = pane.get_by_role("button", name=re.compile(r"^Mais \d tags$"))
    expect(more).to_be_visible()
    count = int((more.text_content() or "").removeprefix("+"))
    # Each label is on the line as a whole, or one of those counted.
    end = place(labels)[3]
    tops = [place(chip)[1] for chip in labels.locator("> *").all()]
    assert len([top for top in tops if top >= end - 4]) == count
    more.click()
    expect(
        page.get_by_role("dialog", name="Fila e tags").get_by_text("Etiqueta bem")
    ).to_have_count(count)


def test_the_floating_day_covers_no_line(page: Page, product: Product) -> None:
    customer = Customer(product, "Diva das Datas")
    pane = served(page, ANA, customer, "Primeira linha")
    for number in range(40):
        customer.write(f"Mensagem de número {number}")
    log = pane.get_by_role("log")
    expect(log.get_by_text("Mensagem de número 39")).to_be_visible()
    floating = pane.locator("[data-floating-day]")
    log.hover()
    page.mouse.wheel(0, -400)
    expect(floating).to_be_visible()
    # Up to the line of the acceptance, which gets to where the day floats.
    line = log.locator("[data-centred]").filter(has_text="aceitou")
    for _ in range(200):
        if line.count() and place(line)[1] >= place(log)[1] + 8:
            break
        page.mouse.wheel(0, -24)
        page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
    assert place(line)[1] < place(log)[1] + 48
    expect(floating).to_have_count(0)


# Notes each state of the thread in which neither a row nor its placeholder can be seen.
WATCH = """
window.empty = [];
(function look() {
  const log = document.querySelector('[role=log]');
  if (log) {
    const seen = e => e.checkVisibility({visibilityProperty: true});
    const {top, bottom} = log.getBoundingClientRect();
    const rows = [...log.querySelectorAll('[data-day]')].some(row => {
      const place = row.getBoundingClientRect();
      return place.height > 0 && place.bottom > top && place.top < bottom && seen(row);
    });
    const shape = [...document.querySelectorAll('main [role=status][aria-label]')].some(seen);
    if (!rows && !shape) window.empty.push(Math.round(performance.now()));
  }
  requestAnimationFrame(look);
})();
"""


@pytest.mark.parametrize("at_message", [False, True])
def test_a_cold_opening_shows_its_shape_until_rows_are_seen(
    open_page: OpenPage, product: Product, at_message: bool
) -> None:
    page = open_page()
    customer = Customer(product, f"Frida Fria {at_message}")
    pane = served(page, ANA, customer)
    for number in range(70):
        customer.write(f"Uma mensagem de número {number}, com algum texto")
    expect(pane.get_by_role("log").get_by_text("número 69,")).to_be_visible()
    first = pane.locator("[data-message]").first.get_attribute("data-message")
    address = page.url.split("?")[0] + (f"?message={first}" if at_message else "")
    cold = open_page()
    log_in(cold, ANA)
    slow = cold.context.new_cdp_session(cold)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    cold.add_init_script(WATCH)
    cold.goto(address)
    rows = cold.get_by_role("log").locator("[data-message]")
    expect(rows.first).to_be_visible()
    expect(cold.get_by_role("main").get_by_role("status", name="Carregando…")).to_have_count(0)
    assert cold.evaluate("window.empty") == []


def test_escape_in_the_emoji_search_leaves_the_conversation_open(
    page: Page, product: Product
) -> None:
    customer = Customer(product, "Emília Sorriso")
    served(page, ANA, customer)
    address = page.url.split("?")[0]
    page.get_by_role("button", name="Emojis", exact=True).click()
    search = page.get_by_label("Buscar emoji")
    type_in(search, "sol")
    press(search, "Escape")
    expect(search).to_have_value("")
    expect(search).to_be_focused()
    press(search, "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url.split("?")[0] == address
    expect(composer(page)).to_be_focused()


def test_the_first_edit_of_a_queue_has_its_texts_with_the_page(page: Page) -> None:
    log_in(page, ADMIN, at="/queues")
    table = page.get_by_role("table", name="Filas")
    expect(table).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    table.get_by_text("Vendas", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Editar fila")
    expect(dialog.get_by_label("Nome", exact=True)).to_be_focused()
    # Else the dialog would open without them, or the page would go while they come.
    assert not [url for url in asked if "/assets/queueBot-" in url]


def test_the_focus_goes_on_where_the_work_is(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    panel = page.get_by_role("region", name="Lista de atendimentos")
    expect(panel).to_be_focused()
    customer = Customer(product, "Fausta do Foco")
    customer.write("Oi")
    pane = take(page, customer.name)
    pane.get_by_role("button", name=re.compile("^Opções")).first.click()
    page.get_by_role("menuitem", name="Agendar mensagem").click()
    dialog = page.get_by_role("dialog")
    type_in(dialog.get_by_label("Mensagem").first, "Um lembrete")
    dialog.get_by_role("button", name=re.compile("Agendar|Salvar")).last.click()
    expect(dialog).to_have_count(0)
    expect(composer(page)).to_be_focused()
    pane.get_by_role("button", name=re.compile("^Opções")).first.click()
    page.get_by_role("menuitem", name="Excluir atendimento").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(pane).to_have_count(0)
    expect(panel.locator(":focus").or_(panel.and_(page.locator(":focus")))).to_be_visible()
