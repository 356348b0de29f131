"""Whom a campaign would write to if it started now, counted in the database.

These are the same people, in the same order, as `starting` makes recipients of. Only groups of them
are read, however many people there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection as database
from django.db.models import Case, CharField, F, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone

from apps.campaigns.models import (
    TO_GO,
    Campaign,
    CampaignRecipient,
    ContactListItem,
    OptOut,
    RecipientState,
)
from apps.campaigns.queries.segments import contacts_for
from apps.common.reasons import ReasonCode
from apps.contacts.models import Contact
from apps.contacts.numbers import COUNTRY_DIGITS
from apps.tickets.models import Ticket

# Only estimates have this: it is no outcome of recipients, so `ReasonCode` lacks it.
DUPLICATE = "duplicate"
# Why people are left out; browsers translate these codes.
LEFT_OUT = (
    ReasonCode.OPTED_OUT.value,
    ReasonCode.NOT_REACHABLE.value,
    ReasonCode.NO_NUMBER.value,
    DUPLICATE,
    ReasonCode.WINDOW_CLOSED.value,
)


@dataclass(frozen=True)
class People:
    """A group of people with the same properties.

    `left_out` is the reason why they get nothing, '' for recipients. `is_open`: they wrote to the
    connection within the window; `has_written`: they ever wrote to it. `number` is one of their
    numbers, which all have the same country. `duplicates` counts repeated entries of these people.
    """

    left_out: str
    is_open: bool
    has_written: bool
    number: str
    count: int
    duplicates: int


def audience_of(campaign: Campaign, *, window_since: datetime, needs_window: bool) -> list[People]:
    """Return a campaign's people in groups, in one query.

    After the start these are the recipients who are still to be written to, and those who were
    skipped. With `needs_window`, people who did not write since `window_since` are left out.
    """
    sources = _sources(campaign)
    if not sources:
        return []
    people = " UNION ALL ".join(sql for sql, _ in sources)
    given = [value for _, values in sources for value in values]
    tables = {
        "optouts": OptOut._meta.db_table,
        "tickets": Ticket._meta.db_table,
        "contacts": Contact._meta.db_table,
    }
    wrote = """
        SELECT DISTINCT c.canonical_number AS number
        FROM {tickets} t JOIN {contacts} c ON c.id = t.contact_id
        WHERE t.company_id = %s AND t.connection_id = %s
    """
    # Only table names and texts of this module are formatted in; values are parameters.
    statement = f"""
        WITH people (number, place, id, fault) AS ({people}),
        ranked AS (
            SELECT number, place, id, fault,
                ROW_NUMBER() OVER (PARTITION BY number ORDER BY place, id) AS turn,
                COUNT(*) OVER (PARTITION BY number) - 1 AS duplicates
            FROM people
        ),
        judged AS (
            SELECT r.number, r.duplicates,
                CASE WHEN o.canonical_number IS NOT NULL THEN %s
                    WHEN r.fault <> '' THEN r.fault
                    WHEN w.number IS NULL AND %s = 1 THEN %s
                    ELSE '' END AS fault,
                CASE WHEN w.number IS NULL THEN 0 ELSE 1 END AS is_open,
                CASE WHEN e.number IS NULL THEN 0 ELSE 1 END AS has_written
            FROM ranked r
            LEFT JOIN {{optouts}} o ON o.company_id = %s AND o.canonical_number = r.number
            LEFT JOIN ({wrote} AND t.last_inbound_at > %s) w ON w.number = r.number
            LEFT JOIN ({wrote} AND t.last_inbound_at IS NOT NULL) e ON e.number = r.number
            WHERE r.turn = 1
        )
        SELECT fault, is_open, has_written, MIN(number), COUNT(*), SUM(duplicates)
        FROM judged
        GROUP BY fault, is_open, has_written, SUBSTR(number, 1, {COUNTRY_DIGITS})
    """.format(**tables)  # noqa: S608
    mine = [campaign.company_id, campaign.connection_id or 0]
    judging = [ReasonCode.OPTED_OUT.value, int(needs_window), ReasonCode.WINDOW_CLOSED.value]
    joining = [campaign.company_id, *mine, window_since, *mine]
    parameters = [*given, *judging, *joining]
    with database.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [
            People(fault, bool(is_open), bool(has_written), number, int(count), int(duplicates))
            for fault, is_open, has_written, number, count, duplicates in cursor.fetchall()
        ]


def valid_people(campaign: Campaign) -> int:
    """Return how many people a start now would write to, in one query; skipped ones do not count.

    Whether a window is open is checked when each message is sent, not at the start.
    """
    people = audience_of(campaign, window_since=timezone.now(), needs_window=False)
    return sum(each.count for each in people if not each.left_out)


def _sources(campaign: Campaign) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the SQL of each source of people; of duplicates the first source counts."""
    if campaign.started_at is not None:
        fixed = CampaignRecipient.objects.filter(campaign=campaign)
        fixed = fixed.filter(state__in=(*TO_GO, RecipientState.SKIPPED))
        return _compiled([_columns(fixed, 0, fault=F("reason_code"))])
    rows: list[QuerySet[Any, Any]] = []
    if campaign.contact_list_id is not None:
        listed = ContactListItem.objects.filter(contact_list=campaign.contact_list_id)
        invalid = _fault(Q(is_whatsapp_valid=False), ReasonCode.NOT_REACHABLE)
        rows.append(_columns(listed, 0, fault=invalid))
    for place, contacts in enumerate(contacts_for(campaign), 1):
        nameless = _fault(Q(number=""), ReasonCode.NO_NUMBER)
        rows.append(_columns(contacts, place, fault=nameless))
    return _compiled(rows)


def _columns(rows: "QuerySet[Any]", place: int, *, fault: object) -> "QuerySet[Any, Any]":
    columns = {"place": Value(place, output_field=IntegerField()), "fault": fault}
    found: QuerySet[Any, Any] = rows.order_by().annotate(**columns)
    columned: QuerySet[Any, Any] = found.values_list("canonical_number", "place", "pk", "fault")
    return columned


def _fault(condition: Q, reason: ReasonCode) -> Case:
    return Case(
        When(condition, then=Value(reason.value)), default=Value(""), output_field=CharField()
    )


def _compiled(rows: Sequence["QuerySet[Any, Any]"]) -> list[tuple[str, tuple[Any, ...]]]:
    found = []
    for each in rows:
        try:
            found.append(each.query.sql_with_params())
        except EmptyResultSet:  # a segment without a rule
            continue
    return found
