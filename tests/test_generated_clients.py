"""Clients that generators make from the OpenAPI schema."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.core.wsgi import get_wsgi_application

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from tests import factories
from tests.product import ROOT

pytestmark = pytest.mark.django_db

SCHEMA = ROOT / "frontend" / "openapi.json"
TOOLS = Path(sys.executable).parent
COMPILER = ROOT / "frontend" / "node_modules" / ".bin" / "tsc"
PACKAGE = "balcao_api_client"


def run(*command: str | Path) -> str:
    """Return what a command printed; fails with it if the command fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("python")
    run(
        *(TOOLS / "openapi-python-client", "generate", "--path", SCHEMA),
        *("--output-path", folder / "client", "--meta", "none"),
    )
    (folder / "client").rename(folder / PACKAGE)
    sys.path.insert(0, str(folder))
    yield importlib.import_module(PACKAGE)
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def call(name: str, client: Any, **values: Any) -> Any:
    return importlib.import_module(f"{PACKAGE}.api.{name}").sync(client=client, **values)


def test_every_module_of_the_python_client_loads(python_client: ModuleType) -> None:
    names = [each.name for each in pkgutil.walk_packages(python_client.__path__, f"{PACKAGE}.")]
    assert len(names) > 700
    for name in names:
        importlib.import_module(name)


# Each request of a WSGI server closes the connection of a test that is one transaction.
@pytest.mark.django_db(transaction=True)
def test_the_python_client_reads_and_writes(python_client: ModuleType, admin: User) -> None:
    models = importlib.import_module(f"{PACKAGE}.models")
    client = python_client.AuthenticatedClient(
        base_url="http://testserver",
        token=make_access_token(admin),
        httpx_args={"transport": httpx.WSGITransport(app=get_wsgi_application())},
    )
    factories.make_contact(admin.company, name="Ana Souza", number="5511987650001")
    page = call("contacts.contacts_list", client)
    assert [(each.name, each.number) for each in page.contacts] == [("Ana Souza", "5511987650001")]
    made = call(
        "tags.create_tag", client, body=models.TagInputRequest(name="Urgente", color="#ff0000")
    )
    assert made.name == "Urgente"
    refused = call("tags.create_tag", client, body=models.TagInputRequest(name="x"))
    assert isinstance(refused, models.Error) and refused.fields["name"]


def test_the_typescript_client_compiles(tmp_path: Path) -> None:
    made = run(
        *(TOOLS / "openapi-generator-cli", "generate", "-g", "typescript-fetch"),
        *("-i", SCHEMA, "-o", tmp_path),
    )
    assert "ERROR" not in made
    assert (tmp_path / "apis" / "TicketsApi.ts").exists()
    run(
        *(COMPILER, "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022"),
        *("--module", "esnext", "--moduleResolution", "bundler", tmp_path / "index.ts"),
    )
