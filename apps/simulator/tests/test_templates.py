"""Templates of the fake Graph API: the list in pages, and sends refused as Meta refuses them."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.simulator.models import SimConversation, SimMessage, SimNumber
from apps.simulator.queries import message_row
from apps.simulator.tests.conftest import NUMBER, TOKEN, Graph

pytestmark = pytest.mark.django_db


def listed(graph: Graph, number: SimNumber, **query: str) -> Any:
    return graph.get(f"{number.waba_id}/message_templates", **query).json()


def text(value: str, name: str = "") -> dict[str, str]:
    parameter = {"type": "text", "text": value}
    return {**parameter, "parameter_name": name} if name else parameter


def part(kind: str, *parameters: Any) -> dict[str, Any]:
    return {"type": kind, "parameters": list(parameters)}


def button(index: int, sub_type: str, parameter: Any) -> dict[str, Any]:
    return {**part("button", parameter), "sub_type": sub_type, "index": index}


def upload(graph: Graph, mime: str, name: str = "a") -> str:
    file = SimpleUploadedFile(name, b"\x89PNG\r\n\x1a\n" + b"0" * 20, mime)
    form = {"messaging_product": "whatsapp", "type": mime, "file": file}
    answer = graph.client.post(f"/simulator/graph/v26.0/{NUMBER}/media", form, headers=TOKEN)
    return str(answer.json()["id"])


def send(graph: Graph, name: str, *components: Any, language: str = "pt_BR") -> Any:
    template = {"name": name, "language": {"code": language}, "components": list(components)}
    return graph.send(type="template", text=None, template=template)


def code_of(answer: Any) -> int:
    return int(answer.json()["error"]["code"])


def test_pages_lead_to_the_end_and_narrow_to_the_fields_asked_for(
    graph: Graph, number: SimNumber
) -> None:
    whole = [row["id"] for row in listed(graph, number)["data"]]
    ids: list[str] = []
    query = {"limit": "4", "fields": "name"}
    while True:
        page = listed(graph, number, **query)
        assert all(set(row) == {"name", "id"} for row in page["data"])
        ids += [row["id"] for row in page["data"]]
        if "next" not in page["paging"]:
            break
        query["after"] = page["paging"]["cursors"]["after"]
    assert (ids, len(set(ids))) == (whole, len(whole))
    assert listed(graph, number, after="x")["error"]["code"] == 100


def test_named_ones_a_file_and_buttons_arrive_filled(
    graph: Graph, conversation: SimConversation
) -> None:
    media_id = upload(graph, "image/png", "travessa.png")
    header = part("header", {"type": "image", "image": {"id": media_id}})
    answer = send(graph, "peca_disponivel", header, part("body", text("Ana"), text("caneca")))
    assert answer.status_code == 200, answer.json()
    message = SimMessage.objects.get()
    row = message_row(message)
    assert row["mediaUrl"] == f"/simulator/media/{media_id}"
    shown = row["body"]["shown"]
    assert shown["text"] == "Ana, a peça que você procurava voltou: caneca."
    assert (shown["mediaType"], shown["filename"]) == ("image", "travessa.png")
    assert [each["type"] for each in shown["buttons"]] == ["URL", "PHONE_NUMBER"]

    named = part("body", text("10482", "assunto"), text("Bia", "atendente"))
    answer = send(graph, "apresentar_atendente", part("header", text("Ana", "cliente")), named)
    assert answer.status_code == 200, answer.json()
    shown = SimMessage.objects.latest("id").body["shown"]
    assert shown["header"] == "Oi, Ana!"
    assert "*Bia*" in shown["text"]

    values = [text("Ana"), text("1"), text("hoje")]
    answer = send(graph, "pedido_enviado", part("body", *values), button(0, "url", text("1")))
    assert answer.status_code == 200, answer.json()
    [link] = SimMessage.objects.latest("id").body["shown"]["buttons"]
    assert link["url"].endswith("/rastreio/1")


def two(*values: str) -> dict[str, Any]:
    return part("body", *map(text, values))


@pytest.mark.parametrize(
    ("name", "components", "code"),
    [
        ("pesquisa_de_satisfacao", [two("Ana")], 132001),
        ("promocao_relampago", [], 132001),
        ("aviso_de_feriado", [two("20/11")], 132015),
        ("retomar_conversa", [two("Ana")], 132000),
        ("retomar_conversa", [two("Ana", "b", "c")], 132000),
        ("retomar_conversa", [two("Ana", "")], 131008),
        ("retomar_conversa", [two("Ana", "b\nc")], 132018),
        ("retomar_conversa", [two("Ana", "b" * 1024)], 132005),
        ("retomar_conversa", [two("a", "b"), part("header", text("x"))], 132000),
        ("retomar_conversa", [two("a", "b"), button(5, "quick_reply", {"payload": "x"})], 132012),
        ("retomar_conversa", [two("a", "b"), button(0, "url", text("x"))], 132012),
        ("peca_disponivel", [two("Ana", "caneca")], 132012),
        ("peca_disponivel", [part("header", text("x")), two("Ana", "caneca")], 132012),
        (
            "peca_disponivel",
            [part("header", {"type": "image", "image": {"id": "1"}}), two("Ana", "caneca")],
            131009,
        ),
        ("pedido_enviado", [two("Ana", "1", "hoje")], 131008),
        ("cupom_de_aniversario", [two("Ana")], 131008),
        ("apresentar_atendente", [part("header", text("Ana"))], 100),
        (
            "apresentar_atendente",
            [part("header", text("Ana", "cliente")), part("body", text("a", "x"), text("b", "y"))],
            132000,
        ),
        ("vitrine_da_semana", [], 132012),
    ],
)
def test_wrong_parameters_are_refused_as_meta_does(
    graph: Graph, conversation: SimConversation, name: str, components: list[Any], code: int
) -> None:
    assert code_of(send(graph, name, *components)) == code
    assert not SimMessage.objects.exists()


def test_a_file_of_another_kind_than_the_header_is_132012(
    graph: Graph, conversation: SimConversation
) -> None:
    media_id = upload(graph, "image/png")
    header = part("header", {"type": "video", "video": {"id": media_id}})
    assert code_of(send(graph, "cuidados_com_a_ceramica", header)) == 132012


def test_a_pressed_button_answers_with_its_payload(
    graph: Graph, conversation: SimConversation
) -> None:
    reply = button(0, "quick_reply", {"type": "payload", "payload": "sim-1"})
    send(graph, "retomar_conversa", two("Ana", "a troca"), reply)
    shown = SimMessage.objects.get().body["shown"]["buttons"]
    assert [each["payload"] for each in shown] == ["sim-1", "Agora não"]
