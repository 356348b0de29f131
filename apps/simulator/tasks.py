"""Posting webhooks that a restart left unposted."""

from celery import shared_task

from apps.simulator.services.posting import post_due


@shared_task(name="apps.simulator.tasks.post_webhooks")  # type: ignore[untyped-decorator]
def post_webhooks() -> None:
    """Post what is due."""
    post_due()
