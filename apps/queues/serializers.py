"""The wire shapes of queues."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import OptionalIdField, TextField, name_field
from apps.companies.serializers import ScheduleSerializer
from apps.queues.models import Queue

MAX_ORDER = 2**31 - 1


class QueueInputSerializer(serializers.Serializer[Any]):
    """A queue to create, or what to change of one (specification 2 §5)."""

    name = name_field()
    color = serializers.CharField(
        min_length=3,
        max_length=9,
        error_messages={
            "required": "Escolha uma cor.",
            "blank": "Escolha uma cor.",
            "null": "Escolha uma cor.",
            "min_length": "A cor precisa ter de 3 a 9 caracteres.",
            "max_length": "A cor precisa ter de 3 a 9 caracteres.",
        },
    )
    orderQueue = serializers.IntegerField(
        source="order",
        min_value=-MAX_ORDER,
        max_value=MAX_ORDER,
        error_messages={"required": "Informe a ordem.", "null": "Informe a ordem."},
    )
    greetingMessage = TextField(source="greeting_message", max_length=4096)
    complationMessage = TextField(source="completion_message", max_length=4096)
    outOfHoursMessage = TextField(source="out_of_hours_message", max_length=4096)
    ratingMessage = TextField(source="rating_message", max_length=4096)
    expireChat = serializers.BooleanField(source="expire_chat", required=False)
    schedules = ScheduleSerializer(many=True, required=False)
    integrationId = OptionalIdField(source="integration_id")
    promptId = OptionalIdField(source="prompt_id")


class QueueSerializer(serializers.Serializer[Any]):
    """A queue."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()
    orderQueue = serializers.IntegerField()
    greetingMessage = serializers.CharField(allow_blank=True)
    complationMessage = serializers.CharField(allow_blank=True)
    outOfHoursMessage = serializers.CharField(allow_blank=True)
    ratingMessage = serializers.CharField(allow_blank=True)
    expireChat = serializers.BooleanField()
    schedules = ScheduleSerializer(many=True)
    integrationId = serializers.IntegerField(allow_null=True)
    promptId = serializers.IntegerField(allow_null=True)
    companyId = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


def queue_row(queue: Queue) -> dict[str, Any]:
    """Return a queue in the shape of `QueueSerializer`."""
    return {
        "id": queue.pk,
        "name": queue.name,
        "color": queue.color,
        "orderQueue": queue.order,
        "greetingMessage": queue.greeting_message,
        "complationMessage": queue.completion_message,
        "outOfHoursMessage": queue.out_of_hours_message,
        "ratingMessage": queue.rating_message,
        "expireChat": queue.expire_chat,
        "schedules": queue.schedules,
        "integrationId": queue.integration_id,
        "promptId": queue.prompt_id,
        "companyId": queue.company_id,
        "createdAt": queue.created_at,
        "updatedAt": queue.updated_at,
    }
