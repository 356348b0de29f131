"""The token with which programs send: shown once, and another in its place at a press."""

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import CONNECTION, Customer, keys_to, press
from tests.product import Product

ONCE = "Copie o token agora."


def show_api(page: Page) -> Locator:
    """Open what the connection's dialog says of its token."""
    page.goto("/connections")
    page.get_by_role("button", name=f"Editar {CONNECTION}").click()
    dialog = page.get_by_role("dialog", name="Editar conexão")
    dialog.get_by_role("tab", name="API").click()
    expect(dialog.get_by_role("group", name="Token da API")).to_be_visible()
    return dialog


def copied(dialog: Locator) -> str:
    """Copy the token that is shown, as for a program's settings."""
    expect(dialog.get_by_text(ONCE)).to_be_visible()
    dialog.get_by_role("button", name="Copiar token").click()
    expect(dialog.get_by_role("button", name="Copiado")).to_be_visible()
    token = str(dialog.page.evaluate("navigator.clipboard.readText()"))
    expect(dialog.get_by_text(token, exact=True)).to_be_visible()
    return token


def send(page: Page, token: str, customer: Customer, body: str) -> int:
    """Send as a program does; returns the status of the answer."""
    answer = page.request.post(
        "/api/messages/send",
        data={"number": customer.number, "body": body},
        headers={"Authorization": f"Bearer {token}"},
    )
    return answer.status


def test_a_token_is_shown_once_and_another_ends_it(product: Product, page: Page) -> None:
    customer = Customer(product, "Tobias Token")
    customer.write("Me avisem quando chegar.")
    log_in(page, ADMIN)
    dialog = show_api(page)
    expect(dialog.get_by_text("Nenhum token")).to_be_visible()
    dialog.get_by_role("button", name="Criar token").click()
    first = copied(dialog)
    assert len(first) >= 43
    assert send(page, first, customer, "Chegou!") == 200
    customer.wait_for_texts("Chegou!")

    # Whoever opens the dialog later learns that there is one, and no more.
    dialog = show_api(page)
    expect(dialog.get_by_text("Token ativo")).to_be_visible()
    expect(dialog.get_by_text(ONCE)).to_have_count(0)
    expect(dialog.get_by_role("button", name="Copiar token")).to_have_count(0)

    # Another one is asked for twice, because what uses the old one stops at once.
    renew = dialog.get_by_role("button", name="Gerar outro")
    keys_to(renew)
    press(renew, "Enter")
    asked = page.get_by_role("alertdialog", name=f"Gerar outro token para {CONNECTION}?")
    expect(asked).to_contain_text("deixam de enviar na mesma hora")
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    assert send(page, first, customer, "Ainda vale.") == 200
    renew.click()
    asked.get_by_role("button", name="Gerar outro").click()
    expect(asked).to_have_count(0)
    second = copied(dialog)
    assert second != first
    assert send(page, first, customer, "Não sai.") == 401
    assert send(page, second, customer, "Com o novo.") == 200
    customer.wait_for_texts("Chegou!", "Ainda vale.", "Com o novo.")

    dialog.get_by_role("button", name="Revogar").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Revogar").click()
    expect(dialog.get_by_text("Nenhum token")).to_be_visible()
    expect(dialog.get_by_text(ONCE)).to_have_count(0)
    assert send(page, second, customer, "Não sai.") == 401
