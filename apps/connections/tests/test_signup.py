"""/whatsapp/signup: a number comes by Meta's embedded signup."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.registry import Hook
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus, Signup
from apps.connections.services import forget_signups
from apps.connections.services import signup as signups
from apps.connections.tests.graph import Answer, GraphServer, fault
from conftest import ClientFor
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

NUMBER, OTHER_NUMBER, ACCOUNT = "100000000000777", "100000000000778", "200000000000777"
TOKEN = "EAAG-da-loja"
BODY = {"code": "AQD-um-codigo", "waba_id": ACCOUNT, "phone_number_id": NUMBER}
CARD = {
    "id": NUMBER,
    "display_phone_number": "+55 11 98888-7777",
    "verified_name": "Loja Centro",
    "platform_type": "NOT_APPLICABLE",
    "status": "PENDING",
    "is_on_biz_app": False,
}
SUCCESS = Answer({"success": True})


@pytest.fixture
def meta(graph: GraphServer, settings: Any) -> GraphServer:
    """A Graph API that exchanges every code, with one number in the account."""
    settings.META_APP_ID, settings.META_CONFIG_ID = "670843887433847", "1284"
    settings.META_APP_SECRET = "segredo-do-app"
    graph.answers = [Answer(CARD)]
    graph.places = {
        "access_token": Answer({"access_token": TOKEN, "token_type": "bearer"}),
        "phone_numbers": Answer({"data": [CARD]}),
        "subscribed_apps": SUCCESS,
        "register": SUCCESS,
    }
    return graph


@pytest.fixture
def sign_up(meta: GraphServer, client_for: ClientFor, admin: User) -> Any:
    """Return a function that posts what the window gave, as acme's admin or as another."""

    def post(by: User = admin, **changes: Any) -> Any:
        return client_for(by).post("/api/whatsapp/signup", {**BODY, **changes}, format="json")

    return post


def asked(meta: GraphServer) -> list[str]:
    """Return the calls that Meta got, without versions and queries."""
    return [f"{call.method} {call.path.partition('?')[0].split('/', 2)[2]}" for call in meta.calls]


def refusal(answer: Any, status: int = 424) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    body: dict[str, Any] = answer.json()
    return {name: body.get(name) for name in ("code", "step", "reasonCode", "canRetry")}


def test_a_number_is_exchanged_verified_subscribed_registered_and_connected(
    sign_up: Any, meta: GraphServer, acme: Company, emitted: Any
) -> None:
    before = timezone.now()
    answer = sign_up(pin="123456")
    assert answer.status_code == 201, answer.content
    assert answer.json()["pin"] == ""
    row = answer.json()["connection"]
    assert (row["name"], row["number"], row["status"]) == (
        "Loja Centro",
        "5511988887777",
        "CONNECTED",
    )
    assert row["isDefault"]
    assert row["sendsPerSecond"] == 80
    connection = Connection.objects.for_company(acme.pk).get()
    assert connection.access_token == TOKEN
    assert connection.signed_up_at is not None
    assert connection.signed_up_at >= before
    assert connection.verified_at is not None
    assert not connection.is_coexistence
    assert asked(meta)[:4] == [
        "GET oauth/access_token",
        f"GET {ACCOUNT}/phone_numbers",
        f"POST {ACCOUNT}/subscribed_apps",
        f"POST {NUMBER}/register",
    ]
    exchange = meta.calls[0]
    assert "client_id=670843887433847" in exchange.path
    assert "client_secret=segredo-do-app" in exchange.path
    assert "code=AQD-um-codigo" in exchange.path
    assert "authorization" not in exchange.headers
    assert meta.calls[1].headers["authorization"] == f"Bearer {TOKEN}"
    assert {"standby", "messaging_handovers"} <= set(meta.calls[2].json["subscribed_fields"])
    assert meta.calls[3].json == {"messaging_product": "whatsapp", "pin": "123456"}
    assert ("whatsapp", connection.pk) in [
        (event, payload.get("whatsapp", {}).get("id")) for event, payload, _ in emitted
    ]
    entry = AuditEntry.objects.get(action="connection.signed_up")
    assert TOKEN not in str(entry.detail)
    # What the code was exchanged for is with the connection alone.
    assert Signup.objects.get().access_token == ""


def test_without_a_pin_one_is_made_and_told_once_it_is_the_numbers(
    sign_up: Any, meta: GraphServer
) -> None:
    pin = sign_up().json()["pin"]
    assert len(pin) == 6
    assert pin.isdigit()
    register = next(call for call in meta.calls if call.path.endswith("/register"))
    assert register.json["pin"] == pin


def test_a_number_that_sends_already_is_not_registered_again(
    sign_up: Any, meta: GraphServer
) -> None:
    card = {**CARD, "platform_type": "CLOUD_API", "status": "CONNECTED"}
    meta.places["phone_numbers"] = Answer({"data": [card]})
    assert sign_up().json()["pin"] == ""
    assert f"POST {NUMBER}/register" not in asked(meta)


@pytest.mark.parametrize("named", ["", NUMBER])
def test_a_number_that_stays_on_its_phone(
    sign_up: Any, meta: GraphServer, acme: Company, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    hook: Hook[[Connection]] = Hook()
    told: list[tuple[int, str]] = []
    hook.register(lambda connection: told.append((connection.pk, connection.status)))
    monkeypatch.setattr(signups, "signed_up", hook)
    other = {**CARD, "id": OTHER_NUMBER}
    meta.places["phone_numbers"] = Answer({"data": [other, {**CARD, "is_on_biz_app": True}]})
    answer = sign_up(coexistence=True, phone_number_id=named)
    assert answer.status_code == 201, answer.content
    connection = Connection.objects.for_company(acme.pk).get()
    assert connection.phone_number_id == NUMBER
    assert connection.is_coexistence
    assert connection.sends_per_second == 20
    assert told == [(connection.pk, ConnectionStatus.CONNECTED)]
    assert f"POST {NUMBER}/register" not in asked(meta)


def test_a_number_on_a_phone_is_not_taken_from_it_whatever_the_browser_says(
    sign_up: Any, meta: GraphServer, acme: Company
) -> None:
    meta.places["phone_numbers"] = Answer({"data": [{**CARD, "is_on_biz_app": True}]})
    assert sign_up().status_code == 201
    assert Connection.objects.for_company(acme.pk).get().is_coexistence
    assert f"POST {NUMBER}/register" not in asked(meta)


def test_only_a_number_that_stays_on_its_phone_is_told_to_others(
    sign_up: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook: Hook[[Connection]] = Hook()
    told: list[Connection] = []
    hook.register(told.append)
    monkeypatch.setattr(signups, "signed_up", hook)
    assert sign_up().status_code == 201
    assert told == []


@pytest.mark.parametrize(
    ("place", "answer", "step", "reason", "can_retry"),
    [
        ("access_token", fault(100, error_subcode=36009), "code", "signup_code", False),
        ("access_token", fault(1, "Error validating client secret."), "code", "signup_app", False),
        ("access_token", fault(2, status=503), "code", "provider_down", True),
        ("access_token", Answer({}), "code", "malformed_answer", False),
        ("access_token", fault(999999, "(#999999) No"), "code", "signup_refused", False),
        ("phone_numbers", fault(190, status=401), "number", "credentials_refused", False),
        ("phone_numbers", Answer({"data": []}), "number", "number_elsewhere", False),
        ("phone_numbers", Answer(drops=True), "number", "broken_connection", True),
        ("subscribed_apps", fault(200, status=403), "subscription", "no_permission", False),
        ("subscribed_apps", fault(4, status=429), "subscription", "app_limit", True),
        ("register", fault(133005), "registration", "pin_wrong", True),
        ("register", fault(133006), "registration", "number_unverified", False),
        ("register", fault(133008), "registration", "pin_blocked", True),
        ("register", fault(133016), "registration", "register_limit", True),
        ("register", fault(100), "registration", "signup_refused", True),
    ],
)
def test_a_step_that_fails_is_named_and_leaves_no_connection(
    sign_up: Any,
    meta: GraphServer,
    place: str,
    answer: Answer,
    step: str,
    reason: str,
    can_retry: bool,
) -> None:
    meta.places[place] = answer
    assert refusal(sign_up()) == {
        "code": "ERR_SIGNUP_FAILED",
        "step": step,
        "reasonCode": reason,
        "canRetry": can_retry,
    }
    assert not Connection.objects.exists()
    assert Signup.objects.get().busy_until is None


def test_what_failed_goes_on_with_the_same_code(sign_up: Any, meta: GraphServer) -> None:
    meta.places["register"] = fault(133005)
    assert refusal(sign_up())["step"] == "registration"
    # Meta takes no code twice.
    meta.places["access_token"] = fault(100, error_subcode=36009)
    meta.places["register"] = SUCCESS
    answer = sign_up(pin="654321")
    assert answer.status_code == 201, answer.content
    assert answer.json()["pin"] == ""
    assert asked(meta).count("GET oauth/access_token") == 1
    assert meta.calls[-3].path.endswith("/register")
    assert meta.calls[-3].json["pin"] == "654321"


def test_a_pin_that_meta_refused_is_never_told_as_the_numbers(
    sign_up: Any, meta: GraphServer
) -> None:
    meta.places["register"] = fault(133005)
    sign_up()
    # The person's own is taken, and the answer to it is lost.
    meta.places["register"] = Answer(drops=True)
    sign_up(pin="654321")
    card = {**CARD, "platform_type": "CLOUD_API", "status": "CONNECTED"}
    meta.places["phone_numbers"] = Answer({"data": [card]})
    assert sign_up().json()["pin"] == ""


def test_whoever_dies_before_the_phone_is_to_be_asked_does_so_again(
    sign_up: Any, meta: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook: Hook[[Connection]] = Hook()
    told: list[int] = []

    def die_first(connection: Connection) -> None:
        told.append(connection.pk)
        if len(told) == 1:
            raise RuntimeError

    hook.register(die_first)
    monkeypatch.setattr(signups, "signed_up", hook)
    meta.places["phone_numbers"] = Answer({"data": [{**CARD, "is_on_biz_app": True}]})
    with pytest.raises(RuntimeError):
        sign_up(coexistence=True)
    assert sign_up(coexistence=True).status_code == 201
    assert sign_up(coexistence=True).status_code == 201
    assert told == [Connection.objects.get().pk] * 2


def test_the_same_code_again_gives_the_same_connection(
    sign_up: Any, meta: GraphServer, acme: Company
) -> None:
    first = sign_up().json()
    calls = len(meta.calls)
    again = sign_up()
    assert again.status_code == 201
    assert again.json()["connection"]["id"] == first["connection"]["id"]
    assert again.json()["pin"] == first["pin"]
    assert len(meta.calls) == calls
    assert Connection.objects.for_company(acme.pk).count() == 1


def test_while_one_call_is_at_a_code_another_is_refused(
    sign_up: Any, meta: GraphServer, acme: Company
) -> None:
    sign_up()
    Signup.objects.update(busy_until=timezone.now() + timedelta(minutes=1), connection=None)
    assert refusal(sign_up(), 409)["code"] == "ERR_SIGNUP_RUNNING"
    Signup.objects.update(busy_until=timezone.now() - timedelta(minutes=1))
    assert sign_up().status_code == 201
    assert Connection.objects.for_company(acme.pk).count() == 1


def test_another_companys_code_is_no_way_to_its_number(
    sign_up: Any, meta: GraphServer, outsider: User
) -> None:
    assert sign_up().status_code == 201
    meta.places["access_token"] = fault(100, error_subcode=36009)
    assert refusal(sign_up(outsider))["reasonCode"] == "signup_code"
    assert Connection.objects.count() == 1


def test_another_companys_number_stays_theirs_while_they_can_show_it(
    sign_up: Any, meta: GraphServer, globex: Company
) -> None:
    theirs = make_connection(globex, phone_number_id=NUMBER, waba_id=ACCOUNT)
    assert refusal(sign_up()) == {
        "code": "ERR_SIGNUP_FAILED",
        "step": "number",
        "reasonCode": "number_taken",
        "canRetry": True,
    }
    assert f"POST {ACCOUNT}/subscribed_apps" not in asked(meta)
    theirs.refresh_from_db()
    assert theirs.status == ConnectionStatus.CONNECTED


def test_the_companys_own_number_gets_its_new_token(
    sign_up: Any, meta: GraphServer, acme: Company
) -> None:
    own = make_connection(
        acme,
        name="Loja antiga",
        phone_number_id=NUMBER,
        waba_id=ACCOUNT,
        status=ConnectionStatus.DISCONNECTED,
        is_coexistence=True,
        sends_per_second=20,
    )
    acme.plan.connections = 1
    acme.plan.save()
    answer = sign_up()
    assert answer.status_code == 201, answer.content
    row = answer.json()["connection"]
    assert (row["id"], row["name"], row["status"]) == (own.pk, "Loja antiga", "CONNECTED")
    assert row["sendsPerSecond"] == 80
    own.refresh_from_db()
    assert own.access_token == TOKEN
    assert not own.is_coexistence


@pytest.mark.parametrize("named", [NUMBER, ""])
def test_a_full_plan_refuses_before_meta_changes_anything(
    sign_up: Any, meta: GraphServer, acme: Company, named: str
) -> None:
    make_connection(acme)
    acme.plan.connections = 1
    acme.plan.save()
    assert refusal(sign_up(phone_number_id=named), 403)["code"] == "ERR_PLAN_LIMIT"
    # A code is not spent where its number is known to find no room.
    assert asked(meta) == (
        [] if named else ["GET oauth/access_token", f"GET {ACCOUNT}/phone_numbers"]
    )


def test_of_several_numbers_one_must_be_named(sign_up: Any, meta: GraphServer) -> None:
    meta.places["phone_numbers"] = Answer({"data": [CARD, {**CARD, "id": OTHER_NUMBER}]})
    assert refusal(sign_up(phone_number_id=""))["reasonCode"] == "number_not_chosen"


def test_a_name_that_is_taken_gets_a_count(sign_up: Any, acme: Company) -> None:
    make_connection(acme, name="Loja Centro")
    assert sign_up().json()["connection"]["name"] == "Loja Centro 2"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"waba_id": "12"}, "waba_id"),
        ({"phone_number_id": "../me"}, "phone_number_id"),
        ({"pin": "12345"}, "pin"),
        ({"code": ""}, "code"),
    ],
)
def test_what_is_no_id_and_no_pin_is_refused(
    sign_up: Any, meta: GraphServer, wrong: dict[str, str], field: str
) -> None:
    answer = sign_up(**wrong)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [field]
    assert meta.calls == []


def test_the_offer_is_there_once_the_operator_set_it_up(
    meta: GraphServer, client_for: ClientFor, admin: User, agent: User, settings: Any
) -> None:
    settings.FACEBOOK_URL = "https://www.facebook.com"
    settings.FACEBOOK_SDK_URL = "https://connect.facebook.net/en_US/sdk.js"
    assert client_for(admin).get("/api/whatsapp/signup").json() == {
        "isOffered": True,
        "appId": "670843887433847",
        "configId": "1284",
        "version": "v26.0",
        "sdkUrl": "https://connect.facebook.net/en_US/sdk.js",
        "origins": [
            "https://www.facebook.com",
            "https://web.facebook.com",
            "https://business.facebook.com",
        ],
    }
    assert client_for(agent).get("/api/whatsapp/signup").status_code == 403
    assert client_for(agent).post("/api/whatsapp/signup", BODY).status_code == 403


@pytest.mark.parametrize("missing", ["META_APP_ID", "META_CONFIG_ID", "META_APP_SECRET"])
def test_without_its_settings_nothing_is_offered(
    sign_up: Any, client_for: ClientFor, admin: User, settings: Any, missing: str
) -> None:
    setattr(settings, missing, "")
    offer = client_for(admin).get("/api/whatsapp/signup").json()
    assert offer["isOffered"] is False
    assert offer["appId"] == offer["configId"] == ""
    assert refusal(sign_up(), 409)["code"] == "ERR_SIGNUP_NOT_OFFERED"


def test_a_code_and_its_token_are_forgotten_after_a_day(
    sign_up: Any, meta: GraphServer, acme: Company
) -> None:
    meta.places["register"] = fault(133005)
    sign_up()
    kept = Signup.objects.get()
    assert kept.access_token == TOKEN
    forget_signups(now=timezone.now() + timedelta(hours=23))
    assert Signup.objects.exists()
    forget_signups(now=timezone.now() + timedelta(hours=25))
    assert not Signup.objects.exists()
