"""Queries of contacts, tags and notes."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django_filters import CharFilter, FilterSet

from apps.common.compiled_queries import CompiledQuery
from apps.common.counts import kept_count
from apps.common.masking import is_part_of_number
from apps.common.paging import PAGE_SIZE, Page
from apps.common.search import sought
from apps.contacts.models import Contact, NameKey, Tag, TicketNote

# Rows per query of a walk over all contacts.
WALK_ROWS = 2000
LAST_CHARACTER = "\U0010ffff"


def _term(text: str) -> str:
    """Return the folded search term; a number loses its punctuation."""
    folded = sought(text)
    if re.fullmatch(r"\+?[\d\s().-]+", folded):
        return re.sub(r"\D", "", folded) or folded
    return folded


def search_contacts(company_id: int, text: str, *, hides: bool = False) -> QuerySet[Contact]:
    """Return a company's contacts whose search text contains the text, in name order.

    Accents, case and the punctuation of numbers are ignored. `hides`: numbers are shown masked, so
    nobody is found by a part of one.
    """
    contacts, term = _in_order(company_id), _term(text)
    if hides and is_part_of_number(term):
        return contacts.none()
    return contacts.filter(search_text__contains=term) if term else contacts


def _in_order(company_id: Any) -> QuerySet[Contact]:
    contacts = Contact.objects.for_company(company_id).alias(name_key=NameKey("search_text"))
    return contacts.order_by("name_key", "id")


def _between(first: Any, end: Any) -> dict[str, Any]:
    return {"name_key__gte": first, "name_key__lt": end}


def _beginning(company_id: Any, first: Any, end: Any) -> QuerySet[Contact]:
    return _in_order(company_id).filter(**_between(first, end))


def _others(company_id: Any, term: Any, first: Any, end: Any) -> QuerySet[Contact]:
    found = _in_order(company_id).filter(search_text__contains=term)
    return found.exclude(**_between(first, end))


# The first page of: contacts whose name begins with a term, other contacts with the term, all
# contacts.
_FIRST_BEGINNING = CompiledQuery(
    lambda *, company_id, first_text, end_text: _beginning(
        company_id, first_text, end_text
    ).values_list("pk")[: PAGE_SIZE + 1],
    keeps_plan=False,
)
_FIRST_OTHERS = CompiledQuery(
    lambda *, company_id, term_text, first_text, end_text: _others(
        company_id, term_text, first_text, end_text
    ).values_list("pk")[: PAGE_SIZE + 1],
    keeps_plan=False,
)
_FIRST_OF_ALL = CompiledQuery(
    lambda *, company_id: _in_order(company_id).values_list("pk")[: PAGE_SIZE + 1],
    keeps_plan=False,
)
_COUNT_FOUND = CompiledQuery(
    lambda *, company_id, term_text: _counted(
        Contact.objects.for_company(company_id).filter(search_text__contains=term_text)
    ),
    keeps_plan=False,
)
_COUNT_OF_ALL = CompiledQuery(
    lambda *, company_id: _counted(Contact.objects.for_company(company_id)), keeps_plan=False
)


def _counted(contacts: QuerySet[Contact]) -> "QuerySet[Contact, Any]":
    counted: QuerySet[Contact, Any] = contacts.order_by().values("company_id")
    return counted.annotate(length=Count("pk")).values_list("length")


def page_of_contacts(company_id: int, text: str, number: int, *, hides: bool = False) -> Page[int]:
    """Return a page of ids of `search_contacts`; names that begin with the text come first.

    Needs at most four queries. Those of the first page are compiled, because it must be fastest.
    Names are found by their index, so the cost of a page does not grow with the number of contacts.
    """
    term = _term(text)
    if hides and is_part_of_number(term):
        return Page([], 0, False)
    start, end = (number - 1) * PAGE_SIZE, number * PAGE_SIZE + 1
    ids = _ids_at(company_id, term, start, end)
    has_more = len(ids) > PAGE_SIZE
    count = start + len(ids)
    if has_more or (start and not ids):
        count = kept_count(f"contacts {company_id} {term}", partial(_count, company_id, term))
    return Page(ids[:PAGE_SIZE], count, has_more)


def _count(company_id: int, term: str) -> int:
    if term:
        rows = _COUNT_FOUND.rows(company_id=company_id, term_text=term)
    else:
        rows = _COUNT_OF_ALL.rows(company_id=company_id)
    return sum(count for (count,) in rows)


def _ids_at(company_id: int, term: str, start: int, end: int) -> list[int]:
    bounds = term, term + LAST_CHARACTER
    texts = {"first_text": bounds[0], "end_text": bounds[1]}
    if not term:
        if not start:
            return [pk for (pk,) in _FIRST_OF_ALL.rows(company_id=company_id)]
        return list(_in_order(company_id).values_list("pk", flat=True)[start:end])
    if not start:
        ids = [pk for (pk,) in _FIRST_BEGINNING.rows(company_id=company_id, **texts)]
        if len(ids) < end:
            others = _FIRST_OTHERS.rows(company_id=company_id, term_text=term, **texts)
            ids += [pk for (pk,) in others[: end - len(ids)]]
        return ids
    first = _beginning(company_id, *bounds)
    ids = list(first.values_list("pk", flat=True)[start:end])
    if len(ids) < end - start:
        before = start + len(ids) if ids else first.order_by().count()
        rest = _others(company_id, term, *bounds).values_list("pk", flat=True)
        ids += rest[max(start - before, 0) : end - before]
    return ids


def walk_contacts(
    company_id: int, text: str, *columns: str, hides: bool = False
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield columns of `search_contacts`, and `shown_id`, in its order, in batches of rows.

    Each batch is a separate query that starts after the last row. So memory use stays constant, and
    no transaction stays open while a slow client reads.
    """
    contacts = search_contacts(company_id, text, hides=hides).annotate(
        name_key=NameKey("search_text"), shown_id=Coalesce("user_id", "lid")
    )
    rest = contacts
    while rows := list(rest.values_list(*columns, "name_key", "id")[:WALK_ROWS]):
        yield [row[:-2] for row in rows]
        if len(rows) < WALK_ROWS:
            return
        key, pk = rows[-1][-2:]
        rest = contacts.filter(Q(name_key__gt=key) | Q(id__gt=pk), name_key__gte=key)


def tags_of(company_id: Any) -> QuerySet[Tag]:
    """Return a company's tags in name order, each with its number of tickets, `tickets_count`."""
    links = Tag.tickets.through._default_manager
    counts = links.filter(tag=OuterRef("pk")).order_by().values("tag").annotate(n=Count("*"))
    carried = Coalesce(Subquery(counts.values("n"), output_field=IntegerField()), 0)
    return Tag.objects.for_company(company_id).annotate(tickets_count=carried)


# What is read of each tag of a list.
TAG_COLUMNS = (
    *("id", "name", "color", "is_kanban", "user_id", "tickets_count", "created_at", "updated_at"),
)


def first_tags(company_id: int) -> list[tuple[Any, ...]]:
    """Return TAG_COLUMNS of a company's first page of tags, and of one more."""
    return _FIRST_TAGS.rows(company_id=company_id)


def count_tags(company_id: int) -> int:
    return sum(count for (count,) in _COUNT_OF_TAGS.rows(company_id=company_id))


def every_tag(company_id: int) -> list[tuple[Any, ...]]:
    """Return TAG_COLUMNS of a company's tags in name order."""
    return _EVERY_TAG.rows(company_id=company_id)


_FIRST_TAGS = CompiledQuery(
    lambda *, company_id: tags_of(company_id).values_list(*TAG_COLUMNS)[: PAGE_SIZE + 1],
    keeps_plan=False,
)
_EVERY_TAG = CompiledQuery(lambda *, company_id: tags_of(company_id).values_list(*TAG_COLUMNS))
_COUNT_OF_TAGS = CompiledQuery(
    lambda *, company_id: (
        Tag.objects.for_company(company_id)
        .order_by()
        .values("company_id")
        .annotate(length=Count("pk"))
        .values_list("length")
    )
)


class TagFilters(FilterSet):
    """Filters of the list of tags: a part of the name."""

    searchParam = CharFilter(method="search")

    def search(self, tags: QuerySet[Tag], name: str, text: str) -> QuerySet[Tag]:
        """Keep the tags whose name contains the text; accents and case are ignored."""
        return tags.filter(search_text__contains=sought(text))


def notes_of(
    company_id: int, *, contact_id: int | None = None, ticket_id: int | None = None
) -> QuerySet[TicketNote]:
    """Return the notes of a contact, else of a ticket, newest first, with their authors.

    A contact's notes are those of all its tickets.
    """
    notes = TicketNote.objects.for_company(company_id).select_related("user")
    if contact_id is not None:
        return notes.filter(contact=contact_id)
    return notes.filter(ticket=ticket_id)
