"""Presence on the wire (rules/desk §5)."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import (
    IdField,
    OptionalIdField,
    RowSerializer,
    StrictSerializer,
    name_field,
)
from apps.desk.decisions.assignment import Presence
from apps.desk.models.policies import choices_of

PRESENCES = choices_of(Presence)
FIRST_YEAR, LAST_YEAR = 2000, 2100
# A pause of more than a day is an absence.
LONGEST_PAUSE = 24 * 60


class PresenceSerializer(RowSerializer):
    """How somebody is present: `since` when, of a pause also `reason` and `until`.

    `away`: nobody chose to be offline, the browser was closed.
    """

    userId = serializers.IntegerField(source="user_id")
    presence = serializers.ChoiceField(choices=PRESENCES)
    reason = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True)
    away = serializers.BooleanField(source="is_away")


class PresenceInputSerializer(StrictSerializer):
    """A presence to choose; a pause needs its reason, if the company has any, and its minutes."""

    presence = serializers.ChoiceField(
        choices=PRESENCES, error_messages={"invalid_choice": "Escolha uma presença."}
    )
    reasonId = OptionalIdField(source="reason_id")
    minutes = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=LONGEST_PAUSE,
        error_messages=dict.fromkeys(
            ("min_value", "max_value", "invalid"), f"Informe de 1 a {LONGEST_PAUSE} minutos."
        ),
    )


class PauseReasonSerializer(RowSerializer):
    """A reason to pause; `minutes` is what the screen proposes."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    minutes = serializers.IntegerField()


class PauseReasonInputSerializer(StrictSerializer):
    """A reason to pause."""

    name = name_field()
    minutes = serializers.IntegerField(
        min_value=1,
        max_value=LONGEST_PAUSE,
        default=15,
        error_messages=dict.fromkeys(
            ("min_value", "max_value", "invalid"), f"Informe de 1 a {LONGEST_PAUSE} minutos."
        ),
    )


class PresencePeriodSerializer(RowSerializer):
    """A stretch of a timeline; the present one has no end."""

    presence = serializers.ChoiceField(choices=PRESENCES)
    reason = serializers.CharField(allow_blank=True)
    startedAt = serializers.DateTimeField(source="started_at")
    endedAt = serializers.DateTimeField(source="ended_at", allow_null=True)


class TimelineQuerySerializer(serializers.Serializer[Any]):
    """A person and a day, today without one."""

    userId = IdField(source="user_id")
    date = serializers.DateField(required=False)

    def validate_date(self, day: Any) -> Any:
        """Refuse days beyond those for which there may be rows."""
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise serializers.ValidationError("Informe um dia destes anos.", "invalid")
        return day
