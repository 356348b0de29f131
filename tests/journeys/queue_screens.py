"""How to reach the screens of queues and of the bot."""

import json
import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import BOT_NUMBER, Customer, attach, open_waiting, pick, token, type_in
from tests.product import Product


def show_queues(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/queues")
    expect(page.get_by_role("row").filter(has_text="Financeiro")).to_be_visible()


def show_queue(page: Page, product: Product) -> None:
    show_queues(page, product)
    page.get_by_role("row").filter(has_text="Financeiro").click()
    dialog = page.get_by_role("dialog", name="Editar fila")
    expect(dialog.get_by_label("Nome", exact=True)).to_have_value("Financeiro")


FLOW = {
    "version": "6.1",
    "name": "Loja",
    "events": [{"id": "s", "type": "start", "outgoingEdgeId": "e1"}],
    "groups": [
        {
            "id": "g1",
            "title": "Início",
            "blocks": [
                {
                    "id": "b1",
                    "type": "text",
                    "content": {"richText": [{"type": "p", "children": [{"text": "Olá!"}]}]},
                },
                {
                    "id": "b2",
                    "type": "choice input",
                    "items": [
                        {"id": "i1", "content": "Rastrear pedido", "outgoingEdgeId": "e2"},
                        {"id": "i2", "content": "Falar com alguém"},
                    ],
                },
            ],
        },
        {
            "id": "g2",
            "title": "Pedido",
            "blocks": [
                {
                    "id": "b3",
                    "type": "text",
                    "content": {"richText": [{"type": "p", "children": [{"text": "Número?"}]}]},
                },
                {"id": "b4", "type": "number input", "options": {"variableId": "v1"}},
                {"id": "b5", "type": "Webhook", "options": {}},
            ],
        },
    ],
    "edges": [
        {"id": "e1", "from": {"eventId": "s"}, "to": {"groupId": "g1"}},
        {"id": "e2", "from": {"blockId": "b2", "itemId": "i1"}, "to": {"groupId": "g2"}},
    ],
    "variables": [{"id": "v1", "name": "Pedido"}],
}


def show_typebot_flow(page: Page, product: Product) -> None:
    """Show the menu that an exported flow makes, and what became of its blocks."""
    show_queue(page, product)
    page.get_by_role("button", name="Importar do Typebot").click()
    dialog = page.get_by_role("dialog", name="Importar um fluxo do Typebot")
    attach(
        dialog.get_by_role("button", name="Escolher arquivo"),
        {
            "name": "fluxo.json",
            "mimeType": "application/json",
            "buffer": json.dumps(FLOW).encode(),
        },
    )
    expect(dialog.get_by_role("region", name="O menu que resulta")).to_be_visible()


def show_queue_conflict(page: Page, product: Product) -> None:
    """Show what is asked when somebody else saved the queue meanwhile."""
    show_queue(page, product)
    page.route(
        re.compile(r"/api/queue/\d+$"),
        lambda route: (
            route.fulfill(
                status=409, json={"code": "ERR_QUEUE_CHANGED", "message": "", "fields": {}}
            )
            if route.request.method == "PUT"
            else route.fallback()
        ),
    )
    dialog = page.get_by_role("dialog", name="Editar fila")
    type_in(dialog.get_by_label("Nome", exact=True), "Financeiro novo")
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(page.get_by_role("dialog", name="Outra pessoa salvou esta fila")).to_be_visible()


def show_queue_colors(page: Page, product: Product) -> None:
    show_queue(page, product)
    page.get_by_role("button", name="Cor:").click()
    expect(page.get_by_role("radio", name="usada em Vendas")).to_be_visible()


def show_test_moment(page: Page, product: Product) -> None:
    show_queue(page, product)
    chat = page.get_by_role("complementary", name="Testar conversa")
    narrow = page.get_by_role("tab", name="Testar conversa")
    expect(chat.or_(narrow).first).to_be_visible()
    if narrow.is_visible():
        narrow.click()
    chat.get_by_role("button", name="Outra hora").click()
    expect(chat.get_by_role("group", name="Dia e hora do teste")).to_be_visible()


def show_test_flow(page: Page, product: Product) -> None:
    show_queues(page, product)
    # One of each size: the second would not know which of two to pick.
    name = f"Segunda via {page.viewport_size and page.viewport_size['width']}"
    flow = {"type": "webhook", "name": name, "urlN8N": f"{product.address}/fluxo"}
    bearer = {"Authorization": f"Bearer {token(page)}"}
    assert page.request.post("/api/queueIntegration", data=flow, headers=bearer).ok
    show_queue(page, product)
    pick(page.get_by_label("Integração"), name)
    chat = page.get_by_role("complementary", name="Testar conversa")
    narrow = page.get_by_role("tab", name="Testar conversa")
    expect(chat.or_(narrow).first).to_be_visible()
    if narrow.is_visible():
        narrow.click()
    chat.get_by_role("button", name="Recomeçar").first.click()
    type_in(chat.get_by_placeholder("Responda como cliente"), "financeiro")
    page.keyboard.press("Enter")
    expect(chat.get_by_text("o atendimento espera em")).to_be_visible()


def show_bot(page: Page, product: Product) -> None:
    """Show a conversation that the bot leads, before anybody accepts it."""
    # Waiting rows stay: each screen's person has a name of its own.
    customer = Customer(product, f"Hermínia {page.evaluate('innerWidth')}", to=BOT_NUMBER)
    log_in(page, ADMIN)
    customer.write("Oi!")
    pane = open_waiting(page, customer.name)
    expect(pane.get_by_role("log").locator("[data-source=bot]").first).to_be_visible()
