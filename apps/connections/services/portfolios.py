"""Counts whom a portfolio's numbers wrote to first (rules/connections §18)."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import connection as database
from django.utils import timezone

from apps.connections.models import BegunConversation
from apps.connections.queries import COUNTED


def note_begun(begun: Iterable[tuple[int, int, int]], *, at: datetime | None = None) -> None:
    """Count the contacts of (connection, contact, message): messages outside a window, accepted."""
    rows = list(begun)
    if not rows:
        return
    now = at or timezone.now()
    table = database.ops.quote_name(BegunConversation._meta.db_table)
    moment = database.ops.adapt_datetimefield_value
    places = ", ".join(["(%s, %s, %s, %s)"] * len(rows))
    # One statement for each send. Of two messages that count none may take the contact back.
    statement = f"""
        INSERT INTO {table} (connection_id, contact_id, message_id, begun_at) VALUES {places}
        ON CONFLICT (connection_id, contact_id) DO UPDATE
        SET begun_at = excluded.begun_at,
            message_id = CASE WHEN {table}.begun_at <= %s THEN excluded.message_id END
    """  # noqa: S608  nothing but constants
    values = [value for row in rows for value in (*row, moment(now))]
    with database.cursor() as cursor:
        cursor.execute(statement, [*values, moment(now - COUNTED)])


def forget_begun(message_ids: Collection[int], connection_ids: Collection[int]) -> None:
    """Take back the contacts who counted because of messages that were refused after all."""
    rows = BegunConversation.objects.filter(connection__in=connection_ids)
    rows.filter(message_id__in=message_ids).delete()
