"""Finds which service messages of a month are free by the allowance (rules/costs §3)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection as database

from apps.common.bulk import update_rows
from apps.costs.models import COUNTS, CostMeter, MessageCost

# A statement has at most so many parts.
AT_ONCE = 100


class Place(NamedTuple):
    """The place of a message that counts: which are free is a matter of this order."""

    meter_id: int
    delivered_at: datetime
    message_id: int


def set_free(meters: Iterable[CostMeter], places: Iterable[Place]) -> None:
    """Set up to which message the locked meters are free, after rows at `places` came or went.

    What is behind the last free message changes nothing.
    """
    moved: dict[int, list[Place]] = {}
    for place in places:
        moved.setdefault(place.meter_id, []).append(place)
    find_free(
        [each for each in meters if any(_may_be_free(each, it) for it in moved.get(each.pk, ()))]
    )


def _may_be_free(meter: CostMeter, place: Place) -> bool:
    if not meter.allowance:
        return False
    if meter.free_until_at is None or meter.free_until_id is None:
        return True
    return place[1:] <= (meter.free_until_at, meter.free_until_id)


def find_free(meters: list[CostMeter]) -> None:
    """Set up to which message the locked meters are free."""
    for start in range(0, len(meters), AT_ONCE):
        part = meters[start : start + AT_ONCE]
        ends = _ends_of([each for each in part if each.allowance])
        moved = []
        for meter in part:
            end = ends.get(meter.pk, (None, None))
            if end != (meter.free_until_at, meter.free_until_id):
                meter.free_until_at, meter.free_until_id = end
                moved.append(meter)
        update_rows(moved, ("free_until_at", "free_until_id"))


def _ends_of(meters: list[CostMeter]) -> dict[int, tuple[datetime, int]]:
    """Return time and id of the last free message of each meter that has so many."""
    if not meters:
        return {}
    parts: list[str] = []
    values: list[Any] = []
    for meter in meters:
        allowance = meter.allowance or 0
        last = (
            MessageCost.objects.filter(COUNTS, meter=meter.pk)
            .order_by("delivered_at", "message_id")
            .values_list("message_id")[allowance - 1 : allowance]
        )
        statement, given = last.query.sql_with_params()
        parts.append(f"SELECT * FROM ({statement}) AS part")  # noqa: S608  Django's own text
        values += given
    with database.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), values)
        ids = [message_id for (message_id,) in cursor.fetchall()]
    if not ids:
        return {}
    rows = MessageCost.objects.filter(message_id__in=ids)
    ends = rows.values_list("meter_id", "delivered_at", "message_id")
    return {meter_id: (at, message_id) for meter_id, at, message_id in ends}
