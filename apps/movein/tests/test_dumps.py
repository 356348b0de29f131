"""Dumps, into either of our databases."""

import gzip
import subprocess
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.companies.models import Company
from apps.contacts.models import Contact
from apps.movein.models import LegacyRow
from apps.movein.readers import Row, SourceUnreadable, open_reader
from apps.movein.readers.dumps import parse_dump
from apps.movein.services.importing import ImportRefused
from apps.movein.services.run import Run
from apps.movein.services.steps import STEPS
from apps.movein.tests.bakery import shop_b
from apps.movein.tests.conftest import Sourced, dry, dumped, go, rows_here
from apps.movein.tests.shop import shop_a
from apps.tickets.models import Message, Rating, Ticket, TrackingCycle
from tests.services import postgres_program

COPIED = """\
SET client_encoding = 'UTF8';
CREATE TABLE public."Tags" (
    id integer NOT NULL,
    name text,
    "createdAt" timestamp with time zone
);
COPY public."Tags" (id, name, "createdAt") FROM stdin;
1\ta\\tb\\\\N\\n\t2024-01-01 00:00:00-03
2\t\\N\t2024-01-01 02:00:00.5+00
\\.


INSERT INTO public."Users" (id, name) VALUES (1, 'd''Ávila \\'), (2, E'x\\'y\\n');
INSERT INTO public."Users" (id, name) VALUES
\t(3, 'two
lines; (one), row'),
\t(4, NULL);
"""


def test_what_pg_dump_writes_is_read() -> None:
    rows = [(table, row) for table, _, row in parse_dump(StringIO(COPIED))]
    assert rows == [
        ("Tags", ["1", "a\tb\\N\n", "2024-01-01 00:00:00-03"]),
        ("Tags", ["2", None, "2024-01-01 02:00:00.5+00"]),
        ("Users", ["1", "d'Ávila \\"]),
        ("Users", ["2", "x'y\n"]),
        ("Users", ["3", "two\nlines; (one), row"]),
        ("Users", ["4", None]),
    ]


@pytest.mark.parametrize("end", ["\\.\n", "(3, 'two", "\t(4, NULL);"])
def test_a_dump_that_is_cut_off_is_refused(end: str) -> None:
    with pytest.raises(SourceUnreadable):
        list(parse_dump(StringIO(COPIED[: COPIED.index(end)])))


def test_times_with_an_offset_are_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "dump.sql"
    path.write_text(COPIED)
    reader = open_reader(str(path))
    rows: list[Row] = list(reader.rows("Tags", order=("createdAt", "id")))
    reader.close()
    assert [each["id"] for each in rows] == [2, 1]


@pytest.fixture
def dump(tmp_path: Path) -> str:
    return dumped(shop_a(), tmp_path / "dump.sql")


def test_a_dump_comes_once(operator_company: Company, dump: str) -> None:
    before = rows_here()
    told = dry(dump)
    assert rows_here() == before
    done = go(dump)
    assert told.tables.items() <= done.tables.items()
    assert {code: note["count"] for code, note in told.notes.items()} == {
        code: note["count"] for code, note in done.notes.items()
    }
    names = list(Message.objects.order_by("pk").values_list("external_id", flat=True))
    assert names == ["M1", "M2", "M3", "F1", "F2", "L1", "V1", "G1"]
    assert Message.objects.get(external_id="M1").body == "oi\x1f 😀"
    assert Rating.objects.get().rate == 3
    assert set(Ticket.objects.values_list("pk", flat=True)) == {1, 2, 3, 4}
    assert Contact.objects.create(
        company_id=2, name="Depois", number="1", canonical_number="1"
    ).pk > max(LegacyRow.objects.filter(table="Contacts").values_list("our_id", flat=True))
    after = rows_here()
    go(dump)
    assert rows_here() == after


def test_a_second_dump_gets_new_ids(operator_company: Company, dump: str, tmp_path: Path) -> None:
    go(dump)
    go(dumped(shop_b(), tmp_path / "b.sql"), name="padaria")
    bakery = Company.objects.get(name="Padaria")
    assert sorted(
        TrackingCycle.objects.for_company(bakery).values_list("ticket__status", flat=True)
    ) == ["closed", "open"]
    assert Message.objects.count() == 10


class Stopped(Exception):
    pass


@pytest.mark.parametrize("last", [each.title for each in STEPS])
def test_a_run_that_stops_anywhere_is_gone_on_from(
    operator_company: Company, dump: str, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """Stop in the middle of a batch of each step, after its rows were written."""
    store = Run._note

    def stop(run: Run) -> None:
        if run._table.name == last:
            raise Stopped
        store(run)

    with monkeypatch.context() as broken, suppress(Stopped):
        broken.setattr(Run, "_note", stop)
        go(dump)
    done = go(dump)
    assert Message.objects.count() == 8 and Ticket.objects.count() == 4
    assert done.unread == {}


def test_a_compressed_dump_comes_as_well(
    operator_company: Company, dump: str, tmp_path: Path
) -> None:
    path = tmp_path / "dump.sql.gz"
    path.write_bytes(gzip.compress(Path(dump).read_bytes()))
    go(str(path))
    assert Message.objects.count() == 8


def test_what_is_no_dump_is_refused(db: None, tmp_path: Path) -> None:
    path = tmp_path / "photo.sql"
    for content in (b"\xff\xd8\xff\xe0", b"hello\n", b"\x1f\x8bnothing", b""):
        path.write_bytes(content)
        with pytest.raises(ImportRefused):
            dry(str(path))


@pytest.mark.postgres
@pytest.mark.parametrize(
    "options",
    [
        ["--format=plain"],
        ["--format=plain", "--inserts"],
        ["--format=plain", "--rows-per-insert=2"],
        ["--format=custom"],
    ],
)
def test_what_a_real_pg_dump_writes_comes(
    operator_company: Company, source: Sourced, tmp_path: Path, options: list[str]
) -> None:
    path = tmp_path / "dump"
    address = source(shop_a())
    program = postgres_program("pg_dump")
    subprocess.run([program, address, "-f", str(path), *options], check=True)
    told = go(str(path))
    assert Message.objects.count() == 8 and Ticket.objects.count() == 4
    assert Message.objects.get(external_id="M2").quoted is not None
    assert told.unread == {} and told.strangers == []


def test_the_command_reports_in_words_and_in_a_file(
    operator_company: Company, dump: str, tmp_path: Path
) -> None:
    out, report = StringIO(), tmp_path / "report.json"
    call_command("import_whaticket", dump, "--language=en", f"--report={report}", stdout=out)
    assert "Dry run: nothing was written" in out.getvalue()
    assert '"isDryRun": true' in report.read_text()
    assert not LegacyRow.objects.exists()
    out = StringIO()
    call_command("import_whaticket", dump, "--go", "--language=es", stdout=out)
    assert "La importación terminó" in out.getvalue()
    assert LegacyRow.objects.exists()
    for wrong in (["--go", "--dry-run"], ["--language=xx"]):
        with pytest.raises(CommandError):
            call_command("import_whaticket", dump, *wrong)
    with pytest.raises(CommandError, match="neither"):
        call_command("import_whaticket", "/none")
