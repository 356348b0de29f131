import uuid
from typing import Any

from django.db import models
from django.utils import timezone

from apps.common.models import TenantQuerySet
from apps.common.search import LONGEST_TEXT, fold
from apps.contacts.models import NUMBER_LENGTH


class Ack(models.IntegerChoices):
    """How far a sent message got. It only moves forward (rules/messages §2)."""

    ERROR = -1
    PENDING = 0
    SENT = 1
    SERVER = 2
    DELIVERED = 3
    READ = 4
    PLAYED = 5


class MediaType(models.TextChoices):
    """The kinds of message on the wire (rules/messages §1)."""

    TEXT = "conversation"
    EXTENDED_TEXT = "extendedTextMessage"
    INTERACTIVE_LIST = "interactive_list"
    IMAGE = "image"
    STICKER = "sticker"
    AUDIO = "audio"
    VIDEO = "video"
    FILE = "application"
    CONTACT_CARD = "vcard"
    LOCATION = "locationMessage"
    TEMPLATE = "template"
    CALL_LOG = "call_log"
    UNKNOWN = "unknown"


# The list of tickets shows one line of it.
LONGEST_PREVIEW = 500
# `data["category"]` of a text that Meta sends as a template (rules/messages §12).
UTILITY = "utility"
# The key in `data` of a contact's message that the bot does not answer.
RESERVED = "reserved"
PREVIEW_WORDS: dict[str, str] = {
    MediaType.IMAGE: "Foto",
    MediaType.STICKER: "Figurinha",
    MediaType.AUDIO: "Áudio",
    MediaType.VIDEO: "Vídeo",
    MediaType.FILE: "Documento",
    MediaType.CONTACT_CARD: "Contato",
    MediaType.LOCATION: "Localização",
    MediaType.CALL_LOG: "Chamada",
    MediaType.UNKNOWN: "Mensagem não suportada",
}
# Kinds whose preview is the word alone: their bodies are machine-readable or empty.
WORD_ALONE = {
    MediaType.STICKER,
    MediaType.CONTACT_CARD,
    MediaType.LOCATION,
    MediaType.UNKNOWN,
}


class MediaState(models.TextChoices):
    """Whether a message's file is available; empty for messages without a file."""

    FETCHING = "fetching"
    READY = "ready"
    FAILED = "failed"
    # The company keeps files for less time than messages (rules/companies §9).
    EXPIRED = "expired"


class MessageSource(models.TextChoices):
    CONTACT = "contact"
    AGENT = "agent"
    PHONE = "phone"
    BOT = "bot"
    API = "api"
    SCHEDULE = "schedule"
    CAMPAIGN = "campaign"
    INTEGRATION = "integration"
    AI = "ai"
    # Another responder of the number wrote it or, if it is not from our side, got it.
    OTHER = "other"


# Sources of messages that people wrote, in the browser or on the phone itself.
BY_PEOPLE = (MessageSource.AGENT, MessageSource.PHONE)


class Message(models.Model):
    """One message. `external_id` is the provider's id, unique on its connection.

    `callback_id` travels with every send (Cloud API: biz_opaque_callback_data). It is set before
    the first attempt, so the provider's status can settle an unknown outcome (rules/messages §3).
    Sending a failed message again sets a new one. `client_id` is the browser's and never changes: a
    repeated submission is the same message.
    """

    # The row of the latest event about it in this process, for the answer of the call.
    told: dict[str, Any] | None = None

    # `message_by_company_age` begins with this column, so it needs no index of its own.
    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    # `message_by_connection` begins with this column, so it needs no index of its own.
    connection = models.ForeignKey(
        "connections.Connection",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    ticket = models.ForeignKey("tickets.Ticket", on_delete=models.CASCADE, related_name="messages")
    contact = models.ForeignKey("contacts.Contact", on_delete=models.CASCADE, related_name="+")
    # The writer in a group; empty elsewhere.
    participant = models.ForeignKey(
        "contacts.Contact", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    external_id = models.CharField(max_length=200, null=True, blank=True)
    callback_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    client_id = models.UUIDField(null=True, blank=True, editable=False)
    from_me = models.BooleanField(default=False)
    source = models.CharField(
        max_length=12, choices=MessageSource.choices, default=MessageSource.CONTACT
    )
    # What had it written, such as `greeting:5`: see `Origin`; empty for people and programs.
    origin = models.CharField(max_length=40, blank=True, default="", db_default="")
    ack = models.SmallIntegerField(choices=Ack.choices, default=Ack.PENDING)
    error_code = models.CharField(max_length=50, blank=True)
    error_reason = models.CharField(max_length=500, blank=True)
    # Language-independent code of `error_reason`; old rows have none.
    reason_code = models.CharField(max_length=50, blank=True, default="", db_default="")
    reason_detail = models.CharField(max_length=300, blank=True, default="", db_default="")
    media_type = models.CharField(max_length=20, choices=MediaType.choices, default=MediaType.TEXT)
    body = models.TextField(blank=True)
    search_text = models.TextField(blank=True, editable=False)
    media_state = models.CharField(max_length=10, choices=MediaState.choices, blank=True)
    # Storage path in the company's folder; empty until the file is fetched.
    media_path = models.CharField(max_length=300, blank=True)
    media_name = models.CharField(max_length=255, blank=True)
    media_mime = models.CharField(max_length=150, blank=True)
    media_size = models.PositiveBigIntegerField(null=True, blank=True)
    media_seconds = models.FloatField(null=True, blank=True)
    quoted = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Meta's pricing data of a sent message: billable, category, model, type.
    pricing = models.JSONField(null=True, blank=True)
    is_read = models.BooleanField(default=False)
    is_deleted = models.BooleanField(default=False)
    is_edited = models.BooleanField(default=False)
    remote_jid = models.CharField(max_length=NUMBER_LENGTH, blank=True)
    data = models.JSONField(null=True, blank=True)
    raw = models.JSONField(null=True, blank=True)
    # When the provider says that it was written. Rows are ordered by id, the order of arrival.
    sent_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(auto_now=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "external_id"],
                condition=models.Q(external_id__isnull=False),
                name="one_message_per_provider_id",
            ),
            models.UniqueConstraint(
                fields=["client_id"],
                condition=models.Q(client_id__isnull=False),
                name="one_message_per_client_id",
            ),
        ]
        indexes = [
            models.Index(fields=["contact", "connection", "-id"], name="message_by_conversation"),
            models.Index(fields=["ticket", "-id"], name="message_by_ticket"),
            # For what a company no longer keeps.
            models.Index(fields=["company", "created_at"], name="message_by_company_age"),
            models.Index(
                fields=["company", "created_at"],
                condition=models.Q(media_state="ready"),
                name="message_media_by_age",
            ),
            # For a connection's health: its last message in each direction, and a day's failures.
            models.Index(
                fields=["connection", "from_me", "-created_at"], name="message_by_connection"
            ),
            # For what a person wrote on a day.
            models.Index(
                fields=["user", "created_at"],
                condition=models.Q(user__isnull=False),
                name="message_by_user_age",
            ),
            # For a contact's gallery: few messages have files.
            models.Index(
                fields=["contact", "-id"],
                condition=models.Q(media_state="ready"),
                name="message_media_by_contact",
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded search text in step with the body."""
        self.fold_text()
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text", "updated_at"}
        super().save(*args, **kwargs)

    def fold_text(self) -> None:
        """Set the search text; bulk writes, which skip `save`, call this for each message."""
        self.search_text = fold(self.body)[:LONGEST_TEXT]

    @property
    def is_reserved(self) -> bool:
        """Tell whether a contact's message is for something else than the bot, as an opt-out is."""
        if self.source == MessageSource.OTHER:
            return True
        return isinstance(self.data, dict) and bool(self.data.get(RESERVED))

    @property
    def is_utility_text(self) -> bool:
        """Tell whether it is a text that goes outside the 24-hour window without a template."""
        is_text = self.from_me and self.media_type == MediaType.TEXT
        return is_text and isinstance(self.data, dict) and self.data.get("category") == UTILITY

    @property
    def preview(self) -> str:
        """Return the line for the list of tickets: text or caption, else file name, else a word."""
        if self.media_type in WORD_ALONE:
            return PREVIEW_WORDS[self.media_type]
        is_file = self.media_type == MediaType.FILE
        text = self.body if is_file or self.body != self.media_name else ""
        if not text and is_file:
            text = self.media_name
        return (text or PREVIEW_WORDS.get(self.media_type, ""))[:LONGEST_PREVIEW]


class MessageReaction(models.Model):
    """An emoji on a message; one per sender, and one from our side."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="reactions")
    from_me = models.BooleanField()
    sender = models.ForeignKey(
        "contacts.Contact", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    emoji = models.CharField(max_length=40)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["message"], condition=models.Q(from_me=True), name="one_own_reaction"
            ),
            models.UniqueConstraint(
                fields=["message", "sender"],
                condition=models.Q(from_me=False),
                name="one_reaction_per_sender",
            ),
        ]

    def __str__(self) -> str:
        return self.emoji
