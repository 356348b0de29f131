"""Searching tickets by contact name, number and message text (rules/tickets §10)."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import connection as database
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import RawSQL
from django.db.models.lookups import IsNull

from apps.common.search import fold
from apps.contacts.models import Contact
from apps.tickets.models import Message, Ticket

# A trigram index gives the few messages of a rare term at once; the list, walked newest-first,
# fills a page of a common one at once; each way is slow for the other kind (measured at a million
# messages: 120 ms and 600 ms). So the index is asked for this many at most, then the newest
# tickets are tried; what neither settles the index gathers: that is some thousands by then.
RARE_MATCHES = 500
MANY_CONTACTS = 2000
TRIED_TICKETS = 200
ENOUGH_TRIED = 40
# Shorter terms hold no trigram: in messages they would read every one (measured: 0.6 s of a million
# when nothing matches), and say too little to be looked for there. They find contacts alone.
SHORTEST_INDEXED = 3
# A number as people write it: (11) 98765-4321.
_TELEPHONE = re.compile(r"[\d\s()+./-]*\d[\d\s()+./-]*")


@dataclass(frozen=True)
class Found:
    """What a search narrows tickets to, and the line that matched in each of them."""

    term: str
    condition: Q
    # False when the matches are too many to be worth counting: then a count is 'at least'.
    is_countable: bool
    # The condition for contacts of the term; such a ticket needs no line.
    contacts: Q
    # The newest matching message by ticket, where all are known.
    newest: dict[int, int] | None = field(default=None)

    def lines(self, ticket_ids: Sequence[int]) -> dict[int, tuple[int, str]]:
        """Return id and text of the newest matching message of each of these tickets.

        A ticket that is found by its contact has none. The tickets must be ones that the caller
        may read: so are then their messages. Takes one query.
        """
        if not ticket_ids or len(self.term) < SHORTEST_INDEXED:
            return {}
        by_contact = Contact.objects.filter(self.contacts, pk=OuterRef("contact_id"))
        tickets = Ticket.objects.filter(~Exists(by_contact), pk__in=ticket_ids).order_by()
        messages: QuerySet[Message]
        if self.newest is not None:
            known = [self.newest[pk] for pk in ticket_ids if pk in self.newest]
            messages = Message.objects.filter(pk__in=known, ticket__in=tickets)
        else:
            said = _messages_with(self.term).filter(ticket_id=OuterRef("pk")).order_by("-pk")
            newest = tickets.annotate(line=Subquery(said.values("pk")[:1]))
            messages = Message.objects.filter(pk__in=newest.values("line"))
        rows = messages.order_by().values_list("ticket_id", "pk", "body")
        return {ticket_id: (pk, body) for ticket_id, pk, body in rows}


def search_tickets(company_id: int, search: str) -> Found:
    """Return the tickets of a company that match a search.

    Accents and case are ignored; a telephone is found however it is written; fewer than three
    letters are sought in contacts alone. Takes at most four queries.
    """
    term = fold(search)
    named = _contacts_of(term)
    contacts = Contact.objects.for_company(company_id).filter(named).order_by()
    contact_ids = list(contacts.values_list("pk", flat=True)[: MANY_CONTACTS + 1])
    has_all = len(contact_ids) <= MANY_CONTACTS
    by_contact = _one_of("contact_id", contact_ids) if has_all else _contacts_of(term, "contact__")
    if len(term) < SHORTEST_INDEXED:
        return Found(term, by_contact, has_all, named)
    messages = _messages_with(term).filter(company_id=company_id)
    said = list(messages.order_by().values_list("ticket_id", "pk")[: RARE_MATCHES + 1])
    if len(said) <= RARE_MATCHES:
        newest = dict(sorted(said, key=lambda row: row[1]))
        return Found(term, by_contact | _one_of("pk", sorted(newest)), has_all, named, newest)
    # A scalar subquery, because PostgreSQL would answer EXISTS by gathering all matches first.
    any_said = _messages_with(term).filter(ticket_id=OuterRef("pk"))
    walked = by_contact | Q(IsNull(Subquery(any_said.order_by().values("pk")[:1]), False))
    tickets = Ticket.objects.for_company(company_id)
    tried = tickets.order_by("-updated_at", "-pk").values("pk")[:TRIED_TICKETS]
    if tickets.filter(walked, pk__in=tried).order_by().count() >= ENOUGH_TRIED:
        return Found(term, walked, False, named)
    in_tickets = messages.order_by().values_list("ticket_id", flat=True).distinct()
    return Found(term, by_contact | _one_of("pk", list(in_tickets)), False, named)


def _messages_with(term: str) -> "QuerySet[Message]":
    """Return the messages that hold a term; what was taken back is shown to nobody any more."""
    return Message.objects.filter(search_text__contains=term, is_deleted=False)


def _one_of(column: str, ids: list[int]) -> Q:
    if len(ids) <= RARE_MATCHES:
        return Q(**{f"{column}__in": ids})
    # Thousands of ids as one parameter: as one each they cost more than the search.
    postgres = database.vendor == "postgresql"
    sql = "SELECT unnest(%s::bigint[])" if postgres else "SELECT value FROM json_each(%s)"
    values = ids if postgres else json.dumps(ids)
    return Q(**{f"{column}__in": RawSQL(sql, [values])})  # noqa: S611  our own text


def _contacts_of(term: str, prefix: str = "") -> Q:
    """Return the condition for contacts; `prefix` leads to the contact."""
    column = f"{prefix}search_text__contains"
    condition = Q(**{column: term})
    digits = "".join(letter for letter in term if letter.isdigit())
    if digits != term and len(digits) >= SHORTEST_INDEXED and _TELEPHONE.fullmatch(term):
        condition |= Q(**{column: digits})
    return condition
