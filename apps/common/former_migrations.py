"""The migrations that this code knows, and those of before version 1.0.0rc1 that it has replaced.

A database that has all of an app's former ones counts as migrated (Django's `replaces`). Django
does not refuse one that has only some: it makes what it can, or names a node of its graph.
"""

from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module

from django.conf import settings
from django.db.migrations import Migration

Name = tuple[str, str]


def known_migrations() -> set[Name]:
    """Return app and name of all migrations of our apps, the replaced ones too."""
    names = set()
    for app, name, migration in _migrations():
        names |= {(app, name), *migration.replaces}
    return names


def refusal(applied: set[Name]) -> str:
    """Return why a database with these migrations can't be migrated, and what to do, or ''."""
    former: defaultdict[str, set[Name]] = defaultdict(set)
    for app, name, migration in _migrations():
        if (app, name) not in applied:
            former[app] |= set(migration.replaces)
    lacking = sorted(
        ".".join(name) for names in former.values() if names & applied for name in names - applied
    )
    if not lacking:
        return ""
    return (
        "The database is of before version 1.0.0rc1 and not up to date with that time:"
        f" {len(lacking)} of its migrations are missing, such as {lacking[0]}. Check out commit"
        " b03f14ff, the last one that has them, run its `manage.py migrate`, and come back."
    )


def _migrations() -> Iterator[tuple[str, str, type[Migration]]]:
    """Give each migration of our apps, those of apps that are switched off too."""
    for path in sorted((settings.BASE_DIR / "apps").glob("*/migrations/[0-9]*.py")):
        app, name = path.parent.parent.name, path.stem
        yield app, name, import_module(f"apps.{app}.migrations.{name}").Migration
