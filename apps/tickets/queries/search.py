"""Searching tickets by contact name, number and message text (rules/tickets §10)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db import connection as database
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan, IsNull

from apps.common.compiled_queries import CompiledQuery
from apps.common.masking import is_part_of_number
from apps.common.search import fold
from apps.contacts.models import Contact
from apps.tickets.models import Message, Ticket

# A trigram index finds the few messages of a rare term at once. Walking the list newest-first fills
# a page of a common term at once. Each way is slow for the other kind of term (measured at a
# million messages: 120 ms and 600 ms). So the index is asked for at most this many, then the newest
# tickets are tried, and only if neither suffices does the index collect all matches. For several
# words the index looks up all of them before it returns the first match, which is most of its cost:
# asking twice for 4,700 takes twice as long as once, while each thousand more of a single word adds
# a sixth.
RARE_MATCHES = 5000
# Up to this many matches are counted exactly.
COUNTED_MATCHES = 500
MANY_CONTACTS = 2000
TRIED_TICKETS = 200
ENOUGH_TRIED = 40
# Shorter terms contain no trigram. Messages would have to be scanned (measured: 0.6 s for a million
# without a match), so shorter terms search contacts only.
SHORTEST_INDEXED = 3
# Shorter words have too few trigrams for `_pieces` to gain time.
LONG_WORD = 4
_LONG_WORDS = re.compile(rf"[a-z0-9]{{{LONG_WORD},}}")
# A number as people write it: (11) 98765-4321.
_TELEPHONE = re.compile(r"[\s()+./-]*\d[\d\s()+./-]*")


@dataclass(frozen=True)
class Ids:
    """The ids of found contacts, and of tickets with a found message."""

    contacts: list[int]
    tickets: list[int]


@dataclass(frozen=True)
class Found:
    """The condition of a search on tickets, and the line that matched in each of them."""

    term: str
    # Ids of the found tickets, or a condition if these are too many.
    narrowed: Ids | Q
    # False when the matches are too many to be worth counting: then a count is 'at least'.
    is_countable: bool
    # The newest matching message by ticket, where all are known.
    newest: dict[int, int] | None = field(default=None)
    # False: contacts were not searched.
    by_contact: bool = True

    def lines(self, ticket_ids: Sequence[int]) -> dict[int, tuple[int, str]]:
        """Return id and text of the newest matching message of each of these tickets.

        A ticket that is found by its contact has none. The tickets must be ones that the caller
        may read: so are then their messages. Takes one query.
        """
        if not ticket_ids or len(self.term) < SHORTEST_INDEXED:
            return {}
        known = [self.newest[pk] for pk in ticket_ids if pk in self.newest] if self.newest else []
        if self.newest is not None and not known:
            return {}
        texts = _texts(self.term)
        rows = _lines(bool(texts["digits_text"]), self.newest is not None, self.by_contact).rows(
            **texts,
            ticket_ids=list(ticket_ids),
            message_ids=known,
        )
        return {ticket_id: (pk, body) for ticket_id, pk, body in rows}


def search_tickets(company_id: int, search: str, *, hides: bool = False) -> Found:
    """Return the tickets of a company that match a search.

    Accents and case are ignored; a telephone is found however it is written; fewer than three
    letters are sought in contacts alone. `hides`: numbers are shown masked, so a part of one is
    sought in messages alone. Takes at most four queries.
    """
    term = fold(search)
    texts = _texts(term)
    with_digits = bool(texts["digits_text"])
    in_contacts = not (hides and is_part_of_number(texts["digits_text"] or term))
    contact_ids = []
    if in_contacts:
        found = _contact_ids(with_digits, MANY_CONTACTS + 1).rows(company_id=company_id, **texts)
        contact_ids = [pk for (pk,) in found]
    has_all = len(contact_ids) <= MANY_CONTACTS

    def narrowed(ticket_ids: list[int]) -> Ids | Q:
        if has_all:
            return Ids(contact_ids, ticket_ids)
        return _named(**texts, prefix="contact__") | Q(pk__among=ticket_ids)

    if len(term) < SHORTEST_INDEXED:
        return Found(term, narrowed([]), has_all, by_contact=in_contacts)
    pieces = _pieces(term)
    asked = dict(zip(("first_text", "second_text"), pieces, strict=False))
    said = _said(RARE_MATCHES + 1, tuple(asked)).rows(
        company_id=company_id, **asked, term_text=term
    )
    matches = sum(count for _, _, count in said)
    if matches <= RARE_MATCHES:
        newest = {ticket_id: pk for ticket_id, pk, _ in said}
        is_countable = has_all and matches <= COUNTED_MATCHES
        return Found(term, narrowed(list(newest)), is_countable, newest, in_contacts)
    by_contact = (
        Q(contact_id__among=contact_ids) if has_all else _named(**texts, prefix="contact__")
    )
    # A scalar subquery: PostgreSQL would collect all matches first for EXISTS.
    any_said = _messages_with(term).filter(ticket_id=OuterRef("pk"))
    walked = by_contact | Q(IsNull(Subquery(any_said.order_by().values("pk")[:1]), False))
    tickets = Ticket.objects.for_company(company_id)
    tried = tickets.order_by("-updated_at", "-pk").values("pk")[:TRIED_TICKETS]
    if tickets.filter(walked, pk__in=tried).order_by().count() >= ENOUGH_TRIED:
        return Found(term, walked, False, by_contact=in_contacts)
    messages = _messages_with(term, *pieces).filter(company_id=company_id)
    in_tickets = messages.order_by().values_list("ticket_id", flat=True).distinct()
    return Found(term, narrowed(list(in_tickets)), False, by_contact=in_contacts)


def _messages_with(term: str | RawSQL, *pieces: str | RawSQL) -> "QuerySet[Message]":
    """Return the messages that contain a term, without deleted ones.

    `pieces` are parts of the term: the index looks up these alone, and the whole term is compared
    in the messages that it finds.
    """
    present = Message.objects.filter(is_deleted=False)
    if not pieces:
        return present.filter(search_text__contains=term)
    held = [Q(search_text__contains=piece) for piece in pieces]
    sought = term if isinstance(term, RawSQL) else Value(term)
    return present.filter(*held, GreaterThan(StrIndex("search_text", sought), 0))


def _pieces(term: str) -> list[str]:
    """Return three letters of each of the two longest words, or nothing where it would gain no
    time.

    For one LIKE condition PostgreSQL intersects the index lists of all trigrams of the term, for
    each message of the shortest list. That is most of the cost of two common words: 33 ms of CPU
    where each is in 140,000 of 1.2M messages and both are in 7,500. So the index is asked for one
    trigram of each word. To have it look up the others as well, for those 7,500, takes 15.5 ms; to
    compare their texts instead takes 11.3 ms.

    The trigrams of one word occur together, so a single word gains nothing. Short words gain
    nothing either: they have few trigrams and form common phrases ("bom dia"), for which a scan
    soon finds enough. PostgreSQL would no longer choose the scan, since it assumes that each
    condition narrows the result.
    """
    words = sorted(_LONG_WORDS.findall(term), key=len, reverse=True)
    if database.vendor != "postgresql" or len(words) < 2:
        return []
    return [word[len(word) // 2 - 1 :][:3] for word in words[:2]]


def _texts(term: str) -> dict[str, str]:
    """Return the texts to search contacts by: the term, and the digits of a telephone number."""
    digits = "".join(letter for letter in term if letter.isdigit())
    is_telephone = len(digits) >= SHORTEST_INDEXED and _TELEPHONE.fullmatch(term)
    return {"term_text": term, "digits_text": digits if digits != term and is_telephone else ""}


def _named(*, term_text: Any, digits_text: Any, prefix: str = "") -> Q:
    """Return the condition for contacts; `prefix` leads to the contact."""
    column = f"{prefix}search_text__contains"
    condition = Q(**{column: term_text})
    return condition | Q(**{column: digits_text}) if digits_text else condition


@lru_cache(maxsize=4)
def _contact_ids(with_digits: bool, most: int) -> CompiledQuery:
    def build(
        *, company_id: RawSQL, term_text: RawSQL, digits_text: RawSQL
    ) -> "QuerySet[Contact, Any]":
        named = _named(term_text=term_text, digits_text=digits_text if with_digits else "")
        contacts = Contact.objects.filter(named, company_id=company_id).order_by()
        return contacts.values_list("pk")[:most]

    return CompiledQuery(build, keeps_plan=False)


@lru_cache(maxsize=4)
def _said(most: int, pieces: tuple[str, ...]) -> CompiledQuery:
    """Return the query of tickets with their newest match and the number of their first matches.

    `pieces` are the parameter names of the term's pieces.
    """

    def build(**given: RawSQL) -> "QuerySet[Message, Any]":
        messages = _messages_with(given["term_text"], *(given[each] for each in pieces))
        in_company = messages.filter(company_id=given["company_id"]).order_by()
        return in_company.values_list("ticket_id", "pk")[:most]

    grouped = "SELECT ticket_id, MAX(pk), COUNT(*) FROM ({}) AS said GROUP BY ticket_id"
    takes = ("company_id", "term_text", *pieces)
    return CompiledQuery(build, takes=takes, keeps_plan=False, around=grouped)


@lru_cache(maxsize=8)
def _lines(with_digits: bool, is_known: bool, by_contact: bool) -> CompiledQuery:
    """Return the query of the matching messages of tickets that were not found by their contact.

    The messages are known ids, or each ticket is searched from its newest message.
    """

    def build(
        *, term_text: RawSQL, digits_text: RawSQL, ticket_ids: RawSQL, message_ids: RawSQL
    ) -> "QuerySet[Message, Any]":
        named = _named(term_text=term_text, digits_text=digits_text if with_digits else "")
        tickets = Ticket.objects.filter(pk__among=ticket_ids).order_by()
        if by_contact:
            tickets = tickets.filter(
                ~Exists(Contact.objects.filter(named, pk=OuterRef("contact_id")))
            )
        messages: QuerySet[Message]
        if is_known:
            messages = Message.objects.filter(pk__among=message_ids, ticket__in=tickets)
        else:
            said = _messages_with(term_text).filter(ticket_id=OuterRef("pk")).order_by("-pk")
            newest = tickets.annotate(line=Subquery(said.values("pk")[:1]))
            messages = Message.objects.filter(pk__in=newest.values("line"))
        return messages.order_by().values_list("ticket_id", "pk", "body")

    return CompiledQuery(build, keeps_plan=False)
