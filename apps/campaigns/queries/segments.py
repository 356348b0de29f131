"""Reads of segments and of the contacts in them (rules/campaigns §8)."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django_filters import CharFilter, FilterSet

from apps.campaigns.models import Campaign, Segment
from apps.campaigns.models.segments import no_rules
from apps.common.search import sought
from apps.companies.queries import zone_of
from apps.contacts.models import Contact, ContactField, folded
from apps.tickets.models import Ticket, TicketTag

# Names of the lines of extra info that hold a contact's city.
CITY_NAMES = ("cidade", "city", "ciudad")


def segments_of(company_id: int) -> QuerySet[Segment]:
    """Return a company's segments by name."""
    return Segment.objects.for_company(company_id)


class SegmentFilters(FilterSet):
    """Filters of segments: a part of the name."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[Segment], name: str, text: str) -> QuerySet[Segment]:
        """Keep those that contain the text, ignoring accents and case."""
        wanted = sought(text)
        return rows.filter(search_text__contains=wanted) if wanted else rows


def contacts_in(company_id: int, rules: Mapping[str, Any]) -> QuerySet[Contact]:
    """Return the contacts for whom every given rule holds, in one query; none if no rule is given.

    Groups are left out. No contact has a tag or queue that was deleted.
    """
    conditions = [
        *_by_tags_and_queues(company_id, rules),
        *_by_last_contact(company_id, rules),
        *_by_fields(rules),
    ]
    people = Contact.objects.for_company(company_id).filter(is_group=False)
    return people.filter(*conditions) if conditions else people.none()


def contacts_for(campaign: Campaign) -> list[QuerySet[Contact]]:
    """Return the contacts that a campaign writes to beside its list: by its tag, by its segment."""
    company_id = campaign.company_id
    found = []
    if campaign.tag_id is not None:
        found.append(contacts_in(company_id, {**no_rules(), "tagIds": [campaign.tag_id]}))
    if campaign.segment is not None:
        found.append(contacts_in(company_id, campaign.segment.rules))
    return found


def _by_tags_and_queues(company_id: int, rules: Mapping[str, Any]) -> list[Exists]:
    found = []
    if rules["tagIds"]:
        tagged = TicketTag.objects.filter(
            tag__in=rules["tagIds"],
            ticket__company=company_id,
            ticket__contact=OuterRef("pk"),
        )
        found.append(Exists(tagged))
    if rules["queueIds"]:
        found.append(Exists(_tickets(company_id).filter(queue__in=rules["queueIds"])))
    return found


def _by_last_contact(company_id: int, rules: Mapping[str, Any]) -> list[Q]:
    """Return the conditions for a last message to us between two days, both included."""
    first, last = rules["lastContactFrom"], rules["lastContactTo"]
    if not first and not last:
        return []
    zone = zone_of(company_id)

    def midnight(day: str, *, after: int = 0) -> datetime:
        return datetime.combine(date.fromisoformat(day) + timedelta(days=after), time.min, zone)

    wrote = _tickets(company_id).filter(last_inbound_at__isnull=False)
    if first:
        wrote = wrote.filter(last_inbound_at__gte=midnight(first))
    if not last:
        return [Q(Exists(wrote))]
    since = _tickets(company_id).filter(last_inbound_at__gte=midnight(last, after=1))
    return [Q(Exists(wrote)), ~Q(Exists(since))]


def _by_fields(rules: Mapping[str, Any]) -> list[Exists]:
    found = []
    lines = ContactField.objects.filter(contact=OuterRef("pk"))
    if rules["city"]:
        in_city = lines.filter(folded_name__in=CITY_NAMES, folded_value=folded(rules["city"]))
        found.append(Exists(in_city))
    if rules["fieldName"]:
        named = lines.filter(folded_name=folded(rules["fieldName"]))
        if rules["fieldValue"]:
            named = named.filter(folded_value=folded(rules["fieldValue"]))
        else:
            named = named.exclude(folded_value="")
        found.append(Exists(named))
    return found


def _tickets(company_id: int) -> QuerySet[Ticket]:
    return Ticket.objects.filter(company=company_id, contact=OuterRef("pk"))
