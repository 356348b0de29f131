"""The wake-ups of those who send, those who fetch and those who take the bot's turns."""

from celery import shared_task
from django.conf import settings

from apps.common.crews import Crew, WakeTask, owner_name

# Small, so that what waits is spread over the threads: a send is mostly waiting for an answer.
BATCH = 4
ROUNDS = 250
senders = Crew(settings.DELIVERY_THREADS)
fetchers = Crew(settings.MEDIA_THREADS)
turn_takers = Crew(settings.TURN_THREADS)


@shared_task(base=WakeTask, name="tickets.deliver")  # type: ignore[untyped-decorator]
def deliver() -> None:
    """Send until nothing is due."""
    from apps.tickets.services.deliveries import deliver_due

    senders.work(
        lambda: deliver_due(owner=owner_name(), limit=BATCH),
        full=BATCH,
        rounds=ROUNDS,
        call_help=deliver.apply_async,
    )


@shared_task(base=WakeTask, name="tickets.fetch_media")  # type: ignore[untyped-decorator]
def fetch_media() -> None:
    """Fetch received files until none is due."""
    from apps.tickets.services.fetching import fetch_due

    fetchers.work(
        lambda: fetch_due(owner=owner_name(), limit=BATCH),
        full=BATCH,
        rounds=ROUNDS,
        call_help=fetch_media.apply_async,
    )


@shared_task(base=WakeTask, name="tickets.take_turns")  # type: ignore[untyped-decorator]
def take_turns() -> None:
    """Have integrations and prompts answer until nothing is due."""
    from apps.tickets.services.bot.taking import take_due

    turn_takers.work(
        lambda: take_due(owner=owner_name(), limit=1),
        full=1,
        rounds=ROUNDS,
        call_help=take_turns.apply_async,
    )


@shared_task(name="tickets.run_timers")  # type: ignore[untyped-decorator]
def run_timers() -> None:
    """Move and close the tickets whose time has come."""
    from apps.tickets.services import timers

    timers.run_timers()
