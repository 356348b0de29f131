"""Files of template headers beyond the time that Meta keeps them (rules/messages §8)."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.common.errors import NotFound
from apps.common.media import fresh_files, read_media, store_media
from apps.connections.models import Connection, TemplateMedia
from apps.connections.providers.base import ProviderError
from apps.connections.services.provision import official_provider_for
from apps.connections.services.templates import TemplateMediaNotFound, TemplatesUnavailable

# Meta deletes uploads after 30 days; a message may wait for a day until it is sent.
GOOD_FOR = timedelta(days=29)


def usable_media_id(*, connection: Connection, media_id: str) -> str:
    """Return Meta's id of a header's file that is valid for at least another day.

    `media_id` is Meta's first id. An older file, or one of another number of the company, is
    uploaded again from our copy. Raises TemplateMediaNotFound, TemplatesUnavailable. Never call it
    inside a transaction.
    """
    uploads = TemplateMedia.objects.for_company(connection.company_id)
    uploads = uploads.filter(Q(media_id=media_id) | Q(renewed_id=media_id))
    known = uploads.filter(connection=connection).first() or uploads.first()
    if known is None:
        raise TemplateMediaNotFound
    is_here = known.connection_id == connection.pk
    if is_here and (known.renewed_at or known.created_at) > timezone.now() - GOOD_FOR:
        return known.renewed_id or known.media_id
    try:
        content = read_media(known.path)
    except NotFound as error:
        raise TemplateMediaNotFound from error
    provider = official_provider_for(connection)
    try:
        renewed_id = provider.upload_media(content, mime=known.mime, name=known.name)[:100]
    except ProviderError as error:
        raise TemplatesUnavailable(error.message, extra=error.reason.on_wire()) from error
    now = timezone.now()
    if is_here:
        uploads.filter(pk=known.pk).update(renewed_id=renewed_id, renewed_at=now)
    else:
        _take_over(known, connection, content, renewed_id)
    return renewed_id


def _take_over(known: TemplateMedia, connection: Connection, content: bytes, meta_id: str) -> None:
    """Store an upload of another number's file with a copy of its own; the other may be deleted."""
    with fresh_files() as files:
        copy = store_media(
            company_id=known.company_id, content=content, name=known.name, mime=known.mime
        )
        files.append(copy)
        with transaction.atomic():
            TemplateMedia.objects.update_or_create(
                connection=connection,
                media_id=known.media_id,
                defaults={
                    "company_id": known.company_id,
                    "path": copy.path,
                    "name": copy.name,
                    "mime": copy.mime,
                    "size": copy.size,
                    "renewed_id": meta_id,
                    "renewed_at": timezone.now(),
                },
            )
        files.clear()
