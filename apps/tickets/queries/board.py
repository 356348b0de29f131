"""The board: live tickets by lane (specification 4 §4.4)."""

from dataclasses import replace

from django.db.models import Exists, OuterRef

from apps.accounts.models import User
from apps.common.errors import NotFound
from apps.contacts.models import Tag
from apps.tickets.models import TicketStatus, TicketTag
from apps.tickets.queries.inbox import Inbox, InboxFilters, inbox_for

# The lane of tickets that carry no kanban tag.
NO_LANE = 0


class LaneNotFound(NotFound):
    """No such kanban tag in the company."""

    message = "Esta coluna do quadro não existe."


def board_for(user: User, filters: InboxFilters, *, lane_id: int | None = None) -> Inbox:
    """Return the open and pending tickets of the user's inbox, all or one lane's, newest first.

    A lane is a kanban tag's id, or NO_LANE; raises LaneNotFound for any other.
    """
    inbox = inbox_for(user, filters)
    tickets = inbox.tickets.filter(status__in=[TicketStatus.OPEN, TicketStatus.PENDING])
    links = TicketTag.objects.filter(ticket_id=OuterRef("pk"), tag__is_kanban=True)
    if lane_id == NO_LANE:
        tickets = tickets.exclude(Exists(links))
    elif lane_id is not None:
        lanes = Tag.objects.for_company(user.company_id).filter(is_kanban=True)
        if not lanes.filter(pk=lane_id).exists():
            raise LaneNotFound
        # A tag may become a lane while tickets in another carry it: they stand in the oldest.
        tickets = tickets.filter(Exists(links.filter(tag_id=lane_id)))
        tickets = tickets.exclude(Exists(links.filter(tag_id__lt=lane_id)))
    return replace(inbox, tickets=tickets, key=f"board {lane_id} {inbox.key}")
