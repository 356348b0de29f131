"""Messages of contacts that the company ignores: nothing of them is stored (rules/contacts §14)."""

from collections.abc import Sequence

from apps.common.registry import Hook
from apps.connections.providers.inbound import InboundMessage
from apps.contacts.models import Contact
from apps.tickets.services.messages.rows import Received

# Called with the messages that ignored contacts wrote, each with its contact. They are dropped
# afterwards; history, copies and what our side wrote are left out.
messages_ignored: Hook[[Sequence[tuple[InboundMessage, Contact]]]] = Hook()


def without_ignored(
    received: Sequence[Received], contacts: Sequence[Contact]
) -> tuple[list[Received], list[Contact]]:
    """Return the messages, and their contacts, whose contact is not ignored."""
    heard: list[Received] = []
    known: list[Contact] = []
    ignored: list[tuple[InboundMessage, Contact]] = []
    for (connection, inbound), contact in zip(received, contacts, strict=True):
        if not contact.is_ignored:
            heard.append((connection, inbound))
            known.append(contact)
        elif not (inbound.from_me or inbound.is_history or inbound.is_copy or inbound.is_group):
            ignored.append((inbound, contact))
    if ignored:
        messages_ignored(ignored)
    return heard, known
