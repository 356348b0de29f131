"""Tickets and messages on the wire."""

from apps.tickets.serializers.messages import message_row, message_rows_of
from apps.tickets.serializers.tickets import (
    activity_row,
    ticket_row,
    ticket_rows_of,
    with_matches,
)

__all__ = [
    "activity_row",
    "message_row",
    "message_rows_of",
    "ticket_row",
    "ticket_rows_of",
    "with_matches",
]
