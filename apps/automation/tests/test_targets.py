import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from apps.automation.clients.base import ClientError
from apps.automation.clients.http import exchange
from apps.automation.clients.targets import ForbiddenTarget, addresses_of, is_allowed, is_public
from apps.automation.tests.wire import WireServer, wire_server
from config.environment import Misconfigured, env_targets

FORBIDDEN = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.1.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::1",
    "2001::1",
    "2002:7f00:1::",
    "2002:808:808::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "::ffff:0:8.8.8.8",
    "3fff::1",
    "5f00::1",
    "ff02::1",
]
PUBLIC = ["8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "64:ff9b::8.8.8.8"]
# How one may write 127.0.0.1 so that it does not look like it.
DISGUISES = ["127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "localhost", "127.0.0.1."]


@pytest.fixture(autouse=True)
def _nothing_allowed(settings: Any) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []


@pytest.mark.parametrize("address", FORBIDDEN)
def test_addresses_that_are_not_of_the_open_internet_are_forbidden(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    assert not is_allowed("flows.example", address)


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_open_internet_are_not(address: str) -> None:
    assert is_allowed("flows.example", address)


@pytest.mark.parametrize("host", DISGUISES)
def test_no_disguise_of_the_own_machine_gets_through(host: str) -> None:
    with pytest.raises(ClientError) as raised:
        exchange("POST", f"http://{host}:9/", event="message", json={})
    assert raised.value.permanent or "não foi encontrado" in raised.value.message
    assert "conectar" not in raised.value.message


@pytest.mark.parametrize("host", ["[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[fe80::1]"])
def test_no_address_of_version_6_gets_through_either(host: str) -> None:
    with pytest.raises(ClientError) as raised:
        exchange("POST", f"http://{host}:9/", event="message", json={})
    assert "rede interna" in raised.value.message


@pytest.mark.parametrize(
    ("entries", "host", "address", "allowed"),
    [
        (["10.1.0.0/16"], "n8n", "10.1.2.3", True),
        (["10.1.0.0/16"], "n8n", "10.2.2.3", False),
        (["10.1.2.3"], "n8n", "10.1.2.3", True),
        (["n8n.internal"], "N8N.internal.", "10.2.2.3", True),
        (["n8n.internal"], "other.internal", "10.2.2.3", False),
        (["*"], "n8n", "169.254.169.254", True),
        (["127.0.0.0/8"], "n8n", "::1", False),
    ],
)
def test_the_operator_allows_networks_and_hosts(
    entries: list[str], host: str, address: str, allowed: bool, settings: Any
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = entries
    assert is_allowed(host, address) is allowed


def _names(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Have the resolver answer one list after another; returns the names it was asked for."""
    real, asked, left = socket.getaddrinfo, [], list(answers)

    def look_up(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if not name.endswith(".example"):
            return real(host, port, *args, **kwargs)
        asked.append(name)
        addresses = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked


def test_one_forbidden_address_among_several_forbids_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _names(monkeypatch, ["8.8.8.8", "10.0.0.1"])
    with pytest.raises(ForbiddenTarget):
        addresses_of("flows.example", 443, timeout=5)


@pytest.fixture
def server() -> Iterator[WireServer]:
    with wire_server() as running:
        yield running


def test_what_is_connected_to_is_what_was_judged(
    server: WireServer, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.1/32"]
    port = server.url.rpartition(":")[2]
    # A name that is one machine now and another at the next look.
    asked = _names(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
    exchange("POST", f"http://flows.example:{port}/hook", event="message", json={})
    assert asked == ["flows.example"]
    assert server.received[0].headers["host"] == f"flows.example:{port}"
    with pytest.raises(ClientError) as raised:
        exchange("POST", f"http://flows.example:{port}/hook", event="message", json={})
    assert "rede interna" in raised.value.message
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", ["127.0.0.0/8"]),
        ("1", ["*"]),
        ("yes", ["*"]),
        ("off", []),
        ("10.0.0.0/8, n8n.internal", ["10.0.0.0/8", "n8n.internal"]),
    ],
)
def test_the_operator_names_targets_in_the_environment(
    text: str, entries: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALLOW_PRIVATE_TARGETS", text)
    assert env_targets("ALLOW_PRIVATE_TARGETS", "127.0.0.0/8") == entries


@pytest.mark.parametrize("text", ["10.0.0.0/33", "10.0.0", "http://n8n", "a b"])
def test_a_target_that_is_none_is_named_to_the_operator(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALLOW_PRIVATE_TARGETS", text)
    with pytest.raises(Misconfigured, match="ALLOW_PRIVATE_TARGETS"):
        env_targets("ALLOW_PRIVATE_TARGETS", "")


def test_a_look_up_ends_with_the_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = threading.Event()

    def look_up(*_: Any, **__: Any) -> list[Any]:
        silent.wait(10)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    started = time.monotonic()
    with pytest.raises(ClientError) as raised:
        exchange("POST", "https://flows.example/a", event="message", timeout=0.2)
    silent.set()

    assert time.monotonic() - started < 5
    assert not raised.value.permanent
    assert "não respondeu" in raised.value.message
