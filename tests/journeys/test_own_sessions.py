"""How a session ends that its owner did not end, and one that goes on."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, PASSWORD, SUPER, OpenPage, log_in
from tests.journeys.people import fill_login, type_in

EMAIL = "elisa@demo.local"
OTHER_EMAIL = "elisa.nunes@demo.local"
NEW = "outra senha"


@pytest.fixture
def elisa(open_page: OpenPage) -> Iterator[Page]:
    """A page of an attendant who works here for this journey alone."""
    boss = open_page()
    log_in(boss, ADMIN)
    token = boss.evaluate("localStorage.getItem('token')")
    headers = {"Authorization": f"Bearer {token}"}
    body = {"name": "Elisa Nunes", "email": EMAIL, "password": PASSWORD, "queueIds": []}
    made = boss.request.post("/api/users", headers=headers, data=body)
    assert made.ok, made.text()
    page = open_page()
    log_in(page, EMAIL)
    yield page
    assert boss.request.delete(f"/api/users/{made.json()['id']}", headers=headers).ok


def test_who_is_switched_off_reads_so_on_the_login_page(elisa: Page, open_page: OpenPage) -> None:
    office = open_page()
    office.goto(f"/admin/login/?next=/admin/accounts/user/%3Fq={EMAIL}")
    type_in(office.locator("#id_username"), SUPER)
    type_in(office.locator("#id_password"), PASSWORD)
    office.locator("input[type=submit]").click()
    office.get_by_role("link", name="Elisa Nunes").click()
    active = office.locator("#id_is_active")
    expect(active).to_be_checked()
    active.uncheck()
    office.locator("input[name=_save]").click()
    expect(office.locator(".messagelist .success")).to_be_visible()

    expect(elisa).to_have_url(re.compile("/login"))
    words = "Sua conta foi desativada. Fale com o administrador da sua empresa."
    reason = elisa.get_by_role("main").get_by_role("status")
    expect(reason).to_have_text(words)
    fill_login(elisa, EMAIL, PASSWORD)
    expect(elisa.get_by_role("main").get_by_role("alert")).to_have_text(words)
    expect(reason).to_have_count(0)


def test_a_new_own_password_ends_every_copy_of_the_session_but_this(
    elisa: Page, open_page: OpenPage
) -> None:
    tab = elisa.context.new_page()
    tab.goto("/tickets")
    expect(tab.get_by_role("navigation").first).to_be_visible()
    copy = open_page()
    copy.context.add_cookies([dict(each) for each in elisa.context.cookies()])  # type: ignore[misc]
    copy.goto("/static/app/favicon.svg")
    token = elisa.evaluate("localStorage.getItem('token')")
    copy.evaluate("token => localStorage.setItem('token', token)", token)
    copy.goto("/tickets")
    expect(copy.get_by_role("button", name=re.compile("^Conta de Elisa"))).to_be_visible()

    elisa.get_by_role("button", name=re.compile("^Conta de Elisa")).click()
    elisa.get_by_role("menuitem", name="Perfil").click()
    dialog = elisa.get_by_role("dialog", name="Meu perfil")
    type_in(dialog.get_by_label("Nova senha", exact=True), NEW)
    save = dialog.get_by_role("button", name="Salvar")
    save.click()
    expect(dialog.get_by_text("Campo obrigatório!")).to_be_visible()
    type_in(dialog.get_by_label("Senha atual", exact=True), "errada")
    save.click()
    expect(dialog.get_by_text("A senha atual não confere.")).to_be_visible()
    type_in(dialog.get_by_label("Senha atual", exact=True), PASSWORD)
    save.click()
    expect(dialog).to_have_count(0)

    for page in (elisa, tab):
        page.reload()
        expect(page.get_by_role("button", name=re.compile("^Conta de Elisa"))).to_be_visible()
        expect(page).to_have_url(re.compile("/tickets"))
    expect(copy).to_have_url(re.compile("/login"))
    fill_login(copy, EMAIL, NEW)
    expect(copy).to_have_url(re.compile("/tickets"))


def test_a_new_own_address_asks_for_the_present_password(elisa: Page) -> None:
    elisa.get_by_role("button", name=re.compile("^Conta de Elisa")).click()
    elisa.get_by_role("menuitem", name="Perfil").click()
    dialog = elisa.get_by_role("dialog", name="Meu perfil")
    address, present = dialog.get_by_label("E-mail"), dialog.get_by_label("Senha atual", exact=True)
    type_in(address, OTHER_EMAIL)
    elisa.keyboard.press("Enter")
    expect(dialog.get_by_text("Campo obrigatório!")).to_be_visible()
    expect(present).to_be_focused()
    elisa.keyboard.type("errada")
    elisa.keyboard.press("Enter")
    expect(dialog.get_by_text("A senha atual não confere.")).to_be_visible()
    type_in(present, PASSWORD)
    elisa.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    log_in(elisa, OTHER_EMAIL)
    expect(elisa).to_have_url(re.compile("/tickets"))
