"""A QR session that the simulator holds: the product and it speak over their contract alone."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.common.media import read_media
from apps.companies.models import Company
from apps.connections.models import Connection, QrFarewell, QrSession, QrSessionKey
from apps.connections.providers.base import ProviderError
from apps.connections.providers.beta import client as product_client
from apps.connections.services.qr_sessions import (
    end_qr_session,
    notice_dead_owners,
    renew_qr_code,
    start_qr_session,
)
from apps.connections.services.qr_state import credentials_of
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.queues.models import Queue
from apps.simulator.models import (
    SimCustomer,
    SimDevice,
    SimEvent,
    SimFault,
    SimGateway,
    SimMessage,
)
from apps.simulator.services.gateway import calls, devices, leasing, outbox
from apps.tickets.models import Ack, Message, Ticket
from apps.tickets.services.messages.fetching import fetch_due
from apps.tickets.services.outbox.deliveries import deliver_due
from conftest import ClientFor
from tests.gateway import SECRET, lease, make_qr_connection

pytestmark = pytest.mark.django_db
PHONE, MARIA = "5511977770009", "5511984321107"


@pytest.fixture(autouse=True)
def _over_http(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let both sides call each other without a network, by hand and in one thread."""
    settings.ROOT_URLCONF = "config.urls"
    settings.GATEWAY_SECRET, settings.SIMULATED_QR = SECRET, True
    monkeypatch.setattr(outbox, "start_posting", lambda: None)
    monkeypatch.setattr(leasing, "start_leasing", lambda: None)
    monkeypatch.setattr(devices, "PAIRING_SECONDS", 0)
    with httpx.Client(transport=httpx.MockTransport(_answered)) as http:
        monkeypatch.setattr(calls, "client", lambda: http)
        monkeypatch.setattr(product_client, "_pool", lambda process_id: http)
        yield


def _answered(request: httpx.Request) -> httpx.Response:
    """Answer a call as the product does, on the connection of the test's own transaction."""
    own = {name: text for name, text in request.headers.items() if name.startswith("x-gateway")}
    target = request.url.raw_path.decode()
    kind = request.headers["content-type"]
    answer = Client().generic(request.method, target, request.content, kind, headers=own)
    said = dict(answer.items())
    return httpx.Response(answer.status_code, headers=said, content=answer.getvalue())


@pytest.fixture
def qr(acme: Company, queue: Queue) -> Connection:
    """A connection that shows its code, and a customer."""
    SimCustomer.objects.create(wa_id=MARIA, name="Maria do Celular")
    connection = make_qr_connection(acme, queues=[queue], status="OPENING")
    leasing.come_up()
    keep()
    return connection


@pytest.fixture
def linked(qr: Connection) -> Connection:
    scan(qr)
    return reread(qr)


def keep() -> None:
    """Do what the simulated gateway's threads do, and what the product's workers do."""
    SimGateway.objects.all().start_over(timezone.now())
    leasing.lease_due()
    tell()


def tell() -> None:
    SimEvent.objects.unfinished().start_over(timezone.now())
    outbox.post_due()
    while process_due(limit=100):
        pass
    assert not InboundEvent.objects.unfinished().exists(), "an event was not handled"


def page(path: str, body: dict[str, Any], status: int = 200) -> Any:
    answer = Client().post(f"/simulator/api/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def scan(qr: Connection, status: int = 200, code: str = "") -> None:
    shown = reread(qr)
    body = {"code": code or shown.qrcode, "phone": f"+{PHONE}", "name": "Celular da loja"}
    page("devices/scan", body, status)
    tell()


def write(**fields: Any) -> Any:
    row = page("send", {"number": PHONE, "customer": MARIA, **fields})
    tell()
    return row


def reread(qr: Connection) -> Connection:
    return Connection.objects.get(pk=qr.pk)


def stopped_longer_than_a_lease(qr: Connection) -> None:
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    notice_dead_owners()
    assert (reread(qr).status, reread(qr).reason_code) == ("OPENING", "gateway_gone")


def outbox_shown() -> Any:
    return Client().get("/simulator/api/state").json()["outbox"]


def deliver() -> None:
    while deliver_due(limit=100):
        pass
    tell()


def test_a_code_is_shown_scanned_and_gone(qr: Connection) -> None:
    shown = reread(qr)
    assert (shown.status, shown.qrcode[:2], shown.retries) == ("qrcode", "2@", 1)
    rows = Client().get("/simulator/api/state").json()["devices"]
    assert [(row["session"], row["code"]) for row in rows] == [(qr.pk, shown.qrcode)]
    scan(qr, 404, code="2@nobody,shows,this,code")
    scan(qr)
    linked = reread(qr)
    assert (linked.status, linked.qrcode, linked.number) == ("CONNECTED", "", PHONE)
    kept = InboundEvent.objects.filter(kind="session").order_by("pk")
    told = [each.payload["status"] for each in kept]
    assert told == ["qrcode", "PAIRING", "CONNECTED"]
    session = QrSession.objects.get(pk=qr.pk)
    assert credentials_of(session) == {"simulated": SimDevice.objects.get().token}
    scan(qr, 404, code=shown.qrcode)


def test_a_code_is_renewed_until_its_attempts_are_used_up(qr: Connection) -> None:
    seen = {reread(qr).qrcode}
    for _ in range(4):
        SimDevice.objects.update(shown_at=timezone.now() - timedelta(seconds=61))
        keep()
        seen.add(reread(qr).qrcode)
    assert len(seen) == 5
    SimDevice.objects.update(shown_at=timezone.now() - timedelta(seconds=61))
    keep()
    over = reread(qr)
    assert (over.status, over.reason_code, over.qrcode) == ("TIMEOUT", "qr_expired", "")
    # Its lease ended with it.
    assert SimDevice.objects.get().epoch is None
    keep()
    assert reread(qr).status == "TIMEOUT"


def test_a_new_code_and_one_to_type_are_made_when_asked_for(qr: Connection) -> None:
    first = reread(qr).qrcode
    renew_qr_code(reread(qr))
    tell()
    assert reread(qr).qrcode not in {first, ""}
    renew_qr_code(reread(qr), number=PHONE)
    tell()
    typed = reread(qr).pairing_code
    assert len(typed) == 8
    other = {"code": typed, "phone": "+5511900000000"}
    page("devices/scan", other, 400)
    scan(qr, code=f"{typed[:4]}-{typed[4:].lower()}")
    assert reread(qr).status == "CONNECTED"


def test_a_conversation_goes_both_ways(
    linked: Connection, admin: User, client_for: ClientFor
) -> None:
    row = write(type="text", body="Tem caneca azul?")
    ticket = Ticket.objects.get()
    message = Message.objects.get()
    assert (message.body, message.external_id) == ("Tem caneca azul?", row["id"])
    assert (ticket.contact.number, ticket.contact.name) == (MARIA, "Maria do Celular")
    client = client_for(admin)
    Ticket.objects.update(status="open", user=admin)
    answer = client.post(f"/api/messages/{ticket.pk}", {"body": "Tem, sim!"}, format="json")
    assert answer.status_code in {200, 201}, answer.content
    deliver()
    ours = Message.objects.get(from_me=True)
    assert ours.ack == Ack.DELIVERED
    brought = SimMessage.objects.get(from_customer=False)
    assert (brought.wamid, brought.body) == (ours.external_id, {"body": "Tem, sim!"})
    page("open", {"number": PHONE, "customer": MARIA})
    tell()
    ours.refresh_from_db()
    assert ours.ack == Ack.READ
    write(type="reaction", message_id=ours.external_id, emoji="👍")
    assert client.put(f"/api/messages/{ours.pk}", {"body": "Tem duas!"}).status_code == 200
    deliver()
    brought.refresh_from_db()
    assert brought.body == {"body": "Tem duas!", "edited": True}
    assert client.delete(f"/api/messages/{ours.pk}").status_code == 200
    deliver()
    brought.refresh_from_db()
    assert (brought.type, brought.body) == ("deleted", {})
    page("edit", {"message": row["id"], "body": "Tem caneca verde?"})
    tell()
    message.refresh_from_db()
    assert (message.body, message.is_edited) == ("Tem caneca verde?", True)
    page("delete", {"message": row["id"]})
    tell()
    message.refresh_from_db()
    assert message.is_deleted
    page("edit", {"message": row["id"], "body": "?"}, 404)


def test_files_go_both_ways(linked: Connection, admin: User, client_for: ClientFor) -> None:
    write(type="image", sample="canecas.jpg", caption="Desta aqui")
    while fetch_due(limit=10):
        pass
    message = Message.objects.get()
    assert message.media_type == "image"
    content = read_media(message.media_path)
    assert content[:2] == b"\xff\xd8"
    ticket = message.ticket
    Ticket.objects.update(status="open", user=admin)
    sent = {"medias": SimpleUploadedFile("caneca.jpg", content, "image/jpeg"), "body": "Esta?"}
    answer = client_for(admin).post(f"/api/messages/{ticket.pk}", sent, format="multipart")
    assert answer.status_code in {200, 201}, answer.content
    deliver()
    brought = SimMessage.objects.get(from_customer=False)
    assert (brought.type, brought.body["caption"]) == ("image", "Esta?")
    shown = Client().get(f"/simulator/media/{brought.body['id']}")
    assert shown.content == content


def test_nothing_is_lost_without_internet(linked: Connection) -> None:
    device = {"session": linked.pk}
    page("devices/online", {**device, "online": False})
    tell()
    away = reread(linked)
    assert (away.status, away.reason_code) == ("OPENING", "connection_lost")
    write(type="text", body="Alô?")
    assert not Message.objects.exists()
    assert outbox_shown() == {"waiting": 1, "error": "the device is offline"}
    page("devices/online", {**device, "online": True})
    tell()
    assert outbox_shown() == {"waiting": 0, "error": ""}
    assert reread(linked).status == "CONNECTED"
    assert Message.objects.get().body == "Alô?"


def test_a_device_that_its_phone_removes_is_logged_out_and_paired_again(
    linked: Connection,
) -> None:
    QrSessionKey.objects.create(session_id=linked.pk, type="session", name="a.1", value="1")
    page("devices/remove", {"session": linked.pk})
    tell()
    gone = reread(linked)
    assert (gone.status, gone.reason_code) == ("DISCONNECTED", "session_logged_out")
    assert credentials_of(QrSession.objects.get()) is None
    assert not QrSessionKey.objects.exists()
    page("devices/remove", {"session": linked.pk}, 404)
    # What is written to the phone meanwhile stays there.
    write(type="text", body="Alguém?")
    renew_qr_code(gone)
    keep()
    assert reread(linked).status == "qrcode"
    scan(linked)
    assert reread(linked).status == "CONNECTED"
    write(type="text", body="Voltou?")
    assert [each.body for each in Message.objects.all()] == ["Voltou?"]


def test_a_session_that_the_business_ends_is_linked_no_more(linked: Connection) -> None:
    end_qr_session(linked)
    assert not SimDevice.objects.exists()
    assert not QrSession.objects.get().gateway


def test_a_session_that_ended_while_nobody_had_it_is_linked_no_more(linked: Connection) -> None:
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    end_qr_session(linked)
    assert SimDevice.objects.get().number is not None
    keep()
    assert not SimDevice.objects.exists() and not QrFarewell.objects.exists()
    # One of the real WhatsApp waits for a gateway that can tell it.
    QrFarewell.objects.create(credentials='{"noiseKey": {}}')
    keep()
    assert QrFarewell.objects.exists()


def test_a_session_goes_on_under_its_next_owner(linked: Connection) -> None:
    """Another gateway had it meanwhile: what waited comes with the next epoch, and only then."""
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    taken = lease("gw-2")["claimed"]
    assert [each["session"] for each in taken] == [linked.pk]
    write(type="text", body="Alô?")
    assert not Message.objects.exists()
    assert SimDevice.objects.get().epoch is None
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    keep()
    assert SimDevice.objects.get().epoch == taken[0]["epoch"] + 1
    assert Message.objects.get().body == "Alô?"
    assert reread(linked).status == "CONNECTED"


def test_what_is_linked_to_the_real_whatsapp_is_left_alone(qr: Connection) -> None:
    QrSession.objects.update(
        credentials='{"noiseKey": 1}', expires_at=timezone.now() - timedelta(seconds=1)
    )
    SimDevice.objects.update(epoch=None)
    keep()
    assert reread(qr).status == "DISCONNECTED"
    assert credentials_of(QrSession.objects.get()) == {"noiseKey": 1}


def test_a_command_needs_its_signature_and_its_epoch(linked: Connection) -> None:
    path = f"/simulator/gateway/sessions/{linked.pk}/text"
    answer = Client().post(path, {"epoch": 1}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_GATEWAY_SIGNATURE")
    stale = product_client.GatewayClient(
        secret=SECRET, address=leasing.address(), session_id=linked.pk, epoch=99
    )
    with pytest.raises(ProviderError) as refused:
        stale.command("text", {"to": MARIA, "id": "A1", "body": "x"})
    assert refused.value.code == "ERR_STALE_EPOCH"
    assert not SimMessage.objects.exists()


def test_the_same_command_again_is_the_same_message(linked: Connection) -> None:
    held = product_client.GatewayClient(
        secret=SECRET, address=leasing.address(), session_id=linked.pk, epoch=1
    )
    for _ in range(2):
        answer = held.command("text", {"to": MARIA, "id": "A1", "body": "Oi"})
        assert answer == {"externalId": "A1"}
    assert SimMessage.objects.count() == 1
    with pytest.raises(ProviderError) as refused:
        held.command("text", {"to": "5511900000001", "id": "A2", "body": "Oi"})
    assert refused.value.permanent
    told = held.command("check", {"numbers": [MARIA, "5511900000001"]})["numbers"]
    assert [each["exists"] for each in told] == [True, False]


def test_a_fault_of_the_phone_page_strikes_a_command(linked: Connection) -> None:
    SimFault.objects.create(kind="provider_down", times_left=1)
    held = product_client.GatewayClient(
        secret=SECRET, address=leasing.address(), session_id=linked.pk, epoch=1
    )
    with pytest.raises(ProviderError) as refused:
        held.command("text", {"to": MARIA, "id": "A1", "body": "Oi"})
    assert not refused.value.permanent
    assert held.command("text", {"to": MARIA, "id": "A1", "body": "Oi"})


def test_a_call_rings_and_ends(linked: Connection) -> None:
    rung = page("call", {"number": PHONE, "customer": MARIA})
    page("hang-up", {"message": rung["id"]})
    tell()
    told = InboundEvent.objects.filter(kind="call").order_by("pk")
    assert [each.payload["state"] for each in told] == ["offer", "timeout"]


def seconds_to_next_call() -> float:
    """Make a lease call; return after how many seconds the next is due."""
    begun = timezone.now()
    SimGateway.objects.all().start_over(begun)
    leasing.lease_due()
    due = leasing.next_due()
    assert due is not None
    return round((due - begun).total_seconds(), -1)


def test_leases_are_renewed_in_time_and_what_was_lost_is_taken_back(qr: Connection) -> None:
    assert seconds_to_next_call() == 10
    QrSession.objects.update(gateway="another", epoch=9, expires_at=timezone.now())
    assert seconds_to_next_call() == 10
    assert not SimDevice.objects.exclude(epoch=None).exists()
    assert seconds_to_next_call() == 10
    assert SimDevice.objects.get().epoch == 10


def test_without_a_device_a_gateway_is_only_to_be_seen(acme: Company) -> None:
    leasing.come_up()
    assert seconds_to_next_call() == 30


def test_a_lease_call_that_failed_is_made_again_soon(settings: Any, acme: Company) -> None:
    settings.GATEWAY_SECRET = ""
    leasing.come_up()
    leasing.lease_due()
    due = leasing.next_due()
    assert due is not None
    assert due - timezone.now() < timedelta(seconds=11)


def test_with_a_real_gateway_the_simulator_holds_nothing(settings: Any, qr: Connection) -> None:
    settings.SIMULATED_QR = False
    leasing.come_up()
    assert not SimGateway.objects.exists()
    assert Client().get("/simulator/api/state").json()["devices"] is None


def test_after_a_stop_a_linked_session_is_connected_again(linked: Connection) -> None:
    stopped_longer_than_a_lease(linked)
    keep()
    assert (reread(linked).status, reread(linked).status_reason) == ("CONNECTED", "")


@pytest.mark.parametrize("number", ["", PHONE])
def test_after_a_stop_a_code_is_shown_again(qr: Connection, number: str) -> None:
    renew_qr_code(reread(qr), number=number)
    keep()
    shown = reread(qr)
    stopped_longer_than_a_lease(qr)
    keep()
    again = reread(qr)
    assert (again.status, again.qrcode, again.pairing_code) == (
        "qrcode",
        shown.qrcode,
        shown.pairing_code,
    )


def test_after_a_stop_a_phone_without_a_network_is_named_as_the_reason(linked: Connection) -> None:
    devices.set_online(SimDevice.objects.get(), is_online=False)
    keep()
    Connection.objects.update(status="CONNECTED")
    stopped_longer_than_a_lease(linked)
    keep()
    assert (reread(linked).status, reread(linked).reason_code) == ("OPENING", "connection_lost")


def test_started_again_a_linked_session_stays_linked(linked: Connection) -> None:
    Connection.objects.update(status="OPENING")
    start_qr_session(reread(linked))
    keep()
    assert (reread(linked).status, reread(linked).qrcode) == ("CONNECTED", "")
