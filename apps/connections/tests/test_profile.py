"""/whatsapp/{id}/profile: what an official number shows of itself, kept at Meta's."""

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind
from apps.connections.tests.graph import VERSION, Answer, GraphServer, fault
from conftest import ClientFor
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

SHOWN = {
    "about": "Cerâmica feita à mão",
    "address": "Rua das Flores, 10",
    "description": "Pratos e travessas.",
    "email": "loja@example.com",
    "messaging_product": "whatsapp",
    "profile_picture_url": "https://pps.whatsapp.net/v/1",
    "websites": ["https://loja.example/"],
    "vertical": "RETAIL",
}
EMPTY = {
    **dict.fromkeys(("about", "address", "description", "email", "vertical", "pictureUrl"), ""),
    "websites": [],
}


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, verified_at=timezone.now())


@pytest.fixture
def call(client_for: ClientFor, admin: User, number: Connection) -> Any:
    """Return a function that calls the route, as acme's admin unless said otherwise."""

    def ask(
        method: str = "get", body: Any = None, user: User = admin, of: Connection = number
    ) -> Any:
        client: Any = client_for(user)
        return getattr(client, method)(f"/api/whatsapp/{of.pk}/profile", body, format="json")

    return ask


def test_the_profile_is_shown_as_meta_has_it(
    call: Any, graph: GraphServer, number: Connection
) -> None:
    graph.answers = [Answer({"data": [SHOWN]})]
    assert call().json() == {
        "about": "Cerâmica feita à mão",
        "address": "Rua das Flores, 10",
        "description": "Pratos e travessas.",
        "email": "loja@example.com",
        "vertical": "RETAIL",
        "websites": ["https://loja.example/"],
        "pictureUrl": "https://pps.whatsapp.net/v/1",
    }
    [asked] = graph.calls
    path, _, query = asked.path.partition("?")
    assert path == f"/{VERSION}/{number.phone_number_id}/whatsapp_business_profile"
    assert query.startswith("fields=about")


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"messaging_product": "whatsapp"}],
        [{"vertical": "UNDEFINED", "websites": None}],
        [{"about": None, "vertical": "NOT_A_BIZ", "websites": "x"}],
    ],
)
def test_what_meta_does_not_show_is_empty(call: Any, graph: GraphServer, rows: list[Any]) -> None:
    graph.answers = [Answer({"data": rows})]
    assert call().json() == EMPTY


def test_what_is_named_changes_and_the_rest_stays(
    call: Any, graph: GraphServer, number: Connection, admin: User
) -> None:
    graph.answers = [Answer({"success": True})]
    sites = ["https://loja.example/", "http://outra.example/"]
    answer = call("put", {"email": "", "websites": sites, "pictureHandle": "4::aW1n:ARb"})
    assert answer.status_code == 200, answer.content
    [asked] = graph.calls
    assert asked.method == "POST"
    assert asked.json == {
        "messaging_product": "whatsapp",
        "email": "",
        "websites": sites,
        "profile_picture_handle": "4::aW1n:ARb",
    }
    entry = AuditEntry.objects.get(action="connection.profile_changed")
    assert entry.actor == admin
    assert entry.detail == {"fields": ["email", "profile_picture_handle", "websites"]}


def test_nothing_to_change_asks_nobody(call: Any, graph: GraphServer) -> None:
    assert call("put", {}).status_code == 200
    assert graph.calls == []
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("body", "place", "rule"),
    [
        ({"about": ""}, "about", "blank"),
        ({"about": "x" * 140}, "about", "max_length"),
        ({"address": "x" * 257}, "address", "max_length"),
        ({"description": "x" * 513}, "description", "max_length"),
        ({"email": f"a@{'x' * 130}.com"}, "email", None),
        ({"email": "loja"}, "email", "invalid"),
        ({"vertical": "CIRCUS"}, "vertical", "invalid_choice"),
        ({"websites": ["https://a.example"] * 3}, "websites", "max_length"),
        ({"websites": [f"https://a.example/{'x' * 256}"]}, "websites.0", "max_length"),
        ({"websites": ["a.example"]}, "websites", "web_address"),
    ],
)
def test_limits_are_told_at_their_field_before_meta_is_asked(
    call: Any, graph: GraphServer, body: dict[str, Any], place: str, rule: str | None
) -> None:
    answer = call("put", body)
    assert answer.status_code == 400
    assert place in answer.json()["fields"]
    assert rule is None or answer.json()["fieldCodes"][place] == rule
    assert graph.calls == []


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (fault(100, "(#100) Param about cannot be empty."), 400, "ERR_PROFILE_REFUSED"),
        (fault(190, status=401), 424, "ERR_PROFILE_UNAVAILABLE"),
        (Answer({}, status=503), 424, "ERR_PROFILE_UNAVAILABLE"),
        (Answer(b"<html>"), 424, "ERR_PROFILE_UNAVAILABLE"),
    ],
)
def test_metas_refusals_are_told_with_their_reason(
    call: Any, graph: GraphServer, answer: Answer, status: int, code: str
) -> None:
    graph.answers = [answer]
    told = call("put", {"about": "Aberto"})
    assert (told.status_code, told.json()["code"]) == (status, code)
    assert told.json()["reasonCode"]
    assert not AuditEntry.objects.exists()
    read = call()
    assert (read.status_code, read.json()["code"]) == (424, "ERR_PROFILE_UNAVAILABLE")


def test_a_session_and_a_number_that_was_not_shown_have_none(
    call: Any, graph: GraphServer, acme: Company
) -> None:
    session = make_connection(acme, provider=ProviderKind.BETA)
    unshown = make_connection(acme, verified_at=None)
    for method in ("get", "put"):
        body = {"about": "Aberto"} if method == "put" else None
        assert call(method, body, of=session).json()["code"] == "ERR_NO_PROFILE"
        assert call(method, body, of=unshown).json()["code"] == "ERR_PROFILE_UNAVAILABLE"
    assert graph.calls == []


def test_it_is_the_companys_admins_alone(
    call: Any, graph: GraphServer, agent: User, outsider: User
) -> None:
    for method in ("get", "put"):
        assert call(method, {"about": "Oi"}, user=agent).status_code == 403
        assert call(method, {"about": "Oi"}, user=outsider).status_code == 404
    assert graph.calls == []
