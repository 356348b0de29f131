"""What browsers hear about queues."""

from apps.queues.models import Queue
from apps.queues.serializers import queue_row
from apps.realtime.emit import emit, recheck_company


def queue_changed(queue: Queue) -> None:
    """Tell the company about a new or changed queue."""
    emit("queue", {"action": "update", "queue": queue_row(queue)}, company_id=queue.company_id)


def queue_deleted(*, company_id: int, queue_id: int) -> None:
    """Tell the company that a queue is gone."""
    emit("queue", {"action": "delete", "queueId": queue_id}, company_id=company_id)
    recheck_company(company_id)
