"""Reads that span models: who may see a ticket, the inbox, a conversation."""

from apps.tickets.queries.access import (
    quotable_message,
    readable_message,
    readable_ticket,
    visible_to,
)
from apps.tickets.queries.conversation import Conversation, conversation_for
from apps.tickets.queries.inbox import Inbox, InboxFilters, inbox_counts, inbox_for

__all__ = [
    "Conversation",
    "Inbox",
    "InboxFilters",
    "conversation_for",
    "inbox_counts",
    "inbox_for",
    "quotable_message",
    "readable_message",
    "readable_ticket",
    "visible_to",
]
