import errno
import json
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client

from apps.common.media import (
    MediaTooLarge,
    MediaTypeRefused,
    check_media,
    delete_media,
    kind_of,
    media_url,
    mime_of,
    read_media,
    store_media,
)
from apps.common.media_types import FORBIDDEN_SUFFIXES, TYPES, served_type

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40


@pytest.fixture
def png() -> Iterator[str]:
    stored = store_media(company_id=7, content=PNG, name="../Foto do prato.PNG", mime="image/png")
    assert (stored.name, stored.mime, stored.size) == ("Foto do prato.PNG", "image/png", len(PNG))
    yield stored.path
    delete_media(stored.path)


@pytest.mark.parametrize(
    "declared", ["", "foto", "image/", "a" * 80 + "/" + "b" * 80, "image/png\x00", "<b>/x", "ção/x"]
)
def test_a_declared_type_that_is_none_counts_for_nothing(declared: str) -> None:
    assert mime_of("Foto.png", declared) == "image/png"
    assert mime_of("arquivo", declared) == "application/octet-stream"


def local(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}"


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_a_stored_file_is_under_its_company_with_a_random_name(png: str) -> None:
    assert png.startswith("7/") and png.endswith(".png") and "prato" not in png
    assert read_media(png) == PNG


class _TooLarge(ContentFile[bytes]):
    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        yield PNG[:100]
        raise OSError(errno.ENOSPC, "No space left on device")


def test_half_a_file_does_not_stay_on_a_full_disk(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    with pytest.raises(OSError, match="No space left"):
        store_media(company_id=8, content=_TooLarge(PNG), name="foto.png", mime="image/png")
    assert not list((tmp_path / "8").iterdir())


def test_a_signed_address_streams_the_file(client: Client, png: str) -> None:
    response = client.get(local(media_url(png, "Foto do prato.png")))
    assert response.status_code == 200
    assert body(response) == PNG
    assert response["Content-Disposition"] == 'inline; filename="Foto do prato.png"'
    assert response["Content-Type"] == "image/png"


def test_a_range_is_answered_with_its_bytes(client: Client, png: str) -> None:
    response = client.get(local(media_url(png)), headers={"Range": "bytes=100-199"})
    assert response.status_code == 206
    assert response["Content-Range"] == f"bytes 100-199/{len(PNG)}"
    assert body(response) == PNG[100:200]
    tail = client.get(local(media_url(png)), headers={"Range": "bytes=-5"})
    assert body(tail) == PNG[-5:]
    outside = client.get(local(media_url(png)), headers={"Range": "bytes=999999-"})
    assert outside.status_code == 416


def test_a_forged_or_expired_address_is_not_found(client: Client, png: str, settings: Any) -> None:
    address = local(media_url(png))
    assert client.get(address.replace(png, "8/other.png")).status_code == 404
    assert client.get(f"/api/public/{png}").status_code == 404
    assert client.get("/api/public/zz-00/7/x.png").status_code == 404
    later = time.time() + 3 * timedelta(hours=12).total_seconds()
    with mock.patch("apps.common.media.time.time", return_value=later):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("name", "mime", "content", "error"),
    [
        ("virus.exe", "application/octet-stream", b"MZ" + b"0" * 30, MediaTypeRefused),
        ("page.html", "text/html", b"<script>", MediaTypeRefused),
        ("foto.png", "image/png", b"not a picture at all", MediaTypeRefused),
        ("nada.pdf", "application/pdf", b"", MediaTypeRefused),
        ("foto.jpg", "image/jpeg", b"\xff\xd8\xff" + b"0" * 5 * 1024 * 1024, MediaTooLarge),
    ],
)
def test_forbidden_and_oversized_files_are_refused(
    name: str, mime: str, content: bytes, error: type[Exception]
) -> None:
    with (
        mock.patch("apps.common.media.default_storage.save") as save,
        pytest.raises(error, match=name),
    ):
        store_media(company_id=7, content=content, name=name, mime=mime)
    save.assert_not_called()


@pytest.mark.parametrize("ending", sorted(TYPES))
def test_only_pictures_sounds_and_films_open_in_place_and_none_of_them_runs(
    client: Client, ending: str
) -> None:
    path = f"7/{ending[1:]}-in-place{ending}"
    default_storage.save(path, ContentFile(b"%PDF-1.7 <script>alert(1)</script>"))
    response = client.get(local(media_url(path, f"arquivo{ending}")))
    is_shown = response["Content-Disposition"].startswith("inline")
    family, _, kind = TYPES[ending].partition("/")
    assert is_shown == (
        family in {"audio", "video"}
        or (family == "image" and kind in {"jpeg", "png", "gif", "webp"})
    )
    assert is_shown or response["Content-Disposition"].startswith("attachment")
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Type"] == TYPES[ending]
    body(response)
    delete_media(path)


def test_kinds_follow_the_type() -> None:
    assert [kind_of(m) for m in ("image/png", "audio/ogg", "video/mp4", "text/plain")] == [
        "image",
        "audio",
        "video",
        "application",
    ]


REFUSED = [
    *("a.es", "a.ES", "a.shtml", "a.xht", "a.svgz", "a.htc", "a.mhtml", "a.xsl", "a.php", "a.jar"),
    *("a.exe.", "a.exe ", "a.html. .", "a.unheard", "a.pdf.es", "a.e\u200bs"),
]


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("mime", ["", "text/plain", "application/pdf", "audio/mpeg"])
def test_only_listed_files_may_be_sent(name: str, mime: str) -> None:
    with pytest.raises(MediaTypeRefused):
        check_media(name=name, mime=mime, size=9, start=b"%PDF-1.7")


@pytest.mark.parametrize(
    ("name", "mime", "kept"),
    [
        ("nota.xml", "text/xml", "application/xml"),
        ("extrato.OFX", "", "text/plain"),
        ("lista.csv", "application/vnd.ms-excel", "application/vnd.ms-excel"),
        ("Conta 12.50", "application/pdf", "application/pdf"),
        ("contrato", "application/pdf", "application/pdf"),
        ("som", "audio/ogg; codecs=opus", "audio/ogg"),
        ("arquivo.zip", "application/x-zip-compressed", "application/zip"),
    ],
)
def test_what_people_send_is_taken(name: str, mime: str, kept: str) -> None:
    assert check_media(name=name, mime=mime, size=9, start=b"%PDF-1.7") == kept


def test_a_file_of_no_listed_kind_needs_a_type() -> None:
    with pytest.raises(MediaTypeRefused):
        check_media(name="arquivo", mime="application/octet-stream", size=9, start=b"")
    with pytest.raises(MediaTypeRefused):
        check_media(name="pagina", mime="text/html", size=9, start=b"")


def test_a_customers_unlisted_file_is_a_download(client: Client) -> None:
    stored = store_media(company_id=7, content=b"x", name="peca.f3d", mime="", is_received=True)
    assert (stored.path.endswith(".bin"), stored.mime) == (True, "application/octet-stream")
    response = client.get(local(media_url(stored.path, "peca.f3d")))
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"].startswith("attachment")
    delete_media(stored.path)
    with pytest.raises(MediaTypeRefused):
        store_media(company_id=7, content=b"x", name="a.es", mime="", is_received=True)


@pytest.mark.parametrize(
    "suffix", [".es", ".shtml", ".xht", ".html", ".js", ".svg", ".txt", ".xml"]
)
def test_nothing_that_was_stored_before_runs(client: Client, suffix: str) -> None:
    path = default_storage.save(f"7/older{suffix}", ContentFile(b"alert(1)"))
    response = client.get(local(media_url(path)))
    kind = response["Content-Type"]
    assert kind == served_type(path)
    assert kind in {"application/octet-stream", "text/plain", "application/xml"}
    assert response["Content-Disposition"].startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"
    delete_media(path)


@pytest.mark.sources
def test_the_browser_knows_the_same_list() -> None:
    path = settings.BASE_DIR / "frontend" / "src" / "lib" / "fileTypes.json"
    assert {f".{ending}" for ending in json.loads(path.read_text())} == set(TYPES)
    assert not set(TYPES) & FORBIDDEN_SUFFIXES
