"""Tickets and messages on the wire."""

from apps.tickets.serializers.messages import message_row, message_rows
from apps.tickets.serializers.tickets import event_row, ticket_row, ticket_rows

__all__ = ["event_row", "message_row", "message_rows", "ticket_row", "ticket_rows"]
