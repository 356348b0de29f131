"""Tags of a ticket, including its lane on the board (rules/tickets §10).

A lane is a kanban tag, and a ticket has at most one. Every change locks the ticket first, so when
two people move a card at once, the later move wins. Tags do not change `updated_at`.
"""

from collections.abc import Collection, Sequence

from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.common.errors import InvalidInput
from apps.contacts.models import Tag
from apps.contacts.services.tags import TagNotFound
from apps.tickets import events
from apps.tickets.models import Ticket, TicketTag
from apps.tickets.queries.access import TicketNotFound
from apps.tickets.services.rights import check_may_act, locked_ticket


class SeveralLanes(InvalidInput):
    """A ticket cannot have two kanban tags."""

    message = "Um atendimento fica em uma só coluna do kanban: escolha apenas uma dessas tags."


def add_tag(*, user: User, ticket_id: int, tag_id: int) -> Ticket:
    """Tag a ticket; a kanban tag replaces the ticket's other kanban tag.

    Raises TicketNotFound, TicketNotReadable and TagNotFound.
    """
    try:
        with transaction.atomic():
            ticket = _ticket(user, ticket_id)
            tag = Tag.objects.for_company(user.company_id).filter(pk=tag_id).first()
            if tag is None:
                raise TagNotFound
            tags = _tags_of(ticket)
            kept = {pk for pk, is_kanban in tags.items() if not (is_kanban and tag.is_kanban)}
            _set(ticket, before=tags.keys(), after=kept | {tag_id})
            return ticket
    except IntegrityError:
        # The tag was deleted after it was read.
        raise TagNotFound from None


def set_tags(chosen: Sequence[tuple[int, int]]) -> set[int]:
    """Tag locked tickets like `add_tag`, by pairs of ticket and tag id.

    A tag that has been deleted is left out. Returns the ids of the tickets whose tags changed; the
    caller emits their events.
    """
    found = Tag.objects.filter(pk__in={tag_id for _, tag_id in chosen})
    lanes = dict(found.values_list("pk", "is_kanban"))
    before = _tags_of_many({ticket_id for ticket_id, _ in chosen})
    after = {ticket_id: dict(tags) for ticket_id, tags in before.items()}
    for ticket_id, tag_id in chosen:
        if lanes.get(tag_id):
            # Of two kanban tags the later one wins.
            tags = after[ticket_id].items()
            after[ticket_id] = {pk: is_lane for pk, is_lane in tags if not is_lane}
        if tag_id in lanes:
            after[ticket_id][tag_id] = lanes[tag_id]
    changed = {pk for pk, tags in after.items() if tags.keys() != before[pk].keys()}
    for pk in changed:
        if gone := before[pk].keys() - after[pk].keys():
            TicketTag.objects.filter(ticket=pk, tag__in=gone).delete()
    TicketTag.objects.bulk_create(
        TicketTag(ticket_id=pk, tag_id=tag_id)
        for pk in sorted(changed)
        for tag_id in sorted(after[pk].keys() - before[pk].keys())
    )
    return changed


def take_tags(chosen: Sequence[tuple[int, int]]) -> set[int]:
    """Take tags from locked tickets, by pairs of ticket and tag id; see `set_tags`."""
    changed = set()
    for ticket_id, tag_id in chosen:
        if TicketTag.objects.filter(ticket=ticket_id, tag=tag_id).delete()[0]:
            changed.add(ticket_id)
    return changed


def leave_lane(*, user: User, ticket_id: int) -> Ticket:
    """Remove a ticket's kanban tag; its other tags stay.

    Raises TicketNotFound and TicketNotReadable.
    """
    with transaction.atomic():
        ticket = _ticket(user, ticket_id)
        tags = _tags_of(ticket)
        kept = {pk for pk, is_kanban in tags.items() if not is_kanban}
        _set(ticket, before=tags.keys(), after=kept)
        return ticket


def sync_tags(*, user: User, ticket_id: int, tag_ids: Collection[int]) -> Ticket:
    """Give a ticket exactly these tags; only the differences are written.

    Both the ticket and the tags are named in a request body. Raises InvalidInput with the field's
    name if one does not exist, SeveralLanes for two kanban tags, and TicketNotReadable.
    """
    asked = set(tag_ids)
    try:
        with transaction.atomic():
            try:
                ticket = _ticket(user, ticket_id)
            except TicketNotFound as error:
                raise _wrong("ticketId", error.sentence) from None
            tags = Tag.objects.for_company(user.company_id).filter(pk__in=asked)
            found = dict(tags.values_list("pk", "is_kanban"))
            if len(found) < len(asked):
                raise _wrong("tags", TagNotFound.message)
            if sum(found.values()) > 1:
                raise SeveralLanes(fields={"tags": [SeveralLanes.message]}, rule="one_lane")
            _set(ticket, before=_tags_of(ticket).keys(), after=asked)
            return ticket
    except IntegrityError:
        raise _wrong("tags", TagNotFound.message) from None


def _wrong(field: str, sentence: str) -> InvalidInput:
    return InvalidInput(sentence, fields={field: [sentence]}, rule="does_not_exist")


def _ticket(user: User, ticket_id: int) -> Ticket:
    ticket = locked_ticket(user=user, ticket_id=ticket_id)
    check_may_act(user, ticket)
    return ticket


def _tags_of(ticket: Ticket) -> dict[int, bool]:
    """Return the ids of the ticket's tags, each with whether it is a lane."""
    return _tags_of_many({ticket.pk})[ticket.pk]


def _tags_of_many(ticket_ids: Collection[int]) -> dict[int, dict[int, bool]]:
    tags: dict[int, dict[int, bool]] = {ticket_id: {} for ticket_id in ticket_ids}
    links = TicketTag.objects.filter(ticket__in=ticket_ids)
    for ticket_id, tag_id, is_kanban in links.values_list("ticket_id", "tag_id", "tag__is_kanban"):
        tags[ticket_id][tag_id] = is_kanban
    return tags


def _set(ticket: Ticket, *, before: Collection[int], after: Collection[int]) -> None:
    gone, added = set(before) - set(after), set(after) - set(before)
    if gone:
        TicketTag.objects.filter(ticket=ticket, tag_id__in=gone).delete()
    if added:
        links = [TicketTag(ticket=ticket, tag_id=tag_id) for tag_id in sorted(added)]
        TicketTag.objects.bulk_create(links)
    if gone or added:
        events.ticket_updated(ticket)
