"""Every call of the API, tried by nobody, by too low a role, by the least role and by the outsider.

A new call needs a row in `config.access` and one line in `tenancy_rows.ROWS`; without them a test
fails.
"""

import json
import uuid
import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.db import connections as databases
from django.urls import URLPattern, URLResolver, get_resolver

from apps.accounts.models import User
from apps.accounts.permissions import OF_USERS, Access
from apps.accounts.tokens import make_access_token
from apps.companies.models import Company
from config.access import NEEDS
from conftest import ClientFor
from tests.calls.conftest import Made
from tests.lanes import Server, own_transaction
from tests.tenancy_links import LINKS
from tests.tenancy_rows import ROWS
from tests.worlds import World, filled

# Answered by the schema's library and by signature; the media's own tests try those.
NOT_OURS = {"schema", "docs", "public-media"}
# No answer to the outsider may contain one of these.
MARKS = ("Acme", "acme.example", "Vendas", "Loja")


def call(client: Any, method: str, path: str, body: dict[str, Any], world: World) -> Any:
    return getattr(client, method.lower())(
        "/api" + path.format(**world), filled(body, world) if method != "GET" else None, "json"
    )


def api_calls(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the methods of every call below /api."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if prefix or str(pattern.pattern) == "api/":
                yield from api_calls(pattern.url_patterns, "api/")
        elif prefix and isinstance(pattern, URLPattern):
            view: Any = pattern.callback
            actions = getattr(view, "actions", None) or {
                method: method
                for method in ("get", "post", "put", "patch", "delete")
                if hasattr(getattr(view, "view_class", getattr(view, "cls", None)), method)
            }
            for method in actions:
                yield str(pattern.name), method.upper()


CALLS = {call for call in api_calls(get_resolver().url_patterns) if call[0] not in NOT_OURS}
LISTED = {key: needs for key, needs in NEEDS.items() if key[0] not in NOT_OURS}
PROTECTED = sorted(key for key, needs in LISTED.items() if needs.level > Access.PUBLIC)
# What a `user` may not do.
ABOVE = [
    key
    for key in PROTECTED
    if LISTED[key].level == Access.SUPER or not LISTED[key].permissions <= OF_USERS
]


def test_every_call_stands_in_the_access_table_and_the_table_names_no_other() -> None:
    assert set(LISTED) == CALLS


def test_every_protected_call_has_a_row_here() -> None:
    assert set(ROWS) == set(PROTECTED)


@pytest.mark.parametrize("key", PROTECTED, ids=" ".join)
def test_nobody_is_sent_to_the_login(client_for: ClientFor, key: tuple[str, str]) -> None:
    row = ROWS[key]
    ids = dict.fromkeys(_names(row.path), 1) | {
        "ticket_uuid": "0" * 36,
        "chat_uuid": uuid.UUID(int=0),
    }
    answer = client_for(None).generic(
        key[1], "/api" + row.path.format(**ids), json.dumps(row.body), "application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_SESSION_EXPIRED")


def _names(path: str) -> list[str]:
    return [part.split("}")[0] for part in path.split("{")[1:]]


@pytest.mark.parametrize("key", ABOVE, ids=" ".join)
def test_too_low_a_role_is_refused(
    client_for: ClientFor, world: World, admin: User, agent: User, key: tuple[str, str]
) -> None:
    row = ROWS[key]
    caller = admin if LISTED[key].level == Access.SUPER else agent
    answer = call(client_for(caller), key[1], row.path, row.body, world)
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")


@pytest.mark.every_case
@pytest.mark.parametrize("key", PROTECTED, ids=" ".join)
def test_the_least_role_is_served(
    client_for: ClientFor,
    world: World,
    super_user: User,
    admin: User,
    agent: User,
    key: tuple[str, str],
) -> None:
    row = ROWS[key]
    caller = agent
    if key in ABOVE:
        caller = super_user if LISTED[key].level == Access.SUPER else admin
    answer = call(client_for(caller), key[1], row.path, row.body, world)
    assert answer.status_code in row.least, answer.content


def acme_rows() -> dict[str, list[Any]]:
    """Return every row of acme's tables, to see that nothing of it changes."""
    acme = Company.objects.get(name="Acme")
    tables: dict[str, list[Any]] = {}
    for relation in Company._meta.related_objects:
        model = relation.related_model
        assert not isinstance(model, str)
        rows = model._default_manager.filter(**{relation.field.name: acme})
        tables[model._meta.label] = sorted(map(str, rows.values()))
    return tables


@pytest.fixture(scope="module")
def before(made: Made) -> dict[str, list[Any]]:
    """The rows of acme before each test: what a test writes is taken back."""
    return acme_rows()


def words_of(content: bytes) -> str:
    """Return what an answer says, a workbook in all of its parts."""
    if not content.startswith(b"PK\x03\x04"):
        return content.decode()
    with zipfile.ZipFile(BytesIO(content)) as parts:
        return "".join(parts.read(name).decode() for name in parts.namelist())


@pytest.mark.every_case
@pytest.mark.parametrize("key", PROTECTED, ids=" ".join)
def test_the_outsider_reaches_nothing(
    client_for: ClientFor,
    world: World,
    outsider: User,
    before: dict[str, list[Any]],
    key: tuple[str, str],
) -> None:
    row = ROWS[key]
    answer = call(client_for(outsider), key[1], row.path, row.body, world)
    if row.outsider == "404":
        assert answer.status_code == 404, answer.content
    elif row.outsider == "hidden":
        assert answer.status_code in (200, 201), answer.content
    else:
        assert 400 <= answer.status_code < 500, answer.content
    shown: Any = answer  # files come in parts, without `content`
    words = words_of(shown.getvalue())
    assert not [mark for mark in MARKS if mark in words]
    assert acme_rows() == before


HOT = {"contacts-list", "tickets-list", "tickets-board", "tickets-detail", "messages"}


@pytest.mark.parametrize("name", sorted(HOT))
def test_the_outsider_reaches_nothing_in_front_of_django_either(
    world: World, agent: User, outsider: User, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    server, row = Server(), ROWS[name, "GET"]
    assert server.names == HOT
    address = "/api" + row.path.format(**world)
    with own_transaction(monkeypatch):
        for user in (agent, outsider):
            server.get(address, make_access_token(user))  # which Django answers
        before = acme_rows()
        served = server.get(address, make_access_token(agent))
        answer = server.get(address, make_access_token(outsider))
        assert (served.is_django, answer.is_django) == (False, False)
        assert any(mark.encode() in served.body for mark in MARKS)
        assert answer.status[:3] == ("404" if row.outsider == "404" else "200")
        assert not [mark for mark in MARKS if mark.encode() in answer.body]
        assert acme_rows() == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    LINKS,
    ids=[f"{method} {path} {' '.join(body)}" for method, path, body in LINKS],
)
def test_the_outsider_links_to_nothing(
    client_for: ClientFor,
    world: World,
    outsider: User,
    before: dict[str, list[Any]],
    method: str,
    path: str,
    body: dict[str, Any],
) -> None:
    answer = call(client_for(outsider), method, path, body, world)
    assert answer.status_code in (400, 404), answer.content
    assert not [mark for mark in MARKS if mark in answer.content.decode()]
    assert acme_rows() == before
    assert databases["default"].needs_rollback is False
