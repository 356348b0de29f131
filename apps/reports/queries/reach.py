"""Whose conversations and whose days somebody may report on (rules/reports §7)."""

from dataclasses import dataclass

from django.db.models import Q

from apps.accounts.models import User, UserQueue
from apps.accounts.permissions import Permission


@dataclass(frozen=True)
class Reach:
    """Conditions that narrow a company's rows: of cycles, and of users."""

    cycles: Q
    people: Q


def reach_of(user: User) -> Reach:
    """Return whose conversations the user may report on, and which people's days.

    Every report begins here: with `reports:all` all of their company's, with `reports:queue` the
    own ones and those of the own queues and their people, otherwise the own ones.
    """
    if user.may(Permission.REPORTS):
        return Reach(cycles=Q(company=user.company_id), people=Q(company=user.company_id))
    cycles, people = Q(user=user.pk), Q(pk=user.pk)
    if user.may(Permission.QUEUE_REPORTS):
        queues = UserQueue.objects.filter(user=user.pk).values("queue_id")
        # Until it is resolved a conversation counts for the queue of its ticket.
        cycles |= Q(finished_at__isnull=False, queue__in=queues)
        cycles |= Q(finished_at__isnull=True, ticket__queue__in=queues)
        people |= Q(pk__in=UserQueue.objects.filter(queue__in=queues).values("user_id"))
    of_company = Q(company=user.company_id)
    return Reach(cycles=of_company & cycles, people=of_company & people)
