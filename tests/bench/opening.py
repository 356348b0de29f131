"""From the click on a row to the words of its conversation, in a browser, as an attendant clicks.

To compare with an older commit, put this file and `__main__.py` beside its others in a worktree.
"""

from collections.abc import Mapping

from playwright.sync_api import CDPSession, Locator, Page, ViewportSize, sync_playwright

from apps.tickets.models import Ticket
from tests.bench.dataset import Business
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.factories import PASSWORD
from tests.journeys.conftest import FLAGS, chromium

# Each round begins with an empty cache: every second row is clicked as the pointer comes, the
# others after it has rested there; then all of them once more.
ROUNDS = 5
ROWS = 8
REST_MS = 200
# Between two clicks a person reads; what the first set off has come to its end.
READING_MS = 700
WARM_BUDGET_MS, COLD_BUDGET_MS = 100.0, 400.0
# Of the page's own thread.
WARM_WORK_BUDGET_MS = 60.0
# No click waits for longer than this times what half of them may.
WORST_FACTOR = 2
# Resolves with the milliseconds from the click to the frame after which the message can be read.
WATCH = """messageId => {
    window.opened = new Promise(resolve => {
        let clickedAt = null;
        document.addEventListener('click', event => { clickedAt = event.timeStamp; },
            { capture: true, once: true });
        const look = () => {
            const row = document.querySelector(`[role=log] [data-message="${messageId}"]`);
            const log = row?.closest('[role=log]');
            if (clickedAt !== null && row?.checkVisibility({ visibilityProperty: true })) {
                const inside = log.getBoundingClientRect();
                const { top, bottom } = row.getBoundingClientRect();
                if (top < inside.bottom && bottom > inside.top) {
                    const { port1, port2 } = new MessageChannel();
                    port2.onmessage = () => resolve(performance.now() - clickedAt);
                    port1.postMessage(null);
                    return;
                }
            }
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    });
}"""


def measure(stack: Stack, business: Business) -> list[Figure]:
    """Open the conversations of an attendant's list, for the first time and again."""
    times: dict[str, list[tuple[float, float]]]
    times = {"cold": [], "cold, pointer rested": [], "warm": []}
    newest = dict(
        Ticket.objects.for_company(business.company.pk).values_list("pk", "latest_message_id")
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            viewport: ViewportSize = {"width": 1366, "height": 850}
            # Sockets and pages from one process, as the embedded mode serves them.
            address = f"http://127.0.0.1:{stack.realtime_port}"
            page = browser.new_page(base_url=address, viewport=viewport, locale="pt-BR")
            _sign_in(page, business)
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})

            def open_at(place: int, rest_ms: int = 0) -> tuple[float, float]:
                return _open(
                    page, session, page.locator("[data-ticket]").nth(place), newest, rest_ms
                )

            for _ in range(ROUNDS):
                page.goto("/tickets")
                page.locator("[data-ticket]").nth(ROWS - 1).wait_for()
                page.wait_for_load_state("networkidle")
                for place in range(ROWS):
                    kind = "cold, pointer rested" if place % 2 else "cold"
                    times[kind].append(open_at(place, REST_MS if place % 2 else 0))
                times["warm"] += [open_at(place) for place in range(ROWS)]
        finally:
            browser.close()
    return [figure for kind, taken in times.items() for figure in figures(kind, taken)]


def _sign_in(page: Page, business: Business) -> None:
    body = {"email": business.agents[0].email, "password": PASSWORD}
    answer = page.request.post("/api/auth/login", data=body)
    assert answer.ok, answer.text()
    page.goto("/static/app/favicon.svg")
    page.evaluate("token => localStorage.setItem('token', token)", answer.json()["token"])


def _open(
    page: Page,
    session: CDPSession,
    row: Locator,
    newest: Mapping[int, int | None],
    rest_ms: int,
) -> tuple[float, float]:
    """Click a row; return the milliseconds to its text, and those that the page's thread worked."""
    ticket_id = int(row.get_attribute("data-ticket") or 0)
    box = row.bounding_box()
    assert box is not None
    page.wait_for_timeout(READING_MS)
    page.evaluate(WATCH, newest[ticket_id])
    page.mouse.move(box["x"] + 120, box["y"] + 20)
    page.wait_for_timeout(rest_ms)
    before = _work_ms(session)
    page.mouse.down()
    page.mouse.up()
    taken: float = page.evaluate("window.opened")
    return taken, _work_ms(session) - before


def _work_ms(session: CDPSession) -> float:
    """Return how long the page's thread has had a processor so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration") * 1000


def figures(kind: str, opened: list[tuple[float, float]]) -> list[Figure]:
    """Return what the clicks of one kind took: to the text, and of the page's own thread."""
    budget = WARM_BUDGET_MS if kind == "warm" else COLD_BUDGET_MS
    name = f"click to text, {kind}"
    times, work = zip(*opened, strict=True)
    return [
        Figure(f"{name}, median of {len(times)}", percentile(times, 0.5), "ms", budget),
        Figure(f"{name}, worst", max(times), "ms", budget * WORST_FACTOR),
        # Hardly another on a busy machine.
        Figure(
            f"{name}, the page's own work, median",
            percentile(work, 0.5),
            "ms",
            WARM_WORK_BUDGET_MS if kind == "warm" else None,
        ),
    ]
