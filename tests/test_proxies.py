"""Real servers, behind real proxies: whose address is counted (docs/operator-guide.md, 'Proxies').

With nginx: `docker/nginx.conf` itself, and another before it that would end
HTTPS. Loopback has many addresses: who calls has 127.0.0.9, every proxy 127.0.0.1.
"""

import re
import subprocess
from pathlib import Path

import httpx
import pytest

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from tests.factories import PASSWORD
from tests.proxies import one_and_two, outer_nginx, write_proxies
from tests.sockets import realtime_servers

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]

SERVERS = ("uvicorn", "daphne")
STRANGER, INVENTED, CLIENT = "127.0.0.9", "198.51.100.1", "203.0.113.9"


def counted_address(url: str, agent: User, headers: dict[str, str], *, source: str) -> str | None:
    """Sign in from an address of this machine; return the one that the server took down."""
    body = {"email": agent.email, "password": PASSWORD}
    with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as client:
        answer = client.post(f"{url}/api/auth/login", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return AuditEntry.objects.filter(action="session.opened").latest("pk").ip_address


@pytest.mark.parametrize("under", SERVERS)
def test_no_server_believes_this_machine_unasked(under: str, agent: User) -> None:
    headers = {"X-Forwarded-For": INVENTED, "X-Forwarded-Proto": "https"}
    with realtime_servers(under, FORWARDED_ALLOW_IPS="*") as (server,):
        assert counted_address(server.url, agent, headers, source="127.0.0.1") == "127.0.0.1"


@pytest.mark.parametrize("under", SERVERS)
def test_a_trusted_proxy_is_believed_as_far_as_it_saw(under: str, agent: User) -> None:
    headers = {"X-Forwarded-For": f"{INVENTED}, {CLIENT}", "X_Forwarded_For": INVENTED}
    with realtime_servers(under, TRUSTED_PROXIES="127.0.0.1") as (server,):
        assert counted_address(server.url, agent, headers, source="127.0.0.1") == CLIENT
        assert counted_address(server.url, agent, headers, source=STRANGER) == STRANGER


def test_behind_one_nginx_and_behind_several_the_client_is_who_calls(
    agent: User, tmp_path: Path
) -> None:
    headers = {"X-Forwarded-For": INVENTED, "X_Forwarded_For": INVENTED}
    with one_and_two(tmp_path) as (one, two), outer_nginx(tmp_path, two) as three:
        for url in (one, two, three):
            assert counted_address(url, agent, headers, source=STRANGER) == STRANGER


def test_nobody_says_of_himself_that_he_came_by_https(agent: User, tmp_path: Path) -> None:
    with one_and_two(tmp_path, HTTPS_REDIRECT="1") as (one, two):
        for url, source, status in (
            (one, STRANGER, 301),
            (two, STRANGER, 200),
            (one, "127.0.0.1", 200),
        ):
            with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as client:
                answer = client.post(
                    f"{url}/api/auth/login",
                    json={"email": agent.email, "password": PASSWORD},
                    headers={"X-Forwarded-Proto": "https"},
                )
            assert answer.status_code == status, url


@pytest.mark.parametrize(("trusted", "status"), [("", 301), ("127.0.0.8", 301), (STRANGER, 200)])
def test_nginx_believes_whom_it_is_told_to_and_nobody_else(
    agent: User, tmp_path: Path, trusted: str, status: int
) -> None:
    """Nor does it hand on what a stranger on its own network says of himself."""
    body = {"email": agent.email, "password": PASSWORD}
    headers = {"X-Forwarded-For": INVENTED, "X-Forwarded-Proto": "https"}
    with one_and_two(tmp_path, trusted=trusted, HTTPS_REDIRECT="1") as (one, _):
        for source in (STRANGER, "127.0.0.1") if status == 301 else (STRANGER,):
            with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as client:
                answer = client.post(f"{one}/api/auth/login", json=body, headers=headers)
            assert answer.status_code == status, source


def test_whom_nginx_believes_is_made_of_the_products_own_list(tmp_path: Path) -> None:
    def believed(trusted: str) -> tuple[list[str], list[str]]:
        write_proxies(tmp_path, trusted)
        text = (tmp_path / "proxies.conf").read_text()
        return re.findall(r"^    (\S+) 1;$", text, re.M), re.findall(r"real_ip_from (\S+);", text)

    assert believed("") == ([], [])
    named = ["127.0.0.1", "172.30.99.0/24", "fc00::/7"]
    assert believed("127.0.0.1,172.30.99.0/24, fc00::/7,unix,") == (named, named)
    for odd in ("10.0.0.5;include /etc/passwd", "proxy.example.com", "*", "10.0.0.5}", "$HOME"):
        with pytest.raises(subprocess.CalledProcessError):
            write_proxies(tmp_path, odd)
    assert believed("10.0.0.5") == (["10.0.0.5"], ["10.0.0.5"])
