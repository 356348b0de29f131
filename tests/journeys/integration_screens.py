"""How to reach the screens of integrations, prompts and the messages API."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import act, pick, token, type_in
from tests.product import Product


def show_integrations(page: Page, product: Product) -> None:
    """Show a Typebot and a webhook, made when they are not there yet."""
    log_in(page, ADMIN)
    headers = {"Authorization": f"Bearer {token(page)}"}
    for body in (
        {"type": "typebot", "urlN8N": "https://typebot.example.com", "typebotSlug": "loja"},
        {"type": "webhook", "urlN8N": "https://pedidos.example.com/eventos"},
    ):
        name = f"Vitrine {body['type']}"
        found = page.request.get(f"/api/queueIntegration?searchParam={name}", headers=headers)
        if not found.json()["count"]:
            page.request.post("/api/queueIntegration", data={**body, "name": name}, headers=headers)
    page.goto("/queue-integration")
    expect(page.get_by_role("row").filter(has_text="Vitrine typebot")).to_be_visible()


def show_integration(page: Page, product: Product) -> None:
    show_integrations(page, product)
    page.get_by_role("row").filter(has_text="Vitrine webhook").click()
    dialog = page.get_by_role("dialog", name="Editar integração")
    expect(dialog.get_by_role("button", name="Gerar novo segredo")).to_be_visible()


def show_deliveries(page: Page, product: Product) -> None:
    show_integrations(page, product)
    act(page, "Vitrine webhook", "Entregas de Vitrine webhook")
    expect(page.get_by_text("Nenhuma entrega ainda")).to_be_visible()


def show_delivery_list(page: Page, product: Product) -> None:
    """Show calls that went well and calls that did not."""
    call: dict[str, Any] = {
        "url": "https://pedidos.example.com/eventos",
        "requestBody": {"event": "ticket.closed"},
        "responseText": "",
        "createdAt": "2026-03-02T13:45:10Z",
        "reasonCode": "",
        "reasonDetail": "",
        "error": "",
    }
    failed = call | {"event": "ticket.closed", "error": "O endereço não respondeu em 10 segundos."}
    calls = [
        call | {"id": 3, "event": "message.received", "statusCode": 200, "attempt": 1},
        failed | {"id": 2, "statusCode": 503, "attempt": 12},
        failed | {"id": 1, "statusCode": None, "attempt": 1},
    ]
    for each in calls:
        each["durationMs"] = 10_000 // each["id"]
    page.route(
        "**/deliveries?*",
        lambda route: route.fulfill(json={"deliveries": calls, "count": 3, "hasMore": False}),
    )
    show_integrations(page, product)
    act(page, "Vitrine webhook", "Entregas de Vitrine webhook")
    expect(page.get_by_role("dialog").get_by_text("ticket.closed").first).to_be_visible()


def show_prompts(page: Page, product: Product) -> None:
    """Show a prompt, made when it is not there yet."""
    log_in(page, ADMIN)
    headers = {"Authorization": f"Bearer {token(page)}"}
    name = "Vitrine de dúvidas sobre entregas e trocas"
    found = page.request.get(f"/api/prompt?searchParam={name}", headers=headers)
    if not found.json()["count"]:
        [queue] = page.request.get("/api/queue", headers=headers).json()[:1]
        body = {
            "name": name,
            "prompt": "Responda com calma.",
            "queueId": queue["id"],
            "apiKey": "sk-vitrine",
            "baseUrl": "https://modelo.example.com/v1",
        }
        answer = page.request.post("/api/prompt", data=body, headers=headers)
        assert answer.ok, answer.text()
    page.goto("/prompts")
    expect(page.get_by_role("row").filter(has_text=name)).to_be_visible()


def show_prompt(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/prompts")
    page.get_by_role("button", name="Adicionar prompt").first.click()
    dialog = page.get_by_role("dialog")
    pick(dialog.get_by_label("Voz", exact=True), "Yara (português do Brasil)")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Selecione uma fila para salvar o prompt.")).to_be_visible()


def show_messages_api(page: Page, product: Product) -> None:
    """Show the page of the messages API with the refusal of a wrong token."""
    log_in(page, ADMIN)
    page.goto("/messages-api")
    type_in(page.get_by_label("Token da conexão"), "um-token-que-nunca-existiu")
    type_in(page.get_by_label("Número"), "5511984321107")
    type_in(page.get_by_role("textbox", name="Texto", exact=True), "Seu pedido saiu para entrega.")
    page.get_by_role("button", name="Enviar texto").click()
    answer = page.get_by_role("status", name="Resposta")
    expect(answer).to_contain_text("ERR_INVALID_TOKEN")
