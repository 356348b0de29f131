"""Messages on the wire: rows made by hand, and the serializers that declare their shape."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.common.compiled_queries import CompiledQuery, collected
from apps.common.media import media_url
from apps.common.renderers import to_json
from apps.common.uploads import Offer
from apps.tickets.models import MediaState, MediaType, Message, MessageSource, PollVote
from apps.tickets.serializers.tickets import TicketActivitySerializer, TicketSerializer

# Used if the provider gave no picture of a location, because older browsers always show one.
LOCATION_PICTURE = "tickets/location.png"

# The columns that are shown of a message and of the one it quotes, by wire name.
SHARED_COLUMNS = {
    "ticketId": "ticket_id",
    "contactId": "contact_id",
    "companyId": "company_id",
    "body": "body",
    "fromMe": "from_me",
    "ack": "ack",
    "read": "is_read",
    "mediaType": "media_type",
    "media_path": "media_path",
    "mediaState": "media_state",
    "mediaName": "media_name",
    "mediaMime": "media_mime",
    "mediaSize": "media_size",
    "mediaSeconds": "media_seconds",
    "quotedMsgId": "quoted_id",
    "isDeleted": "is_deleted",
    "isEdited": "is_edited",
    "remoteJid": "remote_jid",
    "data": "data",
    "wid": "external_id",
    "clientId": "client_id",
    "userId": "user_id",
    "userName": "user__name",
    "source": "source",
    "errorCode": "error_code",
    "errorReason": "error_reason",
    "reasonCode": "reason_code",
    "reasonDetail": "reason_detail",
    "participant_id": "participant_id",
    "participant_name": "participant__name",
    "createdAt": "created_at",
    "updatedAt": "updated_at",
}
# The message that a quoted message quotes is not shown.
_QUOTED_COLUMNS = {
    wire: f"quoted__{column}" for wire, column in SHARED_COLUMNS.items() if column != "quoted_id"
}
_OWN_END = len(SHARED_COLUMNS)
_QUOTED_END = _OWN_END + len(_QUOTED_COLUMNS)


def _stored(messages: "QuerySet[Message]") -> "QuerySet[Message, Any]":
    reactions = collected(
        "reaction.id, reaction.emoji, reaction.from_me, sender.name, author.name",
        "tickets_messagereaction AS reaction"
        " LEFT JOIN contacts_contact AS sender ON sender.id = reaction.sender_id"
        " LEFT JOIN accounts_user AS author ON author.id = reaction.user_id"
        " WHERE reaction.message_id = tickets_message.id",
    )
    return (
        messages.order_by()
        .annotate(all_reactions=reactions)
        .values_list(
            *SHARED_COLUMNS.values(),
            *_QUOTED_COLUMNS.values(),
            "id",
            "contact__name",
            "contact__number",
            "contact__picture_path",
            "all_reactions",
        )
    )


_STORED = CompiledQuery(lambda ids: _stored(Message.objects.filter(pk__among=ids)))
# For a list of ids PostgreSQL plans anew each time, which for so many joins takes ten times as long
# as the reading.
_STORED_ONE = CompiledQuery(lambda message_id: _stored(Message.objects.filter(pk=message_id)))


def _voted(ids: RawSQL) -> "QuerySet[PollVote, Any]":
    votes = PollVote.objects.filter(poll__among=ids).order_by("pk")
    return votes.values_list("poll_id", "options", "from_me", "sender__name")


_VOTED = CompiledQuery(_voted)


def message_rows_of(message_ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return these messages' wire rows as stored now, in this order, in one query.

    If one of them is a poll, a second query reads the votes.
    """
    rows: dict[int, dict[str, Any]] = {}
    polls: list[int] = []
    found: Sequence[tuple[Any, ...]] = ()
    if len(message_ids) == 1:
        found = _STORED_ONE.rows(message_id=message_ids[0])
    elif message_ids:
        found = _STORED.rows(ids=list(message_ids))
    for stored in found:
        row = dict(zip(SHARED_COLUMNS, stored, strict=False))
        is_poll = isinstance(row["data"], dict) and "poll" in row["data"]
        pk, name, number, picture_path, reactions = stored[_QUOTED_END:]
        contact = {
            "id": row["contactId"],
            "name": name,
            "number": number,
            "profilePicUrl": media_url(picture_path),
        }
        rows[pk] = shaped(pk, row, contact)
        if row["quotedMsgId"]:
            quoted = dict(zip(_QUOTED_COLUMNS, stored[_OWN_END:_QUOTED_END], strict=True))
            quoted["quotedMsgId"] = None
            row["quotedMsg"] = shaped(row["quotedMsgId"], quoted, contact)
        if reactions:
            row["reactions"] = _reaction_rows(reactions)
        if is_poll:
            polls.append(pk)
    for poll_id, options, from_me, name in _VOTED.rows(ids=polls) if polls else ():
        if options:
            vote = {"options": options, "fromMe": bool(from_me), "name": name or ""}
            rows[poll_id]["pollVotes"].append(vote)
    return [rows[pk] for pk in message_ids if pk in rows]


def message_row(message: Message) -> dict[str, Any]:
    """Return a message's wire row as it is stored now, in one query."""
    return message_rows_of([message.pk])[0]


def shaped(message_id: int, row: dict[str, Any], contact: dict[str, Any]) -> dict[str, Any]:
    """Turn the values of SHARED_COLUMNS, by wire name, into a wire row.

    The row is changed in place; it has no quoted message, reactions or votes yet.
    """
    path, data = row.pop("media_path"), row.pop("data")
    participant_id, participant_name = row.pop("participant_id"), row.pop("participant_name")
    row["id"] = message_id
    if row["mediaType"] == MediaType.LOCATION and row["body"].startswith("|"):
        row["body"] = f"{settings.PUBLIC_URL}{settings.STATIC_URL}{LOCATION_PICTURE}{row['body']}"
    row["mediaUrl"] = media_url(path, row["mediaName"]) or None
    row["mediaState"] = row["mediaState"] or None
    row["dataJson"] = None if data is None else to_json(data).decode()
    row["contact"] = contact
    row["participant"] = (
        {"id": participant_id, "name": participant_name} if participant_id else None
    )
    row["quotedMsg"] = None
    row["reactions"] = []
    row["pollVotes"] = []
    return row


def _reaction_rows(found: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    return [
        {"emoji": emoji, "fromMe": bool(from_me), "name": (author if from_me else sender) or ""}
        for _, emoji, from_me, sender, author in sorted(found, key=itemgetter(0))
    ]


class MessageContactSerializer(serializers.Serializer[Any]):
    """The contact of a conversation."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    profilePicUrl = serializers.CharField()


class ReactionSerializer(serializers.Serializer[Any]):
    """An emoji on a message and who put it there."""

    emoji = serializers.CharField()
    fromMe = serializers.BooleanField()
    name = serializers.CharField()


class PollVoteSerializer(serializers.Serializer[Any]):
    """A vote on a poll; `options` are positions in the list of options of its `dataJson`."""

    options = serializers.ListField(child=serializers.IntegerField())
    fromMe = serializers.BooleanField()
    name = serializers.CharField()


class ParticipantSerializer(serializers.Serializer[Any]):
    """The writer of a message in a group."""

    id = serializers.IntegerField()
    name = serializers.CharField()


@extend_schema_serializer(component_name="TicketMessage")
class MessageSerializer(serializers.Serializer[Any]):
    """A message of a ticket; in a quoted message, `quotedMsg` is always null."""

    id = serializers.IntegerField()
    ticketId = serializers.IntegerField()
    contactId = serializers.IntegerField()
    companyId = serializers.IntegerField()
    body = serializers.CharField()
    fromMe = serializers.BooleanField()
    ack = serializers.IntegerField()
    read = serializers.BooleanField()
    mediaType = serializers.ChoiceField(choices=MediaType.choices)
    mediaUrl = serializers.CharField(allow_null=True)
    mediaName = serializers.CharField()
    mediaMime = serializers.CharField()
    mediaSize = serializers.IntegerField(allow_null=True)
    mediaSeconds = serializers.FloatField(allow_null=True)
    mediaState = serializers.ChoiceField(choices=MediaState.choices, allow_null=True)
    quotedMsgId = serializers.IntegerField(allow_null=True)
    isDeleted = serializers.BooleanField()
    isEdited = serializers.BooleanField()
    remoteJid = serializers.CharField()
    dataJson = serializers.CharField(allow_null=True)
    wid = serializers.CharField(allow_null=True)
    clientId = serializers.UUIDField(
        allow_null=True,
        help_text="Id that the sender chose, to recognize the message; null if none was sent.",
    )
    userId = serializers.IntegerField(allow_null=True)
    userName = serializers.CharField(allow_null=True)
    source = serializers.ChoiceField(choices=MessageSource.choices)  # type: ignore[assignment]
    errorCode = serializers.CharField()
    errorReason = serializers.CharField()
    reasonCode = serializers.CharField(
        help_text="Code of the reason, for translation; '' if the reason was stored without one."
    )
    reasonDetail = serializers.CharField()
    reactions = ReactionSerializer(many=True)
    pollVotes = PollVoteSerializer(many=True)
    participant = ParticipantSerializer(allow_null=True)
    contact = MessageContactSerializer()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the message that it quotes, which has the same shape."""
        return {**super().get_fields(), "quotedMsg": MessageSerializer(allow_null=True)}


class MessagePageSerializer(serializers.Serializer[Any]):
    """A page of a conversation, oldest message first, with the activities of the same time.

    `hasMore` tells whether there are older messages or, in the response to `afterId`, newer ones.
    `hasNewer` always tells whether there are newer ones.
    """

    messages = MessageSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
    hasNewer = serializers.BooleanField()
    ticket = TicketSerializer()
    events = TicketActivitySerializer(many=True)


class SentMessagesSerializer(serializers.Serializer[Any]):
    """The messages that sending files created."""

    messages = MessageSerializer(many=True)


class UploadOfferSerializer(serializers.Serializer[Any]):
    """Where a browser brings a file by PUT, with which headers, and its name for `uploads`."""

    id = serializers.CharField()
    url = serializers.CharField()
    headers = serializers.DictField(child=serializers.CharField())
    expiresAt = serializers.DateTimeField()


def offer_row(offer: Offer) -> dict[str, Any]:
    return {
        "id": offer.token,
        "url": offer.url,
        "headers": offer.headers,
        "expiresAt": offer.expires_at.isoformat().replace("+00:00", "Z"),
    }
