"""Tags on the wire."""

import re
from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from apps.common.serializers import BooleanField, OptionalIdField, RowSerializer, page_of
from apps.contacts.models import Tag

# The colour of a tag that is created by its name only, in a ticket's tag selector.
DEFAULT_COLOR = "#8A989C"
_COLOR = re.compile(r"#?(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


class ColorField(serializers.CharField):
    """A colour of 3, 4, 6 or 8 hexadecimal digits; a missing '#' is added."""

    def __init__(self, **options: Any) -> None:
        sentence = "Informe uma cor em hexadecimal, como #0F8EA3."
        options["error_messages"] = dict.fromkeys(("blank", "null", "invalid"), sentence)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not _COLOR.fullmatch(text):
            self.fail("invalid")
        return f"#{text.removeprefix('#')}"


class TagInputSerializer(serializers.Serializer[Any]):
    """A tag to create or to change (rules/contacts §8)."""

    name = serializers.CharField(
        min_length=3,
        max_length=100,
        error_messages={
            "required": "Informe o nome.",
            "blank": "Informe o nome.",
            "null": "Informe o nome.",
            "min_length": "O nome precisa ter ao menos 3 caracteres.",
            "max_length": "O nome pode ter no máximo 100 caracteres.",
        },
    )
    color = ColorField(required=False)
    kanban = BooleanField(
        source="is_kanban",
        required=False,
        error_messages={"invalid": "Informe 0 ou 1.", "null": "Informe 0 ou 1."},
    )
    # Older browsers send the caller's id, which is ignored: the server knows the caller.
    userId = OptionalIdField(write_only=True)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        data.pop("userId", None)
        return data


class TagSerializer(RowSerializer):
    """A tag; `kanban` is 0 or 1, `ticketsCount` how many tickets carry it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()
    kanban = serializers.IntegerField(source="is_kanban", min_value=0, max_value=1)
    userId = serializers.IntegerField(source="user_id", allow_null=True)
    ticketsCount = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_ticketsCount(self, tag: Tag) -> int:
        # `queries.tags_of` counts them; no ticket carries a new tag.
        return getattr(tag, "tickets_count", 0)


def listed_tag(values: Sequence[Any]) -> dict[str, Any]:
    """Return the row of `TagSerializer` from the values of TAG_COLUMNS."""
    pk, name, color, is_kanban, user_id, tickets_count, created_at, updated_at = values
    return {
        "id": pk,
        "name": name,
        "color": color,
        "kanban": int(is_kanban),
        "userId": user_id,
        "ticketsCount": tickets_count,
        "createdAt": created_at,
        "updatedAt": updated_at,
    }


TagPageSerializer = page_of("tags", TagSerializer, "A page of tags.")


class TagLanesSerializer(serializers.Serializer[Any]):
    """The tags that are lanes of the board."""

    lista = TagSerializer(many=True)
