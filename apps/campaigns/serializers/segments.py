"""The wire shapes of segments."""

from datetime import date
from typing import Any

from rest_framework import serializers

from apps.campaigns.models.segments import no_rules
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import (
    BoundedListField,
    IdField,
    RowSerializer,
    TextField,
    name_field,
    page_of,
)

MOST_IDS = 100
NAME_LENGTH = 100
VALUE_LENGTH = 200
FIRST_YEAR, LAST_YEAR = 1970, 2999
NO_DATE = "Informe uma data válida."


class _DayField(serializers.DateField):
    """A day of the last message, between 1970 and 2999."""

    def __init__(self, **options: Any) -> None:
        options["error_messages"] = dict.fromkeys(("invalid", "datetime"), NO_DATE)
        super().__init__(**options)

    def to_internal_value(self, value: Any) -> date:
        """Return the day; refuse other years, for which the day before or after may not exist."""
        day: date = super().to_internal_value(value)
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise serializers.ValidationError(NO_DATE, code="invalid")
        return day


class SegmentRulesInputSerializer(serializers.Serializer[Any]):
    """Rules that must all hold; an omitted or empty field is no rule."""

    tagIds = BoundedListField(child=IdField(), required=False, max_length=MOST_IDS)
    queueIds = BoundedListField(child=IdField(), required=False, max_length=MOST_IDS)
    lastContactFrom = _DayField(required=False, allow_null=True)
    lastContactTo = _DayField(required=False, allow_null=True)
    city = TextField(max_length=NAME_LENGTH, trim_whitespace=True)
    fieldName = TextField(max_length=NAME_LENGTH, trim_whitespace=True)
    fieldValue = TextField(max_length=VALUE_LENGTH, trim_whitespace=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the complete rules as they are stored, days as text, each id once."""
        first, last = attrs.get("lastContactFrom"), attrs.get("lastContactTo")
        if first and last and first > last:
            sentence = "A data final precisa ser igual ou posterior à inicial."
            raise serializers.ValidationError({"lastContactTo": [sentence]})
        if attrs.get("fieldValue") and not attrs.get("fieldName"):
            sentence = "Informe o campo cujo valor procura."
            raise serializers.ValidationError({"fieldName": [sentence]}, code="required")
        return {
            **no_rules(),
            **attrs,
            "tagIds": list(dict.fromkeys(attrs.get("tagIds", []))),
            "queueIds": list(dict.fromkeys(attrs.get("queueIds", []))),
            "lastContactFrom": first.isoformat() if first else None,
            "lastContactTo": last.isoformat() if last else None,
        }


class SegmentInputSerializer(serializers.Serializer[Any]):
    """A segment to create or to change; `rules` replaces all of its rules."""

    name = name_field()
    rules = SegmentRulesInputSerializer()


class SegmentCountInputSerializer(serializers.Serializer[Any]):
    """Rules whose contacts to count."""

    rules = SegmentRulesInputSerializer()


class SegmentQuerySerializer(serializers.Serializer[Any]):
    searchParam = TextField()
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)


class SegmentRulesSerializer(RowSerializer):
    """The rules of a segment."""

    tagIds = serializers.ListField(child=serializers.IntegerField())
    queueIds = serializers.ListField(child=serializers.IntegerField())
    lastContactFrom = serializers.DateField(allow_null=True)
    lastContactTo = serializers.DateField(allow_null=True)
    city = serializers.CharField(allow_blank=True)
    fieldName = serializers.CharField(allow_blank=True)
    fieldValue = serializers.CharField(allow_blank=True)


class SegmentSerializer(RowSerializer):
    """A segment."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    rules = SegmentRulesSerializer()
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


SegmentPageSerializer = page_of("records", SegmentSerializer, "A page of segments.")


class SegmentCountSerializer(serializers.Serializer[Any]):
    """The number of contacts that satisfy the rules."""

    count = serializers.IntegerField()
