"""What browsers hear about schedules (specification 4 §11)."""

from typing import Any

from apps.realtime.emit import emit
from apps.schedules.models import Schedule
from apps.schedules.serializers import schedule_row


def schedule_created(schedule: Schedule) -> None:
    """Tell the company about a new schedule."""
    _tell(schedule.company_id, {"action": "create", "schedule": schedule_row(schedule)})


def schedule_updated(schedule: Schedule) -> None:
    """Tell the company about a change: what is sent, when, or what became of it."""
    _tell(schedule.company_id, {"action": "update", "schedule": schedule_row(schedule)})


def schedule_deleted(*, company_id: int, schedule_id: int) -> None:
    """Tell the company that a schedule is gone."""
    _tell(company_id, {"action": "delete", "scheduleId": schedule_id})


def _tell(company_id: int, payload: dict[str, Any]) -> None:
    emit("schedule", payload, company_id=company_id)
    # Older browsers listen under this name.
    emit(f"company{company_id}-schedule", payload, company_id=company_id, raw=True)
