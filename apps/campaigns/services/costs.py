"""The estimated duration and cost of a campaign, and what Meta billed (rules/campaigns §9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from math import ceil

from django.db.models import Q
from django.utils import timezone

from apps.campaigns.models import Campaign, CampaignStatus
from apps.campaigns.pacing import days_of_limit, estimated_finish
from apps.campaigns.queries.audience import DUPLICATE, People, audience_of
from apps.campaigns.queries.campaign_settings import campaign_settings_of, hours_of, pace_of
from apps.campaigns.services.texts import written
from apps.common.errors import DomainError
from apps.companies.queries import zone_of
from apps.connections.models import Connection, ProviderKind
from apps.connections.queries import Portfolio, portfolio_of
from apps.connections.services import find_template
from apps.connections.services.pace import mean_gap, rooms_ahead
from apps.contacts.numbers import country_of
from apps.costs.models import MessageCategory
from apps.costs.queries.ledger import figures_of_campaign
from apps.costs.queries.prices import Charged, Cost, Prices
from apps.costs.queries.shares import billed_shares
from apps.library.models import FileListItem
from apps.tickets.origins import Origin
from apps.tickets.queries.inbox import WINDOW
from apps.tickets.services.outbox import use_of

DAY = timedelta(days=1)
# Of more campaigns beside this one the estimate does not count the people.
MOST_OTHERS = 20


@dataclass(frozen=True)
class Sharing:
    """The limit of a number's portfolio, and who takes its room beside a campaign.

    `limit` is how many people all numbers together may write to first in 24 hours, None if there is
    no limit or Meta does not report it. `others` are the company's other numbers under it. `used`
    are the people who count now, with those in the outbox. `planned` are at most the people to whom
    the other campaigns of these numbers will write first: those that run, or start before 24 hours
    after this one. A QR session shares nothing: both are None.
    """

    limit: int | None = None
    others: Sequence[Connection] = ()
    used: int | None = None
    planned: int | None = None


@dataclass(frozen=True)
class Estimate:
    """The expected result of a campaign that starts at its time, or now.

    `left_out` are counts by reason. `finish_at` is None if answers decide it, if nobody gets the
    campaign, or if there is no estimate; `seconds`, the duration, is None only without an estimate.
    `shares` are the shares of messages that were really billed, by category, where they are known.
    `later` is how many people get the campaign later because
    of the limit: those for whom it has no room in the days that the campaign takes anyway.
    """

    recipients: int
    left_out: dict[str, int]
    finish_at: datetime | None
    seconds: int | None
    cost: Cost
    shares: Mapping[str, Decimal]
    sharing: Sharing
    later: int


def estimate_of(campaign: Campaign) -> Estimate:
    """Return the estimated duration and cost of a campaign; while it runs, of the rest.

    May ask Meta for the template: never call it inside a transaction. Reads `connection`.
    """
    now = timezone.now()
    starts_at = _start_of(campaign, now)
    connection = campaign.connection
    is_official = connection is not None and connection.provider == ProviderKind.OFFICIAL
    people = _people_of(campaign, now)
    finish_at = _finish_of(campaign, people, starts_at)
    portfolio = portfolio_of(connection) if connection is not None else None
    sharing, later = Sharing(), 0
    if portfolio is not None:
        use = use_of(portfolio)
        standing = len(use.standing)
        planned = _planned_beside(campaign, portfolio, starts_at)
        others = [each for each in portfolio.numbers if each.pk != campaign.connection_id]
        sharing = Sharing(portfolio.limit, others, use.used + standing, planned)
        if portfolio.limit is not None and finish_at is not None:
            # What counts now may not count any more at the start.
            taken = portfolio.used(at=max(starts_at, now)) + standing + planned
            later, finish_at = _within_limit(
                campaign, people, starts_at, finish_at, limit=portfolio.limit, taken=taken
            )
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
        sharing=sharing,
        later=later,
    )


def _people_of(campaign: Campaign, now: datetime) -> list[People]:
    connection = campaign.connection
    is_official = connection is not None and connection.provider == ProviderKind.OFFICIAL
    return audience_of(
        campaign,
        window_since=now - WINDOW,
        needs_window=is_official and not campaign.template_name,
    )


def _planned_beside(campaign: Campaign, portfolio: Portfolio, starts_at: datetime) -> int:
    """Return to how many people the other campaigns of a portfolio will write first."""
    now = timezone.now()
    others = (
        Campaign.objects.for_company(campaign.company_id)
        .filter(
            Q(status=CampaignStatus.RUNNING)
            | Q(status=CampaignStatus.SCHEDULED, scheduled_at__lt=starts_at + DAY),
            connection__in=portfolio.numbers,
        )
        .exclude(pk=campaign.pk)
        .select_related("connection", "tag", "segment")
        .order_by("next_attempt_at", "pk")[:MOST_OTHERS]
    )
    return sum(_to_begin(_people_of(other, now)) for other in others)


def _within_limit(
    campaign: Campaign,
    people: Sequence[People],
    starts_at: datetime,
    finish_at: datetime,
    *,
    limit: int,
    taken: int,
) -> tuple[int, datetime | None]:
    """Return how many people wait for room in the portfolio, and when the last of them gets it.

    `taken` are the people to whom the numbers write beside the campaign: all of them first, so that
    it ends by then at the latest.
    """
    to_begin = _to_begin(people)
    days = max(1, ceil((finish_at - starts_at) / DAY))
    later = min(max(taken + to_begin - limit * days, 0), to_begin)
    if not later:
        return 0, finish_at
    full_days, last = days_of_limit(to_begin, taken=taken, limit=limit)
    connection = campaign.connection
    gap = mean_gap(connection) * _messages_each(campaign) if connection else 0.0
    ends_at = estimated_finish(
        pace_of(campaign_settings_of(campaign.company_id)),
        hours_of(campaign.company_id),
        now=starts_at + DAY * full_days,
        left=last,
        least_seconds=last * gap,
    )
    return later, None if ends_at is None else max(finish_at, ends_at)


def billed_cost(campaign: Campaign) -> Cost:
    """Return what the ledger says of a campaign's messages, its tests among them (rules/costs §5).

    If they were paid in two currencies, the sum is that of the first and incomplete.
    """
    origin = Origin.CAMPAIGN.of(campaign.pk)
    figures = figures_of_campaign(campaign.company_id, origin)
    if not figures.amounts:
        amount = None if figures.billable else Decimal(0)
        return Cost(currency="", amount=amount, is_complete=not figures.billable)
    [paid, *others] = figures.amounts
    return Cost(paid.currency, paid.amount, is_complete=not (figures.unpriced or others))


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
