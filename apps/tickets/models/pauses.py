"""Pauses, in which the bot waits until a contact has finished writing."""

from django.db import models

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class BotPause(LeasedRow):
    """The messages of a contact up to a pause, to be judged together (rules/bot §3).

    There is one row per ticket, due when the contact has been quiet long enough; each new message
    postpones it. Judging deletes the row in the same transaction. `payload` is that of the last
    message, in the form of a turn's payload.
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
