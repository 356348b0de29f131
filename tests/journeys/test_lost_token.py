"""An official number whose token Meta takes no more: it says so, and gets another one."""

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    Simulator,
    accept,
    keys_to,
    press,
    say,
    sent,
    tick,
    token,
)
from tests.journeys.test_administration import table_row
from tests.journeys.test_first_run import make_number
from tests.product import Product

NAME = "Loja do token"


def connect(page: Page, phone_number_id: str, waba_id: str) -> int:
    """Make a connection of a number that Meta knows."""
    headers = {"Authorization": f"Bearer {token(page)}"}
    queues = page.request.get("/api/queue", headers=headers).json()
    [queue] = [each for each in queues if each["name"] == "Vendas"]
    body = {
        "name": NAME,
        "provider": "official",
        "phone_number_id": phone_number_id,
        "waba_id": waba_id,
        "accessToken": "um-token-que-vale",
        "queueIds": [queue["id"]],
    }
    answer = page.request.post("/api/whatsapp", data=body, headers=headers)
    assert answer.ok, answer.text()
    return int(answer.json()["id"])


def remove(page: Page, connection_id: int) -> None:
    headers = {"Authorization": f"Bearer {token(page)}"}
    assert page.request.delete(f"/api/whatsapp/{connection_id}", headers=headers).ok


def test_a_lost_token_is_told_and_replaced_from_the_row(
    product: Product, page: Page, open_page: OpenPage
) -> None:
    simulator = Simulator(product)
    phone_number_id, waba_id = make_number(product, NAME)
    log_in(page, ADMIN)
    connection_id = connect(page, phone_number_id, waba_id)
    page.get_by_role("link", name="Conexões").click()
    line = table_row(page, NAME)
    expect(line.get_by_role("button", name=f"Conectada: {NAME}")).to_be_disabled()

    customer = Customer(product, "Perpétua Esperança", to=phone_number_id)
    inbox = open_page()
    log_in(inbox, ANA)
    customer.write("Alguém aí?")
    accept(inbox, customer.name)
    lost = {"kind": "token_expired", "number": phone_number_id}
    simulator.call("POST", "/faults", lost)
    say(inbox, "Estamos aqui!")
    message = sent(inbox, "Estamos aqui!")
    expect(tick(message, "Aguardando envio")).to_be_visible()

    # The row says it without being asked, and leads to what mends it.
    expect(line).to_contain_text("Desconectada")
    expect(line).to_contain_text("A Meta recusou o token de acesso")
    expect(line.get_by_role("button", name=f"Tentar novamente: {NAME}")).to_have_count(0)
    reconnect = line.get_by_role("button", name=f"Reconectar {NAME}")
    keys_to(reconnect)
    press(reconnect, "Enter")
    dialog = page.get_by_role("dialog", name="Editar conexão")
    field = dialog.get_by_label("Token de acesso")
    expect(field).to_be_focused()
    page.keyboard.type("outro-que-nao-vale")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(line).to_contain_text("A Meta recusou o token de acesso")

    simulator.call("DELETE", "/faults?kind=token_expired")
    line.get_by_role("button", name=f"Reconectar {NAME}").click()
    expect(field).to_be_focused()
    page.keyboard.type("um-token-novo")
    page.keyboard.press("Enter")
    expect(line.get_by_role("button", name=f"Conectada: {NAME}")).to_be_visible()
    expect(line).not_to_contain_text("A Meta recusou")
    # What waited goes by itself, once.
    expect(tick(message, "Entregue")).to_be_visible()
    customer.wait_for_texts("Estamos aqui!")

    # A program takes it down; tried again while Meta is away it is on its way until Meta answers.
    session = f"/api/whatsappsession/{connection_id}"
    headers = {"Authorization": f"Bearer {token(page)}"}
    assert page.request.delete(session, headers=headers).ok
    retry = line.get_by_role("button", name=f"Tentar novamente: {NAME}")
    expect(retry).to_be_visible()
    simulator.call("POST", "/faults", {"kind": "provider_down", "number": phone_number_id})
    retry.click()
    expect(line.get_by_role("button", name=f"Conectando {NAME}")).to_be_disabled()
    expect(line).to_contain_text("Conectando")
    simulator.call("DELETE", "/faults?kind=provider_down")
    assert page.request.post(session, headers=headers).ok
    expect(line.get_by_role("button", name=f"Conectada: {NAME}")).to_be_disabled()
    remove(page, connection_id)
