"""Every call takes wrong input as a clear 4xx: the calls of `test_tenancy`, fed by the schema."""

import json
import re
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from apps.accounts.models import User
from apps.accounts.permissions import Access
from conftest import ClientFor
from tests.calls.test_tenancy import LISTED, PROTECTED
from tests.tenancy_rows import ROWS
from tests.worlds import World, filled

WRONG_VALUES: list[Any] = [None, [{}], "\x00", "a" * 70_000, "9" * 5000, 10**30, True]
BEYOND_BIGINT = "9" * 23
# More digits than Python reads as a number.
ENDLESS = "9" * 5000
WRITES = [key for key in PROTECTED if key[1] in ("POST", "PUT")]
WITH_BODY = [key for key in WRITES if ROWS[key].body]
WITH_ID = [key for key in PROTECTED if re.search(r"/\{(?!ticket_uuid)", ROWS[key].path)]
# What acme's agent made for themselves; admins do not see it.
OF_AGENT = {("macro", "PUT")}


# What any list may ask for. A call that describes none of them is sent all at once.
COMMON_PARAMETERS = (
    *("pageNumber", "searchParam", "queueIds", "users", "date", "status", "beforeId"),
    *("aroundId", "contactId", "ticketId", "whatsappId", "laneId", "kind", "dateStart"),
)


def place_of(path: str) -> str:
    """Return a path without the names of its ids and of a setting."""
    return re.sub(r"\{\w+\}|(?<=/settings/)\w+", "{}", path).rstrip("/")


@pytest.fixture
def caller(key: tuple[str, str], admin: User, agent: User, super_user: User) -> User:
    """Who may make the call: acme's admin, the super user where nobody else may, or its maker."""
    if key in OF_AGENT:
        return agent
    return super_user if LISTED[key].level == Access.SUPER else admin


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """The description of the API, as its users read it."""
    generator: Any = SchemaGenerator  # untyped in its library
    described: dict[str, Any] = generator().get_schema(request=None, public=True)
    return described


@pytest.fixture(scope="module")
def parameters(schema: dict[str, Any]) -> dict[str, list[str]]:
    """The query's parameters of each GET by path, ids left out."""
    return {
        place_of(path): [
            each["name"]
            for each in operations["get"].get("parameters", [])
            if each["in"] == "query"
        ]
        for path, operations in schema["paths"].items()
        if "get" in operations
    }


@pytest.fixture(scope="module")
def request_fields(schema: dict[str, Any]) -> dict[tuple[str, str], list[str]]:
    """The fields of each request by path, ids left out, and method."""
    fields: dict[tuple[str, str], list[str]] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {})
            if not path.endswith("/"):  # the form of a call that takes JSON too
                continue
            reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
            component = schema["components"]["schemas"].get(reference.rpartition("/")[2], {})
            fields[place_of(path), method.upper()] = list(component.get("properties", {}))
    return fields


def send(client: Any, method: str, path: str, body: str) -> Any:
    return client.generic(method, "/api" + path, body, "application/json")


@pytest.mark.parametrize("key", WRITES, ids=" ".join)
def test_a_body_that_is_no_object_is_refused(
    client_for: ClientFor, world: World, caller: User, key: tuple[str, str]
) -> None:
    row = ROWS[key]
    path = row.path.format(**world)
    for body in ("[]", "null", "3", '"a"', "[{}]", "true", "{", "\udcff", '{"a": "\\ud800"}'):
        client: Any = client_for(caller)
        answer = client.generic(
            key[1], "/api" + path, body.encode(errors="surrogateescape"), "application/json"
        )
        if row.body:
            assert answer.status_code == 400, (body, answer.content)
            assert answer.json()["code"] == "ERR_MALFORMED_REQUEST", (body, answer.content)
            assert answer.json()["message"].startswith("O corpo da requisição"), answer.content
        assert answer.status_code < 500, (body, answer.content)


@pytest.mark.parametrize("key", WITH_BODY, ids=" ".join)
def test_wrong_values_of_a_field_are_refused_or_taken_but_never_a_fault(
    client_for: ClientFor,
    world: World,
    caller: User,
    request_fields: dict[tuple[str, str], list[str]],
    key: tuple[str, str],
) -> None:
    row = ROWS[key]
    path = row.path.format(**world)
    template = re.sub(r"/\d+", "/{}", f"/api{path}".split("?")[0])
    template = re.sub(r"/settings/\w+", "/settings/{}", template)
    fields = request_fields[template, key[1]]
    assert set(row.body) <= set(fields)
    client = client_for(caller)
    for name in fields:
        for value in WRONG_VALUES:
            body = json.dumps({**filled(row.body, world), name: value})
            answer = send(client, key[1], path, body)
            assert answer.status_code < 500, (name, value, answer.content)
            if value == "\x00":
                assert (answer.status_code, list(answer.json()["fields"])) == (400, [name])


@pytest.mark.parametrize("key", WITH_ID, ids=" ".join)
def test_an_id_beyond_reach_is_a_404(
    client_for: ClientFor, world: World, caller: User, key: tuple[str, str]
) -> None:
    row = ROWS[key]
    for number in (BEYOND_BIGINT, ENDLESS):
        path = re.sub(r"/\{\w+\}", f"/{number}", row.path).format(**world)
        answer = send(client_for(caller), key[1], path, json.dumps(filled(row.body, world)))
        assert answer.status_code == 404, answer.content
        assert answer.json()["message"]


@pytest.mark.parametrize("key", [key for key in PROTECTED if key[1] == "GET"], ids=" ".join)
def test_wrong_queries_are_refused_or_taken_but_never_a_fault(
    client_for: ClientFor,
    world: World,
    caller: User,
    parameters: dict[str, list[str]],
    key: tuple[str, str],
) -> None:
    path = ROWS[key].path.format(**world).split("?")[0]
    client = client_for(caller)
    taken = parameters[place_of(f"/api{ROWS[key].path.split('?')[0]}")]
    others = [name for name in COMMON_PARAMETERS if name not in taken]
    for names in (*([name] for name in taken), others):
        endless = (ENDLESS, f"[{ENDLESS}]", f'["{ENDLESS}"]', "[" * 5000, "a" * 70_000)
        for value in ("abc", "-1", BEYOND_BIGINT, f"[{BEYOND_BIGINT}]", "%00", "%ff", *endless):
            query = "&".join(f"{name}={value}" for name in names)
            answer = send(client, "GET", f"{path}?{query}", "")
            assert answer.status_code < 500, (names, value, answer.content)
            if value == "%00":
                assert answer.status_code == 400
