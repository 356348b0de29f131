from django.db.models import Count, Q, QuerySet, Window

from apps.accounts.models import User
from apps.common.paging import PAGE_SIZE, Page
from apps.common.search import fold
from apps.tickets.models import MediaType, Message, Ticket
from apps.tickets.queries.access import readable_by


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


def _matching(user: User, ticket: Ticket, term: str) -> "QuerySet[Message]":
    places = Q(ticket=ticket)
    if ticket.connection_id is not None:
        shared = Q(contact_id=ticket.contact_id, connection_id=ticket.connection_id)
        places |= shared & readable_by(user, "ticket__")
    return (
        Message.objects.for_company(user.company_id)
        .filter(places, search_text__contains=term, is_deleted=False)
        .exclude(media_type=MediaType.UNKNOWN)
        .order_by()
    )
