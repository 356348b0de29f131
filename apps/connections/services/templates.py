"""The message templates of a number of the official API, and the files of their headers."""

import hashlib
import logging
import uuid
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Case, QuerySet, When
from django.utils import timezone
from redis.exceptions import RedisError

from apps.accounts.models import User
from apps.common.errors import DomainError, InvalidInput
from apps.common.media import (
    MediaTypeRefused,
    check_media,
    delete_media,
    kind_of,
    mime_of,
    store_media,
)
from apps.connections.models import Connection, ConnectionStatus, ProviderKind, TemplateMedia
from apps.connections.providers.base import ProviderError
from apps.connections.services.graph_cache import keep, kept
from apps.connections.services.provision import official_provider_for, token_of
from apps.connections.services.saving import ConnectionNotFound
from apps.connections.template_files import is_whole
from apps.connections.templates import Template, read_template

logger = logging.getLogger(__name__)

# Longer than the life of any cached list.
MARK_LIFETIME = timedelta(days=1)
READ_SECONDS = 10.0
# The file types of headers (rules/messages §8), and the header's format.
HEADER_MIMES = {
    "image/png": "image",
    "image/jpeg": "image",
    "application/pdf": "document",
    "video/mp4": "video",
}
MIME_SPELLINGS = {"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg"}
# Meta deletes an upload after 30 days; so do we.
MEDIA_LIFETIME = timedelta(days=30)
BATCH = 200


class NotOfficial(DomainError):
    """The connection is a QR session, which knows no templates."""

    code = "ERR_TEMPLATES_NOT_SUPPORTED"
    message = "Só números da API oficial têm modelos de mensagem. Escolha outra conexão."


class NoOfficialConnection(DomainError):
    """The company has no number of the official API."""

    code = "ERR_NO_OFFICIAL_CONNECTION"
    message = "Nenhum número da API oficial está cadastrado. Adicione um em Conexões."


class TemplatesUnavailable(DomainError):
    """Meta failed to list templates or refused the file; the sentence is Meta's reason.

    Not a 502: a proxy would treat that as a fault of ours and might repeat the call.
    """

    status = 424
    code = "ERR_TEMPLATES_UNAVAILABLE"
    message = "Os modelos de mensagem não puderam ser lidos na Meta. Tente de novo."


class TemplateNotFound(DomainError):
    """The account has no template of this name in this language."""

    code = "ERR_TEMPLATE_NOT_FOUND"
    message = "Este modelo não existe nesta conexão. Atualize a lista de modelos."


class TemplateNotApproved(DomainError):
    """Only an approved template can be sent (rules/messages §8)."""

    code = "ERR_TEMPLATE_NOT_APPROVED"
    message = "Este modelo ainda não foi aprovado pela Meta ou deixou de ser."


class TemplatePaused(TemplateNotApproved):
    """Meta has paused the template for low quality; it approves it again by itself."""


class TemplateDisabled(TemplateNotApproved):
    """Meta has disabled the template for good."""


class TemplateMediaNotFound(DomainError):
    """No such upload on this connection, or it is too old."""

    code = "ERR_TEMPLATE_MEDIA"
    message = "O arquivo do cabeçalho não está mais disponível. Anexe-o de novo."


REFUSALS = {"PAUSED": TemplatePaused, "DISABLED": TemplateDisabled}


def template_connection(*, user: User, connection_id: int | None) -> Connection:
    """Return the official number that is named, else the user's, the company's, or the first.

    Raises ConnectionNotFound for a foreign one, NotOfficial and NoOfficialConnection.
    """
    connections = Connection.objects.for_company(user.company_id)
    if connection_id is not None:
        named = connections.filter(pk=connection_id).first()
        if named is None:
            raise ConnectionNotFound(fields={"whatsappId": [ConnectionNotFound.message]})
        check_official(named)
        return named
    found = (
        connections.filter(provider=ProviderKind.OFFICIAL)
        .order_by(
            Case(When(pk=user.connection_id or 0, then=0), default=1),
            "-is_default",
            Case(When(status=ConnectionStatus.CONNECTED, then=0), default=1),
            "pk",
        )
        .first()
    )
    if found is None:
        raise NoOfficialConnection
    return found


def check_official(connection: Connection) -> None:
    """Raise NotOfficial for a number without templates."""
    if connection.provider != ProviderKind.OFFICIAL:
        raise NotOfficial


def templates_of(connection: Connection, *, refresh: bool = False) -> list[Template]:
    """Return all templates of a number's account, by name and language; kept for ten minutes.

    Raises NotOfficial and TemplatesUnavailable. Never call it inside a transaction.
    """
    check_official(connection)
    # The cache key is taken before Meta is asked: after a change meanwhile the next caller reads
    # again.
    key = _key_of(connection)
    rows = None if refresh else kept(key)
    if rows is None:
        rows = _fetched(connection)
        keep(key, rows)
    templates = [template for row in rows if (template := read_template(row)) is not None]
    return sorted(templates, key=lambda each: (each.name, each.language))


def find_template(
    connection: Connection, *, name: str, language: str, template_id: str = ""
) -> Template:
    """Return an approved template by its id, else by name and language.

    The cached list comes first; if the template is not approved there, the list is read again.
    Raises TemplateNotFound, TemplateNotApproved and the errors of `templates_of`.
    """
    found: Template | None = None
    for refresh in (False, True):
        found = _among(
            templates_of(connection, refresh=refresh),
            name=name,
            language=language,
            template_id=template_id,
        )
        if found is not None and found.can_be_sent:
            return found
    if found is None:
        raise TemplateNotFound(fields={"template": [TemplateNotFound.message]})
    sentence = (
        TemplateNotApproved.message
        if found.is_supported
        else "Este modelo usa recursos que só o Gerenciador do WhatsApp envia."
    )
    refusal = REFUSALS.get(found.status, TemplateNotApproved)
    raise refusal(sentence, fields={"template": [sentence]})


def _among(
    templates: list[Template], *, name: str, language: str, template_id: str
) -> Template | None:
    if template_id:
        return next((each for each in templates if each.id == template_id), None)
    named = [each for each in templates if each.name == name]
    if language:
        return next((each for each in named if each.language == language), None)
    # A browser that names no language means the only one there is.
    return named[0] if len(named) == 1 else None


def forget_templates(waba_id: str) -> None:
    """Invalidate the cached templates of an account, also for calls that are reading them now."""
    try:
        # A call that is reading now stores its list under the older mark, which is not used again.
        cache.set(_mark_key(waba_id), uuid.uuid4().hex, MARK_LIFETIME.total_seconds())
    except RedisError:
        logger.warning("The templates of account %s could not be forgotten", waba_id)


def _mark_key(waba_id: str) -> str:
    digest = hashlib.sha256(waba_id.encode()).hexdigest()[:24]
    return f"templates-mark:{digest}"


def _key(connection: Connection) -> str:
    token = token_of(connection)
    mark = cache.get(_mark_key(connection.waba_id), "")
    source = f"{settings.GRAPH_API_URL} {connection.waba_id} {token} {mark}"
    return f"templates:{connection.pk}:{hashlib.sha256(source.encode()).hexdigest()[:24]}"


def _key_of(connection: Connection) -> str:
    try:
        return _key(connection)
    except RedisError:  # the cache is optional
        return ""


def _fetched(connection: Connection) -> list[Any]:
    provider = official_provider_for(connection, read_seconds=READ_SECONDS)
    try:
        return provider.list_templates(connection.waba_id)
    except ProviderError as error:
        raise TemplatesUnavailable(error.message, extra=error.reason.on_wire()) from error


def upload_template_media(
    *, connection: Connection, file: "UploadedFile[Any]", mime: str = ""
) -> TemplateMedia:
    """Upload a header's file to Meta and keep our copy; returns the row with Meta's id.

    `mime` is what the caller says the file is. Raises NotOfficial, MediaTooLarge, MediaTypeRefused,
    TemplatesUnavailable (also for a number that was never shown); then nothing is kept. Never call
    it inside a transaction.
    """
    check_official(connection)
    if connection.verified_at is None:
        raise TemplatesUnavailable(
            "Este número ainda não foi confirmado pela Meta. Reconecte-o em Conexões."
        )
    content, name, mime = checked_header(file, mime)
    try:
        media_id = official_provider_for(connection).upload_media(content, mime=mime, name=name)
    except ProviderError as error:
        raise TemplatesUnavailable(error.message, extra=error.reason.on_wire()) from error
    stored = store_media(company_id=connection.company_id, content=content, name=name, mime=mime)
    try:
        return TemplateMedia.objects.create(
            company_id=connection.company_id,
            connection=connection,
            media_id=media_id[:100],
            path=stored.path,
            name=stored.name,
            mime=stored.mime,
            size=stored.size,
        )
    except BaseException:
        delete_media(stored.path)
        raise


def checked_header(file: "UploadedFile[Any]", declared: str = "") -> tuple[bytes, str, str]:
    """Return bytes, name and type of a header's file; raises MediaTooLarge, MediaTypeRefused."""
    name = file.name or "arquivo"
    said = declared if "/" in declared else (file.content_type or "")
    mime = MIME_SPELLINGS.get(mime := mime_of(name, said), mime)
    if mime not in HEADER_MIMES:
        raise _field_error(
            MediaTypeRefused("O cabeçalho aceita imagem PNG ou JPG, documento PDF ou vídeo MP4.")
        )
    try:
        start = file.read(16)
        file.seek(0)
        check_media(name=name, mime=mime, size=file.size or 0, start=start)
    except DomainError as error:
        raise _field_error(error) from error
    content: bytes = file.read()
    if not is_whole(content, mime):
        sentence = f"O arquivo {name} está incompleto ou danificado."
        raise _field_error(MediaTypeRefused(sentence))
    return content, name, mime


def _field_error(error: DomainError) -> DomainError:
    error.fields = {"file": [error.sentence]}
    return error


def media_for_header(*, connection: Connection, media_id: str) -> TemplateMedia:
    """Return an upload by Meta's id; raises TemplateMediaNotFound for a foreign or old one."""
    found = (
        TemplateMedia.objects.for_company(connection.company_id)
        .filter(
            connection=connection,
            media_id=media_id,
            created_at__gt=timezone.now() - MEDIA_LIFETIME,
        )
        .first()
    )
    if found is None:
        raise TemplateMediaNotFound
    return found


def header_kind(media: TemplateMedia) -> str:
    """Return the format of the header that an upload is for: image, document or video."""
    kind = kind_of(media.mime)
    return "document" if kind == "application" else kind


def purge_template_media(
    *, before: datetime, kept: Callable[[], Collection[str]] = frozenset
) -> int:
    """Delete uploads older than a moment with our copies; returns how many.

    `kept` returns Meta's ids of those that are still needed; it is asked if there is an old one.
    """
    rows: QuerySet[TemplateMedia] = TemplateMedia.objects.filter(created_at__lt=before)
    if not rows.exists():
        return 0
    rows = rows.exclude(media_id__in=kept())
    purged = 0
    while page := list(rows.order_by("pk")[:BATCH]):
        for media in page:
            delete_media(media.path)
        purged += TemplateMedia.objects.filter(pk__in=[media.pk for media in page]).delete()[0]
    return purged


def require_file(file: Any) -> "UploadedFile[Any]":
    """Return the file of a form; raises InvalidInput without one."""
    if not isinstance(file, UploadedFile):
        sentence = "Escolha um arquivo."
        raise InvalidInput(sentence, fields={"file": [sentence]}, rule="required")
    return file
