"""A MariaDB server as the source, and a dump of its own program."""

import secrets
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from apps.companies.models import Company
from apps.contacts.models import Contact
from apps.movein.readers import SourceUnreadable, open_reader
from apps.movein.tests.bakery import shop_b
from apps.movein.tests.conftest import dry, go
from apps.movein.tests.legacy import MOMENT, Legacy
from apps.movein.tests.mariadb import MariadbServer, program
from apps.movein.tests.shop import LID, later, shop_a
from apps.tickets.models import Message, Ticket

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgres,
]


@pytest.fixture(scope="module")
def server() -> Iterator[MariadbServer]:
    server = MariadbServer()
    yield server
    server.stop()


def filled(server: MariadbServer, legacy: Legacy) -> str:
    """Make a database of a Legacy, and return its name."""
    name = f"legacy_{secrets.token_hex(4)}"
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    with server.connect(name) as connection:
        legacy.to_mysql(connection)
    return name


def address(server: MariadbServer, name: str) -> str:
    return f"mysql://root@127.0.0.1:{server.port}/{name}"


def test_a_shop_comes_from_mariadb(operator_company: Company, server: MariadbServer) -> None:
    source = address(server, filled(server, shop_a()))
    told = dry(source)
    done = go(source)
    assert told.tables.items() <= done.tables.items()
    assert done.unread == {} and done.strangers == []
    names = list(Message.objects.order_by("pk").values_list("external_id", flat=True))
    assert names == ["M1", "M2", "M3", "F1", "F2", "L1", "V1", "G1"]
    first = Message.objects.get(external_id="M1")
    assert (first.body, first.created_at) == ("oi\x1f 😀", later(1))
    assert Contact.objects.get(name="Sem número").lid == LID
    assert Ticket.objects.get(pk=1).created_at == MOMENT
    before = (Message.objects.count(), Contact.objects.count())
    go(source)
    assert (Message.objects.count(), Contact.objects.count()) == before


def test_the_other_line_comes_too(operator_company: Company, server: MariadbServer) -> None:
    done = go(address(server, filled(server, shop_b())))
    assert done.unread == {} and done.strangers == []
    assert set(Ticket.objects.values_list("status", flat=True)) == {"open", "closed"}
    assert Message.objects.get(external_id="E1").error_code == "131026"


def test_a_run_goes_on_behind_its_last_row(
    operator_company: Company, server: MariadbServer
) -> None:
    legacy = shop_a()
    name = filled(server, legacy)
    go(address(server, name))
    new = later(300) + timedelta(microseconds=7)
    with server.connect(name) as connection, connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO Messages (id, ticketId, contactId, companyId, body, fromMe, createdAt)"
            " VALUES ('NEW', 3, 3, 2, 'de volta', 0, %s)",
            [new.replace(tzinfo=None)],
        )
        connection.commit()
    go(address(server, name))
    assert Message.objects.latest("pk").external_id == "NEW"
    assert Message.objects.count() == 9
    assert Message.objects.latest("pk").created_at == new


def test_what_its_own_dump_program_writes_comes(
    operator_company: Company, server: MariadbServer, tmp_path: Path
) -> None:
    name, path = filled(server, shop_a()), tmp_path / "dump.sql"
    command = [program("mariadb-dump"), "--no-defaults", "-h127.0.0.1", f"-P{server.port}"]
    with path.open("wb") as file:
        subprocess.run([*command, "-uroot", "--tz-utc", name], check=True, stdout=file)
    done = go(str(path))
    assert done.unread == {} and done.strangers == []
    assert Message.objects.count() == 8
    assert Message.objects.get(external_id="M1").body == "oi\x1f 😀"


def test_a_server_that_refuses_says_so(server: MariadbServer) -> None:
    with pytest.raises(SourceUnreadable, match="could not be opened"):
        open_reader(f"mysql://root@127.0.0.1:{server.port}/none")
