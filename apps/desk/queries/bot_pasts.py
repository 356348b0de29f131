"""What contacts wrote to the bot, as a rehearsal reads it again (rules/desk §16)."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from apps.contacts.models import Contact
from apps.desk.decisions.bot_trials import Told
from apps.desk.decisions.stories import Deed, Story
from apps.desk.queries.stories import MOST_ROWS, SLACK
from apps.tickets.models import Message, TrackingCycle

_COLUMNS = ("ticket", "created_at", "from_me", "source", "media_type", "body", "data", "is_deleted")


def messages_of(stories: Sequence[Story], until: datetime) -> dict[int, list[Message]]:
    """Return what contacts wrote in each story, by its id and in order; in one query."""
    if not stories:
        return {}
    rows = Message.objects.filter(
        ticket__in={each.ticket_id for each in stories},
        from_me=False,
        created_at__gte=min(each.began_at for each in stories) - SLACK,
        created_at__lt=until,
    )
    of_ticket: defaultdict[int, list[Message]] = defaultdict(list)
    for message in rows.only(*_COLUMNS).order_by("pk").iterator(chunk_size=2000):
        if len(of_ticket[message.ticket_id]) < MOST_ROWS:
            of_ticket[message.ticket_id].append(message)
    found: dict[int, list[Message]] = {}
    for story in stories:
        end = next((each.at for each in story.happenings if each.deed == Deed.CLOSED), until)
        found[story.id] = [
            each
            for each in of_ticket[story.ticket_id]
            if story.began_at - SLACK <= each.created_at < end
        ]
    return found


def begins_of(stories: Sequence[Story]) -> dict[int, Told]:
    """Return in which queue each story's ticket was when it began, and whether the contact's number
    is known; in two queries.

    A ticket that is reopened has the queue of its cycle before.
    """
    queues: defaultdict[int, list[tuple[int, int | None]]] = defaultdict(list)
    cycles = TrackingCycle.objects.filter(
        ticket__in={each.ticket_id for each in stories}, finished_at__isnull=False
    )
    for ticket_id, pk, queue_id in cycles.order_by("pk").values_list("ticket", "pk", "queue"):
        queues[ticket_id].append((pk, queue_id))
    contacts = Contact.objects.filter(pk__in={each.contact_id for each in stories})
    people = {each.pk: each for each in contacts.only("canonical_number", "is_group")}
    found = {}
    for story in stories:
        contact = people[story.contact_id]
        if contact.is_group:
            continue
        earlier = queues[story.ticket_id]
        place = bisect_left(earlier, story.id, key=lambda each: each[0])
        found[story.id] = Told(
            queue_id=earlier[place - 1][1] if place else None,
            has_number=contact.canonical_number.isdecimal(),
        )
    return found
