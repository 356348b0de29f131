"""Private media: random names in a folder per company, served through signed, expiring addresses.

See rules/messages §5. A `mediaPath` carries its own signature and is streamed at
`/api/public/{mediaPath}`, never redirected to the store.
"""

import hashlib
import hmac
import mimetypes
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any, cast
from urllib.parse import quote

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.utils.crypto import constant_time_compare
from django.utils.http import content_disposition_header

from apps.common.errors import DomainError, NotFound
from apps.common.media_folder import media_folder
from apps.common.media_types import (
    FORBIDDEN_SUFFIXES,
    FORBIDDEN_TYPES,
    TYPES,
    UNKNOWN,
    is_known,
    stored_suffix,
    suffix_of,
)

if TYPE_CHECKING:
    # It loads the store's client, which an installation without a bucket does not need.
    from apps.common.media_store import BucketStorage

MEGABYTE = 1024 * 1024
# WhatsApp's limits in bytes per kind (Cloud API reference, "Supported media types").
SIZE_LIMITS = {
    "image": 5 * MEGABYTE,
    "audio": 16 * MEGABYTE,
    "video": 16 * MEGABYTE,
    "application": 100 * MEGABYTE,
}
SIGNATURES = {
    "image/jpeg": (0, (b"\xff\xd8\xff",)),
    "image/png": (0, (b"\x89PNG\r\n\x1a\n",)),
    "image/gif": (0, (b"GIF87a", b"GIF89a")),
    "image/webp": (8, (b"WEBP",)),
    "application/pdf": (0, (b"%PDF-",)),
    "video/mp4": (4, (b"ftyp",)),
}
# Displayed inline; all others are downloads, so that no upload runs as a page of our origin. A PDF
# may contain scripts and forms under our address, and browsers display no PDF in the sandbox that
# all files are served in.
INLINE_TYPES = re.compile(r"^(image/(jpeg|png|gif|webp)|audio/.+|video/.+)$")
MIME_LENGTH = 150
# The subfolder of files that several messages share.
SHARED = "shared"
# RFC 6838 §4.2
_MIME = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_SALT = "apps.common.media"


class MediaTooLarge(DomainError):
    """The file is over its kind's limit."""

    status = 413
    code = "ERR_MEDIA_TOO_LARGE"
    message = "O arquivo é grande demais."


class MediaTypeRefused(DomainError):
    """The file's type is not accepted, or its content does not match the type."""

    status = 415
    code = "ERR_MEDIA_TYPE"
    message = "Este tipo de arquivo não é aceito."


@dataclass(frozen=True)
class StoredMedia:
    """A file in the private store: its storage path, the name people gave it, type and bytes."""

    path: str
    name: str
    mime: str
    size: int


def kind_of(mime: str) -> str:
    """Return the wire's kind of a file: image, audio, video or application."""
    family = mime.partition("/")[0]
    return family if family in {"image", "audio", "video"} else "application"


def mime_of(name: str, declared: str = "") -> str:
    """Return a file's type without parameters: the declared one, else the one that its name
    suggests.

    A malformed or too long declared type is ignored.
    """
    mime = declared.partition(";")[0].strip().lower()
    if mime == "application/octet-stream" or not _MIME.fullmatch(mime) or len(mime) > MIME_LENGTH:
        mime = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return mime


def _accepted_type(name: str, declared: str, *, is_received: bool) -> str:
    mime, suffix = mime_of(name, declared), suffix_of(name)
    is_listed = suffix in TYPES if suffix else is_known(mime)
    is_refused = suffix in FORBIDDEN_SUFFIXES or mime in FORBIDDEN_TYPES
    if is_refused or not (is_listed or is_received):
        raise MediaTypeRefused(f"O arquivo {name} é de um tipo que não pode ser enviado.")
    return mime if is_known(mime) else TYPES.get(suffix, UNKNOWN)


def check_media(*, name: str, mime: str, size: int, start: bytes, is_received: bool = False) -> str:
    """Return the file's type when it may be sent; `start` are its first 16 bytes or more.

    `is_received`: a customer sent it, so that one of an unlisted type is kept, to be downloaded.
    Raises MediaTooLarge or MediaTypeRefused with the file's name in the sentence.
    """
    mime = check_described(name=name, mime=mime, size=size, is_received=is_received)
    check_start(name=name, mime=mime, start=start)
    return mime


def check_described(*, name: str, mime: str, size: int, is_received: bool = False) -> str:
    """Return the type of a file that may be sent by what is said of it; see `check_media`."""
    mime = _accepted_type(name, mime, is_received=is_received)
    limit = SIZE_LIMITS[kind_of(mime)]
    if size > limit:
        raise MediaTooLarge(f"O arquivo {name} passa do limite de {limit // MEGABYTE} MB.")
    if size == 0:
        raise MediaTypeRefused(f"O arquivo {name} está vazio.")
    return mime


def check_start(*, name: str, mime: str, start: bytes) -> None:
    """Raise MediaTypeRefused unless a file begins as those of its type do."""
    offset, signatures = SIGNATURES.get(mime, (0, ()))
    if signatures and not any(start[offset:].startswith(mark) for mark in signatures):
        raise MediaTypeRefused(f"O arquivo {name} está danificado ou não é do tipo que diz ser.")


def plain_name(name: str) -> str:
    """Return a file's name without folders, in the length that is kept."""
    return PurePosixPath(name.replace("\\", "/")).name[:255] or "arquivo"


def bucket() -> "BucketStorage | None":
    """Return the bucket that files are stored in; None where they are in a folder."""
    return None if media_folder() is not None else cast("BucketStorage", default_storage)


def store_media(
    *,
    company_id: int,
    content: "bytes | File[bytes]",
    name: str,
    mime: str,
    is_shared: bool = False,
    is_received: bool = False,
    token: str = "",
) -> StoredMedia:
    """Check and store a file under the company's folder.

    `is_shared`: many messages will show this one file, so that none of them takes it along.
    `is_received`: see `check_media`.
    `token`: the file's name where the same one may be stored again; what a process that died has
    left of it is replaced.
    Raises MediaTooLarge or MediaTypeRefused; then nothing is stored.
    """
    name = plain_name(name)
    file: File[Any] = ContentFile(content) if isinstance(content, bytes) else content
    file.seek(0)
    start = file.read(16)
    file.seek(0)
    size = file.size or 0
    mime = check_media(name=name, mime=mime, size=size, start=start, is_received=is_received)
    suffix = stored_suffix(name, mime)
    folder = f"{company_id}/{SHARED}" if is_shared else str(company_id)
    path = f"{folder}/{token or secrets.token_urlsafe(18)}{suffix}"
    if token:
        default_storage.delete(path)
    try:
        path = default_storage.save(path, file)
    except BaseException:  # a full disk keeps the part that fitted
        default_storage.delete(path)
        raise
    return StoredMedia(path=path, name=name, mime=mime, size=size)


def is_shared(path: str) -> bool:
    """Tell whether a stored file is shared by messages."""
    return path.split("/")[1:2] == [SHARED]


def open_media(path: str) -> "IO[Any]":
    """Open a stored file for reading; raises NotFound when it is gone."""
    try:
        return default_storage.open(path, "rb")
    except (FileNotFoundError, OSError) as error:
        raise NotFound("O arquivo não está mais disponível.") from error


class _Part:
    """A number of bytes of an open file, from its present position."""

    def __init__(self, file: "IO[bytes]", length: int) -> None:
        self.file = file
        self.left = length

    def read(self, size: int = -1) -> bytes:
        block = self.file.read(self.left if size < 0 else min(size, self.left))
        self.left -= len(block)
        return block

    def close(self) -> None:
        self.file.close()


def open_part(path: str, start: int, length: int) -> "IO[bytes]":
    """Open a part of a stored file, which a bucket sends alone; raises NotFound when it is gone."""
    store = bucket()
    if store is not None and length:
        stream = store.open_range(path, start, start + length - 1)
        if stream is not None:
            return stream
    file = open_media(path)
    file.seek(start)
    return cast("IO[bytes]", _Part(file, length))


def read_media(path: str) -> bytes:
    """Return a stored file's bytes; raises NotFound when it is gone."""
    with open_media(path) as file:
        content: bytes = file.read()
        return content


def delete_media(path: str) -> None:
    """Remove a stored file; one that is gone already is fine."""
    if path:
        default_storage.delete(path)


def delete_folder(folder: str) -> None:
    """Remove a folder of the store with all that is in it; one that is gone already is fine."""
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in files:
        default_storage.delete(f"{folder}/{name}")
    for name in folders:
        delete_folder(f"{folder}/{name}")
    default_storage.delete(folder)


@contextmanager
def fresh_files() -> Iterator[list[StoredMedia]]:
    """Yield a list for newly stored files; files that are still in it at the end are deleted.

    Clear it after the rows of the files are committed.
    """
    files: list[StoredMedia] = []
    try:
        yield files
    finally:
        for file in files:
            delete_media(file.path)


@contextmanager
def stored_uploads(
    *, company_id: int, uploads: "Sequence[UploadedFile[Any]]"
) -> Iterator[list[StoredMedia]]:
    """Store uploads, once all of them are known to be good, as `fresh_files`.

    Raises MediaTooLarge or MediaTypeRefused; then nothing is stored.
    """
    for upload in uploads:
        start = upload.read(16)
        upload.seek(0)
        check_media(
            name=upload.name or "",
            mime=upload.content_type or "",
            size=upload.size or 0,
            start=start,
        )
    with fresh_files() as files:
        for upload in uploads:
            files.append(
                store_media(
                    company_id=company_id,
                    content=upload,
                    name=upload.name or "",
                    mime=upload.content_type or "",
                )
            )
        yield files


@lru_cache(maxsize=1)
def _seal(secret: str) -> "hmac.HMAC":
    # Cached: a list signs many addresses, and deriving the key costs as much as a signature.
    key = hashlib.sha256((_SALT + secret).encode()).digest()
    return hmac.new(key, digestmod=hashlib.sha256)


def _signature(path: str, expires: str) -> str:
    seal = _seal(settings.SECRET_KEY).copy()
    seal.update(f"{expires}:{path}".encode())
    return seal.hexdigest()[:32]


def signed_path(path: str) -> str:
    """Return a `mediaPath`: the storage path behind its signature and expiry.

    Good for one to two lifetimes: the expiry is rounded up, so that a browser sees one address
    for hours and keeps the file in its cache.
    """
    lifetime = int(settings.MEDIA_URL_LIFETIME.total_seconds())
    expires = format((int(time.time()) // lifetime + 2) * lifetime, "x")
    return f"{expires}-{_signature(path, expires)}/{path}"


def media_url(path: str, name: str = "") -> str:
    """Return the absolute, signed, expiring address of a stored file; nothing for no file.

    Call it only with a path of the caller's own company.
    """
    if not path:
        return ""
    query = f"?name={quote(name, safe='')}" if name else ""
    return f"{settings.PUBLIC_URL}/api/public/{quote(signed_path(path))}{query}"


def path_of_signed(media_path: str) -> str:
    """Return the storage path of a `mediaPath`; raises NotFound when forged or expired."""
    seal, _, path = media_path.partition("/")
    expires, _, signature = seal.partition("-")
    if not path or not constant_time_compare(signature, _signature(path, expires)):
        raise NotFound("Este endereço de arquivo não é válido.")
    if int(expires, 16) < time.time():
        raise NotFound("Este endereço de arquivo expirou. Recarregue a página.")
    return path


def disposition(name: str, mime: str) -> str:
    """Return the Content-Disposition of a file: in place for harmless types, else a download."""
    inline = INLINE_TYPES.match(mime) is not None
    return content_disposition_header(not inline, name) or "attachment"
