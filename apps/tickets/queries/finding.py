from django.db.models import Count, Q, QuerySet, Window

from apps.accounts.models import User
from apps.common.errors import NotFound
from apps.common.paging import PAGE_SIZE, Page
from apps.common.search import fold
from apps.tickets.models import MediaType, Message, Ticket, TicketActivity
from apps.tickets.queries.access import readable_by, visible_to

# Notes have no folded text of their own: it is made of each that is searched.
MAX_NOTES = 500


class NoteNotFound(NotFound):
    """The conversation has no such note."""

    code = "ERR_NO_NOTE_FOUND"
    message = "Nota não encontrada."


def found_in_conversation(user: User, ticket: Ticket, search: str, number: int = 1) -> Page[int]:
    """Return the ids of the conversation's messages that contain a text, newest first.

    Accents and case are ignored. The conversation is that of `conversation_for`, without tickets
    that the user may not read. Deleted messages and types without text are not found. Takes one
    query, two for a page after the last.
    """
    term = fold(search)
    if not term:
        return Page([], 0, False)
    start = (number - 1) * PAGE_SIZE
    found = _matching(user, ticket, term)
    # One walk of the conversation's index range gives both the page and the length.
    counted = found.annotate(length=Window(Count("pk"))).order_by("-pk")
    rows = list(counted.values_list("pk", "length")[start : start + PAGE_SIZE + 1])
    if rows:
        count = rows[0][1]
    else:
        count = found.count() if start else 0
    return Page([pk for pk, _ in rows[:PAGE_SIZE]], count, len(rows) > PAGE_SIZE)


def notes_in_conversation(user: User, ticket: Ticket, search: str) -> list[TicketActivity]:
    """Return the conversation's activities whose note contains a text, newest first.

    Accents and case are ignored; the newest MAX_NOTES notes are searched. Takes one query.
    """
    term = fold(search)
    if not term:
        return []
    notes = _activities(user, ticket).filter(detail__has_key="note")
    newest = notes.order_by("-created_at", "-pk")[:MAX_NOTES]
    return [each for each in newest if term in fold(each.detail["note"])]


def message_at_note(user: User, ticket: Ticket, note_id: int) -> int | None:
    """Return the id of the message after which a note of the conversation was written.

    For a note before all messages that is the first one; None where there is no message. Raises
    NoteNotFound. Takes at most three queries.
    """
    note = _activities(user, ticket).filter(pk=note_id, detail__has_key="note").first()
    if note is None:
        raise NoteNotFound
    messages = _messages(user, ticket)
    before = messages.filter(created_at__lte=note.created_at).order_by("-pk")
    found = before.values_list("pk", flat=True).first()
    return found or messages.order_by("pk").values_list("pk", flat=True).first()


def _messages(user: User, ticket: Ticket) -> "QuerySet[Message]":
    places = Q(ticket=ticket)
    if ticket.connection_id is not None:
        shared = Q(contact_id=ticket.contact_id, connection_id=ticket.connection_id)
        places |= shared & readable_by(user, "ticket__")
    return Message.objects.for_company(user.company_id).filter(places).order_by()


def _matching(user: User, ticket: Ticket, term: str) -> "QuerySet[Message]":
    shown = _messages(user, ticket).exclude(media_type=MediaType.UNKNOWN)
    return shown.filter(search_text__contains=term, is_deleted=False)


def _activities(user: User, ticket: Ticket) -> "QuerySet[TicketActivity]":
    tickets = visible_to(user).filter(contact_id=ticket.contact_id)
    if ticket.connection_id is None:
        tickets = tickets.filter(pk=ticket.pk)
    else:
        tickets = tickets.filter(Q(pk=ticket.pk) | Q(connection_id=ticket.connection_id))
    return TicketActivity.objects.filter(ticket__in=tickets.order_by())
