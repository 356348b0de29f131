"""Writing a company's archive (rules/moving-out §3).

Tables are read from the last to the first: what a row refers to is read after it, so that it is in
the archive too, without a snapshot that would stop writers or hold vacuum back. Files are read
after their rows.
"""

import hashlib
import json
import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage

from apps.common.archives import MEDIA, ArchiveWriter
from apps.companies.models import Company
from apps.movein.mapping.archive_values import PLAN_FIELDS, plain
from apps.movein.mapping.tables import TABLES, Table, columns_of

KIND = "company"
# Raised by every change that an older version could not read.
SCHEMA = 1
ENDING = ".jsonl"
CHUNK = 2000
# The list of files to be copied, in the folder where an archive is written.
FILES = "files.txt"


@dataclass
class Written:
    """What an archive holds: rows by table, files, and how many files were gone."""

    tables: dict[str, int] = field(default_factory=dict)
    files: int = 0
    missing: int = 0


class CompanyArchiveWriter:
    """Writes the archive of one company; `tell(rows, files)` hears how far it is, and may raise."""

    def __init__(
        self,
        company: Company,
        *,
        has_media: bool,
        has_passwords: bool,
        tell: Callable[[int, int], None],
    ) -> None:
        self.company, self.has_media, self.has_passwords = company, has_media, has_passwords
        self.tell = tell
        self.written = Written()
        self._rows = 0
        # Digests of stored paths: several rows may show one file.
        self._seen: set[bytes] = set()

    def write(self, folder: Path) -> Path:
        """Write the archive into an empty folder, and return its path; raises OSError."""
        with (folder / FILES).open("w", encoding="utf-8") as files:
            for table in reversed(TABLES):
                with (folder / f"{table.name}{ENDING}").open("w", encoding="utf-8") as rows:
                    for line in self._lines(table, files.write):
                        rows.write(line)
        path = folder / "archive.tar"
        with path.open("xb") as out:
            archive = ArchiveWriter(out, self._manifest())
            for table in TABLES:
                name = f"{table.name}{ENDING}"
                archive.add(name, folder / name)
                (folder / name).unlink()
            self._add_files(archive, folder)
            archive.finish()
        return path

    def _lines(self, table: Table, keep: Callable[[str], Any]) -> Iterator[str]:
        columns = [
            each
            for each in columns_of(table.name)
            if self.has_passwords or each.name not in table.asked
        ]
        names = [each.name for each in columns]
        found = table.rows(self.company.pk).order_by("pk").values_list(*names)
        count = 0
        for values in found.iterator(CHUNK):
            row = dict(zip(names, values, strict=True))
            for name in table.files:
                row[name] = self._inside(row[name], keep)
            for name in table.listed:
                row[name] = [
                    each | {"path": self._inside(each.get("path", ""), keep)} for each in row[name]
                ]
            yield f"{json.dumps(row, default=plain, ensure_ascii=False)}\n"
            count += 1
            if count % CHUNK == 0:
                self.tell(self._rows + count, 0)
        self.written.tables[table.name] = count
        self._rows += count
        self.tell(self._rows, 0)

    def _inside(self, path: str, keep: Callable[[str], Any]) -> str:
        """Return a file's name in the archive, and keep it in the list of files to come."""
        own = f"{self.company.pk}/"
        if not path or not path.startswith(own):
            return ""
        digest = hashlib.blake2b(path.encode(), digest_size=8).digest()
        if self.has_media and digest not in self._seen:
            self._seen.add(digest)
            keep(f"{path}\n")
        return path.removeprefix(own)

    def _add_files(self, archive: ArchiveWriter, folder: Path) -> None:
        copy = folder / "copy"
        with (folder / FILES).open(encoding="utf-8") as files:
            for number, line in enumerate(files, 1):
                path = line.removesuffix("\n")
                try:
                    with default_storage.open(path, "rb") as source, copy.open("wb") as target:
                        shutil.copyfileobj(source, target, 1024 * 1024)
                except OSError:  # deleted since its row was read
                    self.written.missing += 1
                    continue
                archive.add(f"{MEDIA}/{path.partition('/')[2]}", copy)
                self.written.files += 1
                if number % 20 == 0:
                    self.tell(self._rows, self.written.files)

    def _manifest(self) -> dict[str, Any]:
        plan = self.company.plan
        return {
            "kind": KIND,
            "schema": SCHEMA,
            "version": settings.VERSION,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "archive": str(uuid.uuid4()),
            "company": self.company.name,
            "plan": {name: plain(getattr(plan, name)) for name in PLAN_FIELDS},
            "tables": dict(self.written.tables),
            "has_media": self.has_media,
            "has_passwords": self.has_passwords,
        }
