"""Every process is restarted behind the guide's nginx while it is used (rules/wire §10)."""

import http.client
import itertools
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.common.renderers import to_json
from apps.contacts.models import Tag
from apps.realtime.backplane import event_message, publisher
from apps.realtime.rooms import company_room
from tests.product import wait_for
from tests.proxies import guides_nginx
from tests.sockets import RealtimeServer, Socket, SocketClients, realtime_servers

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]

DRAIN_SECONDS = 8
SOCKETS, POLLING = 200, 60
THREADS, A_SECOND = 6, 30
TICK, TICK_SECONDS = "tick", 0.2


def started(under: str, port: str = "") -> RealtimeServer:
    variables = {"DRAIN_SECONDS": str(DRAIN_SECONDS), "TRUSTED_PROXIES": "127.0.0.1"}
    return RealtimeServer(under=under, **variables, **({"PORT": port} if port else {}))


def restarted(server: RealtimeServer, under: str) -> RealtimeServer:
    """Have a process leave, as systemd does, and start its successor on its port."""
    server.process.terminate()
    server.process.wait(DRAIN_SECONDS + 40)
    successor = started(under, str(server.port))
    successor.wait()
    return successor


def kill(servers: list[RealtimeServer]) -> None:
    """End those that are there now, without the time that each takes to leave."""
    for server in servers:
        server.process.kill()
        server.process.wait()


class Callers:
    """Calls 30 times a second, each sixth time to write."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.token = address, token
        self.names: list[str] = []
        self.failed: list[str] = []
        self.count = 0
        self._numbers = itertools.count()
        self._end = threading.Event()

    def _call(self, client: httpx.Client, number: int) -> None:
        self.count += 1
        try:
            if number % 6:
                answer = client.get("/api/tags")
            else:
                body = {"name": f"etiqueta {number}", "color": "#112233"}
                answer = client.post("/api/tags", json=body)
                self.names.append(body["name"])
        except httpx.HTTPError as error:
            self.failed.append(f"{number}: {error!r}")
            return
        if not answer.is_success:
            self.failed.append(f"{number}: {answer.status_code} {answer.text[:200]}")

    def _go_on(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        with httpx.Client(base_url=self.address, headers=headers, timeout=60) as client:
            due_at = time.monotonic()
            while not self._end.wait(max(0.0, due_at - time.monotonic())):
                self._call(client, next(self._numbers))
                due_at += THREADS / A_SECOND

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Call as long as the block runs."""
        with ThreadPoolExecutor(THREADS) as pool:
            calls = [pool.submit(self._go_on) for _ in range(THREADS)]
            try:
                yield
            finally:
                self._end.set()
        for each in calls:
            each.result()


class Ticks:
    """Tells the sockets of a company one number after another."""

    def __init__(self, company_id: int) -> None:
        self.company_id = company_id
        # When each was told, in milliseconds.
        self.told: list[float] = []
        self._end = threading.Event()

    def tell(self) -> None:
        self.told.append(time.time() * 1000)
        number = to_json(len(self.told) - 1)
        message = event_message(TICK, number, [company_room(self.company_id)])
        publisher.publish_event(self.company_id, message)

    def _go_on(self) -> None:
        while not self._end.wait(TICK_SECONDS):
            self.tell()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell as long as the block runs."""
        teller = threading.Thread(target=self._go_on)
        teller.start()
        try:
            yield
        finally:
            self._end.set()
            teller.join()

    def missed(self, heard: Socket) -> list[str]:
        """Return what a socket did not hear after it had connected.

        What is told between its last event and its next connection it reads anew then.
        """
        faults, wanted, is_first = [], len(self.told), True
        for event, data in heard.reports():
            if event == "connect":
                after = (n for n, told_at in enumerate(self.told) if told_at > data["at"])
                wanted, is_first = next(after, len(self.told)), True
            elif event == TICK:
                # The first may also be one that was told just before.
                if data > wanted or (data < wanted and not is_first):
                    faults.append(f"{data} instead of {wanted}")
                wanted, is_first = data + 1, False
        if wanted < len(self.told):
            faults.append(f"nothing after {wanted - 1} of {len(self.told)}")
        return faults


def reaches_all(ticks: Ticks, sockets: list[Socket]) -> bool:
    """Tell once more; say whether every socket has heard it within two seconds."""
    ticks.tell()
    last = (TICK, len(ticks.told) - 1)
    with suppress(AssertionError):
        wait_for(lambda: all(last in each.reports() for each in sockets), "the last tick", 2)
        return True
    return False


def connections_of(heard: Socket) -> list[float]:
    return [data["at"] for event, data in heard.reports() if event == "connect"]


def test_nothing_fails_and_nothing_is_missed_while_every_process_restarts(
    admin: User, clients: SocketClients, tmp_path: Path
) -> None:
    token = make_access_token(admin)
    kinds = ("web", "web", "uvicorn", "uvicorn")
    with ExitStack() as ends:
        servers = [started(kind) for kind in kinds]
        ends.callback(lambda: kill(servers))
        for server in servers:
            server.wait()
        ports = [server.port for server in servers]
        behind = guides_nginx(tmp_path, *ports[:2], realtime=ports[2:])
        address = ends.enter_context(behind)
        sockets = [
            clients.open(
                address,
                token=token,
                transports=("polling",) if number < POLLING else ("websocket",),
                address=f"10.0.{number % 8}.{number}",
            )
            for number in range(SOCKETS)
        ]
        wait_for(lambda: all(map(connections_of, sockets)), "all sockets", 60)
        callers, ticks = Callers(address, token), Ticks(admin.company_id)
        began_at = time.monotonic()
        with callers.calling(), ticks.telling():
            for place, kind in enumerate(kinds):
                servers[place] = restarted(servers[place], kind)
        seconds = time.monotonic() - began_at
        # Polling sockets go back to the last process with their next call, and connect once more.
        wait_for(lambda: reaches_all(ticks, sockets), "a tick that reaches all", 60)

        print(
            f"{callers.count} calls in {seconds:.0f} s, {len(callers.failed)} failed;"
            f" {len(ticks.told)} events, {len(sockets)} sockets,"
            f" {sum(len(connections_of(each)) - 1 for each in sockets)} times connected anew"
        )
        assert callers.failed == []
        assert callers.count > seconds * A_SECOND * 0.9
        written = Tag.objects.filter(company=admin.company).values_list("name", flat=True)
        assert sorted(written) == sorted(callers.names)
        assert {each.id: faults for each in sockets if (faults := ticks.missed(each))} == {}
        again = [connections_of(each)[1:] for each in sockets]
        assert all(again), "Every process was restarted."
        # WebSockets of one process come back one after another.
        firsts = sorted(connected[0] for connected in again[POLLING:])
        assert firsts[len(firsts) // 3] - firsts[0] > DRAIN_SECONDS * 100


@pytest.mark.parametrize(("kind", "processes"), [("web", "1"), ("web", "2"), ("uvicorn", "1")])
def test_a_process_that_leaves_serves_whom_it_has_and_nobody_else(
    kind: str, processes: str
) -> None:
    variables = {"DRAIN_SECONDS": str(DRAIN_SECONDS), "WEB_PROCESSES": processes}
    with realtime_servers(kind, **variables) as (server,):
        connected = http.client.HTTPConnection("127.0.0.1", server.port)
        connected.request("GET", "/health/")
        answer = connected.getresponse()
        assert (answer.status, answer.getheader("Connection")) == (200, None)
        answer.read()
        server.process.terminate()

        def refuses() -> bool:
            with socket.socket() as new:
                return new.connect_ex(("127.0.0.1", server.port)) != 0

        wait_for(refuses, "the end of the listening")
        assert server.process.poll() is None
        connected.request("GET", "/health/ready/")
        answer = connected.getresponse()
        assert (answer.status, answer.getheader("Connection")) == (503, "close")
        assert b'"process":false' in answer.read().replace(b" ", b"")
        # Nobody is left.
        server.process.wait(DRAIN_SECONDS / 2)


def test_who_waited_to_be_accepted_is_answered() -> None:
    with (
        realtime_servers("web", DRAIN_SECONDS=str(DRAIN_SECONDS)) as (server,),
        ExitStack() as ends,
    ):
        os.kill(server.process.pid, signal.SIGSTOP)
        waiting = []
        for _ in range(20):
            waiting.append(socket.create_connection(("127.0.0.1", server.port), timeout=20))
            ends.callback(waiting[-1].close)
            waiting[-1].sendall(b"GET /health/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        server.process.terminate()
        os.kill(server.process.pid, signal.SIGCONT)
        assert [each.recv(12) for each in waiting] == [b"HTTP/1.1 200"] * len(waiting)
