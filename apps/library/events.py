"""Live events of quick messages and file lists, for those who may read them (rules/library §4)."""

from collections.abc import Sequence

from rest_framework import serializers

from apps.common.serializers import row_of
from apps.library.models import FileList, QuickMessage
from apps.library.serializers import (
    FileListSerializer,
    QuickMessageSerializer,
)
from apps.realtime.emit import LiveEvent, emit
from apps.realtime.rooms import company_room, user_room

QUICK_MESSAGE = LiveEvent(
    "quickmessage",
    also="company{company_id}-quickemessage",
    create={"record": QuickMessageSerializer()},
    update={"record": QuickMessageSerializer()},
    delete={"id": serializers.IntegerField()},
)
# Older browsers read the list of files in `files`.
_FILES = {"fileList": FileListSerializer(), "files": FileListSerializer()}
FILE = LiveEvent(
    "file",
    also="company{company_id}-file",
    create=_FILES,
    update=_FILES,
    delete={"fileId": serializers.IntegerField()},
)


def rooms_of(quick: QuickMessage) -> list[str]:
    """Return the rooms of the users who may read a quick message as it is now."""
    if quick.is_shared or quick.user_id is None:
        return [company_room(quick.company_id)]
    return [user_room(quick.user_id)]


def quick_message_created(quick: QuickMessage) -> None:
    _tell(quick, "create", rooms_of(quick))


def quick_message_updated(quick: QuickMessage, *, rooms_before: Sequence[str]) -> None:
    """Emit a changed quick message; `rooms_before` is what `rooms_of` returned before the change.

    Users who may no longer read it get a deletion. The deletion is emitted first, because the owner
    is also in those rooms and must end up with the record.
    """
    rooms = rooms_of(quick)
    if rooms != list(rooms_before) and company_room(quick.company_id) in rooms_before:
        _tell_deleted(quick, quick.pk, rooms_before)
    _tell(quick, "update", rooms)


def quick_message_deleted(quick: QuickMessage, *, quick_message_id: int) -> None:
    _tell_deleted(quick, quick_message_id, rooms_of(quick))


def _tell(quick: QuickMessage, action: str, rooms: Sequence[str]) -> None:
    payload = {"record": row_of(QuickMessageSerializer, quick)}
    emit(QUICK_MESSAGE, action, payload, company_id=quick.company_id, rooms=rooms)


def _tell_deleted(quick: QuickMessage, quick_message_id: int, rooms: Sequence[str]) -> None:
    payload = {"id": quick_message_id}
    emit(QUICK_MESSAGE, "delete", payload, company_id=quick.company_id, rooms=rooms)


def file_list_created(files: FileList) -> None:
    _tell_files(files, "create")


def file_list_updated(files: FileList) -> None:
    _tell_files(files, "update")


def _tell_files(files: FileList, action: str) -> None:
    row = row_of(FileListSerializer, files)
    emit(FILE, action, {"fileList": row, "files": row}, company_id=files.company_id)


def file_list_deleted(*, company_id: int, file_list_id: int) -> None:
    emit(FILE, "delete", {"fileId": file_list_id}, company_id=company_id)
