"""A page that writes down its sounds and notices."""

import re

from playwright.sync_api import Page, WebSocket, expect

from tests.journeys.conftest import log_in
from tests.journeys.people import tab
from tests.product import wait_for

# What the browser would play and show, written down instead; the rest is the product's own.
RECORDER = """
window.sounds = 0; window.notices = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  window.sounds += 1;
  return start.apply(this, at);
};
window.Notification = class {
  static permission = window.permission ?? 'granted';
  constructor(title, options) {
    window.notices.push({ title, ...options, open: () => this.onclick() });
  }
  close() {}
};
window.Notification.requestPermission = async () => (window.Notification.permission = 'granted');
Document.prototype.hasFocus = () => window.isAway !== true;
"""


def notices(page: Page) -> list[dict[str, str]]:
    """Return what was shown on the desktop."""
    found = page.evaluate("window.notices.map(({ title, body, tag }) => ({ title, body, tag }))")
    return list(found)


def listen(page: Page, email: str) -> Page:
    """Sign in on a page that writes down its sounds and notices; return it when it hears them."""
    page.context.add_init_script(RECORDER)
    asked: set[str] = set()
    joined: set[str] = set()

    def watch(socket: WebSocket) -> None:
        def send(frame: str | bytes) -> None:
            asked.update(re.findall(r'^42(\d+)\["joinNotification"', str(frame)))

        def receive(frame: str | bytes) -> None:
            joined.update(re.findall(r"^43(\d+)", str(frame)))

        socket.on("framesent", send)
        socket.on("framereceived", receive)

    page.on("websocket", watch)
    log_in(page, email)
    expect(tab(page, "Aguardando")).to_be_visible()
    # What comes before the server has let the page into the room is not told of.
    wait_for(lambda: page.evaluate("true") and bool(asked & joined), "the room of notices")
    return page
