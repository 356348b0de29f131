"""A conversation of 10,000 messages in a browser: how even its frames are while one scrolls up."""

import time

from playwright.sync_api import CDPSession, Page, ViewportSize, sync_playwright

from apps.tickets.models import Message, Ticket
from tests.bench.dataset import Business
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.factories import PASSWORD, make_contact, make_ticket
from tests.journeys.conftest import FLAGS, chromium

MESSAGES = 10_000
SCROLLED_SHARE = 0.3
SCROLL_SECONDS = 45.0
WHEEL_PX = 240
LATE_MS = 33.4
# Notes each frame that the list moved in, and the earliest row seen. Frames in which it stands, at
# its top until older messages are there, are none of a scroll.
WATCH = """() => {
    const list = document.querySelector('[role=log]');
    const scroller = [list, ...list.querySelectorAll('*')]
        .find(each => each.scrollHeight > each.clientHeight + 50
            && /auto|scroll/.test(getComputedStyle(each).overflowY));
    const first = () => Number(scroller.querySelector('[data-item-index]').dataset.itemIndex);
    const watched = { frames: [], newest: first(), earliest: first() };
    window.watched = watched;
    let last = performance.now();
    let place = scroller.scrollTop;
    const frame = now => {
        if (scroller.scrollTop !== place) watched.frames.push(now - last);
        place = scroller.scrollTop;
        last = now;
        watched.earliest = Math.min(watched.earliest, first());
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}"""


def make_conversation(business: Business, messages: int) -> Ticket:
    """Make an open ticket of the admin with all the messages."""
    contact = make_contact(business.company, name="Conversa longa", number="5521988887777")
    ticket = make_ticket(
        business.company,
        contact=contact,
        connection=business.connection,
        queue=business.queues[0],
        user=business.admin,
        status="open",
    )
    texts = ("Olá!", "Sobre o pedido, segue o que combinamos ontem por telefone.", "Obrigada 🙂")
    rows = Message.objects.bulk_create(
        (
            Message(
                company=business.company,
                connection=business.connection,
                ticket=ticket,
                contact=contact,
                external_id=f"wamid.long.{number}",
                from_me=number % 3 == 0,
                ack=3,
                body=f"{texts[number % len(texts)]} ({number})",
                is_read=True,
            )
            for number in range(messages)
        ),
        batch_size=2_000,
    )
    ticket.latest_message = rows[-1]
    ticket.last_message = rows[-1].body
    ticket.save()
    return ticket


def measure(stack: Stack, business: Business, messages: int) -> list[Figure]:
    """Open the conversation and turn the wheel until thousands of messages went by."""
    ticket = make_conversation(business, messages)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            viewport: ViewportSize = {"width": 1366, "height": 850}
            page = browser.new_page(base_url=stack.web_address, viewport=viewport)
            _open(page, ticket, business, messages)
            return _scroll(page, messages)
        finally:
            browser.close()


def _open(page: Page, ticket: Ticket, business: Business, messages: int) -> None:
    body = {"email": business.admin.email, "password": PASSWORD}
    answer = page.request.post("/api/auth/login", data=body)
    assert answer.ok, answer.text()
    page.goto("/static/app/favicon.svg")
    page.evaluate("token => localStorage.setItem('token', token)", answer.json()["token"])
    page.goto(f"/tickets/{ticket.uuid}")
    page.get_by_role("log").get_by_text(f"({messages - 1})").wait_for()


def _scroll(page: Page, messages: int) -> list[Figure]:
    wanted = int(messages * SCROLLED_SHARE)
    page.get_by_role("log").hover()
    page.evaluate(WATCH)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before, seen = _work(session), 0
    ends_at = time.monotonic() + SCROLL_SECONDS
    while seen < wanted and time.monotonic() < ends_at:
        for _ in range(10):
            page.mouse.wheel(0, -WHEEL_PX)
        seen = page.evaluate("watched.newest - watched.earliest")
    work = {name: seconds - before[name] for name, seconds in _work(session).items()}
    frames: list[float] = page.evaluate("watched.frames")
    late = sum(1 for frame in frames if frame > LATE_MS)
    return [
        Figure(f"conversation of {messages:,}, rows of {wanted:,} scrolled through", seen),
        Figure("conversation, frame p50 while scrolling", percentile(frames, 0.5), "ms"),
        Figure("conversation, frame p95 while scrolling", percentile(frames, 0.95), "ms", LATE_MS),
        Figure("conversation, frames over 33 ms", 100 * late / len(frames), "%", 5.0),
        # Painting without a graphics card is this machine's; these are ours.
        *(
            Figure(f"conversation, {name} for each row", seconds * 1000 / max(1, seen), "ms")
            for name, seconds in work.items()
        ),
    ]


def _work(session: CDPSession) -> dict[str, float]:
    """Return the seconds that the page's main thread has worked so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    found = {metric["name"]: float(metric["value"]) for metric in metrics}
    return {
        "script": found["ScriptDuration"],
        "styles and layout": found["RecalcStyleDuration"] + found["LayoutDuration"],
    }
