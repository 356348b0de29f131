"""A conversation of 10,000 messages in a browser: how even its frames are while one scrolls up."""

from typing import Any

from playwright.sync_api import Page, sync_playwright

from apps.tickets.models import Message, Ticket
from tests.bench.dataset import Business
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.factories import PASSWORD, make_contact, make_ticket
from tests.journeys.conftest import FLAGS, chromium

MESSAGES = 10_000
SCROLLED_MESSAGES = 3_000
LATE_MS = 33.4
# Scrolls as a wheel that is turned fast, and measures each frame from one to the next.
SCROLL = """async messages => {
    const list = document.querySelector('[role=log]');
    const scroller = [list, ...list.querySelectorAll('*')]
        .find(each => each.scrollHeight > each.clientHeight + 50
            && /auto|scroll/.test(getComputedStyle(each).overflowY));
    const frames = [];
    const seen = new Set();
    const note = () => scroller.querySelectorAll('[data-item-index]')
        .forEach(each => seen.add(each.dataset.itemIndex));
    let last = await new Promise(requestAnimationFrame);
    const end = performance.now() + 60_000;
    while (seen.size < messages && performance.now() < end) {
        const place = scroller.scrollTop;
        scroller.scrollTop -= 120;
        // At the top it waits for older messages, which is no frame of a scroll.
        const moved = scroller.scrollTop !== place;
        const now = await new Promise(requestAnimationFrame);
        if (moved) frames.push(now - last);
        last = now;
        if (frames.length % 10 === 0) note();
    }
    return { frames, seen: seen.size };
}"""


def make_conversation(business: Business) -> Ticket:
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
            for number in range(MESSAGES)
        ),
        batch_size=2_000,
    )
    ticket.latest_message = rows[-1]
    ticket.last_message = rows[-1].body
    ticket.save()
    return ticket


def measure(stack: Stack, business: Business) -> list[Figure]:
    """Open the conversation and scroll up through thousands of messages."""
    ticket = make_conversation(business)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(base_url=stack.web_address, viewport={"width": 1366, "height": 850})
        found = _scroll(page, ticket, business)
        browser.close()
    frames: list[float] = found["frames"]
    late = sum(1 for frame in frames if frame > LATE_MS)
    return [
        Figure(f"conversation of {MESSAGES:,}, messages scrolled through", found["seen"]),
        Figure("conversation, frame p50 while scrolling", percentile(frames, 0.5), "ms"),
        Figure("conversation, frame p95 while scrolling", percentile(frames, 0.95), "ms", LATE_MS),
        Figure("conversation, frames over 33 ms", 100 * late / len(frames), "%", 5.0),
    ]


def _scroll(page: Page, ticket: Ticket, business: Business) -> Any:
    body = {"email": business.admin.email, "password": PASSWORD}
    answer = page.request.post("/api/auth/login", data=body)
    assert answer.ok, answer.text()
    page.goto("/static/app/favicon.svg")
    page.evaluate("token => localStorage.setItem('token', token)", answer.json()["token"])
    page.goto(f"/tickets/{ticket.uuid}")
    page.get_by_role("log").get_by_text(f"({MESSAGES - 1})").wait_for()
    return page.evaluate(SCROLL, SCROLLED_MESSAGES)
