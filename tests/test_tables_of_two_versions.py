"""The version before works on the tables of today: for a while an update runs both.

Compared are the tables of the last version that was given out (`tests/versions`) and the models.
CONTRIBUTING, 'Change a table', says what to do instead of what is refused here.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.apps import apps
from django.db.models import Field, Model
from django.db.models.fields import NOT_PROVIDED
from django.db.utils import ConnectionHandler

from tests import versions
from tests.test_upgrades import VERSION

pytestmark = pytest.mark.sources

BEFORE = (versions.FOLDER / VERSION / "sqlite.sql").read_text()
SQLITE = ConnectionHandler({"default": {"ENGINE": "django.db.backends.sqlite3"}})["default"]
# Production runs without it.
SIMULATOR = "simulator_"
# What the version before can live with all the same, and why. A version that it can't live with
# says in CHANGELOG that everything is stopped for its update, and here.
ACCEPTED = {
    "inbound_inboundevent.connection_id may be NULL": (
        "the version before passes over events whose connection it does not find"
    ),
    "inbound_inboundevent has the constraint one_row_per_kept_event": (
        "it concerns rows without a connection, which the version before does not write"
    ),
    "billing_invoice has the constraint one_open_plan_change": (
        "it concerns changes of plan, whose kind the version before does not write"
    ),
}


def columns_of(database: sqlite3.Connection, table: str) -> dict[str, tuple[str, bool]]:
    """Return type and NOT NULL of a table's columns."""
    rows = database.execute("SELECT name, type, [notnull] FROM pragma_table_info(?)", [table])
    return {name: (kind.lower(), bool(is_needed)) for name, kind, is_needed in rows}


def holds(kind: str, former: str) -> bool:
    """Tell whether a column's type takes what its former type took."""
    lengths = [re.fullmatch(r"varchar\((\d+)\)", each) for each in (kind, former)]
    if lengths[0] and lengths[1]:
        return int(lengths[0][1]) >= int(lengths[1][1])
    return kind == former


def breaks(before: str) -> Iterator[str]:
    """Yield what keeps the version with these tables from working on those of today."""
    models = {
        model._meta.db_table: model
        for model in apps.get_models(include_auto_created=True)
        if not model._meta.proxy
    }
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(before)
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in names:
            if table.startswith((SIMULATOR, "sqlite_")) or table == "django_migrations":
                continue
            if table not in models:
                yield f"{table} is gone"
            else:
                yield from breaks_of(models[table], columns_of(database, table))
                for constraint in models[table]._meta.constraints:
                    if f'"{constraint.name}"' not in before:
                        yield f"{table} has the constraint {constraint.name}"


def breaks_of(model: type[Model], former: dict[str, tuple[str, bool]]) -> Iterator[str]:
    """Yield what is wrong with the columns of a table."""
    present = {
        field.column: field
        for field in model._meta.get_fields()
        if isinstance(field, Field) and field.concrete and not field.many_to_many
    }
    for column in former.keys() | present.keys():
        name, field = f"{model._meta.db_table}.{column}", present.get(column)
        if field is None:
            yield f"{name} is gone"
        elif column not in former:
            is_filled = field.generated or field.db_default is not NOT_PROVIDED
            if not field.null and not is_filled:
                yield f"{name} is new and neither NULL nor has a db_default"
        else:
            kind, is_needed = former[column]
            now = (field.db_type(SQLITE) or "").lower()
            if is_needed and field.null:
                yield f"{name} may be NULL"
            if not is_needed and not field.null:
                yield f"{name} may be NULL no more"
            if not holds(now, kind):
                yield f"{name} was {kind}, and is {now}"


def test_the_version_before_works_on_the_tables_of_today() -> None:
    found = set(breaks(BEFORE))
    assert found - set(ACCEPTED) == set(), "CONTRIBUTING says how: 'Change a table'."
    assert set(ACCEPTED) - found == set(), "Nobody needs these reasons any more."


@pytest.mark.parametrize(
    ("said", "formerly", "fault"),
    [
        (
            '"companies_company"',
            '"companies_firm"',
            "companies_firm is gone",
        ),
        (
            '"phone" varchar(50) NOT NULL, "is_enabled"',
            '"phone" varchar(50) NOT NULL, "fax" text NULL, "is_enabled"',
            "companies_company.fax is gone",
        ),
        (
            '"phone" varchar(50) NOT NULL, "is_enabled"',
            '"is_enabled"',
            "companies_company.phone is new and neither NULL nor has a db_default",
        ),
        (
            '"phone" varchar(50) NOT NULL, "is_enabled"',
            '"phone" varchar(50) NULL, "is_enabled"',
            "companies_company.phone may be NULL no more",
        ),
        (
            '"phone" varchar(50) NOT NULL, "is_enabled"',
            '"phone" varchar(51) NOT NULL, "is_enabled"',
            "companies_company.phone was varchar(51), and is varchar(50)",
        ),
        (
            '"trial_expires_on" date NULL',
            '"trial_expires_on" date NOT NULL',
            "companies_company.trial_expires_on may be NULL",
        ),
        (
            'CONSTRAINT "one_campaign_setting_per_key" UNIQUE ("company_id", "key")',
            'UNIQUE ("company_id", "key")',
            "campaigns_campaignsetting has the constraint one_campaign_setting_per_key",
        ),
    ],
)
def test_what_the_version_before_could_not_live_with_is_found(
    said: str, formerly: str, fault: str
) -> None:
    assert said in BEFORE
    assert fault in set(breaks(BEFORE.replace(said, formerly))) - set(breaks(BEFORE))
