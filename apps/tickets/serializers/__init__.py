"""Tickets and messages on the wire."""

from apps.tickets.serializers.messages import message_row, message_rows, message_rows_of
from apps.tickets.serializers.tickets import (
    event_row,
    ticket_row,
    ticket_rows,
    ticket_rows_of,
    with_matches,
)

__all__ = [
    "event_row",
    "message_row",
    "message_rows",
    "message_rows_of",
    "ticket_row",
    "ticket_rows",
    "ticket_rows_of",
    "with_matches",
]
