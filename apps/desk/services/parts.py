"""Takes in all tickets of a company or a queue, one part a claim, so that other work comes between.

A worker that ends in the middle does its part again; what was taken in changes nothing the second
time.
"""

from collections.abc import Callable, Sequence

from django.db import transaction

from apps.tickets.models import Ticket

PART = 100


def take_in_part(ids: Sequence[int], take_in: Callable[[list[Ticket]], None]) -> int | None:
    """Take in the tickets of a part, locked; return beyond which id the next one begins.

    None: there was none any more.
    """
    if not ids:
        return None
    with transaction.atomic():
        tickets = Ticket.objects.filter(pk__in=ids).order_by("pk")
        locked = tickets.select_for_update(no_key=True, of=("self",))
        take_in(list(locked.select_related("latest_message")))
    return ids[-1]
