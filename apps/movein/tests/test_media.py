"""Files of the older product's media folder (rules/moving-in §7)."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

from apps.common.media import read_media
from apps.companies.models import Company
from apps.library.models import FileListItem
from apps.movein.services.media import found_in, sniffed
from apps.movein.tests.conftest import dry, dumped, go
from apps.movein.tests.shop import shop_a
from apps.tickets.models import Message

JPEG = b"\xff\xd8\xff\xe0" + b"photo" * 20
PDF = b"%PDF-1.4 catalogue"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the older product's `public`, beside a file that is nobody's business."""
    public = tmp_path / "backend" / "public"
    (public / "fileList" / "1").mkdir(parents=True)
    (public / "foto.jpg").write_bytes(JPEG)
    (public / "fileList" / "1" / "catalogo.pdf").write_bytes(PDF)
    (tmp_path / "backend" / "segredo.txt").write_text("secret")
    return public


@pytest.fixture
def dump(tmp_path: Path, settings: Any) -> str:
    settings.MEDIA_ROOT = tmp_path / "media"
    return dumped(shop_a(), tmp_path / "dump.sql")


def stored() -> list[str]:
    """Return the paths of all stored files."""
    found: list[str] = []

    def look(place: str) -> None:
        folders, files = default_storage.listdir(place)
        found.extend(f"{place}/{each}".lstrip("/") for each in files)
        for each in folders:
            look(f"{place}/{each}".lstrip("/"))

    if Path(default_storage.path("")).exists():
        look("")
    return found


def test_files_come_with_their_rows(operator_company: Company, dump: str, folder: Path) -> None:
    dry(dump, media=folder)
    assert stored() == []
    report = go(dump, media=folder)
    photo = Message.objects.get(external_id="F1")
    assert (photo.media_state, photo.media_mime, photo.media_name) == (
        "ready",
        "image/jpeg",
        "foto.jpg",
    )
    assert photo.media_path.startswith("2/") and "foto" not in photo.media_path
    assert photo.media_size == len(JPEG) and read_media(photo.media_path) == JPEG
    item = FileListItem.objects.get()
    assert item.media_mime == "application/pdf" and read_media(item.media_path) == PDF
    # It names a file outside of the folder.
    outside = Message.objects.get(external_id="F2")
    assert (outside.media_state, outside.media_path) == ("failed", "")
    assert report.tables["Messages#files"] == {"read": 2, "made": 1, "left": 1}
    assert report.notes["file_missing"]["count"] == 1
    kept = sorted(stored())
    assert len(kept) == 2
    go(dump, media=folder)
    assert sorted(stored()) == kept


def test_files_of_messages_come_later_too(
    operator_company: Company, dump: str, folder: Path
) -> None:
    go(dump)
    assert Message.objects.get(external_id="F1").media_state == "failed"
    go(dump, media=folder)
    assert Message.objects.get(external_id="F1").media_state == "ready"


def test_a_file_that_a_customer_could_not_send_is_refused(
    operator_company: Company, dump: str, folder: Path
) -> None:
    (folder / "foto.jpg").write_bytes(b"")
    report = go(dump, media=folder)
    assert Message.objects.get(external_id="F1").media_state == "failed"
    assert report.notes["file_refused"]["examples"] == ["foto.jpg: ERR_MEDIA_TYPE"]


def test_nothing_leads_out_of_the_folder(folder: Path) -> None:
    secret = folder.parent / "segredo.txt"
    (folder / "link.txt").symlink_to(secret)
    (folder / "dir").symlink_to(folder.parent)
    (folder / "circle").symlink_to(folder / "circle")
    for told in (
        *("../segredo.txt", "x/../../segredo.txt", "%2e%2e/segredo.txt", "..\\segredo.txt"),
        *(str(secret), "link.txt", "dir/segredo.txt", "circle", "a\x00b", "fileList", ""),
        "https://elsewhere.example/foto.jpg",
    ):
        assert found_in(folder, told, ("",)) is None, told


def test_where_files_are_found(folder: Path) -> None:
    nested = folder / "media" / "2" / "7" / "9" / "abc"
    nested.mkdir(parents=True)
    (nested / "um dois.pdf").write_bytes(PDF)
    for told in (
        *("media/2/7/9/abc/um dois.pdf", "/media/2/7/9/abc/um%20dois.pdf"),
        "https://old.example:8080/public/media/2/7/9/abc/um%20dois.pdf?x=1",
    ):
        assert found_in(folder, told, ("",)) == nested / "um dois.pdf"
    assert found_in(folder, "catalogo.pdf", ("fileList/1", "")) is not None


@pytest.mark.parametrize(
    ("start", "mime"),
    [
        (JPEG, "image/jpeg"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x20ftypisom", "video/mp4"),
        (b"\x00\x00\x00\x20ftypM4A ", "audio/mp4"),
        (b"OggS\x00", "audio/ogg"),
        (b"hello", ""),
    ],
)
def test_types_by_content(start: bytes, mime: str) -> None:
    assert sniffed(start) == mime
