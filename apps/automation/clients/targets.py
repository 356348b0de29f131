"""The targets of integrations: the public internet, and what the operator allows.

Tenants choose these addresses, so none may lead into the operator's network (rules/automation §5).
The check applies to the address of the connection, after each DNS lookup. So a name can't resolve
to one address for the check and to another for the call.
"""

import ipaddress
import socket
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings

ALL = "*"
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# In addition to the networks that `ipaddress` calls not global, which differ by Python version.
FORBIDDEN: tuple[Network, ...] = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's platform, behind a public address
        "169.254.0.0/16",  # link-local; the metadata of every cloud
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/96",  # unspecified, loopback and the old IPv4-compatible ones
        "::ffff:0:0/96",  # IPv4-mapped
        "::ffff:0:0:0/96",  # IPv4-translated
        "64:ff9b:1::/48",  # local NAT64
        "100::/64",
        "2001::/32",  # Teredo
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    )
)
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class ForbiddenTarget(Exception):
    """The host resolves to a forbidden address."""


class UnknownHost(Exception):
    """The host's name can't be resolved."""


def addresses_of(host: str, port: int, *, timeout: float) -> list[str]:
    """Return the addresses of a host; raises ForbiddenTarget or UnknownHost.

    One forbidden address forbids the host. A DNS lookup that takes longer than `timeout` seconds
    raises TimeoutError.
    """
    addresses = _look_up(host, port, timeout)
    if not addresses:
        raise UnknownHost(host)
    for address in addresses:
        if not is_allowed(host, address):
            raise ForbiddenTarget(host)
    return addresses


def _look_up(host: str, port: int, timeout: float) -> list[str]:
    """Resolve the name in a thread, because `getaddrinfo` has no timeout of its own."""
    found: list[str] = []
    faults: list[Exception] = []

    def ask() -> None:
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.extend(dict.fromkeys(str(entry[4][0]) for entry in entries))
        except (OSError, UnicodeError) as error:
            faults.append(error)

    thread = threading.Thread(target=ask, name="look-up", daemon=True)
    thread.start()
    thread.join(timeout)
    if thread.is_alive():
        raise TimeoutError(host)
    if faults:
        raise UnknownHost(host) from faults[0]
    return found


def is_allowed(host: str, address: str) -> bool:
    """Tell whether an address of `host` may be connected to."""
    names, networks = _allowance(tuple(settings.ALLOW_PRIVATE_TARGETS))
    if ALL in names or host.lower().rstrip(".") in names:
        return True
    ip = ipaddress.ip_address(address.partition("%")[0])
    return is_public(ip) or any(ip in network for network in networks)


def is_public(ip: Address) -> bool:
    """Tell whether an address is a public unicast address."""
    if isinstance(ip, ipaddress.IPv6Address) and ip in NAT64:
        # NAT64: the last 32 bits are the IPv4 address of the target.
        return is_public(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    if any(ip in network for network in FORBIDDEN):
        return False
    return ip.is_global and not ip.is_multicast


@lru_cache(maxsize=8)
def _allowance(entries: Sequence[str]) -> tuple[frozenset[str], tuple[Network, ...]]:
    names, networks = set(), []
    for entry in entries:
        network = network_of(entry)
        if network is None:
            names.add(entry.lower().rstrip("."))
        else:
            networks.append(network)
    return frozenset(names), tuple(networks)


def network_of(entry: str) -> Any:
    """Return the network of an entry of ALLOW_PRIVATE_TARGETS, None for a host name."""
    try:
        return ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return None
