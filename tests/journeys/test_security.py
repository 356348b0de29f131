"""The second factor, from the account's menu to the next sign-in (rules/accounts §10)."""

import re

import pyotp
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, PASSWORD, log_in
from tests.journeys.people import fill_login, token, type_in
from tests.product import Product

EMAIL = "duas-etapas@demo.example"


def open_security(page: Page) -> Locator:
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name="Segurança").click()
    return page.get_by_role("dialog", name="Segurança")


def sign_out(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name="Sair").click()
    expect(page).to_have_url(re.compile("/login"))


def test_a_code_of_the_telephone_opens_the_account(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    person = {"name": "Dora Etapas", "email": EMAIL, "password": PASSWORD, "profile": "user"}
    bearer = {"Authorization": f"Bearer {token(page)}"}
    assert page.request.post("/api/users", data=person, headers=bearer).ok
    log_in(page, EMAIL)
    dialog = open_security(page)
    dialog.get_by_role("button", name="Ativar").click()
    type_in(dialog.get_by_label("Senha atual"), "errada")
    page.keyboard.press("Enter")
    expect(dialog.get_by_text("A senha atual não confere.")).to_be_visible()
    type_in(dialog.get_by_label("Senha atual"), PASSWORD)
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("img", name="Código QR")).to_be_visible()
    telephone = pyotp.TOTP(dialog.locator("code").inner_text())
    type_in(dialog.get_by_label("Código que o aplicativo mostra"), telephone.now())
    dialog.get_by_role("button", name="Confirmar").click()
    codes = dialog.get_by_role("group", name="Copiar os códigos").inner_text().split()
    assert len(codes) == 10
    dialog.get_by_role("button", name="Já guardei").click()
    expect(dialog.get_by_text("Restam 10 códigos de recuperação.")).to_be_visible()
    dialog.get_by_role("button", name="Fechar").click()
    sign_out(page)

    fill_login(page, EMAIL, PASSWORD)
    code = page.get_by_label("Código do autenticador")
    expect(code).to_be_focused()
    type_in(code, "000000")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^O código não confere")).first).to_be_visible()
    # The one that was shown is used up; a telephone that is fast by one interval shows the next.
    type_in(code, telephone.at(timezone.now(), counter_offset=1))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/tickets"))
    sign_out(page)

    fill_login(page, EMAIL, PASSWORD)
    type_in(code, codes[0])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/tickets"))
    dialog = open_security(page)
    expect(dialog.get_by_text("Restam 9 códigos de recuperação.")).to_be_visible()
    dialog.get_by_role("tab", name="Acessos").click()
    expect(dialog.get_by_text(re.compile("Chrome")).first).to_be_visible()
    dialog.get_by_role("button", name="Fechar").click()

    # Who lost the telephone and the codes asks an admin.
    log_in(page, ADMIN, at="/users")
    page.get_by_role("row").filter(has_text="Dora Etapas").click()
    dialog = page.get_by_role("dialog", name="Editar usuário")
    dialog.get_by_role("button", name="Desativar").click()
    asked = (
        page.get_by_role("alertdialog")
        .or_(page.get_by_role("dialog"))
        .filter(has_text="Desativar as duas etapas de Dora Etapas?")
    )
    asked.get_by_role("button", name="Desativar").click()
    # The dialog beneath is no dialog while it is asked.
    expect(dialog).to_be_visible()
    expect(dialog.get_by_text("Verificação em duas etapas")).to_have_count(0)
    log_in(page, EMAIL)
