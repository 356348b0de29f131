import os
import subprocess
import sys
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from apps.common.checks import check_pooler, check_proxy, refuse_misconfiguration
from tests.product import ROOT


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SECRET_KEY_IS_SET": False}, "SECRET_KEY"),
        ({"WAS_BEHIND_PROXY": True}, "TRUSTED_PROXIES"),
        ({"SIMULATOR": True, "PUBLIC_URL": "https://balcao.example.com"}, "simulator"),
        (
            {"SIMULATOR": True, "PUBLIC_URL": "http://127.0.0.1:8000", "HOST": "0.0.0.0"},
            "simulator",
        ),
        ({"SIMULATOR": False, "META_APP_SECRET": ""}, "META_APP_SECRET"),
        ({"SIMULATOR": False, "META_VERIFY_TOKEN": ""}, "META_VERIFY_TOKEN"),
        ({"WORKER_MEMORY_MB": 300, "WORKER_THREADS": 14}, "WORKER_MEMORY_MB to 312"),
    ],
)
def test_a_server_does_not_start_half_configured(
    settings: Any, changes: dict[str, Any], words: str
) -> None:
    settings.DEBUG = False
    settings.SIMULATOR = False
    refuse_misconfiguration()
    for name, value in changes.items():
        setattr(settings, name, value)
    with pytest.raises(ImproperlyConfigured, match=words):
        refuse_misconfiguration()


def test_the_simulator_runs_on_ones_own_machine_without_debug(settings: Any) -> None:
    settings.DEBUG, settings.SIMULATOR = False, True
    settings.PUBLIC_URL = "http://127.0.0.1:8000"
    refuse_misconfiguration()


def deploy_warnings(**environment: str) -> str:
    """Return what `check --deploy` says of an environment."""
    command = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy"],
        cwd=ROOT,
        env=os.environ | {"DEBUG": "0", "SIMULATOR": "0"} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert command.returncode == 0, command.stderr
    return command.stderr


def setting(name: str, given: dict[str, str]) -> str:
    """Return a setting as a process has it whose environment says nothing else of these."""
    untold = {"HSTS_SECONDS", "TRUSTED_PROXIES"}
    told = subprocess.run(
        [sys.executable, "-c", f"from config import settings; print(settings.{name})"],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if key not in untold} | given,
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.strip()


def test_deploying_with_https_and_no_proxy_that_is_believed_is_warned_of() -> None:
    secure = {"PUBLIC_URL": "https://balcao.example.com", "SECRET_KEY": "a long text " * 6}
    assert "balcao.W001" in deploy_warnings(**secure, TRUSTED_PROXIES="")
    told = deploy_warnings(**secure, TRUSTED_PROXIES="127.0.0.1")
    assert "balcao.W001" not in told
    assert "HSTS" not in told
    assert check_proxy(None) == []  # this machine's, without HTTPS


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({"PUBLIC_URL": "https://balcao.example.com"}, "31536000"),
        ({"PUBLIC_URL": "https://balcao.example.com", "HSTS_SECONDS": "0"}, "0"),
        ({"PUBLIC_URL": "http://127.0.0.1:8000"}, "0"),
    ],
)
def test_browsers_insist_on_https_where_the_public_address_has_it(
    given: dict[str, str], seconds: str
) -> None:
    assert setting("SECURE_HSTS_SECONDS", given) == seconds


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"PUBLIC_URL": "http://127.0.0.1:8000"}, "True"),
        ({"PUBLIC_URL": "http://127.0.0.1:8000", "TRUSTED_PROXIES": "127.0.0.1"}, "False"),
        ({"PUBLIC_URL": "https://balcao.example.com"}, "False"),
    ],
)
def test_figures_are_for_this_machine_only_where_no_proxy_stands_in_front(
    given: dict[str, str], shown: str
) -> None:
    assert setting("METRICS_ON_LOOPBACK", given) == shown


def test_a_page_through_the_proxy_carries_it(client: Client, settings: Any) -> None:
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    answer = client.get("/health/", headers={"X-Forwarded-Proto": "https"})
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "Strict-Transport-Security" not in client.get("/health/").headers


PLAIN = "-c jit=off -c max_parallel_workers_per_gather=0"


def test_a_pooler_past_which_no_way_is_known_is_warned_of(settings: Any) -> None:
    settings.DATABASE_POOLED, settings.DATABASE_DIRECT = True, None
    [warning] = check_pooler(None)
    assert "DATABASE_DIRECT_URL" in (warning.hint or "")
    settings.DATABASE_DIRECT = {"ENGINE": "django.db.backends.postgresql", "NAME": "balcao"}
    assert check_pooler(None) == []


@pytest.mark.parametrize(
    ("address", "pooled", "options"),
    [
        ("postgres:///balcao", "", PLAIN),
        ("postgres:///balcao?options=-c%20jit%3Don", "", f"{PLAIN} -c jit=on"),
        ("postgres:///balcao", "1", "None"),
    ],
)
def test_queries_are_plain_unless_the_address_says_otherwise(
    address: str, pooled: str, options: str
) -> None:
    given = {"DATABASE_URL": address, "DATABASE_POOLED": pooled}
    assert setting("DATABASES['default']['OPTIONS'].get('options')", given) == options
