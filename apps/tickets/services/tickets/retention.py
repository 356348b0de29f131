"""What a company no longer keeps of its conversations (rules/companies §9)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.common.media import is_shared
from apps.companies.services.retention import Amount, Kind, counted
from apps.tickets.models import MediaState, Message, Ticket, TicketActivity, TicketActivityKind


def _old(company_id: int, before: datetime) -> "QuerySet[Message]":
    return Message.objects.for_company(company_id).filter(created_at__lt=before)


def _with_files(company_id: int, before: datetime) -> "QuerySet[Message]":
    return _old(company_id, before).filter(media_state=MediaState.READY)


def _notes(company_id: int, before: datetime) -> "QuerySet[TicketActivity]":
    """Return the activities with a note, which is also what was written along with a change."""
    noted = TicketActivity.objects.filter(detail__has_key="note")
    return noted.filter(ticket__company=company_id, created_at__lt=before)


def _first(rows: "QuerySet[Message]", limit: int) -> list[int]:
    return list(rows.order_by("created_at", "pk").values_list("pk", flat=True)[:limit])


def _locked(ids: Sequence[int]) -> list[Any]:
    # What somebody else changes in this moment is left for the next run: nothing waits.
    rows = Message.objects.filter(pk__in=ids).order_by("pk").select_for_update(skip_locked=True)
    return list(rows.values_list("pk", "media_path", "media_size"))


def _amount(rows: Sequence[Any]) -> Amount:
    # A file that several messages show stays for those that still do.
    own = [(path, size or 0) for _, path, size in rows if path and not is_shared(path)]
    return Amount(len(rows), sum(size for _, size in own), paths=[path for path, _ in own])


def _delete_messages(company_id: int, before: datetime, limit: int) -> Amount:
    found = _first(_old(company_id, before), limit)
    # Lock order: tickets before their messages.
    shown = Ticket.objects.filter(latest_message__in=found).order_by("pk")
    list(shown.select_for_update(no_key=True).values_list("pk", flat=True))
    rows = _locked(found)
    ids = [pk for pk, _, _ in rows]
    # A ticket stays, as a fact that the dashboard counts; its line in lists was the message's text.
    Ticket.objects.filter(latest_message__in=ids).update(last_message="", latest_message=None)
    Message.objects.filter(pk__in=ids).delete()
    return _amount(rows)


def _delete_files(company_id: int, before: datetime, limit: int) -> Amount:
    rows = _locked(_first(_with_files(company_id, before), limit))
    ids = [pk for pk, _, _ in rows]
    Message.objects.filter(pk__in=ids).update(media_state=MediaState.EXPIRED, media_path="")
    return _amount(rows)


def _delete_notes(company_id: int, before: datetime, limit: int) -> Amount:
    # In no order: the oldest are other companies' rows, which would be read each time.
    found = _notes(company_id, before).order_by().values_list("pk", flat=True)[:limit]
    rows = TicketActivity.objects.filter(pk__in=list(found)).order_by("pk")
    notes = list(rows.select_for_update(skip_locked=True))
    TicketActivity.objects.filter(pk__in=[each.pk for each in notes if _is_note(each)]).delete()
    lines = [each for each in notes if not _is_note(each)]
    for line in lines:
        # The change that it tells of stays.
        del line.detail["note"]
    TicketActivity.objects.bulk_update(lines, ["detail"])
    return Amount(len(notes))


def _is_note(activity: TicketActivity) -> bool:
    return activity.kind == TicketActivityKind.NOTED


MESSAGES = Kind(
    lambda company_id, before: counted(_old(company_id, before), "media_size"), _delete_messages
)
NOTES = Kind(lambda company_id, before: counted(_notes(company_id, before)), _delete_notes)
MEDIA = Kind(
    lambda company_id, before: counted(_with_files(company_id, before), "media_size"),
    _delete_files,
)
