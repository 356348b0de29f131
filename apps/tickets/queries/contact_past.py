"""What is shown of contacts beside their data: their tickets, and files of all conversations."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.accounts.models import User
from apps.common.compiled_queries import CompiledQuery, collected
from apps.tickets.models import MediaState, MediaType, Message, Ticket, TicketStatus
from apps.tickets.queries.access import (
    Sight,
    readable_as,
    readable_by,
    sight_of,
    visible_to,
)

GALLERY_KINDS = (MediaType.IMAGE, MediaType.VIDEO, MediaType.AUDIO, MediaType.FILE)


def tickets_of_contact(user: User, contact_id: int) -> "QuerySet[Ticket]":
    """Return the contact's tickets that the user may read, newest first."""
    return visible_to(user).filter(contact_id=contact_id).order_by("-id")


def name_live_tickets(user: User, rows: Sequence[dict[str, Any]]) -> None:
    """Put into rows of contacts the `uuid` of the live ticket that the user may read, or None.

    `tags` are that ticket's, by name. Of several tickets, on as many connections, it is the newest;
    all are found in one query.
    """
    if not rows:
        return
    found = _live_tickets(sight_of(user)).rows(
        company_id=user.company_id, user_id=user.pk, contact_ids=[row["id"] for row in rows]
    )
    newest = {contact_id: (uuid, tags) for contact_id, uuid, tags in found}
    for row in rows:
        row["uuid"], tags = newest.get(row["id"], (None, None))
        row["tags"] = [
            {"id": pk, "name": name, "color": color}
            for pk, name, color in sorted(tags or [], key=itemgetter(1, 0))
        ]


@lru_cache(maxsize=len(Sight))
def _live_tickets(sight: Sight) -> CompiledQuery:
    def build(company_id: RawSQL, user_id: RawSQL, contact_ids: RawSQL) -> "QuerySet[Ticket, Any]":
        allowed = readable_as(sight, user_id, company_id)
        live = Q(status__in=[TicketStatus.OPEN, TicketStatus.PENDING])
        tickets = Ticket.objects.for_company(company_id).filter(
            live & allowed, contact_id__among=contact_ids
        )
        tags = collected(
            "tag.id, tag.name, tag.color",
            "tickets_tickettag AS link JOIN contacts_tag AS tag ON tag.id = link.tag_id"
            " WHERE link.ticket_id = tickets_ticket.id",
        )
        tickets = tickets.annotate(linked_tags=tags).order_by("updated_at", "id")
        return tickets.values_list("contact_id", "uuid", "linked_tags")

    # Without statistics of the company PostgreSQL may read all tickets, not only those of a few
    # contacts.
    return CompiledQuery(build, keeps_plan=False)


def media_of_contact(
    user: User, contact_id: int, *, kinds: Collection[str] = ()
) -> "QuerySet[Message]":
    """Return the contact's messages with a file that the user may open, newest first.

    `kinds` of GALLERY_KINDS, all of them when empty. Stickers and files that were taken back or
    could not be fetched are left out.
    """
    messages = Message.objects.for_company(user.company_id).filter(
        contact_id=contact_id,
        media_state=MediaState.READY,
        media_type__in=kinds or GALLERY_KINDS,
        is_deleted=False,
    )
    return messages.filter(readable_by(user, "ticket__")).order_by("-id")
