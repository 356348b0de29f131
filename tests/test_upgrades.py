"""Databases of every version that was given out are brought to the tables of today."""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests import versions
from tests.installations import Installation, PostgresOwner, said
from tests.product import ROOT, migrated_database

pytestmark = pytest.mark.xdist_group("processes")

VERSION = (ROOT / "VERSION").read_text().strip()

# Two tables were renamed before 1.0.0rc1; what was called after them kept their former names,
# in which Django puts a checksum of the table's name.
FORMER_NAMES = {"integrationdelivery": "integrationcall", "ticketevent": "ticketactivity"}


def with_present_names(schema: str) -> set[str]:
    for former, present in FORMER_NAMES.items():
        schema = schema.replace(former, present)
    return set(re.sub(r"_[0-9a-f]{8}(?![0-9a-z])", "", schema).splitlines())


class Upgrade:
    """A database that was restored from the tables of a version."""

    def __init__(self, url: str, directory: Path, schema: Callable[[], str]) -> None:
        self.url, self.schema = url, schema
        self._environment = os.environ | {
            "DATABASE_URL": url,
            "DATA_DIR": str(directory),
            "SIMULATOR": "1",
        }

    def migrate(self, *options: str) -> "subprocess.CompletedProcess[bytes]":
        return self.manage("migrate", "--no-input", *options)

    def manage(self, *command: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            check=False,
            timeout=300,
        )

    def execute(self, statement: str) -> None:
        if self.url.startswith("postgres"):
            with psycopg.connect(self.url) as postgres:
                postgres.execute(statement.encode())
            return
        with closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as sqlite, sqlite:
            sqlite.execute(statement)


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Callable[[str], Upgrade]:
    def restore(version: str) -> Upgrade:
        path = tmp_path / "balcao.sqlite3"
        versions.restore_sqlite(version, path)
        return Upgrade(f"sqlite:///{path}", tmp_path, lambda: versions.sqlite_schema(path))

    return restore


@pytest.fixture
def on_postgres(
    tmp_path: Path, postgres_owner: PostgresOwner
) -> Iterator[Callable[[str], Upgrade]]:
    name = f"upgrade_{os.getpid()}"

    def restore(version: str) -> Upgrade:
        url = postgres_owner.create(name)
        versions.restore_postgres(version, url)
        return Upgrade(url, tmp_path, lambda: versions.postgres_schema(url))

    yield restore
    postgres_owner.drop([name])


@pytest.fixture
def restored(postgres_owner: PostgresOwner) -> Callable[[str], str]:
    """Have a dump restored and dumped anew: PostgreSQL writes some conditions otherwise then."""

    def write(schema: str) -> str:
        name = f"upgrade_restored_{os.getpid()}"
        url = postgres_owner.create(name)
        try:
            versions.fill_postgres(schema, url)
            return versions.postgres_schema(url)
        finally:
            postgres_owner.drop([name])

    return write


@pytest.fixture
def fresh_postgres(postgres_owner: PostgresOwner) -> Iterator[str]:
    name = f"upgrade_fresh_{os.getpid()}"
    url = postgres_owner.create(name)
    postgres_owner.fill(name)
    yield versions.postgres_schema(url)
    postgres_owner.drop([name])


def brought_up(upgrade: Upgrade) -> str:
    """Migrate a database and return its tables."""
    done = upgrade.migrate()
    assert done.returncode == 0, said(done)
    left = upgrade.migrate("--check")
    assert left.returncode == 0, said(left)
    return upgrade.schema()


@pytest.mark.parametrize("version", versions.versions())
def test_an_upgraded_sqlite_has_the_tables_of_a_fresh_one(
    version: str, on_sqlite: Callable[[str], Upgrade]
) -> None:
    upgraded = brought_up(on_sqlite(version))
    fresh = versions.sqlite_schema(migrated_database())
    if version == versions.BEFORE:
        upgraded = "\n".join(sorted(with_present_names(upgraded)))
        fresh = "\n".join(sorted(with_present_names(fresh)))
    assert versions.without_column_order(upgraded) == versions.without_column_order(fresh)


@pytest.mark.postgres
@pytest.mark.parametrize("version", versions.versions())
def test_an_upgraded_postgresql_has_the_tables_of_a_fresh_one(
    version: str,
    on_postgres: Callable[[str], Upgrade],
    fresh_postgres: str,
    restored: Callable[[str], str],
) -> None:
    upgraded, fresh = restored(brought_up(on_postgres(version))), restored(fresh_postgres)
    if version == versions.BEFORE:
        assert with_present_names(upgraded) == with_present_names(fresh)
    else:
        assert upgraded.splitlines() == fresh.splitlines()


# What a killed build of an index leaves behind has its name, and may lack rows.
LEFT_BEHIND = "CREATE INDEX message_by_company_age ON tickets_message (id)"


def test_a_sqlite_builds_a_large_index_anew(on_sqlite: Callable[[str], Upgrade]) -> None:
    upgrade = on_sqlite("1.0.0rc1")
    upgrade.execute(LEFT_BEHIND)
    upgraded = versions.without_column_order(brought_up(upgrade))
    assert upgraded == versions.without_column_order(versions.sqlite_schema(migrated_database()))


@pytest.mark.postgres
def test_a_postgresql_builds_a_large_index_anew_beside_its_writers(
    on_postgres: Callable[[str], Upgrade], fresh_postgres: str, restored: Callable[[str], str]
) -> None:
    upgrade = on_postgres("1.0.0rc1")
    upgrade.execute(LEFT_BEHIND)
    assert restored(brought_up(upgrade)).splitlines() == restored(fresh_postgres).splitlines()
    told = upgrade.manage("sqlmigrate", "tickets", "0014")
    assert said(told).count("CREATE INDEX CONCURRENTLY") == 2


def runs_no_released_migration(upgrade: Upgrade) -> None:
    plan = upgrade.migrate("--plan")
    assert plan.returncode == 0, said(plan)
    assert "Planned operations:" in said(plan)
    assert "0001_version_1" not in said(plan)
    assert "0002_version_1" not in said(plan)


def test_a_sqlite_of_before_counts_as_migrated(on_sqlite: Callable[[str], Upgrade]) -> None:
    runs_no_released_migration(on_sqlite(versions.BEFORE))


@pytest.mark.postgres
def test_a_postgresql_of_before_counts_as_migrated(on_postgres: Callable[[str], Upgrade]) -> None:
    runs_no_released_migration(on_postgres(versions.BEFORE))


def is_refused_half(upgrade: Upgrade) -> None:
    """Refuse a database that has only some of the former migrations, and leave it as it is."""
    upgrade.execute("DELETE FROM django_migrations WHERE name = '0034_long_user_ids'")
    before = upgrade.schema()
    for options in ((), ("--skip-checks",), ("announcements",)):
        refused = upgrade.migrate(*options)
        assert refused.returncode == 1
        assert "such as tickets.0034_long_user_ids" in said(refused)
        assert "Check out commit" in said(refused)
        assert "Traceback" not in said(refused)
    assert upgrade.schema() == before


def test_a_sqlite_with_a_part_of_the_former_migrations_is_refused(
    on_sqlite: Callable[[str], Upgrade],
) -> None:
    is_refused_half(on_sqlite(versions.BEFORE))


@pytest.mark.postgres
def test_a_postgresql_with_a_part_of_the_former_migrations_is_refused(
    on_postgres: Callable[[str], Upgrade],
) -> None:
    is_refused_half(on_postgres(versions.BEFORE))


def test_an_app_that_was_switched_off_before_is_made_anew(
    on_sqlite: Callable[[str], Upgrade],
) -> None:
    upgrade = on_sqlite(versions.BEFORE)
    for table in upgrade.schema().splitlines():
        if match := re.match(r'CREATE TABLE "(simulator_\w+)"', table):
            upgrade.execute(f"DROP TABLE {match[1]}")
    upgrade.execute("DELETE FROM django_migrations WHERE app = 'simulator'")
    brought_up(upgrade)
    assert 'CREATE TABLE "simulator_simnumber"' in upgrade.schema()


def installation_of_before(installations: Callable[[str], Installation]) -> Installation:
    installation = installations("before")
    place = installation.directory / "balcao.sqlite3"
    installation.make_tables = lambda: versions.restore_sqlite(versions.BEFORE, place)
    return installation.make()


def test_a_backup_of_before_is_restored_and_brought_up(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    archive = tmp_path / "backup.tar"
    backup = installation_of_before(installations).manage("backup", str(archive))
    assert backup.returncode == 0, said(backup)
    other = installations("other")
    restored = other.manage("restore", str(archive))
    assert restored.returncode == 0, said(restored)
    rows = other.rows("SELECT name FROM django_migrations WHERE app = 'tickets'")
    assert {("0034_long_user_ids",), ("0001_version_1",)} <= set(rows)


def test_a_backup_with_a_part_of_the_former_migrations_is_refused(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    archive, installation = tmp_path / "backup.tar", installation_of_before(installations)
    with closing(sqlite3.connect(installation.directory / "balcao.sqlite3")) as database, database:
        database.execute("DELETE FROM django_migrations WHERE name = '0034_long_user_ids'")
    assert installation.manage("backup", str(archive)).returncode == 0
    before = installation.state()
    refused = installation.manage("restore", str(archive))
    assert refused.returncode == 1
    assert "can't be restored by this version" in said(refused)
    assert "tickets.0034_long_user_ids" in said(refused)
    assert "Nothing was changed." in said(refused)
    assert installation.state() == before


@pytest.mark.sources
@pytest.mark.parametrize("version", [v for v in versions.versions() if v != versions.BEFORE])
def test_migrations_that_were_given_out_stay_as_they_are(version: str) -> None:
    lines = (versions.FOLDER / version / versions.CHECKSUMS).read_text().splitlines()
    given_out = dict(line.split("  ")[::-1] for line in lines)
    now = {name: versions.checksum(ROOT / name) for name in given_out if (ROOT / name).exists()}
    assert now == given_out, "Undo the change, and write another migration."


@pytest.mark.sources
def test_the_present_version_has_its_tables_and_its_changes() -> None:
    assert VERSION in versions.versions(), "Run `make version`."
    changes = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert changes[0] == VERSION
    assert set(versions.versions()) <= {*changes, versions.BEFORE}
