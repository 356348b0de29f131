"""Whose conversations and whose days somebody may report on (rules/reports §7)."""

from dataclasses import dataclass

from django.db.models import Q

from apps.accounts.models import User


@dataclass(frozen=True)
class Reach:
    """Conditions that narrow a company's rows: of cycles, and of users."""

    cycles: Q
    people: Q


def reach_of(user: User) -> Reach:
    """Return whose conversations the user may report on, and which people's days.

    Every report begins here. Only admins come so far (config/access.py): all of their company's.
    """
    return Reach(cycles=Q(company=user.company_id), people=Q(company=user.company_id))
