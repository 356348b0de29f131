"""Reads for rules: what holds in a company, and tickets as decisions see them (rules/desk §13)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from apps.connections.capabilities import capabilities_of_kind
from apps.contacts.models import ContactField, Tag
from apps.desk.decisions.rule_forms import actions_of, rule_of
from apps.desk.decisions.rules import RUNS_WITHIN, TIMES, Action, Do, Rule, Snapshot, When
from apps.desk.models import Macro, RuleRun, RuleTicket, SlaClock
from apps.desk.models import Rule as RuleRow
from apps.desk.queries.sla import Calendars, waits_for_us
from apps.tickets.models import Message, Ticket, TicketStatus, TicketTag
from apps.tickets.owners import is_led_elsewhere
from apps.tickets.queries.inbox import WINDOW
from apps.tickets.services.window import latest_inbound_at

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
    ids = {each.get("id") for actions in lists for each in actions if each["do"] in _OF_TAGS}
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


def snapshot_for_moments(ticket: Ticket, row: RuleTicket | None, rules: Iterable[Rule]) -> Snapshot:
    """Return what the moments of rules go by; it reads only what these rules look at."""
    wanted = {rule.trigger.when for rule in rules} & TIMES
    has_hours = any(rule.trigger.in_hours for rule in rules) or When.SLA_STEP in wanted
    clocks = SlaClock.objects.filter(ticket=ticket, ended_at=None) if wanted else ()
    runs = RuleRun.objects.filter(ticket=ticket, refusal="") if wanted else RuleRun.objects.none()
    done = runs.exclude(anchor="").exclude(rule=None).values_list("rule_id", "anchor")
    return Snapshot(
        id=ticket.pk,
        status=ticket.status,
        is_led=is_led(ticket),
        is_snoozed=ticket.snoozed_at is not None,
        opened_at=ticket.queued_at,
        contact_word_at=ticket.last_inbound_at,
        our_word_at=row.our_word_at if row else None,
        unanswered_since=row.unanswered_since if row else None,
        window_closes_at=window_end(ticket) if When.WINDOW_CLOSES in wanted else None,
        clocks=[each.value for each in clocks] if When.SLA_STEP in wanted else (),
        calendar=Calendars().of(ticket) if has_hours else Snapshot(0).calendar,
        seen_until=row.seen_until if row else None,
        done=frozenset((rule_id or 0, anchor) for rule_id, anchor in done)
        if wanted
        else frozenset(),
    )


def read_snapshot(ticket: Ticket, row: RuleTicket | None, now: datetime | None = None) -> Snapshot:
    """Return a ticket with all that rules look at."""
    now = now or timezone.now()
    tags = tags_of([ticket.pk]).get(ticket.pk, NO_TAGS)
    contact = ticket.contact
    fields = ContactField.objects.filter(contact=contact).order_by("pk")
    clocks = SlaClock.objects.filter(ticket=ticket, ended_at=None).order_by("pk")
    runs = RuleRun.objects.filter(ticket=ticket, refusal="").exclude(rule=None)
    recent = runs.filter(at__gt=now - RUNS_WITHIN).order_by("pk").values_list("rule_id", "at")
    done = runs.exclude(anchor="").values_list("rule_id", "anchor")
    return Snapshot(
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
        window_closes_at=window_end(ticket),
        clocks=[each.value for each in clocks],
        calendar=Calendars().of(ticket),
        runs=[(rule_id or 0, at) for rule_id, at in recent],
        seen_until=row.seen_until if row else None,
        done=frozenset((rule_id or 0, anchor) for rule_id, anchor in done),
    )


def window_end(ticket: Ticket) -> datetime | None:
    """Return when free text may be sent no more; None where the number has no 24 hours.

    A contact who has never written has a window that is over.
    """
    connection = ticket.connection
    if connection is None or not capabilities_of_kind(connection.provider).session_window:
        return None
    latest = latest_inbound_at(
        company_id=ticket.company_id,
        contact_id=ticket.contact_id,
        connection_id=connection.pk,
    )
    return latest + WINDOW if latest else ticket.created_at


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
