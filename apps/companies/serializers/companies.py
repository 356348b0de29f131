"""The wire shapes of companies and their settings."""

import re
from typing import Any

from rest_framework import serializers

from apps.common.encryption import masked
from apps.common.hours import overlap, overlap_in_week
from apps.common.serializers import BoundedListSerializer, PartSerializer, RowSerializer
from apps.companies.models import SECRET_SETTINGS, Recurrence, default_schedules

_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_WHOLE_TIME = rf"\A{_TIME.pattern}\Z"
_DAY_FIELDS = ("weekday", "weekdayEn", "startTime", "endTime")
# Of one day, after the first.
MOST_PERIODS = 5
_DAYS = [row["weekdayEn"] for row in default_schedules()]
LUNCH_TIME = "lunchTime"
_WRONG_TIME = "Informe um horário como 08:00."


class SettingSerializer(RowSerializer):
    """A setting; the value of a secret is a mask, or empty if it is not set."""

    key = serializers.CharField()
    value = serializers.CharField(allow_blank=True)

    # A setting is a pair of key and value, an item of `settings_of`.
    def _read_key(self, setting: tuple[str, str]) -> str:
        return setting[0]

    def _read_value(self, setting: tuple[str, str]) -> str:
        key, value = setting
        return masked(value) if key in SECRET_SETTINGS else value


class SettingInputSerializer(serializers.Serializer[Any]):
    """A setting's new value; `key` may be left out, else it must be the key in the path."""

    key = serializers.CharField(required=False)
    value = serializers.CharField(allow_blank=True, trim_whitespace=False)

    def validate_key(self, key: str) -> str:
        """Refuse a key that differs from the one in the path."""
        if key != self.context["key"]:
            raise serializers.ValidationError("A chave não é a do endereço.")
        return key


class ScheduleListSerializer(BoundedListSerializer):
    """Working hours with each day at most once."""

    # More than the number of days, so that repeated days get the message of `validate`.
    most = 2 * len(_DAYS)

    def to_representation(self, data: Any) -> list[dict[str, str]]:
        """Return the stored days, which were validated."""
        return [
            {name: day[name] for name in _DAY_FIELDS}
            | ({"morePeriods": day["morePeriods"]} if day.get("morePeriods") else {})
            for day in data
        ]

    def validate(self, rows: list[dict[str, str]]) -> list[dict[str, str]]:
        """Refuse a repeated day."""
        if len({row["weekdayEn"] for row in rows}) != len(rows):
            raise serializers.ValidationError("Cada dia pode aparecer uma vez.", "repeated")
        if day := overlap_in_week(rows):
            name = next(row["weekday"] for row in rows if row["weekdayEn"].lower() == day)
            raise serializers.ValidationError(
                f"{name}: o horário depois da meia-noite se sobrepõe ao do dia seguinte.", "overlap"
            )
        return rows


class PeriodListSerializer(BoundedListSerializer):
    most = MOST_PERIODS


class PeriodSerializer(PartSerializer):
    """A further period of a day, as HH:MM."""

    startTime = serializers.RegexField(_WHOLE_TIME, error_messages={"invalid": _WRONG_TIME})
    endTime = serializers.RegexField(_WHOLE_TIME, error_messages={"invalid": _WRONG_TIME})

    class Meta:
        list_serializer_class = PeriodListSerializer


class ScheduleSerializer(PartSerializer):
    """The opening hours of a weekday, or the lunch break (`lunchTime`), as HH:MM.

    Both times may be empty, which means no restriction. `morePeriods` are further periods of the
    day, at most 5; answers have them where there are some. A row without the key keeps those of its
    day.
    """

    weekday = serializers.CharField(max_length=50)
    weekdayEn = serializers.ChoiceField(choices=_DAYS)
    startTime = serializers.CharField(allow_blank=True, max_length=5)
    endTime = serializers.CharField(allow_blank=True, max_length=5)
    morePeriods = PeriodSerializer(many=True, required=False)

    class Meta:
        list_serializer_class = ScheduleListSerializer

    def validate(self, row: dict[str, Any]) -> dict[str, Any]:
        """Refuse times that are not HH:MM, and one time without the other."""
        for name in ("startTime", "endTime"):
            if row[name] and not _TIME.fullmatch(row[name]):
                raise serializers.ValidationError({name: [_WRONG_TIME]}, "time")
        if bool(row["startTime"]) != bool(row["endTime"]):
            empty = "endTime" if row["startTime"] else "startTime"
            raise serializers.ValidationError(
                {empty: ["Informe os dois horários, ou nenhum."]}, "both_times"
            )
        more = row.get("morePeriods") or ()
        if more and (row["weekdayEn"] == LUNCH_TIME or not row["startTime"]):
            raise serializers.ValidationError(
                {"morePeriods": ["Informe primeiro o horário do dia."]}, "required"
            )
        if more and overlap(row):
            raise serializers.ValidationError(
                {"morePeriods": ["Os períodos de um dia não podem se sobrepor."]}, "overlap"
            )
        return row


class CompanySerializer(RowSerializer):
    """A company as its own users see it; dates are calendar days in the company's zone."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)
    planId = serializers.IntegerField(source="plan_id")
    status = serializers.BooleanField(source="is_enabled")
    dueDate = serializers.DateField(source="due_date")
    trialExpiresOn = serializers.DateField(source="trial_expires_on", allow_null=True)
    # The due date, up to which older browsers count the days in every case, also without a trial.
    trialExpiration = serializers.DateField(source="due_date")
    recurrence = serializers.ChoiceField(choices=Recurrence.choices)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


class SchedulesInputSerializer(serializers.Serializer[Any]):
    """The company's complete working hours (rules/hours §2)."""

    schedules = ScheduleSerializer(many=True)


class CompanyHoursSerializer(CompanySerializer):
    """A company with its working hours."""

    schedules = ScheduleSerializer(many=True)
