"""The wake-up of those who look after connections."""

from celery import shared_task


@shared_task(name="connections.verify_opening")  # type: ignore[untyped-decorator]
def verify_opening() -> None:
    """Ask again for the numbers that are not connected yet."""
    from apps.connections import services

    services.verify_opening()
