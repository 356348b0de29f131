"""The wire shapes of schedules."""

from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.media import media_url, signed_path
from apps.common.serializers import (
    IdField,
    OptionalIdField,
    RowSerializer,
    UnusedField,
    ZonedDateTimeField,
    page_of,
)
from apps.contacts.models import Contact
from apps.schedules.models import Schedule, ScheduleStatus

MIN_BODY_LENGTH = 5
# The longest text that WhatsApp accepts.
MAX_BODY_LENGTH = 4096
REQUIRED = "Obrigatório"
NO_TIME = "Informe a data e a hora do envio."


def _id_messages(sentence: str) -> dict[str, str]:
    return dict.fromkeys(("required", "null"), sentence)


class ScheduledMessageInputSerializer(serializers.Serializer[Any]):
    """A schedule to create or to change (rules/schedules §1)."""

    body = serializers.CharField(
        min_length=MIN_BODY_LENGTH,
        max_length=MAX_BODY_LENGTH,
        error_messages={
            **dict.fromkeys(("required", "null", "blank"), REQUIRED),
            "min_length": "Mensagem muito curta",
            "max_length": f"A mensagem pode ter no máximo {MAX_BODY_LENGTH} caracteres.",
        },
    )
    contactId = IdField(source="contact_id", error_messages=_id_messages(REQUIRED))
    sendAt = ZonedDateTimeField(
        source="send_at",
        error_messages={
            **_id_messages(REQUIRED),
            **dict.fromkeys(("invalid", "date", "make_aware", "overflow"), NO_TIME),
        },
    )
    ticketId = OptionalIdField(source="ticket_id")
    saveMessage = UnusedField("Desmarque a opção: a mensagem enviada sempre fica na conversa.")


class ScheduledMessageFormSerializer(ScheduledMessageInputSerializer):
    """A schedule to create or to change, as a form together with its file."""

    file = serializers.FileField(required=False)


class MomentField(serializers.Field[Any, Any, Any, Any]):
    """A day (YYYY-MM-DD) or a date and time, as text in a query."""

    def to_internal_value(self, data: Any) -> date | datetime:
        """Return a date or a datetime; refuse any other text."""
        try:
            moment = parse_date(str(data)) or parse_datetime(str(data))
        except ValueError:
            moment = None
        # The years that every database and time zone can hold.
        if moment is None or not 1900 <= moment.year <= 2900:
            raise serializers.ValidationError("Informe uma data como 2026-01-31.")
        return moment


class ScheduledMessageQuerySerializer(serializers.Serializer[Any]):
    """The filters of the list of schedules."""

    searchParam = serializers.CharField(
        source="search", required=False, allow_blank=True, max_length=200
    )
    contactId = OptionalIdField(source="contact_id")
    status = serializers.ChoiceField(
        choices=ScheduleStatus.choices, required=False, allow_blank=True
    )
    dateStart = extend_schema_field(str)(MomentField)(source="start", required=False)
    dateEnd = extend_schema_field(str)(MomentField)(source="end", required=False)
    order = serializers.ChoiceField(choices=["asc", "desc"], required=False)


def moment_in(zone: tzinfo, given: date | datetime, *, is_end: bool = False) -> datetime:
    """Return a query's day or time as a datetime; a time without a zone is in `zone`.

    A day becomes the midnight at which it begins in the zone, or with `is_end` the one at which it
    ends.
    """
    if isinstance(given, datetime):
        return timezone.make_aware(given, zone) if timezone.is_naive(given) else given
    return datetime.combine(given + timedelta(days=int(is_end)), time.min, tzinfo=zone)


class ScheduledMessageContactSerializer(RowSerializer):
    """The contact who gets the message."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    profilePicUrl = serializers.CharField()

    def _read_profilePicUrl(self, contact: Contact) -> str:
        return media_url(contact.picture_path)


class ScheduledMessageUserSerializer(RowSerializer):
    """The user who created the schedule."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ScheduledMessageSerializer(RowSerializer):
    """A schedule, in all responses and events."""

    # Fetch `contact` and `user` with the schedules.

    id = serializers.IntegerField()
    body = serializers.CharField()
    contactId = serializers.IntegerField(source="contact_id")
    contact = ScheduledMessageContactSerializer()
    userId = serializers.IntegerField(source="user_id", allow_null=True)
    user = ScheduledMessageUserSerializer(allow_null=True)
    ticketId = serializers.IntegerField(source="ticket_id", allow_null=True)
    whatsappId = serializers.IntegerField(source="connection_id", allow_null=True)
    sendAt = serializers.DateTimeField(source="send_at")
    sentAt = serializers.DateTimeField(source="sent_at", allow_null=True)
    status = serializers.ChoiceField(choices=ScheduleStatus.choices)
    errorCode = serializers.CharField(source="error_code", allow_blank=True)
    errorReason = serializers.CharField(source="error_reason", allow_blank=True)
    reasonCode = serializers.CharField(
        source="reason_code",
        allow_blank=True,
        help_text="Code of the reason, for translation; '' if the reason was stored without one.",
    )
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)
    mediaPath = serializers.CharField(allow_null=True)
    mediaName = serializers.CharField(source="media.name", allow_null=True)
    mediaMime = serializers.CharField(source="media.mime", allow_null=True)
    mediaSize = serializers.IntegerField(source="media_size", allow_null=True)
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_mediaPath(self, schedule: Schedule) -> str | None:
        return signed_path(schedule.media_path) if schedule.media_path else None


ScheduledMessagePageSerializer = page_of(
    "schedules", ScheduledMessageSerializer, "A page of schedules."
)


class ScheduledMessageMediaSerializer(serializers.Serializer[Any]):
    """A form with the file of a schedule."""

    file = serializers.FileField(
        error_messages=dict.fromkeys(("required", "null", "invalid"), "Escolha um arquivo.")
    )
