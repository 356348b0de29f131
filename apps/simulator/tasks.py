"""What a restart left undone: webhooks, events and lease calls of the simulated gateway."""

from celery import shared_task

from apps.simulator.services import posting
from apps.simulator.services.gateway import leasing, outbox


@shared_task(name="apps.simulator.tasks.post_webhooks")  # type: ignore[untyped-decorator]
def post_webhooks() -> None:
    posting.post_due()


@shared_task(name="apps.simulator.tasks.keep_sessions")  # type: ignore[untyped-decorator]
def keep_sessions() -> None:
    """Commit the events and make the lease call that are due."""
    outbox.post_due()
    leasing.lease_due()
