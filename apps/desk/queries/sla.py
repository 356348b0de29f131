"""Reads for the clocks of tickets (rules/desk §8 and §9)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from zoneinfo import ZoneInfo

from apps.common.hours import Schedules, hours_of
from apps.companies.holidays import days_off_in
from apps.companies.models import Company
from apps.companies.queries import settings_of
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.sla import Policy, Step
from apps.desk.models import SlaClock, SlaPolicy, SlaStep
from apps.queues.models import Queue
from apps.tickets.models import (
    BY_PEOPLE,
    Message,
    MessageSource,
    Ticket,
    TicketStatus,
    TicketTag,
    TrackingCycle,
)


def times_of(company_id: int) -> list[Policy]:
    return [each.rules for each in SlaPolicy.objects.for_company(company_id).order_by("pk")]


def steps_of(policy_ids: Iterable[int]) -> dict[int, list[Step]]:
    steps: defaultdict[int, list[Step]] = defaultdict(list)
    for each in SlaStep.objects.filter(policy__in=set(policy_ids)):
        steps[each.policy_id].append(each.rules)
    return steps


def tags_of(ticket_ids: Iterable[int]) -> dict[int, set[int]]:
    tags: defaultdict[int, set[int]] = defaultdict(set)
    links = TicketTag.objects.filter(ticket__in=list(ticket_ids))
    for ticket_id, tag_id in links.values_list("ticket_id", "tag_id"):
        tags[ticket_id].add(tag_id)
    return tags


def waits_for_us(ticket: Ticket) -> bool:
    """Tell whether a live ticket's contact has a last word that nobody has answered.

    Another responder that led the conversation may have. What bot, campaigns and programs wrote is
    passed over. Of a ticket that a person holds only what was written since it was opened counts:
    who reopened it has read the rest.
    """
    words = Message.objects.filter(ticket=ticket)
    ours = (*BY_PEOPLE, MessageSource.OTHER)
    words = words.filter(from_me=False) | words.filter(from_me=True, source__in=ours)
    # By the index of the conversation: a ticket may have thousands of messages.
    last = words.order_by("-pk").values_list("from_me", "created_at").first()
    if last is None or last[0]:
        return False
    return ticket.status == TicketStatus.PENDING or last[1] >= ticket.queued_at


def has_answered(ticket: Ticket) -> bool:
    """Tell whether a person of ours has answered in the cycle of a live ticket."""
    cycles = TrackingCycle.objects.filter(ticket=ticket, finished_at=None)
    began_at = cycles.values_list("queued_at", flat=True).first()
    if began_at is None:
        return False
    answers = Message.objects.filter(ticket=ticket, from_me=True, source__in=BY_PEOPLE)
    last_at = answers.order_by("-pk").values_list("created_at", flat=True).first()
    return last_at is not None and last_at >= began_at


class Calendars:
    """The calendars of tickets; each company and each queue is read once."""

    def __init__(self) -> None:
        self._settings: dict[int, dict[str, str]] = {}
        self._found: dict[tuple[int, int | None], Calendar] = {}

    def of(self, ticket: Ticket) -> Calendar:
        """Return the hours that apply to a ticket: its queue's before the company's, where the
        company has hours of queues (rules/hours §1).
        """
        return self.of_queue(ticket.company_id, ticket.queue_id)

    def of_queue(self, company_id: int, queue_id: int | None) -> Calendar:
        """Return the hours that apply to the tickets of a queue, or to those of none."""
        if company_id not in self._settings:
            self._settings[company_id] = settings_of(company_id)
        settings = self._settings[company_id]
        kind = settings["scheduleType"]
        key = (company_id, queue_id if kind == "queue" else None)
        if key not in self._found:
            self._found[key] = self._read(company_id, key[1], kind, settings)
        return self._found[key]

    def _read(
        self, company_id: int, queue_id: int | None, kind: str, settings: dict[str, str]
    ) -> Calendar:
        if kind == "disabled":
            return calendar_in(settings, None)
        schedules = None
        if queue_id is not None:
            queues = Queue.objects.for_company(company_id).filter(pk=queue_id)
            schedules = queues.values_list("schedules", flat=True).first()
        if schedules is None:
            companies = Company.objects.filter(pk=company_id)
            [schedules] = companies.values_list("schedules", flat=True)
        return calendar_in(settings, schedules)


def calendar_in(settings: Mapping[str, str], schedules: Schedules | None) -> Calendar:
    """Return working hours as a calendar of a company with these settings; None is always open."""
    zone = ZoneInfo(settings["timeZone"])
    if schedules is None:
        return Calendar(zone)
    return Calendar(zone, hours_of(schedules, days_off_in(settings)))


def open_tickets(company_id: int, after_id: int, count: int) -> list[int]:
    """Return the ids of tickets with open clocks, in order, beyond an id."""
    clocks = SlaClock.objects.for_company(company_id).filter(ended_at=None, ticket__gt=after_id)
    ids = clocks.order_by("ticket_id").values_list("ticket", flat=True).distinct()
    return list(ids[:count])


def live_tickets(company_id: int, after_id: int, count: int) -> list[int]:
    """Return the ids of live tickets, in order, beyond an id."""
    live = Ticket.objects.for_company(company_id).filter(
        pk__gt=after_id, status__in=[TicketStatus.OPEN, TicketStatus.PENDING]
    )
    return list(live.order_by("pk").values_list("pk", flat=True)[:count])
