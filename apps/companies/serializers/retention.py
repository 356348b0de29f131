"""The wire shapes of retention (rules/companies §9)."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from apps.common.serializers import StrictSerializer
from apps.companies.models import Retention, RetentionRun

# Of their columns.
MAX_SPAN = 32767
KINDS = ("messages", "notes", "media", "logs")


class Span(serializers.IntegerField):
    """Years, months or days; the service knows how many are too many."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=MAX_SPAN, **options)


class RetentionInputSerializer(StrictSerializer):
    """For how long each kind is kept; null is for ever, of logs as long as the operator does."""

    messagesYears = Span(source="messages_years", allow_null=True)
    mediaMonths = Span(source="media_months", allow_null=True)
    logsDays = Span(source="logs_days", allow_null=True)


class RetentionPreviewQuerySerializer(serializers.Serializer[Any]):
    """As in the input; what is left out is for ever."""

    messagesYears = Span(source="messages_years", required=False, default=None)
    mediaMonths = Span(source="media_months", required=False, default=None)
    logsDays = Span(source="logs_days", required=False, default=None)


class RetentionValuesSerializer(serializers.Serializer[Any]):
    messagesYears = serializers.IntegerField(allow_null=True)
    mediaMonths = serializers.IntegerField(allow_null=True)
    logsDays = serializers.IntegerField(allow_null=True)


class RetentionLimitsSerializer(serializers.Serializer[Any]):
    """The longest that may be chosen of each kind."""

    messagesYears = serializers.IntegerField()
    mediaMonths = serializers.IntegerField()
    logsDays = serializers.IntegerField()


class RetentionRunSerializer(serializers.Serializer[Any]):
    """A run, what it freed so far, and whether it is done; `rows` is by kind."""

    id = serializers.IntegerField()
    startedAt = serializers.DateTimeField()
    finishedAt = serializers.DateTimeField(allow_null=True)
    rows = serializers.DictField(child=serializers.IntegerField())
    bytes = serializers.IntegerField()


class RetentionSerializer(serializers.Serializer[Any]):
    """What holds for a company; `isDefault`: it is the super user's choice, and not its own."""

    values = RetentionValuesSerializer()
    defaults = RetentionValuesSerializer()
    isDefault = serializers.BooleanField()
    limits = RetentionLimitsSerializer()
    nextRunAt = serializers.DateTimeField(allow_null=True)
    runs = RetentionRunSerializer(many=True)


class RetentionAmountSerializer(serializers.Serializer[Any]):
    """What goes of a kind; `isMore`: there is more than was counted."""

    kind = serializers.ChoiceField(choices=KINDS)
    before = serializers.DateTimeField()
    rows = serializers.IntegerField()
    bytes = serializers.IntegerField()
    isMore = serializers.BooleanField()


class RetentionPreviewSerializer(serializers.Serializer[Any]):
    runAt = serializers.DateTimeField(allow_null=True)
    amounts = RetentionAmountSerializer(many=True)


def moment(value: datetime | None) -> str | None:
    return value.isoformat().replace("+00:00", "Z") if value else None


def values_row(retention: Retention) -> dict[str, Any]:
    return {
        "messagesYears": retention.messages_years,
        "mediaMonths": retention.media_months,
        "logsDays": retention.logs_days,
    }


def run_row(run: RetentionRun) -> dict[str, Any]:
    return {
        "id": run.pk,
        "startedAt": moment(run.created_at),
        "finishedAt": moment(run.finished_at),
        "rows": run.rows,
        "bytes": run.bytes_freed,
    }


def preview_row(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "runAt": moment(found["run_at"]),
        "amounts": [
            {
                "kind": each["kind"],
                "before": moment(each["before"]),
                "rows": each["amount"].rows,
                "bytes": each["amount"].bytes,
                "isMore": each["amount"].is_more,
            }
            for each in found["amounts"]
        ],
    }
