"""AI prompts and queue integrations (specification 3 §3)."""

from django.db import models

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

    objects = TenantQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class IntegrationType(models.TextChoices):
    """What an integration speaks (specification 3 §9, specification 4 §5.1)."""

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
    url = models.URLField(max_length=500, blank=True)
    typebot_slug = models.CharField(max_length=200, blank=True)
    typebot_expires_minutes = models.PositiveIntegerField(default=1)
    typebot_delay_ms = models.PositiveIntegerField(default=1000)
    typebot_keyword_finish = models.CharField(max_length=100, blank=True)
    typebot_keyword_restart = models.CharField(max_length=100, blank=True)
    typebot_restart_message = models.TextField(blank=True)
    typebot_unknown_message = models.TextField(blank=True)

    objects = TenantQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
