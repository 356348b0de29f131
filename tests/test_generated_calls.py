"""Generated calls to every operation of the OpenAPI schema: no fault, and answers as documented.

They go over the network to the server that serves people, on PostgreSQL. What the schema allows and
what it forbids, to acme's records and to any others, with a role's token and with none. The calls
of one role to one operation are the same in every run, and fewer of a kind on a machine that is
slow. `make test` makes one allowed call of each, `make test-deep` all kinds.
"""

import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from schemathesis import GenerationMode
from schemathesis.generation.feedback import NO_FEEDBACK

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.services.tokens import issue_token
from tests.answers import address_of, answer_faults, documented_schema
from tests.factories import PASSWORD
from tests.lengths import IS_FULL, cases
from tests.served import Heard, Line, line, server
from tests.tenancy_rows import ROWS
from tests.worlds import World, filled, world

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    # One server, and one clock, for all of them.
    pytest.mark.xdist_group("generated calls"),
]
__all__ = ["line", "server", "world"]

# The allowed call at a known record is the first kind.
KINDS = 10 if IS_FULL else 1
CALLS_OF_A_KIND = cases(2)
# Who has no token is refused early where one is asked for, and tries the more where none is.
CALLS_OF_NOBODY = 1
CALLS_WITHOUT_SESSION = cases(12)
# With `test_generated_strangers` within five minutes by the clock. Who is behind at a kind of call
# makes one of it; what comes last is left out when a role's time is over, the first kind of no
# operation.
HEAD_START = 0.1
MOST_SECONDS = {"outsider": 64, "agent": 60, "admin": 60, "super_user": 60, "nobody": 26}
SERVE_ANYBODY = {
    *("/api/auth/login/", "/api/auth/logout/", "/api/auth/refresh_token/"),
    *("/api/auth/signup/", "/api/companies/cadastro/", "/api/plans/list/"),
    *("/api/password-reset/", "/api/forgetpassword/{email}/"),
    *("/api/", "/api/public-settings/{key}/"),
}
OPTIONS = settings(
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True)
class Known:
    """What a call that succeeds says in its address and its body."""

    place: dict[str, str]
    body: dict[str, Any]
    token: str = ""  # where it is not the caller's


Calls = dict[tuple[str, str], Known]


def known_calls(world: World) -> Calls:
    """Return the calls of `tenancy_rows`, by address and method."""
    found = {}
    for (_, method), row in ROWS.items():
        address = address_of("/api" + row.path.format(**world).partition("?")[0])
        assert address is not None, row.path
        found[address[0], method] = Known(address[1], filled(row.body, world))
    return found


def public_calls(caller: User, connection: Connection, number: str) -> Calls:
    """Return the calls that ask for no session: its beginning, and those of programs."""
    token = issue_token(actor=caller, connection=connection)
    return {
        ("/api/auth/login/", "POST"): Known({}, {"email": caller.email, "password": PASSWORD}),
        ("/api/messages/send/", "POST"): Known({}, {"number": number, "body": "Oi"}, token),
    }


@pytest.fixture(autouse=True)
def _same_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep out the constants that Hypothesis reads from whatever modules are loaded."""
    monkeypatch.setattr(providers, "_get_local_constants", Constants)
    monkeypatch.setattr(providers, "CONSTANTS_CACHE", type(providers.CONSTANTS_CACHE)(1024))


def kinds_of_calls(operation: Any, known: Known, token: str) -> Iterator[st.SearchStrategy[Any]]:
    """Yield the allowed and the forbidden at a known record, and the allowed at any."""
    shown = known.token or token
    common = {
        "feedback": NO_FEEDBACK,
        "headers": {"Authorization": f"Bearer {shown}"} if shown else {},
    }
    here = {**common, "path_parameters": known.place}
    allowed = operation.as_strategy(**here)
    yield allowed
    if known.body:
        yield good_but_for_some(allowed, known.body)
    if operation.body or operation.query:
        yield operation.as_strategy(GenerationMode.NEGATIVE, **here)
    if known.place:
        yield operation.as_strategy(**common)


def asks_for_session(where: tuple[str, str]) -> bool:
    """Tell whether the schema names a session's token for a call."""
    address, method = where
    return bool(documented_schema()["paths"][address][method.lower()].get("security"))


def calls_of_a_kind(role: str, where: tuple[str, str], *, is_late: bool) -> int:
    """Return how many are generated for an operation."""
    if is_late:
        return 1
    if role != "nobody":
        return CALLS_OF_A_KIND
    return CALLS_OF_NOBODY if asks_for_session(where) else CALLS_WITHOUT_SESSION


def generated_calls(
    known: Calls, token: str
) -> Iterator[tuple[tuple[str, str], int, st.SearchStrategy[Any]]]:
    """Yield each operation's kinds of calls, with its address and method."""
    schema: Any = schemathesis.openapi.from_dict(documented_schema())
    for found in schema.get_all_operations():
        operation = found.ok()
        where = (operation.path, operation.method.upper())
        # A form stands at the path without its slash (`apps.common.schema.split_forms`).
        as_json = (f"{operation.path}/", where[1])
        record = replace(known[as_json], body={}) if as_json in known else Known({}, {})
        kinds = kinds_of_calls(operation, known.get(where, record), token)
        for kind, strategy in enumerate(islice(kinds, KINDS)):
            yield where, kind, strategy


@st.composite
def good_but_for_some(draw: st.DrawFn, allowed: Any, body: dict[str, Any]) -> Any:
    """Return a call whose body is known to be good, with two generated fields at most."""
    case = draw(allowed)
    generated = case.body if isinstance(case.body, dict) else {}
    some = draw(st.sets(st.sampled_from(sorted(generated)), max_size=2)) if generated else ()
    case.body = {**body, **{name: generated[name] for name in some}}
    return case


def send(line: Line, case: Any) -> tuple[str, Heard]:
    """Make a call, undo what it did, and return what was sent with the answer."""
    asked = case.as_transport_kwargs(base_url=line.address)
    names = ("method", "url", "headers", "params", "data", "json", "files", "cookies")
    wire: Any = requests.Request(**{name: asked.get(name) for name in names}).prepare()
    return line.send(wire)


@pytest.mark.parametrize("role", MOST_SECONDS)
def test_generated_calls_are_served_or_refused_but_never_a_fault(
    request: pytest.FixtureRequest,
    world: World,
    acme: Company,
    connection: Connection,
    admin: User,
    role: str,
) -> None:
    records = [world]
    token = ""
    if role == "outsider":
        own = {name.removeprefix("own_"): world[name] for name in world if name.startswith("own_")}
        records.append({**world, **own})
    if role != "nobody":
        caller: User = request.getfixturevalue(role)
        if role == "super_user":  # of the company that has the records
            User.objects.filter(pk=caller.pk).update(company=acme)
            caller.refresh_from_db()
        token = make_access_token(caller)
    number = acme.contacts.get(pk=world["contact"]).number
    faults: list[str] = []
    served: list[str] = []
    missed: list[tuple[str, str]] = []
    calls: list[tuple[int, int, tuple[str, str], st.SearchStrategy[Any]]] = []
    for turn, rows in enumerate(records):
        known = known_calls(rows) | public_calls(admin, connection, number)
        if role == "nobody":
            known = {where: replace(each, token="") for where, each in known.items()}
        for where, kind, strategy in generated_calls(known, token):
            calls.append((kind, turn, where, strategy))
    # A kind of call after the other, so that each operation has had its first in good time.
    calls.sort(key=lambda call: call[:2])
    # From now on every call finds the records as they are.
    opened: Line = request.getfixturevalue("line")
    begun = time.monotonic()
    for done, (kind, turn, where, strategy) in enumerate(calls):
        passed = (time.monotonic() - begun) / MOST_SECONDS[role]
        if passed > 1:
            missed += [where] if kind == 0 else []
            continue
        is_late = passed > done / len(calls) + HEAD_START
        examples = calls_of_a_kind(role, where, is_late=is_late)

        @seed(zlib.crc32(f"{role} {turn} {where} {kind}".encode()))
        @settings(OPTIONS, max_examples=examples)
        @given(strategy)
        def call(case: Any) -> None:
            sent, answer = send(opened, case)
            path = unquote(urlsplit(answer.url).path)
            wrong = answer_faults(str(case.method), path, answer)
            faults.extend(f"{sent}\n{each}" for each in wrong)
            if answer.status_code >= 500:
                faults.append(f"{sent}\n{answer.content!r}")
            if role == "nobody" and answer.status_code < 400 and case.path not in SERVE_ANYBODY:
                served.append(sent)

        call()
    assert not faults, "\n\n".join(faults)
    assert not served, "\n\n".join(served)
    assert not missed, f"No time was left for {len(missed)} operations, the first {missed[0]}"
