"""Polls and their votes."""

from django.db import models
from django.utils import timezone

from apps.common.encryption import EncryptedTextField
from apps.tickets.models.messages import Message


class Poll(models.Model):
    """The secret that decrypts the votes on a poll message.

    The options are in the message's `data`.
    """

    message = models.OneToOneField(
        Message, primary_key=True, on_delete=models.CASCADE, related_name="poll"
    )
    secret = EncryptedTextField()

    def __str__(self) -> str:
        return f"poll {self.pk}"


class PollVote(models.Model):
    """The last vote of a contact, or of our side's phone, on a poll.

    `options` are positions in the poll's options. A withdrawn vote keeps its row with no options,
    so that an earlier vote that arrives late does not count.
    """

    poll = models.ForeignKey(Poll, on_delete=models.CASCADE, related_name="votes")
    from_me = models.BooleanField()
    sender = models.ForeignKey(
        "contacts.Contact", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    options = models.JSONField(default=list)
    # From the voter's clock.
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
