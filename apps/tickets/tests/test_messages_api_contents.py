"""Files by address, templates and choices that programs send (rules/messages-api §2)."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.automation.tests.wire import Answer, WireServer, wire_server
from apps.connections.models import Connection
from apps.connections.services.tokens import hash_token
from apps.tickets.models import Delivery, Message
from apps.tickets.services.outbox.deliveries import deliver_due
from tests.graph import GraphServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted")]

TOKEN = "t" * 43
NUMBER = "5511987654321"
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 32
BODY = {"type": "BODY", "text": "Olá, {{1}}! O pedido {{2}} saiu."}
BUTTONS: dict[str, Any] = {
    "type": "button",
    "header": {"type": "text", "text": "Visita"},
    "body": {"text": "Confirma a visita?"},
    "footer": {"text": "Loja"},
    "action": {
        "buttons": [
            {"type": "reply", "reply": {"id": "yes", "title": "Sim"}},
            {"type": "reply", "reply": {"id": "no", "title": "Não"}},
        ]
    },
}
LIST: dict[str, Any] = {
    "type": "list",
    "body": {"text": "Qual horário?"},
    "action": {
        "button": "Horários",
        "sections": [
            {
                "rows": [
                    {"id": "9", "title": "9h", "description": "manhã"},
                    {"id": "14", "title": "14h"},
                ]
            }
        ],
    },
}


@pytest.fixture
def api_connection(connection: Connection) -> Connection:
    Connection.objects.filter(pk=connection.pk).update(token_hash=hash_token(TOKEN))
    connection.refresh_from_db()
    return connection


@pytest.fixture
def qr_session(api_connection: Connection) -> Connection:
    Connection.objects.filter(pk=api_connection.pk).update(provider="beta")
    api_connection.refresh_from_db()
    return api_connection


@pytest.fixture
def server(settings: Any, tmp_path: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.1/32"]
    settings.MEDIA_ROOT = tmp_path
    with wire_server() as running:
        yield running


def post(content: dict[str, Any], *, number: str = NUMBER, **headers: Any) -> Any:
    client: Any = APIClient()
    return client.post(
        "/api/messages/send",
        {"number": number, **content},
        format="json",
        HTTP_AUTHORIZATION=f"Bearer {TOKEN}",
        **headers,
    )


def picture(**fields: Any) -> Answer:
    return Answer(body=PNG, headers={"Content-Type": "image/png"}, **fields)


def test_a_file_at_an_address_is_sent_with_its_caption(
    qr_session: Connection, server: WireServer
) -> None:
    server.handler = lambda request: picture()
    answer = post({"mediaUrl": f"{server.url}/foto.png", "body": "A peça"})
    assert answer.status_code == 200, answer.json()
    message = Message.objects.get()
    assert (message.body, message.media_type, message.media_name) == ("A peça", "image", "foto.png")
    assert message.media_size == len(PNG)


def test_the_same_key_fetches_a_file_once(qr_session: Connection, server: WireServer) -> None:
    server.handler = lambda request: picture()
    content = {"mediaUrl": f"{server.url}/foto.png"}
    first = post(content, HTTP_IDEMPOTENCY_KEY="k")
    again = post(content, HTTP_IDEMPOTENCY_KEY="k")
    assert again.json() == first.json()
    assert (len(server.received), Message.objects.count()) == (1, 1)
    other = post({"mediaUrl": f"{server.url}/outra.png"}, HTTP_IDEMPOTENCY_KEY="k")
    assert other.json()["code"] == "ERR_IDEMPOTENCY_KEY_REUSED"


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (Answer(status=404), 424, "ERR_MEDIA_URL"),
        (
            Answer(body=b"MZ", headers={"Content-Type": "application/x-msdownload"}),
            415,
            "ERR_MEDIA_TYPE",
        ),
        (Answer(body=b"no", headers={"Content-Type": "image/png"}), 415, "ERR_MEDIA_TYPE"),
        (
            Answer(body=PNG + b"\x00" * 5 * 1024 * 1024, headers={"Content-Type": "image/png"}),
            413,
            "ERR_MEDIA_TOO_LARGE",
        ),
    ],
)
def test_a_file_that_cannot_be_fetched_or_sent_is_refused(
    qr_session: Connection, server: WireServer, answer: Answer, status: int, code: str
) -> None:
    server.handler = lambda request: answer
    refused = post({"mediaUrl": f"{server.url}/a"})
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/latest", "http://127.0.0.2/a", "ftp://x.example/a", "nonsense"]
)
def test_an_address_of_the_own_network_is_not_fetched(
    qr_session: Connection, server: WireServer, url: str
) -> None:
    refused = post({"mediaUrl": url})
    assert (refused.status_code, refused.json()["code"]) == (424, "ERR_MEDIA_URL")
    assert refused.json()["reasonCode"]


def test_a_slow_server_holds_up_one_call_of_its_company(
    qr_session: Connection, server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.tickets.services.messages import links

    gate = threading.Event()
    arrived = threading.Event()

    def wait(request: Any) -> Answer:
        arrived.set()
        return picture(gate=gate)

    server.handler = wait
    files: list[Any] = []
    url, company_id = f"{server.url}/foto.png", qr_session.company_id
    slow = threading.Thread(target=lambda: files.append(links.fetched_file(company_id, url)))
    slow.start()
    assert arrived.wait(10)
    refused = post({"mediaUrl": url})
    assert (refused.status_code, refused.json()["code"]) == (429, "ERR_TOO_MANY_REQUESTS")
    assert refused.headers["Retry-After"] == "5"
    gate.set()
    slow.join(10)
    assert [file.name for file in files] == ["foto.png"]
    assert post({"mediaUrl": url}).status_code == 200


def row(name: str, *components: Any) -> dict[str, Any]:
    return {
        "id": "901",
        "name": name,
        "language": "pt_BR",
        "status": "APPROVED",
        "category": "UTILITY",
        "parameter_format": "POSITIONAL",
        "components": list(components),
    }


@pytest.mark.parametrize(
    "given",
    [
        {"language": "pt_BR", "parameters": ["Ana", 1042]},
        {
            "language": {"code": "pt_BR"},
            "components": [
                {
                    "type": "body",
                    "parameters": [
                        {"type": "text", "text": "Ana"},
                        {"type": "text", "text": "1042"},
                    ],
                }
            ],
        },
    ],
)
def test_a_template_goes_outside_the_window(
    api_connection: Connection, graph: GraphServer, given: dict[str, Any]
) -> None:
    graph.templates = [row("pedido", BODY)]
    answer = post({"template": {"name": "pedido", **given}})
    assert answer.status_code == 200, answer.json()
    message = Message.objects.get()
    assert (message.body, message.source) == ("Olá, Ana! O pedido 1042 saiu.", "api")
    deliver_due(limit=1)
    [sent] = graph.messages
    assert sent["template"]["name"] == "pedido"
    texts = [each["text"] for each in sent["template"]["components"][0]["parameters"]]
    assert texts == ["Ana", "1042"]


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ({"name": "pedido", "language": "pt_BR", "parameters": ["Ana"]}, "ERR_TEMPLATE_PARAMETERS"),
        ({"name": "outro", "language": "pt_BR"}, "ERR_TEMPLATE_NOT_FOUND"),
        ({"name": "pedido", "language": "pt_BR", "params": []}, "ERR_VALIDATION"),
        ({"name": "pedido", "language": "pt_BR", "parameters": [["a"], "b"]}, "ERR_VALIDATION"),
        (
            {"name": "pedido", "language": "pt_BR", "parameters": [], "components": []},
            "ERR_VALIDATION",
        ),
    ],
)
def test_a_wrong_template_is_refused_and_nothing_is_stored(
    api_connection: Connection, graph: GraphServer, template: dict[str, Any], code: str
) -> None:
    graph.templates = [row("pedido", BODY)]
    answer = post({"template": template})
    assert answer.status_code in (400, 404)
    assert answer.json()["code"] == code
    assert not Message.objects.exists()


def test_a_qr_session_has_no_templates(qr_session: Connection) -> None:
    answer = post({"template": {"name": "pedido", "language": "pt_BR"}})
    assert (answer.status_code, Message.objects.count()) == (400, 0)


@pytest.mark.parametrize("interactive", [BUTTONS, LIST])
def test_choices_are_sent_as_they_were_given(
    qr_session: Connection, interactive: dict[str, Any]
) -> None:
    answer = post({"interactive": interactive})
    assert answer.status_code == 200, answer.json()
    message, menu = Message.objects.get(), Delivery.objects.get().payload["menu"]
    assert message.media_type == "interactive_list"
    assert message.body == interactive["body"]["text"]
    assert menu["as_list"] == (interactive is LIST)
    if interactive is LIST:
        assert menu["button"] == "Horários"
        assert [each["description"] for each in menu["choices"]] == ["manhã", ""]
    else:
        assert (menu["header"], menu["footer"]) == ("Visita", "Loja")
        assert [each["id"] for each in menu["choices"]] == ["yes", "no"]


def changed(interactive: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**interactive, **fields}


@pytest.mark.parametrize(
    "content",
    [
        {"body": "Oi", "bdy": "Oi"},
        {"body": "Oi", "userId": 1},
        {"body": "Oi", "interactive": BUTTONS},
        {"mediaUrl": "https://x.example/a.png", "interactive": BUTTONS},
        {"template": {"name": "a", "language": "pt_BR"}, "interactive": BUTTONS},
        {"interactive": changed(BUTTONS, action={"buttons": []})},
        {"interactive": changed(BUTTONS, action={})},
        {"interactive": changed(BUTTONS, action={**BUTTONS["action"], "button": "x"})},
        {"interactive": changed(LIST, type="button")},
        {"interactive": changed(LIST, extra=1)},
        {"interactive": changed(LIST, action={"sections": [{"title": "x", "rows": []}]})},
        {
            "interactive": changed(
                BUTTONS, action={"buttons": [BUTTONS["action"]["buttons"][0]] * 2}
            )
        },
        {"interactive": "x"},
        {"template": []},
        {"mediaUrl": ""},
        {},
    ],
)
def test_what_is_not_known_or_not_one_content_is_refused(
    qr_session: Connection, content: dict[str, Any]
) -> None:
    answer = post(content)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_VALIDATION")
    assert answer.json()["fields"]
    assert not Message.objects.exists()


def test_an_unknown_field_of_a_form_is_refused(qr_session: Connection) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    client: Any = APIClient()
    file = SimpleUploadedFile("foto.png", PNG, content_type="image/png")
    answer = client.post(
        "/api/messages/send",
        {"number": NUMBER, "caption": "Oi", "medias": [file]},
        format="multipart",
        HTTP_AUTHORIZATION=f"Bearer {TOKEN}",
    )
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["caption"]
    assert not Message.objects.exists()
