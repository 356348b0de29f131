"""The films that help: told live, played without cookies, closed by Escape or beside."""

import re
from typing import Any

from playwright.sync_api import Page, Request, Route, expect

from tests.journeys.conftest import ANA, SUPER, OpenPage, log_in
from tests.journeys.people import token, type_in, wait_in

CODE = "M7lc1UVf-VE"
TITLE = "Como aceitar um atendimento"
PLAYER = re.compile(r"^https://www\.youtube-nocookie\.com/")
OWN = re.compile(r"^https?://(127\.0\.0\.1|localhost)|^(data|blob):")
PLAYING = "<!doctype html><title>Player</title><button>Pausar</button>"


def play_here(page: Page) -> list[Request]:
    """Have a player of our own in the place of YouTube's; return what the page asks of others."""
    asked: list[Request] = []

    def note(request: Request) -> None:
        if not OWN.match(request.url):
            asked.append(request)

    def play(route: Route) -> None:
        route.fulfill(body=PLAYING, content_type="text/html")

    page.on("request", note)
    page.route(PLAYER, play)
    return asked


def write(page: Page, **fields: Any) -> int:
    """Write a help as the super user, over the calls; return its id."""
    headers = {"Authorization": f"Bearer {token(page)}"}
    answer = page.request.post("/api/helps", data=fields, headers=headers)
    assert answer.ok, answer.text()
    return int(answer.json()["id"])


def test_a_help_comes_live_and_is_played_and_closed(open_page: OpenPage) -> None:
    ana = open_page()
    asked = play_here(ana)
    log_in(ana, ANA)
    ana.get_by_role("link", name="Ajuda", exact=True).click()
    expect(ana.get_by_role("heading", name="Ajuda", level=1)).to_be_visible()
    card = ana.get_by_role("button", name=f"Assistir: {TITLE}")
    expect(card).to_have_count(0)

    operator = open_page()
    log_in(operator, SUPER)
    write(
        operator,
        title=TITLE,
        description="Do clique em Aceitar até a primeira resposta.",
        video=f"https://youtu.be/{CODE}?t=3",
    )
    expect(card).to_be_visible()
    # Nothing is asked of anybody else before the film is.
    assert [request.url for request in asked] == []

    card.click()
    dialog = ana.get_by_role("dialog", name=TITLE)
    film = dialog.get_by_title(f"Vídeo: {TITLE}")
    expect(film).to_be_visible()
    pause = film.content_frame.get_by_role("button", name="Pausar")
    expect(pause).to_be_visible()
    [first] = [request for request in asked if PLAYER.match(request.url)]
    assert f"/embed/{CODE}?" in first.url
    # YouTube plays nothing for a page that does not say where it is.
    assert first.all_headers()["referer"] == re.sub(r"/helps.*", "/", ana.url)

    # The keys stay with the dialog whatever the pointer does in the player.
    pause.click()
    wait_in(ana, "document.activeElement.tagName !== 'IFRAME'")
    ana.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(card).to_be_focused()

    ana.keyboard.press("Enter")
    expect(pause).to_be_visible()
    ana.mouse.click(8, 400)
    expect(dialog).to_have_count(0)

    search = ana.get_by_role("searchbox", name="Buscar na ajuda")
    type_in(search, "nada disto")
    expect(ana.get_by_text("Nada encontrado para “nada disto”")).to_be_visible()
    type_in(search, "ACEITAR ATE")
    expect(ana.get_by_text("Nada encontrado")).to_be_visible()
    type_in(search, "clique em aceitar ate")
    expect(card).to_be_visible()
