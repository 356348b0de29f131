from datetime import datetime

from django.db.models import Q
from django.db.models.functions import Left

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.common.masking import is_part_of_number
from apps.common.search import sought
from apps.costs.queries.origins import Named
from apps.schedules.models import Schedule, ScheduleQuerySet
from apps.tickets.queries.access import contacts_for

NAME_LENGTH = 60


def schedules_for(user: User) -> ScheduleQuerySet:
    """Return the schedules that a user may see: those of the contacts that the user may choose."""
    found = Schedule.objects.for_company(user.company_id).select_related("contact", "user")
    if user.may(Permission.SEE_CONTACTS):
        return found
    return found.filter(contact__in=contacts_for(user))


def found_schedules(
    user: User,
    *,
    search: str = "",
    contact_id: int | None = None,
    status: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    newest_first: bool = False,
) -> ScheduleQuerySet:
    """Return the user's schedules by their time, `start` included and `end` not.

    `search` is a part of the text, or of the contact's name or number; accents and case do not
    matter.
    """
    found = schedules_for(user)
    if folded := sought(search):
        matching = Q(search_text__contains=folded)
        # Nobody finds out a hidden number digit by digit.
        if user.sees_full_numbers or not is_part_of_number(folded):
            matching |= Q(contact__search_text__contains=folded)
        found = found.filter(matching)
    if contact_id is not None:
        found = found.filter(contact_id=contact_id)
    if status:
        found = found.filter(status=status)
    if start is not None:
        found = found.filter(send_at__gte=start)
    if end is not None:
        found = found.filter(send_at__lt=end)
    return found.order_by("-send_at", "-id") if newest_first else found.order_by("send_at", "id")


def names_of_schedules(company_id: int, ids: set[int]) -> dict[int, Named]:
    """Return the beginnings of a company's planned texts, for what they cost."""
    rows = (
        Schedule.objects.for_company(company_id)
        .filter(pk__in=ids)
        .annotate(begins=Left("body", NAME_LENGTH))
    )
    return {pk: Named(begins) for pk, begins in rows.values_list("pk", "begins")}
