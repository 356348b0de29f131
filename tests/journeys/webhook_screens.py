"""How to reach the screens of outgoing webhooks, with what the server would tell of some."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import act
from tests.product import Product

WEBHOOK: dict[str, Any] = {
    "isActive": True,
    "stoppedBy": "",
    "secret": "••••••••",
    "failingSince": None,
    "pausedUntil": None,
    "waiting": 0,
    "events": ["message.received", "ticket.opened", "ticket.closed"],
    "lastDelivery": None,
    "createdAt": "2026-03-01T12:00:00Z",
    "updatedAt": "2026-03-01T12:00:00Z",
}
OUTCOME: dict[str, Any] = {
    "at": "2026-03-02T13:45:10Z",
    "ok": True,
    "statusCode": 200,
    "reasonCode": "",
    "reasonDetail": "",
}
FAILURE = OUTCOME | {
    "ok": False,
    "statusCode": 503,
    "reasonCode": "server_error",
    "reasonDetail": "erp.example.com (503)",
}
EVERY = [
    *("message.received", "message.sent", "message.acked"),
    *("ticket.opened", "ticket.closed", "ticket.rated", "contact.created"),
]
WEBHOOKS = [
    WEBHOOK
    | {
        "id": 1,
        "name": "CRM da loja",
        "url": "https://crm.example.com/balcao/eventos",
        "events": EVERY,
        "lastDelivery": OUTCOME,
    },
    WEBHOOK
    | {
        "id": 2,
        "name": "ERP de faturamento e expedição da matriz",
        "url": "https://erp.example.com/integracoes/atendimento/eventos?empresa=matriz&canal=wa",
        "failingSince": "2026-03-02T11:20:00Z",
        "waiting": 1284,
        "lastDelivery": FAILURE,
    },
    WEBHOOK
    | {
        "id": 3,
        "name": "Planilha de avaliações",
        "url": "https://script.example.com/macros/avaliacoes",
        "events": ["ticket.rated"],
        "isActive": False,
        "stoppedBy": "failures",
        "failingSince": "2026-02-26T09:00:00Z",
        "waiting": 37,
        "lastDelivery": FAILURE,
    },
    WEBHOOK
    | {
        "id": 4,
        "name": "Testes",
        "url": "https://testes.example.com/",
        "isActive": False,
        "stoppedBy": "person",
    },
]
DELIVERY: dict[str, Any] = {
    "eventId": "0b9d1c7e-6f0e-4e0b-9a53-0f4f8f2f9f11",
    "contactId": 7,
    "requestBody": {"version": 1, "event": "ticket.closed", "ticket": {"id": 812}},
    "responseText": "",
    "reasonCode": "",
    "reasonDetail": "",
    "durationMs": 184,
    "createdAt": "2026-03-02T13:45:10Z",
    "finishedAt": None,
    "nextAttemptAt": None,
}
DELIVERIES = [
    DELIVERY
    | {
        "id": 4,
        "event": "message.received",
        "status": "waiting",
        "attempts": 0,
        "statusCode": None,
        "nextAttemptAt": "2026-03-02T13:45:10Z",
    },
    DELIVERY
    | {
        "id": 3,
        "event": "ticket.closed",
        "status": "waiting",
        "attempts": 4,
        "statusCode": 503,
        "reasonCode": "server_error",
        "reasonDetail": "erp.example.com (503)",
        "nextAttemptAt": "2026-03-02T13:46:40Z",
    },
    DELIVERY
    | {
        "id": 2,
        "event": "contact.created",
        "status": "failed",
        "attempts": 31,
        "statusCode": None,
        "reasonCode": "server_timeout",
        "reasonDetail": "erp.example.com (10 s)",
        "durationMs": 10_012,
    },
    DELIVERY
    | {
        "id": 1,
        "event": "message.acked",
        "status": "delivered",
        "attempts": 1,
        "statusCode": 200,
        "responseText": '{"ok": true}',
    },
]


def _show(page: Page, webhooks: list[dict[str, Any]]) -> None:
    told = {"outgoingWebhooks": webhooks, "count": len(webhooks), "hasMore": False}
    page.route("**/api/outgoing-webhooks/?*", lambda route: route.fulfill(json=told))
    log_in(page, ADMIN, at="/outgoing-webhooks")


def show_webhooks(page: Page, product: Product) -> None:
    """Show one that is well, one that fails and two that are off."""
    _show(page, WEBHOOKS)
    expect(page.get_by_role("row").filter(has_text="CRM da loja")).to_be_visible()


def show_no_webhooks(page: Page, product: Product) -> None:
    _show(page, [])
    expect(page.get_by_text("Nenhum webhook de saída ainda")).to_be_visible()


def show_webhook(page: Page, product: Product) -> None:
    """Show one that was switched off, after a test that failed too."""
    tried = {
        "ok": False,
        "statusCode": 503,
        "durationMs": 95,
        "responseText": "Serviço em manutenção",
        "error": "script.example.com respondeu com o erro 503.",
        "reasonCode": "server_error",
        "reasonDetail": "script.example.com (503)",
    }
    page.route("**/api/outgoing-webhooks/3/test", lambda route: route.fulfill(json=tried))
    show_webhooks(page, product)
    page.get_by_role("row").filter(has_text="Planilha de avaliações").click()
    dialog = page.get_by_role("dialog", name="Editar webhook")
    dialog.get_by_role("button", name="Testar").click()
    expect(dialog.get_by_text("Serviço em manutenção")).to_be_visible()


def show_new_webhook(page: Page, product: Product) -> None:
    """Show the form with what is wrong in it."""
    _show(page, [])
    page.get_by_role("button", name="Adicionar webhook").first.click()
    dialog = page.get_by_role("dialog", name="Adicionar webhook")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Campo obrigatório!").first).to_be_visible()


def show_webhook_secret(page: Page, product: Product) -> None:
    """Show the new secret of a webhook."""
    made = {"secret": "Zk3vYw1mQ7cUe9pXr5tB2nHs8dLa0gFjKiOoPqRsTuV"}
    page.route("**/api/outgoing-webhooks/1/secret", lambda route: route.fulfill(json=made))
    show_webhooks(page, product)
    page.get_by_role("row").filter(has_text="CRM da loja").click()
    dialog = page.get_by_role("dialog", name="Editar webhook")
    dialog.get_by_role("button", name="Gerar novo segredo").click()
    question = page.get_by_role("alertdialog")
    question.get_by_role("button", name="Gerar novo segredo").click()
    expect(page.get_by_text("Copie o segredo agora")).to_be_visible()


def show_webhook_log(page: Page, product: Product) -> None:
    """Show events that wait, failed and went."""
    told = {"deliveries": DELIVERIES, "hasMore": False}
    page.route("**/api/outgoing-webhooks/2/deliveries*", lambda route: route.fulfill(json=told))
    show_webhooks(page, product)
    name = "ERP de faturamento e expedição da matriz"
    act(page, name, f"Entregas de {name}")
    event = page.get_by_role("dialog").get_by_role("listitem").filter(has_text="Contato criado")
    expect(event).to_be_visible()
