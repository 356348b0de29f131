"""Hot reads whose SQL is compiled once.

Django compiles a queryset for every call, and PostgreSQL plans it: four fifths of the cost of a
page with six joins. A `CompiledQuery` keeps the SQL and the plan.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, cast
from uuid import UUID

import orjson
from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db import connection as database
from django.db.models import Field, ForeignObject, JSONField, Lookup, Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.expressions import RawSQL

Stored = TypeVar("Stored", bound=Model)


@dataclass(frozen=True)
class _Slot:
    """A placeholder in compiled parameters for the argument of that name."""

    name: str


# PostgreSQL's types of arguments, by the end of their name.
_KINDS = {"date": "date", "moment": "timestamptz", "uuid": "uuid"}


def _placeholder(name: str) -> RawSQL:
    if name.endswith("text"):
        sql = "%s::text" if database.vendor == "postgresql" else "%s"
    elif kind := next((each for each in _KINDS if name.endswith(each)), None):
        sql = f"%s::{_KINDS[kind]}" if database.vendor == "postgresql" else "%s"
    elif name.endswith("ids"):
        sql = "%s"  # `Among` encodes it
    else:
        sql = "%s::bigint" if database.vendor == "postgresql" else "%s"
    return RawSQL(sql, [_Slot(name)])  # noqa: S611  our own text


@ForeignObject.register_lookup
@Field.register_lookup
class Among(Lookup[Any]):
    """`field__among=ids`:

    `field__in` with one parameter for any number of ids. Not `IN (SELECT unnest(…))`: PostgreSQL
    would join it and sort all matches, where it can stop after one page.
    """

    lookup_name = "among"
    prepare_rhs = False

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        return self._compared(compiler, connection, "{} = ANY({}::bigint[])")

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Compare with the elements of a JSON array."""
        return self._compared(compiler, connection, "{} IN (SELECT value FROM json_each({}))")

    def _compared(self, compiler: Any, connection: Any, form: str) -> tuple[str, tuple[Any, ...]]:
        column, parameters = self.process_lhs(compiler, connection)
        if isinstance(self.rhs, RawSQL):
            values, given = self.rhs.as_sql(compiler, connection)
        else:
            values, given = "%s", (_listed(self.rhs),)
        return form.format(column, values), (*parameters, *given)


class CompiledQuery:
    """A `values_list` queryset that is compiled once and run with any arguments.

    `build` makes the queryset from placeholders, one for each of its parameters or for each name in
    `takes`: whole numbers; lists of them for `field__among` if the name ends in "ids"; text if it
    ends in "text"; a day, a moment or a UUID if in "date", "moment" or "uuid". On PostgreSQL values
    are transferred in binary, and JSON is parsed already.

    The connection keeps a generic plan: right for reads by key, with any number of joins.
    `keeps_plan=False` is for the first rows of many in order: the right index depends on the number
    of matches, and with a generic plan PostgreSQL collects and sorts all of them. `around` is SQL
    of our own, in which `{}` stands for the queryset, for what querysets cannot express, such as
    groups of first rows.
    """

    def __init__(
        self,
        build: Callable[..., "QuerySet[Any, Any]"],
        *,
        takes: Sequence[str] = (),
        keeps_plan: bool = True,
        around: str = "{}",
    ) -> None:
        self._build = build
        self._around = around
        self._keeps_plan = keeps_plan
        self._names = takes or tuple(inspect.signature(build).parameters)
        self._compiled: tuple[str, tuple[Any, ...], Any, Any] | None = None
        self._is_empty = False

    def rows(self, **arguments: Any) -> "list[tuple[Any, ...]]":
        """Return the rows as tuples, in one query."""
        if self._is_empty:
            return []
        # Two threads may compile at the same time, with the same result.
        try:
            sql, slots, compiler, converters = self._compiled or self._compile()
        except EmptyResultSet:  # a condition that holds for no row
            self._is_empty = True
            return []
        parameters = [
            _bound(arguments[each.name]) if isinstance(each, _Slot) else each for each in slots
        ]
        if database.vendor == "postgresql":
            return self._fetched(sql, parameters)
        with database.cursor() as cursor:
            cursor.execute(sql, parameters)
            found: Iterable[Any] = cursor.fetchall()
        if converters:
            found = compiler.apply_converters(found, converters)
        return [tuple(row) for row in found]

    def _fetched(self, sql: str, parameters: list[Any]) -> "list[tuple[Any, ...]]":
        """Return the rows by psycopg's own cursor, which binds on the server."""
        with kept_cursor(keeps_plan=self._keeps_plan) as cursor:
            cursor.execute(sql, parameters)
            return cast("list[tuple[Any, ...]]", cursor.fetchall())

    def _compile(self) -> tuple[str, tuple[Any, ...], Any, Any]:
        queryset = self._build(**{name: _placeholder(name) for name in self._names})
        compiler = queryset.query.get_compiler(connection=database)
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters([column for column, _, _ in compiler.select])
        sql = self._around.replace("{}", sql)
        self._compiled = (sql, tuple(parameters), compiler, converters)
        return self._compiled


def kept_cursor(*, keeps_plan: bool = True) -> AbstractContextManager[Any]:
    """Return a cursor for SQL that is run often, with values that the server binds.

    On PostgreSQL a cursor of psycopg's in Django's wrapping; with `keeps_plan` the connection keeps
    the statement's plan, as `CompiledQuery` describes. Elsewhere Django's own.
    """
    # Not `database`, which looks up this thread's connection at every use.
    wrapper: Any = connections[DEFAULT_DB_ALIAS]
    if wrapper.vendor != "postgresql":
        own: AbstractContextManager[Any] = wrapper.cursor()
        return own
    wrapper.close_if_health_check_failed()
    wrapper.ensure_connection()
    bound = _bound_cursor_class()(wrapper.connection)
    # Django logs no text of a prepared statement.
    bound.keeps_plan = keeps_plan and not wrapper.queries_logged
    wrap = wrapper.make_debug_cursor if wrapper.queries_logged else wrapper.make_cursor
    cursor: AbstractContextManager[Any] = wrap(bound)
    return cursor


def _bound(value: Any) -> Any:
    """Return an argument as the database takes it."""
    if database.vendor != "postgresql":
        if isinstance(value, datetime):
            return database.ops.adapt_datetimefield_value(value)
        if isinstance(value, UUID):
            return value.hex
    return _listed(value)


def _listed(value: Any) -> Any:
    """Encode a list of ids as an array literal; psycopg's encoding takes a hundred times as
    long.
    """
    if not isinstance(value, list):
        return value
    begin, end = "{}" if database.vendor == "postgresql" else "[]"
    return begin + ",".join(map(str, value)) + end


@cache
def _bound_cursor_class() -> Any:
    from psycopg import Cursor  # noqa: PLC0415  not loaded where SQLite is used
    from psycopg.types.json import set_json_loads  # noqa: PLC0415

    set_json_loads(orjson.loads)  # Django's own cursors take JSON as text

    class BoundCursor(Cursor[Any]):
        """Binds on the server, which prepared plans need; Django's cursor interpolates on the
        client.
        """

        keeps_plan = True

        def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
            # `prepare_threshold=None` in the database's options, for transaction poolers, takes
            # precedence.
            return super().execute(query, params, prepare=self.keeps_plan, binary=True)

    return BoundCursor


def columns_of(model: type[Model]) -> list[str]:
    """Return the names of a model's columns, for `values_list` and `instance_of`."""
    return [field.attname for field in model._meta.concrete_fields]


def instance_of(model: type[Stored], columns: Sequence[str], values: Iterable[Any]) -> Stored:
    """Return an instance from the stored values of all columns.

    Does what `from_db` does in a quarter of the time: our models have no deferred fields to check
    for.
    """
    instance, state = model.__new__(model), ModelState()
    state.adding, state.db = False, DEFAULT_DB_ALIAS
    vars(instance).update(zip(columns, values, strict=False), _state=state)
    return instance


def stored(model: type[Stored], ids: Iterable[int | None]) -> dict[int, Stored]:
    """Return rows by id, what `in_bulk` returns, by a compiled query; None is no id."""
    wanted = [each for each in set(ids) if each is not None]
    if not wanted:
        return {}
    _, _, by_id, by_ids = _reads_of(model)
    rows = by_id.rows(pk=wanted[0]) if len(wanted) == 1 else by_ids.rows(ids=wanted)
    return {each.pk: each for each in _instances(model, rows)}


def returned(model: type[Stored], rows: Sequence[Sequence[Any]]) -> list[Stored]:
    """Return instances of the rows that a statement of our own returned.

    The rows have all columns in the order of `columns_of`, the id first. On SQLite, whose values
    are not converted, they are read once more.
    """
    if database.vendor == "postgresql":
        return list(_instances(model, rows))
    found = stored(model, (row[0] for row in rows))
    return [found[row[0]] for row in rows if row[0] in found]


def _instances(model: type[Stored], rows: Iterable[Sequence[Any]]) -> Iterator[Stored]:
    columns, converted, _, _ = _reads_of(model)
    for row in rows:
        instance = instance_of(model, columns, row)
        if database.vendor == "postgresql":  # elsewhere the rows are converted already
            for field in converted:
                value = field.from_db_value(getattr(instance, field.attname), None, database)
                setattr(instance, field.attname, value)
        yield instance


@cache
def _reads_of(model: type[Model]) -> tuple[list[str], list[Any], CompiledQuery, CompiledQuery]:
    """Return a model's columns, the fields that convert what is stored, and how rows are read."""
    columns = columns_of(model)
    fields = model._meta.concrete_fields
    converted = [
        each
        for each in fields
        if hasattr(each, "from_db_value") and not isinstance(each, JSONField)
    ]
    rows = model._default_manager.order_by()
    return (
        columns,
        converted,
        CompiledQuery(lambda pk: rows.filter(pk=pk).values_list(*columns)),
        CompiledQuery(lambda ids: rows.filter(pk__among=ids).values_list(*columns)),
    )


def collected(values: str, source: str) -> RawSQL:
    """Return an annotation: a list with one list of `values` for each row of `source`, or None.

    Both are SQL, such as "tag.id, tag.name" and "a_table AS tag WHERE …".
    """
    if database.vendor == "postgresql":
        sql = f"SELECT jsonb_agg(jsonb_build_array({values})) FROM {source}"  # noqa: S608  ours
    else:
        sql = f"SELECT json_group_array(json_array({values})) FROM {source}"  # noqa: S608  ours
    return RawSQL(sql, [], output_field=JSONField())  # noqa: S611
