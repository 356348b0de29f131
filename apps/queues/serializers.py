"""The wire shapes of queues."""

import re
from typing import Any

from rest_framework import serializers

from apps.common.serializers import OptionalIdField, TextField, name_field
from apps.companies.models import default_schedules
from apps.queues.models import Queue

MAX_ORDER = 2**31 - 1
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_DAYS = [row["weekdayEn"] for row in default_schedules()]


class ScheduleSerializer(serializers.Serializer[Any]):
    """The opening hours of one weekday, or of the `lunchTime`; empty times do not restrict."""

    weekday = serializers.CharField(max_length=50)
    weekdayEn = serializers.ChoiceField(choices=_DAYS)
    startTime = serializers.CharField(allow_blank=True, max_length=5)
    endTime = serializers.CharField(allow_blank=True, max_length=5)

    def validate(self, row: dict[str, Any]) -> dict[str, Any]:
        """Refuse times that are not HH:MM, and one time without the other."""
        # A partial update does not ask for the keys of its inner rows by itself.
        names = ("weekday", "weekdayEn", "startTime", "endTime")
        missing = {name: ["Este campo é obrigatório."] for name in names if name not in row}
        if missing:
            raise serializers.ValidationError(missing)
        for name in ("startTime", "endTime"):
            if row[name] and not _TIME.fullmatch(row[name]):
                raise serializers.ValidationError({name: ["Informe um horário como 08:00."]})
        if bool(row["startTime"]) != bool(row["endTime"]):
            empty = "endTime" if row["startTime"] else "startTime"
            raise serializers.ValidationError({empty: ["Informe os dois horários, ou nenhum."]})
        return row


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

    def validate_schedules(self, rows: list[dict[str, str]]) -> list[dict[str, str]]:
        """Refuse a day named twice."""
        if len({row["weekdayEn"] for row in rows}) != len(rows):
            raise serializers.ValidationError("Cada dia pode aparecer uma vez.")
        return rows


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
