"""Fetching received files from the provider, as often as it takes (specification 4 §1.7)."""

import logging
import mimetypes
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.common.claiming import WorkQueue, retry_delay
from apps.common.errors import DomainError
from apps.common.media import StoredMedia, store_media
from apps.connections.providers.base import DownloadedMedia, ProviderError
from apps.connections.services import provider_for
from apps.tickets.models import FetchState, MediaFetch, MediaState, MediaType, Message
from apps.tickets.services.audio import UnreadableAudio, seconds_of
from apps.tickets.services.statuses import locked_messages, tell_changed

logger = logging.getLogger(__name__)

FETCHES = WorkQueue(
    model=MediaFetch,
    unfinished="work.state IN ('waiting', 'claimed')",
    claimable=(
        "(work.state = 'waiting' AND work.next_attempt_at <= %(now)s)"
        " OR (work.state = 'claimed' AND work.lease_expires_at < %(now)s)"
    ),
)
# With the pauses between them about two hours; Meta keeps a file for longer.
MAX_ATTEMPTS = 30
# What a row shows, in older browsers too, when the file can't be had.
FAILED_CODE = "ERR_WAPP_DOWNLOAD_MEDIA"
FAILED_NAMES = {MediaType.AUDIO: "audio", MediaType.IMAGE: "imagem", MediaType.VIDEO: "video"}
ERROR_LENGTH = 500


def fetch_due(*, owner: str, limit: int) -> int:
    """Claim up to `limit` due downloads and do them; returns how many were claimed."""
    claim, ids = FETCHES.claim(
        owner=owner, lease=timedelta(seconds=settings.MEDIA_LEASE_SECONDS), limit=limit
    )
    fetches = MediaFetch.objects.filter(pk__in=ids).order_by("pk")
    try:
        for fetch in fetches.select_related("connection", "message"):
            _fetch(fetch, claim)
    except BaseException:
        # Not a lease's length later: the next round takes what this one leaves.
        MediaFetch.objects.filter(owner=claim, state=FetchState.CLAIMED).update(
            state=FetchState.WAITING, owner="", lease_expires_at=None
        )
        raise
    return len(ids)


def _fetch(fetch: MediaFetch, claim: str) -> None:
    message = fetch.message
    try:
        provider = provider_for(fetch.connection)
        try:
            media = provider.download_media(fetch.media_id)
        finally:
            provider.close()
        stored = store_media(
            company_id=message.company_id,
            content=media.content,
            name=_name_of(message, media),
            mime=message.media_mime or media.mime,
        )
        _finish(fetch, claim, stored, _seconds(message, media))
    except ProviderError as error:
        _fail(fetch, claim, error.message, permanent=error.permanent, delay=error.retry_after)
    except DomainError as error:
        _fail(fetch, claim, error.sentence, permanent=True)
    except Exception:
        logger.exception("Media of message %s could not be fetched", message.pk)
        _fail(fetch, claim, "Erro interno ao buscar o arquivo.", permanent=False)


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
    try:
        return seconds_of(media.content)
    except (UnreadableAudio, OSError):
        return None


@transaction.atomic
def _finish(fetch: MediaFetch, claim: str, stored: StoredMedia, seconds: float | None) -> None:
    message = locked_messages().filter(pk=fetch.message_id).first()
    done = _ours(fetch, claim).update(state=FetchState.DONE, owner="", lease_expires_at=None)
    if not done or message is None:
        return
    message.media_state = MediaState.READY
    message.media_path = stored.path
    message.media_name = stored.name
    message.media_mime = stored.mime
    message.media_size = stored.size
    message.media_seconds = seconds
    message.error_code = message.error_reason = ""
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
        ]
    )
    tell_changed(message)


@transaction.atomic
def _fail(
    fetch: MediaFetch, claim: str, reason: str, *, permanent: bool, delay: float | None = None
) -> None:
    attempts = fetch.attempts + 1
    reason = reason[:ERROR_LENGTH]
    if not permanent and attempts < MAX_ATTEMPTS:
        _ours(fetch, claim).update(
            state=FetchState.WAITING,
            attempts=attempts,
            next_attempt_at=timezone.now() + timedelta(seconds=delay or retry_delay(attempts)),
            last_error=reason,
            owner="",
            lease_expires_at=None,
        )
        return
    message = locked_messages().filter(pk=fetch.message_id).first()
    failed = _ours(fetch, claim).update(
        state=FetchState.FAILED,
        attempts=attempts,
        last_error=reason,
        owner="",
        lease_expires_at=None,
    )
    if failed and message is not None:
        message.media_state = MediaState.FAILED
        message.error_code, message.error_reason = FAILED_CODE, reason
        message.save(update_fields=["media_state", "error_code", "error_reason"])
        tell_changed(message)


def _ours(fetch: MediaFetch, claim: str) -> "QuerySet[MediaFetch]":
    return MediaFetch.objects.filter(pk=fetch.pk, owner=claim, state=FetchState.CLAIMED)
