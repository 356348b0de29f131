"""Files that go away while a backup is made are told of."""

import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apps.common import backups
from apps.common.archives import ArchiveWriter
from apps.common.backups import BackupFailed, write_backup


class Database:
    """Dumps nothing, and has something happen meanwhile."""

    name, file_name = "sqlite", "database.sqlite3"

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self.meanwhile = meanwhile

    def dump(self, to: Path) -> None:
        to.write_text("a copy")
        self.meanwhile()


@pytest.fixture
def media(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    for name in ("1/kept.txt", "1/gone.txt", "2/gone.txt"):
        path = tmp_path / "media" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path / "media"


def names_in(archive: io.BytesIO) -> set[str]:
    archive.seek(0)
    with tarfile.open(fileobj=archive) as tar:
        return {name for name in tar.getnames() if name.startswith("media/")}


@pytest.mark.django_db
def test_files_that_go_away_while_a_backup_is_made_are_told_of(
    media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile() -> None:
        (media / "1" / "gone.txt").unlink()
        (media / "2" / "gone.txt").unlink()
        (media / "2").rmdir()
        (media / "1" / "new.txt").write_text("new")

    monkeypatch.setattr(backups, "present_database", lambda: Database(meanwhile))
    archive = io.BytesIO()
    (notice,) = write_backup(archive)
    assert "not in the archive: 2." in notice
    assert names_in(archive) == {"media/1/kept.txt", "media/1/new.txt"}


@pytest.mark.django_db
def test_a_file_that_goes_away_at_its_turn_is_told_of_too(
    media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Deleting(ArchiveWriter):
        def add(self, name: str, path: Path) -> None:
            if path.name == "gone.txt":
                path.unlink()
            super().add(name, path)

    monkeypatch.setattr(backups, "ArchiveWriter", Deleting)
    monkeypatch.setattr(backups, "present_database", lambda: Database(lambda: None))
    archive = io.BytesIO()
    (notice,) = write_backup(archive)
    assert "not in the archive: 2." in notice
    assert names_in(archive) == {"media/1/kept.txt"}


@pytest.mark.django_db
def test_without_such_files_nothing_is_told(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "present_database", lambda: Database(lambda: None))
    assert write_backup(io.BytesIO()) == []


@pytest.mark.django_db
def test_a_folder_that_cannot_be_read_is_not_left_out_in_silence(
    media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scandir(path: Any) -> Any:
        if str(path).endswith("/2"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    real = os.scandir
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(backups, "present_database", lambda: Database(lambda: None))
    with pytest.raises(BackupFailed, match="Permission denied"):
        write_backup(io.BytesIO())
