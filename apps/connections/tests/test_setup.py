"""/whatsapp/check and /whatsapp/webhook: how far a number's set-up at Meta's is."""

from typing import Any

import pytest
from rest_framework.response import Response

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.encryption import MASK
from apps.companies.models import Company
from apps.connections.models import Connection, OperatorAccount
from apps.connections.tests.conftest import PHONE_NUMBER_ID
from apps.connections.tests.graph import Answer, GraphServer, fault
from apps.inbound.models import InboundEvent
from conftest import ClientFor

pytestmark = pytest.mark.django_db

WABA = "200000000000009"
TYPED = "EAAG-digitado"
FORM = {"phone_number_id": PHONE_NUMBER_ID, "waba_id": WABA, "accessToken": TYPED}
NEEDED = ("whatsapp_business_messaging", "whatsapp_business_management")
ADDRESS = "https://balcao.example/webhooks/whatsapp"


def granted(*names: str) -> Answer:
    """Return the answer of a token that may do these things."""
    return Answer({"data": [{"permission": name, "status": "granted"} for name in names]})


@pytest.fixture
def check(client_for: ClientFor, admin: User, settings: Any) -> Any:
    """Return a function that looks at a step as acme's admin."""
    settings.PUBLIC_URL = "https://balcao.example"
    settings.META_APP_SECRET = settings.META_VERIFY_TOKEN = "segredo-do-app"
    settings.META_ACCESS_TOKEN = ""

    def look(step: str, **fields: Any) -> dict[str, Any]:
        answer = client_for(admin).post("/api/whatsapp/check", {**FORM, "step": step, **fields})
        assert answer.status_code == 200, answer.content
        shown: dict[str, Any] = answer.json()
        assert shown["step"] == step
        return shown

    return look


@pytest.mark.parametrize(
    ("step", "answer", "path"),
    [
        ("token", granted(*NEEDED), "me/permissions"),
        ("account", Answer({"data": [{"id": PHONE_NUMBER_ID}]}), f"{WABA}/phone_numbers"),
        (
            "subscription",
            Answer({"data": [{"whatsapp_business_api_data": {"id": "1"}}]}),
            f"{WABA}/subscribed_apps",
        ),
        (
            "webhook",
            Answer({"webhook_configuration": {"application": ADDRESS + "/"}}),
            f"{PHONE_NUMBER_ID}?fields=webhook_configuration",
        ),
    ],
)
def test_a_step_that_is_done(
    check: Any, graph: GraphServer, step: str, answer: Answer, path: str
) -> None:
    graph.answers = [answer]
    empty = dict.fromkeys(("problem", "detail", "number", "name"), "")
    assert check(step) == {"step": step, "state": "done", **empty}
    assert path in graph.calls[0].path
    assert graph.calls[0].headers["authorization"] == f"Bearer {TYPED}"


def test_the_number_is_shown_with_its_name(check: Any, graph: GraphServer) -> None:
    graph.answers = [
        Answer({"display_phone_number": "+55 11 98888-7777", "verified_name": "Loja Centro"})
    ]
    shown = check("number")
    assert (shown["number"], shown["name"]) == ("+55 11 98888-7777", "Loja Centro")


@pytest.mark.parametrize(
    ("step", "answer", "problem"),
    [
        ("token", fault(190, status=401), "token_refused"),
        ("token", fault(104, status=401), "token_refused"),
        ("token", granted(NEEDED[0]), "permission_missing"),
        ("token", Answer(b"", status=503), "unreachable"),
        ("number", fault(100, error_subcode=33), "number_not_found"),
        ("number", fault(200, status=403), "no_permission"),
        ("number", fault(131031), "refused"),
        ("account", fault(100, error_subcode=33), "account_not_found"),
        ("account", Answer({"data": [{"id": "999999999999999"}]}), "number_elsewhere"),
        ("account", Answer({}), "unreachable"),
        ("subscription", Answer({"data": []}), "not_subscribed"),
        ("subscription", Answer(drops=True), "unreachable"),
        ("webhook", Answer({"webhook_configuration": {}}), "webhook_none"),
        (
            "webhook",
            # The number's own address goes before the app's.
            Answer(
                {
                    "webhook_configuration": {
                        "application": ADDRESS,
                        "phone_number": "https://outro.example/",
                    }
                }
            ),
            "webhook_elsewhere",
        ),
    ],
)
def test_a_step_that_fails_says_why(
    check: Any, graph: GraphServer, step: str, answer: Answer, problem: str
) -> None:
    graph.answers = [answer]
    shown = check(step)
    assert (shown["state"], shown["problem"]) == ("failed", problem)
    assert TYPED not in str(shown)


def test_lacking_permissions_are_named(check: Any, graph: GraphServer) -> None:
    graph.answers = [granted("public_profile")]
    assert check("token")["detail"] == ", ".join(NEEDED)


def test_a_refusal_without_words_of_ours_shows_metas(check: Any, graph: GraphServer) -> None:
    graph.answers = [fault(131031)]
    assert check("number")["detail"] == "A conta do WhatsApp Business está bloqueada pela Meta."


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        ("number", Answer({}, status=404)),
        ("webhook", Answer({"id": PHONE_NUMBER_ID})),
    ],
)
def test_what_a_stand_in_does_not_tell_is_no_failure(
    check: Any, graph: GraphServer, step: str, answer: Answer
) -> None:
    graph.answers = [answer]
    shown = check(step)
    assert (shown["state"], shown["problem"]) == ("unknown", "not_told")


def test_a_token_without_a_list_of_permissions_is_accepted(check: Any, graph: GraphServer) -> None:
    graph.answers = [fault(2500, "Unknown path components")]
    assert check("token")["state"] == "done"


@pytest.mark.parametrize("typed", ["", MASK])
def test_an_empty_token_means_the_stored_one(
    check: Any, graph: GraphServer, connection: Connection, typed: str
) -> None:
    graph.answers = [granted(*NEEDED)]
    assert check("token", id=connection.pk, accessToken=typed)["state"] == "done"
    assert graph.calls[0].headers["authorization"] == "Bearer token"


def test_without_a_row_an_empty_token_means_the_operators_where_it_serves(
    check: Any, graph: GraphServer, settings: Any, acme: Company
) -> None:
    assert check("token", accessToken="")["problem"] == "token_missing"
    assert graph.calls == []
    settings.META_ACCESS_TOKEN = "do-operador"
    # The operator lends it to accounts, not to companies.
    assert check("token", accessToken="")["problem"] == "token_missing"
    assert graph.calls == []
    OperatorAccount.objects.create(company=acme, waba_id=FORM["waba_id"])
    graph.answers = [granted(*NEEDED)]
    assert check("token", accessToken="")["state"] == "done"
    assert graph.calls[0].headers["authorization"] == "Bearer do-operador"


def test_a_number_of_somebody_else_is_not_asked_for(
    client_for: ClientFor, outsider: User, connection: Connection, graph: GraphServer
) -> None:
    body = {**FORM, "step": "number", "phone_number_id": connection.phone_number_id}
    answer = client_for(outsider).post("/api/whatsapp/check", body)
    assert answer.json()["problem"] == "number_taken"
    assert graph.calls == []


def test_the_own_number_is_not_taken(
    check: Any, numbered: GraphServer, connection: Connection
) -> None:
    fields = {"id": connection.pk, "phone_number_id": connection.phone_number_id}
    assert check("number", **fields)["state"] == "done"


def test_the_app_is_subscribed_where_that_is_asked_for(check: Any, graph: GraphServer) -> None:
    graph.answers = [Answer({"success": True}), Answer({"data": [{"id": "1"}]})]
    assert check("subscription", subscribes=True)["state"] == "done"
    assert [call.method for call in graph.calls] == ["POST", "GET"]
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.detail) == ("connection.subscribed", {"waba_id": WABA})


def test_looking_alone_subscribes_nothing(check: Any, graph: GraphServer) -> None:
    graph.answers = [Answer({"data": []})]
    check("subscription")
    assert [call.method for call in graph.calls] == ["GET"]
    assert not AuditEntry.objects.exists()
    graph.answers = [granted(*NEEDED)]
    check("token", subscribes=True)
    assert [call.method for call in graph.calls] == ["GET", "GET"]


def test_without_an_app_secret_nothing_is_received(
    check: Any, graph: GraphServer, settings: Any
) -> None:
    settings.META_APP_SECRET = ""
    assert check("webhook")["problem"] == "secret_missing"
    assert graph.calls == []


def test_the_first_event_is_awaited_and_seen(check: Any, connection: Connection) -> None:
    assert check("event")["problem"] == "not_saved"
    own = {"id": connection.pk, "phone_number_id": connection.phone_number_id}
    waiting = check("event", **own)
    assert (waiting["state"], waiting["problem"]) == ("waiting", "no_event")
    InboundEvent.objects.create(
        connection=connection, event_id="wamid.1", kind="message", partition="1", payload={}
    )
    assert check("event", **own)["state"] == "done"
    # Another number that is only typed has heard nothing yet.
    assert check("event", id=connection.pk)["problem"] == "not_saved"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"step": "nenhum"}, "step"),
        ({}, "step"),
        ({"step": "number", "phone_number_id": "123"}, "phone_number_id"),
        ({"step": "number", "phone_number_id": f"{PHONE_NUMBER_ID}/../me"}, "phone_number_id"),
        ({"step": "account", "phone_number_id": PHONE_NUMBER_ID}, "waba_id"),
        ({"step": "subscription", "waba_id": "x" * 60}, "waba_id"),
        ({"step": "token", "id": "abc"}, "id"),
        ({"step": "token", "accessToken": "x" * 2001}, "accessToken"),
    ],
)
def test_bad_input_is_refused_at_its_field(
    client_for: ClientFor, admin: User, graph: GraphServer, body: dict[str, Any], field: str
) -> None:
    answer: Response = client_for(admin).post("/api/whatsapp/check", body)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [field]  # type: ignore[attr-defined]
    assert graph.calls == []


def test_admins_see_what_is_entered_at_metas(
    client_for: ClientFor, admin: User, agent: User, settings: Any
) -> None:
    settings.PUBLIC_URL, settings.META_VERIFY_TOKEN = "https://balcao.example", "palavra"
    answer = client_for(admin).get("/api/whatsapp/webhook")
    assert answer.json() == {"address": ADDRESS, "verifyToken": "palavra"}
    assert client_for(agent).get("/api/whatsapp/webhook").status_code == 403
