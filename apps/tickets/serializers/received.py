"""Wire rows of messages that were just received or written, made from memory.

Receiving is the hottest path. Reading the rows of `ticket_row` and `message_row` back from the
database took more than half of its time. A test checks that both are equal.
"""

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from apps.common.compiled_queries import CompiledQuery
from apps.common.media import media_url
from apps.tickets.models import Message, Ticket, TicketTag
from apps.tickets.owners import owner_now
from apps.tickets.serializers.messages import SHARED_COLUMNS, message_rows_of, shaped
from apps.tickets.serializers.tickets import (
    NEIGHBOURS,
    OWN_COLUMNS,
    PRIORITY_WORDS,
    tag_rows,
)

# The columns of the row itself, which are read in one call. Related rows may be missing.
_MESSAGE_COLUMNS = tuple(column for column in SHARED_COLUMNS.values() if "__" not in column)
_message_values = attrgetter(*_MESSAGE_COLUMNS)
_TICKET_COLUMNS = {wire: column for wire, column in OWN_COLUMNS.items() if "__" not in column}
_ticket_values = attrgetter(*_TICKET_COLUMNS.values())
_LATEST = {
    wire: column.removeprefix("latest_message__")
    for wire, column in OWN_COLUMNS.items()
    if column.startswith("latest_message__")
}
# By the wire name of a related row: the ticket's attribute, and the columns that are shown.
_NEIGHBOURS = {
    wire: (
        next(iter(columns.values())).partition("__")[0],
        {name: column.partition("__")[2] for name, column in columns.items()},
    )
    for wire, (_, columns) in NEIGHBOURS.items()
}


def received_message_rows(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the rows of messages stored in this transaction.

    Only messages that quote another are read back from the database.
    """
    quoting = [message.pk for message in messages if message.quoted_id is not None]
    read = {row["id"]: row for row in message_rows_of(quoting)}
    return [read.get(message.pk) or _message_row(message) for message in messages]


def _message_row(message: Message) -> dict[str, Any]:
    values = dict(zip(_MESSAGE_COLUMNS, _message_values(message), strict=True))
    values["participant__name"] = message.participant.name if message.participant else None
    values["user__name"] = message.user.name if message.user else None
    contact = message.contact
    shown = {
        "id": contact.pk,
        "name": contact.name,
        "number": contact.number,
        "profilePicUrl": media_url(contact.picture_path),
    }
    row = {wire: values.get(column) for wire, column in SHARED_COLUMNS.items()}
    return shaped(message.pk, row, shown)


_TAGS = CompiledQuery(
    lambda ids: TicketTag.objects.filter(ticket__among=ids).values_list(
        "ticket_id", "tag_id", "tag__name", "tag__color", "tag__is_kanban"
    )
)


def received_ticket_rows(tickets: Sequence[Ticket]) -> dict[int, dict[str, Any]]:
    """Return rows of tickets by id, with one query for all tags.

    This transaction holds the tickets locked, and their latest message is in memory.
    """
    links = defaultdict(list)
    for ticket_id, *link in _TAGS.rows(ids=[ticket.pk for ticket in tickets]):
        links[ticket_id].append(link)
    return {
        ticket.pk: {**_ticket_row(ticket), "tags": tag_rows(links[ticket.pk])} for ticket in tickets
    }


def _ticket_row(ticket: Ticket) -> dict[str, Any]:
    row = dict(zip(_TICKET_COLUMNS, _ticket_values(ticket), strict=True))
    row["owner"] = owner_now(row["owner"], row["ownerAt"])
    row["priority"] = PRIORITY_WORDS[row["priority"]]
    for wire, column in _LATEST.items():
        row[wire] = getattr(ticket.latest_message, column, None)
    for wire, (attribute, columns) in _NEIGHBOURS.items():
        row[wire] = _neighbour_row(getattr(ticket, attribute), columns)
    row["contact"]["profilePicUrl"] = media_url(row["contact"]["profilePicUrl"])
    row["contact"]["tags"] = []
    return row


def _neighbour_row(neighbour: Any, columns: dict[str, str]) -> dict[str, Any] | None:
    if neighbour is None:
        return None
    shown = {name: getattr(neighbour, column) for name, column in columns.items()}
    return {"id": neighbour.pk, **shown}
