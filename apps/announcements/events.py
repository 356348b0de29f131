"""Realtime events of announcements and helps, for all companies."""

from typing import Any

from rest_framework import serializers

from apps.announcements.models import Announcement, Help
from apps.announcements.queries import super_users
from apps.announcements.serializers import (
    AnnouncementSerializer,
    HelpSerializer,
)
from apps.common.serializers import row_of
from apps.realtime.emit import LiveEvent, emit, emit_to_all
from apps.realtime.rooms import user_room

ANNOUNCEMENT = LiveEvent(
    "announcement",
    is_common=True,
    create={"record": AnnouncementSerializer()},
    update={"record": AnnouncementSerializer()},
    delete={"id": serializers.IntegerField()},
)

# Older browsers listen to `company-{id}-help`, so the event has that name although helps belong to
# no company.
HELP = LiveEvent(
    "help",
    create={"record": HelpSerializer()},
    update={"record": HelpSerializer()},
    delete={"id": serializers.IntegerField()},
)


def announcement_created(announcement: Announcement) -> None:
    """Tell the readers of an announcement that it was created."""
    _tell(announcement, "create")


def announcement_updated(announcement: Announcement, *, was_active: bool) -> None:
    """Tell the readers of an announcement that it changed.

    If it was deactivated, all users first get a `delete`. The super user then also gets the
    `update` and so keeps the record.
    """
    if was_active and not announcement.is_active:
        emit_to_all(ANNOUNCEMENT, "delete", {"id": announcement.pk})
    _tell(announcement, "update")


def announcement_deleted(*, announcement_id: int, was_active: bool) -> None:
    """Tell the readers of an announcement that it was deleted."""
    _send("delete", {"id": announcement_id}, is_for_all=was_active)


def _tell(announcement: Announcement, action: str) -> None:
    payload = {"record": row_of(AnnouncementSerializer, announcement)}
    _send(action, payload, is_for_all=announcement.is_active)


def _send(action: str, payload: dict[str, Any], *, is_for_all: bool) -> None:
    if is_for_all:
        emit_to_all(ANNOUNCEMENT, action, payload)
        return
    for user in super_users():
        rooms = [user_room(user.pk)]
        emit(ANNOUNCEMENT, action, payload, company_id=user.company_id, rooms=rooms)


def help_created(help: Help) -> None:
    """Tell all users about a new help."""
    emit_to_all(HELP, "create", {"record": row_of(HelpSerializer, help)})


def help_updated(help: Help) -> None:
    emit_to_all(HELP, "update", {"record": row_of(HelpSerializer, help)})


def help_deleted(help_id: int) -> None:
    """Tell all users that a help was deleted."""
    emit_to_all(HELP, "delete", {"id": help_id})
