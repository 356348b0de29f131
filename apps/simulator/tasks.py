"""Tasks that process webhooks, events and lease calls left over by a restart."""

from celery import shared_task

from apps.simulator.services import posting
from apps.simulator.services.gateway import leasing, outbox


@shared_task(name="apps.simulator.tasks.post_webhooks")  # type: ignore[untyped-decorator]
def post_webhooks() -> None:
    posting.post_due()


@shared_task(name="apps.simulator.tasks.keep_sessions")  # type: ignore[untyped-decorator]
def keep_sessions() -> None:
    """Commit due events, and make the due lease call."""
    outbox.post_due()
    leasing.lease_due()
