from rest_framework import serializers

from apps.common.serializers import row_of
from apps.queues.models import Queue
from apps.queues.queries import with_reach
from apps.queues.serializers import QueueSerializer
from apps.realtime.emit import LiveEvent, emit, recheck_company

QUEUE = LiveEvent(
    "queue",
    update={"queue": QueueSerializer()},
    delete={"queueId": serializers.IntegerField()},
)


def queue_changed(queue: Queue) -> None:
    """Emit a new or changed queue to the company, as it is stored now."""
    saved = with_reach(Queue.objects.filter(pk=queue.pk)).get()
    emit(QUEUE, "update", {"queue": row_of(QueueSerializer, saved)}, company_id=queue.company_id)


def queue_deleted(*, company_id: int, queue_id: int) -> None:
    emit(QUEUE, "delete", {"queueId": queue_id}, company_id=company_id)
    recheck_company(company_id)
