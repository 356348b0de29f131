"""Outcomes of the messages of schedules: accepted by the provider, or failed."""

from collections.abc import Sequence

from django.utils import timezone

from apps.common.reasons import NO_REASON, Reason
from apps.schedules import events
from apps.schedules.models import Schedule, ScheduleStatus
from apps.tickets.models import Ack, Message, MessageSource

REASON_FIELDS = ("error_code", "error_reason", "reason_code", "reason_detail")


def settle(messages: Sequence[Message]) -> None:
    """Update schedules to the outcome of their messages; call it where outcomes are recorded.

    A message that fails after the provider accepted it makes its schedule fail. A failed message
    that is resent from the conversation and accepted makes it sent.
    """
    outcomes = {
        message.pk: message for message in messages if message.source == MessageSource.SCHEDULE
    }
    if not outcomes:
        return
    schedules = (
        Schedule.objects.select_for_update(of=("self",), no_key=True)
        .select_related("contact", "user")
        .filter(message__in=outcomes)
        .order_by("pk")
    )
    for schedule in schedules:
        message = outcomes[schedule.message_id or 0]
        if message.ack == Ack.ERROR:
            reason = Reason(message.reason_code, message.reason_detail)
            fail(schedule, message.error_reason, code=message.error_code, reason=reason)
        elif message.ack >= Ack.SENT and schedule.status != ScheduleStatus.SENT:
            schedule.status = ScheduleStatus.SENT
            schedule.sent_at = timezone.now()
            schedule.error_code = schedule.error_reason = ""
            schedule.reason_code = schedule.reason_detail = ""
            schedule.save(update_fields=["status", "sent_at", *REASON_FIELDS])
            events.schedule_updated(schedule)


def fail(schedule: Schedule, sentence: str, *, code: str, reason: Reason = NO_REASON) -> None:
    """Record and emit why a schedule was not sent."""
    schedule.status = ScheduleStatus.ERROR
    schedule.sent_at = None
    schedule.error_code = code[:50]
    schedule.error_reason = sentence[:500] or "A mensagem não pôde ser enviada."
    schedule.reason_code, schedule.reason_detail = reason.code, reason.detail
    schedule.save(update_fields=["status", "sent_at", *REASON_FIELDS])
    events.schedule_updated(schedule)
