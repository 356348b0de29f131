"""What becomes of schedules when a contact goes; called in the transaction of the departure."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from apps.common.media import delete_media
from apps.contacts.models import Contact
from apps.contacts.services import Merged
from apps.schedules import events
from apps.schedules.models import Schedule


def forget_schedules_of(contact: Contact) -> None:
    """Take a deleted contact's schedules out of every calendar, with their files."""
    gone = list(Schedule.objects.for_company(contact.company_id).filter(contact=contact))
    paths = [each.media_path for each in gone if each.media_path and not each.is_media_shared]
    Schedule.objects.filter(pk__in=[each.pk for each in gone]).delete()
    for schedule in gone:
        events.schedule_deleted(company_id=contact.company_id, schedule_id=schedule.pk)
    for path in paths:
        transaction.on_commit(partial(delete_media, path), robust=True)


def move_schedules(merged: Merged) -> None:
    """Plan for the contact that stays what was planned for the one that goes."""
    ids = list(Schedule.objects.filter(contact=merged.gone).values_list("pk", flat=True))
    merged.move(Schedule, "contact")
    _tell_of(ids)


def return_schedules(merged: Merged) -> None:
    """Plan again for who is another contact after all."""
    merged.move_back(Schedule, "contact")
    _tell_of(merged.moved(Schedule, "contact"))


def _tell_of(ids: Sequence[int]) -> None:
    for schedule in Schedule.objects.filter(pk__in=ids).select_related("contact", "user"):
        events.schedule_updated(schedule)
