"""Tickets on the wire: hand-shaped rows, and the serializers that declare their shape."""

from collections import defaultdict
from typing import Any

from django.db.models import F, QuerySet
from rest_framework import serializers

from apps.common.media import media_url
from apps.connections.models import ConnectionStatus, ProviderKind
from apps.tickets.models import Ticket, TicketEvent, TicketEventKind, TicketStatus, TicketTag

# Every column of the wire that needs no thought, by its wire name.
_COLUMNS = {
    "unreadMessages": F("unread_count"),
    "lastMessage": F("last_message"),
    "isGroup": F("is_group"),
    "userId": F("user_id"),
    "contactId": F("contact_id"),
    "whatsappId": F("connection_id"),
    "queueId": F("queue_id"),
    "companyId": F("company_id"),
    "useIntegration": F("use_integration"),
    "promptId": F("prompt_id"),
    "integrationId": F("integration_id"),
    "createdAt": F("created_at"),
    "updatedAt": F("updated_at"),
    "closedAt": F("closed_at"),
    "lastInboundAt": F("last_inbound_at"),
    "lastMessageId": F("latest_message_id"),
    "lastMessageFromMe": F("latest_message__from_me"),
    "lastMessageAck": F("latest_message__ack"),
    "lastMessageMediaType": F("latest_message__media_type"),
    "lastMessageDeleted": F("latest_message__is_deleted"),
}
_JOINED = {
    "contact_name": F("contact__name"),
    "contact_number": F("contact__number"),
    "contact_email": F("contact__email"),
    "contact_picture": F("contact__picture_path"),
    "contact_group": F("contact__is_group"),
    "queue_name": F("queue__name"),
    "queue_color": F("queue__color"),
    "user_name": F("user__name"),
    "connection_name": F("connection__name"),
    "connection_provider": F("connection__provider"),
    "connection_status": F("connection__status"),
}


def ticket_rows(tickets: "QuerySet[Ticket]") -> list[dict[str, Any]]:
    """Return the wire rows of a queryset, in its order, in two queries."""
    columns: dict[str, Any] = {**_COLUMNS, **_JOINED}
    found: Any = tickets.values("id", "uuid", "status", "chatbot", **columns)
    rows: list[dict[str, Any]] = list(found)
    tags = _tags_of([row["id"] for row in rows])
    for row in rows:
        row["contact"] = {
            "id": row["contactId"],
            "name": row.pop("contact_name"),
            "number": row.pop("contact_number"),
            "email": row.pop("contact_email"),
            "profilePicUrl": media_url(row.pop("contact_picture")),
            "isGroup": row.pop("contact_group"),
        }
        queue = {"id": row["queueId"], "name": row.pop("queue_name")}
        queue["color"] = row.pop("queue_color")
        row["queue"] = queue if row["queueId"] else None
        user = {"id": row["userId"], "name": row.pop("user_name")}
        row["user"] = user if row["userId"] else None
        connection = {
            "id": row["whatsappId"],
            "name": row.pop("connection_name"),
            "provider": row.pop("connection_provider"),
            "status": row.pop("connection_status"),
        }
        row["whatsapp"] = connection if row["whatsappId"] else None
        row["tags"] = tags[row["id"]]
    return rows


def ticket_row(ticket: Ticket) -> dict[str, Any]:
    """Return a ticket's wire row as it is stored now, in two queries."""
    return ticket_rows(Ticket.objects.filter(pk=ticket.pk))[0]


def _tags_of(ticket_ids: list[int]) -> dict[int, list[dict[str, Any]]]:
    tags: dict[int, list[dict[str, Any]]] = defaultdict(list)
    links = (
        TicketTag.objects.filter(ticket_id__in=ticket_ids)
        .order_by("tag__name", "tag_id")
        .values_list("ticket_id", "tag_id", "tag__name", "tag__color", "tag__is_kanban")
    )
    for ticket_id, tag_id, name, color, is_kanban in links:
        tags[ticket_id].append(
            {"id": tag_id, "name": name, "color": color, "kanban": int(is_kanban)}
        )
    return tags


def event_row(event: TicketEvent) -> dict[str, Any]:
    """Return a line of the history; names are as they were when it happened."""
    detail = event.detail
    return {
        "id": event.pk,
        "ticketId": event.ticket_id,
        "kind": event.kind,
        "actorName": detail.get("actor"),
        "userName": detail.get("user"),
        "queueName": detail.get("queue"),
        "whatsappName": detail.get("connection"),
        "createdAt": event.created_at,
    }


class TicketContactSerializer(serializers.Serializer[Any]):
    """The contact of a ticket."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField()
    profilePicUrl = serializers.CharField()
    isGroup = serializers.BooleanField()


class TicketQueueSerializer(serializers.Serializer[Any]):
    """The queue of a ticket."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()


class TicketUserSerializer(serializers.Serializer[Any]):
    """The user who holds a ticket."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class TicketConnectionSerializer(serializers.Serializer[Any]):
    """The connection of a ticket."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    provider = serializers.ChoiceField(choices=ProviderKind.choices)
    status = serializers.ChoiceField(choices=ConnectionStatus.choices)


class TicketTagSerializer(serializers.Serializer[Any]):
    """A tag of a ticket; `kanban` is 0 or 1."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()
    kanban = serializers.IntegerField()


class TicketSerializer(serializers.Serializer[Any]):
    """The schema of `ticket_row`."""

    id = serializers.IntegerField()
    uuid = serializers.UUIDField()
    status = serializers.ChoiceField(choices=TicketStatus.choices)
    unreadMessages = serializers.IntegerField()
    lastMessage = serializers.CharField()
    isGroup = serializers.BooleanField()
    userId = serializers.IntegerField(allow_null=True)
    contactId = serializers.IntegerField()
    whatsappId = serializers.IntegerField(allow_null=True)
    queueId = serializers.IntegerField(allow_null=True)
    companyId = serializers.IntegerField()
    chatbot = serializers.BooleanField()
    useIntegration = serializers.BooleanField()
    promptId = serializers.IntegerField(allow_null=True)
    integrationId = serializers.IntegerField(allow_null=True)
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()
    closedAt = serializers.DateTimeField(allow_null=True)
    lastInboundAt = serializers.DateTimeField(allow_null=True)
    lastMessageId = serializers.IntegerField(allow_null=True)
    lastMessageFromMe = serializers.BooleanField(allow_null=True)
    lastMessageAck = serializers.IntegerField(allow_null=True)
    lastMessageMediaType = serializers.CharField(allow_null=True)
    lastMessageDeleted = serializers.BooleanField(allow_null=True)
    contact = TicketContactSerializer()
    queue = TicketQueueSerializer(allow_null=True)
    user = TicketUserSerializer(allow_null=True)
    whatsapp = TicketConnectionSerializer(allow_null=True)
    tags = TicketTagSerializer(many=True)


class TicketPageSerializer(serializers.Serializer[Any]):
    """A page of the inbox."""

    tickets = TicketSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class TicketCountsSerializer(serializers.Serializer[Any]):
    """How many tickets the caller's lists of open and pending ones hold."""

    open = serializers.IntegerField()
    pending = serializers.IntegerField()


class TicketEventSerializer(serializers.Serializer[Any]):
    """The schema of `event_row`: who did it, and user, queue and connection afterwards."""

    id = serializers.IntegerField()
    ticketId = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=TicketEventKind.choices)
    actorName = serializers.CharField(allow_null=True)
    userName = serializers.CharField(allow_null=True)
    queueName = serializers.CharField(allow_null=True)
    whatsappName = serializers.CharField(allow_null=True)
    createdAt = serializers.DateTimeField()
