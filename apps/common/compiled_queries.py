"""Hot reads whose SQL is made once.

Django compiles a queryset anew for every call and PostgreSQL plans it anew: for a page with six
joins that was four fifths of its cost. A `CompiledQuery` keeps both.
"""

import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from django.core.exceptions import EmptyResultSet
from django.db import connection as database
from django.db.models import JSONField, QuerySet
from django.db.models.expressions import RawSQL


@dataclass(frozen=True)
class _Slot:
    """Stands in compiled parameters for the argument of that name."""

    name: str


def _placeholder(name: str) -> RawSQL:
    if name.endswith("text"):
        sql = "%s::text" if database.vendor == "postgresql" else "%s"
    elif not name.endswith("ids"):
        sql = "%s::bigint" if database.vendor == "postgresql" else "%s"
    elif database.vendor == "postgresql":
        sql = "SELECT unnest(%s::bigint[])"
    else:
        sql = "SELECT value FROM json_each(%s)"
    return RawSQL(sql, [_Slot(name)])  # noqa: S611  our own text


class CompiledQuery:
    """A `values_list` queryset that is compiled once and run with any arguments.

    `build` makes it from placeholders, one for each of its parameters or for each name that it
    `takes`: whole numbers, lists of them for `field__in` where the name ends in "ids", text where
    it ends in "text".
    On PostgreSQL the plan is kept by the connection and values come in binary, JSON already parsed.
    """

    def __init__(
        self, build: Callable[..., "QuerySet[Any, Any]"], *, takes: Sequence[str] = ()
    ) -> None:
        self._build = build
        self._names = takes or tuple(inspect.signature(build).parameters)
        self._compiled: tuple[str, tuple[Any, ...], Any, Any] | None = None
        self._is_empty = False

    def rows(self, **arguments: Any) -> "list[tuple[Any, ...]]":
        """Return the rows as tuples, in one query."""
        if self._is_empty:
            return []
        # Two threads may both compile at first; they find the same.
        try:
            sql, slots, compiler, converters = self._compiled or self._compile()
        except EmptyResultSet:  # a condition that holds for no row
            self._is_empty = True
            return []
        parameters = [arguments[each.name] if isinstance(each, _Slot) else each for each in slots]
        if database.vendor == "postgresql":
            with _planned_cursor() as cursor:
                cursor.execute(sql, parameters)
                return cast("list[tuple[Any, ...]]", cursor.fetchall())
        with database.cursor() as cursor:
            cursor.execute(sql, [_as_json(each) for each in parameters])
            found: Iterable[Any] = cursor.fetchall()
        if converters:
            found = compiler.apply_converters(found, converters)
        return [tuple(row) for row in found]

    def _compile(self) -> tuple[str, tuple[Any, ...], Any, Any]:
        queryset = self._build(**{name: _placeholder(name) for name in self._names})
        compiler = queryset.query.get_compiler(connection=database)
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters([column for column, _, _ in compiler.select])
        self._compiled = (sql, tuple(parameters), compiler, converters)
        return self._compiled


def _as_json(value: Any) -> Any:
    return json.dumps(list(value)) if isinstance(value, list | tuple | set | frozenset) else value


@cache
def _planned_cursor_class() -> Any:
    from psycopg import Cursor  # noqa: PLC0415  not loaded where SQLite is used

    class PlannedCursor(Cursor[Any]):
        """Binds on the server, as plans need; Django's own puts the values into the text."""

        def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
            # `prepare_threshold=None` in the database's options, for who pools connections per
            # transaction, wins over this.
            return super().execute(query, params, prepare=True, binary=True)

    return PlannedCursor


def _planned_cursor() -> Any:
    wrapper: Any = database
    wrapper.close_if_health_check_failed()
    wrapper.ensure_connection()
    return wrapper._prepare_cursor(_planned_cursor_class()(wrapper.connection))


def collected(values: str, source: str) -> RawSQL:
    """Return an annotation: the list of `values`, a list each, of all rows of `source`, or None.

    Both are SQL of our own, such as "tag.id, tag.name" and "contacts_tag AS tag WHERE …".
    """
    if database.vendor == "postgresql":
        sql = f"SELECT jsonb_agg(jsonb_build_array({values})) FROM {source}"  # noqa: S608  ours
    else:
        sql = f"SELECT json_group_array(json_array({values})) FROM {source}"  # noqa: S608  ours
    return RawSQL(sql, [], output_field=JSONField())  # noqa: S611
