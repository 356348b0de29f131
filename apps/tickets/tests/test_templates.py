"""Templates as browsers list, prepare and send them (rules/messages §8)."""

import uuid
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind, TemplateMedia
from apps.connections.services import purge_template_media
from apps.queues.models import Queue
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.outbox.deliveries import deliver_due
from conftest import ClientFor
from tests.factories import make_connection, make_ticket, make_user
from tests.graph import GraphServer, graph_error

pytestmark = pytest.mark.django_db

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"0" * 20 + b"IEND\xaeB`\x82"
PDF = b"%PDF-1.4\n" + b"0" * 20 + b"\n%%EOF\n"
BODY = {"type": "BODY", "text": "Olá, {{1}}! O pedido {{2}} saiu."}
BUTTONS = {
    "type": "BUTTONS",
    "buttons": [{"type": "URL", "text": "Rastrear", "url": "https://loja.example/{{1}}"}],
}
PICTURE = {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://x/a"]}}


def row(name: str, *components: Any, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"90{len(name)}",
        "name": name,
        "language": "pt_BR",
        "status": "APPROVED",
        "category": "UTILITY",
        "parameter_format": "POSITIONAL",
        "components": list(components),
        **fields,
    }


def body(*values: str) -> dict[str, Any]:
    return {"type": "body", "parameters": [{"type": "text", "text": each} for each in values]}


def header(media_id: str, kind: str = "image") -> dict[str, Any]:
    return {"type": "header", "parameters": [{"type": kind, kind: {"id": media_id}}]}


LINK = {
    "type": "button",
    "sub_type": "url",
    "index": "0",
    "parameters": [{"type": "text", "text": "10482"}],
}
SHIPPED = {
    "template": {"name": "pedido_enviado", "language": {"code": "pt_BR"}},
    "components": [body("Ana", "10482"), LINK],
}


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture(autouse=True)
def _templates(graph: GraphServer) -> None:
    graph.templates = [
        row("pedido_enviado", BODY, {"type": "FOOTER", "text": "Loja"}, BUTTONS),
        row("peca_disponivel", PICTURE, {"type": "BODY", "text": "Voltou!"}),
        row("pesquisa", BODY, status="PENDING"),
        row("vitrine", BODY, {"type": "CAROUSEL", "cards": []}),
    ]


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    """An open ticket of the agent's whose contact never wrote: the window is closed."""
    return make_ticket(acme, connection=connection, queue=queue, user=agent, status="open")


@pytest.fixture
def send(client_for: ClientFor, agent: User, ticket: Ticket) -> Any:
    def post(content: Any = SHIPPED, user: User = agent, to: Ticket = ticket) -> Any:
        return client_for(user).post(f"/api/templates/{to.pk}", content, format="json")

    return post


@pytest.fixture
def upload(client_for: ClientFor, agent: User) -> Any:
    def post(
        name: str = "foto.png",
        content: bytes = PNG,
        mime: str = "image/png",
        user: User = agent,
        **fields: Any,
    ) -> Any:
        form = {
            "messaging_product": "whatsapp",
            "type": mime,
            "file": SimpleUploadedFile(name, content, mime),
            **fields,
        }
        return client_for(user).post("/api/template/media", form, format="multipart")

    return post


def deliver() -> None:
    deliver_due(limit=10)


def test_the_list_shows_every_status_and_can_be_narrowed(
    client_for: ClientFor, agent: User, connection: Connection
) -> None:
    answer = client_for(agent).get(f"/api/templates/?whatsappId={connection.pk}")
    assert answer.status_code == 200
    rows = {each["name"]: each for each in answer.json()["templates"]}
    assert (answer.json()["count"], answer.json()["hasMore"]) == (4, False)
    assert rows["pedido_enviado"]["components"][0] == BODY
    assert {name: each["canBeSent"] for name, each in rows.items()} == {
        "peca_disponivel": True,
        "pedido_enviado": True,
        "pesquisa": False,
        "vitrine": False,
    }
    assert (rows["pesquisa"]["status"], rows["vitrine"]["supported"]) == ("PENDING", False)
    answer = client_for(agent).get("/api/templates?status=pending")
    assert [each["name"] for each in answer.json()["templates"]] == ["pesquisa"]


def test_the_list_is_asked_anew_on_demand(
    client_for: ClientFor, agent: User, connection: Connection, graph: GraphServer
) -> None:
    path = f"/api/templates?whatsappId={connection.pk}"
    assert client_for(agent).get(path).json()["count"] == 4
    graph.templates.pop()
    assert client_for(agent).get(path).json()["count"] == 4
    assert client_for(agent).get(path + "&refresh=1").json()["count"] == 3


def test_the_kept_list_costs_no_query_more_with_more_templates(
    client_for: ClientFor,
    agent: User,
    connection: Connection,
    graph: GraphServer,
    django_assert_max_num_queries: Any,
) -> None:
    graph.templates = [row(f"modelo_{number}", BODY) for number in range(300)]
    with django_assert_max_num_queries(2):
        answer = client_for(agent).get(f"/api/templates?whatsappId={connection.pk}")
    assert answer.json()["count"] == 300


def test_a_qr_session_and_a_company_without_a_number_have_no_list(
    client_for: ClientFor, acme: Company, agent: User, connection: Connection
) -> None:
    beta = make_connection(acme, provider=ProviderKind.BETA, phone_number_id=None)
    answer = client_for(agent).get(f"/api/templates?whatsappId={beta.pk}")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TEMPLATES_NOT_SUPPORTED")
    connection.delete()
    answer = client_for(agent).get("/api/templates")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_NO_OFFICIAL_CONNECTION")


@pytest.mark.parametrize("query", ["whatsappId=x", "refresh=talvez", "status=" + "x" * 31])
def test_an_odd_query_is_refused(client_for: ClientFor, agent: User, query: str) -> None:
    answer = client_for(agent).get(f"/api/templates?{query}")
    assert (answer.status_code, list(answer.json()["fields"])) == (
        400,
        [query.split("=", maxsplit=1)[0]],
    )


def test_a_number_of_another_company_does_not_exist(
    client_for: ClientFor, outsider: User, connection: Connection, upload: Any, ticket: Ticket
) -> None:
    answer = client_for(outsider).get(f"/api/templates?whatsappId={connection.pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_WAPP_FOUND")
    assert upload(user=outsider, whatsappId=connection.pk).status_code == 404
    answer = upload(user=outsider, ticketId=ticket.pk)
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_TICKET_FOUND")
    assert not TemplateMedia.objects.exists()


@pytest.mark.parametrize(("fault", "words"), [(graph_error(190, 401), "token"), (None, "Meta")])
def test_a_failing_provider_is_told_in_words(
    send: Any,
    upload: Any,
    client_for: ClientFor,
    agent: User,
    connection: Connection,
    graph: GraphServer,
    fault: Any,
    words: str,
) -> None:
    graph.fault = lambda payload: fault
    for answer in (client_for(agent).get("/api/templates"), send(), upload()):
        assert (answer.status_code, answer.json()["code"]) == (424, "ERR_TEMPLATES_UNAVAILABLE")
        assert words in answer.json()["message"]
        assert answer.json()["error"] == answer.json()["message"]
        assert answer.json()["reasonCode"]
    assert not Message.objects.exists()
    assert not TemplateMedia.objects.exists()


def test_a_template_goes_outside_the_window_and_shows_filled(
    send: Any, ticket: Ticket, graph: GraphServer, told: list[Any]
) -> None:
    answer = send()
    assert answer.status_code == 201, answer.content
    message = answer.json()
    assert (message["mediaType"], message["ack"], message["fromMe"]) == ("template", 0, True)
    assert message["body"] == "Olá, Ana! O pedido 10482 saiu."
    assert orjson.loads(message["dataJson"]) == {
        "name": "pedido_enviado",
        "language": "pt_BR",
        "components": [
            {"type": "BODY", "text": "Olá, Ana! O pedido 10482 saiu."},
            {"type": "FOOTER", "text": "Loja"},
            {
                "type": "BUTTONS",
                "buttons": [
                    {"type": "URL", "text": "Rastrear", "url": "https://loja.example/10482"}
                ],
            },
        ],
    }
    assert [(each.event, each.payload["action"]) for each in told] == [("appMessage", "create")]
    ticket.refresh_from_db()
    assert ticket.last_message == "Olá, Ana! O pedido 10482 saiu."
    deliver()
    [sent] = graph.messages
    assert sent["template"]["name"] == "pedido_enviado"
    assert sent["template"]["language"] == {"code": "pt_BR"}
    assert [part["type"] for part in sent["template"]["components"]] == ["BODY", "button"]
    stored = Message.objects.get()
    assert sent["biz_opaque_callback_data"] == str(stored.callback_id)
    assert (stored.ack, stored.external_id) == (Ack.SENT, "wamid.sent1")


@pytest.mark.parametrize(
    "content",
    [
        {"name": "pedido_enviado", "language": "pt_BR", "components": SHIPPED["components"]},
        {"template": {**SHIPPED["template"], "components": SHIPPED["components"]}},  # type: ignore[dict-item]
        {"template": "pedido_enviado", "components": SHIPPED["components"]},
        {"templateId": "9014", "components": SHIPPED["components"]},
        {"template": row("pedido_enviado", BODY, BUTTONS), "components": SHIPPED["components"]},
    ],
)
def test_other_forms_of_the_body_are_understood(send: Any, content: Any) -> None:
    answer = send(content)
    assert answer.status_code == 201, answer.content


def test_the_same_submission_twice_is_one_message(
    send: Any, graph: GraphServer, agent: User, admin: User
) -> None:
    content = {**SHIPPED, "clientId": str(uuid.uuid4())}
    first = send(content)
    # Meta's list is not even needed for it.
    graph.fault = lambda payload: None
    again = send(content)
    assert (again.status_code, again.json()["id"]) == (201, first.json()["id"])
    assert Delivery.objects.count() == 1
    other = send(content, user=admin)
    assert (other.status_code, other.json()["code"]) == (409, "ERR_DUPLICATED_MESSAGE")


@pytest.mark.parametrize(
    ("content", "code", "fields"),
    [
        ({}, "ERR_VALIDATION", ["template"]),
        ({"template": 5}, "ERR_VALIDATION", ["template"]),
        ({"template": {}}, "ERR_VALIDATION", ["template"]),
        ({"template": {"name": "x" * 600}}, "ERR_VALIDATION", ["template"]),
        ({**SHIPPED, "components": "x"}, "ERR_VALIDATION", ["components"]),
        ({**SHIPPED, "components": [{}] * 21}, "ERR_VALIDATION", ["components"]),
        ({**SHIPPED, "clientId": "x"}, "ERR_VALIDATION", ["clientId"]),
        ({**SHIPPED, "language": 5}, "ERR_VALIDATION", ["language"]),
        ({"name": "nenhum", "language": "pt_BR"}, "ERR_TEMPLATE_NOT_FOUND", ["template"]),
        ({"name": "pedido_enviado", "language": "en"}, "ERR_TEMPLATE_NOT_FOUND", ["template"]),
        ({"name": "pesquisa", "language": "pt_BR"}, "ERR_TEMPLATE_NOT_APPROVED", ["template"]),
        ({"name": "vitrine", "language": "pt_BR"}, "ERR_TEMPLATE_NOT_APPROVED", ["template"]),
        (
            {**SHIPPED, "components": []},
            "ERR_TEMPLATE_PARAMETERS",
            ["body.1", "body.2", "buttons.0"],
        ),
        ({**SHIPPED, "components": [body("Ana"), LINK]}, "ERR_TEMPLATE_PARAMETERS", ["body.2"]),
        (
            {"name": "peca_disponivel", "language": "pt_BR", "components": []},
            "ERR_TEMPLATE_PARAMETERS",
            ["header.image"],
        ),
        (
            {"name": "peca_disponivel", "language": "pt_BR", "components": [header("1")]},
            "ERR_TEMPLATE_PARAMETERS",
            ["header.image"],
        ),
    ],
)
def test_a_wrong_send_names_what_is_wrong_and_stores_nothing(
    send: Any, content: Any, code: str, fields: list[str]
) -> None:
    answer = send(content)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert list(answer.json()["fields"]) == fields
    assert not Message.objects.exists()
    assert not Delivery.objects.exists()


CODE = row(
    "codigo",
    {"type": "BODY", "text": "*{{1}}* é o seu código."},
    category="AUTHENTICATION",
)


def test_a_code_goes_to_numbers_alone(
    send: Any, ticket: Ticket, client_for: ClientFor, agent: User, graph: GraphServer
) -> None:
    graph.templates.append(CODE)
    query = f"whatsappId={ticket.connection_id}"
    rows = client_for(agent).get(f"/api/templates/?{query}").json()["templates"]
    assert {each["name"] for each in rows if each["needsNumber"]} == {"codigo"}
    code = {"name": "codigo", "language": "pt_BR", "components": [body("482913")]}
    contact = ticket.contact
    contact.number, contact.canonical_number, contact.user_id = "BR.77@lid", "lid:BR.77", "BR.77"
    contact.save()
    answer = send(code)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TEMPLATE_NEEDS_NUMBER")
    assert "número de telefone" in answer.json()["fields"]["template"][0]
    assert not Message.objects.exists()

    # Any other goes, to the user id.
    assert send().status_code == 201
    deliver()
    (sent,) = graph.messages
    assert (sent["recipient"], sent.get("to")) == ("BR.77", None)
    contact.number = contact.canonical_number = "5511987654321"
    contact.save()
    assert send(code).status_code == 201


def test_only_who_may_write_sends_and_only_on_an_open_ticket(
    send: Any, acme: Company, queue: Queue, ticket: Ticket, agent: User, admin: User
) -> None:
    colleague = make_user(acme, queues=[queue])
    stranger = make_user(acme)
    for user in (colleague, stranger):
        answer = send(user=user)
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
    assert send(user=admin).status_code == 201
    Ticket.objects.filter(pk=ticket.pk).update(status="closed")
    answer = send(user=agent)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_TICKET_NOT_OPEN")
    assert Message.objects.count() == 1


def test_a_ticket_on_a_qr_session_or_without_a_connection_takes_none(
    send: Any, ticket: Ticket, connection: Connection
) -> None:
    Connection.objects.filter(pk=connection.pk).update(provider=ProviderKind.BETA)
    answer = send()
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TEMPLATES_NOT_SUPPORTED")
    Ticket.objects.filter(pk=ticket.pk).update(connection=None)
    answer = send()
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_NO_DEF_WAPP_FOUND")


def test_a_header_s_file_goes_to_meta_and_is_shown_from_our_store(
    send: Any, upload: Any, ticket: Ticket, graph: GraphServer
) -> None:
    answer = upload(ticketId=ticket.pk)
    assert (answer.status_code, answer.json()) == (201, {"id": "media1"})
    assert PNG in graph.uploads[0]
    content = {"name": "peca_disponivel", "language": "pt_BR", "components": [header("media1")]}
    for _ in range(2):  # one upload serves any number of sends
        sent = send(content)
        assert sent.status_code == 201, sent.content
        assert sent.json()["mediaUrl"]
        [head, text] = orjson.loads(sent.json()["dataJson"])["components"]
        assert (head["format"], text["text"]) == ("IMAGE", "Voltou!")
    paths = set(Message.objects.values_list("media_path", flat=True))
    assert len(paths) == 2
    assert purge_template_media(before=timezone.now()) == 1
    for path in paths:
        with default_storage.open(path) as file:
            assert file.read() == PNG
    deliver()
    parameters = graph.messages[0]["template"]["components"][0]["parameters"]
    assert parameters == [{"type": "image", "image": {"id": "media1"}}]


def test_a_file_for_another_format_number_or_month_is_refused(
    send: Any, upload: Any, acme: Company, ticket: Ticket, connection: Connection
) -> None:
    def refusal(media_id: str, kind: str = "image") -> list[str]:
        part = header(media_id, kind)
        content = {"name": "peca_disponivel", "language": "pt_BR", "components": [part]}
        answer = send(content)
        assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TEMPLATE_PARAMETERS")
        return list(answer.json()["fields"])

    document = upload("a.pdf", PDF, "application/pdf").json()["id"]
    assert refusal(document) == ["header.image"]
    assert refusal(document, "document") == ["header.image"]
    other = make_connection(acme)
    elsewhere = upload(whatsappId=other.pk).json()["id"]
    assert refusal(elsewhere) == ["header.image"]
    old = upload(whatsappId=connection.pk).json()["id"]
    TemplateMedia.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert refusal(old) == ["header.image"]
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    ("name", "content", "mime", "status", "code"),
    [
        ("a.gif", b"GIF89a....", "image/gif", 415, "ERR_MEDIA_TYPE"),
        ("a.txt", b"oi", "text/plain", 415, "ERR_MEDIA_TYPE"),
        ("a.exe", b"MZ", "application/pdf", 415, "ERR_MEDIA_TYPE"),
        ("a.png", b"", "image/png", 415, "ERR_MEDIA_TYPE"),
        ("a.png", b"isto nao e uma imagem", "image/png", 415, "ERR_MEDIA_TYPE"),
        ("a.png", PNG[:20], "image/png", 415, "ERR_MEDIA_TYPE"),
        ("a.pdf", PDF[:12], "application/pdf", 415, "ERR_MEDIA_TYPE"),
        ("a.mp4", b"\x00\x00\x00\x10ftypisom0000", "video/mp4", 415, "ERR_MEDIA_TYPE"),
        ("a.png", PNG + b"0" * (5 * 1024 * 1024), "image/png", 413, "ERR_MEDIA_TOO_LARGE"),
    ],
)
def test_a_file_no_header_takes_is_refused_in_words(
    upload: Any,
    connection: Connection,
    graph: GraphServer,
    name: str,
    content: bytes,
    mime: str,
    status: int,
    code: str,
) -> None:
    answer = upload(name, content, mime)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert list(answer.json()["fields"]) == ["file"]
    assert graph.uploads == []
    assert not TemplateMedia.objects.exists()


def test_the_type_may_be_a_kind_and_jpg_is_jpeg(upload: Any, connection: Connection) -> None:
    jpeg = b"\xff\xd8\xff\xe0" + b"0" * 20 + b"\xff\xd9"
    assert upload("a.jpg", jpeg, "image/jpg").status_code == 201
    assert upload("b.jpg", jpeg, "image/jpeg", type="image").status_code == 201
    assert set(TemplateMedia.objects.values_list("mime", flat=True)) == {"image/jpeg"}


def test_a_form_without_a_file_is_refused(client_for: ClientFor, agent: User) -> None:
    answer = client_for(agent).post("/api/template/media", {"type": "image"}, format="multipart")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["file"])


def test_a_refused_one_says_why_and_goes_again_outside_the_window(
    send: Any, graph: GraphServer, client_for: ClientFor, agent: User
) -> None:
    graph.fault = lambda payload: graph_error(132015) if payload["type"] == "template" else False
    message = send().json()
    deliver()
    stored = Message.objects.get()
    assert (stored.ack, stored.error_code) == (Ack.ERROR, "132015")
    assert "pausado" in stored.error_reason
    graph.fault = lambda payload: False
    answer = client_for(agent).post(f"/api/messages/{message['id']}/resend")
    assert (answer.status_code, answer.json()["ack"]) == (200, 0)
    deliver()
    [sent] = graph.messages
    assert sent["template"]["name"] == "pedido_enviado"


def test_a_lost_answer_does_not_send_twice(send: Any, graph: GraphServer, settings: Any) -> None:
    settings.DELIVERY_SETTLE_SECONDS = 3600
    graph.after = lambda payload: None
    send()
    deliver()
    deliver()
    assert len(graph.messages) == 1
    assert Delivery.objects.get().state == "unknown"
