"""The wire shapes of the audit log."""

from typing import Any

from rest_framework import serializers

from apps.audit.models import AuditEntry
from apps.common.serializers import IdField


class AuditQuerySerializer(serializers.Serializer[Any]):
    """What narrows the log."""

    userId = IdField(required=False, help_text="Who did it.")
    kind = serializers.CharField(
        required=False, help_text="On what: the part of `action` before its dot, as `contact`."
    )
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False, help_text="The first moment left out.")
    pageNumber = serializers.IntegerField(required=False)


class AuditEntrySerializer(serializers.Serializer[Any]):
    """One deed: who did what, when and from where."""

    id = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    action = serializers.CharField(help_text="What was done, as `contact.deleted`.")
    actorId = serializers.IntegerField(allow_null=True, help_text="Null: the system, or one gone.")
    actorName = serializers.CharField()
    objectType = serializers.CharField()
    objectId = serializers.CharField()
    detail = serializers.DictField()
    ipAddress = serializers.CharField(allow_null=True)


class AuditPageSerializer(serializers.Serializer[Any]):
    """A page of the log."""

    records = AuditEntrySerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


def audit_row(entry: AuditEntry) -> dict[str, Any]:
    """Return an entry in the shape of `AuditEntrySerializer`."""
    return {
        "id": entry.pk,
        "createdAt": entry.created_at,
        "action": entry.action,
        "actorId": entry.actor_id,
        "actorName": entry.actor_name,
        "objectType": entry.object_type,
        "objectId": entry.object_id,
        "detail": entry.detail,
        "ipAddress": entry.ip_address,
    }
