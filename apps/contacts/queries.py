"""Reads of contacts, tags and notes."""

import re
from collections.abc import Iterator
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from django_filters import CharFilter, FilterSet

from apps.common.compiled_queries import CompiledQuery
from apps.common.paging import PAGE_SIZE, Page, paginate
from apps.common.search import sought
from apps.contacts.models import Contact, NameKey, Tag, TicketNote

# Rows of a walk over all contacts, at a time.
WALK_ROWS = 2000
LAST_CHARACTER = "\U0010ffff"


def _term(text: str) -> str:
    """Return what to look for in the search text; a number loses its punctuation."""
    folded = sought(text)
    if re.fullmatch(r"\+?[\d\s().-]+", folded):
        return re.sub(r"\D", "", folded) or folded
    return folded


def search_contacts(company_id: int, text: str) -> QuerySet[Contact]:
    """Return a company's contacts in name order whose name, number or e-mail contains the text.

    Accents and case do not matter, nor the punctuation of a number.
    """
    contacts = (
        Contact.objects.for_company(company_id)
        .alias(name_key=NameKey("search_text"))
        .order_by("name_key", "id")
    )
    term = _term(text)
    return contacts.filter(search_text__contains=term) if term else contacts


def _beginning(company_id: Any, **begins: Any) -> QuerySet[Contact]:
    return (
        Contact.objects.for_company(company_id)
        .alias(name_key=NameKey("search_text"))
        .order_by("name_key", "id")
        .filter(**begins)
    )


def _first_page(
    *, company_id: RawSQL, first_text: RawSQL, end_text: RawSQL
) -> "QuerySet[Contact, Any]":
    found = _beginning(company_id, name_key__gte=first_text, name_key__lt=end_text)
    return found.values_list("pk")[: PAGE_SIZE + 1]


_FIRST_PAGE = CompiledQuery(_first_page)


def page_of_contacts(company_id: int, text: str, number: int) -> Page[int]:
    """Return a page of ids of `search_contacts`: whose name begins with the text, then the others.

    At most four queries. Names are sought by their index, so a page of 200,000 contacts costs what
    a page of 2,000 does.
    """
    found = search_contacts(company_id, text)
    term = _term(text)
    if not term:
        return paginate(found.values_list("pk", flat=True), number)
    begins = {"name_key__gte": term, "name_key__lt": term + LAST_CHARACTER}
    first = _beginning(company_id, **begins)
    start, end = (number - 1) * PAGE_SIZE, number * PAGE_SIZE + 1
    if start:
        ids = list(first.values_list("pk", flat=True)[start:end])
    else:
        bounds = {"first_text": term, "end_text": term + LAST_CHARACTER}
        ids = [pk for (pk,) in _FIRST_PAGE.rows(company_id=company_id, **bounds)]
    if len(ids) < end - start:
        before = start + len(ids) if ids or not start else first.order_by().count()
        others = found.exclude(**begins).values_list("pk", flat=True)
        ids += others[max(start - before, 0) : end - before]
    has_more = len(ids) > PAGE_SIZE
    count = found.order_by().count() if has_more or (start and not ids) else start + len(ids)
    return Page(ids[:PAGE_SIZE], count, has_more)


def walk_contacts(company_id: int, text: str, *columns: str) -> Iterator[list[tuple[Any, ...]]]:
    """Yield columns of `search_contacts` in its order, many rows at a time.

    Each step is a query of its own that starts after the last row: memory stays flat, and no
    transaction stays open while a slow reader takes the rows.
    """
    contacts = search_contacts(company_id, text).annotate(name_key=NameKey("search_text"))
    rest = contacts
    while rows := list(rest.values_list(*columns, "name_key", "id")[:WALK_ROWS]):
        yield [row[:-2] for row in rows]
        if len(rows) < WALK_ROWS:
            return
        key, pk = rows[-1][-2:]
        rest = contacts.filter(Q(name_key__gt=key) | Q(id__gt=pk), name_key__gte=key)


def tags_of(company_id: int) -> QuerySet[Tag]:
    """Return a company's tags in name order, each with the `tickets_count` that carry it."""
    links = Tag.tickets.through._default_manager
    counts = links.filter(tag=OuterRef("pk")).order_by().values("tag").annotate(n=Count("*"))
    carried = Coalesce(Subquery(counts.values("n"), output_field=IntegerField()), 0)
    return Tag.objects.for_company(company_id).annotate(tickets_count=carried)


class TagFilters(FilterSet):
    """What narrows the list of tags: a part of the name."""

    searchParam = CharFilter(method="search")

    def search(self, tags: QuerySet[Tag], name: str, text: str) -> QuerySet[Tag]:
        """Keep those whose name holds the text, accents and case ignored."""
        return tags.filter(search_text__contains=sought(text))


def notes_of(
    company_id: int, *, contact_id: int | None = None, ticket_id: int | None = None
) -> QuerySet[TicketNote]:
    """Return notes newest first, with who wrote them: a contact's, else one ticket's.

    A contact's notes are those of all its tickets: they tell of the person.
    """
    notes = TicketNote.objects.for_company(company_id).select_related("user")
    if contact_id is not None:
        return notes.filter(contact=contact_id)
    return notes.filter(ticket=ticket_id)
