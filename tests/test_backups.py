"""A backup taken while the product works, restored somewhere else and over what is there."""

import io
import json
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from apps.common.installation_lock import hold
from tests.installations import LOCKS, SECRET, Installation, said
from tests.product import ROOT

pytestmark = pytest.mark.xdist_group("backups")

# Committed before the backup begins, and at least so many while it is made.
BEFORE, BESIDE = 40, 10


class Writer:
    """Another process that writes a file and its message, again and again."""

    def __init__(self, installation: Installation) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.backup_writer"],
            cwd=ROOT,
            env=installation.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.written = 0

    def wait_for(self, count: int) -> None:
        assert self._process.stdout is not None
        while self.written < count:
            line = self._process.stdout.readline()
            assert line, "the writer ended"
            self.written = int(line)

    def stop(self) -> int:
        """Kill it; return how many messages it told of."""
        self._process.kill()
        rest, _ = self._process.communicate()
        return int((rest.splitlines() or [str(self.written)])[-1])


@contextmanager
def opened_elsewhere(path: Path) -> Iterator[None]:
    """Hold a database open in another process, as a console does."""
    code = (
        "import sqlite3, sys; base = sqlite3.connect(sys.argv[1]);"
        "base.execute('SELECT count(*) FROM django_content_type').fetchone();"
        "print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as console:
        assert console.stdout is not None
        assert console.stdout.readline() == b"open\n"
        yield


def back_up_under_load(installation: Installation, archive: Path) -> None:
    writer = Writer(installation)
    try:
        writer.wait_for(BEFORE)
        backup = installation.manage("backup", str(archive))
        assert backup.returncode == 0, said(backup)
        writer.wait_for(BEFORE + BESIDE)
    finally:
        writer.stop()


def check_restored(restored: Installation) -> None:
    count, faults = restored.media_faults()
    assert count >= BEFORE
    assert faults == []
    assert (restored.directory / "secret_key").read_text() == SECRET
    for path in restored.directory.rglob("*"):
        assert path.name in LOCKS or path.stat().st_mode & 0o077 == 0, path


def test_a_backup_under_load_is_restored_whole_in_an_empty_folder(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    installation, archive = installations("shop").make(), tmp_path / "shop" / "backup.tar"
    back_up_under_load(installation, archive)
    assert archive.stat().st_mode & 0o777 == 0o600
    with tarfile.open(archive) as tar:
        names = tar.getnames()
    assert names[0] == "manifest.json"
    assert not [name for name in names if "backup.tar" in name]
    restored = installations("elsewhere")
    told = restored.manage("restore", str(archive))
    assert told.returncode == 0, said(told)
    assert "What to do next" in said(told)
    assert "former data" not in said(told)
    check_restored(restored)
    assert restored.rows("PRAGMA integrity_check") == [("ok",)]


@pytest.mark.postgres
def test_a_backup_of_postgresql_under_load_is_restored_whole(
    postgres_installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    installation, archive = postgres_installations("shop").make(), tmp_path / "backup.tar"
    back_up_under_load(installation, archive)
    restored = postgres_installations("elsewhere")
    told = restored.manage("restore", str(archive))
    assert told.returncode == 0, said(told)
    check_restored(restored)

    # Over what is there: that is another schema now, and the next backup leaves it out.
    told = restored.manage("restore", str(archive))
    assert told.returncode == 0, said(told)
    check_restored(restored)
    schemas = restored.rows("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'before%'")
    assert len(schemas) == 1
    assert schemas[0][0] in said(told)
    again = tmp_path / "again.tar"
    assert restored.manage("backup", str(again)).returncode == 0
    third = postgres_installations("third")
    told = third.manage("restore", str(again))
    assert told.returncode == 0, said(told)
    check_restored(third)
    assert not third.rows("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'before%'")

    with psycopg.connect(third.database_url):
        refused = third.manage("restore", str(again))
    assert refused.returncode == 1
    assert "Another process has the database open" in said(refused)

    third.environment["PATH"] = str(tmp_path)
    for command in (["backup", str(tmp_path / "no.tar")], ["restore", str(again)]):
        refused = third.manage(*command)
        assert refused.returncode == 1
        assert "install PostgreSQL's client programs" in said(refused)
    assert not (tmp_path / "no.tar").exists()


def test_a_restore_moves_the_present_data_aside_and_clears_the_log_of_changes(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    installation, archive = installations("shop").make(), tmp_path / "backup.tar"
    (installation.directory / "media" / "1").mkdir(parents=True)
    (installation.directory / "media" / "1" / "old.txt").write_text("old")
    backup = installation.manage("backup", "-")
    archive.write_bytes(backup.stdout)
    assert backup.returncode == 0, said(backup)

    (installation.directory / "media" / "1" / "new.txt").write_text("new")
    code = (
        "import os, sqlite3, sys; base = sqlite3.connect(sys.argv[1]);"
        "base.execute(\"INSERT INTO django_content_type (app_label, model) VALUES ('n', 'n')\");"
        "base.commit(); os._exit(0)"  # like a machine that lost its power: the log stays
    )
    present = installation.directory / "balcao.sqlite3"
    subprocess.run([sys.executable, "-c", code, str(present)], check=True)
    log = present.with_name("balcao.sqlite3-wal")
    assert log.stat().st_size > 0
    lost = log.read_bytes()

    told = installation.manage("restore", "-", input=archive.read_bytes())
    assert told.returncode == 0, said(told)
    assert installation.rows("PRAGMA integrity_check") == [("ok",)]
    assert not installation.rows("SELECT 1 FROM django_content_type WHERE model = 'n'")
    assert not (installation.directory / "media" / "1" / "new.txt").exists()
    assert (installation.directory / "media" / "1" / "old.txt").read_text() == "old"
    (aside,) = installation.directory.glob("before-restore-*")
    assert str(aside) in said(told)
    assert (aside / "balcao.sqlite3-wal").read_bytes() == lost
    assert (aside / "media" / "1" / "new.txt").read_text() == "new"
    with closing(sqlite3.connect(aside / "balcao.sqlite3")) as former:
        query = "SELECT count(*) FROM django_content_type WHERE model = 'n'"
        assert former.execute(query).fetchone() == (1,)


def _cut(content: bytes) -> bytes:
    return content[: len(content) * 2 // 3]


def _end_missing(content: bytes) -> bytes:
    return rewritten(content, lambda name, body: None if name == "checksums.sha256" else body)


def _flipped(content: bytes) -> bytes:
    return rewritten(content, lambda name, body: b"new" if name == "media/1/old.txt" else body)


def _newer(content: bytes) -> bytes:
    def change(name: str, body: bytes) -> bytes:
        if name != "manifest.json":
            return body
        manifest = json.loads(body)
        manifest["migrations"].append("tickets.9999_from_tomorrow")
        return json.dumps(manifest).encode()

    return rewritten(content, change)


def _of_another_kind(content: bytes) -> bytes:
    def change(name: str, body: bytes) -> bytes:
        if name == "manifest.json":
            return json.dumps(json.loads(body) | {"database": "postgresql"}).encode()
        return body

    return rewritten(content, change)


def _climbing(content: bytes) -> bytes:
    return rewritten(content, lambda _, body: body, {"media/1/old.txt": "media/../../escaped.txt"})


def rewritten(
    content: bytes,
    change: Callable[[str, bytes], bytes | None],
    names: dict[str, str] | None = None,
) -> bytes:
    """Write the archive anew as someone would who edits it."""
    result = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(content)) as old,
        tarfile.open(fileobj=result, mode="w") as new,
    ):
        for entry in old:
            file = old.extractfile(entry)
            assert file is not None
            body = change(entry.name, file.read())
            if body is not None:
                fresh = tarfile.TarInfo((names or {}).get(entry.name, entry.name))
                fresh.size = len(body)
                new.addfile(fresh, io.BytesIO(body))
    return result.getvalue()


def test_a_restore_is_refused_before_it_changes_anything(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    installation, archive = installations("shop").make(), tmp_path / "backup.tar"
    (installation.directory / "media" / "1").mkdir(parents=True)
    (installation.directory / "media" / "1" / "old.txt").write_text("old")
    assert installation.manage("backup", str(archive)).returncode == 0
    good, before = archive.read_bytes(), installation.state()

    def refusal(content: bytes) -> str:
        refused = installation.manage("restore", "-", input=content)
        assert refused.returncode == 1, said(refused)
        assert "Nothing was changed." in said(refused)
        assert "Traceback" not in said(refused)
        assert installation.state() == before
        return said(refused)

    assert "damaged" in refusal(_cut(good))
    assert "not whole" in refusal(_end_missing(good))
    assert "damaged" in refusal(_flipped(good))
    assert "tickets.9999_from_tomorrow): update first" in refusal(_newer(good))
    assert "set DATABASE_URL" in refusal(_of_another_kind(good))
    assert "which no archive of Balcão does" in refusal(_climbing(good))
    assert "damaged" in refusal(b"no archive at all")
    with hold(installation.directory):  # as `manage.py up` does
        assert "Balcão runs on" in refusal(good)
    with opened_elsewhere(installation.directory / "balcao.sqlite3"):
        before = installation.state()
        assert "Another process has the database open" in refusal(good)


def test_a_backup_names_what_is_in_the_way(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    nowhere = installations("nowhere")
    nowhere.directory.mkdir()
    refused = nowhere.manage("backup", str(tmp_path / "backup.tar"))
    assert refused.returncode == 1
    assert "Is DATA_DIR the right one?" in said(refused)
    assert list(tmp_path.iterdir()) == [nowhere.directory]
    assert not list(nowhere.directory.iterdir())
    taken = tmp_path / "taken.tar"
    taken.write_text("precious")
    assert "is there already" in said(nowhere.manage("backup", str(taken)))
    inside = nowhere.directory / "media" / "backup.tar"
    assert "a part of itself" in said(nowhere.manage("backup", str(inside)))


def test_media_that_are_kept_elsewhere_are_named(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    installation, archive = installations("shop").make(), tmp_path / "backup.tar"
    installation.environment["S3_BUCKET"] = "files"
    backup = installation.manage("backup", str(archive))
    assert backup.returncode == 0, said(backup)
    assert "keep copies of the bucket" in said(backup)
    told = installations("elsewhere").manage("restore", str(archive))
    assert told.returncode == 0, said(told)
    assert "The archive holds no media" in said(told)
