"""A shop with a number by QR code: the whole product, the real gateway, and a fake WhatsApp."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import httpx

from config.supervisor import LONGEST_DELAY_SECONDS
from tests.product import ROOT, START_SECONDS, Product, wait_for
from tests.whatsapp import FakeWhatsApp, running_whatsapp

NUMBER, MARIA = "5511977770009", "5511988887777"
ADMIN, PASSWORD = "admin@demo.local", "balcao123"
GATEWAY = "gateway/dist/main.js"
SERVER = "config.serve"
# A lease, the next call, and a loaded machine.
TAKE_OVER_SECONDS = 60.0


class Shop:
    """One installation, the phone that is linked to it, and the customer Maria."""

    def __init__(self, product: Product, whatsapp: FakeWhatsApp) -> None:
        self.product, self.whatsapp = product, whatsapp
        self.http = httpx.Client(base_url=product.address, timeout=60, trust_env=False)
        answer = self.http.post("/api/auth/login", json={"email": ADMIN, "password": PASSWORD})
        self.http.headers["Authorization"] = f"Bearer {answer.json()['token']}"
        whatsapp.call("person", number=NUMBER, name="Loja")
        whatsapp.call("person", number=MARIA, name="Maria do Celular")
        made = self.call("POST", "/api/whatsapp", {"name": "Celular", "provider": "beta"})
        self.id: int = made["id"]

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """Make a call of the API that succeeds; returns what it answers."""
        answer = self.http.request(method, path, json=body, **more)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    @property
    def connection(self) -> Any:
        """The connection as the page shows it."""
        return self.call("GET", f"/api/whatsapp/{self.id}")

    @property
    def status(self) -> str:
        status: str = self.connection["status"]
        return status

    def wait_for_status(self, status: str, seconds: float = TAKE_OVER_SECONDS) -> None:
        """Wait until the page would show it."""
        wait_for(lambda: self.status == status, f"{status}, not {self.connection}", seconds)

    def wait_for_code(self, other_than: str = "") -> str:
        """Return the code that is shown, once it is another."""
        wait_for(
            lambda: self.connection["qrcode"] not in {"", other_than}, "a code", TAKE_OVER_SECONDS
        )
        return str(self.connection["qrcode"])

    def scan(self, other_than: str = "") -> None:
        """Read the code that is shown with the shop's phone."""
        self.whatsapp.call("scan", qr=self.wait_for_code(other_than), number=NUMBER)

    def link(self) -> None:
        """Link the phone, and wait until the connection is open."""
        self.scan()
        self.wait_for_status("CONNECTED")

    def write(self, text: str) -> str:
        """Maria writes; returns the message's id."""
        wid: str = self.maria("write", text=text)
        return wid

    def maria(self, name: str, **fields: str) -> Any:
        """Have Maria do something to the shop."""
        return self.whatsapp.call(name, number=MARIA, to=NUMBER, **fields)

    def tickets(self) -> list[int]:
        """The conversations with Maria, newest first; there is one at most."""
        found = self.call("GET", "/api/tickets", params={"showAll": "true"})["tickets"]
        return [int(each["id"]) for each in found if each["contact"]["number"] == MARIA]

    @property
    def ticket(self) -> int:
        """The conversation with Maria, once it is there."""
        wait_for(lambda: bool(self.tickets()), "a conversation", TAKE_OVER_SECONDS)
        [pk] = self.tickets()
        return pk

    def accept(self) -> int:
        """Take the conversation; returns its id."""
        ticket = self.ticket
        self.call("PUT", f"/api/tickets/{ticket}", {"status": "open"})
        return ticket

    def messages(self) -> list[Any]:
        """All messages of the conversation, oldest first; nothing counts as read by it."""
        page = self.call("GET", f"/api/messages/{self.ticket}", params={"peek": "true"})
        rows: list[Any] = page["messages"]
        return rows

    def message(self, holds: Callable[[Any], bool], what: str) -> Any:
        """Return the one message of which something holds, once there is one."""
        found: list[Any] = []

        def look() -> bool:
            found[:] = [row for row in self.messages() if holds(row)]
            return bool(found)

        wait_for(look, what, TAKE_OVER_SECONDS)
        [row] = found
        return row

    def of(self, external_id: str) -> Any:
        """Return the message that has WhatsApp's id, once it is there."""
        return self.message(lambda row: row["wid"] == external_id, f"message {external_id}")

    def received(self) -> list[str]:
        """What Maria wrote, as often as it is there."""
        return [row["body"] for row in self.messages() if not row["fromMe"]]

    def say(self, text: str) -> Any:
        """Answer Maria; returns the row."""
        return self.call("POST", f"/api/messages/{self.ticket}", {"body": text})

    def inbox(self) -> list[Any]:
        """What came to Maria, in order."""
        rows: list[Any] = self.whatsapp.call("inbox", number=MARIA)
        return rows

    def inbox_has(self, holds: Callable[[Any], bool], what: str) -> Any:
        """Return the one thing of which something holds that came to Maria, once it is there."""
        wait_for(lambda: any(map(holds, self.inbox())), what, TAKE_OVER_SECONDS)
        [found] = [each for each in self.inbox() if holds(each)]
        return found

    def gateway(self) -> int:
        """The process id of the installation's gateway, 0 while there is none."""
        return self.product.child(GATEWAY)

    def kill_gateway(self, *, lease_is_over: bool = True) -> None:
        """Kill it at once; the supervisor starts the next, later each time it dies young."""
        killed = self.gateway()
        os.kill(killed, signal.SIGKILL)
        seconds = LONGEST_DELAY_SECONDS + START_SECONDS
        wait_for(lambda: self.gateway() not in {0, killed}, "the next gateway", seconds)
        if lease_is_over:
            self.end_lease()

    def end_lease(self) -> None:
        """Let the time of a lease pass."""
        with self._database() as database:
            database.execute("UPDATE connections_qrsession SET expires_at = '2020-01-01 00:00:00'")

    def lose_status(self) -> None:
        """Leave the database as it is when the lease was renewed after its end."""
        with self._database() as database:
            database.execute(
                "UPDATE connections_connection SET status = 'OPENING',"
                " reason_code = 'gateway_gone' WHERE provider = 'beta'"
            )

    def stored_status(self) -> str:
        """The connection's status in the database, which answers without the server."""
        with self._database() as database:
            [[status]] = database.execute(
                "SELECT status FROM connections_connection WHERE provider = 'beta'"
            ).fetchall()
        return str(status)

    def epoch(self) -> int:
        """How many owners the session has had."""
        with self._database() as database:
            rows = database.execute("SELECT epoch FROM connections_qrsession").fetchall()
        return int(rows[0][0]) if rows else 0

    def beats_of(self, name: str) -> bool:
        """Tell whether a gateway gives signs of life."""
        with self._database() as database:
            [[count]] = database.execute(
                "SELECT count(*) FROM connections_gatewayprocess"
                " WHERE name LIKE ? AND beaten_at IS NOT NULL",
                [f"{name}-%"],
            ).fetchall()
        return bool(count)

    def wish(self) -> str:
        """What is to become of the session."""
        with self._database() as database:
            rows = database.execute("SELECT wanted FROM connections_qrsession").fetchall()
        return str(rows[0][0]) if rows else ""

    def farewells(self) -> int:
        """How many devices are still to be taken off their phones."""
        with self._database() as database:
            [[count]] = database.execute("SELECT count(*) FROM connections_qrfarewell").fetchall()
        return int(count)

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        file = self.product.data_directory / "balcao.sqlite3"
        with closing(sqlite3.connect(file, timeout=20, isolation_level=None)) as database:
            yield database

    @contextmanager
    def second_gateway(self) -> Iterator[subprocess.Popen[bytes]]:
        """Run another gateway for the same server."""
        environment = {
            "PATH": os.environ["PATH"],
            "GATEWAY_NAME": "second",
            "GATEWAY_PORT": "0",
            "GATEWAY_SECRET": (self.product.data_directory / "gateway_secret").read_text().strip(),
            "BALCAO_URL": self.product.address,
            "WHATSAPP_URL": self.whatsapp.url,
            "WHATSAPP_MEDIA_URL": self.whatsapp.media_url,
        }
        with subprocess.Popen(
            ["node", GATEWAY], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def is_still(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Tell whether something holds for a while: what must not happen has its time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not holds():
                return False
            time.sleep(0.2)
        return True


@contextmanager
def running_shop() -> Iterator[Shop]:
    """Start it all, and end it afterwards."""
    subprocess.run(["npm", "run", "--silent", "build"], cwd=ROOT / "gateway", check=True)
    with running_whatsapp() as whatsapp:
        product = Product(
            SIMULATE_QR="0", WHATSAPP_URL=whatsapp.url, WHATSAPP_MEDIA_URL=whatsapp.media_url
        )
        try:
            wait_for(lambda: product.get("/health/ready/")[0] == 200, "a worker")
            yield Shop(product, whatsapp)
        finally:
            product.remove()
