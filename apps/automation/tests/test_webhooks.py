"""Outgoing webhooks as an admin makes, tries and takes them away (rules/automation §11)."""

import hashlib
import hmac
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.automation.models import OutgoingWebhook, WebhookDelivery, WebhookEvent
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from apps.companies.models import Company
from conftest import ClientFor
from tests.events import Listeners, Told
from tests.factories import make_contact, make_webhook, make_webhook_delivery

pytestmark = pytest.mark.django_db

PATH = "/api/outgoing-webhooks"
BODY = {
    "name": "Meu sistema",
    "url": "https://example.com/avisos",
    "events": ["ticket.closed", "message.received", "ticket.closed"],
}


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


@pytest.fixture
def webhook(acme: Company, server: WireServer) -> OutgoingWebhook:
    return make_webhook(acme, name="Sistema", url=f"{server.url}/hook", secret="segredo")


@pytest.fixture
def told(listeners: Listeners) -> list[Told]:
    heard: list[Told] = []
    listeners.append(heard.append)
    return heard


def is_signed(request: Received, secret: str) -> bool:
    """Check a request as docs/webhooks.md says."""
    signed = f"{request.headers['x-balcao-timestamp']}.".encode() + request.body
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, request.headers["x-balcao-signature"])


def test_the_secret_is_shown_when_it_is_made_and_never_again(
    admin: User, client_for: ClientFor, told: list[Told]
) -> None:
    client = client_for(admin)
    answer = client.post(f"{PATH}/", BODY, "json")
    made = answer.json()
    assert (answer.status_code, made["isActive"], made["stoppedBy"]) == (201, True, "")
    assert made["events"] == ["message.received", "ticket.closed"]
    stored = OutgoingWebhook.objects.get()
    assert made["secret"] == stored.secret
    assert len(stored.secret) >= 43
    again = client.get(f"{PATH}/{stored.pk}").json()
    assert again["secret"] != stored.secret
    assert again["secret"].startswith("•")
    renewed = client.post(f"{PATH}/{stored.pk}/secret").json()["secret"]
    assert renewed not in {stored.secret, again["secret"]}
    stored.refresh_from_db()
    assert renewed == stored.secret
    deeds = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(deeds) == ["webhook.created", "webhook.secret_renewed"]
    assert stored.secret not in str(list(AuditEntry.objects.values()))
    assert [(each.event, each.payload["action"]) for each in told] == [
        ("outgoingWebhook", "create"),
        ("outgoingWebhook", "update"),
    ]


def test_address_and_secret_are_encrypted_where_they_lie(acme: Company) -> None:
    make_webhook(acme, url="https://u:senha@example.com/chave", secret="segredo")
    with database.cursor() as cursor:
        cursor.execute("SELECT url, secret FROM automation_outgoingwebhook")
        (row,) = cursor.fetchall()
    assert not any(word in str(row) for word in ("senha", "chave", "segredo", "example"))


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"name": "A"}, "name", "min_length"),
        ({"name": None}, "name", "null"),
        ({"url": "ftp://example.com"}, "url", "web_address"),
        ({"url": "avisos"}, "url", "invalid"),
        ({"url": ""}, "url", "blank"),
        ({"url": "http://127.0.0.1/a"}, "url", ""),
        ({"url": "http://169.254.169.254/latest"}, "url", ""),
        ({"events": []}, "events", "empty"),
        ({"events": None}, "events", "null"),
        ({"events": ["message.read"]}, "events.0", "invalid_choice"),
        ({"events": ["webhook.test"]}, "events.0", "invalid_choice"),
        ({"events": ["message.sent"] * (len(WebhookEvent) + 1)}, "events", "max_length"),
        ({"events": "message.sent"}, "events", "invalid"),
        ({"isActive": "talvez"}, "isActive", "invalid"),
    ],
)
def test_wrong_input_is_refused_at_its_field(
    admin: User,
    client_for: ClientFor,
    settings: Any,
    change: dict[str, Any],
    field: str,
    code: str,
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []
    answer = client_for(admin).post(PATH, {**BODY, **change}, "json")
    refusal = answer.json()
    assert answer.status_code == 400
    assert list(refusal["fields"]) == [field]
    if code:
        assert refusal["fieldCodes"] == {field: code}
    else:
        assert refusal["code"] == "ERR_TARGET_FORBIDDEN"
    assert not OutgoingWebhook.objects.exists()


def test_an_eleventh_is_refused(acme: Company, admin: User, client_for: ClientFor) -> None:
    for _ in range(10):
        make_webhook(acme)
    answer = client_for(admin).post(PATH, BODY, "json")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_WEBHOOK_LIMIT")


def test_the_password_of_an_address_is_not_told_to_another_place(
    acme: Company, admin: User, client_for: ClientFor
) -> None:
    webhook = make_webhook(acme, url="https://eu:senha@example.com/a")
    client = client_for(admin)
    shown = client.get(f"{PATH}/{webhook.pk}").json()["url"]
    assert "senha" not in shown
    kept = client.put(f"{PATH}/{webhook.pk}", {"url": shown.replace("/a", "/b")}, "json")
    webhook.refresh_from_db()
    assert (kept.status_code, webhook.url) == (200, "https://eu:senha@example.com/b")
    moved = shown.replace("example.com", "evil.example")
    refused = client.put(f"{PATH}/{webhook.pk}", {"url": moved}, "json")
    assert (refused.status_code, refused.json()["fieldCodes"]) == (400, {"url": "password_again"})


def test_the_list_costs_the_same_however_many_there_are(
    acme: Company, admin: User, client_for: ClientFor, django_assert_num_queries: Any
) -> None:
    client = client_for(admin)
    make_webhook(acme)
    with django_assert_num_queries(3):
        client.get(PATH)
    for _ in range(5):
        webhook = make_webhook(acme)
        contact = make_contact(acme)
        make_webhook_delivery(webhook, contact=contact, attempts=1, state="done", status_code=200)
        make_webhook_delivery(webhook, contact=contact)
    with django_assert_num_queries(3):
        rows = client.get(PATH).json()["outgoingWebhooks"]
    standing = [(row["waiting"], row["lastDelivery"] and row["lastDelivery"]["ok"]) for row in rows]
    assert sorted(standing, key=str) == [(0, None), *[(1, True)] * 5]
    found = client.get(f"{PATH}/?searchParam={webhook.name}").json()
    assert [row["id"] for row in found["outgoingWebhooks"]] == [webhook.pk]


def test_a_test_says_what_the_address_answered(
    admin: User, client_for: ClientFor, webhook: OutgoingWebhook, server: WireServer
) -> None:
    server.handler = lambda request: Answer(status=202, body="ok" * 3000)
    answer = client_for(admin).post(f"{PATH}/{webhook.pk}/test/").json()
    [request] = server.received
    assert (answer["ok"], answer["statusCode"], answer["reasonCode"]) == (True, 202, "")
    assert answer["responseText"] == ("ok" * 3000)[:1000]
    assert is_signed(request, "segredo")
    assert not is_signed(request, "outro")
    assert request.headers["x-balcao-event"] == request.json["event"] == "webhook.test"
    assert request.headers["x-balcao-delivery"] == request.json["id"]
    assert request.json["webhook"] == {"id": webhook.pk, "name": "Sistema"}
    assert not WebhookDelivery.objects.exists()


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        (Answer(status=500, body="quebrou"), 500, "server_error"),
        (Answer(status=401), 401, "server_refused"),
        (Answer(status=302, headers={"Location": "http://127.0.0.1/"}), 302, "server_redirects"),
        (Answer(raw=b"nada de HTTP\r\n\r\n"), None, "server_unreadable"),
    ],
)
def test_a_test_that_fails_says_why(
    admin: User,
    client_for: ClientFor,
    webhook: OutgoingWebhook,
    server: WireServer,
    answer: Answer,
    status: int | None,
    reason: str,
) -> None:
    server.handler = lambda request: answer
    told = client_for(admin).post(f"{PATH}/{webhook.pk}/test").json()
    assert (told["ok"], told["statusCode"], told["reasonCode"]) == (False, status, reason)
    assert len(server.received) == 1
    webhook.refresh_from_db()
    assert webhook.failures == 0


def test_a_test_that_succeeds_ends_the_rest_of_a_failing_webhook(
    admin: User, client_for: ClientFor, webhook: OutgoingWebhook, server: WireServer
) -> None:
    now = timezone.now()
    OutgoingWebhook.objects.update(
        failures=7, failing_since=now, paused_until=now + timedelta(minutes=5)
    )
    row = make_webhook_delivery(
        webhook,
        contact=make_contact(webhook.company),
        attempts=3,
        next_attempt_at=now + timedelta(hours=1),
    )
    client_for(admin).post(f"{PATH}/{webhook.pk}/test")
    webhook.refresh_from_db()
    row.refresh_from_db()
    assert (webhook.failures, webhook.failing_since, webhook.paused_until) == (0, None, None)
    assert row.next_attempt_at <= timezone.now()


def test_deleting_takes_the_log_along(
    acme: Company, admin: User, client_for: ClientFor, webhook: OutgoingWebhook
) -> None:
    make_webhook_delivery(webhook, contact=make_contact(acme))
    assert client_for(admin).delete(f"{PATH}/{webhook.pk}").status_code == 200
    assert not OutgoingWebhook.objects.exists()
    assert not WebhookDelivery.objects.exists()
    assert AuditEntry.objects.get().action == "webhook.deleted"


def test_the_log_comes_in_parts_and_by_event_and_outcome(
    acme: Company,
    admin: User,
    client_for: ClientFor,
    webhook: OutgoingWebhook,
    django_assert_num_queries: Any,
) -> None:
    contact = make_contact(acme)
    rows = [make_webhook_delivery(webhook, contact=contact) for _ in range(21)]
    failed = make_webhook_delivery(
        webhook, contact=contact, event=WebhookEvent.TICKET_CLOSED, state="failed", attempts=9
    )
    make_webhook_delivery(make_webhook(acme), contact=contact)
    client = client_for(admin)
    path = f"{PATH}/{webhook.pk}/deliveries"
    with django_assert_num_queries(2):
        first = client.get(path).json()
    ids = [row["id"] for row in first["deliveries"]]
    assert (ids, first["hasMore"]) == ([failed.pk, *[row.pk for row in rows[:1:-1]]], True)
    rest = client.get(f"{path}/?beforeId={ids[-1]}").json()
    assert [row["id"] for row in rest["deliveries"]] == [rows[1].pk, rows[0].pk]
    assert not rest["hasMore"]
    [shown] = client.get(f"{path}?status=failed").json()["deliveries"]
    assert (shown["id"], shown["status"], shown["attempts"]) == (failed.pk, "failed", 9)
    assert shown["nextAttemptAt"] is None
    assert len(client.get(f"{path}?event=ticket.closed").json()["deliveries"]) == 1
    for wrong in ("event=oi", "status=oi", "beforeId=0", "beforeId=x"):
        assert client.get(f"{path}?{wrong}").status_code == 400


def test_an_event_is_sent_again_when_asked(
    acme: Company, admin: User, client_for: ClientFor, webhook: OutgoingWebhook
) -> None:
    row = make_webhook_delivery(
        webhook, contact=make_contact(acme), state="failed", attempts=30, status_code=500
    )
    client = client_for(admin)
    path = f"{PATH}/{webhook.pk}/deliveries/{row.pk}/retry"
    answer = client.post(path).json()
    assert (answer["status"], answer["attempts"], answer["eventId"]) == (
        "waiting",
        0,
        str(row.event_id),
    )
    WebhookDelivery.objects.update(state="claimed")
    busy = client.post(path)
    assert (busy.status_code, busy.json()["code"]) == (409, "ERR_DELIVERY_UNDER_WAY")
    OutgoingWebhook.objects.update(is_active=False)
    off = client.post(path)
    assert (off.status_code, off.json()["code"]) == (409, "ERR_WEBHOOK_OFF")
    gone = client.post(f"{PATH}/{webhook.pk}/deliveries/{row.pk + 1}/retry")
    assert (gone.status_code, gone.json()["code"]) == (404, "ERR_NO_DELIVERY_FOUND")


def test_switched_off_it_waits_and_switched_on_it_goes_on(
    acme: Company, admin: User, client_for: ClientFor, webhook: OutgoingWebhook
) -> None:
    row = make_webhook_delivery(webhook, contact=make_contact(acme))
    client = client_for(admin)
    off = client.put(f"{PATH}/{webhook.pk}", {"isActive": False}, "json").json()
    row.refresh_from_db()
    assert (off["stoppedBy"], off["waiting"]) == ("person", 1)
    assert row.next_attempt_at > timezone.now() + timedelta(days=365)
    OutgoingWebhook.objects.update(failures=9, failing_since=timezone.now())
    on = client.put(f"{PATH}/{webhook.pk}", {"isActive": True}, "json").json()
    row.refresh_from_db()
    assert (on["stoppedBy"], on["failingSince"]) == ("", None)
    assert row.next_attempt_at <= timezone.now()
