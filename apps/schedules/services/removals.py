"""What happens to schedules when a contact is deleted, merged or separated again.

The hooks that call these functions run in the same transaction.
"""

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from apps.common.media import delete_media
from apps.contacts.models import Contact
from apps.contacts.services import Merged
from apps.schedules import events
from apps.schedules.models import Schedule


def forget_schedules_of(contact: Contact) -> None:
    """Delete a contact's schedules with their files and emit the deletions."""
    gone = list(Schedule.objects.for_company(contact.company_id).filter(contact=contact))
    paths = [each.media_path for each in gone if each.media_path and not each.is_media_shared]
    Schedule.objects.filter(pk__in=[each.pk for each in gone]).delete()
    for schedule in gone:
        events.schedule_deleted(company_id=contact.company_id, schedule_id=schedule.pk)
    for path in paths:
        transaction.on_commit(partial(delete_media, path), robust=True)


def move_schedules(merged: Merged) -> None:
    """Move the schedules of the merged contact to the one that stays."""
    ids = list(Schedule.objects.filter(contact=merged.gone).values_list("pk", flat=True))
    merged.move(Schedule, "contact")
    _tell_of(ids)


def return_schedules(merged: Merged) -> None:
    """Move schedules back to the contact that is separated again."""
    merged.move_back(Schedule, "contact")
    _tell_of(merged.moved(Schedule, "contact"))


def _tell_of(ids: Sequence[int]) -> None:
    for schedule in Schedule.objects.filter(pk__in=ids).select_related("contact", "user"):
        events.schedule_updated(schedule)
