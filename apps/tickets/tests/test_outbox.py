"""The door of what leaves: each kind of content, the captions of each caller."""

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.clients.base import File, Option, Reply
from apps.common.media import StoredMedia, store_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.content import CardPhone, Choice, ContactCard, Location, Menu
from apps.connections.template_values import Given
from apps.connections.templates import Template
from apps.tickets.models import Message, Ticket
from apps.tickets.services.bot.replies import prepare
from apps.tickets.services.outbox import (
    Cards,
    Content,
    FilledTemplate,
    Place,
    Text,
    captioned,
    media_of,
    write_message,
)
from apps.tickets.services.outbox.content import compose
from apps.tickets.services.outbox.deliveries import deliver_due
from tests.factories import make_ticket
from tests.graph import GraphServer

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
LONG = "x" * 1025


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def file(name: str = "foto.png", mime: str = "image/png", size: int = 28) -> StoredMedia:
    return StoredMedia(path=f"1/{name}", name=name, mime=mime, size=size)


SOUND, STICKER = file("nota.mp3", "audio/mpeg"), file("riso.webp", "image/webp")


def choices(count: int) -> tuple[Choice, ...]:
    return tuple(Choice(str(place), f"Opção {place} " * 4, "x" * 80) for place in range(count))


TEMPLATE = FilledTemplate(
    Template(
        id="1",
        name="pedido",
        language="pt_BR",
        status="APPROVED",
        category="UTILITY",
        is_named=False,
        components=({"type": "BODY", "text": "Seu pedido saiu."},),
        slots=(),
        is_supported=True,
    ),
    Given(),
)
PLACE = Place(Location(-23.5, -46.6, "Loja"), "|https://maps|Loja", {"latitude": -23.5})
CARDS = Cards(
    (ContactCard("Ana", (CardPhone("+5511999990000"),)),), "Ana", {"contacts": [{"name": "Ana"}]}
)


@pytest.mark.parametrize(
    ("content", "media_type", "body", "payload"),
    [
        (Text("Olá"), "conversation", "Olá", {}),
        (media_of(file(), "Veja"), "image", "Veja", {}),
        (media_of(file()), "image", "foto.png", {}),
        (media_of(SOUND), "audio", "nota.mp3", {}),
        (media_of(SOUND, is_voice=True), "audio", "nota.mp3", {"voice": True}),
        (media_of(file(), is_voice=True), "image", "foto.png", {}),
        (PLACE, "locationMessage", "|https://maps|Loja", None),
        (CARDS, "vcard", "Ana", None),
        (TEMPLATE, "template", "Seu pedido saiu.", None),
        (Menu("Setor?", choices(2)), "interactive_list", "Setor?", None),
    ],
)
def test_a_content_is_a_message_and_a_payload(
    content: Content, media_type: str, body: str, payload: dict[str, Any] | None
) -> None:
    message, composed = compose(content)
    assert (message.media_type, message.body) == (media_type, body)
    assert payload is None or composed == payload


def test_a_file_stands_in_the_message() -> None:
    for content in (media_of(file()), FilledTemplate(TEMPLATE.template, Given(), file())):
        message, _ = compose(content)
        found = (message.media_state, message.media_path, message.media_name, message.media_mime)
        assert found == ("ready", "1/foto.png", "foto.png", "image/png")
        assert message.media_size == 28


@pytest.mark.parametrize(
    ("count", "asked", "as_list", "title"),
    [(3, False, False, 20), (3, True, True, 24), (4, False, True, 24)],
)
def test_a_menu_is_cut_to_what_buttons_and_lists_take(
    count: int, asked: bool, as_list: bool, title: int
) -> None:
    message, payload = compose(Menu(LONG, choices(count), asked))
    menu = payload["menu"]
    assert (len(menu["body"]), len(menu["choices"]), menu["as_list"]) == (1024, count, as_list)
    assert {len(each["title"]) for each in menu["choices"]} == {title}
    assert {len(each["description"]) for each in menu["choices"]} == {72 if as_list else 0}
    assert message.data == {"choices": menu["choices"]}


@pytest.mark.parametrize(
    ("media", "text", "bodies"),
    [
        (file(), "x" * 1024, ["x" * 1024]),
        (file(), LONG, [LONG, "foto.png"]),
        (file(), "x" * 5000, ["x" * 4096, "x" * 904, "foto.png"]),
        (file(), "", ["foto.png"]),
        (SOUND, "Ouça", ["Ouça", "nota.mp3"]),
        (STICKER, "Olá", ["Olá", "riso.webp"]),
        (SOUND, "", ["nota.mp3"]),
    ],
)
def test_a_text_that_is_no_caption_goes_before_the_file(
    media: StoredMedia, text: str, bodies: list[str]
) -> None:
    assert [each.body for each in captioned(media, text)] == bodies


def test_an_answer_of_an_integration_is_captioned_and_cut_alike(
    acme: Company,
) -> None:
    def prepared(reply: Reply) -> list[Message]:
        return [compose(content)[0] for content, _ in prepare(acme.pk, [reply]).contents]

    picture = File(name="foto.png", mime="image/png", content=PNG)
    voice = File(name="fala.ogg", mime="audio/ogg", content=b"OggS0")
    assert [each.body for each in prepared(Reply("Veja", picture))] == ["Veja"]
    assert [each.body for each in prepared(Reply(LONG, picture))] == [LONG, "foto.png"]
    assert [each.body for each in prepared(Reply("Ouça", voice))] == ["Ouça", "fala.ogg"]
    [menu] = prepared(Reply("Setor?", options=tuple(Option(str(n), "x" * 30) for n in range(4))))
    assert {len(each["title"]) for each in (menu.data or {})["choices"]} == {24}


def test_each_kind_reaches_the_provider_as_what_it_is(
    acme: Company, connection: Connection, agent: User, graph: GraphServer
) -> None:
    ticket = make_ticket(
        acme, connection=connection, user=agent, status="open", last_inbound_at=timezone.now()
    )
    picture = store_media(company_id=acme.pk, content=PNG, name="a.png", mime="image/png")
    contents: dict[str, Content] = {
        "text": Text("Olá"),
        "image": media_of(picture, "Veja"),
        "interactive": Menu("Setor?", choices(2)),
        "template": TEMPLATE,
        "location": PLACE,
        "contacts": CARDS,
    }
    for content in contents.values():
        write_message(content, ticket=ticket, user=agent, source="agent")
    assert Ticket.objects.get().latest_message == Message.objects.last()
    deliver_due(limit=10)
    assert [sent["type"] for sent in graph.messages] == list(contents)
    text, image, menu, template, location, contacts = graph.messages
    assert text["text"]["body"] == "Olá"
    assert image["image"]["caption"] == "Veja"
    assert len(menu["interactive"]["action"]["buttons"]) == 2
    assert template["template"]["name"] == "pedido"
    assert location["location"] == {"latitude": -23.5, "longitude": -46.6, "name": "Loja"}
    assert contacts["contacts"][0]["phones"][0]["phone"] == "+5511999990000"
