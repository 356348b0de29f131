"""Takes in all tickets of a company, in parts, when other times or hours hold (rules/desk §9)."""

from django.utils import timezone

from apps.common.bulk import update_rows
from apps.desk import events
from apps.desk.models import SlaClock, Tick, TickKind
from apps.desk.queries.sla import live_tickets, open_tickets
from apps.desk.services import ticks
from apps.desk.services.known import SLA, known
from apps.desk.services.parts import PART, take_in_part
from apps.desk.services.sla.following import Follower, count_anew
from apps.tickets.models import Ticket


def note_hours(company_id: int) -> None:
    """Have the open clocks of a company counted anew, if it has any."""
    if known.is_on(company_id, SLA):
        ticks.plan(TickKind.SLA_HOURS, timezone.now(), company_id=company_id)


def take_in_hours(tick: Tick, after: int) -> int | None:
    """Count a part of a company's open clocks by the hours of now."""
    if not known.is_on(tick.company_id, SLA):
        return None
    return take_in_part(open_tickets(tick.company_id, after, PART), count_anew)


def take_in_times(tick: Tick, after: int) -> int | None:
    """Give a part of a company's tickets the clocks of its times of now, or none while it has them
    off.
    """
    if known.is_on(tick.company_id, SLA):
        # A ticket of a company without times keeps no clock.
        return take_in_part(live_tickets(tick.company_id, after, PART), _follow)
    return take_in_part(open_tickets(tick.company_id, after, PART), _forget)


def _follow(tickets: list[Ticket]) -> None:
    Follower(tickets, plans=True).run()


def _forget(tickets: list[Ticket]) -> None:
    now = timezone.now()
    ids = [ticket.pk for ticket in tickets]
    SlaClock.objects.filter(ticket__in=ids, ended_at=None).update(ended_at=now, paused_at=None)
    Tick.objects.filter(key__in=[ticks.key_of(TickKind.SLA, pk) for pk in ids]).delete()
    shown = [ticket for ticket in tickets if ticket.sla_due_at is not None]
    for ticket in shown:
        ticket.sla_due_at = ticket.sla_warns_at = None
    update_rows(shown, ["sla_due_at", "sla_warns_at"])
    for ticket in shown:
        events.deadline_changed(ticket)
