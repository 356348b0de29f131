"""A company moved out and in: equal counts, nothing sent, and bad archives refused in words."""

import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import models
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import LeasedRow, LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus
from apps.desk.models import Rule, SlaClock, SlaPolicy
from apps.mail.models import Mail
from apps.movein.mapping.tables import BY_NAME, TABLES, Table
from apps.movein.models import CompanyArchive, LegacySource
from apps.movein.services import archive_importing
from apps.movein.services.archive_importing import import_archive
from apps.movein.services.archives import request_archive, write_due
from apps.movein.services.importing import ImportRefused
from apps.movein.services.run import Run, Step
from apps.movein.tests.conftest import rows_here
from apps.movein.tests.test_quiet import run_all_work
from apps.schedules.models import Schedule, ScheduleStatus
from apps.simulator.demo.company import DEMO_ADMIN
from apps.tickets.models import Delivery, Message, Ticket, TicketPriority
from tests import factories
from tests.events import Told

pytestmark = pytest.mark.django_db(transaction=True)
Files = dict[str, bytes]


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    settings.DATA_DIR = tmp_path / "data"


def moved_out(admin: User, path: Path, **options: Any) -> Path:
    request_archive(actor=admin, **{"has_media": True, "has_passwords": True, **options})
    assert write_due(limit=1) == 1
    with default_storage.open(CompanyArchive.objects.get(company=admin.company).path) as file:
        path.write_bytes(file.read())
    return path


def fill(company: Company) -> None:
    """Give a company a row of each table of which it has none."""
    for table in TABLES:
        if not table.rows(company.pk).exists():
            fields = table.model._meta.concrete_fields
            values = {each.name: _value_of(each, table, company) for each in fields if needs(each)}
            if issubclass(table.model, LeasedRow):
                values["state"] = LeaseState.DONE
            if table.model is Mail:
                values["is_written"] = True
            if table.model is Rule:
                values["trigger"] = {"when": values["when"]}
            if table.model is SlaPolicy:
                values["priority"] = TicketPriority.URGENT
            if table.model is SlaClock:
                values["ended_at"] = timezone.now()
            table.model._base_manager.create(**values)


def needs(field: "models.Field[Any, Any]") -> bool:
    is_key = field.primary_key and not field.is_relation
    return not (is_key or field.generated or field.null or field.has_default())


def _value_of(field: "models.Field[Any, Any]", table: Table, company: Company) -> Any:
    related = field.related_model
    if related is Company:
        return company
    if related is not None:
        (of,) = (each for each in TABLES if each.model is related)
        return of.rows(company.pk).order_by("pk").last()
    if field.attname in table.ids:
        last = BY_NAME[table.ids[field.attname]].rows(company.pk).order_by("pk").last()
        return last.pk if last else None
    if field.flatchoices:
        return field.flatchoices[0][0]
    if isinstance(field, models.DateTimeField):
        return timezone.now()
    if isinstance(field, models.DateField):
        return timezone.now().date()
    return "1" if isinstance(field, models.CharField | models.TextField) else 1


@pytest.fixture
def demo(transactional_db: None, tmp_path: Path) -> Path:
    """The archive of the demo company, with something in every table."""
    call_command("seed_demo", verbosity=0)
    admin = User.objects.get(email=DEMO_ADMIN)
    fill(admin.company)
    return moved_out(admin, tmp_path / "demo.tar")


@pytest.fixture
def small(admin: User, tmp_path: Path) -> Path:
    ticket = factories.make_ticket(admin.company)
    first = factories.make_message(ticket, body="Oi")
    factories.make_message(ticket, body="Sim?", quoted=first)
    return moved_out(admin, tmp_path / "small.tar")


def counts(company: Company) -> dict[str, int]:
    return {table.name: table.rows(company.pk).count() for table in TABLES}


def come(company: Company) -> Company:
    """Return the company that came of an archive."""
    return Company.objects.exclude(pk=company.pk).get(name__startswith=company.name)


def files_of(path: Path) -> Files:
    with tarfile.open(path) as tar:
        return {each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]


def write(path: Path, files: Files) -> Path:
    """Write an archive with right checksums."""
    files = {name: content for name, content in files.items() if name != "checksums.sha256"}
    lines = [f"{hashlib.sha256(each).hexdigest()}  {name}\n" for name, each in files.items()]
    files["checksums.sha256"] = "".join(lines).encode()
    with tarfile.open(path, "w") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return path


def with_manifest(files: Files, **changes: Any) -> Files:
    manifest = json.loads(files["manifest.json"]) | changes
    return {"manifest.json": json.dumps(manifest).encode()} | {
        name: content for name, content in files.items() if name != "manifest.json"
    }


def test_the_demo_company_moves_with_equal_counts_and_files(demo: Path) -> None:
    company = User.objects.get(email=DEMO_ADMIN).company
    before = counts(company)
    assert all(before.values())
    foretold = import_archive(path=demo, goes=False)
    assert counts(company) == before and not LegacySource.objects.exists()
    done = import_archive(path=demo, goes=True)
    copy = come(company)
    assert counts(copy) == before == counts(company)
    assert {name: each["made"] for name, each in done.tables.items()} == before
    assert foretold.tables == done.tables
    assert {code: note["count"] for code, note in foretold.notes.items()} == {
        code: note["count"] for code, note in done.notes.items()
    }
    # Nothing refers to another company's rows.
    for message in Message.objects.for_company(copy).select_related("ticket", "contact", "quoted"):
        assert {message.ticket.company_id, message.contact.company_id} == {copy.pk}
        assert message.quoted is None or message.quoted.company_id == copy.pk
    with_files = Message.objects.for_company(copy).exclude(media_path="")
    assert with_files.count() == Message.objects.for_company(company).exclude(media_path="").count()
    for message in with_files:
        assert message.media_path.startswith(f"{copy.pk}/")
        assert default_storage.exists(message.media_path)

    def told(of: Company) -> list[Any]:
        rows = Ticket.objects.for_company(of).order_by("pk")
        return list(rows.values_list("contact__name", "latest_message__body", "queue__name"))

    assert told(copy) == told(company)


def test_what_waits_is_not_sent_here_too(demo: Path, events: list[Told]) -> None:
    company = User.objects.get(email=DEMO_ADMIN).company
    told_before, waiting = len(events), Delivery.objects.count()
    import_archive(path=demo, goes=True)
    copy = come(company)
    assert len(events) == told_before
    Connection.objects.for_company(copy).update(status=ConnectionStatus.CONNECTED)
    before = Message.objects.for_company(copy).count()
    run_all_work()
    assert Message.objects.for_company(copy).count() == before
    assert not Delivery.objects.filter(company=copy).exists()
    assert Delivery.objects.count() <= waiting
    assert not Schedule.objects.for_company(copy).filter(status=ScheduleStatus.PENDING).exists()
    assert (
        not Schedule.objects.for_company(copy)
        .exclude(state__in=[LeaseState.DONE, LeaseState.FAILED])
        .exists()
    )


def test_a_second_run_adds_nothing_and_a_cut_off_one_goes_on(
    small: Path, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    carry_out = Run.carry_out

    def die(run: Run, step: Step) -> None:
        if step.table == "messages" and not run.is_dry:
            raise KeyboardInterrupt
        carry_out(run, step)

    monkeypatch.setattr(Run, "carry_out", die)
    with pytest.raises(KeyboardInterrupt):
        import_archive(path=small, goes=True)
    monkeypatch.undo()
    copy = come(acme)
    assert not Message.objects.for_company(copy).exists()
    import_archive(path=small, goes=True)
    assert counts(copy) == counts(acme)
    answer = Message.objects.for_company(copy).get(body="Sim?")
    assert answer.quoted is not None and answer.quoted.company_id == copy.pk
    before = rows_here()
    import_archive(path=small, goes=True)
    assert rows_here() == before


def test_what_was_deleted_here_may_come_again(small: Path, acme: Company) -> None:
    import_archive(path=small, goes=True)
    come(acme).delete()
    import_archive(path=small, goes=True)
    assert counts(come(acme)) == counts(acme)


def test_people_sign_in_with_their_passwords_under_a_free_address(
    small: Path, acme: Company, admin: User
) -> None:
    report = import_archive(path=small, goes=True)
    (user,) = User.objects.filter(company=come(acme), name=admin.name)
    assert user.email != admin.email and user.password == admin.password
    assert report.notes["email_changed"]["count"] == acme.users.count()


def test_nobody_becomes_super_by_an_archive(small: Path, acme: Company, tmp_path: Path) -> None:
    files = files_of(small)
    rows = [json.loads(line) | {"is_super": True} for line in files["users.jsonl"].splitlines()]
    files["users.jsonl"] = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    import_archive(path=write(tmp_path / "evil.tar", files), goes=True)
    assert not User.objects.filter(company=come(acme), is_super=True).exists()


def _damaged(files: Files, path: Path) -> Path:
    write(path, files)
    content = path.read_bytes()
    place = content.index(b'"body": "Oi"') + 9
    path.write_bytes(content[:place] + b"E" + content[place + 1 :])
    return path


def _row(table: str, **changes: Any) -> Callable[[Files, Path], Path]:
    def build(files: Files, path: Path) -> Path:
        rows = [json.loads(line) | changes for line in files[f"{table}.jsonl"].splitlines()]
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        return write(path, files | {f"{table}.jsonl": text.encode()})

    return build


def _twice(files: Files, path: Path) -> Path:
    (line,) = files["contacts.jsonl"].splitlines()
    row = json.loads(line)
    again = json.dumps(row | {"id": row["id"] + 1}).encode()
    tables = json.loads(files["manifest.json"])["tables"] | {"contacts": 2}
    return write(
        path, with_manifest(files, tables=tables) | {"contacts.jsonl": line + b"\n" + again}
    )


def _cut(files: Files, path: Path) -> Path:
    write(path, files)
    path.write_bytes(path.read_bytes()[:-40_960])
    return path


def _no_archive(_files: Files, path: Path) -> Path:
    path.write_text("Oi")
    return path


BAD: dict[str, tuple[Callable[[Files, Path], Path], str]] = {
    "damaged": (_damaged, "damaged"),
    "cut off": (_cut, "not whole|damaged"),
    "no archive": (_no_archive, "damaged"),
    "newer": (lambda files, path: write(path, with_manifest(files, schema=99)), "newer"),
    "a table of later": (
        lambda files, path: write(path, with_manifest(files, tables={"company": 1, "robots": 1})),
        "newer",
    ),
    "a backup": (
        lambda files, path: write(path, with_manifest(files, kind="")),
        "no archive of a company",
    ),
    "climbing": (lambda files, path: write(path, files | {"media/../../x": b"x"}), "holds"),
    "absolute": (
        lambda files, path: write(path, files | {str(path.with_name("x")): b"x"}),
        "holds",
    ),
    "fewer rows": (lambda files, path: write(path, files | {"tickets.jsonl": b""}), "names 1"),
    "no row": (lambda files, path: write(path, files | {"tickets.jsonl": b"[]\n"}), "no row"),
    "no json": (
        lambda files, path: write(path, files | {"tickets.jsonl": b"{\n"}),
        "can't be read",
    ),
    "deep": (
        lambda files, path: write(path, files | {"tickets.jsonl": b"[" * 200_000}),
        "can't be read",
    ),
    "no time": (_row("tickets", created_at="gestern"), "created_at can't be"),
    "no status": (_row("tickets", status="xyz"), "status can't be"),
    "too long": (_row("contacts", name="x" * 300), "longer than"),
    "no id": (_row("tickets", contact_id="1; DROP"), "no id"),
    "too large": (_row("tickets", unread_count=10**40), "too large"),
    "no file": (_row("messages", media_path=["x"]), "no name"),
    "twice": (_twice, "contradict"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_archive_is_refused_in_words_and_changes_nothing(
    name: str, small: Path, tmp_path: Path
) -> None:
    build, sentence = BAD[name]
    path = build(files_of(small), tmp_path / "bad.tar")
    before = rows_here()
    with pytest.raises(ImportRefused, match=sentence):
        import_archive(path=path, goes=True)
    if sentence != "contradict":  # found by the database alone
        assert rows_here() == before
    assert not (tmp_path / "x").exists()


def test_a_path_in_a_row_never_leaves_the_archive(
    small: Path, acme: Company, tmp_path: Path
) -> None:
    (tmp_path / "secret.pdf").write_bytes(b"%PDF-secret")
    files = files_of(small) | {"media/ok.pdf": b"%PDF-1.4"}
    build = _row("messages", media_path="../../secret.pdf", media_state="ready")
    import_archive(path=build(files, tmp_path / "evil.tar"), goes=True)
    for message in Message.objects.for_company(come(acme)):
        assert (message.media_path, message.media_state) == ("", "failed")


def test_the_command_reports_first(small: Path, capsys: Any, tmp_path: Path) -> None:
    call_command("import_company", str(small), "--language", "en", "--report", tmp_path / "r.json")
    assert "Dry run" in capsys.readouterr().out
    assert json.loads((tmp_path / "r.json").read_text())["isDryRun"] is True
    with pytest.raises(CommandError, match="could not be read"):
        call_command("import_company", str(tmp_path / "none.tar"))


@pytest.fixture(autouse=True)
def _nothing_stays(settings: Any) -> Iterator[None]:
    yield
    left = [each.name for each in settings.DATA_DIR.iterdir()] if settings.DATA_DIR.exists() else []
    assert not [name for name in left if name.startswith(".")], archive_importing.__name__
