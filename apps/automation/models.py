"""AI prompts and queue integrations (rules/automation §3 and §7)."""

from django.db import models
from django.utils import timezone

from apps.common.encryption import EncryptedTextField
from apps.common.models import TenantQuerySet, TimestampedModel


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
    """A chatbot or automation connector."""

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
