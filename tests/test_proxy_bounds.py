"""What nginx takes from strangers: `docker/nginx.conf` before the real server (rules/wire §7)."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.common.errors import error_body
from apps.common.parsers import RequestTooLarge
from apps.connections.models import Connection
from apps.tickets.models import Message
from config.bodies import BODY_BYTES, DEFAULT_BYTES, FORM_BYTES
from tests import factories
from tests.product import wait_for
from tests.proxies import one_and_two, outer_nginx
from tests.tenancy_rows import ROWS

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]

MEGABYTE = 1024 * 1024
STRANGER, OTHER = "127.0.0.9", "127.0.0.10"
STRANGERS = ("127.0.0.11", "127.0.0.12", "127.0.0.13")
FORM = "multipart/form-data; boundary=x"
# For an address that names a record.
SOME_ID = "1"


@pytest.fixture(scope="module")
def proxies(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """The product behind one nginx and behind two, with small numbers in place of large ones."""
    changes = {
        "requests 256;": "requests 4;",
        "client_body_timeout 20s;": "client_body_timeout 1s;",
        # Where calls are held on purpose.
        "client_max_body_size 110m;": "client_max_body_size 110m; client_body_timeout 60s;",
    }
    with one_and_two(tmp_path_factory.mktemp("nginx"), changes) as addresses:
        yield addresses


def begin(
    url: str,
    path: str,
    length: int,
    kind: str = "application/json",
    *,
    method: str = "POST",
    source: str = STRANGER,
    line: str = "X-Nothing: 1",
) -> socket.socket:
    """Ask, announce a body and send nothing of it."""
    client = socket.create_connection(
        ("127.0.0.1", urlsplit(url).port or 0), timeout=20, source_address=(source, 0)
    )
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n{line}\r\n"
    client.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode())
    return client


def answer(client: socket.socket) -> tuple[int, str]:
    """Return the status and the body of what comes back until the other side ends it."""
    came = b""
    while part := client.recv(65536):
        came += part
        head, found, body = came.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        if found and length and len(body) >= int(length[1]):
            break
    status = int(came.split(b" ")[1]) if came else 0
    return status, came.partition(b"\r\n\r\n")[2].decode()


def refused(url: str, path: str, length: int, kind: str = "application/json") -> tuple[int, str]:
    """Return status and code of the refusal of a body of which nothing came."""
    with begin(url, path, length, kind) as client:
        status, body = answer(client)
    return status, json.loads(body)["code"]


def paths_of(names: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the addresses that these names have, with their names."""
    for name, method in ROWS:
        if name in names and method in {"POST", "PUT"}:
            yield name, "/api" + re.sub(r"{\w+}", SOME_ID, ROWS[name, method].path)
    for name in names & {"messages-api", "messages-api-older", "webhook"}:
        yield name, reverse(name)


def test_a_strangers_large_body_is_refused_before_a_byte_of_it(proxies: tuple[str, str]) -> None:
    one, two = proxies
    too_large, unknown = (413, "ERR_REQUEST_TOO_LARGE"), (401, "ERR_SESSION_EXPIRED")
    for path in ("/api/auth/login", "/api/contacts", "/anything", "/admin/login/"):
        assert refused(one, path, 100 * MEGABYTE, FORM) == too_large, path
        assert refused(two, path, 100 * MEGABYTE, FORM) == too_large, path
    assert refused(one, "/webhooks/whatsapp", 5 * MEGABYTE) == too_large
    for path in ("/api/messages/1", "/api/quick-messages/1/media-upload", "/api/template/media"):
        assert refused(one, path, 100 * MEGABYTE, FORM) == unknown, path
    assert refused(one, "/api/messages/send", 100 * MEGABYTE, FORM)[0] == 401
    assert refused(one, "/api/messages/1", 2 * MEGABYTE) == too_large


def test_nginx_lets_through_what_each_call_takes_and_no_more_elsewhere(
    proxies: tuple[str, str],
) -> None:
    one, _ = proxies
    # Gateways come past every proxy (docs/operator-guide.md).
    limits = {
        name: most
        for name, most in {**BODY_BYTES, **FORM_BYTES}.items()
        if not name.startswith(("gateway-", "admin:"))
    }
    large = {name for name, most in limits.items() if most > DEFAULT_BYTES}
    seen = set()
    for name, path in paths_of(large):
        kind = FORM if name in FORM_BYTES else "application/json"
        if name == "webhook":  # read before it is judged
            with begin(one, path, limits[name]) as client:
                assert answer(client)[0] in {0, 408}
        else:
            assert refused(one, path, limits[name], kind)[0] == 401, path
        assert refused(one, path, 111 * MEGABYTE, kind)[0] == 413, path
        seen.add(name)
    assert seen == large
    others = {name for name, _ in ROWS} - set(limits)
    for _, path in paths_of(others):
        assert refused(one, path, DEFAULT_BYTES + 1)[0] == 413, path


def test_its_refusals_have_the_apis_shape(proxies: tuple[str, str]) -> None:
    with begin(proxies[0], "/api/contacts", 2 * MEGABYTE) as client:
        status, body = answer(client)
    assert (status, json.loads(body)) == (
        413,
        error_body(RequestTooLarge.code, RequestTooLarge.message),
    )


def test_a_file_of_ours_passes_one_nginx_and_two(
    proxies: tuple[str, str], agent: User, connection: Connection
) -> None:
    ticket = factories.make_ticket(
        agent.company,
        connection=connection,
        user=agent,
        status="open",
        last_inbound_at=timezone.now(),
    )
    headers = {"Authorization": f"Bearer {make_access_token(agent)}"}
    content = b"%PDF-1.4\n" + bytes(3 * MEGABYTE)
    for url in proxies:
        files = {"medias": ("a.pdf", content, "application/pdf")}
        sent = httpx.post(
            f"{url}/api/messages/{ticket.pk}", files=files, headers=headers, timeout=60
        )
        assert sent.status_code in {200, 201}, sent.text
    assert [each.media_size for each in Message.objects.filter(ticket=ticket)] == [len(content)] * 2


def test_only_who_is_signed_in_brings_an_import_to_the_admin(
    proxies: tuple[str, str], super_user: User
) -> None:
    client = Client()
    client.force_login(super_user)
    path, signed_in = reverse("admin:movein_movein_add"), client.cookies["sessionid"].value
    limit = FORM_BYTES["admin:movein_movein_add"]
    assert refused(proxies[0], path, limit + MEGABYTE, FORM)[0] == 413
    files = {"upload_file": ("dump.sql", bytes(40 * MEGABYTE), "application/sql")}
    answers = {}
    for session in (signed_in, "of nobody"):
        answers[session] = httpx.post(
            proxies[0] + path, files=files, cookies={"sessionid": session}, timeout=60
        )
    # Of the signed in one only the form's own token is missing.
    assert answers[signed_in].status_code == 403
    assert "CSRF" in answers[signed_in].text
    assert answers["of nobody"].json()["code"] == "ERR_UNAVAILABLE"


def test_half_a_body_is_waited_for_as_long_as_the_guide_says(proxies: tuple[str, str]) -> None:
    with begin(proxies[0], "/api/auth/login", 900) as client:
        client.sendall(b'{"ema')
        assert answer(client)[0] in {0, 408}


def fill(ends: ExitStack, hold: Callable[[], socket.socket], status: Callable[[], int]) -> None:
    """Hold calls until nginx takes no more: a look may have the place of one that is coming."""

    def is_full() -> bool:
        if status() == 429:
            return True
        ends.enter_context(hold())
        return False

    wait_for(is_full, "nginx to have the calls of one address")


def test_one_address_has_so_many_calls_at_once_and_others_as_many(
    proxies: tuple[str, str], tmp_path: Path
) -> None:
    with outer_nginx(tmp_path, proxies[1]) as three:
        # One for each: nginx learns a little later that a caller has gone.
        for url, source in zip((*proxies, three), STRANGERS, strict=True):
            with ExitStack() as ends:
                stranger, other = (
                    ends.enter_context(
                        httpx.Client(
                            base_url=url,
                            transport=httpx.HTTPTransport(local_address=address),
                            timeout=20,
                        )
                    )
                    for address in (source, OTHER)
                )
                fill(
                    ends,
                    partial(begin, url, "/api/messages/1", 900, source=source),
                    partial(lambda client: client.get("/health/").status_code, stranger),
                )
                assert stranger.get("/health/").json()["code"] == "ERR_TOO_MANY_REQUESTS"
                assert other.get("/health/").status_code == 200, url


def test_of_ipv6_a_whole_network_is_one_caller(proxies: tuple[str, str]) -> None:
    """Named by a proxy, as it is written in short and in long."""
    one, _ = proxies

    def status(caller: str) -> int:
        hops = {"X-Forwarded-For": f"{caller}, 127.0.0.1"}
        return httpx.get(f"{one}/health/", headers=hops, timeout=20).status_code

    with ExitStack() as ends:
        numbers = count()

        def hold() -> socket.socket:
            hops = f"X-Forwarded-For: 2001:db8::{next(numbers)}"
            return begin(one, "/api/messages/1", 900, source="127.0.0.1", line=hops)

        fill(ends, hold, lambda: status("2001:db8:0:0:5:6:7:8"))
        assert status("2001:db8::ffff") == 429
        for caller in ("2001:db8:0:1::1", "2001:db9::1", "32.1.13.184", "::ffff:198.51.100.7"):
            assert status(caller) == 200, caller


def test_of_ipv4_each_address_is_a_caller_however_it_is_written(proxies: tuple[str, str]) -> None:
    one, _ = proxies

    def status(caller: str) -> int:
        return httpx.get(f"{one}/health/", headers={"X-Forwarded-For": caller}).status_code

    with ExitStack() as ends:
        hops = "X-Forwarded-For: ::ffff:198.51.100.7"
        hold = partial(begin, one, "/api/messages/1", 900, source="127.0.0.1", line=hops)
        fill(ends, hold, lambda: status("::ffff:198.51.100.7"))
        assert status("198.51.100.7") == 429
        assert status("::ffff:198.51.100.8") == 200


def test_who_is_no_proxy_is_counted_whomever_he_names(
    django_db_setup: None, tmp_path: Path
) -> None:
    changes = {"requests 256;": "requests 4;"}
    names = (f"X-Forwarded-For: 198.51.100.{number}" for number in count(1))
    with one_and_two(tmp_path, changes, trusted="127.0.0.8") as (one, _), ExitStack() as ends:

        def hold() -> socket.socket:
            return begin(one, "/api/messages/1", 900, source="127.0.0.1", line=next(names))

        def status() -> int:
            return httpx.get(
                f"{one}/health/", headers={"X-Forwarded-For": "203.0.113.9"}, timeout=20
            ).status_code

        fill(ends, hold, status)


@pytest.mark.parametrize(
    "path",
    [
        "/internal/",
        "/internal/gateway/lease",
        "/internal/gateway/sessions/1/commit",
        "//internal/gateway/lease",
        "/%69nternal/gateway/lease",
        "/api/../internal/gateway/lease",
        "/internal/gateway/files/a",
    ],
)
def test_what_gateways_call_is_not_there_for_strangers(proxies: tuple[str, str], path: str) -> None:
    for url in proxies:
        for method in ("GET", "POST"):
            # Not by httpx, which would tidy the address.
            with begin(url, path, 0, method=method) as client:
                status, body = answer(client)
            # The product itself would ask for a signature, or a method.
            assert (status, "nginx" in body) == (404, True), path
