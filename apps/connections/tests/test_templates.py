"""What a template asks for, what is given, and the send that comes of it; pywa as the oracle."""

from collections.abc import Callable
from typing import Any

import httpx
import orjson
import pytest
from pywa.client import WhatsApp
from pywa.types.templates import (
    BodyText,
    CopyCodeButton,
    HeaderDocument,
    HeaderImage,
    HeaderText,
    HeaderVideo,
    QuickReplyButton,
    TemplateLanguage,
    URLButton,
)

from apps.connections.providers.content import SendContext, TemplateSend
from apps.connections.providers.official import payloads
from apps.connections.template_values import read_values
from apps.connections.templates import (
    Template,
    body_text,
    graph_components,
    read_template,
    shown_components,
    variables_in,
)

# Its types name the bound form alone.
ORACLE_BODY: Any = BodyText
ORACLE_HEADER: Any = HeaderText
TO, CALLBACK_ID = "5511999990000", "5a3fdd5e-6c3a-4bb4-a89b-4a9a1e4f6a10"
MEDIA_ID = "1013859600285441"
BODY = {"type": "BODY", "text": "Olá, {{1}}! O pedido *{{2}}* saiu."}
NAMED_BODY = {"type": "BODY", "text": "Olá, {{nome}}! O pedido {{pedido}} saiu."}


def template(*components: Any, **fields: Any) -> Template:
    raw = {
        "id": "900",
        "name": "pedido",
        "language": "pt_BR",
        "status": "APPROVED",
        "category": "UTILITY",
        "components": list(components),
        **fields,
    }
    found = read_template(raw)
    assert found is not None
    return found


def text(value: Any, name: str = "") -> dict[str, Any]:
    parameter = {"type": "text", "text": value}
    return {**parameter, "parameter_name": name} if name else parameter


def header(*parameters: Any) -> dict[str, Any]:
    return {"type": "header", "parameters": list(parameters)}


def body(*parameters: Any) -> dict[str, Any]:
    return {"type": "body", "parameters": list(parameters)}


def button(index: Any, sub_type: str, parameter: Any) -> dict[str, Any]:
    return {"type": "button", "sub_type": sub_type, "index": index, "parameters": [parameter]}


def buttons(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"type": "BUTTONS", "buttons": list(rows)}


IMAGE = {"type": "HEADER", "format": "IMAGE"}
URL = {"type": "URL", "text": "Rastrear", "url": "https://loja.example/r/{{1}}"}
CODE = {"type": "COPY_CODE", "text": "Copiar código"}
REPLY = {"type": "QUICK_REPLY", "text": "Sim"}
BOTH = body(text("Ana"), text("10482"))


def payload_of_pywa(parameters: list[Any]) -> Any:
    sent: list[Any] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(orjson.loads(request.content))
        contact = {"input": TO, "wa_id": TO, "user_id": "BR.1"}
        return httpx.Response(200, json={"contacts": [contact], "messages": [{"id": "wamid.sent"}]})

    session = httpx.Client(transport=httpx.MockTransport(answer))
    client = WhatsApp(phone_id="100000000000001", token="t", session=session)
    client.send_template(
        TO, "pedido", TemplateLanguage.PORTUGUESE_BR, parameters, tracker=CALLBACK_ID
    )
    return sent[0]


ORACLE: dict[str, tuple[Template, list[Any], Callable[[], list[Any]]]] = {
    "positional": (template(BODY), [BOTH], lambda: [ORACLE_BODY.params("Ana", "10482")]),
    "named": (
        template(
            {"type": "HEADER", "format": "TEXT", "text": "Oi, {{cliente}}"},
            NAMED_BODY,
            parameter_format="NAMED",
        ),
        [
            header(text("Ana", "cliente")),
            body(text("10482", "pedido"), text("Ana", "nome")),
        ],
        lambda: [
            ORACLE_HEADER.params(cliente="Ana"),
            ORACLE_BODY.params(nome="Ana", pedido="10482"),
        ],
    ),
    "image": (
        template(IMAGE, BODY),
        [header({"type": "image", "image": {"id": MEDIA_ID}}), BOTH],
        lambda: [HeaderImage.params(image=MEDIA_ID), ORACLE_BODY.params("Ana", "10482")],
    ),
    "image by address": (
        template(IMAGE, BODY),
        [header({"type": "image", "image": {"link": "https://loja.example/a.png"}}), BOTH],
        lambda: [
            HeaderImage.params(image="https://loja.example/a.png"),
            ORACLE_BODY.params("Ana", "10482"),
        ],
    ),
    "document": (
        template({"type": "HEADER", "format": "DOCUMENT"}, BODY),
        [
            header({"type": "document", "document": {"id": MEDIA_ID, "filename": "boleto.pdf"}}),
            BOTH,
        ],
        lambda: [
            HeaderDocument.params(document=MEDIA_ID, filename="boleto.pdf"),
            ORACLE_BODY.params("Ana", "10482"),
        ],
    ),
    "video": (
        template({"type": "HEADER", "format": "VIDEO"}, BODY),
        [header({"type": "video", "video": {"id": MEDIA_ID}}), BOTH],
        lambda: [HeaderVideo.params(video=MEDIA_ID), ORACLE_BODY.params("Ana", "10482")],
    ),
    "buttons": (
        template(BODY, buttons(REPLY, URL, CODE)),
        [
            BOTH,
            button("0", "quick_reply", {"type": "payload", "payload": "sim"}),
            button("1", "url", text("10482")),
            button(2, "copy_code", {"type": "coupon_code", "coupon_code": "AROEIRA10"}),
        ],
        lambda: [
            ORACLE_BODY.params("Ana", "10482"),
            QuickReplyButton.params(callback_data="sim", index=0),
            URLButton.params(url_variable="10482", index=1),
            CopyCodeButton.params(coupon_code="AROEIRA10", index=2),
        ],
    ),
    "without parameters": (
        template({"type": "BODY", "text": "Olá!"}, buttons(REPLY)),
        [],
        lambda: [],
    ),
}


@pytest.mark.parametrize("name", ORACLE)
def test_the_send_is_that_of_an_independent_client(name: str) -> None:
    chosen, components, parameters = ORACLE[name]
    given = read_values(chosen, components)
    assert given.faults == {}
    sent = TemplateSend(
        chosen.name,
        chosen.language,
        tuple(graph_components(chosen, given.values, given.media, given.payloads)),
    )
    ours = payloads.template(SendContext(TO, CALLBACK_ID), sent)
    theirs = payload_of_pywa(parameters())
    if not theirs["template"].get("components"):
        theirs["template"].pop("components", None)
    assert orjson.loads(orjson.dumps(ours)) == theirs


WRONG: dict[str, tuple[Template, Any, list[str]]] = {
    "nothing given": (template(BODY), None, ["body.1", "body.2"]),
    "one missing": (template(BODY), [body(text("Ana"))], ["body.2"]),
    "blank": (template(BODY), [body(text("Ana"), text("  "))], ["body.2"]),
    "no text": (template(BODY), [body(text("Ana"), text(None))], ["body.2"]),
    "one too many": (template(BODY), [body("a", "b", "c")], ["body.3"]),
    "two lines": (template(BODY), [body("a", "b\nc")], ["body.2"]),
    "five spaces": (template(BODY), [body("a", "b     c")], ["body.2"]),
    "too long": (template(BODY), [body("a", "x" * 1025)], ["body.2"]),
    "too long in all": (
        template(BODY, IMAGE | {"format": "TEXT"}),
        [body("a" * 600, "x" * 600)],
        ["body.1"],
    ),
    "unknown name": (
        template(NAMED_BODY, parameter_format="NAMED"),
        [body(text("Ana", "nome"), text("1", "numero"))],
        ["body.numero", "body.pedido"],
    ),
    "given twice": (
        template(NAMED_BODY, parameter_format="NAMED"),
        [body(text("Ana", "nome"), text("Eva", "nome"), text("1", "pedido"))],
        ["body.nome"],
    ),
    "component twice": (template(BODY), [BOTH, BOTH], ["body"]),
    "no such component": (template(BODY), [BOTH, {"type": "carousel"}], ["components"]),
    "no list": (template(BODY), {"type": "body"}, ["components"]),
    "no objects": (template({"type": "BODY", "text": "Olá"}), [3], ["components"]),
    "no file": (template(IMAGE, BODY), [BOTH], ["header.image"]),
    "empty file": (
        template(IMAGE, BODY),
        [header({"type": "image", "image": {}}), BOTH],
        ["header.image"],
    ),
    "another format": (
        template(IMAGE, BODY),
        [header({"type": "video", "video": {"id": "1"}}), BOTH],
        ["header.image"],
    ),
    "a file for nothing": (
        template(BODY),
        [header({"type": "image", "image": {"id": "1"}}), BOTH],
        ["header.image"],
    ),
    "an open address": (
        template(IMAGE, BODY),
        [header({"type": "image", "image": {"link": "http://loja.example/a.png"}}), BOTH],
        ["header.image"],
    ),
    "no end of the address": (template(BODY, buttons(URL)), [BOTH], ["buttons.0"]),
    "a space in the address": (
        template(BODY, buttons(URL)),
        [BOTH, button(0, "url", text("a b"))],
        ["buttons.0"],
    ),
    "a fixed address": (
        template(BODY, buttons({**URL, "url": "https://loja.example"})),
        [BOTH, button(0, "url", text("1"))],
        ["buttons.0"],
    ),
    "no code": (template(BODY, buttons(CODE)), [BOTH], ["buttons.0"]),
    "an odd code": (
        template(BODY, buttons(CODE)),
        [BOTH, button(0, "copy_code", {"type": "coupon_code", "coupon_code": "10%"})],
        ["buttons.0"],
    ),
    "an empty payload": (
        template(BODY, buttons(REPLY)),
        [BOTH, button(0, "quick_reply", {"type": "payload", "payload": ""})],
        ["buttons.0"],
    ),
    "no such button": (
        template(BODY, buttons(REPLY)),
        [BOTH, button(7, "quick_reply", {"type": "payload", "payload": "x"})],
        ["buttons.7"],
    ),
    "a long heading": (
        template({"type": "HEADER", "format": "TEXT", "text": "Oi, {{1}}"}, BODY),
        [header("x" * 61), BOTH],
        ["header.1"],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_parameter_is_named(name: str) -> None:
    chosen, components, fields = WRONG[name]
    given = read_values(chosen, components)
    assert list(given.faults) == fields
    assert all(sentences[0].endswith(".") for sentences in given.faults.values())


def test_a_browser_that_knows_no_names_gives_them_in_order() -> None:
    chosen = template(NAMED_BODY, parameter_format="NAMED")
    given = read_values(chosen, [{"type": "BODY", "parameters": ["Ana", 10482]}])
    assert (given.faults, given.values) == ({}, {"body.nome": "Ana", "body.pedido": "10482"})


def test_the_contact_sees_the_template_filled() -> None:
    chosen = template(
        {"type": "HEADER", "format": "TEXT", "text": "Oi, {{1}}"},
        BODY,
        {"type": "FOOTER", "text": "Loja"},
        buttons(REPLY, URL, CODE, {"type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "+55"}),
    )
    given = read_values(
        chosen,
        [header("Ana"), BOTH, button(1, "url", "10482"), button(2, "copy_code", "DEZ")],
    )
    assert given.faults == {}
    assert body_text(chosen, given.values) == "Olá, Ana! O pedido *10482* saiu."
    assert shown_components(chosen, given.values, None) == [
        {"type": "HEADER", "format": "TEXT", "text": "Oi, Ana"},
        {"type": "BODY", "text": "Olá, Ana! O pedido *10482* saiu."},
        {"type": "FOOTER", "text": "Loja"},
        {
            "type": "BUTTONS",
            "buttons": [
                {"type": "QUICK_REPLY", "text": "Sim"},
                {"type": "URL", "text": "Rastrear", "url": "https://loja.example/r/10482"},
                {"type": "COPY_CODE", "text": "Copiar código", "code": "DEZ"},
                {"type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "+55"},
            ],
        },
    ]


def test_what_a_variable_holds_is_not_filled_again() -> None:
    given = read_values(template(BODY), [body("{{2}}", "10482")])
    assert body_text(template(BODY), given.values) == "Olá, {{2}}! O pedido *10482* saiu."


def test_numbers_of_variables_are_in_order_and_names_as_they_appear() -> None:
    assert variables_in("{{2}} {{10}} {{1}} {{2}}") == ["1", "2", "10"]
    assert variables_in("{{nome}} {{data}} {{nome}}") == ["nome", "data"]


@pytest.mark.parametrize(
    "part",
    [
        {"type": "CAROUSEL", "cards": []},
        {"type": "LIMITED_TIME_OFFER"},
        {"type": "HEADER", "format": "LOCATION"},
        {"type": "BUTTONS", "buttons": [{"type": "FLOW", "text": "Abrir"}]},
    ],
)
def test_what_only_meta_s_own_tools_send_can_not_be_chosen(part: dict[str, Any]) -> None:
    chosen = template(BODY, part)
    assert (chosen.is_supported, chosen.can_be_sent) == (False, False)


@pytest.mark.parametrize("status", ["PENDING", "REJECTED", "PAUSED", "DISABLED", None, 5])
def test_only_an_approved_one_can_be_sent(status: Any) -> None:
    assert not template(BODY, status=status).can_be_sent


@pytest.mark.parametrize(
    "raw", [None, [], "x", {}, {"name": "a"}, {"name": "", "language": "pt"}, {"language": "pt"}]
)
def test_a_row_without_a_name_is_none(raw: Any) -> None:
    assert read_template(raw) is None


def test_odd_parts_of_a_row_are_left_out() -> None:
    chosen = template(
        BODY, 5, None, buttons({"type": "URL"}) | {"buttons": [3, {"type": "URL"}]}, category=None
    )
    assert (len(chosen.slots), chosen.category, chosen.is_supported) == (2, "", True)


def test_a_template_that_meta_made_from_a_utility_text_is_not_sent() -> None:
    made = template({"type": "BODY", "text": "Saiu."}, name="auto_generated_text_e22a3ec4")
    assert not made.can_be_sent
    assert template({"type": "BODY", "text": "Saiu."}).can_be_sent
