"""The distribution's rules, people, tickets and moments, the times for answers, rules, and what was
tried.
"""

from apps.desk.models.assignments import Assignment, AssignmentLog, Turn
from apps.desk.models.policies import AssignmentPolicy
from apps.desk.models.rehearsals import Rehearsal, Subject
from apps.desk.models.rules import Macro, Rule, RuleRun, RuleTicket, Tells
from apps.desk.models.seats import PauseReason, PresencePeriod, Seat
from apps.desk.models.sla import SlaAction, SlaClock, SlaFiring, SlaPolicy, SlaStep, SlaTells
from apps.desk.models.ticks import OF_DISTRIBUTION, RuleTick, RuleTickKind, Tick, TickKind

__all__ = [
    "OF_DISTRIBUTION",
    "Assignment",
    "AssignmentLog",
    "AssignmentPolicy",
    "Macro",
    "PauseReason",
    "PresencePeriod",
    "Rehearsal",
    "Rule",
    "RuleRun",
    "RuleTick",
    "RuleTickKind",
    "RuleTicket",
    "Seat",
    "SlaAction",
    "SlaClock",
    "SlaFiring",
    "SlaPolicy",
    "SlaStep",
    "SlaTells",
    "Subject",
    "Tells",
    "Tick",
    "TickKind",
    "Turn",
]
