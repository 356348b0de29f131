"""Requests and responses of drafts."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from apps.common.serializers import BooleanField, RowSerializer, TextField
from apps.tickets.models import TicketDraft, TicketFollow
from apps.tickets.serializers.messages import MessageSerializer, message_rows_of
from apps.tickets.serializers.requests import MAX_BODY_LENGTH
from apps.tickets.serializers.tickets import (
    TicketSerializer,
    TicketUserSerializer,
    ticket_rows_of,
)


class DraftSerializer(RowSerializer):
    """What the caller has typed in a conversation and not sent."""

    ticketId = serializers.IntegerField(source="ticket_id")
    text = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True, help_text="The note that was begun.")
    updatedAt = serializers.DateTimeField(source="updated_at")


class DraftsSerializer(RowSerializer):
    """The caller's drafts, newest first."""

    drafts = DraftSerializer(many=True)


class WriterSerializer(RowSerializer):
    """What another user is writing in a conversation, as in the event `ticketWriting`."""

    ticketId = serializers.IntegerField(source="ticket_id")
    writer = TicketUserSerializer()
    text = serializers.CharField()
    at = serializers.DateTimeField(source="updated_at")

    def _read_writer(self, draft: TicketDraft) -> dict[str, Any]:
        return {"id": draft.user_id, "name": draft.user.name}


class WritersSerializer(RowSerializer):
    """Who else is writing in a conversation, the last one first."""

    writers = WriterSerializer(many=True)


class DraftInputSerializer(serializers.Serializer[Any]):
    """The texts typed so far, of a message and of a note; one that is left out stays.

    With two empty texts the draft is deleted.
    """

    text = TextField(max_length=MAX_BODY_LENGTH)
    note = TextField(max_length=MAX_BODY_LENGTH)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if not data:
            raise serializers.ValidationError({"text": ["Informe text ou note."]}, "required")
        return data


class FollowInputSerializer(serializers.Serializer[Any]):
    """How to follow: until the contact's next message, or with `lasting` until one ends it."""

    lasting = BooleanField(required=False)


class FollowedAnswerSerializer(RowSerializer):
    """What a contact wrote for whom the caller waited, as in the event `ticketFollow`."""

    message = MessageSerializer()
    ticket = TicketSerializer()
    fromTicketId = serializers.IntegerField(help_text="The ticket from which the caller waited.")


class FollowsSerializer(RowSerializer):
    """The tickets for whose contact the caller waits, and what came meanwhile; newest first.

    An answer is there until the caller has opened its conversation. `lastingIds` are those of the
    tickets that the caller follows until they end it.
    """

    lastingIds = serializers.ListField(child=serializers.IntegerField())
    ticketIds = serializers.ListField(child=serializers.IntegerField())
    answers = FollowedAnswerSerializer(many=True)


def follows_row(
    ticket_ids: list[int], lasting_ids: list[int], answered: Sequence[TicketFollow]
) -> dict[str, Any]:
    """Return the row of `FollowsSerializer`, in two queries where there is an answer."""
    answers = [(each.answer, each.ticket_id) for each in answered if each.answer is not None]
    tickets = {row["id"]: row for row in ticket_rows_of([each.ticket_id for each, _ in answers])}
    messages = {row["id"]: row for row in message_rows_of([each.pk for each, _ in answers])}
    return {
        "lastingIds": lasting_ids,
        "ticketIds": ticket_ids,
        "answers": [
            {
                "message": messages[each.pk],
                "ticket": tickets[each.ticket_id],
                "fromTicketId": from_ticket_id,
            }
            for each, from_ticket_id in answers
            # Deleted meanwhile.
            if each.pk in messages and each.ticket_id in tickets
        ],
    }
