"""Bodies and queries of the calls about tickets and messages."""

from typing import Any, ClassVar

import orjson
from django.utils.dateparse import parse_date, parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.media import MIME_LENGTH
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import (
    MAX_ID,
    BooleanField,
    BoundedListField,
    IdField,
    OptionalIdField,
    StrictSerializer,
    SwitchField,
    TextField,
    UnusedField,
)
from apps.tickets.models import UTILITY, TicketStatus
from apps.tickets.serializers.interactive import InteractiveField

MAX_BODY_LENGTH = 4096
# As long as a template's text: documentation/business-messaging/whatsapp/direct-send/
# supported-features-and-limits (31 Jul 2026).
MAX_UTILITY_LENGTH = 1024
LONG_UTILITY_TEXT = f"Uma mensagem de utilidade pode ter no máximo {MAX_UTILITY_LENGTH} caracteres."
NO_PLAIN_TEXT = "Uma mensagem de utilidade não leva arquivo nem citação."
MAX_SEARCH_LENGTH = 200
MAX_FILES = 30
EMPTY_MESSAGE = "Escreva uma mensagem."
# A token of an upload names a path, a file's name and type.
MAX_TOKEN_LENGTH = 2000
ALONE_FILES = "Os arquivos enviados vão sozinhos, só com a legenda em body."
ALONE = "Uma mensagem interativa vai sozinha, sem texto ou arquivo ao lado."
MAX_TAGS = 300
MAX_NOTE_LENGTH = 1000


@extend_schema_field(OpenApiTypes.STR)
class JsonIdsField(serializers.Field[list[int], str, Any, Any]):
    """Ids as JSON text, `[1,2]` (rules/tickets §9)."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": "Informe uma lista de ids em JSON, como [1,2]."
    }

    def to_internal_value(self, data: str) -> list[int]:
        """Return the ids; older browsers also send them as texts."""
        try:
            ids = orjson.loads(data)
        except (orjson.JSONDecodeError, TypeError):
            self.fail("invalid")
        if not isinstance(ids, list) or len(ids) > 1000:
            self.fail("invalid")
        return [self._id(each) for each in ids]

    def _id(self, value: Any) -> int:
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_ID:
            self.fail("invalid")
        return int(value)


@extend_schema_field(OpenApiTypes.DATE)
class DayField(serializers.Field[Any, str, Any, Any]):
    """A calendar day, `YYYY-MM-DD`, or a timestamp with a zone, of which the day counts."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": "Informe uma data no formato AAAA-MM-DD."
    }

    def to_internal_value(self, data: str) -> Any:
        """Return a date, or an aware datetime for the caller to place in the company's zone."""
        try:
            value = parse_date(data) or parse_datetime(data)
        except (ValueError, TypeError):
            value = None
        # The years that every database and time zone can hold.
        if value is None or not 1900 <= value.year <= 2900:
            self.fail("invalid")
        return value


class TicketFiltersSerializer(serializers.Serializer[Any]):
    """The filters of the inbox (rules/tickets §9)."""

    status = serializers.ChoiceField(choices=TicketStatus.choices, required=False, allow_blank=True)
    showAll = SwitchField(source="show_all", required=False)
    queueIds = JsonIdsField(source="queue_ids", required=False)
    withoutQueue = serializers.ChoiceField(
        choices=["true", "false", "only"],
        source="without_queue",
        required=False,
        allow_blank=True,
    )
    searchParam = serializers.CharField(
        source="search", required=False, allow_blank=True, max_length=MAX_SEARCH_LENGTH
    )
    tags = JsonIdsField(required=False)
    users = JsonIdsField(required=False)
    date = DayField(source="created_on", required=False)
    updatedAt = DayField(source="updated_on", required=False)
    withUnreadMessages = SwitchField(source="unread_only", required=False)
    windowClosing = SwitchField(
        source="window_closing",
        required=False,
        help_text=(
            "Live tickets of official numbers whose contact waits for an answer and whose 24-hour"
            " window closes within the hour."
        ),
    )
    snoozed = serializers.ChoiceField(
        choices=["true", "false", "only"],
        required=False,
        allow_blank=True,
        help_text="Snoozed tickets; by default the list has them.",
    )
    unansweredCampaigns = serializers.ChoiceField(
        choices=["true", "false", "only"],
        source="unanswered_campaigns",
        required=False,
        allow_blank=True,
        help_text="Tickets that only a campaign began; by default a search alone has them.",
    )


class TicketListFiltersSerializer(TicketFiltersSerializer):
    """The filters and the order of the inbox.

    `longest_waiting` has what was woken on top, and then sorts by priority and by the time when
    tickets began to wait, the longest wait first. `nearest_deadline` has the tickets with a
    deadline first, the nearest on top (rules/desk §8).
    """

    order = serializers.ChoiceField(
        choices=["updated", "longest_waiting", "nearest_deadline"], required=False, allow_blank=True
    )


class PageNumberSerializer(serializers.Serializer[Any]):
    """The page, from 1."""

    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)


class TicketListQuerySerializer(TicketListFiltersSerializer, PageNumberSerializer):
    """The whole query of the inbox, for the schema."""


class BoardFiltersSerializer(TicketFiltersSerializer):
    """The filters of the board; `laneId` is a kanban tag's id, 0 the tickets without one."""

    laneId = serializers.IntegerField(
        source="lane_id", required=False, min_value=0, max_value=MAX_ID
    )


class BoardQuerySerializer(BoardFiltersSerializer, PageNumberSerializer):
    """The whole query of the board, for the schema."""


class MessageListQuerySerializer(PageNumberSerializer):
    """The page of a conversation: by number, before or after a message, around one or a note."""

    beforeId = IdField(source="before_id", required=False)
    afterId = IdField(source="after_id", required=False)
    aroundId = IdField(source="around_id", required=False)
    aroundNoteId = IdField(source="around_note_id", required=False)
    peek = BooleanField(
        required=False, help_text="True: return the messages without marking them as read."
    )


class TicketCreateSerializer(serializers.Serializer[Any]):
    """A ticket to open with a contact (rules/tickets §4)."""

    contactId = IdField(source="contact_id")
    queueId = OptionalIdField(source="queue_id")
    whatsappId = OptionalIdField(source="connection_id")
    userId = OptionalIdField(source="user_id")
    status = serializers.ChoiceField(
        choices=[TicketStatus.OPEN, TicketStatus.PENDING], default=TicketStatus.OPEN
    )


class ThreadControlSerializer(serializers.Serializer[Any]):
    """Who shall lead the conversation: `take` it, `release` it, or `pass` it to the escalation
    partner.
    """

    action = serializers.ChoiceField(choices=["take", "release", "pass"])


class TicketUpdateSerializer(serializers.Serializer[Any]):
    """A change of a ticket; omitted fields do not change (rules/tickets §3)."""

    status = serializers.ChoiceField(choices=TicketStatus.choices, required=False)
    userId = OptionalIdField(source="user_id")
    queueId = OptionalIdField(source="queue_id")
    whatsappId = OptionalIdField(source="connection_id")
    useIntegration = BooleanField(source="use_integration", required=False, allow_null=True)
    promptId = OptionalIdField(source="prompt_id")
    integrationId = OptionalIdField(source="integration_id")
    note = serializers.CharField(
        required=False, allow_blank=True, allow_null=True, max_length=MAX_NOTE_LENGTH
    )
    closingReason = TextField(
        source="closing_reason",
        max_length=60,
        help_text="Of the company's list, where it has one; with `status` `closed` alone.",
    )


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer", "minimum": 1, "maximum": MAX_ID, "format": "int64"},
            {"type": "object"},
        ]
    }
)
class TagReferenceField(IdField):
    """A tag's id, or the whole tag as browsers hold it, of which only the id is used."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(data.get("id") if isinstance(data, dict) else data)


class TagsSyncSerializer(serializers.Serializer[Any]):
    """The tags that a ticket has from now on."""

    ticketId = IdField(source="ticket_id")
    tags = BoundedListField(
        source="tag_ids",
        child=TagReferenceField(),
        max_length=MAX_TAGS,
        error_messages={
            "required": "Informe as tags do atendimento.",
            "not_a_list": "Informe as tags do atendimento.",
            "null": "Informe as tags do atendimento.",
            "max_length": f"Um atendimento pode ter no máximo {MAX_TAGS} tags.",
        },
    )


class QuotedReferenceSerializer(serializers.Serializer[Any]):
    """The message to quote; browsers send all of it, only the id is used."""

    id = IdField()


class MessageCreateSerializer(serializers.Serializer[Any]):
    """A text to send, a stored file with or without a text, or an interactive message.

    The file is that of a quick message or a file list: `mediaPath` is its path there, or `mediaUrl`
    its address. With the `category` `utility` a text goes outside the 24-hour window without a
    template; it quotes nothing (rules/messages §12). `read` and `fromMe`, from older browsers, are
    ignored. The same `clientId` again sends nothing and returns the stored message. `uploads` names
    files that the browser brought to the store (`POST /messages/{id}/uploads`): they are sent as
    `messages` are, `body` as the caption of the first (rules/messages §5).
    """

    body = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_BODY_LENGTH,
        trim_whitespace=False,
        error_messages={
            "null": EMPTY_MESSAGE,
            "max_length": f"A mensagem pode ter no máximo {MAX_BODY_LENGTH} caracteres.",
        },
    )
    quotedMsg = QuotedReferenceSerializer(source="quoted", required=False, allow_null=True)
    clientId = serializers.UUIDField(source="client_id", required=False, allow_null=True)
    category = serializers.ChoiceField(choices=[UTILITY], required=False, allow_null=True)
    read = BooleanField(required=False, allow_null=True)
    fromMe = BooleanField(required=False, allow_null=True)
    mediaUrl = serializers.CharField(required=False, allow_blank=True, allow_null=True)
    mediaPath = serializers.CharField(required=False, allow_blank=True, allow_null=True)
    interactive = InteractiveField(required=False, allow_null=True)
    uploads = BoundedListField(
        child=serializers.CharField(max_length=MAX_TOKEN_LENGTH),
        required=False,
        max_length=MAX_FILES,
        error_messages={"max_length": f"Envie no máximo {MAX_FILES} arquivos de uma vez."},
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """Refuse a message without a content, and an interactive one with another beside."""
        body = data.setdefault("body", "")
        if data.get("uploads"):
            beside = ("category", "interactive", "mediaPath", "mediaUrl")
            if others := [name for name in beside if data.get(name)]:
                raise serializers.ValidationError({key: [ALONE_FILES] for key in others}, "unused")
            return data
        if data.get("interactive"):
            beside = ("body", "category", "mediaPath", "mediaUrl")
            others = [name for name in beside if data.get(name)]
            if others:
                faults = {name: [ALONE] for name in others}
                raise serializers.ValidationError(faults, "unused")
            return data
        if not (body.strip() or data.get("mediaPath") or data.get("mediaUrl")):
            raise serializers.ValidationError({"body": [EMPTY_MESSAGE]}, "blank")
        if data.get("category"):
            self._check_utility_text(data, body)
        return data

    def _check_utility_text(self, data: dict[str, Any], body: str) -> None:
        if data.get("mediaPath") or data.get("mediaUrl") or data.get("quoted"):
            raise serializers.ValidationError({"category": [NO_PLAIN_TEXT]}, "invalid")
        if len(body) > MAX_UTILITY_LENGTH:
            raise serializers.ValidationError({"body": [LONG_UTILITY_TEXT]}, "max_length")


class UploadCreateSerializer(StrictSerializer):
    """What a browser will bring: the file's name, its type as the browser knows it, its bytes."""

    name = serializers.CharField(max_length=255)
    mime = serializers.CharField(
        max_length=MIME_LENGTH, required=False, allow_blank=True, default=""
    )
    size = serializers.IntegerField(min_value=0, max_value=2**53)


@extend_schema_field(OpenApiTypes.STR)
class CaptionsField(BoundedListField):
    """Captions: one for the first file or, if the form repeats the field, one for each file."""

    child = serializers.CharField(
        allow_blank=True,
        max_length=MAX_BODY_LENGTH,
        trim_whitespace=False,
        error_messages={
            "max_length": f"A legenda pode ter no máximo {MAX_BODY_LENGTH} caracteres."
        },
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # The number of captions is checked before the captions; the schema shows the field as a
        # text, without that limit.
        self.validators = []


class MediaMessageCreateSerializer(serializers.Serializer[Any]):
    """Files to send, with their captions."""

    medias = BoundedListField(
        child=serializers.FileField(
            max_length=1000,
            allow_empty_file=True,
            error_messages={"invalid": "Anexe um arquivo."},
        ),
        min_length=1,
        max_length=MAX_FILES,
        error_messages={
            "required": "Anexe um arquivo.",
            "min_length": "Anexe um arquivo.",
            "max_length": f"Envie no máximo {MAX_FILES} arquivos de uma vez.",
        },
    )
    body = CaptionsField(required=False, max_length=MAX_FILES)
    interactive = UnusedField(ALONE)
    quotedMsg = QuotedReferenceSerializer(source="quoted", required=False, allow_null=True)
    clientId = serializers.UUIDField(source="client_id", required=False, allow_null=True)
