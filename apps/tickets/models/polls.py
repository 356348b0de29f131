"""Polls and who voted for what."""

from django.db import models
from django.utils import timezone

from apps.common.encryption import EncryptedTextField
from apps.tickets.models.messages import Message


class Poll(models.Model):
    """What opens the votes on a message that is a poll; the options stand in its `data`."""

    message = models.OneToOneField(
        Message, primary_key=True, on_delete=models.CASCADE, related_name="poll"
    )
    secret = EncryptedTextField()

    def __str__(self) -> str:
        return f"poll {self.pk}"


class PollVote(models.Model):
    """The last vote of a person, or of our side's phone, on a poll.

    `options` are places in the poll's list; one that was taken back has none, and stays, so that
    an earlier one that comes late does not count again.
    """

    poll = models.ForeignKey(Poll, on_delete=models.CASCADE, related_name="votes")
    from_me = models.BooleanField()
    sender = models.ForeignKey(
        "contacts.Contact", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    options = models.JSONField(default=list)
    # By the voter's clock.
    voted_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["poll"], condition=models.Q(from_me=True), name="one_own_vote"
            ),
            models.UniqueConstraint(
                fields=["poll", "sender"],
                condition=models.Q(from_me=False),
                name="one_vote_per_sender",
            ),
        ]

    def __str__(self) -> str:
        return f"vote {self.pk}"
