"""One run of an import: its batches, what became of each row, and its progress.

A batch of rows, their `LegacyRow`s and the progress are one short transaction. A dry run maps the
same rows in the same order and keeps in a local file what a later row has to know.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connection as database
from django.db import transaction
from django.db.models import F, Max, Model
from django.utils import timezone

from apps.common.bulk import insert_rows, take_keys
from apps.movein.mapping.values import Remarks
from apps.movein.models import LegacyRow, LegacySource, LegacyTable
from apps.movein.readers import CHUNK, Reader, Row
from apps.movein.services.notebook import Notebook

MOST_EXAMPLES = 5
Key = tuple[Any, ...]


class RunsElsewhere(Exception):
    """Another run imports the same source at this moment."""


class Ref(NamedTuple):
    """What a row of theirs became: our id, and the company of our row."""

    our_id: int
    company_id: int | None


@dataclass(frozen=True)
class Step:
    """A pass over one table: `take` gets its rows in batches, in this order.

    `name` names its progress; it is the table's, except of a second pass. `given` names a column
    that must have a value. `is_whole`: all rows are one batch, because they refer to each other.
    """

    table: str
    take: "Callable[[Run, list[Row]], None]"
    order: tuple[str, ...] = ("id",)
    name: str = ""
    given: str = ""
    leaves_out: tuple[str, ...] = ()
    is_whole: bool = False
    # Reads something else than the table, behind a key.
    read: "Callable[[Run, Any], Iterator[Row]] | None" = None

    @property
    def title(self) -> str:
        return self.name or self.table


class Run:
    """A run over one source. With `is_dry` nothing is written to our database."""

    def __init__(
        self,
        *,
        reader: Reader,
        source: LegacySource,
        is_dry: bool,
        media: Path | None = None,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self.reader, self.source, self.is_dry, self.media = reader, source, is_dry, media
        self.say = say
        self.now = timezone.now()
        self.tables: dict[str, LegacyTable] = {}
        self.remarks = Remarks()
        self._table = LegacyTable()
        self._batch: dict[tuple[str, Key], int] = {}
        self._rows: dict[tuple[str, int], Ref] = {}
        self._touched: dict[str, LegacyTable] = {}
        self._reserved: set[type[Model]] = set()
        self._next_dry = 0
        # The LIDs that messages of the source came from; read once, if at all.
        self.lids: frozenset[str] | None = None
        self._notebook = Notebook() if is_dry else None
        if not is_dry:
            self.tables = {each.name: each for each in source.tables.all()}

    def close(self) -> None:
        if self._notebook is not None:
            self._notebook.close()

    def carry_out(self, step: Step) -> None:
        """Take all rows of a step that no earlier run has taken.

        Raises RunsElsewhere. A killed run goes on behind its last committed batch.
        """
        after = self.table(step.title).last_key
        rows: Any = (
            step.read(self, after)
            if step.read
            else self.reader.rows(
                step.table,
                order=step.order,
                after=after,
                given=step.given,
                leaves_out=step.leaves_out,
            )
        )
        with closing(rows):
            size = None if step.is_whole else CHUNK
            while batch := list(islice(rows, size)):
                with self._batch_of(step.title):
                    self.count(read=len(batch))
                    step.take(self, batch)
                    self._table.last_key = [_plain(batch[-1][name]) for name in step.order]
                self.say(f"{step.title}: {self._table.counts.get('read', 0)}")

    def table(self, name: str) -> LegacyTable:
        if name not in self.tables:
            self.tables[name] = LegacyTable(source=self.source, name=name)
        return self.tables[name]

    def count(self, table: str = "", **counts: int) -> None:
        """Add to the counts of the step, or of another table whose rows came along with it."""
        found = self.table(table or self._table.name)
        self._touched[found.name] = found
        kept = found.counts
        for name, number in counts.items():
            if number:
                kept[name] = kept.get(name, 0) + number

    def leave(self, code: str, example: object = "", *, table: str = "") -> None:
        """Record that a row of theirs was left out, and why."""
        self.remarks.add(code, example)
        self.count(table, left=1)

    # What became of rows.

    def refs(self, table: str, ids: Iterable[Any]) -> dict[int, Ref]:
        """Return what rows of theirs became, by their ids; those that were left out are missing."""
        wanted = {int(each) for each in ids if each is not None}
        found = {each: ref for each in wanted if (ref := self._rows.get((table, each)))}
        missing = list(wanted - found.keys())
        if not missing:
            return found
        if self._notebook is not None:
            kept = self._notebook.rows(table, missing)
            return found | {legacy: Ref(*ref) for legacy, ref in kept.items()}
        stored = LegacyRow.objects.filter(source=self.source, table=table, legacy_id__in=missing)
        rows = stored.values_list("legacy_id", "our_id", "company_id")
        return found | {legacy: Ref(own, company) for legacy, own, company in rows}

    def remember(self, table: str, legacy_id: int, our_id: int, company_id: int | None) -> None:
        """Record what a row became: a new row, or one that was there already."""
        self._rows[table, legacy_id] = Ref(our_id, company_id)

    def number(
        self, model: type[Model], legacy_ids: Sequence[int], *, table: str = ""
    ) -> dict[int, int]:
        """Return new ids for rows of theirs: the same ones where this run keeps ids."""
        if not legacy_ids:
            return {}
        if self.is_dry:
            return {each: self.fresh(model, 1)[0] for each in legacy_ids}
        kept: dict[int, int] = {}
        if self.source.keeps_ids and table:
            self._reserve(model, table)
            present = set(
                model._default_manager.filter(pk__in=legacy_ids).values_list("pk", flat=True)
            )
            kept = {each: each for each in legacy_ids if each not in present and each > 0}
        rest = [each for each in legacy_ids if each not in kept]
        return kept | dict(zip(rest, self.fresh(model, len(rest)), strict=True))

    def fresh(self, model: type[Model], count: int) -> Sequence[int]:
        """Return ascending ids for new rows; in a dry run numbers below zero."""
        if not self.is_dry:
            return take_keys(model, count) if count else ()
        self._next_dry -= count
        return range(self._next_dry, self._next_dry + count)

    def insert(self, rows: Sequence[Model]) -> None:
        if not self.is_dry:
            insert_rows(rows)

    # What must be unique.

    def holders(
        self, kind: str, keys: Iterable[Key], stored: Callable[[list[Key]], dict[Key, int]]
    ) -> dict[Key, int]:
        """Return the ids of rows that have these unique values already.

        `stored` looks them up in the database. Rows of this batch, and of a dry run, are known by
        `hold`.
        """
        wanted = set(keys)
        found = {each: own for each in wanted if (own := self._batch.get((kind, each)))}
        missing = list(wanted - found.keys())
        if self._notebook is not None and missing:
            found |= self._notebook.holders(kind, missing)
            missing = [each for each in missing if each not in found]
        return found | (stored(missing) if missing else {})

    def hold(self, kind: str, key: Key, our_id: int) -> None:
        self._batch[kind, key] = our_id

    def free_name(
        self, kind: str, company_id: int | None, name: str, most: int, stored: Callable[..., Any]
    ) -> str:
        """Return the name, or the first of `name (2)`, `name (3)` … that nobody has.

        Names are compared as `kind`'s keys: a company and the name in lower case.
        """
        for number in range(1, 10_000):
            ending = f" ({number})" if number > 1 else ""
            told = f"{name[: most - len(ending)]}{ending}"
            if not self.holders(kind, [(company_id, told.lower())], stored):
                return told
        raise AssertionError("unreachable")

    @contextmanager
    def _batch_of(self, name: str) -> Iterator[None]:
        self._batch.clear()
        self._rows.clear()
        self._touched.clear()
        self.remarks = Remarks()
        self._table = self.table(name)
        if self._notebook is not None:
            yield
            self._notebook.keep(self._rows, self._batch)
            self._note()
            return
        with transaction.atomic():
            # Tables whose rows came along have their own progress rows.
            yield
            insert_rows(self._legacy_rows())
            self._note()
            self._advance()

    def _legacy_rows(self) -> list[LegacyRow]:
        ids = take_keys(LegacyRow, len(self._rows)) if self._rows else ()
        return [
            LegacyRow(
                pk=pk,
                source=self.source,
                table=table,
                legacy_id=legacy_id,
                our_id=ref.our_id,
                company_id=ref.company_id,
            )
            for pk, ((table, legacy_id), ref) in zip(ids, self._rows.items(), strict=True)
        ]

    def _note(self) -> None:
        notes = self._table.notes
        for code, example in self.remarks.found:
            note = notes.setdefault(code, {"count": 0, "examples": []})
            note["count"] += 1
            examples = note["examples"]
            if example and len(examples) < MOST_EXAMPLES and example not in examples:
                examples.append(example)

    def _advance(self) -> None:
        for table in self._touched.values():
            if table is not self._table:
                table.save()
        if self._table.pk is None:
            self._table.step = 1
            self._table.save()
            return
        rows = LegacyTable.objects.filter(pk=self._table.pk, step=self._table.step)
        moved = rows.update(
            step=F("step") + 1,
            last_key=self._table.last_key,
            counts=self._table.counts,
            notes=self._table.notes,
        )
        if not moved:
            raise RunsElsewhere
        self._table.step += 1

    def _reserve(self, model: type[Model], table: str) -> None:
        """Have new rows of others numbered behind all ids that this run keeps."""
        if model in self._reserved:
            return
        self._reserved.add(model)
        largest = self.reader.largest(table, "id")
        if database.vendor != "postgresql":
            return  # SQLite numbers behind the largest id by itself
        own = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
        with database.cursor() as cursor:
            sequence = "pg_get_serial_sequence(%s, 'id')"
            name = model._meta.db_table
            cursor.execute(
                f"SELECT setval({sequence}, GREATEST(nextval({sequence}), %s, %s))",
                [name, name, largest, own],
            )


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
