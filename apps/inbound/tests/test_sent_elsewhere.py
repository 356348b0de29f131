"""Menus, carousels and offers that another responder sent, as the conversation shows them."""

from typing import Any

import pytest

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.official.sent import read_sent_template
from apps.inbound.tests.meta import ACCOUNT, NUMBER, echo, handle, tell
from apps.tickets.models import Message
from tests.factories import make_connection

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _app(settings: Any) -> None:
    settings.META_APP_SECRET = "app-secret"


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, phone_number_id=NUMBER, waba_id=ACCOUNT)


def test_a_menu_of_another_responder_shows_its_buttons(number: Connection) -> None:
    buttons = [{"type": "reply", "reply": {"id": "1", "title": title}} for title in ("Sim", "Não")]
    menu = {"type": "button", "body": {"text": "Confirma?"}, "action": {"buttons": buttons}}
    tell(echo("wamid.A", type="interactive", interactive=menu))
    handle()
    message = Message.objects.get()
    assert (message.media_type, message.body) == (
        "interactive_list",
        "Confirma?\n\n*1* - Sim\n*2* - Não",
    )
    shown = (message.data or {})["interactive"]
    assert (shown["kind"], [each["title"] for each in shown["choices"]]) == (
        "buttons",
        ["Sim", "Não"],
    )


LINK = {"type": "URL", "text": "Ver", "url": "https://loja.example/{{1}}"}
CARD = [
    {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://x/a"]}},
    {"type": "BODY", "text": "Caneca {{1}}"},
    {"type": "BUTTONS", "buttons": [LINK, {"type": "QUICK_REPLY", "text": "Quero"}]},
]


def words_of(kind: str, *texts: str) -> dict[str, Any]:
    return {"type": kind, "parameters": [{"type": "text", "text": each} for each in texts]}


def test_a_carousel_of_another_responder_shows_its_cards(number: Connection) -> None:
    picture = {"type": "image", "image": {"link": "https://loja.example/azul.jpg"}}
    cards = [
        {
            "card_index": 1,
            "components": [
                {"type": "HEADER", "parameters": [picture]},
                words_of("BODY", "azul"),
                {**words_of("BUTTON", "azul"), "sub_type": "URL", "index": "0"},
            ],
        },
        {"card_index": 0, "components": [words_of("BODY", "de grés")]},
    ]
    call = {
        "name": "vitrine",
        "language": {"code": "pt_BR"},
        "components": [words_of("BODY", "Maria"), {"type": "CAROUSEL", "cards": cards}],
    }
    change = echo("wamid.A", type="template", template=call)
    [item] = change["value"]["standby"]["message_echoes"]
    body = {"type": "BODY", "text": "Escolhemos para você, {{1}}"}
    carousel = {"type": "CAROUSEL", "cards": [{"components": CARD}] * 2}
    item["template"] = {"name": "vitrine", "components": [body, carousel]}
    tell(change)
    handle()
    message = Message.objects.get()
    assert message.media_type == "template"
    assert message.body.splitlines() == [
        "Escolhemos para você, Maria",
        "*1* - Caneca de grés",
        "*2* - Caneca azul",
    ]
    shown = (message.data or {})["components"][-1]
    first, second = (card["components"] for card in shown["cards"])
    assert [part["type"] for part in second] == ["HEADER", "BODY", "BUTTONS"]
    assert (first[0]["format"], "link" in first[0]) == ("IMAGE", False)
    assert second[0]["link"] == "https://loja.example/azul.jpg"
    assert second[2]["buttons"][0]["url"] == "https://loja.example/azul"
    assert second[2]["buttons"][1]["text"] == "Quero"


def test_a_limited_time_offer_of_another_responder_shows_code_and_end(number: Connection) -> None:
    expiry = {
        "type": "limited_time_offer",
        "limited_time_offer": {"expiration_time_ms": 1795996800000},
    }
    call = {
        "name": "oferta",
        "language": {"code": "pt_BR"},
        "components": [
            words_of("body", "Maria"),
            {"type": "limited_time_offer", "parameters": [expiry]},
            {
                "type": "button",
                "sub_type": "copy_code",
                "index": 0,
                "parameters": [{"type": "coupon_code", "coupon_code": "AROEIRA10"}],
            },
        ],
    }
    change = echo("wamid.A", type="template", template=call)
    [item] = change["value"]["standby"]["message_echoes"]
    offer = {
        "type": "LIMITED_TIME_OFFER",
        "limited_time_offer": {"text": "Só até sábado", "has_expiration": True},
    }
    code = {"type": "COPY_CODE", "text": "Copiar código"}
    body = {"type": "BODY", "text": "Oi {{1}}"}
    item["template"] = {"components": [offer, body, {"type": "BUTTONS", "buttons": [code]}]}
    tell(change)
    handle()
    message = Message.objects.get()
    assert message.body == "Oi Maria\nSó até sábado"
    shown = {part["type"]: part for part in (message.data or {})["components"]}
    assert shown["LIMITED_TIME_OFFER"] == {
        "type": "LIMITED_TIME_OFFER",
        "text": "Só até sábado",
        "expiresAt": "2026-11-30T00:00:00+00:00",
    }
    assert shown["BUTTONS"]["buttons"] == [
        {"type": "COPY_CODE", "text": "Copiar código", "code": "AROEIRA10"}
    ]


@pytest.mark.parametrize(
    "template",
    [
        {"name": "x", "definition": {"components": [{"type": "CAROUSEL", "cards": ["?"]}]}},
        {"name": "x", "components": [{"type": "carousel", "cards": 5}, 7]},
        {
            "name": "x",
            "components": [{"type": "limited_time_offer", "parameters": [{}]}],
            "definition": {"components": [{"type": "LIMITED_TIME_OFFER"}]},
        },
        {"name": "x", "components": [{"type": "button", "parameters": [{"text": "a"}]}]},
    ],
)
def test_an_odd_template_is_read_as_far_as_it_goes(template: dict[str, Any]) -> None:
    read = read_sent_template(template)
    assert read is not None and read["media_type"] == "template"


def test_an_interactive_carousel_is_shown_as_one(number: Connection) -> None:
    card = {
        "card_index": 0,
        "type": "cta_url",
        "header": {"type": "image", "image": {"link": "https://loja.example/a.jpg"}},
        "body": {"text": "Caneca"},
        "action": {
            "name": "cta_url",
            "parameters": {"display_text": "Ver", "url": "https://loja.example/1"},
        },
    }
    menu = {"type": "carousel", "body": {"text": "Novidades"}, "action": {"cards": [card]}}
    tell(echo("wamid.A", type="interactive", interactive=menu))
    handle()
    message = Message.objects.get()
    assert (message.media_type, message.body) == ("template", "Novidades\n*1* - Caneca")
    [_, carousel] = (message.data or {})["components"]
    assert carousel["cards"][0]["components"][2]["buttons"] == [
        {"type": "URL", "text": "Ver", "url": "https://loja.example/1"}
    ]
