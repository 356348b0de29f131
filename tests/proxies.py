"""nginx before servers under test."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from tests.product import ROOT, wait_for
from tests.services import free_port
from tests.sockets import realtime_servers

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")

# What ends HTTPS, as the guide asks for it: it names whom it serves and the
# scheme, and keeps no bodies.
OUTER = """
events {{}}
http {{
    access_log off;
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 110m;
        location / {{
            proxy_pass http://127.0.0.1:{inner};
            proxy_request_buffering off;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto https;
        }}
    }}
}}
"""


@contextmanager
def nginx(directory: Path, port: int, text: str, *, log: str = "stderr") -> Iterator[str]:
    """Run nginx with a configuration; gives its address. `log` takes its errors."""
    assert NGINX, "Run `make test-services` first: nginx is missing."
    configuration = directory / f"{port}.conf"
    configuration.write_text(text)
    orders = f"daemon off; pid {directory / f'{port}.pid'}; error_log {log};"
    command = [NGINX, "-p", str(directory), "-c", str(configuration), "-g", orders]
    process = subprocess.Popen(command)

    def answers() -> bool:
        assert process.poll() is None, "nginx ended"
        with suppress(httpx.TransportError):
            # Or it sends the caller to HTTPS.
            return httpx.get(f"http://127.0.0.1:{port}/health/").status_code in {200, 301}
        return False

    try:
        wait_for(answers, "nginx")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def write_proxies(directory: Path, trusted: str) -> None:
    """Write whom nginx believes, as the guide's script does."""
    script, file = ROOT / "docker" / "proxies.sh", directory / "proxies.conf"
    subprocess.run([script, file], env={"TRUSTED_PROXIES": trusted}, check=True)


@contextmanager
def guides_nginx(
    directory: Path,
    *servers: int,
    realtime: Sequence[int] = (),
    changes: Mapping[str, str] | None = None,
    trusted: str = "127.0.0.1",
) -> Iterator[str]:
    """Run the guide's nginx, with these changes, before the ports of servers, of which those of
    `realtime` have the sockets; gives its address.
    """
    write_proxies(directory, trusted)
    port = free_port()
    text = (ROOT / "docker" / "nginx.conf").read_text()
    for old, new in {
        # Debian's nginx looks no name up again.
        "server web:8000 resolve max_fails=0;": _upstream(servers),
        "server realtime:8000 resolve max_fails=0;": _upstream(realtime or servers),
        "listen 80 default_server": f"listen 127.0.0.1:{port}",
        **(changes or {}),
    }.items():
        assert old in text
        text = text.replace(old, new)
    with nginx(directory, port, text) as address:
        yield address


def _upstream(ports: Sequence[int]) -> str:
    return " ".join(f"server 127.0.0.1:{port} max_fails=0;" for port in ports)


@contextmanager
def outer_nginx(directory: Path, inner: str) -> Iterator[str]:
    """Run what ends HTTPS before another proxy; gives its address."""
    port = free_port()
    with nginx(directory, port, OUTER.format(port=port, inner=inner.rpartition(":")[2])) as address:
        yield address


@contextmanager
def one_and_two(
    directory: Path,
    changes: Mapping[str, str] | None = None,
    trusted: str = "127.0.0.1",
    **more: str,
) -> Iterator[tuple[str, str]]:
    """Run the product behind the guide's nginx, and that behind another; gives both addresses.

    `changes` are to the guide's configuration, `trusted` is whom that nginx believes, `more` are
    the product's variables.
    """
    with (
        realtime_servers("uvicorn", TRUSTED_PROXIES="127.0.0.1", **more) as (server,),
        guides_nginx(directory, server.port, changes=changes, trusted=trusted) as one,
        outer_nginx(directory, one) as two,
    ):
        yield one, two
