"""Bringing files of the older product's media folder into our store (rules/moving-in §7)."""

from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.files.base import File
from django.utils.crypto import salted_hmac

from apps.common.errors import DomainError
from apps.common.media import StoredMedia, mime_of, store_media
from apps.movein.mapping.messages import name_of_file
from apps.movein.mapping.values import text
from apps.movein.services.run import Run

# Where the older products serve the folder.
_SERVED = "/public/"
_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"#!AMR", "audio/amr"),
)
_START = 16


def brought(
    run: Run,
    company_id: int,
    stored: Any,
    name: Any = "",
    *,
    folders: tuple[str, ...] = ("",),
    shared: bool = False,
) -> StoredMedia | None:
    """Copy a file into the company's folder, and return it; None, with a remark, if that fails.

    `stored` is the path or address in theirs, looked for in these folders of the media folder. A
    repeated call for the same file replaces it, so a killed run leaves nothing behind.
    """
    told = text(stored, 2000).strip()
    if not told:
        return None
    if run.media is None:
        run.remarks.add("file_without_folder", told)
        return None
    path = found_in(run.media, told, folders)
    if path is None:
        run.remarks.add("file_missing", told)
        return None
    if run.is_dry:
        return None
    shown = text(name, 255).strip() or name_of_file(told)
    token = salted_hmac("apps.movein.media", f"{run.source.pk}/{company_id}/{told}").hexdigest()
    try:
        with path.open("rb") as file:
            start = file.read(_START)
            return store_media(
                company_id=company_id,
                content=File(file, name=path.name),
                name=shown,
                mime=sniffed(start) or mime_of(path.name),
                is_received=True,
                is_shared=shared,
                token=token[:32],
            )
    except DomainError as error:
        run.remarks.add("file_refused", f"{told}: {error.code}")
    except OSError as error:
        run.remarks.add("file_missing", f"{told}: {error.strerror}")
    return None


def found_in(folder: Path, stored: str, folders: tuple[str, ...]) -> Path | None:
    """Return the file that a path or address means, if it is a file within the folder.

    Neither `..` nor a link leads out of it.
    """
    if "://" in stored:
        address = urlsplit(stored).path
        if _SERVED not in address:
            return None
        stored = address.partition(_SERVED)[2]
    root = folder.resolve()
    for told in dict.fromkeys((stored, unquote(stored))):
        parts = PurePosixPath(told.replace("\\", "/").lstrip("/")).parts
        if ".." in parts or "\x00" in told:
            continue
        for each in folders:
            try:
                path = root.joinpath(each, *parts).resolve(strict=True)
                if path.is_relative_to(root) and path.is_file():
                    return path
            except (OSError, RuntimeError):
                continue
    return None


def sniffed(start: bytes) -> str:
    """Return the type that a file's first bytes show, '' for none that is known."""
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "image/webp"
    if start[4:8] == b"ftyp":
        return "audio/mp4" if start[8:11] == b"M4A" else "video/mp4"
    return next((mime for mark, mime in _STARTS if start.startswith(mark)), "")
