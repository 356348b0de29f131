"""Reads of a company's opt-outs (rules/campaigns §7)."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django_filters import CharFilter, FilterSet

from apps.campaigns.models import CampaignRecipient, OptOut, RecipientState
from apps.campaigns.queries.lists import sought_person
from apps.common.compiled_queries import CompiledQuery
from apps.common.masking import hides_matches
from apps.common.search import bare
from apps.companies.models import SETTINGS, Company, CompanySetting
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


def written_to(people: Collection[tuple[int, str]]) -> QuerySet[CampaignRecipient]:
    """Return the recipients, by company and canonical number, whom a campaign wrote to."""
    wanted = Q(pk__in=[])
    for company_id, number in people:
        wanted |= Q(company=company_id, canonical_number=number)
    return _written(wanted)


def _written(wanted: Q) -> QuerySet[CampaignRecipient]:
    untouched = (RecipientState.PENDING, RecipientState.SKIPPED)
    return CampaignRecipient.objects.filter(wanted).exclude(state__in=untouched)


def _words_of(
    companies: QuerySet[Company], written: QuerySet[CampaignRecipient]
) -> QuerySet[Company, Any]:
    stored = CompanySetting.objects.filter(company=OuterRef("pk"), key="optOutWords")
    return companies.order_by().values_list("pk", Subquery(stored.values("value")), Exists(written))


# The usual message is alone.
_WORDS = CompiledQuery(
    lambda company_id, number_text: _words_of(
        Company.objects.filter(pk=company_id),
        _written(Q(company=company_id, canonical_number=number_text)),
    )
)


def opt_out_words_of(people: Collection[tuple[int, str]]) -> tuple[dict[int, set[str]], bool]:
    """Return the opt-out words of people's companies, and whether a campaign wrote to any of them.

    `people` are companies and canonical numbers. The words are without case and accents. It takes
    one query, because every message that is received asks for both.
    """
    if len(people) == 1:
        [(company_id, number)] = people
        rows: Iterable[Any] = _WORDS.rows(company_id=company_id, number_text=number)
    else:
        companies = Company.objects.filter(pk__in={company_id for company_id, _ in people})
        rows = _words_of(companies, written_to(people))
    default, _ = SETTINGS["optOutWords"]
    words, is_any = {}, False
    for company_id, kept, is_written in rows:
        texts = default if kept is None else kept
        words[company_id] = {bare(word) for word in texts.split(",")} - {""}
        is_any = is_any or is_written
    return words, is_any


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
        if hides_matches(self.request, folded):
            return rows.none()
        if not folded:
            return rows
        known = Exists(_contacts().filter(search_text__contains=folded))
        return rows.filter(Q(canonical_number__contains=folded) | Q(known))
