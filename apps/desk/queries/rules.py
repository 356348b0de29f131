"""Reads for rules: what holds in a company, and tickets as decisions see them (rules/desk §13)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Max, Q
from django.utils import timezone

from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection
from apps.contacts.models import ContactField, Tag
from apps.desk.decisions.rule_forms import actions_of, rule_of
from apps.desk.decisions.rules import (
    RUNS_WITHIN,
    TIMES,
    Action,
    Do,
    Rule,
    Snapshot,
    When,
    moments,
)
from apps.desk.decisions.sla import Clock
from apps.desk.models import Macro, RuleRun, RuleTicket, SlaClock
from apps.desk.models import Rule as RuleRow
from apps.desk.queries.sla import Calendars, waits_for_us
from apps.tickets.models import MediaType, Message, Ticket, TicketStatus, TicketTag
from apps.tickets.owners import is_led_elsewhere
from apps.tickets.queries.inbox import WINDOW

LIVE = (TicketStatus.OPEN, TicketStatus.PENDING)
_OF_TAGS = frozenset({Do.ADD_TAG, Do.REMOVE_TAG})


def rules_on(company_id: int) -> list[Rule]:
    """Return the rules of a company that are on, in order."""
    rows = list(RuleRow.objects.for_company(company_id).filter(since__isnull=False))
    lanes = lanes_in(company_id, (each.actions for each in rows))
    return [rule_from(row, lanes) for row in rows]


def rule_from(row: RuleRow, lanes: Collection[int] = ()) -> Rule:
    return rule_of(
        row.pk,
        trigger=row.trigger,
        condition=row.condition,
        actions=row.actions,
        lanes=lanes,
        since=row.since,
    )


def actions_in(macro: Macro) -> list[Action]:
    return actions_of(macro.actions, lanes_in(macro.company_id, [macro.actions]))


def lanes_in(company_id: int, lists: Iterable[Sequence[dict[str, Any]]]) -> set[int]:
    """Return which of the tags that actions set are columns of the board."""
    ids = {each["id"] for actions in lists for each in actions if each["do"] in _OF_TAGS}
    if not ids:
        return set()
    lanes = Tag.objects.for_company(company_id).filter(pk__in=ids, is_kanban=True)
    return set(lanes.values_list("pk", flat=True))


@dataclass(frozen=True)
class Tags:
    """The tags of a ticket, and which of them is its column of the board."""

    ids: frozenset[int] = frozenset()
    lane_id: int | None = None


def tags_of(ticket_ids: Iterable[int]) -> dict[int, Tags]:
    found: defaultdict[int, dict[int, bool]] = defaultdict(dict)
    links = TicketTag.objects.filter(ticket__in=list(ticket_ids))
    for ticket_id, tag_id, is_lane in links.values_list("ticket_id", "tag_id", "tag__is_kanban"):
        found[ticket_id][tag_id] = is_lane
    return {
        ticket_id: Tags(
            frozenset(tags), next((pk for pk, is_lane in tags.items() if is_lane), None)
        )
        for ticket_id, tags in found.items()
    }


NO_TAGS = Tags()


def is_led(ticket: Ticket) -> bool:
    """Tell whether the bot, an integration or another responder leads."""
    by_us = ticket.chatbot or ticket.use_integration or ticket.prompt_id is not None
    return by_us or is_led_elsewhere(ticket)


def words_of(row: RuleTicket, ticket: Ticket) -> None:
    """Have a row know a ticket's latest words, as they are stored."""
    latest = ticket.latest_message
    if latest is not None and latest.from_me:
        row.our_word_at = latest.created_at
    if waits_for_us(ticket):
        theirs = Message.objects.filter(ticket=ticket, from_me=False)
        row.unanswered_since = theirs.order_by("-pk").values_list("created_at", flat=True).first()


def snapshots_for_moments(
    tickets: Sequence[tuple[Ticket, RuleTicket | None]], rules: Sequence[Rule]
) -> list[Snapshot]:
    """Return what the moments of rules go by; it reads only what these rules look at."""
    wanted = {rule.trigger.when for rule in rules} & TIMES
    has_hours = any(rule.trigger.in_hours for rule in rules) or When.SLA_STEP in wanted
    clocks: defaultdict[int, list[Clock]] = defaultdict(list)
    if When.SLA_STEP in wanted:
        ids = [ticket.pk for ticket, _ in tickets]
        for each in SlaClock.objects.filter(ticket__in=ids, ended_at=None).order_by("pk"):
            clocks[each.ticket_id].append(each.value)
    ends = window_ends([each for each, _ in tickets]) if When.WINDOW_CLOSES in wanted else {}
    calendars = Calendars()
    found = [
        Snapshot(
            id=ticket.pk,
            status=ticket.status,
            is_led=is_led(ticket),
            is_snoozed=ticket.snoozed_at is not None,
            opened_at=ticket.queued_at,
            contact_word_at=ticket.last_inbound_at,
            our_word_at=row.our_word_at if row else None,
            unanswered_since=row.unanswered_since if row else None,
            window_closes_at=ends.get(ticket.pk),
            clocks=clocks[ticket.pk],
            calendar=calendars.of(ticket) if has_hours else Snapshot(0).calendar,
            seen_until=row.seen_until if row else None,
        )
        for ticket, row in tickets
    ]
    return _with_done(found, rules)


def _with_done(snapshots: Sequence[Snapshot], rules: Sequence[Rule]) -> list[Snapshot]:
    """Return snapshots that know which of their moments have started a rule before."""
    ahead = {
        each.id: {(it.rule_id, it.anchor) for it in moments(rules, each)} for each in snapshots
    }
    ids = [pk for pk, of_ticket in ahead.items() if of_ticket]
    if not ids:
        return list(snapshots)
    started: defaultdict[int, set[tuple[int, str]]] = defaultdict(set)
    named = {moment for of_ticket in ahead.values() for moment in of_ticket}
    # By the unique index, which has only runs of moments that were not refused.
    runs = RuleRun.objects.filter(
        ~Q(anchor=""),
        refusal="",
        ticket__in=ids,
        rule__in={rule_id for rule_id, _ in named},
        anchor__in={anchor for _, anchor in named},
    )
    for ticket_id, rule_id, anchor in runs.values_list("ticket_id", "rule_id", "anchor"):
        started[ticket_id].add((rule_id or 0, anchor))
    return [replace(each, done=frozenset(started[each.id])) for each in snapshots]


def read_snapshot(
    ticket: Ticket,
    row: RuleTicket | None,
    now: datetime | None = None,
    rules: Sequence[Rule] = (),
) -> Snapshot:
    """Return a ticket with all that rules look at; `rules` are those whose moments matter."""
    now = now or timezone.now()
    tags = tags_of([ticket.pk]).get(ticket.pk, NO_TAGS)
    contact = ticket.contact
    fields = ContactField.objects.filter(contact=contact).order_by("pk")
    clocks = SlaClock.objects.filter(ticket=ticket, ended_at=None).order_by("pk")
    runs = RuleRun.objects.filter(ticket=ticket, refusal="", at__gt=now - RUNS_WITHIN)
    recent = runs.filter(rule__isnull=False).order_by("pk").values_list("rule_id", "at")
    found = Snapshot(
        id=ticket.pk,
        status=ticket.status,
        queue_id=ticket.queue_id,
        user_id=ticket.user_id,
        priority=ticket.priority,
        tags=tags.ids,
        lane_id=tags.lane_id,
        connection_id=ticket.connection_id,
        is_group=ticket.is_group,
        is_led=is_led(ticket),
        is_snoozed=ticket.snoozed_at is not None,
        opened_at=ticket.queued_at,
        contact_name=contact.name,
        contact_number=contact.number,
        contact_email=contact.email,
        contact_fields=dict(fields.values_list("folded_name", "value")),
        contact_word_at=ticket.last_inbound_at,
        our_word_at=row.our_word_at if row else None,
        unanswered_since=row.unanswered_since if row else None,
        window_closes_at=window_ends([ticket])[ticket.pk],
        clocks=[each.value for each in clocks],
        calendar=Calendars().of(ticket),
        runs=[(rule_id or 0, at) for rule_id, at in recent],
        seen_until=row.seen_until if row else None,
    )
    return _with_done([found], rules)[0]


def window_ends(tickets: Sequence[Ticket]) -> dict[int, datetime | None]:
    """Return when free text may be sent no more, by the ids of tickets of one company.

    None where the number has no 24 hours. A contact who has never written has a window that is
    over.
    """
    pairs = {each.pk: (each.contact_id, each.connection_id) for each in tickets}
    numbers = Connection.objects.filter(pk__in={pk for _, pk in pairs.values() if pk is not None})
    windowed = {
        pk
        for pk, provider in numbers.values_list("pk", "provider")
        if capabilities_of_kind(provider).session_window
    }
    spoken = Ticket.objects.filter(
        company__in={each.company_id for each in tickets},
        contact__in={contact_id for contact_id, pk in pairs.values() if pk in windowed},
        connection__in=windowed,
    )
    latest = {
        (contact_id, connection_id): at
        for contact_id, connection_id, at in spoken.order_by()
        .values_list("contact_id", "connection_id")
        .annotate(latest=Max("last_inbound_at"))
    }
    ends: dict[int, datetime | None] = {}
    for ticket in tickets:
        at = latest.get(pairs[ticket.pk])
        is_bound = ticket.connection_id in windowed
        ends[ticket.pk] = (at + WINDOW if at else ticket.created_at) if is_bound else None
    return ends


def media_word(media_type: str) -> str:
    """Return what a message is, for the condition 'media'."""
    words: dict[str, str] = {
        MediaType.IMAGE: "image",
        MediaType.STICKER: "image",
        MediaType.AUDIO: "audio",
        MediaType.VIDEO: "video",
        MediaType.FILE: "file",
        MediaType.CONTACT_CARD: "contact",
        MediaType.LOCATION: "location",
    }
    return words.get(media_type, "text")


def runs_of(
    company_id: int,
    *,
    rule_id: int | None,
    ticket_id: int | None,
    before_id: int | None,
    count: int,
) -> list[RuleRun]:
    """Return what rules and macros have done, the latest first."""
    runs = RuleRun.objects.for_company(company_id).select_related("ticket__contact", "user")
    if rule_id is not None:
        runs = runs.filter(rule=rule_id)
    if ticket_id is not None:
        runs = runs.filter(ticket=ticket_id)
    if before_id is not None:
        runs = runs.filter(pk__lt=before_id)
    return list(runs.order_by("-pk")[:count])
