"""The health check of docker/compose.yaml passes where the product serves."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.sockets import realtime_servers
from tests.test_compose import SERVICES, filled, health_code

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]


def test_the_health_check_passes_as_compose_starts_it(tmp_path: Path) -> None:
    def passes(port: int) -> bool:
        code = health_code().replace(":8000/", f":{port}/")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        return done.returncode == 0

    settings = {
        "PUBLIC_URL": "https://balcao.example.com",
        "HTTPS_REDIRECT": "1",
        "TRUSTED_PROXIES": filled(SERVICES["web"]["environment"]["TRUSTED_PROXIES"]),
        "DATA_DIR": str(tmp_path),
    }
    with realtime_servers("uvicorn", **settings) as (server,):
        port = server.port
        assert passes(port)
        # A cluster's probe and Prometheus come past the proxy that ends HTTPS, and name no client.
        for path, status in (("/health/", 200), ("/health/ready/", 503), ("/metrics", 404)):
            answer = httpx.get(f"http://127.0.0.1:{port}{path}", headers={"Host": "localhost"})
            assert answer.status_code == status, path
    assert not passes(port)
