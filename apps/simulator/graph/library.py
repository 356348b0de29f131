"""Meta's template library, in the format of its list."""

from typing import Any

from apps.simulator.graph.errors import GraphError, missing

Part = dict[str, Any]


def _row(
    name: str,
    language: str,
    about: tuple[str, str, str],
    texts: tuple[str, str],
    samples: list[str],
    *buttons: Part,
) -> Part:
    (topic, usecase, industry), (header, body) = about, texts
    return {
        "name": name,
        "language": language,
        "category": "UTILITY",
        "topic": topic,
        "usecase": usecase,
        "industry": [industry],
        **({"header": header} if header else {}),
        "body": body,
        "body_params": samples,
        "body_param_types": ["TEXT" for _ in samples],
        "buttons": list(buttons),
        "id": str(7_138_055_000_000_000 + sum(map(ord, name + language))),
    }


_LINK = {"type": "URL", "text": "Acompanhar entrega", "url": "https://www.example.com/"}
_TRACK = {"type": "URL", "text": "Track delivery", "url": "https://www.example.com/"}
_CALL = {"type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "+18005551234"}
SHOP, BANK = "E_COMMERCE", "FINANCIAL_SERVICES"
ORDERS, MONEY, ASKS = "ORDER_MANAGEMENT", "PAYMENTS", "CUSTOMER_FEEDBACK"
LIBRARY: list[Part] = [
    _row(
        "delivery_update_1",
        "pt_BR",
        (ORDERS, "DELIVERY_UPDATE", SHOP),
        (
            "Seu pedido está a caminho",
            "Olá, {{1}}. O pedido {{2}} saiu para a entrega e chega até {{3}}.",
        ),
        ["Ana", "10482", "sábado"],
        _LINK,
    ),
    _row(
        "delivery_update_1",
        "en_US",
        (ORDERS, "DELIVERY_UPDATE", SHOP),
        (
            "Your order is on its way",
            "Hi {{1}}, your order {{2}} is out for delivery and arrives by {{3}}.",
        ),
        ["Jim", "10482", "Saturday"],
        _TRACK,
    ),
    _row(
        "order_confirmation_2",
        "pt_BR",
        (ORDERS, "ORDER_CONFIRMATION", SHOP),
        (
            "",
            "Obrigado, {{1}}! Recebemos o pedido {{2}}. Avisaremos quando ele sair.",
        ),
        ["Ana", "10482"],
    ),
    _row(
        "payment_due_reminder_1",
        "pt_BR",
        (MONEY, "PAYMENT_DUE_REMINDER", BANK),
        (
            "Vencimento próximo",
            "Olá, {{1}}. O pagamento de {{2}} vence em {{3}}. Fale conosco em caso de dúvida.",
        ),
        ["Ana", "R$ 389,00", "20/11"],
        {"type": "URL", "text": "Pagar agora", "url": "https://www.example.com/"},
        _CALL,
    ),
    _row(
        "feedback_survey_1",
        "pt_BR",
        (ASKS, "FEEDBACK_SURVEY", SHOP),
        (
            "",
            "Olá, {{1}}. Como foi a sua compra na {{2}}? Conte para a gente.",
        ),
        ["Ana", "Casa Aroeira"],
        {"type": "URL", "text": "Responder", "url": "https://www.example.com/"},
    ),
    _row(
        "delivery_failed_2_form",
        "pt_BR",
        (ORDERS, "DELIVERY_FAILED", SHOP),
        (
            "",
            "Não conseguimos entregar o pedido {{1}} hoje. Remarque a entrega.",
        ),
        ["10482"],
        {"type": "FLOW", "text": "Remarcar"},
    ),
]


def library_of(query: dict[str, str]) -> list[Part]:
    """Return the templates that match a call's filters."""
    found = LIBRARY
    for key in ("topic", "usecase", "language"):
        if query.get(key):
            found = [row for row in found if row[key] == query[key]]
    if query.get("industry"):
        found = [row for row in found if query["industry"] in row["industry"]]
    text = query.get("search", "").lower()
    return [
        row for row in found if text in f"{row['name']} {row.get('header')} {row['body']}".lower()
    ]


def from_library(body: Part) -> Part:
    """Return the call that creates a template with its components; raises GraphError like Meta."""
    name, language = body["library_template_name"], body.get("language")
    found = next((r for r in LIBRARY if (r["name"], r["language"]) == (name, language)), None)
    if found is None:
        raise GraphError(100, "Invalid parameter", details="The library template was not found.")
    given = list(body.get("library_template_button_inputs") or [])
    buttons = [_filled(button, given) for button in found["buttons"]]
    parts: list[Part] = []
    if found.get("header"):
        parts.append({"type": "HEADER", "format": "TEXT", "text": found["header"]})
    example = {"body_text": [found["body_params"]]}
    parts.append({"type": "BODY", "text": found["body"], "example": example})
    if buttons:
        parts.append({"type": "BUTTONS", "buttons": buttons})
    return {**body, "components": parts}


def _filled(button: Part, given: list[Part]) -> Part:
    if button["type"] not in ("URL", "PHONE_NUMBER"):
        return button
    wanted = next((each for each in given if each.get("type") == button["type"]), None)
    if wanted is None:
        raise missing("library_template_button_inputs")
    given.remove(wanted)
    if button["type"] == "PHONE_NUMBER":
        return {**button, "phone_number": wanted["phone_number"]}
    url = wanted["url"]
    shown = {**button, "url": url["base_url"]}
    return shown | ({"example": [url["url_suffix_example"]]} if "{{" in url["base_url"] else {})
