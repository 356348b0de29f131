"""Notes in conversations and mentions on the wire (rules/tickets §16)."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from apps.common.serializers import BoundedListField, IdField, RowSerializer, StrictSerializer
from apps.tickets.models import NoteMention
from apps.tickets.serializers.tickets import (
    TicketActivitySerializer,
    TicketSerializer,
    activity_row,
    ticket_rows_of,
)

MAX_LENGTH = 4096
MAX_NAMED = 20
EMPTY = "Escreva a nota."
TOO_MANY = f"Mencione no máximo {MAX_NAMED} de cada vez."


def _ids(**options: Any) -> BoundedListField:
    return BoundedListField(
        child=IdField(),
        required=False,
        max_length=MAX_NAMED,
        error_messages={"max_length": TOO_MANY},
        **options,
    )


class NoteWriteSerializer(StrictSerializer):
    """A note to write in a conversation; `userIds` and `queueIds` are whom it mentions.

    The same `clientId` again writes nothing and returns the stored note.
    """

    text = serializers.CharField(
        max_length=MAX_LENGTH,
        trim_whitespace=False,
        error_messages={
            **dict.fromkeys(("required", "blank", "null"), EMPTY),
            "max_length": f"A nota pode ter no máximo {MAX_LENGTH} caracteres.",
        },
    )
    userIds = _ids(source="user_ids")
    queueIds = _ids(source="queue_ids")
    clientId = serializers.UUIDField(source="client_id", required=False, allow_null=True)

    def validate_text(self, text: str) -> str:
        """Refuse a text of nothing but white space."""
        if not text.strip():
            raise serializers.ValidationError(EMPTY, "blank")
        return text


class MentionSerializer(RowSerializer):
    """A note that mentions the caller; `seen` once they have opened its conversation."""

    id = serializers.IntegerField()
    seen = serializers.BooleanField()
    note = TicketActivitySerializer()
    messageId = serializers.IntegerField(
        allow_null=True, help_text="The message after which the note was written."
    )
    ticket = TicketSerializer()


class MentionsSerializer(RowSerializer):
    """The caller's mentions, newest first."""

    mentions = MentionSerializer(many=True)


def mention_rows(mentions: Sequence[NoteMention]) -> list[dict[str, Any]]:
    """Return the rows of mentions whose notes are loaded, in one query."""
    ids = list(dict.fromkeys(each.ticket_id for each in mentions))
    tickets = {row["id"]: row for row in ticket_rows_of(ids)}
    return [
        {
            "id": each.pk,
            "seen": each.seen_at is not None,
            "note": activity_row(each.note),
            "messageId": each.message_id,
            "ticket": tickets[each.ticket_id],
        }
        for each in mentions
        # Deleted meanwhile.
        if each.ticket_id in tickets
    ]
