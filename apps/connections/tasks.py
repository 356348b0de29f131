"""The tasks that look after connections."""

from celery import shared_task

from apps.common.workers import work_task
from apps.connections import services


@shared_task(name="connections.verify_opening")  # type: ignore[untyped-decorator]
def verify_opening() -> None:
    """Ask again for the numbers that are not connected yet; notice what ended by itself.

    What Meta says of a number's quality it says to who asks for it alone.
    """
    # First what asks nobody: a provider may be slow, or fail.
    services.end_alerts()
    services.notice_dead_owners()
    services.verify_opening()
    services.refresh_old_figures()


ask_phones = work_task("connections.ask_phones", services.ask_due, threads=1, batch=10, rounds=100)
