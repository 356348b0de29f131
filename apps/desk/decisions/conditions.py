"""The `if` of a rule: a tree of and, or and not over what is seen of a ticket (rules/desk §12)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from apps.common.search import fold


class Operator(StrEnum):
    """How a field is looked at.

    `is`: it is one of the values, or of a set one is among them. `contains` and `starts`: a text
    does so with one of them, whatever case and accents. `empty`: it is nothing. `between`: the hour
    is within a span of minutes of the day, which may pass midnight.
    """

    IS = "is"
    CONTAINS = "contains"
    STARTS = "starts"
    EMPTY = "empty"
    BETWEEN = "between"


_EQUALS = (Operator.IS,)
_HELD = (Operator.IS, Operator.EMPTY)
_TEXT = (Operator.IS, Operator.CONTAINS, Operator.STARTS, Operator.EMPTY)
# Each field with what may be asked of it.
FIELDS: Mapping[str, Sequence[Operator]] = {
    "status": _EQUALS,
    "queue": _HELD,
    "person": _HELD,
    "priority": _EQUALS,
    "tag": _HELD,
    "connection": _EQUALS,
    "leads": _EQUALS,
    "kind": _EQUALS,
    "name": _TEXT,
    "number": _TEXT,
    "email": _TEXT,
    "contactField": _TEXT,
    "message": _TEXT,
    "media": _EQUALS,
    "rate": _EQUALS,
    "hour": (Operator.BETWEEN,),
    "weekday": _EQUALS,
    "hours": _EQUALS,
}
# Fields whose values are ids of rows.
IDS = frozenset({"queue", "person", "tag", "connection"})
# Fields whose values are numbers: ids, 1 to 3, 0 for Monday to 6, and minutes of the day.
NUMBERS = IDS | {"rate", "weekday", "hour"}

Value = str | int


@dataclass(frozen=True)
class Seen:
    """What conditions look at, at a local moment; `fields` are the contact's by folded name."""

    values: Mapping[str, Value | None]
    sets: Mapping[str, frozenset[int]]
    texts: Mapping[str, str]
    fields: Mapping[str, str]
    at: datetime
    is_open: bool


class Condition(Protocol):
    """A check or a tree of them; `names` are the rows that it names, each with its kind."""

    def holds(self, seen: Seen) -> bool: ...

    def names(self) -> set[tuple[str, int]]: ...


@dataclass(frozen=True)
class Check:
    """Of one field; `name` is that of the contact's field."""

    field: str
    operator: Operator = Operator.IS
    values: Sequence[Value] = ()
    name: str = ""

    def holds(self, seen: Seen) -> bool:
        if self.field in seen.sets:
            return self._of_set(seen.sets[self.field])
        if self.field in seen.values:
            value = seen.values[self.field]
            return value is None if self.operator == Operator.EMPTY else value in self.values
        if self.field == "hour":
            return self._is_between(seen.at.hour * 60 + seen.at.minute)
        if self.field == "weekday":
            return seen.at.weekday() in self.values
        if self.field == "hours":
            return ("open" if seen.is_open else "closed") in self.values
        if self.field == "contactField":
            return self._of_text(seen.fields.get(fold(self.name), ""))
        return self._of_text(seen.texts.get(self.field, ""))

    def names(self) -> set[tuple[str, int]]:
        ids = [each for each in self.values if isinstance(each, int)]
        return {(self.field, each) for each in ids} if self.field in IDS else set()

    def _of_set(self, found: frozenset[int]) -> bool:
        if self.operator == Operator.EMPTY:
            return not found
        return any(each in found for each in self.values)

    def _of_text(self, text: str) -> bool:
        text = fold(text.strip())
        wanted = [fold(str(each).strip()) for each in self.values]
        match self.operator:
            case Operator.EMPTY:
                return not text
            case Operator.CONTAINS:
                return any(each in text for each in wanted)
            case Operator.STARTS:
                return text.startswith(tuple(wanted))
            case _:
                return text in wanted

    def _is_between(self, minute: int) -> bool:
        start, end = (int(each) for each in self.values)
        return start <= minute < end if start <= end else minute >= start or minute < end


@dataclass(frozen=True)
class AllOf:
    """All of the parts hold; none are no condition."""

    parts: Sequence[Condition] = field(default_factory=tuple)

    def holds(self, seen: Seen) -> bool:
        return all(each.holds(seen) for each in self.parts)

    def names(self) -> set[tuple[str, int]]:
        return {name for each in self.parts for name in each.names()}


@dataclass(frozen=True)
class AnyOf:
    """At least one of the parts holds."""

    parts: Sequence[Condition] = field(default_factory=tuple)

    def holds(self, seen: Seen) -> bool:
        return any(each.holds(seen) for each in self.parts)

    def names(self) -> set[tuple[str, int]]:
        return {name for each in self.parts for name in each.names()}


@dataclass(frozen=True)
class Not:
    part: Condition

    def holds(self, seen: Seen) -> bool:
        return not self.part.holds(seen)

    def names(self) -> set[tuple[str, int]]:
        return self.part.names()
