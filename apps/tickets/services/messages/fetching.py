"""Downloads received files from the provider, with retries (rules/inbound §7)."""

import logging
import mimetypes
import threading
import time
from contextlib import nullcontext
from datetime import timedelta

from django.core.files.base import File
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from apps.common.errors import DomainError
from apps.common.leases import Claim, LeasedWork, retry_delay
from apps.common.media import StoredMedia, store_media
from apps.common.media_folder import NO_ROOM, require_writable
from apps.common.reasons import Reason, ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import DownloadedMedia
from apps.connections.services import provider_for
from apps.tickets import events
from apps.tickets.models import MediaFetch, MediaState, MediaType, Message
from apps.tickets.services.announcing import file_settled
from apps.tickets.services.outbox.audio import UnreadableAudio, seconds_of
from apps.tickets.services.outbox.statuses import locked_message

logger = logging.getLogger(__name__)

FETCHES = LeasedWork(model=MediaFetch, lease_setting="MEDIA_LEASE_SECONDS", counts=False)
# With the pauses between attempts about two hours; Meta keeps a file for longer.
MAX_ATTEMPTS = 30
# The text of a message, in older browsers too, whose file could not be downloaded.
FAILED_CODE = "ERR_WAPP_DOWNLOAD_MEDIA"
FAILED_NAMES = {MediaType.AUDIO: "audio", MediaType.IMAGE: "imagem", MediaType.VIDEO: "video"}
ERROR_LENGTH = 500
# The seconds until a full disk is checked again. A single file that does not fit waits as long as
# it has waited already, between these two bounds.
DISK_SECONDS = 5.0
LONGEST_DISK_SECONDS = 60.0


class Disk:
    """Whether the disk has room; a full disk is checked at most every `DISK_SECONDS`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_full = False
        self._look_at = 0.0

    def has_room(self) -> bool:
        """Check the disk if it is time to; the downloads handle errors other than a full disk."""
        with self._lock:
            if time.monotonic() < self._look_at:
                return False
            try:
                require_writable()
            except OSError as error:
                if error.errno in NO_ROOM:
                    if not self._is_full:
                        logger.warning("Files are not fetched until there is room: %s", error)
                    self._is_full = True
                    self._look_at = time.monotonic() + DISK_SECONDS
                    return False
            self._is_full = False
            return True


disk = Disk()


def fetch_due(*, limit: int) -> int:
    """Claim up to `limit` due downloads and carry them out; return how many were claimed.

    While the disk is full none is claimed; the rows stay due, so that the sweep calls this again.
    """
    if not disk.has_room():
        return 0
    with FETCHES.claimed(limit) as claim:
        for fetch in claim.rows().select_related("connection", "message") if claim.ids else ():
            _fetch(fetch, claim)
        return len(claim.ids)


def _fetch(fetch: MediaFetch, claim: Claim[MediaFetch]) -> None:
    message = fetch.message
    try:
        claim.begin(fetch, MAX_ATTEMPTS)
        provider = provider_for(fetch.connection)
        try:
            media = provider.download_media(fetch.media_id)
        finally:
            provider.close()
        with media.file or nullcontext():
            stored = store_media(
                company_id=message.company_id,
                content=_content_of(media),
                name=_name_of(message, media),
                mime=message.media_mime or media.mime,
                is_received=True,
                token=_token_of(message),
            )
            seconds = _seconds(message, media)
        _finish(fetch, claim, stored, seconds)
    except ProviderError as error:
        _fail(
            fetch,
            claim,
            error.message,
            error.reason,
            permanent=error.permanent,
            delay=error.retry_after,
        )
    except DomainError as error:
        _fail(fetch, claim, error.sentence, Reason(error.code), permanent=True)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            _wait_for_room(fetch, claim, error)
            return
        logger.exception("Media of message %s could not be fetched", message.pk)
        reason = Reason(ReasonCode.INTERNAL)
        _fail(fetch, claim, "Erro interno ao buscar o arquivo.", reason, permanent=False)


def _wait_for_room(fetch: MediaFetch, claim: Claim[MediaFetch], error: OSError) -> None:
    """Retry without counting an attempt: a full disk is not the file's fault.

    The download was in vain, so the pauses grow: each is as long as the time waited so far.
    """
    logger.warning("Media of message %s could not be stored: %s", fetch.message_id, error)
    now = timezone.now()
    waited = (now - fetch.created_at).total_seconds() - DISK_SECONDS
    pause = timedelta(seconds=min(max(waited, DISK_SECONDS), LONGEST_DISK_SECONDS))
    claim.retry_later(fetch, now + pause, str(error), attempts=F("attempts") - 1)


def _content_of(media: DownloadedMedia) -> "bytes | File[bytes]":
    if media.file is None:
        return media.content
    file: File[bytes] = File(media.file)
    file.size = media.size
    return file


def _token_of(message: Message) -> str:
    return salted_hmac("media fetch", str(message.pk), algorithm="sha256").hexdigest()[:32]


def _name_of(message: Message, media: DownloadedMedia) -> str:
    name = message.media_name or media.name
    if name:
        return name
    mime = (message.media_mime or media.mime).partition(";")[0].strip()
    word = FAILED_NAMES.get(MediaType(message.media_type), "arquivo")
    return f"{word}-{message.pk}{mimetypes.guess_extension(mime) or ''}"


def _seconds(message: Message, media: DownloadedMedia) -> float | None:
    if message.media_type != MediaType.AUDIO:
        return None
    content = media.content
    if media.file is not None:
        media.file.seek(0)
        content = media.file.read()
    try:
        return seconds_of(content)
    except (UnreadableAudio, OSError):
        return None


@transaction.atomic
def _finish(
    fetch: MediaFetch, claim: Claim[MediaFetch], stored: StoredMedia, seconds: float | None
) -> None:
    message = locked_message(fetch.message_id)
    if not claim.finish(fetch) or message is None:
        return
    message.media_state = MediaState.READY
    message.media_path = stored.path
    message.media_name = stored.name
    message.media_mime = stored.mime
    message.media_size = stored.size
    message.media_seconds = seconds
    message.error_code = message.error_reason = ""
    message.reason_code = message.reason_detail = ""
    message.save(
        update_fields=[
            "media_state",
            "media_path",
            "media_name",
            "media_mime",
            "media_size",
            "media_seconds",
            "error_code",
            "error_reason",
            "reason_code",
            "reason_detail",
        ]
    )
    events.messages_and_tickets_updated([message])
    file_settled(message)


@transaction.atomic
def _fail(
    fetch: MediaFetch,
    claim: Claim[MediaFetch],
    sentence: str,
    reason: Reason,
    *,
    permanent: bool,
    delay: float | None = None,
) -> None:
    sentence = sentence[:ERROR_LENGTH]
    if not permanent and fetch.attempts < MAX_ATTEMPTS:
        pause = timedelta(seconds=delay or retry_delay(fetch.attempts))
        claim.retry_later(fetch, timezone.now() + pause, sentence)
        return
    message = locked_message(fetch.message_id)
    if claim.fail(fetch, sentence) and message is not None:
        message.media_state = MediaState.FAILED
        message.error_code, message.error_reason = FAILED_CODE, sentence
        message.reason_code, message.reason_detail = reason.code, reason.detail
        reasons = ("error_code", "error_reason", "reason_code", "reason_detail")
        message.save(update_fields=["media_state", *reasons])
        events.messages_and_tickets_updated([message])
        file_settled(message)
