"""Durations as generated columns, so that the database can sum them."""

from typing import Any

from django.db.models import BigIntegerField, F, Func, GeneratedField

SQLITE_SECONDS = "ROUND((julianday(substr({0}, 1, 19)) - julianday(substr({1}, 1, 19))) * 86400)"
SQLITE_FRACTION = "substr({0} || '.000000', 21, 6)"


class Elapsed(Func):
    """The microseconds from the second time to the first; NULL if either is NULL."""

    output_field = BigIntegerField()

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        """Compute a number, because summing intervals takes several times as long."""
        template = "(date_part('epoch', %(expressions)s) * 1000000)::bigint"
        return self.as_sql(compiler, connection, template=template, arg_joiner=" - ")

    def as_sqlite(self, compiler: Any, connection: Any, **options: Any) -> tuple[str, Any]:
        """Parse Django's stored date texts with functions that every SQLite has.

        A column that used Django's own SQL functions could not be read without Django, for example
        when a backup is checked.
        """
        moments = [compiler.compile(each)[0] for each in self.get_source_expressions()]
        seconds = SQLITE_SECONDS.format(*moments)
        first, second = (SQLITE_FRACTION.format(each) for each in moments)
        return f"CAST({seconds} AS INTEGER) * 1000000 + {first} - {second}", []


def elapsed(end: str, start: str) -> GeneratedField:
    """Return a generated field with the microseconds between two times."""
    return GeneratedField(
        expression=Elapsed(F(end), F(start)),
        output_field=BigIntegerField(null=True),
        db_persist=True,
    )
