"""The wire shapes of the audit log."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import IdField, RowSerializer


class AuditQuerySerializer(serializers.Serializer[Any]):
    """The filters of the audit log."""

    userId = IdField(required=False, help_text="Id of the user who did it.")
    kind = serializers.CharField(
        required=False,
        help_text="Kind of object: the part of `action` before the dot, for example `contact`.",
    )
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(
        required=False, help_text="End of the period; entries from this moment on are left out."
    )
    pageNumber = serializers.IntegerField(required=False)


class AuditEntrySerializer(RowSerializer):
    """An entry of the audit log: who did what, when and from which IP address."""

    id = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")
    action = serializers.CharField(help_text="What was done, for example `contact.deleted`.")
    actorId = serializers.IntegerField(
        source="actor_id",
        allow_null=True,
        help_text="Id of the user who did it; null for the system and for a deleted user.",
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
