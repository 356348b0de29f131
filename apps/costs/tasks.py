"""The task that keeps the ledger's prices up to date."""

from celery import shared_task

from apps.costs.services import repricing


@shared_task(name="costs.follow")  # type: ignore[untyped-decorator]
def follow() -> None:
    """Price anew what changed prices and allowances concern."""
    repricing.price_stale()
