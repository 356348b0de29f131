"""Every upload takes wrong files and forms as a clear 4xx."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from apps.library.models import FileListItem
from conftest import ClientFor
from tests.worlds import World

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
UPLOADS = [
    ("/quick-messages/{quick_message}/media-upload", "file"),
    ("/schedules/{schedule}/media-upload", "file"),
    ("/campaigns/{campaign}/media-upload", "file"),
    ("/template/media", "file"),
    ("/whatsapp/{connection}/templates/samples", "file"),
    ("/queue-options/{option}/media-upload", "file"),
    ("/files/uploadList/{file_list}", "files"),
    ("/contact-lists/{contact_list}/upload", "file"),
    ("/contact-lists/{contact_list}/upload/preview", "file"),
    ("/contacts/import-file", "file"),
    ("/contacts/import-file/preview", "file"),
    ("/messages/{ticket}", "medias"),
    ("/chats/{chat}/messages", "file"),
]
# What keeps no file of its own, and what Meta gets before us.
NOT_KEPT = {
    "/template/media",
    "/whatsapp/{connection}/templates/samples",
    "/contact-lists/{contact_list}/upload/preview",
    "/contacts/import-file/preview",
}
REFUSED: list[dict[str, Any]] = [
    {},
    {"FILE": "texto"},
    {"FILE": ""},
    {"FILE": SimpleUploadedFile("vazio.png", b"", "image/png")},
    {"FILE": SimpleUploadedFile("falso.png", b"nada", "image/png")},
    {"FILE": SimpleUploadedFile("praga.exe", b"MZ", "application/pdf")},
]
TAKEN_OR_REFUSED: list[dict[str, Any]] = [
    {"FILE": SimpleUploadedFile("a" * 900 + ".png", PNG, "image/png")},
    {"FILE": SimpleUploadedFile("-.", PNG, "image/png")},
    {"FILE": SimpleUploadedFile("😀 \u202e é.png", PNG, "image/png")},
    {"FILE": SimpleUploadedFile("x", PNG, "image/" + "p" * 300)},
    {"FILE": SimpleUploadedFile("x", PNG, "imagem")},
    {
        "FILE": SimpleUploadedFile("x.png", PNG, "image/png"),
        "typeArch": "a" * 70_000,
        "type": "image/" + "p" * 140,
        "whatsappId": "x",
        "ticketId": "9" * 30,
        "clientId": "x",
        "body": "a" * 5000,
        "quotedMsg": "[[",
    },
]


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path
    settings.GRAPH_API_URL = "http://127.0.0.1:9"  # nobody is there


def send(client: Any, path: str, name: str, form: dict[str, Any]) -> Any:
    for value in form.values():
        if isinstance(value, SimpleUploadedFile):
            value.seek(0)
    named = {name if key == "FILE" else key: value for key, value in form.items()}
    return client.post(f"/api{path}", named, format="multipart")


@pytest.mark.parametrize(("path", "name"), UPLOADS)
def test_wrong_files_are_refused_and_nothing_is_stored(
    client_for: ClientFor, world: World, admin: User, tmp_path: Any, path: str, name: str
) -> None:
    client = client_for(admin)
    for form in REFUSED:
        answer = send(client, path.format(**world), name, form)
        assert 400 <= answer.status_code < 500, (form, answer.content)
        assert answer.json()["message"], form
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == []


@pytest.mark.parametrize(("path", "name"), UPLOADS)
def test_odd_names_types_and_fields_are_no_fault(
    client_for: ClientFor, world: World, admin: User, path: str, name: str
) -> None:
    client = client_for(admin)
    for form in TAKEN_OR_REFUSED:
        answer = send(client, path.format(**world), name, form)
        assert answer.status_code < 500, (form, answer.content)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let this process write no file that is larger, as a disk does that is nearly full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.postgres  # the limit is that of SQLite's file as well
@pytest.mark.parametrize(("path", "name"), [each for each in UPLOADS if each[0] not in NOT_KEPT])
def test_on_a_full_disk_the_answer_says_so_and_nothing_is_stored(
    client_for: ClientFor, world: World, admin: User, tmp_path: Any, path: str, name: str
) -> None:
    is_sheet = "upload" in path.split("/") or "import-file" in path
    rows = b"".join(b"Ana %d;5511988%06d\n" % (number, number) for number in range(10_000))
    file = (
        SimpleUploadedFile("lista.csv", b"nome;numero\n" + rows, "text/csv")
        if is_sheet
        else SimpleUploadedFile("foto.png", PNG + b"0" * 300_000, "image/png")
    )
    item = FileListItem.objects.get(file_list=world["file_list"])
    form = {"FILE": file, "id": item.pk} if "file_list" in path else {"FILE": file}
    with files_of_at_most(64 * 1024):
        answer = send(client_for(admin), path.format(**world), name, form)
    assert (answer.status_code, answer.json().get("code")) == (507, "ERR_NO_ROOM"), answer.content
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == []
