"""Realtime processes and the real socket.io clients that talk to them."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from django.conf import settings
from django.db import connection as database

from apps.realtime.backplane import event_message, publisher
from tests.product import wait_for
from tests.services import free_port

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = ROOT / "tests" / "socket"
WAIT_SECONDS = 10.0
MARK = "caught up"
_ids = count(1)


class RealtimeServer:
    """One ASGI process on the test's database and Redis.

    Under uvicorn, walled (`tests.walled`) or not, or under daphne; `web` is production's HTTP.
    """

    def __init__(self, *, under: str = "uvicorn", **environment: str) -> None:
        self.port = int(environment.get("PORT") or free_port())
        self.url = f"http://127.0.0.1:{self.port}"
        stored = database.settings_dict
        database_url = (
            f"postgres://{stored['USER']}@{stored['HOST']}:{stored['PORT']}/{stored['NAME']}"
        )
        daphne = ["daphne", "-b", "127.0.0.1", "-p", str(self.port), "-v", "0"]
        modules = {
            "uvicorn": ["config.serve"],
            "web": ["config.serve", "web"],
            "walled": ["tests.walled"],
            "daphne": [*daphne, "config.asgi:application"],
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", *modules[under]],
            cwd=ROOT,
            env={
                **os.environ,
                "DATABASE_URL": database_url,
                "REDIS_URL": settings.REDIS_URL,
                "PUBLIC_URL": self.url,
                "HOST": "127.0.0.1",
                "PORT": str(self.port),
                "WEB_BIND": f"127.0.0.1:{self.port}",
                **environment,
            },
        )

    def wait(self) -> None:
        """Return once it serves."""

        def answers() -> bool:
            assert self.process.poll() is None, "the realtime process ended"
            with suppress(httpx.TransportError):
                greeting = httpx.get(f"{self.url}/socket.io/?EIO=4&transport=polling")
                return greeting.status_code == 200
            return False

        wait_for(answers, "the realtime process", 30)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def realtime_servers(*under: str, **environment: str) -> Iterator[list[RealtimeServer]]:
    """Run some realtime processes side by side, each under the named server."""
    servers = [RealtimeServer(under=name, **environment) for name in under]
    try:
        for server in servers:
            server.wait()
        yield servers
    finally:
        for server in servers:
            server.stop()


class Socket:
    """One client socket: what it heard, in order."""

    def __init__(self, clients: "SocketClients") -> None:
        self.clients = clients
        self.id = next(_ids)
        self.sid = ""
        self.heard: list[tuple[str, Any]] = []
        self._new: queue.Queue[tuple[str, Any]] = queue.Queue()

    def note(self, event: str, data: Any) -> None:
        """Take a report of the client."""
        if event == "connect":
            self.sid = data["sid"]
        self._new.put((event, data))

    def expect(self, event: str, seconds: float = WAIT_SECONDS) -> Any:
        """Return the data of the next `event`, skipping others; fails when none comes."""
        while True:
            try:
                item = self._new.get(timeout=seconds)
            except queue.Empty:
                raise AssertionError(f"no {event!r}; heard {self.heard}") from None
            self.heard.append(item)
            if item[0] == event:
                return item[1]

    def emit(self, event: str, *args: Any) -> Any:
        """Emit, wait until the server has dealt with it, and return its answer."""
        self.clients.send(op="emit", id=self.id, event=event, args=args)
        return self.expect(f"ack {event}")

    def send_raw(self, text: str) -> None:
        """Send the text of a Socket.IO packet as it is."""
        self.clients.send(op="raw", id=self.id, text=text)

    def catch_up(self) -> None:
        """Hear all that was published before; a mark goes the same way, behind it."""
        publisher.publish_event(0, event_message(MARK, b"null", [self.sid]))
        self.expect(MARK)
        self.heard.pop()

    def reports(self) -> list[tuple[str, Any]]:
        """Return all that the client has reported."""
        while not self._new.empty():
            self.heard.append(self._new.get())
        return self.heard

    def events(self) -> list[str]:
        """Return the names of all events heard, up to what was published last."""
        self.catch_up()
        return [name for name, _ in self.heard if not name.startswith(("ack", "connect", "ready"))]

    def close(self) -> None:
        self.clients.send(op="close", id=self.id)
        self.expect("closed")


def connected(socket: Socket) -> Socket:
    """Return the socket once the server let it in."""
    socket.expect("connect")
    return socket


class SocketClients:
    """A Node process with any number of sockets."""

    def __init__(self) -> None:
        if not (CLIENTS / "node_modules").is_dir():
            raise AssertionError("Run `npm ci --prefix tests/socket` first.")
        self.process = subprocess.Popen(
            ["node", "clients.mjs"],
            cwd=CLIENTS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.sockets: dict[int, Socket] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            report = json.loads(line)
            self.sockets[report["id"]].note(report["event"], report["data"])

    def send(self, **command: Any) -> None:
        """Give the process a command."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def open(
        self,
        server: "RealtimeServer | str",
        *,
        version: int = 4,
        namespace: str = "",
        token: str = "",
        cookie: str = "",
        query: dict[str, Any] | None = None,
        transports: tuple[str, ...] = ("websocket",),
        address: str = "",
    ) -> Socket:
        """Open a socket, with the token in `auth` or the refresh cookie.

        `address` is where a proxy saw the client.
        """
        socket = Socket(self)
        self.sockets[socket.id] = socket
        options: dict[str, Any] = {
            "transports": transports,
            "reconnectionDelay": 100,
            "reconnectionDelayMax": 500,
            "forceNew": True,
        }
        if query:
            options["query"] = query
        if token:
            options["auth"] = {"token": token}
        if cookie:
            options["extraHeaders"] = {"Cookie": f"theme=dark; jrt={cookie}"}
        if address:
            options.setdefault("extraHeaders", {})["X-Forwarded-For"] = address
        self.send(
            op="open",
            id=socket.id,
            version=version,
            url=(server if isinstance(server, str) else server.url) + namespace,
            options=options,
        )
        return socket

    def stop(self) -> None:
        """End the process with its sockets."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)
