"""Tickets on the wire: rows made by hand, and the serializers that declare their shape."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from apps.common.compiled_queries import CompiledQuery, collected
from apps.common.media import media_url
from apps.connections.models import ConnectionStatus, ProviderKind
from apps.tickets.models import (
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketOwner,
    TicketPriority,
    TicketStatus,
    Woken,
)
from apps.tickets.owners import owner_now
from apps.tickets.serializers.excerpts import excerpt

# The columns that are shown as they are, by wire name.
OWN_COLUMNS = {
    "id": "id",
    "uuid": "uuid",
    "status": "status",
    "unreadMessages": "unread_count",
    "handedOver": "is_handed_over",
    "handedOverById": "handed_over_by_id",
    "lastMessage": "last_message",
    "isGroup": "is_group",
    "unansweredCampaign": "unanswered_campaign",
    "userId": "user_id",
    "contactId": "contact_id",
    "whatsappId": "connection_id",
    "queueId": "queue_id",
    "companyId": "company_id",
    "owner": "owner",
    "ownerAt": "owner_at",
    "chatbot": "chatbot",
    "useIntegration": "use_integration",
    "promptId": "prompt_id",
    "integrationId": "integration_id",
    "createdAt": "created_at",
    "updatedAt": "updated_at",
    "closedAt": "closed_at",
    "queuedAt": "queued_at",
    "slaDueAt": "sla_due_at",
    "slaWarnsAt": "sla_warns_at",
    "priority": "priority",
    "snoozedAt": "snoozed_at",
    "snoozedUntil": "snoozed_until",
    "woken": "woken",
    "lastInboundAt": "last_inbound_at",
    "referral": "referral",
    "lastMessageId": "latest_message_id",
    "lastMessageFromMe": "latest_message__from_me",
    "lastMessageAck": "latest_message__ack",
    "lastMessageMediaType": "latest_message__media_type",
    "lastMessageDeleted": "latest_message__is_deleted",
}
PRIORITIES = [each.name.lower() for each in TicketPriority]
PRIORITY_WORDS = {each.value: each.name.lower() for each in TicketPriority}
# The related rows in a ticket's row: their wire name, the key to them, and their columns by wire
# name.
NEIGHBOURS = {
    "contact": (
        "contactId",
        {
            "name": "contact__name",
            "number": "contact__number",
            "email": "contact__email",
            "profilePicUrl": "contact__picture_path",
            "isGroup": "contact__is_group",
            "ignoreMessages": "contact__is_ignored",
        },
    ),
    "queue": ("queueId", {"name": "queue__name", "color": "queue__color"}),
    "user": ("userId", {"name": "user__name"}),
    "whatsapp": (
        "whatsappId",
        {
            "name": "connection__name",
            "provider": "connection__provider",
            "status": "connection__status",
        },
    ),
}
_COLUMNS = (
    *OWN_COLUMNS.values(),
    *(column for _, columns in NEIGHBOURS.values() for column in columns.values()),
)


def _places() -> Iterator[tuple[str, str, tuple[str, ...], int, int]]:
    """Yield each related row: wire name, key to it, its names, and the range of its columns."""
    start = len(OWN_COLUMNS)
    for wire, (key, columns) in NEIGHBOURS.items():
        yield wire, key, tuple(columns), start, start + len(columns)
        start += len(columns)


_PLACES = tuple(_places())


def _stored(tickets: "QuerySet[Ticket]") -> "QuerySet[Ticket, Any]":
    tags = collected(
        "tag.id, tag.name, tag.color, tag.is_kanban",
        "tickets_tickettag AS link JOIN contacts_tag AS tag ON tag.id = link.tag_id"
        " WHERE link.ticket_id = tickets_ticket.id",
    )
    return tickets.order_by().annotate(linked_tags=tags).values_list(*_COLUMNS, "linked_tags")


_STORED = CompiledQuery(lambda ids: _stored(Ticket.objects.filter(pk__among=ids)))
# For a list of ids PostgreSQL expects several rows, so it would plan anew each time instead of
# keeping a plan.
_STORED_ONE = CompiledQuery(lambda ticket_id: _stored(Ticket.objects.filter(pk=ticket_id)))


def ticket_rows_of(ticket_ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return these tickets' wire rows as stored now, in this order, in one query."""
    rows: dict[int, dict[str, Any]] = {}
    stored: Sequence[tuple[Any, ...]] = ()
    if len(ticket_ids) == 1:
        stored = _STORED_ONE.rows(ticket_id=ticket_ids[0])
    elif ticket_ids:
        stored = _STORED.rows(ids=list(ticket_ids))
    # Most of a page has the same few queues, users and connections.
    seen: list[dict[Any, Any]] = [{None: None} for _ in _PLACES]
    for values in stored:
        row: dict[str, Any] = dict(zip(OWN_COLUMNS, values, strict=False))
        row["owner"] = owner_now(row["owner"], row["ownerAt"])
        row["priority"] = PRIORITY_WORDS[row["priority"]]
        for (wire, key, names, start, end), shown in zip(_PLACES, seen, strict=True):
            pk = row[key]
            if pk not in shown:
                shown[pk] = dict(zip(names, values[start:end], strict=True))
                shown[pk]["id"] = pk
            row[wire] = shown[pk]
        row["tags"] = tag_rows(values[-1]) if values[-1] else []
        rows[row["id"]] = row
    for contact in seen[0].values():
        if contact is not None:
            contact["profilePicUrl"] = media_url(contact["profilePicUrl"])
            contact["tags"] = []
    return [rows[pk] for pk in ticket_ids if pk in rows]


def ticket_row(ticket: Ticket) -> dict[str, Any]:
    """Return a ticket's wire row as it is stored now, in one query."""
    return ticket_rows_of([ticket.pk])[0]


def tag_rows(links: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """Return the rows of a ticket's tags by name.

    `links` has each one's id, name, colour and lane.
    """
    return [
        {"id": pk, "name": name, "color": color, "kanban": int(is_kanban)}
        for pk, name, color, is_kanban in sorted(links, key=lambda link: (link[1], link[0]))
    ]


def with_matches(
    rows: Sequence[dict[str, Any]], lines: Mapping[int, tuple[int, str]], term: str
) -> list[dict[str, Any]]:
    """Return ticket rows with `match`: the message of `lines` that a search for `term` found."""
    return [{**row, "match": _match_row(lines.get(row["id"]), term)} for row in rows]


def _match_row(line: tuple[int, str] | None, term: str) -> dict[str, Any] | None:
    return {"messageId": line[0], "body": excerpt(line[1], term)} if line else None


def activity_row(activity: TicketActivity) -> dict[str, Any]:
    """Return the row of an activity; names are as they were when it happened."""
    detail = activity.detail
    return {
        "id": activity.pk,
        "ticketId": activity.ticket_id,
        "kind": activity.kind,
        "actorId": activity.actor_id,
        "actorName": detail.get("actor"),
        "userName": detail.get("user"),
        "queueName": detail.get("queue"),
        "whatsappName": detail.get("connection"),
        "by": detail.get("by"),
        "reason": detail.get("reason"),
        "error": detail.get("error"),
        "reasonCode": detail.get("reasonCode", ""),
        "reasonDetail": detail.get("reasonDetail", ""),
        "rate": detail.get("rate"),
        "note": detail.get("note"),
        "mentions": detail.get("mentions", []),
        "priority": detail.get("priority"),
        "until": detail.get("until"),
        "closingReason": detail.get("closingReason"),
        "number": detail.get("number"),
        "createdAt": activity.created_at,
    }


class TicketContactSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField()
    profilePicUrl = serializers.CharField()
    isGroup = serializers.BooleanField()
    ignoreMessages = serializers.BooleanField(help_text="Messages of this contact are not stored.")
    tags = serializers.ListField(
        child=serializers.CharField(),
        help_text="Always empty, because tags belong to tickets; older browsers read it.",
    )


class TicketQueueSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()


class TicketUserSerializer(serializers.Serializer[Any]):
    """A user beside a ticket: its holder, or one who has it open."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class TicketConnectionSerializer(serializers.Serializer[Any]):
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


class TicketMatchSerializer(serializers.Serializer[Any]):
    """The message that a search found, its text cut around the hit."""

    messageId = serializers.IntegerField()
    body = serializers.CharField()


class TicketReferralSerializer(serializers.Serializer[Any]):
    """The advertisement or post by which the contact came, as Meta tells it."""

    source_type = serializers.CharField(required=False)
    source_id = serializers.CharField(required=False)
    source_url = serializers.CharField(required=False)
    headline = serializers.CharField(required=False)
    body = serializers.CharField(required=False)
    media_type = serializers.CharField(required=False)
    ctwa_clid = serializers.CharField(required=False)


class TicketSerializer(serializers.Serializer[Any]):
    """A ticket.

    `handedOver`: it came to its holder or to its queue and was not opened there yet;
    `handedOverById` is the user who handed it over, null if nobody did.
    `unansweredCampaign`: only a campaign began it (rules/campaigns §5). `queuedAt` is when it last
    began to wait. `owner` is who leads the conversation at Meta: us, another responder of the
    number, or nobody; `ownerAt` since when, null if nobody else ever did. `slaDueAt` is the nearest
    deadline that runs, and `slaWarnsAt` when its last quarter begins (rules/desk §8). `match` is
    only in the rows of a search, null if the contact matched, not a message.
    """

    id = serializers.IntegerField()
    uuid = serializers.UUIDField()
    status = serializers.ChoiceField(choices=TicketStatus.choices)
    unreadMessages = serializers.IntegerField()
    handedOver = serializers.BooleanField()
    handedOverById = serializers.IntegerField(allow_null=True)
    lastMessage = serializers.CharField()
    isGroup = serializers.BooleanField()
    unansweredCampaign = serializers.BooleanField()
    userId = serializers.IntegerField(allow_null=True)
    contactId = serializers.IntegerField()
    whatsappId = serializers.IntegerField(allow_null=True)
    queueId = serializers.IntegerField(allow_null=True)
    companyId = serializers.IntegerField()
    owner = serializers.ChoiceField(choices=TicketOwner.choices)
    ownerAt = serializers.DateTimeField(allow_null=True)
    chatbot = serializers.BooleanField()
    useIntegration = serializers.BooleanField()
    promptId = serializers.IntegerField(allow_null=True)
    integrationId = serializers.IntegerField(allow_null=True)
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()
    closedAt = serializers.DateTimeField(allow_null=True)
    queuedAt = serializers.DateTimeField()
    slaDueAt = serializers.DateTimeField(allow_null=True)
    slaWarnsAt = serializers.DateTimeField(allow_null=True)
    priority = serializers.ChoiceField(choices=PRIORITIES)
    snoozedAt = serializers.DateTimeField(allow_null=True)
    snoozedUntil = serializers.DateTimeField(allow_null=True)
    woken = serializers.ChoiceField(choices=Woken.choices, allow_blank=True)
    lastInboundAt = serializers.DateTimeField(allow_null=True)
    referral = TicketReferralSerializer(allow_null=True)
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
    match = TicketMatchSerializer(allow_null=True, required=False)


class TicketPageSerializer(serializers.Serializer[Any]):
    """A page of the inbox."""

    tickets = TicketSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class TicketCountsSerializer(serializers.Serializer[Any]):
    """The numbers of open and pending tickets in the caller's lists, and of the unread among
    them.
    """

    open = serializers.IntegerField()
    pending = serializers.IntegerField()
    unread = serializers.IntegerField()


class NoteNameSerializer(serializers.Serializer[Any]):
    """A user or a queue that a note mentions, with the name as it was."""

    kind = serializers.ChoiceField(choices=["user", "queue"])
    name = serializers.CharField()


class TicketActivitySerializer(serializers.Serializer[Any]):
    """An activity of a ticket: who did it, and the user, queue and connection afterwards.

    `by` says what led to a queue (menu, keyword, option, timer, integration, prompt, fallback,
    closed, late). `reason` says why the bot stopped (leaf, limit, handed_over, failed, finished,
    silent, phone). `error` is the failure in Portuguese; `reasonCode` and `reasonDetail` give it
    for any language, '' for an old one. `rate` is the contact's rating, 1 to 3, `note` the note to
    the team, `mentions` whom it mentions, `priority` the new one, `until` the end of
    a snooze, null if it waits for the contact, `number` the contact's new number.
    """

    id = serializers.IntegerField()
    ticketId = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=TicketActivityKind.choices)
    actorId = serializers.IntegerField(allow_null=True)
    actorName = serializers.CharField(allow_null=True)
    userName = serializers.CharField(allow_null=True)
    queueName = serializers.CharField(allow_null=True)
    whatsappName = serializers.CharField(allow_null=True)
    by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    error = serializers.CharField(allow_null=True)
    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)
    rate = serializers.IntegerField(allow_null=True)
    note = serializers.CharField(allow_null=True)
    mentions = NoteNameSerializer(many=True)
    priority = serializers.ChoiceField(choices=PRIORITIES, allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    closingReason = serializers.CharField(allow_null=True)
    number = serializers.CharField(allow_null=True)
    createdAt = serializers.DateTimeField()
