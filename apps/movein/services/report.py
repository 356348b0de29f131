"""The report of an import, or of a dry run of one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.movein.mapping.columns import KNOWN
from apps.movein.models import LegacySource, LegacyTable
from apps.movein.words import HEADINGS, LANGUAGES, NOTES

KINDS = ("merged", "lost", "care")
COUNTS = ("read", "made", "merged", "left")


@dataclass(frozen=True)
class Report:
    """What became of each table, and what the operator has to know.

    `tables`: the counts of COUNTS by table. `notes`: how often, with examples, by code.
    `strangers`: tables and columns that the import does not know. `unread`: rows that the source
    has and no run has read, by table.
    """

    source: str
    is_dry: bool
    keeps_ids: bool
    tables: Mapping[str, Mapping[str, int]]
    notes: Mapping[str, Mapping[str, Any]]
    strangers: Sequence[str]
    unread: Mapping[str, int]

    def text(self, language: str) -> str:
        """Return lines for a terminal: what comes, is merged, is lost and needs care.

        `language` is a key of LANGUAGES.
        """
        place = LANGUAGES[language]

        def say(name: str) -> str:
            return HEADINGS[name][place]

        lines = [
            self.source,
            say("dry" if self.is_dry else "done"),
            say("keeps" if self.keeps_ids else "renumbers"),
            "",
            f"{say('comes')} ({say('columns')})",
        ]
        lines += [
            f"  {name}: {' / '.join(f'{counts.get(each, 0)}' for each in COUNTS)}"
            for name, counts in self.tables.items()
        ]
        for kind in KINDS:
            lines += ["", say(kind)]
            told = [
                f"  {note['count']} {NOTES[code][1][place]}{_examples(note)}"
                for code, note in self.notes.items()
                if NOTES[code][0] == kind
            ]
            lines += told or [f"  {say('nothing')}"]
        if self.strangers:
            lines += ["", say("strangers"), f"  {', '.join(self.strangers)}"]
        if self.unread:
            lines += ["", say("open")]
            lines += [f"  {name}: {count}" for name, count in self.unread.items()]
        return "\n".join(lines)

    def plain(self, language: str) -> dict[str, Any]:
        """Return the report as JSON, its notes with their sentences."""
        place = LANGUAGES[language]
        return {
            "source": self.source,
            "isDryRun": self.is_dry,
            "keepsIds": self.keeps_ids,
            "tables": {name: dict(counts) for name, counts in self.tables.items()},
            "notes": [
                {
                    "code": code,
                    "kind": NOTES[code][0],
                    "text": NOTES[code][1][place],
                    "count": note["count"],
                    "examples": note["examples"],
                }
                for code, note in self.notes.items()
            ],
            "strangers": list(self.strangers),
            "unread": dict(self.unread),
        }


def report_of(
    source: LegacySource,
    tables: Sequence[LegacyTable],
    *,
    is_dry: bool,
    strangers: Sequence[str],
    counted: Mapping[str, int],
) -> Report:
    """Return the report of all runs over a source; `counted` are its rows by table."""
    counts: dict[str, Counter[str]] = {}
    notes: dict[str, dict[str, Any]] = {}
    for table in tables:
        if table.counts and ("#" not in table.name or table.name == "Messages#files"):
            counts[table.name] = Counter(table.counts)
        for code, note in table.notes.items():
            kept = notes.setdefault(code, {"count": 0, "examples": []})
            kept["count"] += note["count"]
            kept["examples"] = [*kept["examples"], *note["examples"]][:5]
    read = {name: kept.get("read", 0) for name, kept in counts.items()}
    return Report(
        source=source.name,
        is_dry=is_dry,
        keeps_ids=source.keeps_ids,
        tables={name: dict(kept) for name, kept in counts.items()},
        notes=dict(sorted(notes.items(), key=lambda each: -each[1]["count"])),
        strangers=strangers,
        unread={
            name: rows - read.get(name, 0)
            for name, rows in sorted(counted.items())
            if name in KNOWN and rows > read.get(name, 0)
        },
    )


def _examples(note: Mapping[str, Any]) -> str:
    return f" ({'; '.join(note['examples'])})" if note["examples"] else ""
