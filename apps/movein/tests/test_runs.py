"""Dry runs, second runs, killed runs and several sources."""

import os
import signal
import subprocess
import sys
import time
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection as database

from apps.companies.models import Company
from apps.contacts.models import Contact
from apps.movein.models import LegacyRow, LegacySource, LegacyTable
from apps.movein.services.importing import ImportRefused
from apps.movein.tests.bakery import shop_b
from apps.movein.tests.conftest import Sourced, dry, go, rows_here
from apps.movein.tests.legacy import FORK_A, Legacy
from apps.movein.tests.shop import later, shop_a
from apps.tickets.models import Message, Ticket
from tests.product import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_a_dry_run_writes_nothing_and_foretells(operator_company: Company, source: Sourced) -> None:
    address, before = source(shop_a()), rows_here()
    told = dry(address)
    assert rows_here() == before
    assert "Ensaio" in told.text("pt") and "Dry run" in told.text("en")
    done = go(address)
    assert told.tables == {name: done.tables[name] for name in told.tables}
    foretold = {code: note["count"] for code, note in told.notes.items()}
    assert foretold == {code: note["count"] for code, note in done.notes.items()}


def test_a_second_run_adds_nothing_but_what_is_new(
    operator_company: Company, source: Sourced
) -> None:
    legacy = shop_a()
    address = source(legacy)
    first = go(address)
    before = rows_here()
    assert go(address).tables == first.tables
    assert rows_here() == before
    legacy.rows = {table: [] for table in legacy.rows}
    legacy.add("Contacts", id=70, name="Nova", number="5511900000070", companyId=2, email="")
    legacy.add(
        "Messages",
        id="NEW",
        ticketId=3,
        contactId=3,
        body="de volta",
        companyId=2,
        fromMe=False,
        createdAt=later(500),
    )
    with psycopg.connect(address) as more:
        legacy.to_postgres(more)
    go(address)
    assert Contact.objects.get(name="Nova").pk == 70
    assert Message.objects.get(external_id="NEW").pk == Message.objects.latest("pk").pk
    assert Ticket.objects.get(pk=3).status == "closed"
    assert rows_here()["contacts.Contact"] == before["contacts.Contact"] + 1


def test_a_second_installation_gets_new_ids(operator_company: Company, source: Sourced) -> None:
    go(source(shop_a()))
    report = go(source(shop_b()), name="padaria")
    assert not report.keeps_ids
    bakery = Company.objects.get(name="Padaria")
    assert bakery.pk > 2 and bakery.plan.name == "Plano 1 (2)"
    # Theirs was the operator of another service.
    assert Company.objects.filter(name="Dona").exclude(pk=1).exists()
    assert Ticket.objects.for_company(bakery).count() == 2
    rows = LegacyRow.objects.filter(source__name="padaria", table="Tickets")
    assert set(rows.values_list("our_id", flat=True)) == set(
        Ticket.objects.for_company(bakery).values_list("pk", flat=True)
    )
    assert all(
        each.company_id == each.contact.company_id == each.ticket.company_id
        for each in Message.objects.select_related("contact", "ticket")
    )


def test_the_same_dump_twice_under_two_names_keeps_companies_apart(
    operator_company: Company, source: Sourced
) -> None:
    address = source(shop_a())
    go(address)
    go(address, name="outra")
    names = set(Company.objects.values_list("name", flat=True))
    assert names == {"Operadora", "Loja da Ana", "Operadora (2)", "Loja da Ana (2)"}
    assert Message.objects.count() == 16
    assert len(set(Ticket.objects.values_list("uuid", flat=True))) == 8


def test_what_is_no_source_is_refused(db: None, source: Sourced, tmp_path: Any) -> None:
    with pytest.raises(ImportRefused, match="neither the address"):
        dry(str(tmp_path / "none.sql"))
    with pytest.raises(ImportRefused, match="could not be opened"):
        dry("postgres://nobody@127.0.0.1:1/none")
    with pytest.raises(ImportRefused, match="no table Users"):
        dry(source(Legacy({"Companies": FORK_A["Companies"]})))
    with pytest.raises(ImportRefused, match="is not a folder"):
        dry(source(shop_a()), media=tmp_path / "none")
    assert not LegacySource.objects.exists()


def test_unknown_tables_and_columns_are_named(db: None, source: Sourced) -> None:
    tables = FORK_A | {"Flows": "id:int name"}
    tables["Contacts"] += " birthday"
    report = dry(source(Legacy(tables)))
    assert report.strangers == ["Contacts.birthday", "Flows"]


def test_an_older_fork_without_columns_comes_with_defaults(
    operator_company: Company, source: Sourced
) -> None:
    legacy = shop_a()
    for table, missing in (
        ("Contacts", ("contactId", "lid", "phoneNumber", "ignoreMessages", "whatsappId")),
        ("Messages", ("isEdited",)),
        ("Whatsapps", ("expiresTicket", "maxUseBotQueues", "promptId", "integrationId")),
    ):
        for name in missing:
            del legacy.columns[table][name]
            for row in legacy.rows[table]:
                del row[name]
    for table in ("Prompts", "QueueIntegrations", "Files", "FilesOptions", "UserRatings"):
        del legacy.columns[table], legacy.rows[table]
    go(source(legacy))
    assert Message.objects.count() == 8
    # A message came from its LID.
    assert Contact.objects.get(name="Sem número").canonical_number.startswith("lid:")


COUNT = 12_000


def long_talk() -> Legacy:
    legacy = Legacy(FORK_A)
    legacy.add("Companies", name="Operadora", status=True)
    legacy.add("Companies", name="Loja", status=True)
    legacy.add("Whatsapps", name="Loja", companyId=2)
    for number in range(1, 301):
        legacy.add("Contacts", name=f"C{number}", number=f"55119876{number:05}", companyId=2)
        legacy.add("Tickets", status="closed", contactId=number, whatsappId=1, companyId=2)
    for number in range(COUNT):
        ticket = number % 300 + 1
        quoted = f"M{number - 300}" if number % 7 == 0 and number >= 300 else None
        row = legacy.rows["Messages"]
        row.append(
            dict.fromkeys(legacy.columns["Messages"])
            | {
                "id": f"M{number}",
                "ticketId": ticket,
                "contactId": ticket,
                "companyId": 2,
                "fromMe": number % 2 == 0,
                "body": f"texto {number}",
                "quotedMsgId": quoted,
                "createdAt": later(number / 10),
                "updatedAt": later(number / 10),
            }
        )
    return legacy


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("processes")
def test_a_killed_run_is_gone_on_from(operator_company: Company, source: Sourced) -> None:
    """Kill a real process with some batches committed, twice; then let one finish."""
    address = source(long_talk())
    command = [sys.executable, "manage.py", "import_whaticket", address, "--go", "--name", "loja"]
    told = settings.DATABASES["default"]
    url = f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}/{told['NAME']}"
    environment = {**os.environ, "DATABASE_URL": url}

    def read() -> int:
        found = LegacyTable.objects.filter(name="Messages").first()
        return found.counts.get("read", 0) if found else 0

    for least in (1, 4000):
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        deadline = time.monotonic() + 60
        while read() < least and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        _, complaint = process.communicate()
        assert process.returncode == -signal.SIGKILL, complaint.decode()
        assert 0 < read() < COUNT, "the run ended before it was killed"
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()
    database.close()
    bodies = list(Message.objects.order_by("pk").values_list("body", flat=True))
    assert bodies == [f"texto {number}" for number in range(COUNT)]
    quotes = Message.objects.filter(quoted__isnull=False).count()
    assert quotes == sum(1 for number in range(300, COUNT) if number % 7 == 0)
    assert Contact.objects.count() == Ticket.objects.count() == 300
    latest = Ticket.objects.values_list("latest_message__body", flat=True)
    assert set(latest) == {f"texto {number}" for number in range(COUNT - 300, COUNT)}
    assert "Messages: 12000 / 12000 / 0 / 0" in done.stdout.decode()
