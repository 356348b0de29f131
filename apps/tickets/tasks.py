"""Tasks: deliveries, media fetches, bot turns, pauses, snoozes, ratings and timers."""

from celery import shared_task
from django.conf import settings

from apps.common.workers import work_task
from apps.tickets.services.bot import timers
from apps.tickets.services.bot.pause_worker import end_due
from apps.tickets.services.bot.turn_worker import take_due
from apps.tickets.services.messages.fetching import fetch_due
from apps.tickets.services.messages.late_originals import apply_missed
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.tickets.rating_requests import ask_due
from apps.tickets.services.tickets.snoozing import wake_due

# Small batches spread the waiting rows over the threads, because a send is mostly waiting.
deliver = work_task(
    "tickets.deliver", deliver_due, threads=settings.DELIVERY_THREADS, batch=4, rounds=250
)
fetch_media = work_task(
    "tickets.fetch_media", fetch_due, threads=settings.MEDIA_THREADS, batch=4, rounds=250
)
take_turns = work_task(
    "tickets.take_turns", take_due, threads=settings.TURN_THREADS, batch=1, rounds=250
)
# One thread is enough: each batch judges many tickets at once and calls no external service.
end_pauses = work_task("tickets.end_pauses", end_due, threads=1, batch=100, rounds=250)

ask_ratings = work_task("tickets.ask_ratings", ask_due, threads=1, batch=10, rounds=250)

wake_snoozed = work_task("tickets.wake_snoozed", wake_due, threads=1, batch=100, rounds=250)


@shared_task(name="tickets.run_timers")  # type: ignore[untyped-decorator]
def run_timers() -> None:
    """Run the timers, and apply early references that were missed when their original arrived."""
    timers.run_timers()
    apply_missed()
