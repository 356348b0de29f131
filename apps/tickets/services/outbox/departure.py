"""The moment in which a row of the outbox leaves (rules/messages §3)."""

from django.utils import timezone

from apps.common import log_ids
from apps.common.conditions import Condition, adapted
from apps.common.leases import Claim
from apps.tickets.models import Delivery, DeliveryKind, TicketOwner
from apps.tickets.owners import (
    IDLE_AFTER,
    LED_BY_NOBODY_ELSE,
    LED_BY_US,
    may_leave,
)

# About a day at the longest pause between two attempts.
MAX_ATTEMPTS = 295


class NotOurs(Exception):
    """The row belongs to another worker by now, or may not leave any more."""


class Departure:
    """One attempt of a row: the mark that it leaves, and its count.

    The mark counts the attempt in the same statement. What may end the process before that, the
    work on a file or whatever ended it the last time, is counted when it begins.
    """

    def __init__(self, delivery: Delivery, claim: Claim[Delivery], sends: Condition) -> None:
        self._delivery, self._claim, self._sends = delivery, claim, sends
        self._is_counted = False
        self.has_left = False

    def prepare(self) -> None:
        """Begin; raises WorkerDied for a row that ended the process too often."""
        has_file = self._delivery.kind == DeliveryKind.SEND and self._delivery.message.media_path
        if self._delivery.attempts or has_file:
            self._is_counted = True
            self._claim.begin(self._delivery, MAX_ATTEMPTS)
        else:
            self._delivery.begin(MAX_ATTEMPTS)
        log_ids.note(ticket=self._delivery.message.ticket_id)

    def __call__(self) -> None:
        """Mark the row as `sending`; raises NotOurs when it must not leave.

        Since the claim the connection may have been disconnected, or the conversation taken.
        """
        if self.has_left:  # the same attempt by another way
            return
        may = _still_may(self._delivery, self._sends)
        if not self._claim.hold(self._delivery, may, counts=not self._is_counted):
            raise NotOurs
        self._is_counted = self.has_left = True
        log_ids.note(ticket=self._delivery.message.ticket_id)

    def count(self) -> None:
        """Count an attempt that failed before it left; its outcome stores the number."""
        if not self._is_counted:
            self._is_counted = True
            self._delivery.attempts += 1


def _still_may(delivery: Delivery, sends: Condition) -> Condition:
    """Return the condition of a send now: a conversation that was taken meanwhile stays taken."""
    if delivery.kind != DeliveryKind.SEND or may_leave(delivery.message, TicketOwner.OTHER):
        return sends
    is_planned = may_leave(delivery.message, TicketOwner.IDLE)
    values = {"led": delivery.message.ticket_id, "idle": adapted(timezone.now() - IDLE_AFTER)}
    return Condition(
        f"{sends.sql} AND EXISTS ({LED_BY_NOBODY_ELSE if is_planned else LED_BY_US})",
        sends.values | values,
    )
