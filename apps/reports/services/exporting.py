"""The reports as files, streamed, with the rows of the calls (rules/reports §6)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.csv_files import csv_head, csv_rows, plain_cell
from apps.common.masking import masked
from apps.common.serializers import RowSerializer, rows_of
from apps.common.workbooks import StreamedValue, stream_workbook
from apps.reports.queries.activity import ActivityAsked, activity_of
from apps.reports.queries.asked import Asked
from apps.reports.queries.conversations import CHUNK, conversations_of
from apps.reports.serializers import (
    PersonDaySerializer,
    ReportedConversationSerializer,
    columns_of,
)
from apps.reports.services.heads import heads_in

# Ids say nothing in a sheet; costs are split.
_IDS = ("id", "ticketId", "uuid", "contactId", "connectionId", "queueId", "userId")
CONVERSATION_COLUMNS = columns_of(ReportedConversationSerializer, (*_IDS, "costs"))
ACTIVITY_COLUMNS = columns_of(PersonDaySerializer, _IDS)
COSTS = ("cost", "currency")

Cells = Iterator[list[StreamedValue]]


def export_conversations(
    *, actor: User, asked: Asked, kind: str, language: str, ip_address: str | None = None
) -> Iterator[bytes]:
    """Return, in parts, a file of all asked conversations, the latest first.

    `kind` is csv or xlsx. Without `contacts:fullNumber` numbers are masked. The export is audited
    at the call.
    """
    _record("reports.conversations_exported", actor, asked, ip_address)
    words = heads_in(language)
    rows = _rows(ReportedConversationSerializer, conversations_of(asked))
    if not actor.sees_full_numbers:
        rows = map(masked, rows)
    zone = asked.span.zone
    cells = (
        [*(_cell(name, row[name], words, zone) for name in CONVERSATION_COLUMNS), *_costs(row)]
        for row in rows
    )
    heads = [_head(name, words, asked) for name in (*CONVERSATION_COLUMNS, *COSTS)]
    return _file(kind, words["conversations"], heads, cells)


def export_activity(
    *,
    actor: User,
    asked: ActivityAsked,
    kind: str,
    language: str,
    now: datetime,
    ip_address: str | None = None,
) -> Iterator[bytes]:
    """Return, in parts, a file of people's days; as `export_conversations`."""
    _record("reports.activity_exported", actor, asked, ip_address)
    words = heads_in(language)
    rows = _rows(PersonDaySerializer, activity_of(asked, now))
    zone = asked.span.zone
    cells = ([_cell(name, row[name], words, zone) for name in ACTIVITY_COLUMNS] for row in rows)
    return _file(kind, words["activity"], [words[name] for name in ACTIVITY_COLUMNS], cells)


def _record(action: str, actor: User, asked: Asked | ActivityAsked, ip_address: str | None) -> None:
    record(
        action=action,
        actor=actor,
        company_id=asked.company_id,
        detail={"first": str(asked.span.first), "last": str(asked.span.last)},
        ip_address=ip_address,
    )


def _rows(serializer: type[RowSerializer], records: Iterable[Any]) -> Iterator[dict[str, Any]]:
    left = iter(records)
    while part := list(islice(left, CHUNK)):
        yield from rows_of(serializer, part)


def _cell(name: str, value: Any, words: Mapping[str, str], zone: ZoneInfo) -> StreamedValue:
    """Return a field as a sheet shows it: moments on the zone's clock, seconds as a span."""
    if name == "date":
        return date.fromisoformat(value)
    if name == "state":
        return words[value]
    if name == "pauses":
        return "; ".join(
            f"{each['reason'] or words['noReason']} {timedelta(seconds=each['seconds'])}"
            for each in value
        )
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, datetime):
        return value.astimezone(zone).replace(tzinfo=None)
    if isinstance(value, int) and name.endswith("Seconds"):
        return timedelta(seconds=value)
    found: StreamedValue = value
    return found


def _head(name: str, words: Mapping[str, str], asked: Asked) -> str:
    """Return the head of a column; that of a time says so if working hours alone are counted."""
    is_counted = asked.by_hours and name.endswith("Seconds")
    return f"{words[name]} ({words['openTime']})" if is_counted else words[name]


def _costs(row: Mapping[str, Any]) -> tuple[StreamedValue, str]:
    """Return the amount and its currency; several ones in one cell, since they have no sum."""
    amounts = row["costs"]
    if not amounts:
        return None, ""
    if len(amounts) == 1:
        return Decimal(amounts[0]["amount"]), amounts[0]["currency"]
    return (
        " + ".join(each["amount"] for each in amounts),
        " + ".join(each["currency"] for each in amounts),
    )


def _file(kind: str, title: str, heads: list[str], cells: Cells) -> Iterator[bytes]:
    if kind == "xlsx":
        return stream_workbook(title, [head.capitalize() for head in heads], cells)
    return _lines(heads, cells)


def _lines(heads: list[str], cells: Cells) -> Iterator[bytes]:
    yield csv_head(heads)
    while part := list(islice(cells, CHUNK)):
        yield csv_rows([_text(cell) for cell in row] for row in part)


def _hours(span: timedelta) -> str:
    """Return a span as spreadsheets read it: hours, also beyond a day, minutes, seconds."""
    minutes, seconds = divmod(int(span.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}"


_TEXTS: dict[type, Callable[[Any], object]] = {
    str: plain_cell,
    date: lambda day: f"{day:%d/%m/%Y}",
    datetime: lambda moment: f"{moment:%d/%m/%Y %H:%M:%S}",
    timedelta: _hours,
    type(None): lambda _: "",
}


def _text(cell: StreamedValue) -> object:
    text_of = _TEXTS.get(type(cell))
    return cell if text_of is None else text_of(cell)
