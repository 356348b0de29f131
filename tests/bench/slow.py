"""A thousand clients that send or read slowly: what the others' health check notices of them."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import httpx

from apps.common.media import delete_media, media_url, store_media
from tests.bench.dataset import Business
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.product import ROOT, wait_for
from tests.proxies import nginx, write_proxies
from tests.services import free_port

SENDERS, READERS = 500, 500
CALLS_A_SECOND = 20
SECONDS = 8.0
CALLS = 400
BUDGET_MILLISECONDS = 100.0
# More than the system, and a proxy, keep for a socket that nobody reads.
FILE = bytes(range(256)) * 12288


def measure(stack: Stack, business: Business) -> list[Figure]:
    """Ask for /health/ alone and beside the slow, directly and through nginx."""
    stored = store_media(company_id=business.company.pk, content=FILE, name="a.zip", mime="")
    file = urlsplit(media_url(stored.path))
    lines: list[Figure] = []
    try:
        with _nginx(stack) as proxy:
            for name, port in (("", stack.web_port), (", through nginx", proxy)):
                quiet = _health(port)
                with _slow_clients(port, f"{file.path}?{file.query}") as clients:
                    wait_for(lambda: _is_at_rest(stack), "the proxy to have what it takes")
                    beside = _health(port)
                    held = sum(map(_is_held, clients))
                    memory = stack.memory()["web"]
                lines += [
                    Figure(f"slow clients held{name}", held, "", SENDERS + READERS, at_least=True),
                    Figure(f"memory of web beside the slow{name}", memory, "MB"),
                    Figure(f"/health/ alone{name}, p50", percentile(quiet, 0.5), "ms"),
                    Figure(f"/health/ alone{name}, slowest", max(quiet), "ms"),
                    Figure(f"/health/ beside the slow{name}, p50", percentile(beside, 0.5), "ms"),
                    Figure(f"/health/ beside the slow{name}, p95", percentile(beside, 0.95), "ms"),
                    Figure(
                        f"/health/ beside the slow{name}, slowest",
                        max(beside),
                        "ms",
                        BUDGET_MILLISECONDS,
                    ),
                ]
    finally:
        delete_media(stored.path)
    return [*lines, *_cost(stack)]


@contextmanager
def _slow_clients(port: int, file: str) -> Iterator[list[socket.socket]]:
    """Hold sockets that sent half a login, and others that do not read the file they asked for."""
    login = (
        "POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        'Content-Length: 900\r\n\r\n{"ema'
    )
    reading = f"GET {file} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    with ExitStack() as ends:
        clients = []
        for request in [login] * SENDERS + [reading] * READERS:
            client = ends.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            client.settimeout(10)
            client.connect(("127.0.0.1", port))
            client.sendall(request.encode())
            clients.append(client)
        for client in clients[SENDERS:]:  # the server is at each of them
            assert client.recv(12) == b"HTTP/1.1 200"
        yield clients


def _is_held(client: socket.socket) -> bool:
    """Tell whether it waits still: neither refused nor cut off."""
    client.setblocking(False)
    try:
        news = client.recv(5, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return news not in (b"", b"HTTP/")


def _is_at_rest(stack: Stack) -> bool:
    """Tell whether the web process has nothing more to send at once."""
    before = stack.cpu("web")
    time.sleep(0.5)
    return stack.cpu("web") - before < 0.1


def _health(port: int) -> list[float]:
    """Return the milliseconds of calls at a steady rate, each on a connection of its own."""
    taken: list[float] = []
    begun = time.perf_counter()
    while (due := len(taken) / CALLS_A_SECOND) < SECONDS:
        time.sleep(max(0.0, begun + due - time.perf_counter()))
        started_at = time.perf_counter()
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(b"GET /health/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"
        taken.append((time.perf_counter() - started_at) * 1000)
    return taken


@contextmanager
def _nginx(stack: Stack) -> Iterator[int]:
    """Run nginx as in production before the stack's processes; gives its port."""
    port = free_port()
    text = (ROOT / "docker" / "nginx.conf").read_text()
    text = text.replace("web:8000 resolve", f"127.0.0.1:{stack.web_port}")
    text = text.replace("realtime:8000 resolve", f"127.0.0.1:{stack.realtime_port}")
    write_proxies(stack.directory, "127.0.0.1")
    with nginx(stack.directory, port, text.replace("listen 80 ", f"listen 127.0.0.1:{port} ")):
        yield port


def _cost(stack: Stack) -> list[Figure]:
    """Return what one call that does nothing costs the web process."""
    with httpx.Client(base_url=stack.web_address) as client:
        for _ in range(CALLS):
            client.get("/health/").raise_for_status()
        before = stack.cpu("web")
        for _ in range(CALLS):
            client.get("/health/").raise_for_status()
    cost = (stack.cpu("web") - before) * 1000 / CALLS
    return [Figure("CPU of web for a call of /health/", cost, "ms", 1.5)]
