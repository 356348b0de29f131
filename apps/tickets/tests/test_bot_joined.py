"""Texts of one step of the bot are one message, where the connection wants it (rules/bot §11)."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.automation.clients.texts import MAX_TEXT
from apps.common.media import StoredMedia
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.content import Choice, Menu
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import Delivery, MediaType, Message
from apps.tickets.origins import origin_of_joined
from apps.tickets.services.bot.joining import joined
from apps.tickets.services.bot.routing.menus import BODY_LENGTH
from apps.tickets.services.outbox import Media, Text, media_of
from apps.tickets.tests.bot import close, receive, setting, the_ticket

pytestmark = pytest.mark.django_db
BUTTONS = (Choice("opt:1", "Trocar"),)
AUDIO = {"media_path": "1/shared/a.mp3", "media_name": "a.mp3", "media_mime": "audio/mpeg"}


def media(caption: str = "", mime: str = "image/png", size: int = 5) -> Media:
    return media_of(StoredMedia("1/a", "a.png", mime, size), caption)


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        (Text("a"), Text("b"), Text("a\n\nb")),
        (Text("a" * 2047), Text("b" * 2047), Text("a" * 2047 + "\n\n" + "b" * 2047)),
        (Text("a" * 2047), Text("b" * 2048), None),
        (Text("a"), Menu("b", BUTTONS), Menu("a\n\nb", BUTTONS)),
        (Text("a" * 1021), Menu("b", BUTTONS), Menu("a" * 1021 + "\n\nb", BUTTONS)),
        (Text("a" * 1022), Menu("b", BUTTONS), None),
        (Menu("a", BUTTONS), Text("b"), None),
        (Menu("a", BUTTONS), Menu("b", BUTTONS), None),
        (Text("a"), media(), media("a")),
        (Text("a"), media("b"), media("a\n\nb")),
        (media("a"), Text("b"), media("a\n\nb")),
        (media(), Text("b"), media("b")),
        (media("a" * 1021), Text("b"), media("a" * 1021 + "\n\nb")),
        (media("a" * 1022), Text("b"), None),
        (Text("a"), media(mime="audio/mpeg"), None),
        (media(mime="image/webp"), Text("b"), None),
        (media("a"), Menu("b", BUTTONS), None),
        (media(), media(), None),
    ],
)
def test_two_contents_are_one_where_the_contact_sees_all_of_both(
    first: Any, second: Any, whole: Any
) -> None:
    assert joined(first, second) == whole


def test_the_limits_are_metas() -> None:
    assert (MAX_TEXT, BODY_LENGTH) == (4096, 1024)


def test_a_joined_message_belongs_to_the_text_that_cannot_be_stopped() -> None:
    assert origin_of_joined("option:1", "greeting:2") == "option:1"
    assert origin_of_joined("audio_alert", "menu") == "menu"
    assert origin_of_joined("option:1", "option:2") == "option:1"
    assert origin_of_joined("out_of_hours", "greeting:2") == "out_of_hours"


@pytest.fixture
def number(connection: Connection) -> Connection:
    connection.joins_bot_texts = True
    connection.save()
    return connection


@pytest.fixture
def leaf(number: Connection, queue: Queue, orders: Queue) -> QueueOption:
    """A leaf of Pedidos that leads to Vendas, which has a greeting."""
    Queue.objects.filter(pk=queue.pk).update(greeting_message="Aqui é das vendas.")
    leaf = QueueOption.objects.get(queue=orders, title="Prazos")
    leaf.redirection_queue = queue
    leaf.save()
    return leaf


def test_a_leaf_and_the_greeting_of_its_queue_are_one_message(
    number: Connection, leaf: QueueOption
) -> None:
    receive(number, "Oi")
    receive(number, "2")
    assert receive(number, "2") == ["30 dias.\n\nAqui é das vendas."]
    message = Message.objects.filter(from_me=True).latest("pk")
    assert message.origin == f"option:{leaf.pk}"
    ticket = the_ticket()
    assert (ticket.latest_message_id, ticket.last_message) == (message.pk, message.preview)
    assert Delivery.objects.filter(message=message).count() == 1


def test_the_switch_off_keeps_them_apart(number: Connection, leaf: QueueOption) -> None:
    Connection.objects.filter(pk=number.pk).update(joins_bot_texts=False)
    receive(number, "Oi")
    receive(number, "2")
    assert receive(number, "2") == ["30 dias.", "Aqui é das vendas."]


def test_answers_to_two_messages_are_two_messages(number: Connection, orders: Queue) -> None:
    menus = receive(number, "Oi", "2")
    assert [text.split("\n")[0] for text in menus] == ["Bem-vindo, Maria!", "O que houve?"]


def test_texts_that_are_too_long_together_stay_apart_in_their_order(
    number: Connection, leaf: QueueOption
) -> None:
    leaf.message = "x" * 4080
    leaf.save()
    receive(number, "Oi")
    receive(number, "2")
    assert receive(number, "2") == ["x" * 4080, "Aqui é das vendas."]


def test_a_text_goes_into_the_buttons_after_it(
    acme: Company, number: Connection, leaf: QueueOption, queue: Queue
) -> None:
    setting(acme, "chatBotType", "button")
    queue.options.create(title="Comprar", message="Ótimo!")
    receive(number, "Oi")
    receive(number, "2")
    assert receive(number, "2") == ["30 dias.\n\nAqui é das vendas."]
    message = Message.objects.filter(from_me=True).latest("pk")
    assert message.media_type == MediaType.INTERACTIVE_LIST
    menu = Delivery.objects.get(message=message).payload["menu"]
    assert menu["body"] == message.body
    assert [each["title"] for each in menu["choices"]] == ["Comprar", "Menu principal"]
    # A body that is too long leaves the text before the menu.
    leaf.message = "x" * 1020
    leaf.save()
    receive(number, "#")
    receive(number, "2")
    assert receive(number, "2") == ["x" * 1020, "Aqui é das vendas."]


def test_a_file_takes_the_text_after_it_where_it_shows_one(
    number: Connection, queue: Queue
) -> None:
    photo = {"media_path": "1/shared/a.png", "media_name": "a.png", "media_mime": "image/png"}
    top = queue.options.create(title="Modelos", message="Qual?", media_size=5, **photo)
    queue.options.create(title="Um", parent=top, message="Certo.")
    sound = queue.options.create(title="Ouvir", message="Entendeu?", media_size=5, **AUDIO)
    queue.options.create(title="Sim", parent=sound, message="Certo.")
    receive(number, "Oi")
    (caption,) = receive(number, "1")
    assert caption.startswith("Qual?\n\n*1* - Um")
    message = Message.objects.filter(from_me=True).latest("pk")
    assert (message.media_type, message.media_name) == (MediaType.IMAGE, "a.png")
    top.refresh_from_db()
    assert top.is_media_sent
    receive(number, "0")
    file, menu = receive(number, "2")
    assert file == "a.mp3"
    assert menu.startswith("Entendeu?\n\n*1* - Sim")


def test_an_alert_is_joined_with_the_menu_and_a_notice_beside_the_bot_is_not(
    acme: Company, number: Connection, orders: Queue, agent: User
) -> None:
    setting(acme, "alertReceivingAudio", "enabled")
    (text,) = receive(number, "", media_type="audio")
    assert "Bem-vindo, Maria!" in text
    assert Message.objects.filter(from_me=True).latest("pk").origin == "menu"


def test_what_is_said_in_closed_hours_stays_a_message_of_the_hours(
    acme: Company, number: Connection, orders: Queue
) -> None:
    close(acme)
    Connection.objects.filter(pk=number.pk).update(out_of_hours_message="Fechado.")
    assert receive(number, "Oi") == ["Fechado."]
    assert Message.objects.filter(from_me=True).latest("pk").origin == "out_of_hours"
