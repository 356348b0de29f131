import errno
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from apps.common.media import (
    MediaTooLarge,
    MediaTypeRefused,
    delete_media,
    kind_of,
    media_url,
    mime_of,
    read_media,
    store_media,
)

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


def test_uploads_that_could_run_are_downloads_not_pages(client: Client) -> None:
    stored = store_media(company_id=7, content=b"a,b", name="lista.csv", mime="text/csv")
    response = client.get(local(media_url(stored.path, "lista.csv")))
    assert response["Content-Disposition"].startswith("attachment")
    assert "sandbox" in response["Content-Security-Policy"]
    delete_media(stored.path)


def test_kinds_follow_the_type() -> None:
    assert [kind_of(m) for m in ("image/png", "audio/ogg", "video/mp4", "text/plain")] == [
        "image",
        "audio",
        "video",
        "application",
    ]
