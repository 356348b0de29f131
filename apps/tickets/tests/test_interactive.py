"""Interactive messages that a person sends (rules/messages §11)."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.content import MenuKind
from apps.connections.providers.inbound import InboundMessage
from apps.queues.models import Queue
from apps.tickets.models import Delivery, Message, Ticket
from apps.tickets.serializers.interactive import KINDS
from apps.tickets.services.bot.routing.answers import OPTION_ID, chosen, command_of
from apps.tickets.services.bot.routing.inputs import MessageView, OptionView
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.receiving.messages import receive_messages
from conftest import ClientFor
from tests.factories import make_connection, make_ticket, make_user
from tests.graph import GraphServer

pytestmark = pytest.mark.django_db

Post = Any
BUTTONS = {
    "kind": "buttons",
    "header": "Entrega",
    "body": "Quando você recebe?",
    "footer": "Casa Aroeira",
    "buttons": [{"title": "De manhã"}, {"title": "À tarde"}],
}
LIST = {
    "kind": "list",
    "body": "Escolha um horário",
    "button": "Ver horários",
    "sections": [
        {"title": "Manhã", "rows": [{"title": "8 h", "description": "Com Ana"}, {"title": "9 h"}]},
        {"title": "Tarde", "rows": [{"title": "14 h"}]},
    ],
}
LINK = {
    "kind": "link",
    "body": "Acompanhe o pedido",
    "button": "Rastrear",
    "url": "https://loja.example/r/10482",
}
LOCATION = {"kind": "location_request", "body": "Onde você está?"}
CONTACT = {"kind": "contact_request", "body": "Qual é o seu número?"}
PRODUCT = {"kind": "product", "productId": "SKU-1"}
PRODUCTS = {
    "kind": "product_list",
    "header": "Novidades",
    "body": "Escolhemos para você",
    "sections": [{"productIds": ["SKU-1", "SKU-2"]}],
}
CATALOG = {"kind": "catalog", "body": "Veja tudo", "productId": "SKU-2"}
ROWS = [
    {
        "retailer_id": f"SKU-{number}",
        "name": f"Caneca {number}",
        "price": f"R$ {number}0,00",
        "image_url": "https://cdn.example/caneca.jpg",
        "availability": "in stock",
    }
    for number in (1, 2)
]


@pytest.fixture(autouse=True)
def _catalog(graph: GraphServer) -> None:
    graph.catalogs = [{"id": "77", "name": "Loja"}]
    graph.products = ROWS


@pytest.fixture
def send(client_for: ClientFor, agent: User, ticket: Ticket) -> Post:
    def post(
        interactive: Any, user: User = agent, to: Ticket = ticket, form: str = "json", **more: Any
    ) -> Any:
        body = {"interactive": interactive, **more}
        return client_for(user).post(f"/api/messages/{to.pk}", body, format=form)

    return post


def wire_of(send: Post, graph: GraphServer, content: Any) -> Any:
    """Send, deliver, and return what the provider got."""
    response = send(content)
    assert response.status_code == 201, response.json()
    deliver_due(limit=10)
    [payload] = graph.messages
    assert payload["type"] == "interactive"
    return payload["interactive"]


def test_buttons_are_stored_told_and_sent(
    send: Post, graph: GraphServer, ticket: Ticket, told: list[Any]
) -> None:
    wire = wire_of(send, graph, BUTTONS)
    assert (wire["type"], wire["body"]) == ("button", {"text": "Quando você recebe?"})
    assert (wire["header"], wire["footer"]) == (
        {"type": "text", "text": "Entrega"},
        {"text": "Casa Aroeira"},
    )
    replies = [button["reply"] for button in wire["action"]["buttons"]]
    assert [reply["title"] for reply in replies] == ["De manhã", "À tarde"]
    assert all(reply["id"].startswith("message:") for reply in replies)
    assert len({reply["id"] for reply in replies}) == 2
    message = Message.objects.get()
    assert message.media_type == "interactive_list"
    # Older browsers show the body.
    assert message.body == (
        "*Entrega*\nQuando você recebe?\n\n*1* - De manhã\n*2* - À tarde\n\n_Casa Aroeira_"
    )
    shown = (message.data or {})["interactive"]
    assert (shown["kind"], shown["header"], "button" in shown) == ("buttons", "Entrega", False)
    assert [each["title"] for each in shown["choices"]] == ["De manhã", "À tarde"]
    assert told[0].event == "appMessage"
    assert told[0].payload["message"]["mediaType"] == "interactive_list"


def test_a_list_has_its_sections(send: Post, graph: GraphServer) -> None:
    wire = wire_of(send, graph, LIST)
    assert wire["action"]["button"] == "Ver horários"
    titles = [
        (section["title"], [row["title"] for row in section["rows"]])
        for section in wire["action"]["sections"]
    ]
    assert titles == [("Manhã", ["8 h", "9 h"]), ("Tarde", ["14 h"])]
    assert "_Tarde_\n*3* - 14 h" in Message.objects.get().body


@pytest.mark.parametrize(
    ("content", "kind", "action", "line"),
    [
        (
            LINK,
            "cta_url",
            {
                "name": "cta_url",
                "parameters": {"display_text": "Rastrear", "url": LINK["url"]},
            },
            "Rastrear: https://loja.example/r/10482",
        ),
        (
            LOCATION,
            "location_request_message",
            {"name": "send_location"},
            "[Enviar localização]",
        ),
        (
            CONTACT,
            "request_contact_info",
            {"name": "request_contact_info"},
            "[Compartilhar contato]",
        ),
        (
            PRODUCT,
            "product",
            {"catalog_id": "77", "product_retailer_id": "SKU-1"},
            "*1* - Caneca 1: R$ 10,00",
        ),
        (
            PRODUCTS,
            "product_list",
            {
                "catalog_id": "77",
                "sections": [
                    {
                        "title": "Novidades",
                        "product_items": [
                            {"product_retailer_id": "SKU-1"},
                            {"product_retailer_id": "SKU-2"},
                        ],
                    }
                ],
            },
            "*2* - Caneca 2: R$ 20,00",
        ),
        (
            CATALOG,
            "catalog_message",
            {
                "name": "catalog_message",
                "parameters": {"thumbnail_product_retailer_id": "SKU-2"},
            },
            "[Ver catálogo]",
        ),
    ],
    ids=["link", "location", "contact", "product", "products", "catalog"],
)
def test_each_kind_goes_as_meta_has_it(
    send: Post, graph: GraphServer, content: Any, kind: str, action: Any, line: str
) -> None:
    wire = wire_of(send, graph, content)
    assert (wire["type"], wire["action"]) == (kind, action)
    message = Message.objects.get()
    assert line in message.body.splitlines()
    assert (message.data or {})["interactive"]["kind"] == content["kind"]


def test_the_wire_names_every_kind() -> None:
    assert list(KINDS) == [str(kind) for kind in MenuKind]


def with_(content: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**content, **changes}


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ("buttons", ""),
        ({}, "kind"),
        ({"kind": "carousel"}, "kind"),
        ({"kind": ["buttons"]}, "kind"),
        (with_(BUTTONS, body="x" * 1025), "body"),
        (with_(BUTTONS, body=" "), "body"),
        (with_(BUTTONS, header="x" * 61), "header"),
        (with_(BUTTONS, header="a\nb"), "header"),
        (with_(BUTTONS, footer="x" * 61), "footer"),
        (with_(BUTTONS, buttons=[]), "buttons"),
        (with_(BUTTONS, buttons=[{"title": str(each)} for each in range(4)]), "buttons"),
        (with_(BUTTONS, buttons=[{"title": "x" * 21}]), "buttons.0.title"),
        (with_(BUTTONS, buttons=[{"title": "Sim"}, {"title": "sim"}]), "buttons.1.title"),
        (with_(BUTTONS, buttons=[{"title": "Sim", "id": "option:7"}]), "buttons.0.id"),
        (with_(BUTTONS, url="https://loja.example"), "url"),
        (with_(LIST, body="x" * 4097), "body"),
        (with_(LIST, button=""), "button"),
        (with_(LIST, sections=[]), "sections"),
        (
            with_(LIST, sections=[{"rows": [{"title": str(each)} for each in range(11)]}]),
            "sections.0.rows",
        ),
        (
            with_(
                LIST,
                sections=[
                    {"title": name, "rows": [{"title": f"{name}{each}"} for each in range(6)]}
                    for name in ("a", "b")
                ],
            ),
            "sections",
        ),
        (
            with_(LIST, sections=[{"title": "a", "rows": [{"title": "1"}]}, {"rows": []}]),
            "sections.1.rows",
        ),
        (
            with_(
                LIST,
                sections=[{"title": "a", "rows": [{"title": "1"}]}, {"rows": [{"title": "2"}]}],
            ),
            "sections.1.title",
        ),
        (
            with_(LIST, sections=[{"rows": [{"title": "a", "description": "x" * 73}]}]),
            "sections.0.rows.0.description",
        ),
        (with_(LIST, sections=[{"rows": [{"title": "x" * 25}]}]), "sections.0.rows.0.title"),
        (with_(LIST, sections=[{"rows": [{"title": "a"}] * 2}]), "sections.0.rows.1.title"),
        (with_(LINK, button="x" * 21), "button"),
        (with_(LINK, url="loja.example"), "url"),
        (with_(LINK, url="javascript:alert(1)"), "url"),
        (with_(LINK, url="https://loja.example/a b"), "url"),
        (with_(LINK, url="https://[x"), "url"),
        (with_(LOCATION, footer="x"), "footer"),
        (with_(CONTACT, body="x" * 1025), "body"),
        (with_(PRODUCT, header="x"), "header"),
        (with_(PRODUCT, productId="SKU-9"), "productId"),
        (with_(PRODUCTS, header=""), "header"),
        (with_(PRODUCTS, sections=[{"productIds": ["SKU-1"] * 2}]), "sections.0.productIds.1"),
        (
            with_(PRODUCTS, sections=[{"productIds": ["SKU-1", "SKU-9"]}]),
            "sections.0.productIds.1",
        ),
        (
            with_(PRODUCTS, sections=[{"productIds": [str(each) for each in range(31)]}]),
            "sections.0.productIds",
        ),
    ],
)
def test_what_meta_would_refuse_is_refused_by_field(
    send: Post, graph: GraphServer, content: Any, field: str
) -> None:
    response = send(content)
    assert response.status_code == 400, response.json()
    assert list(response.json()["fields"]) == [f"interactive.{field}".rstrip(".")]
    assert not Message.objects.exists()
    assert not Delivery.objects.exists()


def test_the_longest_content_is_taken(send: Post) -> None:
    content = {
        "kind": "list",
        "header": "x" * 60,
        "body": "x" * 4096,
        "footer": "x" * 60,
        "button": "x" * 20,
        "sections": [
            {
                "title": f"{place}".zfill(24),
                "rows": [{"title": f"{place}".zfill(24), "description": "x" * 72}],
            }
            for place in range(10)
        ],
    }
    assert send(content).status_code == 201


@pytest.mark.parametrize("field", ["body", "mediaPath", "mediaUrl"])
def test_it_goes_alone(send: Post, field: str) -> None:
    response = send(BUTTONS, **{field: "x"})
    assert (response.status_code, list(response.json()["fields"])) == (400, [field])


def test_beside_files_and_templates_it_is_refused(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    png = SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n" + b"0" * 20, "image/png")
    form = {"medias": png, "interactive": "{}"}
    response = client_for(agent).post(f"/api/messages/{ticket.pk}", form, format="multipart")
    assert (response.status_code, list(response.json()["fields"])) == (400, ["interactive"])
    template = {"template": {"name": "ola"}, "interactive": BUTTONS}
    response = client_for(agent).post(f"/api/templates/{ticket.pk}", template, format="json")
    assert (response.status_code, list(response.json()["fields"])) == (400, ["interactive"])
    assert not Message.objects.exists()


def test_the_same_client_id_sends_once(send: Post) -> None:
    client_id = str(uuid.uuid4())
    first, again = (send(BUTTONS, clientId=client_id) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["id"] == again.json()["id"]
    assert Delivery.objects.count() == 1


def test_who_may_not_write_sends_none(
    send: Post, acme: Company, queue: Queue, outsider: User
) -> None:
    assert send(BUTTONS, make_user(acme, queues=[queue])).status_code == 403
    assert send(BUTTONS, outsider).status_code == 404
    assert not Message.objects.exists()


def test_outside_the_window_it_is_refused(send: Post, ticket: Ticket) -> None:
    past = timezone.now() - timedelta(hours=25)
    Ticket.objects.update(last_inbound_at=past)
    response = send(BUTTONS)
    assert (response.status_code, response.json()["code"]) == (409, "ERR_OUTSIDE_24H_WINDOW")


def test_a_qr_session_refuses_it(send: Post, acme: Company, agent: User) -> None:
    session = make_connection(acme, provider=ProviderKind.BETA)
    there = make_ticket(acme, connection=session, user=agent, status="open")
    response = send(BUTTONS, to=there)
    assert (response.status_code, response.json()["code"]) == (
        400,
        "ERR_INTERACTIVE_NOT_SUPPORTED",
    )
    assert not Message.objects.exists()


def test_without_a_catalogue_the_way_to_one_is_told(send: Post, graph: GraphServer) -> None:
    graph.catalogs = []
    response = send(PRODUCT)
    assert (response.status_code, response.json()["code"]) == (409, "ERR_NO_CATALOG")
    assert "Gerenciador do WhatsApp" in response.json()["message"]


def test_meta_out_of_reach_is_told(send: Post, graph: GraphServer) -> None:
    graph.stop()
    response = send(CATALOG)
    assert (response.status_code, response.json()["code"]) == (424, "ERR_CATALOG_UNAVAILABLE")
    graph.start()


def test_a_press_is_an_ordinary_message_that_quotes(
    send: Post, graph: GraphServer, ticket: Ticket, connection: Connection
) -> None:
    wire = wire_of(send, graph, BUTTONS)
    asked = Message.objects.get()
    pressed = wire["action"]["buttons"][1]["reply"]
    inbound = InboundMessage(
        external_id="wamid.press",
        sender=ticket.contact.number,
        sender_name="Mariana",
        sent_at=timezone.now(),
        media_type="conversation",
        body=pressed["title"],
        choice_id=pressed["id"],
        reply_to=asked.external_id or "",
    )
    receive_messages([(connection, inbound)])
    answer = Message.objects.get(external_id="wamid.press")
    assert (answer.body, answer.quoted_id, answer.ticket_id) == ("À tarde", asked.pk, ticket.pk)


def test_a_press_of_a_persons_row_is_no_choice_of_the_bots() -> None:
    options = (OptionView(1, "Trocas"), OptionView(2, "Prazos"))
    pressed = MessageView(choice_id="message:5a3fdd5e6c3a4bb4:1", text="De manhã")
    assert chosen(pressed, options, OPTION_ID) is None
    assert command_of(replace(pressed, choice_id="message:5a3fdd5e6c3a4bb4:0")) == ""
