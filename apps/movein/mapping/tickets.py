"""Tickets of theirs with their passes and ratings, as ours (rules/moving-in §5)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from apps.movein.mapping.values import Remarks, Row, flag, identity, moment, text, times, whole
from apps.tickets.models import TicketStatus
from apps.tickets.models.messages import LONGEST_PREVIEW

BEST_RATE = 3


@dataclass
class Pass:
    """A tracking cycle in the making; `legacy_id` is None for one that theirs lacks."""

    legacy_id: int | None
    fields: dict[str, Any]
    user_id: int | None
    connection_id: int | None
    ratings: list[Row] = field(default_factory=list)


def ticket_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    """Return a ticket's fields; what it refers to is not in them.

    A bot is not in it: where one led the ticket, people go on.
    """
    status = text(row.get("status")).strip().lower()
    if status not in TicketStatus.values:
        if status:
            remarks.add("status_unknown", status)
        status = TicketStatus.CLOSED
    is_live = status != TicketStatus.CLOSED
    if is_live and (flag(row.get("chatbot")) or flag(row.get("useIntegration"))):
        remarks.add("bot_ended", row["id"])
    if status == TicketStatus.OPEN and not row.get("userId"):
        status = TicketStatus.PENDING
    return {
        "uuid": identity(row.get("uuid")),
        "status": status,
        "unread_count": whole(row.get("unreadMessages")) if is_live else 0,
        "last_message": text(row.get("lastMessage"), LONGEST_PREVIEW),
        "is_group": flag(row.get("isGroup")),
        **times(row, now),
    }


def passes_of(
    ticket: dict[str, Any],
    row: Row,
    cycles: Sequence[Row],
    ratings: Sequence[Row],
    remarks: Remarks,
) -> list[Pass]:
    """Return the cycles of a ticket, oldest first, and set its `queued_at` and `closed_at`.

    A live ticket has exactly one unfinished cycle, the last; a closed one has none.
    """
    opened, changed = ticket["created_at"], ticket["updated_at"]
    made = [_pass_of(each, opened) for each in cycles]
    made.sort(key=lambda each: (each.fields["queued_at"], each.legacy_id or 0))
    is_live = ticket["status"] != TicketStatus.CLOSED
    if not made or (is_live and made[-1].fields["finished_at"] is not None):
        queued = max(opened, made[-1].fields["finished_at"]) if made else opened
        fields = {"queued_at": max(queued, changed) if made else queued, "finished_at": None}
        made.append(Pass(None, {**_NEVER, **fields}, row.get("userId"), row.get("whatsappId")))
    for before, after in pairwise(made):
        if before.fields["finished_at"] is None:
            before.fields["finished_at"] = max(
                after.fields["queued_at"], before.fields["started_at"] or after.fields["queued_at"]
            )
            remarks.add("cycle_unfinished", row["id"])
    last = made[-1].fields
    ticket["closed_at"] = None
    if is_live:
        if ticket["status"] == TicketStatus.OPEN:
            last["started_at"] = last["started_at"] or last["queued_at"]
        else:
            last["started_at"] = None
    else:
        least = last["started_at"] or last["queued_at"]
        last["finished_at"] = last["finished_at"] or max(changed, least)
        ticket["closed_at"] = last["finished_at"]
    ticket["queued_at"] = last["queued_at"]
    for rating in ratings:
        _rate(made, rating, remarks)
    return made


_NEVER: dict[str, Any] = {
    "started_at": None,
    "rating_asked_at": None,
    "rate": None,
    "rated_at": None,
}


def _pass_of(row: Row, opened: datetime) -> Pass:
    created = moment(row.get("createdAt")) or opened
    queued = moment(row.get("queuedAt")) or moment(row.get("startedAt")) or created
    started, finished = moment(row.get("startedAt")), moment(row.get("finishedAt"))
    if started is not None and started < queued:
        queued = started
    if finished is not None:
        finished = max(finished, started or queued)
    fields = {
        "queued_at": queued,
        "started_at": started,
        "finished_at": finished,
        "rating_asked_at": moment(row.get("ratingAt")),
        "rate": None,
        "rated_at": None,
    }
    return Pass(row["id"], fields, row.get("userId"), row.get("whatsappId"))


def _rate(made: Sequence[Pass], rating: Row, remarks: Remarks) -> None:
    """Give a rating to the newest cycle that asked for one before it, else to the newest."""
    rated = moment(rating.get("createdAt"))
    if rated is None:
        return
    free = [each for each in made if each.fields["rate"] is None]
    asked = [
        each
        for each in free
        if each.fields["rating_asked_at"] is not None and each.fields["rating_asked_at"] <= rated
    ]
    begun = [each for each in free if each.fields["queued_at"] <= rated]
    if not begun:
        remarks.add("rating_without_cycle", rating["id"])
        return
    chosen = (asked or begun)[-1]
    rate = whole(rating.get("rate"))
    if not 1 <= rate <= BEST_RATE:
        remarks.add("rate_changed", rate)
    chosen.fields |= {"rate": min(max(rate, 1), BEST_RATE), "rated_at": rated}
    chosen.ratings.append(rating)
