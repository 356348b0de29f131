"""The first look at the inbox: from the address to the first row, at a slower processor.

Each round is a browser's profile of its own: its first load finds nothing kept (cold), the loads
after it find the files in the browser's cache (warm). To compare with an older build, give
`look` its address: what is counted is what the browser asks and gets.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

from tests.bench.dataset import Business
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.factories import PASSWORD
from tests.journeys.conftest import FLAGS, chromium

# How many times slower the page's processor is than this machine's.
THROTTLE = 4
ROUNDS, WARM_LOADS = 3, 2
# A load is over when nothing has been asked for so long.
QUIET_MS = 1_500
CALLS, SCRIPTS, SCRIPT_KB, LOGIN_KB = 6, 15, 330, 220
COLD_BUDGET_S, WARM_BUDGET_S = 2.5, 1.2
# The compilers are those of a real browser.
PLAIN_FLAGS = [flag for flag in FLAGS if not flag.startswith("--js-flags")]
# Keeps the milliseconds from the page's start to the frame after which a row can be seen.
WATCH = """(() => {
    const look = () => {
        const row = document.querySelector('[data-ticket]');
        if (row?.checkVisibility({ visibilityProperty: true })) {
            const { port1, port2 } = new MessageChannel();
            port2.onmessage = () => { window.rowsAfterMs = performance.now(); };
            port1.postMessage(null);
            return;
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})();"""


@dataclass
class Load:
    """What one load of a page asked for, got, and took."""

    calls: Counter[str] = field(default_factory=Counter)
    scripts: set[str] = field(default_factory=set)
    script_bytes: int = 0
    # Of them until the first row stands.
    first_script_bytes: int = 0
    asked: list[str] = field(default_factory=list)
    rows_seconds: float = 0.0
    # Of the page's own thread until then, as slow as it was made.
    work_seconds: float = 0.0

    @property
    def files(self) -> list[str]:
        """Files with a hash in their name, which the server was asked for."""
        return [path for path in self.asked if path.startswith("/static/app/assets/")]


def measure(stack: Stack, business: Business) -> list[Figure]:
    """Load the inbox of an attendant and the sign-in page."""
    # Sockets and pages from one process, as the embedded mode serves them.
    address = f"http://127.0.0.1:{stack.realtime_port}"
    with sync_playwright() as playwright:
        cold, warm = look(playwright, address, business.agents[0].email)
        with profile(playwright, address) as context:
            login = load(context, "/login", "form")
    return figures(cold, warm, login)


def look(
    playwright: Playwright, address: str, email: str, password: str = PASSWORD
) -> tuple[list[Load], list[Load]]:
    """Return the cold and the warm loads of a user's inbox at a server's address."""
    cold: list[Load] = []
    warm: list[Load] = []
    for _ in range(ROUNDS):
        with profile(playwright, address) as context:
            _sign_in(context, email, password)
            cold.append(load(context, "/tickets", "[data-ticket]"))
            warm += [load(context, "/tickets", "[data-ticket]") for _ in range(WARM_LOADS)]
    return cold, warm


@contextmanager
def profile(playwright: Playwright, address: str) -> Iterator[BrowserContext]:
    """Open a browser with a profile on the disk that nobody has used."""
    directory = tempfile.mkdtemp(prefix="balcao-profile-")
    try:
        context = playwright.chromium.launch_persistent_context(
            directory,
            executable_path=chromium(),
            args=PLAIN_FLAGS,
            base_url=address,
            viewport={"width": 1366, "height": 850},
            locale="pt-BR",
        )
        try:
            yield context
        finally:
            context.close()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _sign_in(context: BrowserContext, email: str, password: str) -> None:
    page = context.new_page()
    answer = page.request.post("/api/auth/login", data={"email": email, "password": password})
    assert answer.ok, answer.text()
    page.goto("/static/app/favicon.svg")
    page.evaluate("token => localStorage.setItem('token', token)", answer.json()["token"])
    page.close()


def load(context: BrowserContext, path: str, shown: str) -> Load:
    """Load a page in a tab of its own until nothing more is asked for."""
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    found = Load()
    paths: dict[str, str] = {}
    kept: set[str] = set()

    def asks(event: dict[str, Any]) -> None:
        path = urlsplit(event["request"]["url"]).path
        paths[event["requestId"]] = path
        # Pictures of contacts are files.
        if path.startswith("/api/") and not path.startswith("/api/public/"):
            found.calls[path] += 1
        if path.endswith(".js"):
            found.scripts.add(path)

    def answers(event: dict[str, Any]) -> None:
        answer = event["response"]
        if answer.get("fromDiskCache") or answer.get("fromPrefetchCache"):
            kept.add(event["requestId"])

    def ends(event: dict[str, Any]) -> None:
        request = event["requestId"]
        path = paths.get(request)
        if path is None or request in kept:
            return
        found.asked.append(path)
        if path.endswith(".js"):
            found.script_bytes += event["encodedDataLength"]

    session.on("Network.requestWillBeSent", asks)
    session.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    session.on("Network.responseReceived", answers)
    session.on("Network.loadingFinished", ends)
    page.goto(path)
    page.locator(shown).first.wait_for(timeout=60_000)
    found.first_script_bytes = found.script_bytes
    metrics = session.send("Performance.getMetrics")["metrics"]
    found.work_seconds = next(
        float(each["value"]) for each in metrics if each["name"] == "TaskDuration"
    )
    _wait_for_quiet(page, paths)
    found.rows_seconds = float(page.evaluate("window.rowsAfterMs ?? 0")) / 1000
    page.close()
    return found


def _wait_for_quiet(page: Page, asked: dict[str, str]) -> None:
    before = -1
    while before != len(asked):
        before = len(asked)
        page.wait_for_timeout(QUIET_MS)


def figures(cold: list[Load], warm: list[Load], login: Load) -> list[Figure]:
    """Return counts of the worst load, and the times of the middle one."""
    every = [*cold, *warm]
    most = max(every, key=lambda each: each.calls.total())
    return [
        Figure("inbox, API calls of a load, most", most.calls.total(), "", CALLS),
        *(Figure(f"  {path}", times) for path, times in most.calls.most_common()),
        Figure("inbox, scripts, most", max(len(each.scripts) for each in every), "", SCRIPTS),
        Figure(
            "inbox, scripts as they travel until the rows, cold",
            max(each.first_script_bytes for each in cold) / 1000,
            "kB",
            SCRIPT_KB,
        ),
        Figure(
            "inbox, … and with those of the first conversation",
            max(each.script_bytes for each in cold) / 1000,
            "kB",
        ),
        Figure("inbox, requests to the server, cold", max(len(each.asked) for each in cold)),
        Figure("inbox, requests to the server, warm", max(len(each.asked) for each in warm)),
        Figure(
            "inbox, files of the build asked for, warm",
            max(len(each.files) for each in warm),
            "",
            0,
        ),
        *_times("cold", cold, COLD_BUDGET_S),
        *_times("warm", warm, WARM_BUDGET_S),
        Figure("/login, scripts", len(login.scripts)),
        Figure("/login, scripts as they travel, cold", login.script_bytes / 1000, "kB", LOGIN_KB),
    ]


def _times(kind: str, loads: list[Load], budget: float) -> list[Figure]:
    rows = [each.rows_seconds for each in loads]
    name = f"inbox, {kind}, {THROTTLE} × slower processor"
    return [
        Figure(f"{name}: rows, median", percentile(rows, 0.5), "s", budget),
        Figure(f"{name}: rows, best", min(rows), "s"),
        Figure(
            f"{name}: work of the page's thread, least",
            min(each.work_seconds for each in loads),
            "s",
        ),
    ]
