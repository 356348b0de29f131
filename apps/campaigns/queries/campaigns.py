"""Reads of campaigns: the list, the progress and the estimated finish of each."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet
from django.utils import timezone
from django_filters import CharFilter, FilterSet

from apps.campaigns.models import (
    ENDED,
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    ContactListItem,
    RecipientState,
)
from apps.campaigns.pacing import Hours, Pace, estimated_finish
from apps.campaigns.queries.campaign_settings import campaign_settings_of, hours_of, pace_of
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.reasons import ReasonCode
from apps.common.search import sought
from apps.common.serializers import MAX_ID
from apps.costs.queries.origins import Named

# In these states some recipients may not have ended.
NOT_OVER = (CampaignStatus.RUNNING, CampaignStatus.CANCELLED)
TO_COME = (CampaignStatus.SCHEDULED, CampaignStatus.RUNNING)
WALKED = 5000
NOT_ENDED = [state for state in RecipientState if state not in ENDED]


# The related records whose names the wire has.
SHOWN_LINKS = ("connection", "contact_list", "tag", "segment")


@dataclass(frozen=True)
class Outlook:
    """How many of a campaign's recipients have ended, and when probably all will have.

    `assessed` counts those whose message Meta accepted, but does not deliver before it has
    assessed the template.
    """

    total: int
    ended: int
    assessed: int
    finish_at: datetime | None


def campaigns_of(company_id: int) -> QuerySet[Campaign]:
    """Return a company's campaigns, the newest first, with connection, list, tag and segment."""
    campaigns = Campaign.objects.for_company(company_id)
    return campaigns.select_related(*SHOWN_LINKS).order_by("-id")


_OWN = columns_of(Campaign)
_ENDED = CompiledQuery(
    lambda *, company_id, campaign_id: (
        Campaign.objects.for_company(company_id)
        .filter(pk=campaign_id, started_at__isnull=False)
        .exclude(status__in=TO_COME)
        .values_list(*_OWN, *(f"{link}__name" for link in SHOWN_LINKS))
    )
)


def ended_campaign(company_id: int, campaign_id: int) -> Campaign | None:
    """Return a company's campaign that was started and does not run, None for any other.

    Its linked records have their names alone: what else they have matters no more.
    """
    if campaign_id > MAX_ID:
        return None
    for row in _ENDED.rows(company_id=company_id, campaign_id=campaign_id):
        values = iter(row)
        campaign = instance_of(Campaign, _OWN, values)
        for link, name in zip(SHOWN_LINKS, values, strict=True):
            pk = getattr(campaign, f"{link}_id")
            model: Any = Campaign._meta.get_field(link).related_model
            linked = None if pk is None else instance_of(model, ("id", "name"), (pk, name))
            setattr(campaign, link, linked)
        return campaign
    return None


def sources_of(campaign: Campaign) -> list[dict[str, str]]:
    """Return what people are taken from, each with its `kind` and `name`.

    From the start on these are the names at the start: the list may be deleted afterwards.
    """
    if campaign.source_names:
        return list(campaign.source_names)
    linked = (("list", campaign.contact_list), ("tag", campaign.tag), ("segment", campaign.segment))
    return [{"kind": kind, "name": each.name} for kind, each in linked if each is not None]


class CampaignFilters(FilterSet):
    """Filters of campaigns: a part of the name."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[Campaign], name: str, text: str) -> QuerySet[Campaign]:
        """Keep those that contain the text, ignoring accents and case."""
        folded = sought(text)
        return rows.filter(search_text__contains=folded) if folded else rows


def outlooks_of(campaigns: Collection[Campaign]) -> dict[int, Outlook]:
    """Return the progress of campaigns of one company, by id, in at most four queries."""
    left = _left(campaigns)
    assessed = _assessed(campaigns)
    upcoming = [each for each in campaigns if each.status in TO_COME]
    finishes = _finishes(upcoming, left) if upcoming else {}
    return {
        each.pk: Outlook(
            total=each.recipients_count,
            ended=max(each.recipients_count - sum(left.get(each.pk, {}).values()), 0),
            assessed=assessed.get(each.pk, 0),
            finish_at=finishes.get(each.pk),
        )
        for each in campaigns
    }


def _left(campaigns: Collection[Campaign]) -> dict[int, dict[str, int]]:
    """Count the recipients who have not ended, by campaign and state; an index suffices."""
    ids = [each.pk for each in campaigns if each.status in NOT_OVER]
    if not ids:
        return {}
    rows = CampaignRecipient.objects.filter(campaign__in=ids, state__in=NOT_ENDED)
    found: dict[int, dict[str, int]] = {}
    counted = rows.order_by().values_list("campaign", "state").annotate(count=Count("pk"))
    for campaign_id, state, count in counted:
        found.setdefault(campaign_id, {})[state] = count
    return found


def _assessed(campaigns: Collection[Campaign]) -> dict[int, int]:
    """Count the recipients whose template Meta assesses, by campaign."""
    ids = [each.pk for each in campaigns if each.template_name and each.started_at]
    if not ids:
        return {}
    rows = CampaignRecipient.objects.filter(
        campaign__in=ids, reason_code=ReasonCode.TEMPLATE_ASSESSED
    )
    return dict(rows.order_by().values_list("campaign").annotate(count=Count("pk")))


def _finishes(
    campaigns: Collection[Campaign], left: dict[int, dict[str, int]]
) -> dict[int, datetime | None]:
    company_id = next(iter(campaigns)).company_id
    pace = pace_of(campaign_settings_of(company_id))
    hours = hours_of(company_id)
    now = timezone.now()
    return {
        each.pk: _finish_of(each, left.get(each.pk, {}), pace, hours, now) for each in campaigns
    }


def _finish_of(
    campaign: Campaign, left: dict[str, int], pace: Pace, hours: Hours | None, now: datetime
) -> datetime | None:
    if campaign.asks_confirmation:  # the finish depends on the answers
        return None
    if campaign.status == CampaignStatus.SCHEDULED:
        listed = campaign.contact_list
        if (
            listed is None
            or campaign.scheduled_at is None
            or campaign.tag_id
            or campaign.segment_id
        ):
            return None
        start = max(campaign.scheduled_at, now)
        return estimated_finish(pace, hours, now=start, left=listed.contacts_count)
    to_go = left.get(RecipientState.PENDING, 0) + left.get(RecipientState.CONFIRMED, 0)
    following = max(campaign.next_send_at or now, now)
    if not to_go:
        return now
    # The time of the next message is known; the estimate adds the pauses after it.
    return estimated_finish(
        pace, hours, now=following, left=to_go - 1, count=campaign.steps_count + 1
    )


def people_of(campaign: Campaign) -> Iterator[list[tuple[int, bool | None]]]:
    """Yield the ids of a list's people and whether each is on WhatsApp, in batches.

    After the start these are the recipients, except the skipped ones.
    """
    if campaign.started_at is None:
        items = ContactListItem.objects.filter(contact_list=campaign.contact_list_id)
        yield from _walk(items, "is_whatsapp_valid")
        return
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    for found in _walk(recipients.exclude(state=RecipientState.SKIPPED)):
        yield [(pk, True) for (pk,) in found]


Moment = datetime | None


def shipping_of(campaign: Campaign) -> Iterator[list[tuple[int, Moment, Moment, Moment]]]:
    """Yield in batches each recipient's id and the times of message, request and confirmation."""
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    return _walk(recipients, "sent_at", "confirmation_requested_at", "confirmed_at")


def _walk(rows: QuerySet[Any], *columns: str) -> Iterator[list[Any]]:
    """Yield ids and columns of all rows in batches, ordered by id."""
    last = 0
    while found := list(
        rows.filter(pk__gt=last).order_by("pk").values_list("pk", *columns)[:WALKED]
    ):
        last = found[-1][0]
        yield found


def names_of_campaigns(company_id: int, ids: set[int]) -> dict[int, Named]:
    """Return the names of a company's campaigns, for what they cost."""
    rows = Campaign.objects.for_company(company_id).filter(pk__in=ids)
    return {pk: Named(name) for pk, name in rows.values_list("pk", "name")}
