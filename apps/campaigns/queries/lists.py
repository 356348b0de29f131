"""Reads of contact lists and their people."""

import re
from collections.abc import Sequence

from django.db.models import QuerySet
from django_filters import CharFilter, FilterSet, NumberFilter

from apps.campaigns.models import ContactList, ContactListItem
from apps.common.masking import hides_matches
from apps.common.paging import PAGE_SIZE
from apps.common.search import sought
from apps.common.serializers import MAX_ID
from apps.contacts.models import NameKey


def contact_lists_of(company_id: int) -> QuerySet[ContactList]:
    """Return a company's lists by name, with their imports."""
    return ContactList.objects.for_company(company_id).select_related("newest_import")


def list_items_of(company_id: int) -> QuerySet[ContactListItem]:
    """Return the people of all lists of a company, by name."""
    items = ContactListItem.objects.for_company(company_id)
    return items.alias(name_key=NameKey("search_text")).order_by("name_key", "id")


def first_items(contact_list: ContactList) -> Sequence[ContactListItem]:
    """Return the first page of a list's people."""
    items = list_items_of(contact_list.company_id).filter(contact_list=contact_list)
    return list(items[:PAGE_SIZE])


def sought_person(text: str) -> str:
    """Return the search term for people: folded, and a number without its punctuation."""
    folded = sought(text)
    if re.fullmatch(r"\+?[\d\s().-]+", folded):
        return re.sub(r"\D", "", folded) or folded
    return folded


class ContactListFilters(FilterSet):
    """Filters of lists: a part of the name."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[ContactList], name: str, text: str) -> QuerySet[ContactList]:
        """Keep those that contain the text, ignoring accents and case."""
        folded = sought(text)
        return rows.filter(search_text__contains=folded) if folded else rows


class ContactListItemFilters(FilterSet):
    """Filters of people: their list, a part of name, number or e-mail."""

    searchParam = CharFilter(method="search")
    contactListId = NumberFilter(
        field_name="contact_list", min_value=1, max_value=MAX_ID, decimal_places=0
    )

    def search(
        self, rows: QuerySet[ContactListItem], name: str, text: str
    ) -> QuerySet[ContactListItem]:
        """Keep those that contain the text, ignoring accents, case and number punctuation."""
        folded = sought_person(text)
        if hides_matches(self.request, folded):
            return rows.none()
        return rows.filter(search_text__contains=folded) if folded else rows
