"""What people do, in their own words: customers with a telephone, attendants with an inbox."""

import itertools
import json
import re
import urllib.parse
import urllib.request
from typing import Any

from playwright.sync_api import Error, Locator, Page, Route, expect

from tests.journeys.conftest import log_in
from tests.product import Product, wait_for

NUMBER = "100000000000001"
CONNECTION = "Loja Centro"
# The number on which the bot answers (apps/simulator/demo/bot.py).
BOT_NUMBER, BOT_CONNECTION = "100000000000002", "Loja Bairro"
# More turns of the wheel than a list is long.
MOST_TURNS = 200
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
UUID = re.compile(r"/tickets/([0-9a-f-]{36})")
# A telephone of their own for every customer of a run.
_numbers = itertools.count(98_000_001)


class Simulator:
    """The simulator's control calls (apps/simulator/views/control.py)."""

    def __init__(self, product: Product) -> None:
        self._base = f"{product.address}/simulator/api"

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the answer; raises urllib.error.HTTPError for a refusal."""
        request = urllib.request.Request(
            self._base + path,
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={"Content-Type": "application/json", "X-Simulator": "1"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def fault(self, kind: str, times: int | None = None) -> None:
        """Make something go wrong, `times` times or until `heal`."""
        self.call("POST", "/faults", {"kind": kind, "number": NUMBER, "times": times})

    def heal(self) -> None:
        """Make everything work again."""
        self.call("DELETE", "/faults")


class Customer:
    """A person with a telephone who has not written before."""

    def __init__(
        self, product: Product, name: str, number: str | None = None, *, to: str = NUMBER
    ) -> None:
        self.name = name
        self.number = number or f"55119{next(_numbers)}"
        self._simulator = Simulator(product)
        self._target = {"number": to, "customer": self.number}
        self._simulator.call("POST", "/customers", {"wa_id": self.number, "name": name})

    def write(self, body: str, **fields: Any) -> str:
        """Send a text and return its id."""
        return self.send(type="text", body=body, **fields)

    def send(self, **fields: Any) -> str:
        """Send a message of any kind (apps/simulator/services/writing.py) and return its id."""
        return str(self._simulator.call("POST", "/send", self._target | fields)["id"])

    def messages(self) -> list[dict[str, Any]]:
        """Return what the telephone shows, oldest first."""
        query = urllib.parse.urlencode(self._target)
        state = self._simulator.call("GET", f"/state?{query}")
        return list(state["chat"]["messages"])

    def received(self) -> list[dict[str, Any]]:
        """Return what the company sent, oldest first."""
        return [message for message in self.messages() if not message["fromCustomer"]]

    def wait_for_texts(self, *parts: str) -> None:
        """Wait until exactly these came, in this order."""

        def has_come() -> bool:
            texts = [str(message["body"].get("body", "")) for message in self.received()]
            return len(texts) == len(parts) and all(
                part in text for part, text in zip(parts, texts, strict=True)
            )

        wait_for(has_come, f"{parts} on the telephone of {self.name}")

    @property
    def phone_address(self) -> str:
        """Return the address of the phone page with this person's conversation."""
        return f"/simulator?{urllib.parse.urlencode(self._target)}"


def wait_in(page: Page, expression: str, arg: Any = None) -> None:
    """Wait until an expression, or a function of `arg`, holds in the page.

    For `page.wait_for_function`, which the page's content policy lets look only once.
    """
    wait_for(lambda: bool(page.evaluate(expression, arg)), expression)


def tab(page: Page, name: str) -> Locator:
    """Return one of the tabs over the lists."""
    return page.get_by_role("tab", name=re.compile(f"^{name}"))


def press_box(scope: Page | Locator, name: str | re.Pattern[str], number: int = 0) -> None:
    """Click a checkbox or a radio button where people see it: on what stands for the input."""
    page = scope if isinstance(scope, Page) else scope.page
    box = page.get_by_role("checkbox", name=name).or_(page.get_by_role("radio", name=name))
    label = scope.locator("label").filter(has=box)
    label.nth(number).click()


def press_last(button: Locator) -> None:
    """Press what closes the window that it is in, and wait until that is gone.

    The browser's word that it was pressed goes, now and then, with the window (7 of 150 times).
    """
    window = button.page
    try:
        button.click()
    except Error as error:
        if "has been closed" not in error.message:
            raise
    if not window.is_closed():
        window.wait_for_event("close")


def scroll_to(listed: Locator, wanted: Locator) -> None:
    """Turn the wheel over a list, which draws only what is near the eye, until something shows."""
    expect(listed.get_by_role("link").first).to_be_visible()
    listed.hover()
    for _ in range(MOST_TURNS):
        if wanted.count():
            break
        listed.page.mouse.wheel(0, 200)
        listed.page.evaluate(DRAWN)
    expect(wanted).to_be_visible()


def keys_to(target: Locator, key: str = "Tab", most: int = 200) -> None:
    """Press a key, Tab or another that goes on, until something has the focus."""
    expect(target).to_be_visible()
    for _ in range(most):
        target.page.keyboard.press(key)
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{key} does not lead to {target}")


def type_in(field: Locator, text: str) -> None:
    """Write a text in the place of what a field holds: a press on it, all away, then the keys.

    The press fails where something covers the field or it is disabled, which `fill` never sees.
    A line breaks as in the composer, by Shift+Enter.
    """
    _press_on(field)
    keyboard = field.page.keyboard
    if field.input_value():
        keyboard.press("ControlOrMeta+a")
        keyboard.press("Delete")
    for number, line in enumerate(text.split("\n")):
        if number:
            keyboard.press("Shift+Enter")
        keyboard.type(line)


def press(target: Locator, key: str) -> None:
    """Press a key on what has the focus already."""
    expect(target).to_be_focused()
    target.page.keyboard.press(key)


def pick(select: Locator, option: str | int) -> None:
    """Open a list of choices, go down to one, by its words or its place, and take it."""
    words = select.locator("option")
    # They may come a moment after the dialog.
    chosen = (
        words.nth(option)
        if isinstance(option, int)
        else words.filter(has_text=re.compile(rf"^\s*{re.escape(option)}\s*$"))
    )
    expect(chosen).to_be_attached()
    value = str(chosen.get_attribute("value"))
    _press_on(select)
    wait_in(select.page, "document.activeElement.matches('select:open')")
    steps = chosen.evaluate("o => [...o.parentElement.options].filter(e => !e.disabled).indexOf(o)")
    for key in ("Home", *(["ArrowDown"] * steps), "Enter"):
        select.page.keyboard.press(key)
    expect(select).to_have_value(value)


def attach(button: Locator, files: Any) -> None:
    """Press what opens the system's file chooser, and choose there."""
    with button.page.expect_file_chooser() as chooser:
        if button.evaluate("matchMedia('(pointer: coarse)').matches"):
            button.tap()
        else:
            button.click()
    chooser.value.set_files(files)


def attach_file(page: Page) -> Locator:
    """Return the paper clip of the input."""
    return page.get_by_role("button", name="Anexar arquivos", exact=True)


def _press_on(target: Locator) -> None:
    """Press the middle of something, by the finger where the screen has one, and have the focus."""
    if target.evaluate("matchMedia('(pointer: coarse)').matches"):
        target.tap()
    else:
        target.click()
    expect(target).to_be_focused()


def fill_login(page: Page, email: str, password: str) -> None:
    """Fill the login form and send it."""
    type_in(page.get_by_label("E-mail", exact=True), email)
    type_in(page.get_by_label("Senha", exact=True), password)
    page.get_by_role("button", name="Entrar").click()


def row(page: Page, list_name: str, contact: str) -> Locator:
    """Return a contact's row in the list that is shown under this name."""
    region = page.get_by_role("region", name=list_name, exact=True)
    return region.get_by_role("link").filter(has_text=contact)


def conversation(page: Page, contact: str) -> Locator:
    """Return the pane of a conversation."""
    return page.get_by_role("region", name=f"Conversa com {contact}", exact=True)


def sent(page: Page, text: str) -> Locator:
    """Return a message of ours in the open conversation."""
    group = page.get_by_role("group", name=re.compile("^Enviada por"))
    return group.filter(has_text=text)


def tick(message: Locator, name: str) -> Locator:
    """Return the tick of a message by its name: Enviada, Recebida pelo servidor, Entregue, Lida…"""
    return message.get_by_role("img", name=name, exact=True)


def composer(page: Page) -> Locator:
    """Return the field in which messages are written."""
    return page.get_by_role("textbox", name="Mensagem", exact=True)


def say(page: Page, text: str) -> None:
    """Write a message and send it: with Enter, on a telephone with the button."""
    type_in(composer(page), text)
    if page.evaluate("matchMedia('(pointer: coarse)').matches"):
        page.get_by_role("button", name="Enviar", exact=True).tap()
    else:
        press(composer(page), "Enter")
    expect(composer(page)).to_have_value("")


def open_waiting(page: Page, contact: str) -> Locator:
    """Open a waiting conversation and return its pane."""
    tab(page, "Aguardando").click()
    row(page, "Aguardando", contact).click()
    pane = conversation(page, contact)
    expect(pane).to_be_visible()
    return pane


def accept(page: Page, contact: str) -> Locator:
    """Open a waiting conversation, accept it and return its pane."""
    pane = open_waiting(page, contact)
    pane.get_by_role("button", name="Aceitar").first.click()
    expect(composer(page)).to_be_visible()
    # The live event may come before the answer, which leads to the list of one's own; the address
    # changes before the list does.
    expect(page).not_to_have_url(re.compile("list=pending"))
    expect(tab(page, "Aguardando").and_(page.locator("[aria-selected=true]"))).to_have_count(0)
    return pane


def serve(page: Page, email: str, customer: Customer, words: str = "Olá!") -> Locator:
    """Sign in, have the customer write and accept it; return the pane."""
    log_in(page, email)
    customer.write(words)
    return accept(page, customer.name)


def token(page: Page) -> str:
    """Return a fresh access token of the page's session."""
    answer = page.request.post("/api/auth/refresh_token")
    assert answer.ok, answer.text()
    return str(answer.json()["token"])


def wait_until_read(page: Page) -> None:
    """Return once the server knows that the open conversation was read."""
    headers = {"Authorization": f"Bearer {token(page)}"}
    [uuid] = re.findall(r"/tickets/([0-9a-f-]{36})", page.url)

    def is_read() -> bool:
        answer = page.request.get(f"/api/tickets/u/{uuid}", headers=headers)
        return bool(answer.json()["unreadMessages"] == 0)

    wait_for(is_read, "the open conversation to be read")


def hold(page: Page, address: str, method: str = "GET") -> list[Route]:
    """Keep matching requests of a page back; the list returned fills as they come."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        if route.request.method == method:
            held.append(route)
        else:
            route.fallback()

    page.route(address, keep)
    return held


def address(page: Page) -> str:
    """Return the address of the open conversation."""
    found = UUID.search(page.url)
    assert found, page.url
    return found.group(0)


def act(page: Page, row: str, action: str, entry: str | None = None) -> None:
    """Press one of a row's actions, which narrow screens keep in a menu, maybe by another name."""
    menu = page.get_by_role("button", name=f"Ações de {row}", exact=True)
    button = page.get_by_role("button", name=action, exact=True)
    expect(menu.or_(button)).to_be_visible()
    if menu.is_visible():
        menu.click()
        page.get_by_role("menuitem", name=entry or action).click()
    else:
        button.click()
