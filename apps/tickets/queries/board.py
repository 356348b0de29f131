"""The board: live tickets by lane (rules/tickets §10)."""

from apps.accounts.models import User
from apps.common.errors import NotFound
from apps.contacts.models import Tag
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
    if lane_id is None:
        return inbox_for(user, filters, lane="every")
    if lane_id == NO_LANE:
        return inbox_for(user, filters, lane="none")
    lanes = Tag.objects.for_company(user.company_id).filter(is_kanban=True)
    if not lanes.filter(pk=lane_id).exists():
        raise LaneNotFound
    return inbox_for(user, filters, lane="one", lane_id=lane_id)
