"""Results of a campaign: figures, a timeline, and its recipients one by one."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any, Literal

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.functions import Trunc
from django_filters import CharFilter, ChoiceFilter, FilterSet

from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    OptOut,
    OptOutSource,
    RecipientState,
)
from apps.campaigns.queries.audience import valid_people
from apps.campaigns.queries.lists import sought_person
from apps.common.compiled_queries import CompiledQuery
from apps.common.masking import hides_matches
from apps.common.reasons import ReasonCode
from apps.companies.queries import zone_of

Unit = Literal["minute", "hour", "day"]
COLUMNS = {"delivered": "sent_at", "read": "read_at", "answered": "answered_at"}
# The timeline is by minutes up to the first duration, by hours up to the second.
BY_MINUTES = timedelta(hours=3)
BY_HOURS = timedelta(days=5)
# Of a longer timeline only the last days are shown.
MOST_DAYS = 400


@dataclass
class Figures:
    """Counts of some recipients; `sent` counts those whose message the provider accepted."""

    count: int = 0
    sent: int = 0
    reached: int = 0
    read: int = 0
    answered: int = 0
    requested: int = 0
    confirmed: int = 0

    def add(self, other: "Figures") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class CampaignReport:
    """The outcomes of a campaign's recipients; `reasons` are counts by state and reason.

    `valid` counts all except the skipped ones; before the start, the people whom a start now would
    write to.
    """

    valid: int = 0
    total: Figures = field(default_factory=Figures)
    states: Counter[str] = field(default_factory=Counter)
    reasons: dict[tuple[str, str], int] = field(default_factory=dict)
    variants: dict[int, Figures] = field(default_factory=dict)
    opted_out: int = 0
    blocked: int = 0


def _groups(campaign_id: Any) -> "QuerySet[CampaignRecipient, Any]":
    recipients = CampaignRecipient.objects.filter(campaign=campaign_id).order_by()
    by_outcome: QuerySet[CampaignRecipient, Any] = recipients.values_list(
        "state", "reason_code", "variant"
    )
    return by_outcome.annotate(
        Count("pk"),
        Count("sent_at"),
        Count("reached_at"),
        Count("read_at"),
        Count("answered_at"),
        Count("confirmation_requested_at"),
        Count("confirmed_at"),
    )


def _left(campaign_id: Any) -> "QuerySet[OptOut, Any]":
    # Leave out opt-outs at Meta if Meta also refused the message. The refusal counts them, also
    # after the person resumes marketing messages.
    refused = CampaignRecipient.objects.filter(
        campaign=campaign_id,
        state=RecipientState.FAILED,
        reason_code=ReasonCode.MARKETING_STOPPED,
    )
    is_told = Exists(refused.filter(canonical_number=OuterRef("canonical_number")))
    opt_outs = OptOut.objects.filter(campaign=campaign_id).order_by()
    by_source = opt_outs.exclude(is_told, source=OptOutSource.META).values_list("source")
    counted: QuerySet[OptOut, Any] = by_source.annotate(Count("pk"))
    return counted


_GROUPS = CompiledQuery(_groups, keeps_plan=False)
_LEFT = CompiledQuery(_left)


def report_of(campaign: Campaign) -> CampaignReport:
    """Return a campaign's figures, in one pass over its recipients and one more query.

    Before the start one query counts the people whom the campaign would write to.
    """
    if campaign.started_at is None:
        return CampaignReport(valid=valid_people(campaign))
    report = CampaignReport()
    for state, reason, variant, *counts in _GROUPS.rows(campaign_id=campaign.pk):
        figures = Figures(*counts)
        report.total.add(figures)
        report.states[state] += figures.count
        if reason:
            key = (state, reason)
            report.reasons[key] = report.reasons.get(key, 0) + figures.count
        if variant is not None:
            report.variants.setdefault(variant, Figures()).add(figures)
    report.valid = report.total.count - report.states[RecipientState.SKIPPED]
    refused = (RecipientState.FAILED.value, ReasonCode.MARKETING_STOPPED.value)
    left = dict(_LEFT.rows(campaign_id=campaign.pk))
    report.blocked = report.reasons.get(refused, 0) + left.get(OptOutSource.META, 0)
    report.opted_out = left.get(OptOutSource.WORD, 0)
    return report


@dataclass(frozen=True)
class Point:
    """The counts of one minute, hour or day."""

    at: datetime
    delivered: int = 0
    read: int = 0
    answered: int = 0


def timeline_of(campaign: Campaign) -> tuple[Unit, list[Point]]:
    """Return deliveries, reads and answers over time, without gaps; days are in the company's zone.

    By minutes if they took up to three hours, by hours up to five days, else by days.
    """
    recipients = CampaignRecipient.objects.filter(campaign=campaign).order_by()
    # Count by minutes first: one pass per column also tells the duration, which decides the unit.
    minutes: dict[str, dict[datetime, int]] = {}
    for name, column in COLUMNS.items():
        rows = recipients.filter(**{f"{column}__isnull": False})
        by_minute = rows.annotate(at=Trunc(column, "minute", tzinfo=UTC)).values_list("at")
        minutes[name] = dict(by_minute.annotate(Count("pk")))
    latest = max((at for found in minutes.values() for at in found), default=None)
    if latest is None or campaign.started_at is None:
        return "minute", []
    lasted = latest - campaign.started_at
    unit: Unit = "day"
    if lasted <= BY_HOURS:
        unit = "minute" if lasted <= BY_MINUTES else "hour"
    zone = zone_of(campaign.company_id)
    counts: dict[datetime, dict[str, int]] = {}
    for name, found in minutes.items():
        for at, count in found.items():
            step = counts.setdefault(_begin_of(at, unit, zone), {})
            step[name] = step.get(name, 0) + count
    steps = _steps(min(counts), max(counts), unit, zone)
    return unit, [Point(at.astimezone(UTC), **counts.get(at, {})) for at in steps]


def _begin_of(at: datetime, unit: Unit, zone: tzinfo) -> datetime:
    """Return the beginning of the unit that contains a minute; days are in the company's zone."""
    if unit == "minute":
        return at
    if unit == "hour":
        return at.replace(minute=0)
    return datetime.combine(at.astimezone(zone).date(), time.min, zone)


def _steps(first: datetime, last: datetime, unit: Unit, zone: tzinfo) -> Iterator[datetime]:
    if unit == "day":
        day, end = first.astimezone(zone).date(), last.astimezone(zone).date()
        day = max(day, end - timedelta(days=MOST_DAYS - 1))
        while day <= end:
            yield datetime.combine(day, time.min, zone)
            day += timedelta(days=1)
        return
    step = timedelta(minutes=1) if unit == "minute" else timedelta(hours=1)
    for place in range(int((last - first) / step) + 1):
        yield first + place * step


def recipients_of(campaign: Campaign) -> QuerySet[CampaignRecipient]:
    """Return a campaign's recipients in the order of sending, with their messages."""
    recipients = CampaignRecipient.objects.filter(campaign=campaign).order_by("id")
    shown = ("message", "confirmation_message")
    return recipients.select_related(*shown, *(f"{each}__ticket" for each in shown)).only(
        *(each.attname for each in CampaignRecipient._meta.concrete_fields),
        *(f"{each}__ack" for each in shown),
        *(f"{each}__ticket__uuid" for each in shown),
    )


class RecipientFilters(FilterSet):
    """Filters of recipients: a state, a part of name, number or e-mail."""

    searchParam = CharFilter(method="search")
    state = ChoiceFilter(choices=RecipientState.choices)

    def search(
        self, rows: QuerySet[CampaignRecipient], name: str, text: str
    ) -> QuerySet[CampaignRecipient]:
        """Keep those that contain the text, ignoring accents, case and number punctuation."""
        folded = sought_person(text)
        if hides_matches(self.request, folded):
            return rows.none()
        return rows.filter(search_text__contains=folded) if folded else rows
