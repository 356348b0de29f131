"""How long something took, as a number that the database keeps and sums up."""

from typing import Any

from django.db.models import BigIntegerField, F, Func, GeneratedField

SQLITE_SECONDS = "ROUND((julianday(substr({0}, 1, 19)) - julianday(substr({1}, 1, 19))) * 86400)"
SQLITE_FRACTION = "substr({0} || '.000000', 21, 6)"


class Elapsed(Func):
    """The microseconds from a second moment to a first; NULL where one of them is."""

    output_field = BigIntegerField()

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        """Make a number of the interval: to sum up intervals takes several times as long."""
        template = "(date_part('epoch', %(expressions)s) * 1000000)::bigint"
        return self.as_sql(compiler, connection, template=template, arg_joiner=" - ")

    def as_sqlite(self, compiler: Any, connection: Any, **options: Any) -> tuple[str, Any]:
        """Read Django's texts of moments with what every SQLite has.

        A column by one of Django's own functions could not be read where these are missing, as in
        the check of a backup.
        """
        moments = [compiler.compile(each)[0] for each in self.get_source_expressions()]
        seconds = SQLITE_SECONDS.format(*moments)
        first, second = (SQLITE_FRACTION.format(each) for each in moments)
        return f"CAST({seconds} AS INTEGER) * 1000000 + {first} - {second}", []


def elapsed(end: str, start: str) -> GeneratedField:
    """Return a field that the database fills with the microseconds between two moments."""
    return GeneratedField(
        expression=Elapsed(F(end), F(start)),
        output_field=BigIntegerField(null=True),
        db_persist=True,
    )
