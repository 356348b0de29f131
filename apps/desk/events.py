"""Realtime events of the desk."""

from rest_framework import serializers

from apps.accounts.permissions import Permission
from apps.common.serializers import row_of
from apps.desk.decisions.sla import Clock
from apps.desk.models import Macro, Rehearsal, Rule, RuleRun, Seat, SlaTells, Tells
from apps.desk.serializers.presence import PresenceSerializer
from apps.desk.serializers.rehearsals import RehearsalSerializer
from apps.desk.serializers.rules import MacroSerializer, RuleRunSerializer, RuleSerializer
from apps.desk.serializers.sla import KINDS
from apps.realtime.emit import LiveEvent, emit
from apps.realtime.rooms import user_room
from apps.tickets.models import Ticket
from apps.tickets.rooms import ALL, notification_room, notification_rooms, ticket_rooms
from apps.tickets.serializers import ticket_row
from apps.tickets.serializers.tickets import TicketSerializer

PRESENCE = LiveEvent("presence", update={"presence": PresenceSerializer()})
ALERT = LiveEvent(
    "assignmentAlert", update={"ticket": TicketSerializer(), "returns": serializers.IntegerField()}
)


DEADLINE = LiveEvent(
    "ticketDeadline",
    update={
        "ticketId": serializers.IntegerField(),
        "slaDueAt": serializers.DateTimeField(allow_null=True),
        "slaWarnsAt": serializers.DateTimeField(allow_null=True),
    },
)
NEAR = LiveEvent(
    "slaAlert",
    update={
        "ticket": TicketSerializer(),
        "kind": serializers.ChoiceField(choices=KINDS),
        "dueAt": serializers.DateTimeField(),
        "missed": serializers.BooleanField(),
    },
)
RULE = LiveEvent(
    "rule",
    needs=Permission.RULES,
    update={"rule": RuleSerializer()},
    delete={"ruleId": serializers.IntegerField()},
    # A run was refused, and nothing of it was done.
    stopped={"run": RuleRunSerializer()},
)
MACRO = LiveEvent(
    "macro",
    update={"macro": MacroSerializer()},
    delete={"macroId": serializers.IntegerField()},
)
RULE_TELLS = LiveEvent(
    "ruleAlert",
    update={
        "ticket": TicketSerializer(),
        "name": serializers.CharField(allow_blank=True),
        "text": serializers.CharField(allow_blank=True),
    },
)


REHEARSAL = LiveEvent("rehearsal", update={"rehearsal": RehearsalSerializer()})


def presence_changed(seat: Seat) -> None:
    """Tell the company how somebody is present now."""
    row = row_of(PresenceSerializer, seat)
    emit(PRESENCE, "update", {"presence": row}, company_id=seat.company_id)


def supervisors_wanted(ticket: Ticket, returns: int) -> None:
    """Tell the supervisors of a ticket that nobody has answered; it waits for a hand."""
    payload = {"ticket": ticket_row(ticket), "returns": returns}
    rooms = [notification_room(ticket.company_id, ALL)]
    emit(ALERT, "update", payload, company_id=ticket.company_id, rooms=rooms)


def deadline_changed(ticket: Ticket) -> None:
    """Tell those who may read a ticket that another deadline of it is the nearest now."""
    payload = {
        "ticketId": ticket.pk,
        "slaDueAt": ticket.sla_due_at,
        "slaWarnsAt": ticket.sla_warns_at,
    }
    emit(DEADLINE, "update", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def deadline_near(ticket: Ticket, clock: Clock, tells: str) -> None:
    """Tell the holder, or those for whom the ticket waits, or the supervisors, of a deadline."""
    rooms = _rooms_of(ticket, to_supervisors=tells == SlaTells.SUPERVISORS)
    payload = {
        "ticket": ticket_row(ticket),
        "kind": clock.kind,
        "dueAt": clock.due_at,
        "missed": clock.missed_at is not None,
    }
    emit(NEAR, "update", payload, company_id=ticket.company_id, rooms=rooms)


def _rooms_of(ticket: Ticket, *, to_supervisors: bool) -> list[str]:
    """Return the rooms of the supervisors, or of the holder, or of those for whom it waits."""
    if to_supervisors:
        return [notification_room(ticket.company_id, ALL)]
    if ticket.user_id is not None:
        return [user_room(ticket.user_id)]
    return notification_rooms(ticket)


def rule_saved(rule: Rule) -> None:
    """Tell those who change rules of a rule as it is now."""
    emit(RULE, "update", {"rule": row_of(RuleSerializer, rule)}, company_id=rule.company_id)


def rule_deleted(company_id: int, rule_id: int) -> None:
    emit(RULE, "delete", {"ruleId": rule_id}, company_id=company_id)


def rule_stopped(run: RuleRun) -> None:
    """Tell those who change rules that a run was refused, and why."""
    emit(RULE, "stopped", {"run": row_of(RuleRunSerializer, run)}, company_id=run.company_id)


def rule_tells(ticket: Ticket, *, name: str, text: str, tells: str) -> None:
    """Tell whom a rule or a macro tells of a ticket."""
    payload = {"ticket": ticket_row(ticket), "name": name, "text": text}
    rooms = _rooms_of(ticket, to_supervisors=tells == Tells.SUPERVISORS)
    emit(RULE_TELLS, "update", payload, company_id=ticket.company_id, rooms=rooms)


def macro_saved(macro: Macro) -> None:
    """Tell who may run a macro: its user, or the company."""
    payload = {"macro": row_of(MacroSerializer, macro)}
    rooms = [user_room(macro.user_id)] if macro.user_id is not None else None
    emit(MACRO, "update", payload, company_id=macro.company_id, rooms=rooms)


def macro_deleted(macro: Macro, macro_id: int) -> None:
    rooms = [user_room(macro.user_id)] if macro.user_id is not None else None
    emit(MACRO, "delete", {"macroId": macro_id}, company_id=macro.company_id, rooms=rooms)


def rehearsal_changed(rehearsal: Rehearsal) -> None:
    """Tell the supervisors how far a rehearsal is."""
    payload = {"rehearsal": row_of(RehearsalSerializer, rehearsal)}
    rooms = [notification_room(rehearsal.company_id, ALL)]
    emit(REHEARSAL, "update", payload, company_id=rehearsal.company_id, rooms=rooms)
