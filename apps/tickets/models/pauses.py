"""Contacts whom the bot lets finish before it answers."""

from django.db import models

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class BotPause(LeasedRow):
    """What a contact writes until they are quiet, to be judged together (rules/bot §3).

    One row a ticket, due when the contact was quiet for long enough; the next message puts it off.
    It is gone once it is judged, in the same transaction. `payload` is that of the last message, as
    a turn holds it.
    """

    wakes = "tickets.end_pauses"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    ticket = models.OneToOneField("tickets.Ticket", on_delete=models.CASCADE, related_name="pause")
    first_message = models.ForeignKey("tickets.Message", on_delete=models.CASCADE, related_name="+")
    payload = models.JSONField(default=dict)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="pause_due")
        ]

    def __str__(self) -> str:
        return f"pause of ticket {self.ticket_id}"
