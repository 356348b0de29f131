"""The running product and a browser for journeys.

A journey takes `product` (one for the whole run, on a DATA_DIR of its own with the demo company)
and `page` (a fresh browser context), or `open_page` for several people at once.
"""

import json
import os
import shutil
import urllib.request
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from apps.billing.tests.efi import Efi
from tests.journeys.bank import local_bank
from tests.mailbox import Mailbox, serving
from tests.product import GATEWAY_SECRET, ROOT, Product, wait_for

PASSWORD = "balcao123"
ADMIN, ANA, BRUNO, CARLA = (f"{name}@demo.local" for name in ("admin", "ana", "bruno", "carla"))
SUPER = "super@balcao.local"
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    *("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"),
    "--autoplay-policy=no-user-gesture-required",
    # No page lives for so long that it earns back what optimizing compilers take beside it.
    "--js-flags=--no-maglev --no-turbofan",
]
PHOTOS = ROOT / "test-results"
FAILED = pytest.StashKey[bool]()

# A wait is for something; how long says nothing on a busy machine.
PATIENCE_MS = 20_000
expect.set_options(timeout=PATIENCE_MS)

OpenPage = Callable[..., Page]

# A telephone: its screen, and a finger in the place of the mouse.
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}

# A screen of 1440 by 900 at 200 %.
ZOOMED: ViewportSize = {"width": 720, "height": 450}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything beside this file is a journey, unless it only reads the files."""
    for item in items:
        is_here = Path(__file__).parent in item.path.parents
        if is_here and not item.get_closest_marker("sources"):
            item.add_marker(pytest.mark.journey)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note what failed while its pages are still open, also when it will be run again."""
    report = yield
    item.stash[FAILED] = report.failed or (report.when != "setup" and item.stash.get(FAILED, False))
    return report


def chromium() -> str:
    """Return the browser's path, the one without windows first; raises pytest.UsageError."""
    for name in ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser"):
        found = os.environ.get("CHROMIUM") or shutil.which(name)
        if found:
            return found
    raise pytest.UsageError("Chromium is missing: run `make test-services`.")


@pytest.fixture(scope="session")
def mailbox() -> Iterator[Mailbox]:
    """What the product's e-mails arrive in."""
    with serving(login=False) as box:
        yield box


@pytest.fixture(scope="session")
def opened_bank() -> Iterator[tuple[Efi, dict[str, str]]]:
    """The operator's bank, with the variables by which the product knows it."""
    with local_bank() as opened:
        yield opened


@pytest.fixture
def bank(opened_bank: tuple[Efi, dict[str, str]]) -> Iterator[Efi]:
    """The bank, up again afterwards."""
    bank, _ = opened_bank
    yield bank
    bank.is_down = False


def set_newest_first(product: Product) -> None:
    """Choose, as the company's admin, that who wrote last stands first in the waiting list.

    Who came last is then on the screen, whomever earlier journeys left there.
    """

    def call(method: str, path: str, body: dict[str, str], token: str = "") -> Any:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        address, data = f"{product.address}/api{path}", json.dumps(body).encode()
        request = urllib.request.Request(address, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    signed_in = call("POST", "/auth/login", {"email": ADMIN, "password": PASSWORD})
    call("PUT", "/settings/waitingListOrder", {"value": "updated"}, signed_in["token"])


class Products:
    """The product that the journeys of a run share, started when the first one asks for it."""

    def __init__(self, **variables: str) -> None:
        self._variables = variables
        self._running: Product | None = None

    def shared(self) -> Product:
        """Return the running one, with a worker that has reported."""
        if self._running is None:
            self._running = running = Product(port=None, **self._variables)
            wait_for(lambda: running.get("/health/ready/")[0] == 200, "a worker")
            set_newest_first(running)
        return self._running

    def remove(self) -> None:
        """End the running one; the next who asks gets a fresh one."""
        if self._running is not None:
            self._running.remove()
            self._running = None


@pytest.fixture(scope="session")
def products(opened_bank: tuple[Efi, dict[str, str]], mailbox: Mailbox) -> Iterator[Products]:
    """The product of the run."""
    # No gateway of its own takes a session from the journeys' (`tests.journeys.gateways`).
    started = Products(
        GATEWAY_SECRET=GATEWAY_SECRET,
        GATEWAY_MAX_SESSIONS="0",
        SIMULATE_QR="0",
        EMAIL_HOST="127.0.0.1",
        EMAIL_PORT=str(mailbox.port),
        EMAIL_SECURITY="none",
        **opened_bank[1],
    )
    yield started
    started.remove()


@pytest.fixture
def product(products: Products, request: pytest.FixtureRequest) -> Product:
    """The whole product, one for all journeys; a second try begins with a fresh one.

    In that of the first try it would meet the rows that this has left.
    """
    if getattr(request.node, "execution_count", 1) > 1:  # pytest-rerunfailures'
        products.remove()
    return products.shared()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def open_page(
    product: Product, browser: Browser, request: pytest.FixtureRequest
) -> Iterator[OpenPage]:
    """Return a function that opens a page with a session of its own, as one more person would.

    A page in which a script threw fails the journey; after a failure each page leaves a picture
    in test-results/. What it is given goes to the context: `open_page(**PHONE)`.
    """
    contexts: list[BrowserContext] = []
    pages: list[Page] = []
    faults: list[str] = []

    def build(**options: Any) -> Page:
        settings: dict[str, Any] = {
            "base_url": product.address,
            "locale": "pt-BR",
            "timezone_id": "America/Sao_Paulo",
            "viewport": {"width": 1366, "height": 850},
            # What slides is where it ends; those who watch the movement ask for it.
            "reduced_motion": "reduce",
            # What a worker asks for no journey could answer in the server's place.
            "service_workers": "block",
            "permissions": ["microphone", "notifications", "clipboard-read", "clipboard-write"],
        }
        context = browser.new_context(**settings | options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        pages.append(page)
        return page

    yield build
    if faults or request.node.stash.get(FAILED, False):
        PHOTOS.mkdir(exist_ok=True)
        for number, page in enumerate(pages, start=1):
            page.screenshot(path=PHOTOS / f"{request.node.name}-{number}.png")
    for context in contexts:
        context.close()
    assert not faults, f"Scripts failed in the page: {faults}"


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    """A telephone's screen for a journey of one person."""
    return open_page(**PHONE)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page for a journey of one person."""
    return open_page()


def log_in(
    page: Page,
    email: str = ADMIN,
    password: str = PASSWORD,
    *,
    at: str = "/tickets",
    banner: bool = False,
) -> None:
    """Give the page a session without the login page, and wait for the application `at` a place.

    The demo's banner was put away in this browser, unless the journey is about it.
    """
    answer = page.request.post("/api/auth/login", data={"email": email, "password": password})
    assert answer.ok, answer.text()
    # Any page of the address will do; this one has no scripts.
    page.goto("/static/app/favicon.svg")
    page.evaluate("token => localStorage.setItem('token', token)", answer.json()["token"])
    if not banner:
        page.evaluate("localStorage.setItem('demoBanner', 'away')")
    page.goto(at)
    # The menu is behind a button on a telephone, and its bar is not on every page.
    shell = page.get_by_role("banner").or_(page.get_by_role("navigation"))
    expect(shell.locator("visible=true").first).to_be_visible()
