"""Who forgot the password gets another one by e-mail."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, PASSWORD, OpenPage, log_in
from tests.journeys.people import fill_login, press, type_in
from tests.mailbox import Mailbox
from tests.product import Product, wait_for

EMAIL = "fatima@demo.local"
NEW = "Nova-senha-1"


def code_sent(mailbox: Mailbox, email: str, number: int) -> str:
    """Wait for an address's mail number so and so; return the code in it."""
    wait_for(lambda: len(codes(mailbox, email)) >= number, "the code")
    return codes(mailbox, email)[number - 1]


def codes(mailbox: Mailbox, email: str) -> list[str]:
    found = [re.search(r"^([A-Z0-9]{8})$", text, re.M) for text in mailbox.texts_to(email)]
    return [each[1] for each in found if each]


def test_a_forgotten_password_is_set_anew_with_a_code_by_mail(
    page: Page, open_page: OpenPage, product: Product, mailbox: Mailbox
) -> None:
    boss = open_page()
    log_in(boss, ADMIN)
    token = boss.evaluate("localStorage.getItem('token')")
    headers = {"Authorization": f"Bearer {token}"}
    body = {"name": "Fátima Reis", "email": EMAIL, "password": PASSWORD, "queueIds": []}
    made = boss.request.post("/api/users", headers=headers, data=body)
    assert made.ok, made.text()
    own = open_page()
    log_in(own, EMAIL)

    page.goto("/login")
    page.get_by_role("link", name="Esqueceu a senha?").click()
    expect(page.get_by_role("heading", name="Redefinir a senha")).to_be_visible()
    expect(page.get_by_label("E-mail")).to_be_focused()
    page.get_by_role("button", name="Enviar código").click()
    expect(page.get_by_text("Campo obrigatório")).to_be_visible()
    type_in(page.get_by_label("E-mail"), "fatima")
    page.keyboard.press("Enter")
    expect(page.get_by_text("E-mail inválido")).to_be_visible()
    type_in(page.get_by_label("E-mail"), EMAIL)
    page.keyboard.press("Enter")

    code = page.get_by_label("Código de verificação")
    expect(code).to_be_focused()
    expect(page.get_by_role("button", name="Reenviar código em")).to_be_disabled()
    sent = code_sent(mailbox, EMAIL, 1)
    # Who looked for it elsewhere finds the second step again.
    page.reload()
    type_in(code, "aaaa-aaaa")
    expect(code).to_have_value("AAAAAAAA")
    type_in(page.get_by_label("Nova senha", exact=True), "fraca")
    type_in(page.get_by_label("Confirme a nova senha"), "outra")
    page.get_by_role("button", name="Redefinir senha").click()
    rule = (
        "Sua senha precisa ter no mínimo 8 caracteres, sendo uma letra maiúscula, "
        "uma minúscula e um número."
    )
    expect(page.get_by_text(rule)).to_be_visible()
    expect(page.get_by_text("As senhas não correspondem")).to_be_visible()
    type_in(page.get_by_label("Nova senha", exact=True), NEW)
    type_in(page.get_by_label("Confirme a nova senha"), NEW)
    page.get_by_role("button", name="Redefinir senha").click()
    expect(page.get_by_text("O código não confere").first).to_be_visible()
    expect(code).to_be_focused()

    # The whole mail is pasted as well as the code alone.
    page.evaluate("text => navigator.clipboard.writeText(text)", f"O código é:\n\n{sent}\n\nAté")
    press(code, "ControlOrMeta+a")
    press(code, "ControlOrMeta+v")
    expect(code).to_have_value(sent)
    page.get_by_role("button", name="Redefinir senha").click()
    expect(page.get_by_text("Senha redefinida com sucesso.")).to_be_visible()
    expect(page).to_have_url(re.compile("/login"))

    expect(own).to_have_url(re.compile("/login"))
    fill_login(page, EMAIL, PASSWORD)
    expect(page.get_by_text("E-mail ou Senha inválida").first).to_be_visible()
    fill_login(page, EMAIL, NEW)
    expect(page).to_have_url(re.compile("/tickets"))
    wait_for(lambda: len(mailbox.to(EMAIL)) >= 2, "the word of a changed password")
    assert boss.request.delete(f"/api/users/{made.json()['id']}", headers=headers).ok
