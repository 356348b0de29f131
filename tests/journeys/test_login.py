import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ANA, PASSWORD, fill_login


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
