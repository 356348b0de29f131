"""Media in an S3-compatible store (SeaweedFS): signed ways, direct upload, and the move there."""

import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import httpx
import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.common import uploads
from apps.common.media import (
    bucket,
    delete_folder,
    delete_media,
    media_url,
    read_media,
    store_media,
)
from apps.common.media_moving import move_files
from apps.common.media_store import BucketStorage
from apps.common.uploads import FOLDER, forget_uploads
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Delivery, Message, Ticket
from conftest import ClientFor
from tests.factories import make_ticket, make_user
from tests.product import ROOT, wait_for
from tests.s3 import S3Server

pytestmark = pytest.mark.xdist_group("bucket")

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
PDF = b"%PDF-1.7 " + b"0" * 3000


@pytest.fixture(scope="module")
def server() -> Iterator[S3Server]:
    server = S3Server()
    yield server
    server.stop()


@pytest.fixture
def store(server: S3Server, settings: Any, tmp_path: Path) -> BucketStorage:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.STORAGES = server.storages
    settings.S3_BROWSER_URL = server.url
    server.empty()
    found = bucket()
    assert found is not None
    return found


@pytest.fixture
def ticket(acme: Company, connection: Connection, agent: User) -> Ticket:
    now = timezone.now()
    return make_ticket(acme, connection=connection, user=agent, status="open", last_inbound_at=now)


Post = Callable[..., Any]


@pytest.fixture
def post(client_for: ClientFor) -> Post:
    def send(user: User, path: str, body: dict[str, Any]) -> Any:
        return client_for(user).post(f"/api{path}", body, format="json")

    return send


def local(address: str) -> str:
    return urlsplit(address)._replace(scheme="", netloc="").geturl()


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def in_folder(settings: Any, name: str, content: bytes) -> Path:
    path = Path(settings.MEDIA_ROOT) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_a_file_is_stored_streamed_in_parts_and_removed(
    store: BucketStorage, server: S3Server, client: Client
) -> None:
    path = store_media(company_id=7, content=PNG, name="foto.png", mime="image/png").path
    assert server.names() == {path: len(PNG)}
    assert read_media(path) == PNG
    address = local(media_url(path))
    whole = client.get(address)
    assert (whole.status_code, body_of(whole)) == (200, PNG)
    with mock.patch.object(BucketStorage, "open", side_effect=AssertionError):
        part = client.get(address, headers={"Range": "bytes=100-199"})  # nothing but the part
    assert (part.status_code, body_of(part)) == (206, PNG[100:200])
    delete_media(path)
    assert server.names() == {}
    assert client.get(address).status_code == 404


def test_a_browser_that_shows_a_file_is_led_to_the_store(
    store: BucketStorage, client: Client
) -> None:
    path = store_media(company_id=7, content=PDF, name="conta.pdf", mime="application/pdf").path
    address = local(media_url(path, "conta.pdf"))
    shown = client.get(address, headers={"Sec-Fetch-Mode": "navigate"})
    assert shown.status_code == 302
    assert shown["Cache-Control"] == "private, max-age=3000"
    found = httpx.get(shown["Location"])
    assert (found.status_code, found.content) == (200, PDF)
    assert found.headers["content-disposition"] == 'attachment; filename="conta.pdf"'
    assert found.headers["content-type"] == "application/pdf"
    other = shown["Location"].replace(path, "7/another.pdf")
    assert httpx.get(other).status_code == 403
    assert httpx.get(shown["Location"].partition("?")[0]).status_code == 403
    for mode in ({}, {"Sec-Fetch-Mode": "cors"}):
        read = client.get(address, headers=mode)
        assert (read.status_code, body_of(read)) == (200, PDF)


def test_what_the_folder_still_has_is_read_there(
    store: BucketStorage, client: Client, settings: Any
) -> None:
    kept = in_folder(settings, "7/antes.png", PNG)
    address = local(media_url("7/antes.png"))
    for headers in ({}, {"Sec-Fetch-Mode": "no-cors"}):
        answer = client.get(address, headers=headers)
        assert (answer.status_code, body_of(answer)) == (200, PNG)
    part = client.get(address, headers={"Range": "bytes=1-3"})
    assert body_of(part) == PNG[1:4]
    delete_folder("7")
    assert not kept.exists()
    assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_a_file_is_brought_by_the_browser_and_sent(
    store: BucketStorage, server: S3Server, post: Post, agent: User, ticket: Ticket
) -> None:
    said = {"name": "foto.png", "mime": "image/png", "size": len(PNG)}
    offer = post(agent, f"/messages/{ticket.pk}/uploads", said)
    assert offer.status_code == 201, offer.json()
    brought = httpx.put(offer.json()["url"], content=PNG, headers=offer.json()["headers"])
    assert brought.status_code == 200, brought.text
    body = {"uploads": [offer.json()["id"]], "body": "Segue", "clientId": str(uuid.uuid4())}
    sent = post(agent, f"/messages/{ticket.pk}", body)
    assert sent.status_code == 201, sent.json()
    [row] = sent.json()["messages"]
    assert (row["mediaType"], row["body"], row["mediaSize"]) == ("image", "Segue", len(PNG))
    message = Message.objects.get()
    assert message.media_path.startswith(f"{ticket.company_id}/")
    assert message.media_path.endswith(".png")
    assert read_media(message.media_path) == PNG
    again = post(agent, f"/messages/{ticket.pk}", body)
    assert [each["id"] for each in again.json()["messages"]] == [row["id"]]
    assert Delivery.objects.count() == 1
    # The address leads no longer to what was sent.
    httpx.put(offer.json()["url"], content=PNG[::-1], headers=offer.json()["headers"])
    assert read_media(message.media_path) == PNG


@pytest.mark.django_db
def test_the_store_takes_what_was_signed_and_nothing_else(
    store: BucketStorage, server: S3Server, post: Post, agent: User, ticket: Ticket
) -> None:
    said = {"name": "foto.png", "mime": "image/png", "size": len(PNG)}
    offer = post(agent, f"/messages/{ticket.pk}/uploads", said).json()
    assert httpx.put(offer["url"], content=PNG + b"!", headers=offer["headers"]).status_code == 403
    html = {"Content-Type": "text/html"}
    assert httpx.put(offer["url"], content=PNG, headers=html).status_code == 403
    assert server.names() == {}
    missing = post(agent, f"/messages/{ticket.pk}", {"uploads": [offer["id"]]})
    assert (missing.status_code, missing.json()["code"]) == (409, "ERR_UPLOAD_MISSING")
    assert not Message.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "mime", "size", "code"),
    [
        ("virus.exe", "application/octet-stream", 10, "ERR_MEDIA_TYPE"),
        ("nada.pdf", "application/pdf", 0, "ERR_MEDIA_TYPE"),
        ("foto.jpg", "image/jpeg", 6 * 1024 * 1024, "ERR_MEDIA_TOO_LARGE"),
    ],
)
def test_what_could_not_be_sent_is_not_brought(
    store: BucketStorage,
    post: Post,
    agent: User,
    ticket: Ticket,
    name: str,
    mime: str,
    size: int,
    code: str,
) -> None:
    said = {"name": name, "mime": mime, "size": size}
    refused = post(agent, f"/messages/{ticket.pk}/uploads", said)
    assert refused.json()["code"] == code


@pytest.mark.django_db
def test_a_file_that_is_not_of_its_type_is_not_sent(
    store: BucketStorage, server: S3Server, post: Post, agent: User, ticket: Ticket
) -> None:
    false = b"<script>alert(1)</script>"
    said = {"name": "foto.png", "mime": "image/png", "size": len(false)}
    offer = post(agent, f"/messages/{ticket.pk}/uploads", said).json()
    httpx.put(offer["url"], content=false, headers=offer["headers"])
    refused = post(agent, f"/messages/{ticket.pk}", {"uploads": [offer["id"]]})
    assert (refused.status_code, refused.json()["code"]) == (415, "ERR_MEDIA_TYPE")
    assert [name.split("/")[0] for name in server.names()] == [FOLDER]
    assert not Message.objects.exists()


@pytest.mark.django_db
def test_a_file_that_is_replaced_after_the_look_is_not_sent(
    store: BucketStorage, server: S3Server, post: Post, agent: User, ticket: Ticket
) -> None:
    said = {"name": "foto.png", "mime": "image/png", "size": len(PNG)}
    offer = post(agent, f"/messages/{ticket.pk}/uploads", said).json()
    httpx.put(offer["url"], content=PNG, headers=offer["headers"])
    keep = uploads.keep_upload

    def replaced_first(upload: Any, **given: Any) -> Any:
        httpx.put(offer["url"], content=PNG[::-1], headers=offer["headers"])
        return keep(upload, **given)

    with mock.patch("apps.common.uploads.keep_upload", replaced_first):
        refused = post(agent, f"/messages/{ticket.pk}", {"uploads": [offer["id"]]})
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_UPLOAD_MISSING")
    assert [name.split("/")[0] for name in server.names()] == [FOLDER]


@pytest.mark.django_db
def test_a_name_of_an_upload_is_for_its_user_alone(
    store: BucketStorage, post: Post, acme: Company, agent: User, admin: User, ticket: Ticket
) -> None:
    said = {"name": "foto.png", "mime": "image/png", "size": len(PNG)}
    offer = post(agent, f"/messages/{ticket.pk}/uploads", said).json()
    httpx.put(offer["url"], content=PNG, headers=offer["headers"])
    colleague = make_user(acme, queues=list(agent.queues.all()))
    own = make_ticket(
        acme,
        connection=ticket.connection,
        user=colleague,
        status="open",
        last_inbound_at=timezone.now(),
    )
    for token in (offer["id"], offer["id"] + "x", "x"):
        refused = post(colleague, f"/messages/{own.pk}", {"uploads": [token]})
        assert (refused.status_code, refused.json()["code"]) == (409, "ERR_UPLOAD_MISSING")
    assert not Message.objects.exists()


@pytest.mark.django_db
def test_files_of_a_store_go_alone(
    store: BucketStorage, post: Post, agent: User, ticket: Ticket
) -> None:
    body = {"uploads": ["x"], "mediaPath": "a", "category": "utility"}
    refused = post(agent, f"/messages/{ticket.pk}", body)
    assert refused.status_code == 400
    assert set(refused.json()["fields"]) == {"mediaPath", "category"}


@pytest.mark.django_db
def test_without_a_store_for_browsers_nothing_is_brought(
    post: Post, agent: User, ticket: Ticket
) -> None:
    said = {"name": "foto.png", "mime": "image/png", "size": 10}
    off = post(agent, f"/messages/{ticket.pk}/uploads", said)
    assert (off.status_code, off.json()["code"]) == (404, "ERR_DIRECT_UPLOAD_OFF")
    off = post(agent, f"/messages/{ticket.pk}", {"uploads": ["x"]})
    assert (off.status_code, off.json()["code"]) == (404, "ERR_DIRECT_UPLOAD_OFF")


def test_what_was_brought_is_removed_after_a_day(store: BucketStorage, server: S3Server) -> None:
    server.client.put_object(Bucket="media", Key=f"{FOLDER}/7/brought", Body=b"x")
    server.client.put_object(Bucket="media", Key="7/kept", Body=b"x")
    assert forget_uploads() == 0
    tomorrow = timezone.now() + uploads.KEPT * 1.1
    with mock.patch("apps.common.uploads.timezone.now", return_value=tomorrow):
        assert forget_uploads() == 1
    assert set(server.names()) == {"7/kept"}


def test_a_folder_moves_and_each_file_is_found_at_each_moment(
    store: BucketStorage, server: S3Server, settings: Any
) -> None:
    files = {f"{n % 3 + 1}/file-{n}.txt": b"%d" % n * 50 for n in range(400)}
    for name, content in files.items():
        in_folder(settings, name, content)
    ended, faults = threading.Event(), []

    def read_all() -> None:
        while True:
            for name, content in files.items():
                try:
                    if read_media(name) != content:
                        faults.append(name)
                except Exception as error:
                    faults.append(f"{name}: {error!r}")
            if ended.is_set():
                return

    reader = threading.Thread(target=read_all)
    reader.start()
    moved = move_files(store)
    ended.set()
    reader.join()
    assert faults == []
    assert (moved.files, moved.known, moved.faults) == (400, 0, [])
    assert moved.bytes == sum(map(len, files.values()))
    assert server.names() == {name: len(content) for name, content in files.items()}
    assert not any(Path(settings.MEDIA_ROOT).rglob("*"))
    assert move_files(store).files == 0


def test_what_is_deleted_while_it_moves_does_not_come_back(
    store: BucketStorage, server: S3Server, settings: Any
) -> None:
    in_folder(settings, "1/a.txt", b"secret")
    put = BucketStorage.put_new

    def delete_behind(store: BucketStorage, name: str, *given: Any, **named: Any) -> str:
        tag = put(store, name, *given, **named)
        default_storage.delete(name)
        # An object that is stored under the same name since is another's.
        return tag

    with mock.patch.object(BucketStorage, "put_new", delete_behind):
        move_files(store)
    assert server.names() == {}


def test_a_file_of_the_same_name_in_the_bucket_is_left_alone(
    store: BucketStorage, server: S3Server, settings: Any
) -> None:
    for name, size in (("1/same.txt", 5), ("1/other.txt", 7)):
        in_folder(settings, name, b"12345")
        server.client.put_object(Bucket="media", Key=name, Body=b"x" * size)
    moved = move_files(store)
    assert (moved.files, moved.known) == (0, 1)
    [fault] = moved.faults
    assert "1/other.txt" in fault and "7 of 5" in fault
    assert (Path(settings.MEDIA_ROOT) / "1/other.txt").exists()
    assert server.names() == {"1/same.txt": 5, "1/other.txt": 7}
    with pytest.raises(CommandError, match="1 files stay"):
        call_command("move_media")


def test_a_move_that_is_killed_goes_on(server: S3Server, tmp_path: Path) -> None:
    server.empty()
    media = tmp_path / "media"
    (media / "1").mkdir(parents=True)
    for n in range(3000):
        (media / "1" / f"{n}.txt").write_bytes(b"%d" % n * 100)
    environment = {**os.environ, **server.environment, "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "move_media"]
    first = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    wait_for(lambda: len(list((media / "1").iterdir())) < 2500, "some to be moved", 120)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    left = len(list((media / "1").iterdir()))
    assert 0 < left < 2500
    second = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert "The folder is empty" in second.stdout
    assert server.names() == {f"1/{n}.txt": len(str(n)) * 100 for n in range(3000)}
    assert not any(media.rglob("*"))
