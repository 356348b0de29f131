"""Tags on the wire."""

import re
from typing import Any

from rest_framework import serializers

from apps.common.serializers import BooleanField, OptionalIdField
from apps.contacts.models import Tag

# What a tag gets that is made by its name alone, from a ticket's tag selector.
DEFAULT_COLOR = "#8A989C"
_COLOR = re.compile(r"#?(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


class ColorField(serializers.CharField):
    """A colour in hexadecimal digits, 3 to 9 characters; it gets the '#' it lacks."""

    def __init__(self, **options: Any) -> None:
        sentence = "Informe uma cor em hexadecimal, como #0F8EA3."
        options["error_messages"] = dict.fromkeys(("blank", "null", "invalid"), sentence)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        """Return the colour with '#' before it."""
        text = super().to_internal_value(data)
        if not _COLOR.fullmatch(text):
            self.fail("invalid")
        return f"#{text.removeprefix('#')}"


class TagInputSerializer(serializers.Serializer[Any]):
    """A tag to create, or what to change of one (rules/contacts §8)."""

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
    # Older browsers send who is at the keyboard; the server knows it.
    userId = OptionalIdField(write_only=True)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """Leave out what the server decides."""
        data.pop("userId", None)
        return data


class TagSerializer(serializers.Serializer[Any]):
    """A tag; `kanban` is 0 or 1, `ticketsCount` how many tickets carry it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()
    kanban = serializers.IntegerField(min_value=0, max_value=1)
    userId = serializers.IntegerField(allow_null=True)
    ticketsCount = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


class TagPageSerializer(serializers.Serializer[Any]):
    """A page of tags."""

    tags = TagSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class TagLanesSerializer(serializers.Serializer[Any]):
    """The tags that are lanes of the board."""

    lista = TagSerializer(many=True)


def tag_row(tag: Tag) -> dict[str, Any]:
    """Return the wire shape of a tag that carries its `tickets_count` (see `queries.tags_of`)."""
    return {
        "id": tag.pk,
        "name": tag.name,
        "color": tag.color,
        "kanban": int(tag.is_kanban),
        "userId": tag.user_id,
        "ticketsCount": getattr(tag, "tickets_count", 0),
        "createdAt": tag.created_at,
        "updatedAt": tag.updated_at,
    }
