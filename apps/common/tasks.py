from celery import shared_task

from apps.common import health


@shared_task(expires=health.REPORT_SECONDS)  # type: ignore[untyped-decorator]
def report_alive(queue: str) -> None:
    """Beat sends it, a worker of the queue runs it: together they prove that both are there."""
    health.record_worker_alive(queue)
