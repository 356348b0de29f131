"""AI prompts, queue integrations and outgoing webhooks (rules/automation §3, §7 and §11)."""

from typing import ClassVar, Self

from django.db import models
from django.utils import timezone

from apps.common.encryption import EncryptedTextField
from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.common.reasons import CODE_LENGTH, DETAIL_LENGTH


class Prompt(TimestampedModel):
    """An AI assistant that answers for a queue or a connection."""

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="prompts"
    )
    queue = models.ForeignKey("queues.Queue", on_delete=models.CASCADE, related_name="prompts")
    name = models.CharField(max_length=100)
    prompt = models.TextField()
    api_key = EncryptedTextField(blank=True)
    max_messages = models.PositiveIntegerField(default=10)
    max_tokens = models.PositiveIntegerField(default=100)
    temperature = models.FloatField(default=1)
    voice = models.CharField(max_length=50, default="texto")
    voice_key = EncryptedTextField(blank=True)
    voice_region = models.CharField(max_length=50, blank=True)
    # Empty: the operator's (OPENAI_BASE_URL, OPENAI_MODEL).
    base_url = models.URLField(max_length=500, blank=True)
    model = models.CharField(max_length=100, blank=True)

    objects = TenantQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class IntegrationType(models.TextChoices):
    """What an integration speaks (rules/automation §3)."""

    DIALOGFLOW = "dialogflow", "Dialogflow"
    N8N = "n8n", "n8n"
    WEBHOOK = "webhook", "Webhook"
    WEBHOOK_OFFICIAL = "webhook_official", "Webhook (API oficial)"
    TYPEBOT = "typebot", "Typebot"
    ASAAS = "asaas", "Asaas"


class QueueIntegration(TimestampedModel):
    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="integrations"
    )
    type = models.CharField(max_length=20, choices=IntegrationType.choices)
    name = models.CharField(max_length=50)
    project_name = models.CharField(max_length=100, blank=True)
    json_content = EncryptedTextField(blank=True)
    language = models.CharField(max_length=10, blank=True)
    # It may hold a password.
    url = EncryptedTextField(blank=True)
    typebot_slug = models.CharField(max_length=200, blank=True)
    typebot_expires_minutes = models.PositiveIntegerField(default=1)
    typebot_delay_ms = models.PositiveIntegerField(default=1000)
    typebot_keyword_finish = models.CharField(max_length=100, blank=True)
    typebot_keyword_restart = models.CharField(max_length=100, blank=True)
    typebot_restart_message = models.TextField(blank=True)
    typebot_unknown_message = models.TextField(blank=True)
    # Where a conversation waits that it led to no queue (rules/bot §9).
    fallback_queue = models.ForeignKey(
        "queues.Queue", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Signs what is posted to `url`; made by the server, shown to admins.
    signing_secret = EncryptedTextField(blank=True)

    objects = TenantQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class IntegrationSession(models.Model):
    """A conversation that an integration leads; `data` is the client's own (Typebot's session).

    It ends with the ticket's cycle: whoever accepts, closes or hands over deletes it.
    """

    ticket = models.ForeignKey(
        "tickets.Ticket", on_delete=models.CASCADE, related_name="integration_sessions"
    )
    integration = models.ForeignKey(
        QueueIntegration, on_delete=models.CASCADE, related_name="sessions"
    )
    session_id = models.CharField(max_length=200, blank=True)
    data = models.JSONField(default=dict)
    last_used_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ticket", "integration"], name="one_session_per_integration"
            )
        ]

    def __str__(self) -> str:
        return f"integration {self.integration_id} in ticket {self.ticket_id}"


class IntegrationCall(models.Model):
    """One call of an integration, as its log shows it (rules/automation §9).

    `event_id` stays the same over the tries of one event, so that the receiver can tell a repeat.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    integration = models.ForeignKey(
        QueueIntegration, on_delete=models.CASCADE, related_name="calls"
    )
    ticket = models.ForeignKey(
        "tickets.Ticket", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    turn = models.ForeignKey(
        "tickets.BotTurn", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    event_id = models.UUIDField()
    event = models.CharField(max_length=50)
    url = models.CharField(max_length=500)
    attempt = models.PositiveIntegerField(default=1)
    request_body = models.JSONField(default=dict)
    status_code = models.PositiveIntegerField(null=True, blank=True)
    response_text = models.TextField(blank=True)
    error = models.CharField(max_length=500, blank=True)
    # The same by name, for every language; rows of before have none.
    reason_code = models.CharField(max_length=50, blank=True, default="", db_default="")
    reason_detail = models.CharField(max_length=300, blank=True, default="", db_default="")
    duration_ms = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["integration", "-id"], name="integration_log"),
            models.Index(fields=["created_at"], name="integration_log_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.event} of integration {self.integration_id}"


class TokenUse(models.Model):
    """What one answer of a model cost, per company (rules/automation §7)."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    prompt = models.ForeignKey(
        Prompt, null=True, blank=True, on_delete=models.SET_NULL, related_name="token_uses"
    )
    ticket = models.ForeignKey(
        "tickets.Ticket", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    model = models.CharField(max_length=100)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["company", "created_at"], name="token_use_by_company")]

    def __str__(self) -> str:
        return f"{self.prompt_tokens} + {self.completion_tokens} tokens of {self.model}"


class WebhookEvent(models.TextChoices):
    """What a company's own programs may be told of (rules/automation §11)."""

    MESSAGE_RECEIVED = "message.received"
    MESSAGE_SENT = "message.sent"
    MESSAGE_ACKED = "message.acked"
    TICKET_OPENED = "ticket.opened"
    TICKET_CLOSED = "ticket.closed"
    TICKET_RATED = "ticket.rated"
    CONTACT_CREATED = "contact.created"


class WebhookStop(models.TextChoices):
    """Who switched an outgoing webhook off; empty while it is on."""

    BY_PERSON = "person"
    BY_FAILURES = "failures"


class OutgoingWebhookQuerySet(TenantQuerySet["OutgoingWebhook"]):
    """The addresses that companies have told us to post events to."""

    def running(self) -> Self:
        """Keep those that are on, of companies that are served and whose plan has the API."""
        return self.filter(
            is_active=True,
            company__is_enabled=True,
            company__deleted_at=None,
            company__plan__use_external_api=True,
        )


class OutgoingWebhook(TimestampedModel):
    """An address of the company's own to which what happens is posted (rules/automation §11).

    `failures` counts the failed tries since the last good one, of which `failing_since` is the
    first; nothing is tried before `paused_until`.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="outgoing_webhooks"
    )
    name = models.CharField(max_length=50)
    # It may hold a password, and a path that is one.
    url = EncryptedTextField()
    secret = EncryptedTextField()
    # Of `WebhookEvent`.
    events = models.JSONField(default=list)
    is_active = models.BooleanField(default=True)
    stopped_by = models.CharField(max_length=10, choices=WebhookStop.choices, blank=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    paused_until = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[OutgoingWebhookQuerySet] = OutgoingWebhookQuerySet.as_manager()  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(LeasedRow):
    """An event on its way to one address, and how its last try went (rules/automation §11).

    Written in the transaction of what it tells of. Those about one contact go to an address in
    order. `event_id` is the same over all tries, and for each address that hears the event.
    """

    wakes: ClassVar[str] = "automation.deliver_webhooks"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    webhook = models.ForeignKey(
        OutgoingWebhook, on_delete=models.CASCADE, related_name="deliveries"
    )
    contact = models.ForeignKey("contacts.Contact", on_delete=models.CASCADE, related_name="+")
    event = models.CharField(max_length=20, choices=WebhookEvent.choices)
    event_id = models.UUIDField(editable=False)
    payload = models.JSONField(default=dict)
    # Of the last try: no status without an answer, no reason where it went well.
    status_code = models.PositiveIntegerField(null=True, blank=True)
    response_text = models.TextField(blank=True)
    reason_code = models.CharField(max_length=CODE_LENGTH, blank=True)
    reason_detail = models.CharField(max_length=DETAIL_LENGTH, blank=True)
    duration_ms = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[LeasedQuerySet["WebhookDelivery"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name_plural = "webhook deliveries"
        indexes = [
            models.Index(
                fields=["webhook", "contact", "id"],
                condition=UNFINISHED,
                name="webhook_unfinished",
            ),
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="webhook_due"
            ),
            models.Index(fields=["webhook", "-id"], name="webhook_log"),
            models.Index(fields=["created_at"], name="webhook_log_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to webhook {self.webhook_id} {self.state}"
