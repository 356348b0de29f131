"""Values of columns as JSON, and back (rules/moving-out §3)."""

from datetime import date, datetime, time
from decimal import Decimal
from functools import cache
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models

from apps.billing.models import Plan

PLAN_FIELDS = tuple(
    each.name
    for each in Plan._meta.concrete_fields
    if each.name not in {"id", "created_at", "updated_at"}
)


# A plan with the same name and these is the same.
PLAN_LIMITS = ("users", "connections", "queues", "value")
# What a column of whole numbers holds in both databases.
_MOST = 2**63


class NotAValue(ValueError):
    """A value of an archive that its column can't have."""


def plain(value: Any) -> Any:
    """Return what JSON lacks as text or as itself; raises TypeError for other kinds."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no value of an archive")


def read(field: "models.Field[Any, Any]", value: Any) -> Any:
    """Return a column's value from JSON; raises NotAValue.

    Lengths are the database's work, and those that SQLite does not check are checked here.
    """
    if isinstance(field, models.JSONField):
        return value
    if value is None:
        if not field.null:
            raise NotAValue(f"{field.name} has no value")
        return None
    if isinstance(value, list | dict):
        raise NotAValue(f"{field.name} has a list")
    if isinstance(value, str):
        value = value.replace("\x00", "")
    try:
        made = field.to_python(value)
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        raise NotAValue(f"{field.name} can't be {str(value)[:40]!r}") from error
    if isinstance(made, str) and field.max_length is not None and len(made) > field.max_length:
        raise NotAValue(f"{field.name} is longer than {field.max_length}")
    if isinstance(made, int) and abs(made) >= _MOST:
        raise NotAValue(f"{field.name} is too large")
    if isinstance(made, datetime) and made.tzinfo is None:
        raise NotAValue(f"{field.name} has no time zone")
    if made not in (_choices(field) or (made,)) and not (field.blank and not made):
        raise NotAValue(f"{field.name} can't be {str(value)[:40]!r}")
    return made


@cache
def _choices(field: "models.Field[Any, Any]") -> frozenset[Any]:
    return frozenset(value for value, _label in field.flatchoices)
