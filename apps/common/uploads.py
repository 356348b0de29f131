"""Files that browsers bring to the bucket themselves (rules/messages §5).

A browser says what it will bring and gets an address that takes one file of this size and type for
some minutes. A later call names the file by a token; only then it is looked at, and copied to where
the address does not lead.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.core import signing
from django.utils import timezone

from apps.common.errors import DomainError
from apps.common.media import (
    MediaTypeRefused,
    StoredMedia,
    bucket,
    check_described,
    check_start,
    fresh_files,
    plain_name,
)
from apps.common.media_types import stored_suffix

if TYPE_CHECKING:
    from apps.common.media_store import BucketStorage, Head

FOLDER = "uploads"
ADDRESS_SECONDS = 600
# How long a file waits for the call that names it; also for a repeat of the call.
KEPT = timedelta(days=1)
_SALT = "apps.common.uploads"
_START_BYTES = 16


class UploadsNotOffered(DomainError):
    """No store that browsers reach is set up; files go with the call itself."""

    status = 404
    code = "ERR_DIRECT_UPLOAD_OFF"
    message = "O envio direto de arquivos não está ativado."


class UploadMissing(DomainError):
    """The named file did not arrive, is no longer kept, or is another user's."""

    status = 409
    code = "ERR_UPLOAD_MISSING"
    message = "O arquivo não chegou. Envie-o de novo."


@dataclass(frozen=True)
class Offer:
    """Where a browser brings a file by PUT, with which headers, and how calls name it."""

    token: str
    url: str
    headers: dict[str, str]
    expires_at: datetime


@dataclass(frozen=True)
class Upload:
    """A file that has arrived, checked."""

    path: str
    name: str
    mime: str
    size: int
    tag: str


def offer_upload(*, company_id: int, user_id: int, name: str, mime: str, size: int) -> Offer:
    """Return an address for a file; raises UploadsNotOffered, MediaTooLarge, MediaTypeRefused."""
    store = _store()
    name = plain_name(name)
    mime = check_described(name=name, mime=mime, size=size)
    path = f"{FOLDER}/{company_id}/{secrets.token_urlsafe(18)}"
    said = {"p": path, "n": name, "m": mime, "s": size, "c": company_id, "u": user_id}
    url = store.signed_url(
        "put_object", path, ADDRESS_SECONDS, ContentType=mime, ContentLength=size
    )
    return Offer(
        token=signing.dumps(said, salt=_SALT),
        url=url,
        headers={"Content-Type": mime},
        expires_at=timezone.now() + timedelta(seconds=ADDRESS_SECONDS),
    )


def arrived_upload(token: str, *, company_id: int, user_id: int) -> Upload:
    """Return the file that a token names, after a look at its size, type and first bytes.

    Raises UploadsNotOffered, UploadMissing, MediaTooLarge, MediaTypeRefused.
    """
    store = _store()
    try:
        said = signing.loads(token, salt=_SALT, max_age=KEPT)
    except signing.BadSignature:
        raise UploadMissing from None
    if (said["c"], said["u"]) != (company_id, user_id):
        raise UploadMissing
    head = store.head(said["p"])
    if head is None:
        raise UploadMissing
    name, mime = said["n"], said["m"]
    if head.size != said["s"]:  # a store that does not hold to what was signed
        raise MediaTypeRefused(f"O arquivo {name} não é o que foi anunciado.")
    check_start(name=name, mime=mime, start=_start(store, said["p"], head))
    return Upload(said["p"], name, mime, head.size, head.tag)


def keep_upload(upload: Upload, *, company_id: int) -> StoredMedia:
    """Copy a file to the company's folder, if it is still the one that was looked at.

    The first copy stays for a repeat of the call, until `forget_uploads`. Raises UploadMissing.
    """
    path = f"{company_id}/{secrets.token_urlsafe(18)}{stored_suffix(upload.name, upload.mime)}"
    try:
        _store().copy(upload.path, path, tag=upload.tag, mime=upload.mime)
    except FileNotFoundError as error:
        raise UploadMissing from error
    return StoredMedia(path=path, name=upload.name, mime=upload.mime, size=upload.size)


@contextmanager
def kept_uploads(
    *, company_id: int, user_id: int, tokens: Sequence[str]
) -> "Iterator[list[StoredMedia]]":
    """Keep files that arrived, once all of them are known to be good, as `fresh_files`.

    Raises what `arrived_upload` and `keep_upload` raise; then nothing is kept.
    """
    arrived = [arrived_upload(each, company_id=company_id, user_id=user_id) for each in tokens]
    with fresh_files() as files:
        for each in arrived:
            files.append(keep_upload(each, company_id=company_id))
        yield files


def forget_uploads() -> int:
    """Remove files that no call can name any more; return how many."""
    store = bucket()
    if store is None or not store.browser_url:
        return 0
    count, before = 0, timezone.now() - KEPT - timedelta(seconds=ADDRESS_SECONDS)
    for name, made_at in store.names(f"{FOLDER}/"):
        if made_at < before:
            store.drop(name)
            count += 1
    return count


def _store() -> "BucketStorage":
    store = bucket()
    if store is None or not store.browser_url:
        raise UploadsNotOffered
    return store


def _start(store: "BucketStorage", path: str, head: "Head") -> bytes:
    stream = store.open_range(path, 0, min(head.size, _START_BYTES) - 1, tag=head.tag)
    if stream is None:  # it was replaced in this moment
        raise UploadMissing
    with stream:
        return stream.read()
