from celery import shared_task

from apps.common import health


@shared_task(expires=health.REPORT_SECONDS)  # type: ignore[untyped-decorator]
def report_alive(queue: str) -> None:
    """Beat sends this task and a worker of the queue runs it: a proof that both are alive."""
    health.record_worker_alive(queue)
