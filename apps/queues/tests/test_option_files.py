"""/queue-options/{id}/media-upload: the file of an option."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from apps.queues.models import Queue, QueueOption
from conftest import ClientFor

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@pytest.fixture(autouse=True)
def store(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def option(queue: Queue) -> QueueOption:
    return queue.options.create(title="Tabela", message="Segue a tabela.")


def files(store: Path) -> list[str]:
    return sorted(str(each.relative_to(store)) for each in store.rglob("*") if each.is_file())


def attach(client: Any, option: QueueOption, name: str = "tabela.png") -> Any:
    file = SimpleUploadedFile(name, PNG, "image/png")
    path = f"/api/queue-options/{option.pk}/media-upload"
    return client.post(path, {"file": file}, format="multipart")


def test_a_file_is_attached_read_replaced_and_taken_away(
    client_for: ClientFor,
    admin: User,
    option: QueueOption,
    store: Path,
    events: list[dict[str, Any]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    client = client_for(admin)
    saved = attach(client, option).json()
    assert (saved["mediaName"], saved["mediaMime"], saved["mediaSize"]) == (
        "tabela.png",
        "image/png",
        len(PNG),
    )
    address = saved["mediaPath"]
    read: Any = client.get(address[address.index("/api/") :])
    assert b"".join(read.streaming_content) == PNG
    assert [each["event"] for each in events] == ["queue"]
    whole = client.get(f"/api/queue/{option.queue_id}").json()["options"][0]
    assert whole["mediaName"] == "tabela.png"
    (first,) = files(store)
    with django_capture_on_commit_callbacks(execute=True):
        assert attach(client, option, "nova.png").json()["mediaName"] == "nova.png"
    assert first not in files(store)
    # A save of the menu leaves it where it is.
    body = {"options": [{"id": option.pk, "title": "Tabela", "mediaName": "x"}]}
    kept = client.put(f"/api/queue/{option.queue_id}", body, format="json").json()["options"][0]
    assert kept["mediaName"] == "nova.png"
    with django_capture_on_commit_callbacks(execute=True):
        gone = client.delete(f"/api/queue-options/{option.pk}/media-upload")
    assert (gone.status_code, files(store)) == (200, [])
    assert client.get(f"/api/queue/{option.queue_id}").json()["options"][0]["mediaPath"] is None


@pytest.mark.parametrize("way", ["option", "parent", "menu", "queue"])
def test_the_file_goes_with_its_option(
    client_for: ClientFor,
    admin: User,
    option: QueueOption,
    store: Path,
    way: str,
    django_capture_on_commit_callbacks: Any,
) -> None:
    client, queue = client_for(admin), option.queue
    below = queue.options.create(title="Outra", parent=option)
    attach(client, below if way == "parent" else option)
    assert len(files(store)) == 1
    with django_capture_on_commit_callbacks(execute=True):
        if way == "menu":
            client.put(f"/api/queue/{queue.pk}", {"options": []}, format="json")
        elif way == "queue":
            client.delete(f"/api/queue/{queue.pk}")
        else:
            client.delete(f"/api/queue-options/{option.pk}")
    assert files(store) == []


def test_a_file_that_messages_show_stays_with_them(
    client_for: ClientFor,
    admin: User,
    option: QueueOption,
    store: Path,
    django_capture_on_commit_callbacks: Any,
) -> None:
    client = client_for(admin)
    attach(client, option)
    QueueOption.objects.update(is_media_sent=True)
    with django_capture_on_commit_callbacks(execute=True):
        client.delete(f"/api/queue-options/{option.pk}")
    assert len(files(store)) == 1
