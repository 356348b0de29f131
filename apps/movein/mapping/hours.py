"""Working hours of both lines of forks as ours (rules/hours §2)."""

import re
from itertools import pairwise
from typing import Any

from apps.companies.models import default_schedules
from apps.movein.mapping.values import Remarks, parsed, text

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LUNCH = "lunchTime"
CLOSED = ("00:00", "00:00")


def schedules_of(value: Any, remarks: Remarks) -> list[dict[str, str]]:
    """Return the rows of seven days and lunch; without hours in theirs it is always open."""
    told = parsed(value)
    hours: dict[str, tuple[str, str]] = {}
    if isinstance(told, list):
        for row in told:
            if isinstance(row, dict):
                start, end = _time(row.get("startTime")), _time(row.get("endTime"))
                hours[text(row.get("weekdayEn"))] = (start, end) if start and end else ("", "")
    elif isinstance(told, dict) and told.get("weeklyRules"):
        hours = _by_rules(told, remarks)
    rows = default_schedules()
    for row in rows:
        row["startTime"], row["endTime"] = hours.get(row["weekdayEn"], ("", ""))
    return rows


def zone_of(value: Any) -> str:
    """Return the time zone that the hours are in, where they name one."""
    told = parsed(value)
    return text(told.get("timezone")) if isinstance(told, dict) else ""


def _by_rules(told: dict[str, Any], remarks: Remarks) -> dict[str, tuple[str, str]]:
    ranges: dict[str, list[tuple[str, str]]] = {day: [] for day in _DAYS}
    for rule in told["weeklyRules"]:
        if not isinstance(rule, dict):
            continue
        spans = [
            (_time(each.get("from")), _time(each.get("to")))
            for each in rule.get("hours") or []
            if isinstance(each, dict)
        ]
        for day in _DAYS:
            if day[:3] in (rule.get("days") or []):
                ranges[day] += [span for span in spans if all(span)]
    hours: dict[str, tuple[str, str]] = {}
    breaks: set[tuple[str, str]] = set()
    for day, spans in ranges.items():
        spans.sort()
        hours[day] = (spans[0][0], spans[-1][1]) if spans else CLOSED
        breaks |= {(first[1], then[0]) for first, then in pairwise(spans)}
    if len(breaks) == 1:
        hours[LUNCH] = breaks.pop()
    if breaks or told.get("overrides"):
        remarks.add("hours_simplified")
    return hours


def _time(value: Any) -> str:
    found = _TIME.match(text(value).strip())
    return f"{int(found[1]):02}:{found[2]}" if found else ""
