"""Campaigns and their recipients with each outcome (rules/campaigns §1)."""

from typing import Any

from django.db import models
from django.db.models import Q

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow, LeaseState
from apps.common.media_rows import MediaRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.common.reasons import CODE_LENGTH, DETAIL_LENGTH, ReasonCode
from apps.common.search import fold
from apps.contacts.models import NUMBER_LENGTH

NAME_LENGTH = 50
TEXTS_COUNT = 5


class CampaignStatus(models.TextChoices):
    """The values of `status` on the wire (rules/campaigns §2)."""

    INACTIVE = "INATIVA"
    SCHEDULED = "PROGRAMADA"
    RUNNING = "EM_ANDAMENTO"
    CANCELLED = "CANCELADA"
    FINISHED = "FINALIZADA"


class RecipientState(models.TextChoices):
    """The state of one recipient.

    `asking` and `queued`: the confirmation request, or the message, is in the outbox. `asked`: the
    request was sent and the answer is awaited. `confirmed`: the recipient has answered, and the
    message is sent next. Delivered and read are no states but ticks of the recipient's message.
    """

    PENDING = "pending"
    ASKING = "asking"
    ASKED = "asked"
    CONFIRMED = "confirmed"
    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_CONFIRMED = "not_confirmed"


TO_GO = (RecipientState.PENDING, RecipientState.CONFIRMED)
IN_OUTBOX = (RecipientState.ASKING, RecipientState.QUEUED)
ENDED = (
    RecipientState.SENT,
    RecipientState.FAILED,
    RecipientState.SKIPPED,
    RecipientState.NOT_CONFIRMED,
)


def no_texts() -> list[str]:
    """Return the texts of a new campaign, all empty."""
    return [""] * TEXTS_COUNT


NOT_ENDED = (*TO_GO, *IN_OUTBOX, RecipientState.ASKED)


class Campaign(MediaRow, LeasedRow, TimestampedModel):
    """A message to many recipients; `status` is the wire's, `state` the worker's.

    A campaign that is neither planned nor running is no work: its `state` is done, or failed when
    its worker died in each attempt. A running one is due at `next_send_at`, when its next message
    is sent, or earlier to check the outcome of earlier messages. Pauses count from the last
    handover, so no messages pile up while a campaign is stopped. `steps_count` counts the
    recipients handed to the outbox since the last start or restart. `files` are copies of the file
    list's files as of the start. `recipients_count` is fixed at the start. `wait_code` names what
    holds up a running campaign, or why it was stopped.
    """

    wakes = "campaigns.send"

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="campaigns"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    search_text = models.TextField(editable=False)
    status = models.CharField(
        max_length=12, choices=CampaignStatus.choices, default=CampaignStatus.INACTIVE
    )
    texts = models.JSONField(default=no_texts)
    asks_confirmation = models.BooleanField(default=False)
    confirmation_texts = models.JSONField(default=no_texts)
    scheduled_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    connection = models.ForeignKey(
        "connections.Connection", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    contact_list = models.ForeignKey(
        "campaigns.ContactList", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    tag = models.ForeignKey(
        "contacts.Tag", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    segment = models.ForeignKey(
        "campaigns.Segment", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    file_list = models.ForeignKey(
        "library.FileList", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    files = models.JSONField(default=list)
    # From the start on: the text of the file list, and the names of what people were taken from.
    list_text = models.TextField(blank=True, default="", db_default="")
    source_names = models.JSONField(default=list, db_default=[])
    # An approved template, which replaces the texts outside the 24-hour window.
    template_name = models.CharField(max_length=512, blank=True)
    template_language = models.CharField(max_length=20, blank=True)
    template_components = models.JSONField(default=list)
    next_send_at = models.DateTimeField(null=True, blank=True)
    steps_count = models.PositiveIntegerField(default=0)
    recipients_count = models.PositiveIntegerField(default=0)
    wait_code = models.CharField(max_length=CODE_LENGTH, blank=True)
    # While Meta does not let the template go: when to look at it again, and after how many looks.
    template_look_at = models.DateTimeField(null=True, blank=True)
    template_looks = models.PositiveSmallIntegerField(default=0, db_default=0)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["company", "-id"], name="campaign_newest_first"),
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="campaign_due"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=[LeaseState.DONE, LeaseState.FAILED])
                | Q(status__in=[CampaignStatus.SCHEDULED, CampaignStatus.RUNNING]),
                name="only_live_campaigns_are_work",
            )
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded search text in step with the name."""
        self.search_text = fold(self.name)
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text", "updated_at"}
        super().save(*args, **kwargs)


class CampaignRecipient(models.Model):
    """One person of a campaign, fixed when it starts; each number occurs once in a campaign.

    `confirmation_message` and `message` are the messages in the conversation. They are created in
    the transaction that changes the state, so the outbox gets each exactly once. `variant` is the
    number of the chosen text, from 1.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    # The index `recipient_by_campaign` begins with this column.
    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="recipients", db_index=False
    )
    name = models.CharField(max_length=200)
    number = models.CharField(max_length=NUMBER_LENGTH)
    canonical_number = models.CharField(max_length=NUMBER_LENGTH)
    email = models.EmailField(blank=True)
    search_text = models.TextField(editable=False)
    state = models.CharField(
        max_length=13, choices=RecipientState.choices, default=RecipientState.PENDING
    )
    variant = models.PositiveSmallIntegerField(null=True, blank=True)
    confirmation_message = models.ForeignKey(
        "tickets.Message", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    message = models.ForeignKey(
        "tickets.Message", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    confirmation_requested_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    queued_at = models.DateTimeField(null=True, blank=True)
    # A text with files is sent as several messages; this is the first of them.
    first_message_pk = models.BigIntegerField(null=True, blank=True)
    # `deliveredAt` on the wire: when the provider accepted the message.
    sent_at = models.DateTimeField(null=True, blank=True)
    # When we received the delivery and read reports, and when the contact answered
    # (rules/campaigns §10).
    reached_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=50, blank=True)
    error_reason = models.CharField(max_length=500, blank=True)
    reason_code = models.CharField(max_length=CODE_LENGTH, blank=True)
    reason_detail = models.CharField(max_length=DETAIL_LENGTH, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "canonical_number"], name="one_recipient_per_number"
            )
        ]
        indexes = [
            models.Index(fields=["campaign", "state", "id"], name="recipient_by_state"),
            models.Index(fields=["campaign", "id"], name="recipient_by_campaign"),
            # Incoming messages are matched to recipients by number.
            models.Index(fields=["company", "canonical_number"], name="recipient_by_number"),
            models.Index(
                fields=["campaign", "confirmation_requested_at"],
                condition=Q(state=RecipientState.ASKED),
                name="recipient_awaited",
            ),
            models.Index(
                fields=["campaign"],
                condition=Q(reason_code=ReasonCode.TEMPLATE_ASSESSED.value),
                name="recipient_assessed",
            ),
        ]

    def __str__(self) -> str:
        return f"recipient {self.pk} {self.state}"

    @property
    def newest_message(self) -> Any:
        """The message or, until it exists, the confirmation request."""
        return self.message or self.confirmation_message

    def fold_text(self) -> None:
        """Set the search text; bulk operations need this call, as they do not call `save`."""
        self.search_text = fold(f"{self.name} {self.number} {self.email}".rstrip())


class CampaignSetting(models.Model):
    """A campaign setting of a company; without a row the default applies (rules/campaigns §3)."""

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="campaign_settings"
    )
    key = models.CharField(max_length=50)
    value = models.JSONField()

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["company", "key"], name="one_campaign_setting_per_key")
        ]

    def __str__(self) -> str:
        return self.key
