"""Meta's webhook over HTTP: signed and stored, or refused and nothing stored."""

import hashlib
import hmac
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.db import connection as database
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind
from apps.inbound.models import InboundEvent
from tests import factories

DATA = Path(__file__).parents[2] / "connections" / "tests" / "data"
SECRET = "app-secret"
TOKEN = "verify-token"
URL = "/webhooks/whatsapp"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _app(settings: Any) -> None:
    settings.META_APP_SECRET = SECRET
    settings.META_VERIFY_TOKEN = TOKEN


@pytest.fixture
def number(acme: Company) -> Connection:
    """The number of acme that the notifications name first."""
    return factories.make_connection(
        acme, phone_number_id="100000000000009", waba_id="200000000000009"
    )


@pytest.fixture
def other_number(globex: Company) -> Connection:
    """A number of another company behind the same Meta app."""
    return factories.make_connection(
        globex, phone_number_id="100000000000008", waba_id="200000000000008"
    )


@pytest.fixture
def wakes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The wake-ups that were sent."""
    sent: list[Any] = []
    monkeypatch.setattr("apps.common.wakeups.send_wake_up", lambda *a: sent.append(a))
    return sent


def body_of(name: str) -> bytes:
    return (DATA / f"{name}.json").read_bytes()


def signature_of(body: bytes, secret: str = SECRET) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def post(body: bytes, *, signature: str | None = None, url: str = URL) -> HttpResponse:
    client: Any = Client(enforce_csrf_checks=True)
    response: HttpResponse = client.post(
        url,
        data=body,
        content_type="application/json",
        headers={"X-Hub-Signature-256": signature_of(body) if signature is None else signature},
    )
    return response


def texts(phone_number_id: str, count: int) -> bytes:
    value = {
        "metadata": {"phone_number_id": phone_number_id},
        "messages": [
            {"from": "551199", "id": f"wamid.{index}", "type": "text", "text": {"body": "Oi"}}
            for index in range(count)
        ],
    }
    return orjson.dumps({"entry": [{"changes": [{"field": "messages", "value": value}]}]})


@pytest.mark.parametrize("url", [URL, URL + "/"])
def test_the_verification_answers_the_challenge_as_plain_text(client: Client, url: str) -> None:
    query = {"hub.mode": "subscribe", "hub.verify_token": TOKEN, "hub.challenge": "<b>1158</b>"}
    response = client.get(url, query)
    assert (response.status_code, response.content) == (200, b"<b>1158</b>")
    assert response["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"hub.mode": "subscribe", "hub.challenge": "1"},
        {"hub.mode": "subscribe", "hub.verify_token": "errado", "hub.challenge": "1"},
        {"hub.mode": "subscribe", "hub.verify_token": "é", "hub.challenge": "1"},
        {"hub.mode": "unsubscribe", "hub.verify_token": TOKEN, "hub.challenge": "1"},
    ],
)
def test_a_wrong_verification_is_refused(client: Client, query: dict[str, str]) -> None:
    response = client.get(URL, query)
    assert response.status_code == 403
    assert response.content != b"1"


def test_without_a_configured_token_nothing_is_verified(client: Client, settings: Any) -> None:
    settings.META_VERIFY_TOKEN = ""
    query = {"hub.mode": "subscribe", "hub.verify_token": "", "hub.challenge": "1"}
    assert client.get(URL, query).status_code == 403


@pytest.mark.parametrize("url", [URL, URL + "/"])
def test_a_signed_batch_is_stored_for_each_number(
    number: Connection, other_number: Connection, url: str
) -> None:
    assert post(body_of("batch_messages"), url=url).status_code == 200
    mine = InboundEvent.objects.filter(connection=number).order_by("pk")
    theirs = InboundEvent.objects.filter(connection=other_number)
    assert (mine.count(), theirs.count()) == (8, 16)
    assert [event.event_id for event in mine[:2]] == ["message:wamid.text", "message:wamid.reply"]
    first = mine[0]
    assert (first.kind, first.partition, first.state) == (
        "message",
        "BR.1001",
        LeaseState.WAITING,
    )
    assert first.payload["message"]["text"]["body"] == "Bom dia! Vocês abrem hoje?"


def test_a_replay_changes_nothing(number: Connection, other_number: Connection) -> None:
    post(body_of("batch_messages"))
    stored = list(InboundEvent.objects.order_by("pk").values())
    assert post(body_of("batch_messages")).status_code == 200
    assert list(InboundEvent.objects.order_by("pk").values()) == stored


def test_the_same_message_twice_in_a_body_is_stored_once(number: Connection) -> None:
    body = orjson.loads(texts(number.phone_number_id or "", 1))
    body["entry"] *= 2
    assert post(orjson.dumps(body)).status_code == 200
    assert InboundEvent.objects.count() == 1


def test_statuses_and_other_fields_are_stored(number: Connection) -> None:
    assert post(body_of("batch_statuses")).status_code == 200
    assert post(body_of("other_fields")).status_code == 200
    kinds = InboundEvent.objects.filter(connection=number).values_list("kind", flat=True)
    assert len(kinds) == 13
    assert {"status", "message", "errors", "calls", "account_update"} <= set(kinds)


def test_a_number_that_is_not_ours_is_dropped_and_said(
    number: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    assert post(texts("999999999999999", 1)).status_code == 200
    assert InboundEvent.objects.count() == 0
    assert "999999999999999" in caplog.text


def test_a_qr_session_gets_nothing_from_meta(acme: Company) -> None:
    factories.make_connection(
        acme, provider=ProviderKind.BETA, phone_number_id="100000000000009", waba_id=""
    )
    post(texts("100000000000009", 1))
    assert InboundEvent.objects.count() == 0


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "sha256=",
        "sha256=" + "0" * 64,
        "sha1=" + "0" * 40,
        "não",
        signature_of(b"another body"),
        signature_of(texts("100000000000009", 1), "another secret"),
        signature_of(texts("100000000000009", 1)).removeprefix("sha256="),
    ],
)
def test_a_wrong_signature_is_401_and_stores_nothing(number: Connection, signature: str) -> None:
    response = post(texts("100000000000009", 1), signature=signature)
    assert response.status_code == 401
    assert InboundEvent.objects.count() == 0


def test_no_signature_at_all_is_401(number: Connection, client: Client) -> None:
    body = texts("100000000000009", 1)
    assert client.post(URL, data=body, content_type="application/json").status_code == 401
    assert InboundEvent.objects.count() == 0


def test_without_a_secret_nothing_is_believed(number: Connection, settings: Any) -> None:
    settings.META_APP_SECRET = ""
    body = texts("100000000000009", 1)
    assert post(body, signature=signature_of(body, "")).status_code == 401


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff\xfe", b'{"a": NaN}'])
def test_a_signed_body_that_is_no_notification_is_400(body: bytes) -> None:
    assert post(body).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"entry": null}',
        b'{"entry": [{"changes": [{"value": {"metadata": {"phone_number_id": [1]}}}]}]}',
        b'{"entry": [{"id": "1", "changes": [{"field": "messages", "value": "\\u0000"}]}]}',
    ],
)
def test_an_odd_notification_is_taken_and_forgotten(number: Connection, body: bytes) -> None:
    assert post(body).status_code == 200
    assert InboundEvent.objects.count() == 0


def test_a_null_character_does_not_stop_a_message(number: Connection) -> None:
    body = texts(number.phone_number_id or "", 1).replace(b"Oi", b"O\\u0000i")
    assert post(body).status_code == 200
    assert InboundEvent.objects.get().payload["message"]["text"]["body"] == "Oi"


def test_a_body_over_the_limit_is_413(number: Connection, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert post(texts(number.phone_number_id or "", 50)).status_code == 413
    assert InboundEvent.objects.count() == 0


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_refused(client: Client, method: str) -> None:
    assert getattr(client, method)(URL).status_code == 405


def queries_of(body: bytes) -> int:
    with CaptureQueriesContext(database) as queries:
        assert post(body).status_code == 200
    return len(queries)


def test_the_number_of_queries_does_not_grow_with_the_batch(number: Connection) -> None:
    # SQLite takes 999 parameters a statement, so that long batches are cut there.
    count = 400 if database.vendor == "postgresql" else 60
    one, many = texts("100000000000009", 1), texts("100000000000009", count)
    assert queries_of(one) == queries_of(many)
    assert queries_of(body_of("batch_statuses")) == queries_of(one)
    assert InboundEvent.objects.count() == count + 7
    assert queries_of(one) <= 4  # two of them are the savepoint of the test's transaction


def test_workers_are_woken_once_after_commit(
    number: Connection, wakes: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        post(texts("100000000000009", 20))
        assert wakes == []
    assert len(wakes) == 1


def test_nothing_stored_wakes_nobody(
    number: Connection, wakes: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        post(texts("999999999999999", 1))
    assert wakes == []
