"""Rules of announcements (rules/announcements §1 to §3)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.core.files.base import File
from django.db import transaction

from apps.accounts.models import User
from apps.announcements import events
from apps.announcements.models import Announcement
from apps.audit.services import record
from apps.common.errors import NotFound
from apps.common.media import MediaTypeRefused, delete_media, mime_of, store_media
from apps.common.media_types import suffix_of
from apps.companies.models import SUPER_COMPANY_ID

PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}


class AnnouncementNotFound(NotFound):
    """The announcement does not exist, or the caller may not read it."""

    code = "ERR_NO_ANNOUNCEMENT_FOUND"
    message = "Informativo não encontrado."


class NoPicture(MediaTypeRefused):
    """The file is not a picture."""

    message = "Anexe uma imagem .png, .jpg ou .jpeg."


def get_announcement(*, user: User, announcement_id: int) -> Announcement:
    """Return an announcement that the user may read; raises AnnouncementNotFound."""
    found = Announcement.objects.visible_to(user).filter(pk=announcement_id).first()
    if found is None:
        raise AnnouncementNotFound
    return found


@transaction.atomic
def create_announcement(*, fields: Mapping[str, Any]) -> Announcement:
    """Create an announcement from fields of the model."""
    announcement = Announcement.objects.create(**fields)
    events.announcement_created(announcement)
    return announcement


@transaction.atomic
def update_announcement(*, announcement_id: int, fields: Mapping[str, Any]) -> Announcement:
    """Change the given fields; raises AnnouncementNotFound."""
    announcement = _locked(announcement_id)
    was_active = announcement.is_active
    for name, value in fields.items():
        setattr(announcement, name, value)
    announcement.save()
    events.announcement_updated(announcement, was_active=was_active)
    return announcement


@transaction.atomic
def delete_announcement(
    *, actor: User, announcement_id: int, ip_address: str | None = None
) -> None:
    """Delete an announcement with its picture, audited; raises AnnouncementNotFound."""
    announcement = _locked(announcement_id)
    record(
        action="announcement.deleted",
        actor=actor,
        company_id=SUPER_COMPANY_ID,
        target=announcement,
        detail={"title": announcement.title},
        ip_address=ip_address,
    )
    announcement.delete()
    _forget_file(announcement.media_path)
    events.announcement_deleted(announcement_id=announcement_id, was_active=announcement.is_active)


def attach_picture(
    *, announcement_id: int, content: "File[bytes]", name: str, mime: str
) -> Announcement:
    """Attach a picture to an announcement, replacing the current one.

    Raises AnnouncementNotFound, MediaTooLarge, and MediaTypeRefused for a file that is not a
    picture by its name, its declared type or its first bytes.
    """
    if PICTURES.get(suffix_of(name)) != mime_of(name, mime):
        raise NoPicture
    stored = store_media(company_id=SUPER_COMPANY_ID, content=content, name=name, mime=mime)
    try:
        with transaction.atomic():
            announcement = _locked(announcement_id)
            _forget_file(announcement.media_path)
            announcement.put_media(stored)
            announcement.save()
            events.announcement_updated(announcement, was_active=announcement.is_active)
    except BaseException:
        delete_media(stored.path)
        raise
    return announcement


@transaction.atomic
def remove_picture(*, announcement_id: int) -> Announcement:
    """Remove an announcement's picture; raises AnnouncementNotFound."""
    announcement = _locked(announcement_id)
    if announcement.media_path:
        _forget_file(announcement.media_path)
        announcement.put_media(None)
        announcement.save()
        events.announcement_updated(announcement, was_active=announcement.is_active)
    return announcement


def _locked(announcement_id: int) -> Announcement:
    # Without the lock two concurrent changes could leave a picture on the disk that no row refers
    # to.
    rows = Announcement.objects.select_for_update()
    announcement = rows.filter(pk=announcement_id).first()
    if announcement is None:
        raise AnnouncementNotFound
    return announcement


def _forget_file(path: str) -> None:
    if path:
        transaction.on_commit(partial(delete_media, path), robust=True)
