import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ANA, PASSWORD
from tests.journeys.people import fill_login


def test_a_wrong_password_is_told_and_the_right_one_opens_the_inbox(page: Page) -> None:
    page.goto("/tickets")
    expect(page).to_have_url(re.compile(r"/login"))

    fill_login(page, ANA, "not the password")
    expect(page.get_by_text("E-mail ou Senha inválida").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/login"))

    fill_login(page, ANA, PASSWORD)
    expect(page).to_have_url(re.compile(r"/tickets"))
    page.reload()
    expect(page).to_have_url(re.compile(r"/tickets"))
    expect(page.get_by_role("navigation").first).to_be_visible()


def test_no_page_is_said_to_be_missing_on_the_way_in(page: Page) -> None:
    page.goto("/login")
    page.evaluate("""() => {
        window.titles = new Set();
        const look = () => {
            const heads = [...document.querySelectorAll('h1')].map(each => each.textContent);
            for (const title of [document.title, ...heads]) window.titles.add(title);
        };
        const what = { childList: true, subtree: true, characterData: true };
        new MutationObserver(look).observe(document, what);
    }""")
    fill_login(page, ANA, PASSWORD)
    expect(page.get_by_role("heading", name="Atendimentos")).to_be_visible()
    titles = page.evaluate("[...window.titles]")
    assert "Atendimentos" in titles
    assert not [title for title in titles if "não encontrada" in title]
