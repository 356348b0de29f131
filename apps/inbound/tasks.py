"""The tasks that handle inbound events, and the daily purge."""

from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.campaigns.services.headers import header_files_in_use
from apps.campaigns.services.remembered_numbers import forget_numbers
from apps.common.uploads import forget_uploads
from apps.common.workers import work_task
from apps.companies.services.retention import start_runs
from apps.connections.services import forget_signups, purge_template_media
from apps.contacts.services import forget_merges
from apps.inbound.services import process_due, purge_finished
from apps.tickets.services.messages.early_references import forget_references

process_inbound = work_task(
    "inbound.process", process_due, threads=settings.INBOUND_THREADS, batch=200, rounds=100
)


@shared_task(name="inbound.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Delete work finished RETENTION_DAYS ago, and files that the provider no longer has."""
    now = timezone.now()
    purge_finished(before=now - timedelta(days=settings.RETENTION_DAYS))
    start_runs(now)
    with transaction.atomic():
        forget_references(now=now)
        forget_merges(now=now)
        forget_numbers(now=now)
        forget_signups(now=now)
    forget_uploads()
    purge_template_media(before=now - timedelta(days=30), kept=header_files_in_use)
