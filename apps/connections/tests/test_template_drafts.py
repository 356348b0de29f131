"""What Meta would refuse of a template is told by field, and a good one is put as Meta wants it."""

from dataclasses import replace
from typing import Any

import pytest

from apps.connections.template_drafts import DraftButton, TemplateDraft, faults_of, graph_template

GOOD = TemplateDraft(
    name="pedido_enviado",
    language="pt_BR",
    category="UTILITY",
    body="Olá, {{1}}! O pedido {{2}} saiu.",
    header_format="TEXT",
    header_text="Pedido {{1}}",
    footer="Casa Aroeira",
    buttons=(
        DraftButton("QUICK_REPLY", "Obrigada"),
        DraftButton("URL", "Acompanhar", url="https://loja.example/r/{{1}}", example="10482"),
        DraftButton("PHONE_NUMBER", "Ligar", phone="+551140028922"),
        DraftButton("COPY_CODE", example="AROEIRA10"),
    ),
    samples={"header.1": "10482", "body.1": "Mariana", "body.2": "10482"},
)
NAMED = TemplateDraft(
    name="apresentar",
    language="es",
    category="MARKETING",
    body="Hola, {{cliente}}, aquí {{atendente_1}} de la tienda.",
    is_named=True,
    samples={"body.cliente": "Mariana", "body.atendente_1": "Ana"},
)


def links(*urls: str, example: str = "1") -> tuple[DraftButton, ...]:
    return tuple(
        DraftButton("URL", f"Ver {index}", url=url, example=example)
        for index, url in enumerate(urls)
    )


def replies(count: int) -> tuple[DraftButton, ...]:
    return tuple(DraftButton("QUICK_REPLY", f"Opção {index}") for index in range(count))


def test_a_good_draft_has_no_faults() -> None:
    assert faults_of(GOOD) == {}
    assert faults_of(NAMED) == {}
    assert faults_of(replace(GOOD, buttons=replies(10))) == {}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "Pedido"}, "name"),
        ({"name": "pedido enviado"}, "name"),
        ({"name": "pedídos"}, "name"),
        ({"name": ""}, "name"),
        ({"name": "a" * 513}, "name"),
        ({"language": "Português"}, "language"),
        ({"header_text": " "}, "header"),
        ({"header_text": "a" * 61}, "header"),
        ({"header_text": "{{1}} e {{2}}", "samples": {**GOOD.samples, "header.2": "x"}}, "header"),
        ({"header_text": "Pedido\n{{1}}"}, "header"),
        ({"header_format": "IMAGE"}, "headerFile"),
        ({"body": "  "}, "body"),
        ({"body": "Olá {{1}} {{2}}. " + "a" * 1024}, "body"),
        ({"body": "{{1}}, o pedido {{2}} saiu."}, "body"),
        ({"body": "Olá, {{1}}, seu pedido: {{2}}"}, "body"),
        ({"body": "Olá, {{1}} e {{3}}!", "samples": {**GOOD.samples, "body.3": "x"}}, "body"),
        ({"body": "Olá, {{2}} e {{1}} e {{ nome completo }}!"}, "body"),
        ({"body": "Olá, {{nome}}!", "samples": {**GOOD.samples, "body.nome": "x"}}, "body"),
        ({"samples": {"header.1": "10482", "body.1": "Mariana", "body.2": " "}}, "samples.body.2"),
        ({"samples": {"body.1": "Mariana", "body.2": "10482"}}, "samples.header.1"),
        ({"footer": "a" * 61}, "footer"),
        ({"footer": "Loja {{1}}"}, "footer"),
        ({"buttons": replies(11)}, "buttons"),
        ({"buttons": links("https://a.b/1", "https://a.b/2", "https://a.b/3")}, "buttons"),
        ({"buttons": (*replies(1), *links("https://a.b"), *replies(3)[1:])}, "buttons"),
        ({"buttons": (DraftButton("QUICK_REPLY", "Sim"),) * 2}, "buttons"),
        ({"buttons": (DraftButton("QUICK_REPLY", ""),)}, "buttons.0"),
        ({"buttons": (DraftButton("QUICK_REPLY", "a" * 26),)}, "buttons.0"),
        ({"buttons": (DraftButton("QUICK_REPLY", "Sim {{1}}"),)}, "buttons.0"),
        ({"buttons": links("loja.example")}, "buttons.0"),
        ({"buttons": links("https://loja.example/{{1}}/fim")}, "buttons.0"),
        ({"buttons": links("https://loja.example/{{nome}}")}, "buttons.0"),
        ({"buttons": links("https://loja.example/" + "a" * 2000)}, "buttons.0"),
        ({"buttons": links("https://loja.example/{{1}}", example="")}, "buttons.0"),
        ({"buttons": (DraftButton("PHONE_NUMBER", "Ligar", phone="loja"),)}, "buttons.0"),
        ({"buttons": (DraftButton("PHONE_NUMBER", "Ligar", phone="1" * 21),)}, "buttons.0"),
        ({"buttons": (DraftButton("COPY_CODE", example=""),)}, "buttons.0"),
        ({"buttons": (DraftButton("COPY_CODE", example="com espaço"),)}, "buttons.0"),
        ({"buttons": (DraftButton("COPY_CODE", example="A"),) * 2}, "buttons"),
    ],
)
def test_what_meta_would_refuse_is_told_by_field(changes: dict[str, Any], field: str) -> None:
    found = faults_of(replace(GOOD, **changes))
    assert list(found) == [field]
    assert found[field][0].endswith(".")


def test_named_variables_have_plain_names() -> None:
    assert list(faults_of(replace(NAMED, body="Hola, {{Cliente}}!"))) == [
        "body",
        "samples.body.Cliente",
    ]
    assert "body" in faults_of(replace(NAMED, body="Hola, {{1}}!"))


def test_a_draft_is_put_as_meta_wants_it() -> None:
    assert graph_template(GOOD) == {
        "name": "pedido_enviado",
        "language": "pt_BR",
        "category": "UTILITY",
        "parameter_format": "POSITIONAL",
        "components": [
            {
                "type": "HEADER",
                "format": "TEXT",
                "text": "Pedido {{1}}",
                "example": {"header_text": ["10482"]},
            },
            {
                "type": "BODY",
                "text": "Olá, {{1}}! O pedido {{2}} saiu.",
                "example": {"body_text": [["Mariana", "10482"]]},
            },
            {"type": "FOOTER", "text": "Casa Aroeira"},
            {
                "type": "BUTTONS",
                "buttons": [
                    {"type": "QUICK_REPLY", "text": "Obrigada"},
                    {
                        "type": "URL",
                        "text": "Acompanhar",
                        "url": "https://loja.example/r/{{1}}",
                        "example": ["https://loja.example/r/10482"],
                    },
                    {"type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "+551140028922"},
                    {"type": "COPY_CODE", "example": "AROEIRA10"},
                ],
            },
        ],
    }


def test_named_samples_and_files_have_forms_of_their_own() -> None:
    draft = replace(NAMED, header_format="IMAGE", header_handle="4::aW")
    header, body = graph_template(draft)["components"]
    assert header == {
        "type": "HEADER",
        "format": "IMAGE",
        "example": {"header_handle": ["4::aW"]},
    }
    assert body["example"] == {
        "body_text_named_params": [
            {"param_name": "cliente", "example": "Mariana"},
            {"param_name": "atendente_1", "example": "Ana"},
        ]
    }
