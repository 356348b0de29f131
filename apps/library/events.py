"""What browsers hear of quick messages (specification 4 §11): only those who may read one."""

from collections.abc import Sequence
from typing import Any

from apps.library.models import QuickMessage
from apps.library.serializers import quick_message_row
from apps.realtime.emit import emit
from apps.realtime.rooms import company_room, user_room


def rooms_of(quick: QuickMessage) -> list[str]:
    """Return the rooms of those who may read a quick message as it is now."""
    if quick.is_shared or quick.user_id is None:
        return [company_room(quick.company_id)]
    return [user_room(quick.user_id)]


def quick_message_created(quick: QuickMessage) -> None:
    """Tell its readers of a new quick message."""
    _tell(quick, {"action": "create", "record": quick_message_row(quick)}, rooms_of(quick))


def quick_message_updated(quick: QuickMessage, *, rooms_before: Sequence[str]) -> None:
    """Tell of a change; `rooms_before` are what `rooms_of` gave before it.

    Those who may no longer read it hear that it is gone, and that first: the owner is among them
    and ends with the record.
    """
    rooms = rooms_of(quick)
    if rooms != list(rooms_before) and company_room(quick.company_id) in rooms_before:
        _tell(quick, {"action": "delete", "id": quick.pk}, rooms_before)
    _tell(quick, {"action": "update", "record": quick_message_row(quick)}, rooms)


def quick_message_deleted(quick: QuickMessage, *, quick_message_id: int) -> None:
    """Tell its readers that a quick message is gone."""
    _tell(quick, {"action": "delete", "id": quick_message_id}, rooms_of(quick))


def _tell(quick: QuickMessage, payload: dict[str, Any], rooms: Sequence[str]) -> None:
    company_id = quick.company_id
    emit("quickmessage", payload, company_id=company_id, rooms=rooms)
    # The name that older browsers listen for, with the spelling of the specification.
    emit(
        f"company{company_id}-quickemessage", payload, company_id=company_id, rooms=rooms, raw=True
    )
