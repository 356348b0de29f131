"""Searching tickets by contact name, number and message text (specification 4 §4.4)."""

from django.db.models import OuterRef, Q, Subquery
from django.db.models.lookups import IsNull

from apps.common.search import fold
from apps.contacts.models import Contact
from apps.tickets.models import Message

# A trigram index answers rare terms at once, and walking the list newest-first finds common ones
# at once; each way is slow for the other kind. So both are asked for this many matches at most:
# fewer, and the index has given them all; more, and the walk will soon have filled a page.
RARE_MATCHES = 500
# Shorter terms hold no trigram: in messages they would read every one (measured: 0.6 s of a million
# when nothing matches), and say too little to be looked for there. They find contacts alone.
SHORTEST_INDEXED = 3


def matching(company_id: int, search: str) -> tuple[Q, bool]:
    """Return the condition for tickets that match, and whether their count is worth asking for.

    Accents and case are ignored; fewer than three letters are sought in contacts alone. Takes at
    most two queries.
    """
    term = fold(search)
    contacts = Contact.objects.for_company(company_id).filter(search_text__contains=term)
    messages = Message.objects.for_company(company_id).filter(search_text__contains=term)
    contact_ids = list(contacts.order_by().values_list("pk", flat=True)[: RARE_MATCHES + 1])
    if len(term) < SHORTEST_INDEXED:
        if len(contact_ids) <= RARE_MATCHES:
            return Q(contact_id__in=contact_ids), True
        return Q(contact__search_text__contains=term), False
    if len(contact_ids) <= RARE_MATCHES:
        ticket_ids = list(
            messages.order_by().values_list("ticket_id", flat=True)[: RARE_MATCHES + 1]
        )
        if len(ticket_ids) <= RARE_MATCHES:
            return Q(contact_id__in=contact_ids) | Q(pk__in=sorted(set(ticket_ids))), True
    # A scalar subquery, because PostgreSQL would answer EXISTS by gathering all matches first.
    said = Message.objects.filter(ticket_id=OuterRef("pk"), search_text__contains=term)
    was_said = IsNull(Subquery(said.order_by().values("pk")[:1]), False)
    return Q(contact__search_text__contains=term) | Q(was_said), False
