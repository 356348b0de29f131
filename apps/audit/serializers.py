"""The wire shapes of the audit log."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import IdField, RowSerializer


class AuditQuerySerializer(serializers.Serializer[Any]):
    """The filters of the audit log."""

    userId = IdField(required=False, help_text="Who did it.")
    kind = serializers.CharField(
        required=False, help_text="On what: the part of `action` before its dot, as `contact`."
    )
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False, help_text="The first moment left out.")
    pageNumber = serializers.IntegerField(required=False)


class AuditEntrySerializer(RowSerializer):
    """An entry of the audit log: who did what, when and from which IP address."""

    id = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")
    action = serializers.CharField(help_text="What was done, as `contact.deleted`.")
    actorId = serializers.IntegerField(
        source="actor_id", allow_null=True, help_text="Null: the system, or one gone."
    )
    actorName = serializers.CharField(source="actor_name")
    objectType = serializers.CharField(source="object_type")
    objectId = serializers.CharField(source="object_id")
    detail = serializers.DictField()
    ipAddress = serializers.CharField(source="ip_address", allow_null=True)


class AuditPageSerializer(serializers.Serializer[Any]):
    """A page of the audit log."""

    records = AuditEntrySerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
