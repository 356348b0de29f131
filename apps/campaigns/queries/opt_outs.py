"""Reads of a company's opt-outs (rules/campaigns §7)."""

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django_filters import CharFilter, FilterSet

from apps.campaigns.models import OptOut
from apps.campaigns.queries.lists import sought_person
from apps.contacts.models import Contact


def opt_outs_of(company_id: int) -> QuerySet[OptOut]:
    """Return a company's opt-outs, newest first, with id and name of the contact of the number."""
    contacts = _contacts()
    return (
        OptOut.objects.for_company(company_id)
        .select_related("campaign")
        .annotate(
            contact_id=Subquery(contacts.values("pk")[:1]),
            contact_name=Subquery(contacts.values("name")[:1]),
        )
        .order_by("-id")
    )


def _contacts() -> QuerySet[Contact]:
    return Contact.objects.filter(
        company=OuterRef("company"), canonical_number=OuterRef("canonical_number")
    )


class OptOutFilters(FilterSet):
    """Filters of opt-outs: a part of the number, or of the contact's name, number or e-mail."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[OptOut], name: str, text: str) -> QuerySet[OptOut]:
        """Keep those that contain the text, ignoring accents, case and number punctuation."""
        folded = sought_person(text)
        if not folded:
            return rows
        known = Exists(_contacts().filter(search_text__contains=folded))
        return rows.filter(Q(canonical_number__contains=folded) | Q(known))
