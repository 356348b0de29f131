"""The OpenAPI schema and its page."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file: Path = tmp_path_factory.mktemp("schema") / "openapi.json"
    call_command(
        "spectacular", "--fail-on-warn", "--validate", "--format", "openapi-json", "--file", file
    )
    written: dict[str, Any] = json.loads(file.read_text())
    return written


def test_it_is_written_without_warnings_and_is_valid(schema: dict[str, Any]) -> None:
    assert "/api/auth/login/" in schema["paths"]


def test_every_call_documents_the_shape_of_refusals(schema: dict[str, Any]) -> None:
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    assert all("4XX" in operation["responses"] for operation in operations)
    assert set(schema["components"]["schemas"]["Error"]["required"]) == {
        "error",
        "code",
        "message",
        "fields",
    }


def test_calls_ask_for_the_bearer_token_except_the_sessions_own(schema: dict[str, Any]) -> None:
    assert schema["components"]["securitySchemes"]["accessToken"]["scheme"] == "bearer"
    assert schema["paths"]["/api/users/"]["get"]["security"] == [{"accessToken": []}]
    for call in ("login", "refresh_token"):
        assert schema["paths"][f"/api/auth/{call}/"]["post"].get("security", []) in ([], [{}])


def test_a_refusal_has_the_documented_shape(
    schema: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = schema["components"]["schemas"]["Error"]
    unknown = APIClient().get("/api/users/").json()
    assert set(unknown) == set(error["required"])
    # Where fields break rules that have names, these stand beside them.
    incomplete = APIClient().post("/api/auth/login", {}, format="json").json()
    assert set(incomplete) == {*error["required"], "fieldCodes"}
    monkeypatch.setattr("apps.accounts.throttles.FREE_FOR_ACCOUNT", 1)
    wrong = {"email": "x@y.example", "password": "p"}
    for _ in range(2):
        hasty = APIClient().post("/api/auth/login", wrong, format="json").json()
    assert set(hasty) == {*error["required"], "retryAfter"}
    assert set(incomplete) | set(hasty) == set(error["properties"])


def test_the_page_needs_nothing_from_elsewhere(client: Client) -> None:
    page = client.get("/api/docs").content.decode()
    assert "//cdn" not in page
    assert "https://" not in page
    script = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
    assert script in page
    assert client.get(script).status_code == 200
    assert client.get("/api/schema/", headers={"Accept": "application/json"}).status_code == 200
