"""The periodic look for webhooks that a restart left unposted."""

from typing import Any

from celery import shared_task

from apps.simulator.services.posting import post_due
from config.celery import app

SWEEP_SECONDS = 15


@shared_task(name="apps.simulator.tasks.post_webhooks")  # type: ignore[untyped-decorator]
def post_webhooks() -> None:
    """Post what is due."""
    post_due()


@app.on_after_finalize.connect  # type: ignore[untyped-decorator]
def _sweep(sender: Any, **kwargs: Any) -> None:
    sender.add_periodic_task(SWEEP_SECONDS, post_webhooks.s(), name="simulator webhooks")
