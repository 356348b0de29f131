"""Writes different values to many rows in one statement, on PostgreSQL and SQLite."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection as database
from django.db import connections, models

from apps.common.compiled_queries import kept_cursor


def insert_row(row: models.Model, *, ignores_conflicts: bool = False) -> bool:
    """Store a new row, as `save(force_insert=True)` does but without its signals.

    Returns whether it was stored: `ignores_conflicts` leaves a row of the same unique values as it
    is. Django builds and PostgreSQL plans each insert anew; this statement is kept.
    """
    statement, fields = _insert_of(type(row), ignores_conflicts)
    values = [
        each.get_db_prep_save(each.pre_save(row, add=True), connection=database) for each in fields
    ]
    with kept_cursor() as cursor:
        cursor.execute(statement, values)
        made = cursor.fetchone()
    if made is None:
        return False
    row.pk = made[0]
    row._state.adding, row._state.db = False, database.alias
    return True


@cache
def _insert_of(model: type[models.Model], ignores_conflicts: bool) -> tuple[str, list[Any]]:
    quote, meta = database.ops.quote_name, model._meta
    fields: list[Any] = [
        each for each in meta.concrete_fields if each is not meta.pk and not each.generated
    ]
    columns = ", ".join(quote(each.column) for each in fields)
    places = ", ".join(["%s"] * len(fields))
    conflict = " ON CONFLICT DO NOTHING" if ignores_conflicts else ""
    # Only names of models are interpolated; values are parameters.
    statement = (
        f"INSERT INTO {quote(meta.db_table)} ({columns}) VALUES ({places}){conflict}"  # noqa: S608
        f" RETURNING {quote(str(meta.pk.column))}"
    )
    return statement, fields


# Values of these types in fields of these kinds are PostgreSQL's already.
_PLAIN_TYPES = frozenset({str, int, bool, type(None), datetime, UUID})
_PLAIN_FIELDS = frozenset(
    {
        *(models.CharField, models.TextField, models.BooleanField, models.DateTimeField),
        *(models.UUIDField, models.BigAutoField, models.BigIntegerField, models.IntegerField),
        *(models.SmallIntegerField, models.PositiveIntegerField, models.ForeignKey),
    }
)


def insert_rows(rows: Sequence[models.Model]) -> None:
    """Store new rows, all of one model and with primary keys, as they are in memory.

    Unlike `bulk_create` it keeps given values of `auto_now` fields, and has PostgreSQL copy them.
    """
    if not rows:
        return
    meta, quote = rows[0]._meta, database.ops.quote_name
    fields: list[Any] = [each for each in meta.concrete_fields if not each.generated]
    columns = ", ".join(quote(each.column) for each in fields)
    is_postgres = database.vendor == "postgresql"
    names = [(each.attname, each, is_postgres and type(each) in _PLAIN_FIELDS) for each in fields]
    own = connections[database.alias]  # each use of `database` looks it up

    def line_of(row: models.Model) -> list[Any]:
        values = row.__dict__
        return [
            value
            if is_plain and type(value := values[name]) in _PLAIN_TYPES
            else field.get_db_prep_save(values[name], own)
            for name, field, is_plain in names
        ]

    lines = map(line_of, rows)
    with database.cursor() as cursor:
        if is_postgres:
            copied = f"COPY {quote(meta.db_table)} ({columns}) FROM STDIN"
            # Django's cursor does not translate the errors of this one.
            with database.wrap_database_errors, cursor.copy(copied) as copy:
                for line in lines:
                    copy.write_row(line)
            return
        # Only names of models are interpolated; values are parameters.
        places = ", ".join(["%s"] * len(fields))
        cursor.executemany(
            f"INSERT INTO {quote(meta.db_table)} ({columns}) VALUES ({places})",  # noqa: S608
            list(lines),
        )


def update_rows(
    rows: Sequence[models.Model],
    fields: Sequence[str],
    *,
    added: Mapping[str, Mapping[int, int]] | None = None,
) -> None:
    """Store `fields` of the rows, all of one model, as they are in memory.

    `added` names whole-number columns and, by primary key, what is added to each in the database.
    Django's own `bulk_update` costs ten times as much: it builds an expression per value.
    """
    if not rows:
        return
    meta, increments = rows[0]._meta, added or {}
    plain: list[Any] = [meta.get_field(name) for name in fields]
    values: list[Any] = []
    for row in rows:
        values.append(row.pk)
        values += [each.get_db_prep_save(getattr(row, each.attname), database) for each in plain]
        values += [increment.get(row.pk, 0) for increment in increments.values()]
    statement, line = _update_of(type(rows[0]), tuple(fields), tuple(increments), database.vendor)
    # The usual change of one row keeps its plan; those of many rows differ in length.
    with kept_cursor() if len(rows) == 1 else database.cursor() as cursor:
        cursor.execute(statement.replace("{}", ", ".join([line] * len(rows))), values)


@cache
def _update_of(
    model: type[models.Model], fields: Sequence[str], increments: Sequence[str], vendor: str
) -> tuple[str, str]:
    """Return a vendor's statement, and the line that stands for a row in place of its `{}`."""
    quote, meta = database.ops.quote_name, model._meta
    plain: list[Any] = [meta.get_field(name) for name in fields]
    counts: list[Any] = [meta.get_field(name) for name in increments]
    table = quote(meta.db_table)
    given = ", ".join(quote(field.column) for field in (*plain, *counts))
    changes = [f"{quote(each.column)} = {_given(each, vendor)}" for each in plain]
    changes += [
        f"{quote(each.column)} = {table}.{quote(each.column)} + {_given(each, vendor)}"
        for each in counts
    ]
    # Only names of models are interpolated; values are parameters.
    statement = (
        f"WITH given (given_id, {given}) AS (VALUES {{}})"  # noqa: S608
        f" UPDATE {table} SET {', '.join(changes)} FROM given"
        f" WHERE {table}.{quote(str(meta.pk.column))} = given.given_id"
    )
    return statement, f"({', '.join(['%s'] * (1 + len(plain) + len(counts)))})"


def _given(field: Any, vendor: str) -> str:
    value = f"given.{database.ops.quote_name(field.column)}"
    # PostgreSQL types a column of NULLs as text; SQLite needs no casts.
    if vendor == "postgresql":
        return f"CAST({value} AS {field.db_type(database)})"
    return value


# The keys that other sessions may take while a run of keys is reserved.
_MARGIN = 100_000


def take_keys(model: type[models.Model], count: int) -> Sequence[int]:
    """Take `count` ascending primary keys for new rows; with gaps where others take some too."""
    if database.vendor != "postgresql":
        first = reserve_keys(model, count)
        return range(first, first + count)
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return sorted(int(row[0]) for row in cursor.fetchall())


def reserve_keys(model: type[models.Model], count: int) -> int:
    """Reserve `count` consecutive primary keys; return the first.

    They stay reserved after a rollback.
    """
    table = model._meta.db_table
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            # One session at a time, or two runs would overlap.
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"keys of {table}"])
            sequence = "pg_get_serial_sequence(%s, 'id')"
            cursor.execute(f"SELECT nextval({sequence})", [table])
            first = int(cursor.fetchone()[0]) + _MARGIN
            cursor.execute(f"SELECT setval({sequence}, %s)", [table, first + count])
            return first
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        first = (int(row[0]) if row else 0) + 1
        statement = (
            "UPDATE sqlite_sequence SET seq = %s WHERE name = %s"
            if row
            else "INSERT INTO sqlite_sequence (seq, name) VALUES (%s, %s)"
        )
        cursor.execute(statement, [first + count, table])
        return first
