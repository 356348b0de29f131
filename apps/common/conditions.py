"""Conditions on rows of work, in SQL by hand."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection as database
from django.db import models


@dataclass(frozen=True)
class Condition:
    """SQL about the row, aliased `work`, with its named values."""

    sql: str
    values: dict[str, Any]

    @classmethod
    def of(cls, sql: str, **parameters: Any) -> "Condition":
        """Make a condition; its parameters, like `%(name)s`, may be values, querysets or
        conditions.
        """
        values: dict[str, Any] = {}
        for name, parameter in parameters.items():
            if isinstance(parameter, Condition):
                part = parameter
            elif isinstance(parameter, models.QuerySet):
                part = _of_queryset(name, parameter)
            else:
                part = cls(f"%({name})s", {name: adapted(parameter)})
            sql = sql.replace(f"%({name})s", part.sql)
            values |= part.values
        return cls(sql, values)


def _of_queryset(name: str, rows: "models.QuerySet[Any, Any]") -> Condition:
    try:
        sql, slots = rows.query.get_compiler(connection=database).as_sql()
    except EmptyResultSet:
        return Condition("SELECT 0 WHERE 1 = 0", {})
    values = {f"{name}{number}": slot for number, slot in enumerate(slots)}
    first, *rest = sql.split("%s")
    named = (f"%({key})s{text}" for key, text in zip(values, rest, strict=True))
    return Condition(first + "".join(named), values)


def adapted(value: Any) -> Any:
    """Return a value as the database takes it in SQL by hand."""
    return database.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
