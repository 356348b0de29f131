"""The wake-up of those who handle inbound events, and the daily purge."""

from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from apps.common.crews import Crew, WakeTask, owner_name

BATCH = 200
ROUNDS = 100
crew = Crew(settings.INBOUND_THREADS)


@shared_task(base=WakeTask, name="inbound.process")  # type: ignore[untyped-decorator]
def process_inbound() -> None:
    """Handle events until none is due."""
    from apps.inbound.services import process_due

    crew.work(
        lambda: process_due(owner=owner_name(), limit=BATCH),
        full=BATCH,
        rounds=ROUNDS,
        call_help=process_inbound.apply_async,
    )


@shared_task(name="inbound.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Delete what was done with RETENTION_DAYS ago, and files that the provider forgot."""
    from apps.connections.services import purge_template_media
    from apps.inbound.services import purge_finished

    now = timezone.now()
    purge_finished(before=now - timedelta(days=settings.RETENTION_DAYS))
    purge_template_media(before=now - timedelta(days=30))
