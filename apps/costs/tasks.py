"""The tasks that keep the ledger's prices up to date and look for silent numbers."""

from celery import shared_task

from apps.costs.services import repricing, silence


@shared_task(name="costs.follow")  # type: ignore[untyped-decorator]
def follow() -> None:
    """Price anew the months that a changed price or allowance concerns (rules/costs §4)."""
    repricing.price_stale()


@shared_task(name="costs.look_at_numbers")  # type: ignore[untyped-decorator]
def look_at_numbers() -> None:
    """Raise the alert of numbers whose sends are accepted and never delivered (rules/costs §6)."""
    silence.look_at_numbers()
