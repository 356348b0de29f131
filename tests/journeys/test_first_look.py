"""What a first look at the inbox, and at the sign-in page, asks the server for."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, Request, expect

from tests.bench.embedded import compressed_kilobytes
from tests.bench.first import CALLS, LOGIN_KB, SCRIPT_KB, SCRIPTS
from tests.journeys.conftest import ANA, OpenPage, log_in

# The lists stand for so long before the first conversation's script comes.
QUIET_MS = 2_000


def watched(page: Page) -> tuple[list[str], set[str]]:
    """Return the API calls and the scripts that the page asks for from now on."""
    calls: list[str] = []
    scripts: set[str] = set()

    def note(request: Request) -> None:
        path = urlsplit(request.url).path
        if path.startswith("/api/") and not path.startswith("/api/public/"):
            calls.append(path)
        elif path.endswith(".js") and request.resource_type != "other":
            scripts.add(request.url)

    page.on("request", note)
    return calls, scripts


def test_a_first_look_at_the_inbox_asks_for_little(page: Page) -> None:
    log_in(page, ANA)
    expect(page.locator("[data-ticket]").first).to_be_visible()
    # Before the page is loaded again, its own events are over.
    page.wait_for_load_state("networkidle")
    calls, scripts = watched(page)
    page.reload()
    expect(page.locator("[data-ticket]").first).to_be_visible()
    first = set(scripts)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(QUIET_MS)
    assert len(calls) <= CALLS, calls
    assert len(scripts) <= SCRIPTS, scripts
    assert compressed_kilobytes(first) <= SCRIPT_KB
    # What the inbox consists of is asked for before the first file is read.
    early = page.locator("link[rel=modulepreload][href*='/inbox-'] ~ script[type=module]")
    expect(early).to_have_count(1)


def test_the_sign_in_page_loads_nothing_of_the_inbox(open_page: OpenPage) -> None:
    page = open_page()
    _, scripts = watched(page)
    page.goto("/login")
    expect(page.get_by_role("button", name="Entrar")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert not [url for url in scripts if "/inbox-" in url or "/shell-" in url]
    assert compressed_kilobytes(scripts) <= LOGIN_KB
