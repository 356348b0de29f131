"""Behind a PgBouncer that hands out connections per transaction."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.product import ROOT
from tests.services import PgBouncer, PostgresServer

pytestmark = pytest.mark.xdist_group("pooler")


@pytest.fixture(scope="module")
def pooler() -> Iterator[PgBouncer]:
    server = PostgresServer()
    pooler = PgBouncer(server)
    yield pooler
    pooler.stop()
    server.stop()


def manage(
    pooler: PgBouncer, folder: Path, *command: str, **given: str
) -> "subprocess.CompletedProcess[str]":
    environment = {
        **os.environ,
        "DATABASE_URL": pooler.url(),
        "DATABASE_POOLED": "1",
        "DATABASE_DIRECT_URL": "",
        "DATA_DIR": str(folder),
        **given,
    }
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def search_path(pooler: PgBouncer) -> str:
    """Return the search path of a session that the pooler hands out."""
    with psycopg.connect(pooler.url()) as client:
        row = client.execute("SHOW search_path").fetchone()
    return str(row[0]) if row else ""


def test_a_backup_goes_past_the_pooler_and_leaves_its_sessions_alone(
    pooler: PgBouncer, tmp_path: Path
) -> None:
    # PgBouncer hands out the session that was used last; pg_dump would leave it an empty path.
    made = manage(pooler, tmp_path, "migrate", "--verbosity=0")
    assert made.returncode == 0, made.stderr
    before = search_path(pooler)
    assert "public" in before
    archive = tmp_path / "balcao.tar"
    refused = manage(pooler, tmp_path, "backup", str(archive))
    assert refused.returncode != 0 and "DATABASE_DIRECT_URL" in refused.stderr
    assert not archive.exists()
    made = manage(pooler, tmp_path, "backup", str(archive), DATABASE_DIRECT_URL=pooler.server.url())
    assert made.returncode == 0, made.stderr
    assert archive.stat().st_size > 0
    assert search_path(pooler) == before


def test_who_runs_is_seen_past_the_pooler(pooler: PgBouncer, tmp_path: Path) -> None:
    """A session that stays open behind the pooler is the pooler's; past it, it is the process's."""
    code = (
        "import django; django.setup();"
        "from apps.common.presence import stay_connected; stay_connected();"
        "print('there', flush=True); input()"
    )
    environment = {
        **os.environ,
        "DATABASE_URL": pooler.url(),
        "DATABASE_POOLED": "1",
        "DATABASE_DIRECT_URL": f"{pooler.server.url()}?application_name=presence",
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "there\n"
        with psycopg.connect(pooler.server.url(), autocommit=True) as administrator:
            found = 0
            while not found and process.poll() is None:
                row = administrator.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'presence'"
                ).fetchone()
                found = row[0] if row else 0
        assert found == 1
    finally:
        process.kill()
        process.wait()
