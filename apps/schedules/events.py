"""Live events of schedules (rules/realtime §3)."""

from rest_framework import serializers

from apps.accounts.permissions import Permission
from apps.common.serializers import row_of
from apps.realtime.emit import LiveEvent, emit
from apps.realtime.rooms import company_room, user_room
from apps.schedules.models import Schedule
from apps.schedules.serializers import ScheduledMessageSerializer

SCHEDULE = LiveEvent(
    "schedule",
    also="company{company_id}-schedule",
    needs=Permission.SEE_CONTACTS,
    create={"schedule": ScheduledMessageSerializer()},
    update={"schedule": ScheduledMessageSerializer()},
    delete={"scheduleId": serializers.IntegerField()},
)


def schedule_created(schedule: Schedule) -> None:
    _tell("create", schedule)


def schedule_updated(schedule: Schedule) -> None:
    """Emit a schedule after its content, its time or its outcome changed."""
    _tell("update", schedule)


def schedule_deleted(*, company_id: int, schedule_id: int) -> None:
    rooms = [company_room(company_id)]
    emit(SCHEDULE, "delete", {"scheduleId": schedule_id}, company_id=company_id, rooms=rooms)


def _tell(action: str, schedule: Schedule) -> None:
    payload = {"schedule": row_of(ScheduledMessageSerializer, schedule)}
    rooms = [SCHEDULE.room(schedule.company_id)]
    if schedule.user_id is not None:
        # Who wrote it may lack the permission.
        rooms.append(user_room(schedule.user_id))
    emit(SCHEDULE, action, payload, company_id=schedule.company_id, rooms=rooms)
