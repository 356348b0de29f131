"""Backup and restore of the whole installation: database, media and keys in one archive.

docs/operator-guide.md, 'Backups', says how they are used.
"""

import fcntl
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from apps.common import former_migrations
from apps.common.archives import FIELD_KEYS, MEDIA, SECRET_KEY, ArchiveWriter, BrokenArchive, unpack
from apps.common.dumps import IN_USE, Database, DumpFailed, present_database
from apps.common.installation_lock import AlreadyRuns, hold, hold_alone
from apps.common.media_folder import media_folder
from apps.common.moves import JOURNAL, Moves, cut_off_moves


class BackupFailed(Exception):
    """A sentence for the operator; nothing was changed."""


class MigrationFailed(Exception):
    """The data are restored, but the code's migrations did not run on them."""


@dataclass(frozen=True)
class Restored:
    """What a restore did: the archive's moment and version, and what the operator has to know."""

    made_at: str
    version: str
    aside: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def _database() -> Database:
    try:
        return present_database()
    except DumpFailed as error:
        raise BackupFailed(str(error)) from error


def write_backup(to: IO[bytes]) -> list[str]:
    """Write an archive of the present installation; return the files that it lacks.

    The product may run: the database is copied at one moment, and files are stored before their
    rows, so that every message of the copy has its file, unless the file is deleted before it is
    copied. Raises BackupFailed.
    """
    database = _database()
    if (settings.DATA_DIR / JOURNAL).exists():
        raise BackupFailed("A restore was cut off: the data are half of one. Restore again first.")
    try:
        with private_folder("backup") as folder:
            dump = folder / database.file_name
            missing = {hash(name) for name, _ in _media_files()}
            database.dump(dump)
            archive = ArchiveWriter(to, _manifest(database))
            archive.add(database.file_name, dump)
            dump.unlink()
            for name, text in _keys().items():
                kept = folder / name
                kept.write_text(text)
                archive.add(name, kept)
            for name, path in _media_files():
                try:
                    archive.add(name, path)
                except FileNotFoundError:
                    continue  # deleted since it was listed
                missing.discard(hash(name))
            archive.finish()
    except DumpFailed as error:
        raise BackupFailed(str(error)) from error
    except OSError as error:
        raise BackupFailed(f"The archive could not be written: {error}.") from error
    if media_folder() is None:
        return ["Media are in the S3 store, not in the archive: keep copies of the bucket."]
    if missing:
        return [
            f"Media files that were deleted meanwhile and are not in the archive: {len(missing)}."
            " What they belonged to may be in it."
        ]
    return []


def _keys() -> dict[str, str]:
    """Return the keys by the name of their file, wherever they are set.

    Another machine needs them to decrypt the secrets in the database.
    """
    if not settings.SECRET_KEY_IS_SET:
        return {}
    return {SECRET_KEY: settings.SECRET_KEY, FIELD_KEYS: "\n".join(settings.FIELD_ENCRYPTION_KEYS)}


def read_backup(source: IO[bytes]) -> Restored:
    """Replace the present data by an archive and migrate it; the present data are moved aside.

    Raises BackupFailed, with nothing changed, while the product runs, for an archive that is
    damaged or of a newer version, and for errors of the machine. Raises MigrationFailed.
    """
    database = _database()
    try:
        settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            hold(settings.DATA_DIR),
            hold_alone(settings.DATA_DIR),
            private_folder("restore") as folder,
        ):
            _refuse_in_use(database)
            taken_back = _end_cut_off(database)
            manifest = unpack(source, folder, lambda manifest: _check(manifest, database))
            dump = folder / database.file_name
            if not dump.is_file():
                raise BrokenArchive("The archive holds no database.")
            database.check(dump)
            unknown_keys = _unknown_keys(manifest, folder)
            if not unknown_keys:
                (folder / FIELD_KEYS).unlink(missing_ok=True)
            notices = taken_back + _notices(manifest, folder, unknown_keys)
            _refuse_in_use(database)
            aside = _put_in_place(folder, database)
            _migrate()
    except AlreadyRuns:
        raise BackupFailed(
            f"Balcão runs on {settings.DATA_DIR}, or is being restored. Stop all of it first: web,"
            " realtime, workers, and beat."
        ) from None
    except (BrokenArchive, DumpFailed) as error:
        raise BackupFailed(str(error)) from error
    except OSError as error:
        raise BackupFailed(f"The archive could not be restored: {error}.") from error
    return Restored(str(manifest["made_at"]), str(manifest["version"]), aside, notices)


def _refuse_in_use(database: Database) -> None:
    if database.is_in_use():
        raise BackupFailed(IN_USE)


def _manifest(database: Database) -> dict[str, Any]:
    applied = set(MigrationRecorder(connection).applied_migrations())
    return {
        "version": settings.VERSION,
        "database": database.name,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "media": media_folder() is not None,
        "migrations": sorted(".".join(name) for name in applied & _known_migrations()),
        "keys": [_fingerprint(key) for key in settings.FIELD_ENCRYPTION_KEYS],
    }


def _known_migrations() -> set[tuple[str, str]]:
    """Return every migration of the code, including those of disabled apps."""
    known = former_migrations.known_migrations()
    for name, migration in (MigrationLoader(None).disk_migrations or {}).items():
        known |= {name, *migration.replaces}
    return known


def _check(manifest: dict[str, Any], database: Database) -> None:
    if "kind" in manifest:
        raise BrokenArchive(
            "The archive is of one company: `manage.py import_company` takes it in."
        )
    if manifest.get("database") != database.name:
        raise BrokenArchive(
            f"The archive is of {manifest.get('database')}, but this installation's database is"
            f" {database.name}: set DATABASE_URL to one of the archive's kind."
        )
    names = [str(name) for name in manifest.get("migrations", [])]
    known = {".".join(name) for name in _known_migrations()}
    newer = [name for name in names if name not in known]
    if newer:
        raise BrokenArchive(
            f"The archive was made by Balcão {manifest.get('version')}, which is newer than this"
            f" one ({settings.VERSION}; it does not know {newer[0]}): update first."
        )
    pairs = (name.partition(".") for name in names)
    if refusal := former_migrations.refusal({(app, name) for app, _, name in pairs}):
        raise BrokenArchive(f"The archive can't be restored by this version. {refusal}")


def _unknown_keys(manifest: dict[str, Any], folder: Path) -> set[str]:
    """Return the fingerprints of the archive's keys that this installation will not have."""
    of_fields = os.environ.get("FIELD_ENCRYPTION_KEYS", "")
    keys = [key.strip() for key in of_fields.split(",") if key.strip()]
    secret = os.environ.get("SECRET_KEY") or _archived(SECRET_KEY, folder) or settings.SECRET_KEY
    return set(manifest.get("keys", [])) - {_fingerprint(key) for key in keys or [secret]}


def _archived(name: str, folder: Path) -> str:
    path = folder / name
    return path.read_text().strip() if path.is_file() else ""


def _notices(manifest: dict[str, Any], folder: Path, unknown_keys: set[str]) -> list[str]:
    notices = []
    secret, archived = os.environ.get("SECRET_KEY"), _archived(SECRET_KEY, folder)
    if secret and archived and secret != archived:
        notices.append(
            "SECRET_KEY is set here, and not to that of the archive: everybody signs in again."
        )
    if unknown_keys and (folder / FIELD_KEYS).is_file():
        notices.append(
            "What is stored encrypted is read with the archive's keys, in"
            f" {settings.DATA_DIR / FIELD_KEYS}: a machine with a DATA_DIR of its own needs a copy."
        )
    elif unknown_keys:
        notices.append(
            "The stored access tokens were encrypted with a key that is not set here: set"
            " SECRET_KEY and FIELD_ENCRYPTION_KEYS to those of the installation that was backed up."
        )
    if not manifest.get("media"):
        notices.append("The archive holds no media: they are in the S3 store.")
    elif media_folder() is None:
        notices.append(
            f"The media are in {settings.MEDIA_ROOT}, but S3_BUCKET is set: give `manage.py"
            " move_media`."
        )
    return notices


def _end_cut_off(database: Database) -> list[str]:
    """Finish or undo a restore that was interrupted between its renames; return a sentence about
    it.
    """
    moves = cut_off_moves(settings.DATA_DIR / JOURNAL)
    if moves is None:
        return []
    aside = Path(moves.told.get("aside", ""))
    if database.is_replaced(aside, was_empty=bool(moves.told.get("was_empty"))):
        moves.end()
        said = f"A restore before this one was cut off at its very end: see {aside}, too."
    else:
        moves.take_back()
        _remove_empty(aside)
        said = "A restore before this one was cut off; what it had moved was taken back first."
    for folder in settings.DATA_DIR.glob(".restore-*"):
        if folder.name == moves.told.get("folder"):
            shutil.rmtree(folder, ignore_errors=True)
    return [said]


def _put_in_place(folder: Path, database: Database) -> list[str]:
    """Move the present data aside and the unpacked data in; return where the present data are
    now.
    """
    aside = settings.DATA_DIR / f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    moves = Moves(
        settings.DATA_DIR / JOURNAL,
        aside=str(aside),
        folder=folder.name,
        was_empty=database.is_empty(),
    )
    try:
        # Valkey's wake-ups and presence, and the keys, belong to the other data.
        for name in (SECRET_KEY, FIELD_KEYS, "valkey"):
            present = settings.DATA_DIR / name
            if present.exists() and (name != SECRET_KEY or (folder / name).is_file()):
                moves.move(present, aside / name)
        for name in (SECRET_KEY, FIELD_KEYS):
            if (folder / name).is_file():
                moves.move(folder / name, settings.DATA_DIR / name)
        if (folder / MEDIA).is_dir():
            _move_entries(settings.MEDIA_ROOT, aside / MEDIA, moves)
            _move_entries(folder / MEDIA, settings.MEDIA_ROOT, moves)
        place = database.replace(folder / database.file_name, aside, moves)
    except BaseException:
        moves.take_back()
        _remove_empty(aside)
        raise
    moves.end()
    return [str(aside)] * aside.exists() + [place] * (bool(place) and str(aside) not in place)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _move_entries(source: Path, target: Path, moves: Moves) -> None:
    """Move the entries of a folder, not the folder: it may be a mount point or a link."""
    for entry in sorted(source.iterdir()) if source.is_dir() else ():
        moves.move(entry, target / entry.name)


def _migrate() -> None:
    """Migrate in a new process: this one has loaded the settings with the former key."""
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--no-input", "--skip-checks", "--verbosity=0"],
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise MigrationFailed(done.stderr.strip()[-2000:])


def _media_files() -> Iterator[tuple[str, Path]]:
    """Give the archive's name and the path of every media file, a folder's list at a time."""
    root = Path(settings.MEDIA_ROOT)  # with a bucket too: what has not been moved there yet
    for directory, _, names in os.walk(root, onerror=_refuse_unreadable):
        for name in names:
            path = Path(directory, name)
            if stat.S_ISREG(_mode(path)):
                yield f"{MEDIA}/{path.relative_to(root).as_posix()}", path


def _refuse_unreadable(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):  # the folder was deleted meanwhile
        raise error


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return 0


def _fingerprint(key: str) -> str:
    return hashlib.sha256(f"balcao key:{key}".encode()).hexdigest()[:16]


@contextmanager
def private_folder(purpose: str) -> Iterator[Path]:
    """Yield a temporary folder in DATA_DIR that only its owner may read.

    It is locked while it is used, so folders of killed processes are told apart and removed.
    """
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in settings.DATA_DIR.glob(f".{purpose}-*"):
        with suppress(OSError), _locked(left):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{purpose}-", dir=settings.DATA_DIR))
    with _locked(folder):
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder; raises BlockingIOError if another has."""
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(number)
