"""Live events of schedules (rules/realtime §3)."""

from rest_framework import serializers

from apps.common.serializers import row_of
from apps.realtime.emit import LiveEvent, emit
from apps.schedules.models import Schedule
from apps.schedules.serializers import ScheduledMessageSerializer

SCHEDULE = LiveEvent(
    "schedule",
    also="company{company_id}-schedule",
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
    emit(SCHEDULE, "delete", {"scheduleId": schedule_id}, company_id=company_id)


def _tell(action: str, schedule: Schedule) -> None:
    payload = {"schedule": row_of(ScheduledMessageSerializer, schedule)}
    emit(SCHEDULE, action, payload, company_id=schedule.company_id)
