"""Sources of imports, on the test run's own PostgreSQL."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.conf import settings

from apps.movein.services.importing import import_source
from apps.movein.services.report import Report
from apps.movein.tests.legacy import Legacy

Sourced = Callable[[Legacy], str]


@pytest.fixture
def source() -> Iterator[Sourced]:
    """Return a function that makes a database of a Legacy, and returns its address."""
    with ExitStack() as stack:

        def build(legacy: Legacy) -> str:
            told = settings.DATABASES["default"]
            host = f"{told['USER']}@{told['HOST']}:{told['PORT']}"
            name = f"legacy_{secrets.token_hex(4)}"
            server = psycopg.connect(f"postgres://{host}/postgres", autocommit=True)
            stack.callback(server.close)
            server.execute(f"CREATE DATABASE {name}".encode())
            stack.callback(server.execute, f"DROP DATABASE {name} WITH (FORCE)".encode())
            with psycopg.connect(f"postgres://{host}/{name}") as filled:
                legacy.to_postgres(filled)
            return f"postgres://{host}/{name}"

        yield build


def dumped(legacy: Legacy, path: Path) -> str:
    """Write a dump as mysqldump does, and return its path."""
    path.write_text("".join(legacy.mysqldump()), encoding="utf-8", newline="\n")
    return str(path)


def go(address: str, **options: Any) -> Report:
    told: dict[str, Any] = {"name": "loja", "goes": True} | options
    return import_source(address=address, **told)


def dry(address: str, **options: Any) -> Report:
    return go(address, goes=False, **options)


def rows_here() -> dict[str, int]:
    """Return how many rows each table has."""
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model._meta.app_label not in {"contenttypes", "sessions", "admin", "auth"}
    }
