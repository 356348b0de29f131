"""The format of backups and of companies' archives: a tar of plain files.

A manifest comes first, a list of checksums last.

It is written and read as a stream, so that pipes work and no file has to fit into memory.
`sha256sum --check checksums.sha256` reads the list.
"""

import hashlib
import io
import json
import os
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, Any, Self

FORMAT = 1
MANIFEST = "manifest.json"
CHECKSUMS = "checksums.sha256"
MEDIA = "media"
SECRET_KEY = "secret_key"  # noqa: S105  a file's name
FIELD_KEYS = "field_keys"
MANIFEST_BYTES = 4 * 1024 * 1024
CHUNK = 1024 * 1024
# Of long names and PAX records, which `tarfile` reads into memory; ours have some hundred bytes.
HEADER_BYTES = 64 * 1024


class BrokenArchive(Exception):
    """A sentence about what is wrong with an archive."""


class _Summed:
    """A file that hashes what is read from it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.hash = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        chunk = self._file.read(size)
        self.hash.update(chunk)
        return chunk


class ArchiveWriter:
    """Writes an archive to a file or a pipe; it is complete after `finish`."""

    def __init__(self, file: IO[bytes], manifest: dict[str, Any]) -> None:
        self._tar = tarfile.open(fileobj=file, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115
        self._sums = tempfile.TemporaryFile()  # noqa: SIM115  a line for each file, for millions
        text = json.dumps({"format": FORMAT, **manifest}, indent=1).encode()
        self._add(MANIFEST, io.BytesIO(text), len(text))

    def add(self, name: str, path: Path) -> None:
        """Add a file with its present length; raises OSError when it cannot be read."""
        with path.open("rb") as file:
            self._add(name, file, os.fstat(file.fileno()).st_size)

    def finish(self) -> None:
        """Add the checksums and the end."""
        size = self._sums.tell()
        self._sums.seek(0)
        self._tar.addfile(_entry(CHECKSUMS, size), self._sums)
        self._tar.close()
        self._sums.close()

    def _add(self, name: str, file: IO[bytes], size: int) -> None:
        summed = _Summed(file)
        self._tar.addfile(_entry(name, size), summed)
        self._tar.members = []  # type: ignore[attr-defined]  # it would remember millions
        self._sums.write(_line(name, summed))


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = size, 0o600, int(time.time())
    return entry


def _line(name: str, summed: _Summed) -> bytes:
    return f"{summed.hash.hexdigest()}  {name}\n".encode()


def unpack(file: IO[bytes], into: Path, check: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Unpack an archive into an empty folder, for its owner alone; return its manifest.

    `check` is given the manifest before anything else is read, and may raise. Raises BrokenArchive
    unless every file is as it was written and none is missing.
    """
    try:
        with tarfile.open(fileobj=file, mode="r|", tarinfo=_Entry) as tar:
            return _unpack(tar, into, check)
    except (tarfile.TarError, EOFError, ValueError, RecursionError) as error:
        raise BrokenArchive(f"The archive cannot be read ({error}): it is damaged.") from error


class _Entry(tarfile.TarInfo):
    """An entry of a stranger's archive, whose header is bounded."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Read an entry; raises BrokenArchive for one that describes others at length."""
        entry = super().frombuf(buf, encoding, errors)
        # Global records pile up from entry to entry.
        if entry.type == tarfile.XGLTYPE or (not entry.isreg() and entry.size > HEADER_BYTES):
            raise BrokenArchive("The archive holds a header that no archive of Balcão has.")
        return entry


def _unpack(
    tar: tarfile.TarFile, into: Path, check: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    manifest: dict[str, Any] | None = None
    sums = hashlib.sha256()
    while (entry := tar.next()) is not None:
        tar.members = []  # type: ignore[attr-defined]  # it would remember millions
        # A sparse file unpacks to more than the archive holds.
        is_plain = entry.isreg() and not entry.issparse()
        content = tar.extractfile(entry) if is_plain else None
        if content is None or not _is_ours(entry.name):
            raise BrokenArchive(
                f"The archive holds {entry.name!r}, which no archive of Balcão does."
            )
        summed = _Summed(content)
        if manifest is None:
            manifest = _manifest(entry, summed)
            check(manifest)
        elif entry.name == CHECKSUMS:
            while summed.read(CHUNK):
                pass
            if summed.hash.digest() != sums.digest():
                raise BrokenArchive("The archive is damaged: its files are not what they were.")
            return manifest
        else:
            _write(summed, into / entry.name)
        sums.update(_line(entry.name, summed))
    raise BrokenArchive("The archive is not whole: its end is missing.")


def _is_ours(name: str) -> bool:
    parts = PurePosixPath(name).parts
    is_plain = bool(parts) and not name.startswith("/") and ".." not in parts
    return is_plain and (len(parts) == 1 or parts[0] == MEDIA)


def _manifest(entry: tarfile.TarInfo, file: _Summed) -> dict[str, Any]:
    not_ours = BrokenArchive("This is no archive of Balcão.")
    if entry.name != MANIFEST or entry.size > MANIFEST_BYTES:
        raise not_ours
    try:
        manifest = json.loads(file.read())
    except ValueError:
        raise not_ours from None
    if not isinstance(manifest, dict):
        raise not_ours
    if manifest.get("format") != FORMAT:
        raise BrokenArchive("The archive was made by a newer Balcão: update this one first.")
    return manifest


def _write(content: _Summed, path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(number, "wb") as file:
        while chunk := content.read(CHUNK):
            file.write(chunk)
