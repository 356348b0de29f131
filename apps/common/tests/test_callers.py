"""Whose word on the caller's address and scheme is taken (docs/operator-guide.md, 'Proxies')."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from apps.common.callers import client_address
from apps.common.middleware import believe_known_proxies
from config.environment import Misconfigured, env_networks

CLIENT, OTHER = "203.0.113.9", "198.51.100.1"
NETWORK = "172.30.99.0/24"
NGINX, GATEWAY, BALANCER = "172.30.99.4", "172.30.99.1", "10.0.0.5"


def call(peer: str, forwarded: str | None = None, scheme: str | None = None) -> HttpRequest:
    request = RequestFactory().get("/", REMOTE_ADDR=peer)
    for name, value in (("FOR", forwarded), ("PROTO", scheme)):
        if value is not None:
            request.META[f"HTTP_X_FORWARDED_{name}"] = value
    return request


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "client"),
    [
        ([], CLIENT, None, CLIENT),
        ([], "127.0.0.1", OTHER, "127.0.0.1"),
        (["127.0.0.1"], CLIENT, OTHER, CLIENT),
        (["127.0.0.1"], "127.0.0.1", CLIENT, CLIENT),
        (["127.0.0.1"], "::ffff:127.0.0.1", CLIENT, CLIENT),
        (["127.0.0.1"], "127.0.0.1", f"{OTHER}, {CLIENT}", CLIENT),
        (["127.0.0.1"], "127.0.0.1", None, "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", "", "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", f"{CLIENT}, unknown", "127.0.0.1"),
        ([NETWORK], NGINX, CLIENT, CLIENT),
        ([NETWORK], NGINX, f"{OTHER}, {CLIENT}, {GATEWAY}", CLIENT),
        ([NETWORK], NGINX, f"{OTHER}, {CLIENT}, {BALANCER}", BALANCER),
        ([NETWORK, BALANCER], NGINX, f"{OTHER}, {CLIENT}, {BALANCER}", CLIENT),
        ([NETWORK], NGINX, GATEWAY, GATEWAY),
        ([BALANCER], BALANCER, f"{CLIENT}:4711", CLIENT),
        ([BALANCER], BALANCER, "[2001:db8::7]:4711", "2001:db8::7"),
        (["2001:db8::/32"], "2001:db8::1", "2001:0db9::0007", "2001:db9::7"),
        (["unix"], "", CLIENT, CLIENT),
        ([], "", CLIENT, None),
    ],
)
def test_the_client_is_the_first_who_is_no_trusted_proxy(
    settings: Settings, trusted: list[str], peer: str, forwarded: str | None, client: str | None
) -> None:
    settings.TRUSTED_PROXIES = trusted
    assert client_address(call(peer, forwarded)) == client


@pytest.mark.parametrize(("peer", "secure"), [(NGINX, True), (CLIENT, False), ("", False)])
def test_a_trusted_proxy_alone_says_that_the_call_came_by_https(
    settings: Settings, peer: str, secure: bool
) -> None:
    settings.TRUSTED_PROXIES = [NETWORK]
    seen: list[bool] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(request.is_secure())
        return HttpResponse()

    believe_known_proxies(view)(call(peer, scheme="https"))
    assert seen == [secure]


def test_the_proxies_are_believed_before_anything_else_asks(settings: Settings) -> None:
    assert settings.MIDDLEWARE[0] == "apps.common.middleware.believe_known_proxies"


@pytest.mark.parametrize("text", ["nginx", "10.0.0.0/33", "10.0.0.5/24", "*"])
def test_what_is_no_network_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("TRUSTED_PROXIES", f"127.0.0.1,{text},")
    with pytest.raises(Misconfigured, match="TRUSTED_PROXIES"):
        env_networks("TRUSTED_PROXIES")


def test_proxies_are_addresses_networks_and_the_local_socket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TRUSTED_PROXIES", "127.0.0.1,172.30.99.0/24, unix,")
    assert env_networks("TRUSTED_PROXIES") == ["127.0.0.1", "172.30.99.0/24", "unix"]
