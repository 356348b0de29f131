"""Requests and responses of drafts."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import RowSerializer, TextField
from apps.tickets.serializers.requests import MAX_BODY_LENGTH


class DraftSerializer(RowSerializer):
    """What the caller has typed in a conversation and not sent."""

    ticketId = serializers.IntegerField(source="ticket_id")
    text = serializers.CharField()
    updatedAt = serializers.DateTimeField(source="updated_at")


class DraftsSerializer(RowSerializer):
    """The caller's drafts, newest first."""

    drafts = DraftSerializer(many=True)


class DraftInputSerializer(serializers.Serializer[Any]):
    """The text typed so far; an empty one deletes the draft."""

    text = TextField(required=True, max_length=MAX_BODY_LENGTH, trim_whitespace=False)


class FollowsSerializer(RowSerializer):
    """The tickets for whose contact the caller waits, newest first."""

    ticketIds = serializers.ListField(child=serializers.IntegerField())
