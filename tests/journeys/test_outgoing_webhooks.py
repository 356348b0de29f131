"""An admin has a program of the company told what happens, and sees that it is."""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from tests.journeys.conftest import ADMIN, ANA, log_in
from tests.journeys.people import Customer, act, press_box, token, type_in
from tests.product import Product, wait_for

NAME = "Sistema da loja"


@pytest.fixture
def server() -> Iterator[WireServer]:
    with wire_server() as running:
        yield running


@pytest.fixture
def _none_left(page: Page) -> Iterator[None]:
    """Take away what the journey made: the product goes on to others."""
    yield
    headers = {"Authorization": f"Bearer {token(page)}"}
    found: Any = page.request.get("/api/outgoing-webhooks?searchParam=", headers=headers).json()
    for each in found["outgoingWebhooks"]:
        page.request.delete(f"/api/outgoing-webhooks/{each['id']}", headers=headers)


def is_signed(request: Received, secret: str) -> bool:
    signed = f"{request.headers['x-balcao-timestamp']}.".encode() + request.body
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, request.headers["x-balcao-signature"])


@pytest.mark.usefixtures("_none_left")
def test_a_program_hears_what_a_customer_writes(
    page: Page, product: Product, server: WireServer
) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Webhooks de saída").click()
    page.get_by_role("button", name="Adicionar webhook").first.click()
    dialog = page.get_by_role("dialog", name="Adicionar webhook")
    expect(dialog.get_by_label("Nome")).to_be_focused()
    type_in(dialog.get_by_label("Nome"), NAME)
    type_in(dialog.get_by_label("Endereço (URL)"), f"{server.url}/avisos")
    press_box(dialog, "Contato criado")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    once = page.get_by_role("dialog", name="Segredo de assinatura")
    secret = str(once.locator("code").first.inner_text()).strip()
    assert len(secret) >= 43
    once.get_by_role("button", name="Já copiei").click()

    page.get_by_role("row").filter(has_text=NAME).click()
    dialog = page.get_by_role("dialog", name="Editar webhook")
    server.handler = lambda request: Answer(status=202, body={"recebido": True})
    dialog.get_by_role("button", name="Testar").click()
    expect(dialog.get_by_text("O endereço respondeu 202")).to_be_visible()
    expect(dialog.get_by_text('"recebido"')).to_be_visible()
    [test] = server.received
    assert test.json["event"] == "webhook.test"
    assert is_signed(test, secret)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    # One is refused at first, and comes again.
    refused: list[str] = []

    def answer(request: Received) -> Answer:
        if request.json["event"] == "ticket.opened" and not refused:
            refused.append(request.headers["x-balcao-delivery"])
            return Answer(status=503)
        return Answer()

    server.handler = answer
    act(page, NAME, f"Entregas de {NAME}")
    log = page.get_by_role("dialog", name=f"Entregas de {NAME}")
    expect(log.get_by_text("Nenhum evento ainda")).to_be_visible()
    customer = Customer(product, "Eustáquia Moreira")
    customer.write("Vocês abrem no sábado?")
    # Shown without anything being pressed.
    expect(log.get_by_role("listitem").filter(has_text="Mensagem recebida")).to_be_visible()
    wait_for(
        lambda: any(each.json["event"] == "message.received" for each in server.received),
        "the message to be posted",
    )
    told = [each for each in server.received if each is not test]
    assert all(is_signed(each, secret) for each in told)
    assert [each.json["event"] for each in told] == [
        "contact.created",
        "ticket.opened",
        "ticket.opened",
        "message.received",
    ]
    assert told[1].headers["x-balcao-delivery"] == told[2].headers["x-balcao-delivery"]
    assert told[3].json["message"]["body"] == "Vocês abrem no sábado?"
    opened = log.get_by_role("listitem").filter(has_text="Atendimento aberto")
    expect(opened).to_contain_text("Tentativa 2")
    expect(opened).to_contain_text("200")
    opened.get_by_role("button", name="Atendimento aberto").click()
    expect(opened.get_by_role("region")).to_contain_text("Eustáquia Moreira")
    opened.get_by_role("button", name="Reenviar").click()
    wait_for(
        lambda: [each.json["event"] for each in server.received].count("ticket.opened") == 3,
        "the event to be posted again",
    )


def test_the_page_is_the_admins(page: Page) -> None:
    log_in(page, ANA)
    expect(page.get_by_role("link", name="Webhooks de saída")).to_have_count(0)
    page.goto("/outgoing-webhooks")
    expect(page.get_by_text("Acesso não permitido")).to_be_visible()
