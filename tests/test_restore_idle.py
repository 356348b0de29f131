"""A restore beside processes that serve or work, and that nobody asks for anything."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from apps.common.installation_lock import AlreadyRuns, hold_alone
from tests.installations import Installation, said
from tests.product import ROOT, wait_for
from tests.services import free_port
from tests.test_restore_load import REFUSED, Restore, sessions

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("backups")]

CELERY = ["celery", "--app=config.celery"]
PROGRAMS = {
    "web": ["config.serve", "web"],
    "realtime": ["config.serve"],
    "daphne": ["daphne", "-p", "PORT", "config.asgi:application"],
    "worker": [*CELERY, "worker", "--pool=threads"],
    "beat": [*CELERY, "beat", "--schedule=SCHEDULE"],
}
RUNS = "Stop all of it first: web, realtime, workers, and beat. Nothing was changed."


@pytest.fixture
def shop(postgres_installations: Callable[[str], Installation]) -> Installation:
    shop = postgres_installations("idle").make()
    shop.environment |= {
        "PUBLIC_URL": "http://127.0.0.1:8000",
        "META_APP_SECRET": "unused",
        "META_VERIFY_TOKEN": "unused",
        # Nobody is there to be asked, and nothing is looked for.
        "REDIS_URL": "redis://127.0.0.1:9/0",
        "SIMULATOR": "0",
    }
    return shop


@pytest.fixture
def archive(shop: Installation, tmp_path: Path) -> Path:
    path = tmp_path / "backup.tar"
    assert shop.manage("backup", str(path)).returncode == 0
    return path


def start(shop: Installation, name: str, **environment: str) -> "subprocess.Popen[str]":
    port = str(free_port())
    places = {"PORT": port, "--schedule=SCHEDULE": f"--schedule={shop.directory}/beat"}
    listening = {"HOST": "127.0.0.1", "PORT": port, "WEB_BIND": f"127.0.0.1:{port}"}
    return subprocess.Popen(
        [sys.executable, "-m", *(places.get(word, word) for word in PROGRAMS[name])],
        cwd=ROOT,
        env=shop.environment | listening | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def running(shop: Installation, name: str, **environment: str) -> Iterator[None]:
    process = start(shop, name, **environment)
    try:
        yield
        assert process.poll() is None, process.communicate()[1]
    finally:
        process.kill()
        process.communicate()


def is_served(directory: Path) -> bool:
    with suppress(AlreadyRuns):
        hold_alone(directory).close()
        return False
    return True


def test_an_idle_process_keeps_a_restore_from_beginning(shop: Installation, archive: Path) -> None:
    for name in PROGRAMS:
        with running(shop, name):
            wait_for(lambda: is_served(shop.directory), name, 60)
            refused = shop.manage("restore", str(archive))
            assert (refused.returncode, RUNS in said(refused)) == (1, True), said(refused)
        assert not is_served(shop.directory)
    told = shop.manage("restore", str(archive))
    assert told.returncode == 0, said(told)


def test_an_idle_process_of_another_machine_is_seen_by_the_database(
    shop: Installation, archive: Path, tmp_path: Path
) -> None:
    with running(shop, "web", DATA_DIR=str(tmp_path / "elsewhere"), SECRET_KEY="theirs"):
        wait_for(lambda: sessions(shop, "true") == 1, "its connection", 60)
        refused = shop.manage("restore", str(archive))
        assert (refused.returncode, REFUSED in said(refused)) == (1, True), said(refused)
        # A database that was started anew meanwhile.
        with psycopg.connect(shop.database_url) as administrator:
            ended = administrator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND usesysid IS NOT NULL"
            ).fetchall()
        assert ended == [(True,)]
        wait_for(lambda: sessions(shop, "true") == 1, "its next connection")


def test_nothing_starts_beside_a_restore(shop: Installation, archive: Path, tmp_path: Path) -> None:
    restore = Restore(shop, archive, tmp_path / "psql", "psql", "--quiet")
    with restore.reached():
        for name in PROGRAMS:
            late = start(shop, name)
            told = late.communicate(timeout=60)[1]
            assert late.returncode != 0, name
            assert f"A restore works on {shop.directory}. Start this once it has ended." in told
    done = restore.end()
    assert done.returncode == 0, said(done)
