"""The estimated duration and cost of a campaign, and what Meta billed (rules/campaigns §9)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from math import ceil
from zoneinfo import ZoneInfo

from django.db.models import Count, Min, Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Substr, TruncDate
from django.utils import timezone

from apps.campaigns.models import Campaign, CampaignRecipient, CampaignStatus
from apps.campaigns.pacing import estimated_finish
from apps.campaigns.queries.audience import DUPLICATE, NO_LIMIT, People, audience_of
from apps.campaigns.queries.campaign_settings import campaign_settings_of, hours_of, pace_of
from apps.campaigns.services.texts import written
from apps.common.compiled_queries import CompiledQuery
from apps.common.errors import DomainError
from apps.companies.queries import zone_of
from apps.connections.models import Connection, ProviderKind
from apps.connections.services import find_template
from apps.connections.services.pace import mean_gap, rooms_ahead
from apps.contacts.numbers import COUNTRY_DIGITS, country_of
from apps.costs.models import MessageCategory
from apps.costs.queries.prices import Charged, Cost, Prices
from apps.costs.queries.shares import billed_shares
from apps.library.models import FileListItem
from apps.tickets.models import Ack
from apps.tickets.queries.inbox import WINDOW

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Estimate:
    """The expected result of a campaign that starts at its time, or now.

    `left_out` are counts by reason. `finish_at` is None if answers decide it, if nobody gets the
    campaign, or if there is no estimate; `seconds`, the duration, is None only without an estimate.
    `shares` are the shares of messages that were really billed, by category, where they are known.
    `tier_limit` is how many people the number may write to first in 24 hours, None if there is no
    limit or it is unknown.
    """

    recipients: int
    left_out: dict[str, int]
    finish_at: datetime | None
    seconds: int | None
    cost: Cost
    shares: Mapping[str, Decimal]
    tier_limit: int | None


def estimate_of(campaign: Campaign) -> Estimate:
    """Return the estimated duration and cost of a campaign; while it runs, of the rest.

    May ask Meta for the template: never call it inside a transaction. Reads `connection`.
    """
    now = timezone.now()
    starts_at = _start_of(campaign, now)
    connection = campaign.connection
    is_official = connection is not None and connection.provider == ProviderKind.OFFICIAL
    has_template = is_official and bool(campaign.template_name)
    needs_window = is_official and not has_template
    since = now - WINDOW
    people = audience_of(campaign, window_since=since, needs_window=needs_window)
    finish_at = _finish_of(campaign, people, starts_at)
    limit = _limit_of(connection) if is_official else None
    if limit is not None and finish_at is not None:
        days = max(1, ceil((finish_at - starts_at) / DAY))
        if _to_begin(people) > limit * days:
            people = audience_of(
                campaign,
                window_since=since,
                needs_window=needs_window,
                most_first=min(limit * days, NO_LIMIT),
            )
            finish_at = _finish_of(campaign, people, starts_at)
    today = starts_at.astimezone(zone_of(campaign.company_id)).date()
    shares: Mapping[str, Decimal] = {}
    if is_official and connection is not None:
        shares = billed_shares(connection, now.astimezone(zone_of(campaign.company_id)).date())
    # With confirmations the finish depends on the answers.
    told_at = None if campaign.asks_confirmation else finish_at
    return Estimate(
        recipients=_count(people),
        left_out=_left_out(people),
        finish_at=told_at if _count(people) else None,
        seconds=None if finish_at is None else int((finish_at - starts_at).total_seconds()),
        cost=_cost_of(campaign, people, today, shares) if is_official else Prices().cost_of(()),
        shares=shares,
        tier_limit=limit,
    )


def billed_cost(campaign: Campaign, *, has_asked: bool = True) -> Cost:
    """Return the cost of a campaign's delivered messages that Meta reported as billable.

    Each message has the price of the day on which it was written, in the company's zone.
    `has_asked` tells whether there are confirmation requests.
    """
    return Prices().cost_of(_billed(campaign, has_asked=has_asked))


def _billed(campaign: Campaign, *, has_asked: bool) -> Iterator[Charged]:
    zone = zone_of(campaign.company_id)
    # Both messages, whatever the connection is now: a cancelled campaign may go on over another
    # one.
    for message in ("message", "confirmation_message") if has_asked else ("message",):
        groups = _groups_of(message, zone).rows(campaign_id=campaign.pk)
        for category, day, _, count, number in groups:
            if count:
                yield Charged(category, country_of(number), day, count)


@lru_cache(maxsize=256)
def _groups_of(message: str, zone: ZoneInfo) -> CompiledQuery:
    # Counted, not filtered: PostgreSQL takes charged messages for rare, and would read those of
    # the whole company to find them instead of the campaign's own.
    is_billed = Q(**{f"{message}__pricing__billable": True, f"{message}__ack__gte": Ack.DELIVERED})
    return CompiledQuery(
        lambda *, campaign_id: (
            CampaignRecipient.objects.filter(campaign=campaign_id, **{f"{message}__isnull": False})
            .order_by()
            .annotate(
                category=KeyTextTransform("category", f"{message}__pricing"),
                day=TruncDate(f"{message}__created_at", tzinfo=zone),
                prefix=Substr("canonical_number", 1, COUNTRY_DIGITS),
            )
            .values_list("category", "day", "prefix")
            .annotate(count=Count("pk", filter=is_billed), number=Min("canonical_number"))
        ),
        keeps_plan=False,
    )


def _start_of(campaign: Campaign, now: datetime) -> datetime:
    if campaign.status == CampaignStatus.RUNNING:
        return max(campaign.next_send_at or now, now)
    if campaign.status == CampaignStatus.SCHEDULED:
        return max(campaign.scheduled_at or now, now)
    return now


def _count(people: Sequence[People]) -> int:
    return sum(each.count for each in people if not each.left_out)


def _to_begin(people: Sequence[People]) -> int:
    """Return how many recipients count towards Meta's limit: those without an open window."""
    return sum(each.count for each in people if not each.left_out and not each.is_open)


def _left_out(people: Sequence[People]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for each in people:
        if each.left_out:
            counts[each.left_out] = counts.get(each.left_out, 0) + each.count
    if duplicates := sum(each.duplicates for each in people):
        counts[DUPLICATE] = duplicates
    return counts


def _limit_of(connection: Connection | None) -> int | None:
    """Return the limit of a number's tier, None if there is none or Meta does not report it."""
    limit = connection.messaging_limit if connection else None
    return limit if limit and limit > 0 else None


def _finish_of(
    campaign: Campaign, people: Sequence[People], starts_at: datetime
) -> datetime | None:
    """Return when all messages have probably been sent.

    The slowest decides: the settings' pauses, the connection's pace, or a young number's daily
    ceiling.
    """
    recipients = _count(people)
    pace = pace_of(campaign_settings_of(campaign.company_id))
    hours = hours_of(campaign.company_id)
    connection = campaign.connection
    gap = mean_gap(connection) * _messages_each(campaign) if connection else 0.0
    finish_at = estimated_finish(
        pace, hours, now=starts_at, left=recipients, least_seconds=recipients * gap
    )
    if connection is None or finish_at is None:
        return finish_at
    unknown = sum(each.count for each in people if not each.left_out and not each.has_written)
    for begins, room in rooms_ahead(connection, at=starts_at):
        if room is None or room >= unknown:
            if begins == starts_at:
                return finish_at
            last = estimated_finish(
                pace, hours, now=begins, left=unknown, least_seconds=unknown * gap
            )
            return None if last is None else max(finish_at, last)
        unknown -= room
    return finish_at


def _messages_each(campaign: Campaign) -> int:
    """Return how many messages a recipient gets: the list's files, and one with the text."""
    if campaign.file_list_id is None:
        return 1
    files = FileListItem.objects.filter(file_list=campaign.file_list_id)
    return 1 + files.exclude(media_path="").count()


def _cost_of(
    campaign: Campaign, people: Sequence[People], day: date, shares: Mapping[str, Decimal]
) -> Cost:
    category = ""
    connection = campaign.connection
    if campaign.template_name and connection is not None:
        try:
            template = find_template(
                connection, name=campaign.template_name, language=campaign.template_language
            )
        except DomainError:
            # Without the template its category, and so its price, is unknown.
            return Cost(currency="", amount=None, is_complete=False)
        category = template.category
    of_text = _messages_each(campaign)
    charged = [
        Charged(
            name, country_of(each.number), day, each.count * count, shares.get(name, Decimal(1))
        )
        for each in people
        if not each.left_out
        for name, count in _messages_for(
            campaign, category, is_open=each.is_open, of_text=of_text
        ).items()
    ]
    return Prices().cost_of(charged)


def _messages_for(
    campaign: Campaign, template: str, *, is_open: bool, of_text: int
) -> dict[str, int]:
    """Return how many messages of each category one recipient gets, if it answers a request.

    `template` is the category of the template, '' without one; `of_text` is the number of messages
    with a text of the campaign. A text goes only into an open window, which an answer to the
    confirmation request opens. Since October 2026 Meta charges it, and utility templates in the
    window, too:
    developers.facebook.com/documentation/business-messaging/whatsapp/pricing/non-template-messages
    """
    counts: dict[str, int] = {}
    if campaign.asks_confirmation and written(campaign.confirmation_texts):
        counts[MessageCategory.SERVICE if is_open else template] = 1
        is_open = True
    by_template = bool(template) and not (is_open and written(campaign.texts))
    category, count = (template, 1) if by_template else (MessageCategory.SERVICE, of_text)
    counts[category] = counts.get(category, 0) + count
    return counts
