"""The approved message templates that every simulated account has."""

from typing import Any

from apps.simulator.graph.errors import GraphError


def _template(
    identifier: str, name: str, category: str, body: str, example: list[str], **parts: Any
) -> dict[str, Any]:
    components: list[dict[str, Any]] = []
    if parts.get("header"):
        components.append({"type": "HEADER", "format": "TEXT", "text": parts["header"]})
    text: dict[str, Any] = {"type": "BODY", "text": body}
    if example:
        text["example"] = {"body_text": [example]}
    components.append(text)
    if parts.get("footer"):
        components.append({"type": "FOOTER", "text": parts["footer"]})
    if parts.get("buttons"):
        buttons = [{"type": "QUICK_REPLY", "text": title} for title in parts["buttons"]]
        components.append({"type": "BUTTONS", "buttons": buttons})
    return {
        "name": name,
        "parameter_format": "POSITIONAL",
        "components": components,
        "language": "pt_BR",
        "status": "APPROVED",
        "category": category,
        "id": identifier,
    }


TEMPLATES: list[dict[str, Any]] = [
    _template(
        "900000000000001",
        "retomar_conversa",
        "UTILITY",
        "Olá, {{1}}! Ficamos com uma conversa em aberto sobre {{2}}. Podemos continuar?",
        ["Mariana", "a troca do prato"],
        buttons=["Sim, vamos lá", "Agora não"],
    ),
    _template(
        "900000000000002",
        "pedido_enviado",
        "UTILITY",
        "Olá, {{1}}! O pedido {{2}} saiu da nossa loja e chega até {{3}}.",
        ["Mariana", "10482", "sábado, 22/11"],
        header="Pedido a caminho",
        footer="Casa Aroeira",
    ),
    _template(
        "900000000000003",
        "lembrete_de_pagamento",
        "UTILITY",
        "Olá, {{1}}! O pagamento de R$ {{2}} vence em {{3}}. Responda por aqui se precisar de uma"
        " nova chave Pix.",
        ["Rodrigo", "389,00", "20/11"],
    ),
    _template(
        "900000000000004",
        "novidades_da_colecao",
        "MARKETING",
        "A coleção nova chegou: pratos, travessas e canecas feitos à mão. Quer ver o catálogo?",
        [],
        footer="Responda SAIR para não receber mais",
        buttons=["Quero ver", "Falar com a loja"],
    ),
]


def check_template(content: dict[str, Any]) -> dict[str, Any]:
    """Return the text that the customer sees; raises GraphError for a 132000-series fault."""
    name = content["name"]
    code = content["language"]["code"]
    named = [template for template in TEMPLATES if template["name"] == name]
    found = next((template for template in named if template["language"] == code), None)
    if found is None:
        raise GraphError(
            132001,
            "Template name does not exist in the translation",
            status=404,
            details=f"template name ({name}) does not exist in {code}",
        )
    given: list[str] = []
    for component in content.get("components") or []:
        if str(component.get("type", "")).lower() == "body":
            given = [str(p.get("text", "")) for p in component.get("parameters") or []]
    body = next(part["text"] for part in found["components"] if part["type"] == "BODY")
    expected = body.count("{{")
    if len(given) != expected:
        raise GraphError(
            132000,
            "Number of parameters does not match the expected number of params",
            details=f"body: number of localizable_params ({len(given)}) does not match the "
            f"expected number of params ({expected})",
        )
    for position, text in enumerate(given, start=1):
        body = body.replace(f"{{{{{position}}}}}", text)
    parts = {part["type"]: part for part in found["components"]}
    return {
        "header": parts.get("HEADER", {}).get("text", ""),
        "text": body,
        "footer": parts.get("FOOTER", {}).get("text", ""),
        "buttons": [b["text"] for b in parts.get("BUTTONS", {}).get("buttons", [])],
    }
