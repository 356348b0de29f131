"""Reads of contacts, tags and notes."""

import re

from django.apps import apps
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from apps.common.search import fold
from apps.contacts.models import Contact, Tag, TicketNote


def search_contacts(company_id: int, text: str) -> QuerySet[Contact]:
    """Return a company's contacts in name order whose name, number or e-mail contains the text.

    Accents and case do not matter, nor the punctuation of a number.
    """
    contacts = Contact.objects.for_company(company_id).order_by("name", "id")
    folded = fold(text.replace("\x00", ""))
    if re.fullmatch(r"\+?[\d\s().-]*\d[\d\s().-]*", folded):
        folded = re.sub(r"\D", "", folded)
    return contacts.filter(search_text__contains=folded) if folded else contacts


def tags_of(company_id: int) -> QuerySet[Tag]:
    """Return a company's tags in name order, each with the `tickets_count` that carry it."""
    links = apps.get_model("tickets", "TicketTag")._default_manager
    counts = links.filter(tag=OuterRef("pk")).order_by().values("tag").annotate(n=Count("*"))
    carried = Coalesce(Subquery(counts.values("n"), output_field=IntegerField()), 0)
    return Tag.objects.for_company(company_id).annotate(tickets_count=carried)


def search_tags(company_id: int, text: str) -> QuerySet[Tag]:
    """Return the tags of `tags_of` whose name contains the text, accents and case ignored."""
    return tags_of(company_id).filter(search_text__contains=fold(text))


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
