"""What a dry run has to know of earlier rows: a local file, so that memory stays bounded."""

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# SQLite's statements have 32,766 parameters at most, those of older versions 999.
MOST_PARAMETERS = 900


class Notebook:
    """Rows that would have been made, by the older product's ids and by their unique values."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="movein-dry-"))
        self._file = sqlite3.connect(self._folder / "notes.sqlite3", isolation_level=None)
        self._file.execute("PRAGMA journal_mode = OFF")
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.execute(
            "CREATE TABLE made (of TEXT, legacy INTEGER, own INTEGER, company INTEGER,"
            " PRIMARY KEY (of, legacy)) WITHOUT ROWID"
        )
        self._file.execute(
            "CREATE TABLE held (kind TEXT, key TEXT, own INTEGER, PRIMARY KEY (kind, key))"
            " WITHOUT ROWID"
        )

    def close(self) -> None:
        self._file.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def keep(
        self, rows: Mapping[tuple[str, int], Any], held: Mapping[tuple[str, Any], int]
    ) -> None:
        self._file.execute("BEGIN")
        self._file.executemany(
            "INSERT OR REPLACE INTO made VALUES (?, ?, ?, ?)",
            [(table, legacy, ref[0], ref[1]) for (table, legacy), ref in rows.items()],
        )
        self._file.executemany(
            "INSERT OR REPLACE INTO held VALUES (?, ?, ?)",
            [(kind, _text(key), own) for (kind, key), own in held.items()],
        )
        self._file.execute("COMMIT")

    def rows(self, table: str, ids: Sequence[int]) -> dict[int, tuple[int, int | None]]:
        found: dict[int, tuple[int, int | None]] = {}
        for place in range(0, len(ids), MOST_PARAMETERS):
            part = ids[place : place + MOST_PARAMETERS]
            places = ", ".join("?" * len(part))
            rows = self._file.execute(
                f"SELECT legacy, own, company FROM made WHERE of = ? AND legacy IN ({places})",  # noqa: S608
                [table, *part],
            )
            found.update((legacy, (own, company)) for legacy, own, company in rows)
        return found

    def holders(self, kind: str, keys: Sequence[Any]) -> dict[Any, int]:
        texts = {_text(key): key for key in keys}
        found: dict[Any, int] = {}
        names = list(texts)
        for place in range(0, len(names), MOST_PARAMETERS):
            part = names[place : place + MOST_PARAMETERS]
            places = ", ".join("?" * len(part))
            rows = self._file.execute(
                f"SELECT key, own FROM held WHERE kind = ? AND key IN ({places})",  # noqa: S608
                [kind, *part],
            )
            found.update((texts[key], own) for key, own in rows)
        return found


def _text(key: Any) -> str:
    return json.dumps(key, default=str)
