"""Turns of integrations and models that are due or done."""

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class TurnKind(models.TextChoices):
    INTEGRATION = "integration"
    PROMPT = "prompt"


class BotTurn(LeasedRow):
    """An inbound message that an integration or a prompt answers (rules/automation §2).

    It is stored in the message's transaction, and the turns of a ticket are taken in order. The
    outcome is recorded together with the replies, so a killed worker neither repeats nor skips a
    step. `event_id` identifies the turn to the other side in every attempt. `payload` holds what
    the message's row lacks: `choice_id`, and `raw` and `envelope`, from which the provider's
    notification is rebuilt.
    """

    wakes = "tickets.take_turns"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey("tickets.Ticket", on_delete=models.CASCADE, related_name="turns")
    message = models.ForeignKey("tickets.Message", on_delete=models.CASCADE, related_name="turns")
    kind = models.CharField(max_length=12, choices=TurnKind.choices)
    integration = models.ForeignKey(
        "automation.QueueIntegration",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="turns",
    )
    prompt = models.ForeignKey(
        "automation.Prompt", null=True, blank=True, on_delete=models.CASCADE, related_name="turns"
    )
    event_id = models.UUIDField(unique=True, editable=False)
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["message", "kind"], name="one_turn_per_message")
        ]
        indexes = [
            models.Index(
                fields=["ticket", "id"],
                condition=UNFINISHED,
                name="turn_unfinished",
            ),
            models.Index(
                fields=["next_attempt_at", "id"],
                condition=UNFINISHED,
                name="turn_due",
            ),
            models.Index(fields=["finished_at"], name="turn_by_age"),
        ]

    def __str__(self) -> str:
        return f"turn {self.pk} of ticket {self.ticket_id} {self.state}"
