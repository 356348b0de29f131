"""What gateways call: signatures, bounds, epochs, and that a commit is one thing."""

from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.companies.models import Company
from apps.connections.models import Connection, QrSession, QrSessionKey, SessionWish
from apps.connections.services.qr_leases import LeaseCall, renew_leases
from apps.connections.services.qr_state import credentials_of
from apps.inbound.models import InboundEvent
from apps.inbound.services.gateway_events import commit_session
from apps.inbound.services.gateway_values import events_in
from tests.gateway import (
    NAME,
    SECRET,
    call,
    commit,
    event,
    lease,
    make_qr_connection,
    message_event,
    session_event,
)

pytestmark = pytest.mark.django_db
NUMBER = "5511999990000"


@pytest.fixture(autouse=True)
def _secret(settings: Any) -> None:
    settings.GATEWAY_SECRET = SECRET


@pytest.fixture
def qr(acme: Company) -> Connection:
    return make_qr_connection(acme, status="DISCONNECTED")


@pytest.fixture
def epoch(qr: Connection) -> int:
    (claimed,) = lease()["claimed"]
    found: int = claimed["epoch"]
    return found


LEASE = {"version": 1, "gateway": "gw", "address": "http://a", "room": 1, "held": []}
CALLS = [
    ("lease", LEASE),
    ("sessions/{qr}/keys/read", {"epoch": 1, "wanted": {"session": ["a"]}}),
    ("sessions/{qr}/commit", {"epoch": 1}),
    ("sessions/{qr}/wipe", {"epoch": 1}),
]


@pytest.mark.parametrize(("path", "body"), CALLS)
def test_only_what_is_signed_is_heard(
    qr: Connection, epoch: int, path: str, body: dict[str, Any]
) -> None:
    path = path.format(qr=qr.pk)
    assert call(path, body).status_code == 200
    for wrong in (
        {"secret": "another"},
        {"at": -70.0},
        {"at": 70.0},
        {"signed_body": b"{}"},
        {"call_id": "x"},
    ):
        answer = call(path, body, **wrong)
        assert (answer.status_code, answer.json()["code"]) == (401, "ERR_GATEWAY_SIGNATURE"), wrong
        assert set(answer.json()) == {
            "code",
            "message",
            "permanent",
            "retryAfter",
            "outcomeUnknown",
        }


def test_a_call_is_heard_once() -> None:
    assert call("lease", LEASE, call_id="the-same-call").status_code == 200
    answer = call("lease", LEASE, call_id="the-same-call")
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_GATEWAY_SIGNATURE")


def test_without_a_secret_nobody_is_heard(settings: Any) -> None:
    settings.GATEWAY_SECRET = ""
    assert call("lease", LEASE, secret="").status_code == 401


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("lease", {**LEASE, "version": 2}),
        ("lease", {**LEASE, "held": "x"}),
        ("lease", {**LEASE, "room": -1}),
        ("lease", {**LEASE, "call": "x"}),
        ("lease", {**LEASE, "address": "file:///etc"}),
        ("lease", {**LEASE, "gateway": "x" * 101}),
        ("lease", {**LEASE, "held": [{"session": 2**60, "epoch": 1}]}),
        ("lease", []),
        ("lease", b"{"),
        ("sessions/{qr}/commit", {"epoch": "1"}),
        ("sessions/{qr}/commit", {"epoch": 1, "keys": {"session": {"a\x00": 1}}}),
        ("sessions/{qr}/commit", {"epoch": 1, "keys": {"s": {str(n): 1 for n in range(2001)}}}),
        ("sessions/{qr}/commit", {"epoch": 1, "events": [{"id": "a"}] * 201}),
        ("sessions/{qr}/commit", {"epoch": 1, "events": [{"id": "a", "kind": "message"}]}),
        ("sessions/{qr}/keys/read", {"epoch": 1, "wanted": {"s": ["a"] * 2001}}),
    ],
)
def test_what_is_not_as_the_contract_says_is_refused(
    qr: Connection, epoch: int, path: str, body: Any
) -> None:
    answer = call(path.format(qr=qr.pk), body)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_GATEWAY_BODY")
    assert not QrSessionKey.objects.exists() and not InboundEvent.objects.exists()


def test_a_lease_call_that_comes_late_is_refused(qr: Connection) -> None:
    lease(call=2)
    late = call("lease", {**LEASE, "gateway": NAME, "call": 1})
    assert (late.status_code, late.json()["code"]) == (409, "ERR_LATE_CALL")


def test_too_large_a_body_is_refused_unread(qr: Connection, epoch: int) -> None:
    large = b'{"epoch": 1, "x": "' + b"x" * (8 * 1024 * 1024) + b'"}'
    assert call(f"sessions/{qr.pk}/commit", large).status_code == 413


@pytest.mark.parametrize(("path", "body"), CALLS[1:])
def test_an_older_epoch_is_refused_and_a_deleted_session_is_gone(
    qr: Connection, epoch: int, path: str, body: dict[str, Any]
) -> None:
    stale = call(path.format(qr=qr.pk), {**body, "epoch": epoch - 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "ERR_STALE_EPOCH")
    gone = call(path.format(qr=999_999), body)
    assert (gone.status_code, gone.json()["code"]) == (410, "ERR_SESSION_GONE")


def test_keys_are_kept_encrypted_and_given_back(qr: Connection, epoch: int) -> None:
    keys = {"session": {"a.1": {"record": "s3cret"}, "b.1": [1]}, "pre-key": {"1": "x"}}
    assert commit(qr.pk, epoch, keys=keys, credentials={"me": "s3cret"}).status_code == 200
    assert commit(qr.pk, epoch, keys={"session": {"a.1": 2, "b.1": None}}).status_code == 200
    wanted = {"session": ["a.1", "b.1"], "pre-key": ["1"], "other": ["z"]}
    answer = call(f"sessions/{qr.pk}/keys/read", {"epoch": epoch, "wanted": wanted})
    assert answer.json()["values"] == {
        "session": {"a.1": 2, "b.1": None},
        "pre-key": {"1": "x"},
        "other": {"z": None},
    }
    with database.cursor() as cursor:
        cursor.execute("SELECT credentials FROM connections_qrsession")
        (stored,) = cursor.fetchone()
    assert stored and "s3cret" not in stored
    lease(leaving=True)
    (claimed,) = lease("gw-2")["claimed"]
    assert claimed["credentials"] == {"me": "s3cret"}


def test_a_wipe_forgets_credentials_and_keys(qr: Connection, epoch: int) -> None:
    commit(qr.pk, epoch, keys={"session": {"a": 1}}, credentials={"a": 1})
    answer = call(f"sessions/{qr.pk}/wipe", {"epoch": epoch, "reason": "logged_out"})
    assert answer.json() == {}
    assert not QrSessionKey.objects.exists()
    assert QrSession.objects.get().credentials == ""


def test_state_that_comes_late_replaces_none_that_is_newer(qr: Connection, epoch: int) -> None:
    def write(number: int, **state: Any) -> None:
        body = {"epoch": epoch, "write": number, **state}
        assert call(f"sessions/{qr.pk}/commit", body).status_code == 200

    def wipe(number: int) -> None:
        body = {"epoch": epoch, "write": number, "reason": "logged_out"}
        assert call(f"sessions/{qr.pk}/wipe", body).json() == {}

    def stored() -> tuple[Any, dict[str, Any]]:
        wanted = {"epoch": epoch, "wanted": {"session": ["a"]}}
        values = call(f"sessions/{qr.pk}/keys/read", wanted).json()["values"]["session"]
        return credentials_of(QrSession.objects.get()), values

    def state(number: int) -> dict[str, Any]:
        return {"keys": {"session": {"a": number}}, "credentials": number}

    write(1, **state(1))
    write(2, **state(2))
    # A try of the first whose answer nobody waits for any more: its event counts.
    write(1, **state(1), events=[message_event(NUMBER, message_id="A1")])
    assert stored() == (2, {"a": 2})
    assert InboundEvent.objects.count() == 1
    wipe(3)
    write(2, **state(2))
    assert stored() == (None, {"a": None})
    write(4, **state(4))
    wipe(3)
    assert stored() == (4, {"a": 4})
    # The next owner counts anew.
    lease(leaving=True)
    (claimed,) = lease("gw-2")["claimed"]
    epoch = claimed["epoch"]
    write(1, **state(5))
    assert stored() == (5, {"a": 5})


def test_an_event_is_stored_once_however_often_it_comes(qr: Connection, epoch: int) -> None:
    first = message_event(NUMBER, message_id="A1")
    other = message_event(NUMBER, message_id="A2")
    assert commit(qr.pk, epoch, first, first).json() == {"stored": [first["id"], first["id"]]}
    assert commit(qr.pk, epoch, first, other).json() == {"stored": [first["id"], other["id"]]}
    ids = InboundEvent.objects.order_by("pk").values_list("event_id", flat=True)
    assert list(ids) == [first["id"], other["id"]]


def test_a_commit_is_all_or_nothing(
    qr: Connection, epoch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **named: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(InboundEvent.objects, "bulk_create", fail)
    with pytest.raises(RuntimeError):
        commit(qr.pk, epoch, message_event(NUMBER), keys={"session": {"a": 1}}, credentials={})
    assert not QrSessionKey.objects.exists()


def test_nothing_that_opens_a_file_or_a_phone_is_stored_in_the_clear(
    qr: Connection, epoch: int
) -> None:
    media = {"mime": "image/jpeg", "reference": {"mediaKey": "k3y of a photo"}}
    photo = message_event(NUMBER, type="image", media=media, raw={"mediaKey": "k3y of a photo"})
    code = session_event("qrcode", qr="2@l1nk")
    commit(qr.pk, epoch, photo, code)
    for payload in InboundEvent.objects.values_list("payload", flat=True):
        assert "k3y of a photo" not in str(payload) and "2@l1nk" not in str(payload)


def test_a_text_that_no_database_takes_is_stored_without_what_it_does_not_take(
    qr: Connection, epoch: int
) -> None:
    odd = message_event(NUMBER, "a\x00b", more=2**63)
    long = event("message", "p" * 300, {}, event_id="i" * 600)
    answer = commit(qr.pk, epoch, odd, long)
    assert answer.json() == {"stored": [odd["id"], "i" * 600]}
    assert InboundEvent.objects.order_by("pk")[0].payload["body"] == "ab"


def test_a_commit_takes_as_many_queries_however_large_it_is(qr: Connection, epoch: int) -> None:
    def queries(count: int) -> int:
        keys = {"session": {f"k{number}": number for number in range(count)}}
        events = events_in({"events": [message_event(NUMBER) for _ in range(count)]})
        with CaptureQueriesContext(database) as seen:
            commit_session(session_id=qr.pk, epoch=epoch, keys=keys, events=events)
        return len(seen)

    assert 5 < queries(2) == queries(30) < 15


def test_a_lease_takes_as_many_queries_however_many_are_held(
    acme: Company, qr: Connection, epoch: int
) -> None:
    def queries(held: dict[int, int]) -> int:
        with CaptureQueriesContext(database) as seen:
            answer = renew_leases(LeaseCall("gw-1", "http://a", 10, held))
        assert len(answer["held"]) == len(held)
        return len(seen)

    few = queries({qr.pk: epoch})
    for number in range(8):
        make_qr_connection(acme, name=f"QR {number}")
    claimed = lease(held={qr.pk: epoch})["claimed"]
    many = queries({qr.pk: epoch} | {each["session"]: each["epoch"] for each in claimed})
    assert 5 < many == few < 20


def test_what_is_to_end_is_told_and_let_go(qr: Connection, epoch: int) -> None:
    commit(qr.pk, epoch, credentials={"a": 1})
    QrSession.objects.update(wanted=SessionWish.LOGOUT)
    answer = lease(held={qr.pk: epoch})
    assert answer["stop"] == [{"session": qr.pk, "epoch": epoch, "logout": True}]
    assert (answer["held"], answer["lost"], answer["claimed"]) == ([], [], [])
    assert lease()["claimed"] == []
    session = QrSession.objects.get()
    assert (session.gateway, session.expires_at, session.credentials) == ("", None, "")
