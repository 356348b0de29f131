"""The way of a QR session over the API: code, scan, connected, replaced, logged out, deleted."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections import services
from apps.connections.models import Connection, GatewayProcess, QrSession, QrSessionKey
from conftest import ClientFor
from tests.gateway import (
    SECRET,
    Gateway,
    commit,
    event,
    lease,
    make_qr_connection,
    running_gateway,
    session_event,
)

pytestmark = pytest.mark.django_db
Emitted = list[tuple[str, dict[str, Any], int]]


@pytest.fixture
def gateway(settings: Any) -> Iterator[Gateway]:
    settings.GATEWAY_SECRET = SECRET
    with running_gateway() as gateway:
        lease(address=gateway.url)
        yield gateway


@pytest.fixture
def qr(acme: Company, gateway: Gateway) -> Connection:
    connection = make_qr_connection(acme, status="DISCONNECTED", is_default=True)
    QrSession.objects.update(wanted="stop")
    return connection


def started(client: Any, qr: Connection, gateway: Gateway) -> int:
    assert client.post(f"/api/whatsappsession/{qr.pk}").status_code == 200
    return gateway.own(qr)


def reread(qr: Connection) -> Connection:
    return Connection.objects.get(pk=qr.pk)


def test_a_phone_is_linked_by_a_code_that_is_gone_once_it_was_read(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway, emitted: Emitted
) -> None:
    client = client_for(admin)
    assert client.post(f"/api/whatsappsession/{qr.pk}").json()["message"] == "Conexão iniciada."
    assert reread(qr).status == "OPENING"
    epoch = gateway.own(qr)
    emitted.clear()
    me = {"number": "5511988887777", "lid": "1@lid", "name": "Loja"}
    for status, more in (
        ("qrcode", {"qr": "2@um"}),
        ("qrcode", {"qr": "2@dois"}),
        ("OPENING", {"reason": "scanned"}),
        ("CONNECTED", {"me": me}),
    ):
        assert commit(qr.pk, epoch, session_event(status, **more)).status_code == 200
    told = [payload["session"] for name, payload, _ in emitted if name == "whatsappSession"]
    assert [(each["status"], each["qrcode"]) for each in told] == [
        ("qrcode", "2@um"),
        ("qrcode", "2@dois"),
        ("OPENING", ""),
        ("CONNECTED", ""),
    ]
    shown = client.get(f"/api/whatsapp/{qr.pk}").json()
    assert (shown["status"], shown["number"], shown["statusReason"]) == (
        "CONNECTED",
        "5511988887777",
        "",
    )
    assert {company for _, _, company in emitted} == {qr.company_id}


def test_a_phone_is_linked_by_a_code_that_is_typed(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    wrong = client.post(f"/api/whatsappsession/{qr.pk}", {"number": "+55 11"}, format="json")
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["number"])
    number = {"number": "5511988887777"}
    client.post(f"/api/whatsappsession/{qr.pk}", number, format="json")
    (claimed,) = lease(address=gateway.url)["claimed"]
    assert claimed["link"] == number
    epoch = claimed["epoch"]
    commit(qr.pk, epoch, session_event("qrcode", pairingCode="ABCD1234"))
    assert client.get(f"/api/whatsapp/{qr.pk}").json()["pairingCode"] == "ABCD1234"
    commit(qr.pk, epoch, session_event("CONNECTED"))
    assert client.get(f"/api/whatsapp/{qr.pk}").json()["pairingCode"] == ""
    assert QrSession.objects.get().link_number == ""


@pytest.mark.parametrize(
    ("status", "reason", "code", "keeps"),
    [
        ("DISCONNECTED", "replaced", "session_replaced", True),
        ("DISCONNECTED", "logged_out", "session_logged_out", False),
        ("TIMEOUT", "qr_expired", "qr_expired", True),
        ("DISCONNECTED", "refused", "session_refused", True),
        ("DISCONNECTED", "unheard of", "connection_lost", True),
    ],
)
def test_a_session_that_ended_says_why_and_waits_to_be_started(
    client_for: ClientFor,
    admin: User,
    qr: Connection,
    gateway: Gateway,
    status: str,
    reason: str,
    code: str,
    keeps: bool,
) -> None:
    epoch = started(client_for(admin), qr, gateway)
    commit(qr.pk, epoch, credentials={"a": 1}, keys={"session": {"a": 1}})
    commit(qr.pk, epoch, session_event(status, reason=reason))
    row = reread(qr)
    assert (row.status, row.reason_code, bool(row.status_reason)) == (status, code, True)
    assert lease()["claimed"] == []
    session = QrSession.objects.get()
    assert (bool(session.credentials), QrSessionKey.objects.exists()) == (keeps, keeps)
    # Try again: whoever comes first goes on with what is there.
    started(client_for(admin), qr, gateway)
    assert reread(qr).status == "OPENING"


def test_what_passes_is_shown_as_opening(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    epoch = started(client_for(admin), qr, gateway)
    commit(qr.pk, epoch, session_event("CONNECTED"))
    commit(qr.pk, epoch, session_event("OPENING", reason="connection_lost"))
    row = reread(qr)
    assert (row.status, row.reason_code) == ("OPENING", "connection_lost")
    commit(qr.pk, epoch, session_event("CONNECTED"))
    assert (reread(qr).status, reread(qr).reason_code) == ("CONNECTED", "")


def test_a_new_code_is_asked_of_the_owner_that_shows_one(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    epoch = started(client, qr, gateway)
    commit(qr.pk, epoch, session_event("qrcode", qr="2@um"))
    assert client.put(f"/api/whatsappsession/{qr.pk}").status_code == 200
    assert [each.name for each in gateway.commands] == ["qr"]
    gateway.refuse("qr", "ERR_ANY", 500)
    answer = client.put(f"/api/whatsappsession/{qr.pk}")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_WAPP_SESSION_BUSY")


def test_a_new_code_forgets_what_was_paired(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    epoch = started(client, qr, gateway)
    commit(qr.pk, epoch, session_event("CONNECTED"), credentials={"a": 1})
    commit(qr.pk, epoch, session_event("DISCONNECTED", reason="replaced"))
    assert client.put(f"/api/whatsappsession/{qr.pk}").status_code == 200
    (claimed,) = lease(address=gateway.url)["claimed"]
    assert (claimed["epoch"], claimed["credentials"]) == (epoch + 1, None)


def test_disconnecting_logs_the_phone_out_and_forgets_it(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    epoch = started(client, qr, gateway)
    commit(qr.pk, epoch, session_event("CONNECTED"), credentials={"a": 1})
    assert client.delete(f"/api/whatsappsession/{qr.pk}").status_code == 200
    assert [each.name for each in gateway.commands] == ["logout"]
    row, session = reread(qr), QrSession.objects.get()
    assert (row.status, row.status_reason) == ("DISCONNECTED", "Desconectada por Alice.")
    assert (session.credentials, session.gateway) == ("", "")
    assert AuditEntry.objects.latest("pk").action == "connection.disconnected"
    # What its owner still had to say changes nothing.
    commit(qr.pk, epoch, session_event("CONNECTED"))
    assert reread(qr).status == "DISCONNECTED"


def test_an_owner_that_does_not_answer_logs_out_when_it_reports(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    epoch = started(client, qr, gateway)
    commit(qr.pk, epoch, session_event("CONNECTED"), credentials={"a": 1})
    gateway.refuse("logout", "ERR_ANY", 500)
    client.delete(f"/api/whatsappsession/{qr.pk}")
    assert reread(qr).status == "DISCONNECTED"
    answer = lease(held={qr.pk: epoch}, address=gateway.url)
    assert answer["stop"] == [{"session": qr.pk, "epoch": epoch, "logout": True}]
    # Started again before that: the old owner is out, and nobody else in before its time is over.
    client.post(f"/api/whatsappsession/{qr.pk}")
    assert lease(held={qr.pk: epoch}, address=gateway.url)["lost"] == [qr.pk]
    assert lease("gw-2")["claimed"] == []
    assert commit(qr.pk, epoch, credentials={"old": 1}).status_code == 409
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    (claimed,) = lease("gw-2")["claimed"]
    assert claimed["credentials"] is None and claimed["epoch"] > epoch


def test_a_deleted_connection_is_logged_out_and_gone(
    client_for: ClientFor,
    admin: User,
    qr: Connection,
    gateway: Gateway,
    django_capture_on_commit_callbacks: Any,
) -> None:
    client = client_for(admin)
    epoch = started(client, qr, gateway)
    gateway.refuse("logout", "ERR_ANY", 500)
    with django_capture_on_commit_callbacks(execute=True):
        assert client.delete(f"/api/whatsapp/{qr.pk}").status_code == 200
    answer = commit(qr.pk, epoch, session_event("CONNECTED"))
    assert (answer.status_code, answer.json()["code"]) == (410, "ERR_SESSION_GONE")
    assert lease(held={qr.pk: epoch})["stop"][0]["logout"] is True
    lease()
    assert not QrSession.objects.exists()


def test_a_new_connection_starts_by_itself(
    client_for: ClientFor, admin: User, gateway: Gateway
) -> None:
    answer = client_for(admin).post(
        "/api/whatsapp", {"name": "Loja QR", "provider": "beta"}, format="json"
    )
    assert answer.status_code == 201, answer.content
    row = answer.json()
    assert (row["provider"], row["status"]) == ("beta", "OPENING")
    assert row["capabilities"]["edit"] and row["capabilities"]["delete"]
    assert not row["capabilities"]["templates"]
    (claimed,) = lease()["claimed"]
    assert claimed["session"] == row["id"]


@pytest.mark.parametrize("method", ["post", "put"])
def test_without_a_gateway_of_the_last_minute_nothing_starts(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway, method: str
) -> None:
    GatewayProcess.objects.update(seen_at=timezone.now() - timedelta(seconds=61))
    answer = getattr(client_for(admin), method)(f"/api/whatsappsession/{qr.pk}")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_WAPP_NOT_INITIALIZED")
    assert reread(qr).status == "DISCONNECTED"


def test_a_start_wakes_the_gateways(
    client_for: ClientFor,
    admin: User,
    qr: Connection,
    gateway: Gateway,
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        client_for(admin).post(f"/api/whatsappsession/{qr.pk}")
    assert gateway.wakes == 1


def test_a_session_whose_gateway_died_is_shown_as_opening(
    client_for: ClientFor,
    admin: User,
    qr: Connection,
    gateway: Gateway,
    emitted: Emitted,
) -> None:
    epoch = started(client_for(admin), qr, gateway)
    commit(qr.pk, epoch, session_event("CONNECTED"))
    emitted.clear()
    services.notice_dead_owners()
    assert reread(qr).status == "CONNECTED"
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    services.notice_dead_owners()
    assert (reread(qr).status, reread(qr).reason_code) == ("OPENING", "gateway_gone")
    assert [name for name, _, _ in emitted] == ["whatsapp", "whatsappSession"]


def test_an_owner_that_was_only_late_says_the_status_again(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    epoch = started(client_for(admin), qr, gateway)
    commit(qr.pk, epoch, session_event("CONNECTED"))
    held = {qr.pk: epoch}
    (renewed,) = lease(held=held, address=gateway.url)["held"]
    assert "report" not in renewed
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    services.notice_dead_owners()
    # It is asked until it has answered.
    for _ in range(2):
        (renewed,) = lease(held=held, address=gateway.url)["held"]
        assert (renewed["epoch"], renewed["report"]) == (epoch, True)
    commit(qr.pk, epoch, session_event("CONNECTED"))
    assert (reread(qr).status, reread(qr).status_reason) == ("CONNECTED", "")
    (renewed,) = lease(held=held, address=gateway.url)["held"]
    assert "report" not in renewed


@pytest.mark.parametrize("status", ["OPENING", "qrcode", "PAIRING", "CONNECTED"])
def test_started_again_a_session_is_opened_anew_by_its_owner(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway, status: str
) -> None:
    client = client_for(admin)
    epoch = started(client, qr, gateway)
    commit(qr.pk, epoch, session_event(status, qr="2@um"), credentials={"a": 1})
    assert client.post(f"/api/whatsappsession/{qr.pk}").status_code == 200
    assert [each.name for each in gateway.commands] == ["qr"]
    assert reread(qr).status == status
    assert lease(held={qr.pk: epoch}, address=gateway.url)["lost"] == []


def test_started_again_a_session_leaves_an_owner_that_does_not_answer(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    epoch = started(client, qr, gateway)
    commit(qr.pk, epoch, session_event("CONNECTED"), credentials={"a": 1})
    gateway.refuse("qr", "ERR_ANY", 500)
    assert client.post(f"/api/whatsappsession/{qr.pk}").status_code == 200
    assert (reread(qr).status, reread(qr).reason_code) == ("OPENING", "gateway_gone")
    # Once its time is over the next goes on with the same device.
    assert lease("gw-2")["claimed"] == []
    assert lease(held={qr.pk: epoch}, address=gateway.url)["lost"] == [qr.pk]
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    (claimed,) = lease("gw-2")["claimed"]
    assert claimed["credentials"] == {"a": 1} and claimed["epoch"] > epoch


def test_a_session_that_can_not_be_stored_says_so_until_it_is_mended(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    epoch = started(client_for(admin), qr, gateway)
    commit(qr.pk, epoch, session_event("OPENING", reason="not_stored", detail="HTTP 500"))
    row = reread(qr)
    assert (row.status, row.reason_code, row.reason_detail, bool(row.status_reason)) == (
        "OPENING",
        "session_not_stored",
        "HTTP 500",
        True,
    )
    commit(qr.pk, epoch, session_event("CONNECTED"))
    assert (reread(qr).status, reread(qr).status_reason) == ("CONNECTED", "")


@pytest.mark.parametrize("status", ["CONNECTED", "qrcode", "PAIRING"])
def test_a_session_that_nobody_has_is_shown_as_opening(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway, status: str
) -> None:
    started(client_for(admin), qr, gateway)
    QrSession.objects.update(expires_at=None, gateway="")
    Connection.objects.update(status=status)
    services.notice_dead_owners()
    assert (reread(qr).status, reread(qr).reason_code) == ("OPENING", "gateway_gone")


def test_the_address_book_of_the_phone_is_imported(
    client_for: ClientFor, admin: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    epoch = started(client, qr, gateway)
    people = [
        {"number": "5511999990000", "lid": "", "name": "Ana", "isSaved": True},
        {"number": "5511999990001", "lid": "9@lid", "name": "", "isSaved": True},
        {"number": "5511999990002", "lid": "", "name": "Não salvo", "isSaved": False},
    ]
    commit(
        qr.pk,
        epoch,
        session_event("CONNECTED"),
        event("contacts", "contacts", {"contacts": people}),
        event("contacts", "contacts", {"contacts": [{**people[1], "name": "Bia"}]}),
    )
    answer = client.post("/api/contacts/import")
    assert answer.status_code == 200, answer.content
    assert {key: answer.json()[key] for key in ("count", "created")} == {"count": 2, "created": 2}
    names = client.get("/api/contacts/").json()["contacts"]
    assert sorted(each["name"] for each in names) == ["Ana", "Bia"]


def test_another_company_reaches_no_session(
    client_for: ClientFor, outsider: User, qr: Connection, gateway: Gateway
) -> None:
    client = client_for(outsider)
    for method in ("post", "put", "delete"):
        answer = getattr(client, method)(f"/api/whatsappsession/{qr.pk}")
        assert answer.status_code == 404
    assert QrSession.objects.get().wanted == "stop" and not gateway.commands
