"""The distribution's rules, people, tickets and moments, and the times for answers."""

from apps.desk.models.assignments import Assignment, AssignmentLog, Turn
from apps.desk.models.policies import AssignmentPolicy
from apps.desk.models.seats import PauseReason, PresencePeriod, Seat
from apps.desk.models.sla import SlaAction, SlaClock, SlaFiring, SlaPolicy, SlaStep, SlaTells
from apps.desk.models.ticks import Tick, TickKind

__all__ = [
    "Assignment",
    "AssignmentLog",
    "AssignmentPolicy",
    "PauseReason",
    "PresencePeriod",
    "Seat",
    "SlaAction",
    "SlaClock",
    "SlaFiring",
    "SlaPolicy",
    "SlaStep",
    "SlaTells",
    "Tick",
    "TickKind",
    "Turn",
]
