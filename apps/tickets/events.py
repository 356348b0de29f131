"""Realtime events of tickets and messages (rules/realtime §4).

Payloads have the same form as REST responses. They go to everyone who may read the ticket: its chat
room, the lists of its status and the notifications. Ticket updates caused only by a message, an ack
or the unread count do not go to the chat room: older browsers rejoin the room at each update of the
ticket and miss events meanwhile.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework import serializers

from apps.accounts.models import User
from apps.common.registry import Hook
from apps.realtime.emit import LiveEvent, emit
from apps.realtime.rooms import user_room
from apps.tickets.models import Message, NoteMention, Ticket, TicketActivity, TicketStatus
from apps.tickets.rooms import (
    chat_rooms,
    left_audiences,
    list_rooms,
    notification_rooms,
    status_rooms,
    ticket_audiences,
    ticket_rooms,
)
from apps.tickets.serializers import (
    activity_row,
    message_rows_of,
    ticket_row,
    ticket_rows_of,
)
from apps.tickets.serializers.messages import MessageSerializer
from apps.tickets.serializers.notes import MentionSerializer, mention_rows
from apps.tickets.serializers.received import received_message_rows, received_ticket_rows
from apps.tickets.serializers.tickets import (
    TicketActivitySerializer,
    TicketContactSerializer,
    TicketSerializer,
    TicketUserSerializer,
)

# Called with new messages after their events were emitted, except quiet ones.
new_messages: Hook[[Sequence[Message]]] = Hook()
# Called with tickets that were told of, as this transaction has stored them, and with their new
# messages, except quiet ones.
tickets_told: Hook[[Sequence[Ticket], Sequence[Message]]] = Hook()
# Called before a ticket is deleted.
ticket_goes: Hook[[Ticket]] = Hook()
TICKET = LiveEvent(
    "ticket",
    # `event` is the activity of the change, if there is one.
    update={"ticket": TicketSerializer(), "event": TicketActivitySerializer(required=False)},
    # The ticket was deleted, or left the lists of its old status.
    delete={
        "ticketId": serializers.IntegerField(),
        "oldStatus": serializers.ChoiceField(choices=TicketStatus.choices, required=False),
    },
    updateUnread={"ticketId": serializers.IntegerField()},
)
MESSAGE = LiveEvent(
    "appMessage",
    create={
        "message": MessageSerializer(),
        "ticket": TicketSerializer(),
        "contact": TicketContactSerializer(),
    },
    update={"message": MessageSerializer()},
)
WINDOW = LiveEvent(
    "ticketWindow", update={"ticket": TicketSerializer(), "closesAt": serializers.DateTimeField()}
)
FOLLOW = LiveEvent(
    "ticketFollow",
    update={
        "message": MessageSerializer(),
        "ticket": TicketSerializer(),
        # The ticket from which the user waited: another one, if the contact's message opened one.
        "fromTicketId": serializers.IntegerField(),
    },
    # Somebody changed a ticket that the user follows, or wrote a note in it.
    changed={"ticket": TicketSerializer(), "event": TicketActivitySerializer()},
)
# A note in a conversation, for those who have it open.
NOTE = LiveEvent(
    "conversationNote",
    create={"note": TicketActivitySerializer()},
    delete={"noteId": serializers.IntegerField(), "ticketId": serializers.IntegerField()},
)
MENTION = LiveEvent(
    "ticketMention",
    create={"mention": MentionSerializer()},
    # The conversation was opened, here or in another browser of the user.
    seen={"ticketId": serializers.IntegerField()},
    delete={"noteId": serializers.IntegerField()},
)
# What a user has typed in one browser, for their others; a text that did not change is left out.
DRAFT = LiveEvent(
    "ticketDraft",
    update={
        "ticketId": serializers.IntegerField(),
        "text": serializers.CharField(allow_blank=True, required=False),
        "note": serializers.CharField(allow_blank=True, required=False),
        "updatedAt": serializers.DateTimeField(),
    },
)
# What a user is writing in a conversation, for others who have it open; '' once nothing is.
WRITING = LiveEvent(
    "ticketWriting",
    update={
        "ticketId": serializers.IntegerField(),
        "writer": TicketUserSerializer(),
        "text": serializers.CharField(allow_blank=True),
        "at": serializers.DateTimeField(),
    },
)
VIEWERS = LiveEvent(
    "ticketViewers",
    update={
        "ticketId": serializers.IntegerField(),
        "viewers": TicketUserSerializer(many=True),
        "at": serializers.IntegerField(),
    },
)


@dataclass(frozen=True)
class OpenedTicket:
    """A ticket that a message created (`old_status` is empty), reopened, moved or tagged.

    For a moved or tagged ticket `old_status` is its unchanged status.
    """

    ticket: Ticket
    old_status: str = ""
    audiences_before: Sequence[str] = ()
    activity: TicketActivity | None = None
    has_other_tags: bool = False

    @property
    def is_changed(self) -> bool:
        """Tell whether status, queue, holder or tags changed; the end of the bot does not count."""
        if self.has_other_tags:
            return True
        return self.old_status != self.ticket.status or set(self.audiences_before) != set(
            ticket_audiences(self.ticket)
        )


def message_created(message: Message) -> None:
    """Emit a new message with the current state of its ticket and contact."""
    [row] = received_message_rows([message])
    message.told = row
    _tell_created(message.ticket, row, ticket_row(message.ticket))
    new_messages([message])
    tickets_told([message.ticket], [message])


def messages_received(
    messages: Sequence[Message], opened: Sequence[OpenedTicket], *, are_quiet: bool = False
) -> None:
    """Emit messages that were stored together, after the tickets that they changed.

    It emits the same as `message_created` and `ticket_updated`, but from memory: the tickets are
    locked and have their state after the last message. `are_quiet`: imported history, or copies of
    what another responder got or wrote.
    """
    tickets = {each.ticket.pk: each.ticket for each in opened}
    tickets |= {message.ticket_id: message.ticket for message in messages}
    rows = received_ticket_rows(list(tickets.values()))
    for each in opened:
        _tell_updated(
            each.ticket,
            rows[each.ticket.pk],
            old_status=each.old_status or None,
            audiences_before=each.audiences_before if each.old_status else None,
            activity=each.activity,
            is_changed=each.is_changed,
        )
    for message, row in zip(messages, received_message_rows(messages), strict=True):
        _tell_created(message.ticket, row, rows[message.ticket_id])
    if not are_quiet:
        new_messages(messages)
    tickets_told(list(tickets.values()), [] if are_quiet else messages)


def _tell_created(ticket: Ticket, message: dict[str, Any], row: dict[str, Any]) -> None:
    ticket.told = row
    payload = {"message": message, "ticket": row, "contact": row["contact"]}
    emit(MESSAGE, "create", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def message_updated(message: Message) -> None:
    """Emit a change of a message: its ack, file, edit, deletion or reaction."""
    messages_updated([message])


def messages_updated(messages: Sequence[Message]) -> None:
    """Emit changes of messages; see `message_updated`."""
    rows = {row["id"]: row for row in message_rows_of([message.pk for message in messages])}
    for message in messages:
        ticket = message.ticket
        payload = {"message": rows[message.pk]}
        emit(MESSAGE, "update", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def messages_and_tickets_updated(messages: Sequence[Message]) -> None:
    """Emit changes of messages, and the tickets whose latest message is among them."""
    messages_updated(messages)
    tickets = [each.ticket for each in messages if each.ticket.latest_message_id == each.pk]
    rows = {row["id"]: row for row in ticket_rows_of([ticket.pk for ticket in tickets])}
    for ticket in tickets:
        _tell_updated(ticket, rows[ticket.pk], is_changed=False)


def ticket_updated(
    ticket: Ticket,
    *,
    old_status: str | None = None,
    audiences_before: Iterable[str] | None = None,
    activity: TicketActivity | None = None,
    is_changed: bool = True,
) -> None:
    """Emit a ticket's new state, and remove it from the lists that it left.

    `is_changed`: status, user, queue, connection, tags or contact changed. Other changes go only to
    the lists and the notifications. `old_status` is the status before a change. `audiences_before`
    is what `ticket_audiences` returned before a change of queue or holder, so that users who can no
    longer see the ticket get its removal. The removal is emitted first, so a socket in an old and a
    new room keeps the ticket in its list. The removal does not go to the chat room, because there
    it would close the attendant's conversation.
    """
    _tell_updated(
        ticket,
        ticket_row(ticket),
        old_status=old_status,
        audiences_before=audiences_before,
        activity=activity,
        is_changed=is_changed,
    )
    tickets_told([ticket], [])


def handover_opened(ticket: Ticket) -> None:
    """Emit that the receiver has opened a ticket that was handed over.

    Followers are not told: they go by nothing of it, and the ticket is not locked.
    """
    _tell_updated(ticket, ticket_row(ticket), is_changed=False)


def _tell_updated(
    ticket: Ticket,
    row: dict[str, Any],
    *,
    old_status: str | None = None,
    audiences_before: Iterable[str] | None = None,
    activity: TicketActivity | None = None,
    is_changed: bool,
) -> None:
    ticket.told = row
    if old_status is not None and old_status != ticket.status:
        removed_from = status_rooms(ticket, old_status, audiences=audiences_before)
    elif audiences_before is not None:
        left = left_audiences(ticket, audiences_before)
        removed_from = status_rooms(ticket, ticket.status, audiences=left)
    else:
        removed_from = []
    if removed_from:
        removal = {"ticketId": ticket.pk, "oldStatus": old_status or ticket.status}
        emit(TICKET, "delete", removal, company_id=ticket.company_id, rooms=removed_from)
    payload: dict[str, Any] = {"ticket": row}
    if activity is not None:
        payload["event"] = activity_row(activity)
    rooms = ticket_rooms(ticket) if is_changed else list_rooms(ticket)
    emit(TICKET, "update", payload, company_id=ticket.company_id, rooms=rooms)


def ticket_deleted(ticket: Ticket) -> None:
    ticket_goes(ticket)
    payload = {"ticketId": ticket.pk}
    emit(TICKET, "delete", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def unread_reset(ticket: Ticket) -> None:
    payload = {"ticketId": ticket.pk}
    emit(TICKET, "updateUnread", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def window_closes(ticket: Ticket, closes_at: datetime) -> None:
    """Tell that a ticket's 24-hour window closes soon, for its holder's notification."""
    payload = {"ticket": ticket_row(ticket), "closesAt": closes_at.isoformat()}
    rooms = notification_rooms(ticket)
    emit(WINDOW, "update", payload, company_id=ticket.company_id, rooms=rooms)


def followed_contact_wrote(message: Message, followers: Sequence[tuple[int, int]]) -> None:
    """Tell users, who may read the message's ticket, that the contact has written.

    `followers` are their ids, each with that of the ticket that the user follows.
    """
    if not followers:
        return
    [row] = message_rows_of([message.pk])
    ticket = ticket_row(message.ticket)
    for user_id, from_ticket_id in followers:
        payload = {"message": row, "ticket": ticket, "fromTicketId": from_ticket_id}
        emit(FOLLOW, "update", payload, company_id=message.company_id, rooms=[user_room(user_id)])


def followed_ticket_changed(
    ticket: Ticket, activity: TicketActivity, user_ids: Sequence[int]
) -> None:
    """Tell users, who may read the ticket, of a change of a ticket that they follow."""
    if not user_ids:
        return
    payload = {"ticket": ticket_row(ticket), "event": activity_row(activity)}
    rooms = [user_room(each) for each in user_ids]
    emit(FOLLOW, "changed", payload, company_id=ticket.company_id, rooms=rooms)


def viewers_changed(ticket: Ticket, viewers: Iterable[User], at: int) -> None:
    """Tell those who have a conversation open, and may read it, which users have it open.

    `at` orders the events of a ticket, in microseconds.
    """
    rows = [{"id": viewer.pk, "name": viewer.name} for viewer in viewers]
    payload = {"ticketId": ticket.pk, "viewers": rows, "at": at}
    emit(VIEWERS, "update", payload, company_id=ticket.company_id, rooms=chat_rooms(ticket))


def note_written(ticket: Ticket, note: TicketActivity) -> None:
    """Tell those who have the conversation open of a new note; its lists show no notes."""
    payload = {"note": activity_row(note)}
    emit(NOTE, "create", payload, company_id=ticket.company_id, rooms=chat_rooms(ticket))


def note_deleted(ticket: Ticket, note_id: int, mentioned: Iterable[int]) -> None:
    """Tell those who have the conversation open, and those whom the note mentioned."""
    payload = {"noteId": note_id, "ticketId": ticket.pk}
    emit(NOTE, "delete", payload, company_id=ticket.company_id, rooms=chat_rooms(ticket))
    rooms = [user_room(user_id) for user_id in mentioned]
    emit(MENTION, "delete", {"noteId": note_id}, company_id=ticket.company_id, rooms=rooms)


def mentioned(mentions: Sequence[NoteMention]) -> None:
    """Tell users, who may read the ticket, that a note mentions them."""
    for each, row in zip(mentions, mention_rows(mentions), strict=False):
        rooms = [user_room(each.user_id)]
        emit(MENTION, "create", {"mention": row}, company_id=each.company_id, rooms=rooms)


def mentions_seen(ticket: Ticket, user_id: int) -> None:
    """Tell a user's other browsers that the conversation of a mention was opened."""
    payload = {"ticketId": ticket.pk}
    emit(MENTION, "seen", payload, company_id=ticket.company_id, rooms=[user_room(user_id)])


def draft_saved(user: User, ticket_id: int, typed: dict[str, str], at: datetime) -> None:
    """Tell a user's browsers what was typed in one of them."""
    payload = {"ticketId": ticket_id, **typed, "updatedAt": at.isoformat()}
    emit(DRAFT, "update", payload, company_id=user.company_id, rooms=[user_room(user.pk)])


def writes(ticket: Ticket, user: User, text: str, at: datetime) -> None:
    """Tell those who have a conversation open, and may read it, what a user is writing in it."""
    writer = {"id": user.pk, "name": user.name}
    payload = {"ticketId": ticket.pk, "writer": writer, "text": text, "at": at.isoformat()}
    emit(WRITING, "update", payload, company_id=ticket.company_id, rooms=chat_rooms(ticket))
