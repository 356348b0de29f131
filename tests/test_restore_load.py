"""A restore while the product serves and clients come again and again, in both modes."""

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from config.up import DEMO_PASSWORD
from tests.installations import Installation, said
from tests.product import Product, wait_for
from tests.test_backups import BEFORE, BESIDE, Writer

pytestmark = pytest.mark.xdist_group("backups")

REFUSED = "Another process has the database open. Stop everything that works on it first"
SESSIONS = "SELECT count(*) FROM audit_auditentry WHERE action = 'session.opened'"
LOOKED = "state = 'idle in transaction' AND query LIKE '%%$aside$%%'"
MESSAGES = "SELECT count(*), count(DISTINCT ticket_id) FROM tickets_message"


class Clients:
    """Four who ask again and again, each time anew, until they are told to stop."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        self.answers: list[Any] = []
        self._ask, self._stop = ask, threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(4)]

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.answers.append(self._ask())
            except Exception as error:
                self.answers.append(error)

    def __enter__(self) -> "Clients":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


class Restore:
    """`manage.py restore` that waits before it calls one of PostgreSQL's programs."""

    def __init__(
        self, installation: Installation, archive: Path, folder: Path, program: str, argument: str
    ) -> None:
        folder.mkdir()
        self._is_there, self._may_go = folder / "is_there", folder / "may_go"
        path = folder / program
        path.write_text(
            f"""#!/bin/sh
            case "$*" in *{argument}*)
                touch {self._is_there}; until [ -e {self._may_go} ]; do sleep 0.02; done
            esac
            exec {shutil.which(program)} "$@"
            """
        )
        path.chmod(0o755)
        self._slow = Installation(installation.directory, installation.database_url)
        self._slow.environment["PATH"] = f"{folder}:{self._slow.environment['PATH']}"
        self._done: list[Any] = []
        self._archive = archive
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        self._done.append(self._slow.manage("restore", str(self._archive)))

    @contextmanager
    def reached(self) -> Iterator[None]:
        """Begin, and go on once the block is left."""
        self._thread.start()
        try:
            wait_for(lambda: self._is_there.exists() or bool(self._done), "the restore", 120)
            assert not self._done, said(self._done[0])
            yield
        finally:
            self._may_go.touch()

    def end(self) -> Any:
        """Wait for its end; return what came of it."""
        self._thread.join()
        return self._done[0]


def sessions(installation: Installation, condition: str) -> int:
    """Count the database's sessions, from beside it."""
    server, _, name = installation.database_url.rpartition("/")
    query = f"SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND {condition}"
    with psycopg.connect(f"{server}/postgres") as beside:
        return int(beside.execute(query, [name]).fetchall()[0][0])


@pytest.mark.postgres
def test_on_postgresql_nobody_sees_half_a_restore(
    postgres_installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    shop, archive = postgres_installations("load").make(), tmp_path / "backup.tar"

    def ask() -> Any:
        with psycopg.connect(shop.database_url) as client:
            return client.execute(MESSAGES).fetchone()

    # While somebody writes and others come and go.
    writer = Writer(shop)
    try:
        writer.wait_for(BEFORE)
        backup = shop.manage("backup", str(archive))
        assert backup.returncode == 0, said(backup)
        with Clients(ask) as clients:
            refused = shop.manage("restore", str(archive))
            writer.wait_for(writer.written + BESIDE)
    finally:
        writer.stop()
    assert (refused.returncode, REFUSED in said(refused)) == (1, True), said(refused)
    assert "Nothing was changed." in said(refused)
    assert all(isinstance(answer, tuple) for answer in clients.answers)
    assert shop.media_faults()[1] == []
    grown, files = shop.rows(MESSAGES)[0], shop.state()

    # One who comes once the restore has looked, and stays.
    restore = Restore(shop, archive, tmp_path / "psql", "psql", "--quiet")
    with restore.reached():
        client = psycopg.connect(shop.database_url, autocommit=True)
        assert client.execute(MESSAGES).fetchone() == grown
    with client:
        refused = restore.end()
        assert (refused.returncode, REFUSED in said(refused)) == (1, True), said(refused)
        assert "Nothing was changed." in said(refused)
        assert client.execute(MESSAGES).fetchone() == grown
    assert shop.state() == files

    # Those who come while it loads: they wait for the whole.
    restore = Restore(shop, archive, tmp_path / "pg_restore", "pg_restore", "--file=-")
    with ExitStack() as ends:
        with restore.reached():
            # It has looked, and holds what it moved.
            wait_for(lambda: sessions(shop, LOOKED) == 1, "its last look")
            clients = ends.enter_context(Clients(ask))
            wait_for(lambda: sessions(shop, "wait_event_type = 'Lock'") == 4, "the clients")
        told = restore.end()
        assert told.returncode == 0, said(told)
    assert shop.media_faults()[1] == []
    restored = shop.rows(MESSAGES)[0]
    assert BEFORE <= restored[0] < grown[0]
    assert set(clients.answers) == {restored}


def test_embedded_a_restore_changes_nothing_while_it_serves(tmp_path: Path) -> None:
    product, archive = Product(), tmp_path / "backup.tar"
    shop = Installation(product.data_directory)

    def sign_in() -> int:
        body = {"email": "ana@demo.local", "password": DEMO_PASSWORD}
        return httpx.post(f"{product.address}/api/auth/login", json=body, timeout=30).status_code

    try:
        with Clients(sign_in) as clients:
            backup = shop.manage("backup", str(archive))
            assert backup.returncode == 0, said(backup)
            refused = shop.manage("restore", str(archive))
            asked = len(clients.answers)
            wait_for(lambda: len(clients.answers) > asked + 4, "more answers")
        assert refused.returncode == 1
        assert (
            "Stop all of it first: web, realtime, workers, and beat. Nothing was changed."
            in said(refused)
        )
        assert set(clients.answers) == {200}
        assert not list(product.data_directory.glob("*restore*"))
        product.stop()
        [(before,)] = shop.rows(SESSIONS)
        assert before == len(clients.answers)
        told = shop.manage("restore", str(archive))
        assert told.returncode == 0, said(told)
        assert shop.rows("PRAGMA integrity_check") == [("ok",)]
        # Those of after the backup are aside.
        assert shop.rows(SESSIONS)[0][0] < before
        product.start()
        assert sign_in() == 200
    finally:
        product.remove()
