"""nginx before servers under test."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from tests.product import wait_for

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@contextmanager
def nginx(directory: Path, port: int, text: str) -> Iterator[str]:
    """Run nginx with a configuration; gives its address."""
    assert NGINX, "Run `make test-services` first: nginx is missing."
    configuration = directory / f"{port}.conf"
    configuration.write_text(text)
    orders = f"daemon off; pid {directory / f'{port}.pid'}; error_log stderr;"
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
