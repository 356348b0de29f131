"""Options that carry a file, which the bot sends with their words (rules/bot §4)."""

from pathlib import Path
from typing import Any

import pytest

from apps.connections.models import Connection
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import Delivery, MediaType, Message
from apps.tickets.services.tickets.removals import forget_media
from apps.tickets.tests.bot import receive

pytestmark = pytest.mark.django_db


@pytest.fixture
def number(connection: Connection) -> Connection:
    Connection.objects.filter(pk=connection.pk).update(bot_quiet_seconds=0)
    return connection


def file(name: str = "tabela.pdf", mime: str = "application/pdf") -> dict[str, Any]:
    path = f"1/shared/{name}"
    return {"media_path": path, "media_name": name, "media_mime": mime, "media_size": 5}


def written() -> list[tuple[str, str, str]]:
    rows = Message.objects.filter(from_me=True).order_by("pk")
    return list(rows.values_list("media_type", "body", "media_name"))


def test_a_leaf_sends_its_file_with_its_words_as_caption(queue: Queue, number: Connection) -> None:
    option = queue.options.create(title="Tabela", message="Segue, {{firstName}}.", **file())
    receive(number, "Oi")
    assert not QueueOption.objects.get().is_media_sent
    receive(number, "1")
    assert written()[1] == (MediaType.FILE, "Segue, Maria.", "tabela.pdf")
    sent = Message.objects.get(media_name="tabela.pdf")
    assert Delivery.objects.filter(message=sent).exists()
    assert sent.media_path == option.media_path
    # The words were the last: nobody needs the fallback's.
    assert len(written()) == 2
    assert QueueOption.objects.get().is_media_sent


def test_words_go_before_a_sound(queue: Queue, number: Connection) -> None:
    queue.options.create(title="Ouça", message="Ouça:", **file("aviso.mp3", "audio/mpeg"))
    receive(number, "Oi")
    receive(number, "1")
    assert written()[1:] == [
        (MediaType.TEXT, "Ouça:", ""),
        (MediaType.AUDIO, "aviso.mp3", "aviso.mp3"),
    ]


def test_a_leaf_without_words_still_says_that_somebody_comes(
    queue: Queue, number: Connection
) -> None:
    queue.options.create(title="Foto", **file("foto.png", "image/png"))
    receive(number, "Oi")
    receive(number, "1")
    picture, comes = written()[1:]
    assert picture == (MediaType.IMAGE, "foto.png", "foto.png")
    assert comes[1].startswith("Vou chamar alguém da equipe.")


def test_a_file_goes_before_a_menu_once(queue: Queue, number: Connection) -> None:
    top = queue.options.create(title="Modelos", message="Qual?", **file("a.png", "image/png"))
    queue.options.create(title="Um", parent=top, message="Certo.")
    receive(number, "Oi")
    receive(number, "1")
    receive(number, "?")
    names = [name for _, _, name in written()]
    assert names == ["", "a.png", "", ""]
    assert written()[2][1].startswith("Qual?")


def test_a_deleted_conversation_leaves_the_options_file(
    queue: Queue,
    number: Connection,
    settings: Any,
    tmp_path: Path,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.MEDIA_ROOT = tmp_path
    stored = tmp_path / "1/shared/tabela.pdf"
    stored.parent.mkdir(parents=True)
    stored.write_bytes(b"%PDF-")
    queue.options.create(title="Tabela", message="Segue.", **file())
    receive(number, "Oi")
    receive(number, "1")
    with django_capture_on_commit_callbacks(execute=True):
        forget_media(Message.objects.all())
    assert stored.exists()
