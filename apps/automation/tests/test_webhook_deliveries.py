"""Posting to outgoing webhooks: order, tries, rests, and the way on (rules/automation §11)."""

import threading
import time
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.automation.clients import webhooks as client
from apps.automation.models import OutgoingWebhook, WebhookDelivery, WebhookEvent
from apps.automation.services import webhook_events
from apps.automation.services.webhook_deliveries import DELIVERIES, deliver_due
from apps.automation.services.webhook_events import Occurrence, announce, known
from apps.automation.tests.test_webhooks import is_signed
from apps.automation.tests.wire import Answer, WireServer, wire_server
from apps.common.leases import free_all_claims
from apps.companies.models import Company
from apps.contacts.models import Contact
from apps.contacts.services import create_contact, merge_contacts, upsert_contacts
from apps.contacts.services.senders import Sender
from apps.inbound.services.purging import purge_finished
from apps.mail.models import Mail
from tests.factories import make_admin, make_contact, make_webhook, make_webhook_delivery

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


@pytest.fixture
def webhook(acme: Company, server: WireServer) -> OutgoingWebhook:
    return make_webhook(acme, url=f"{server.url}/hook", secret="segredo")


@pytest.fixture
def contact(acme: Company) -> Contact:
    return make_contact(acme)


def post_all(limit: int = 1, most: int = 50) -> None:
    for _ in range(most):
        if not deliver_due(limit=limit):
            return
    raise AssertionError("There is always more to post.")


def make_due() -> None:
    OutgoingWebhook.objects.update(paused_until=None)
    WebhookDelivery.objects.unfinished().update(next_attempt_at=timezone.now())


def test_an_event_is_posted_signed_and_its_answer_kept(
    webhook: OutgoingWebhook, contact: Contact, server: WireServer
) -> None:
    row = make_webhook_delivery(webhook, contact=contact, payload={"event": "x", "n": "é"})
    server.handler = lambda request: Answer(status=204)
    post_all()
    [request] = server.received
    assert is_signed(request, "segredo")
    assert request.headers["x-balcao-delivery"] == str(row.event_id)
    assert request.json == {"event": "x", "n": "é"}
    row.refresh_from_db()
    assert (row.state, row.attempts, row.status_code, row.reason_code) == ("done", 1, 204, "")


@pytest.mark.parametrize("limit", [1, 10])
def test_those_of_one_contact_keep_their_order_though_one_fails(
    acme: Company, webhook: OutgoingWebhook, contact: Contact, server: WireServer, limit: int
) -> None:
    other = make_contact(acme)
    for place in range(3):
        make_webhook_delivery(webhook, contact=contact, payload={"who": "one", "n": place})
        make_webhook_delivery(webhook, contact=other, payload={"who": "two", "n": place})
    seen: list[tuple[str, int]] = []
    ill = {"left": 1}

    def once_ill(request: Any) -> Answer:
        said = (request.json["who"], request.json["n"])
        if said == ("one", 1) and ill["left"]:
            ill["left"] -= 1
            return Answer(status=503)
        seen.append(said)
        return Answer()

    server.handler = once_ill
    for _ in range(10):
        post_all(limit)
        make_due()
    assert [n for who, n in seen if who == "one"] == [0, 1, 2]
    assert [n for who, n in seen if who == "two"] == [0, 1, 2]
    row = WebhookDelivery.objects.filter(contact=contact).order_by("pk")[1]
    assert (row.state, row.attempts) == ("done", 2)


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        (Answer(status=500), 500, "server_error"),
        (Answer(status=404), 404, "server_error"),
        (Answer(status=403), 403, "server_refused"),
        (Answer(status=307, headers={"Location": "https://example.com"}), 307, "server_redirects"),
        (Answer(raw=b"?"), None, "server_unreadable"),
    ],
)
def test_whatever_fails_is_tried_again_later_with_the_same_id(
    webhook: OutgoingWebhook,
    contact: Contact,
    server: WireServer,
    answer: Answer,
    status: int | None,
    reason: str,
) -> None:
    row = make_webhook_delivery(webhook, contact=contact)
    server.handler = lambda request: answer
    post_all()
    row.refresh_from_db()
    webhook.refresh_from_db()
    assert (row.state, row.attempts, row.status_code, row.reason_code) == (
        "waiting",
        1,
        status,
        reason,
    )
    assert row.next_attempt_at > timezone.now()
    assert (webhook.failures, webhook.paused_until) == (1, None)
    server.handler = lambda request: Answer()
    make_due()
    post_all()
    first, second = (each.headers["x-balcao-delivery"] for each in server.received)
    assert first == second == str(row.event_id)
    row.refresh_from_db()
    webhook.refresh_from_db()
    assert (row.state, row.reason_code) == ("done", "")
    assert (webhook.failures, webhook.failing_since) == (0, None)


def test_who_does_not_answer_in_time_is_waited_for_no_longer(
    webhook: OutgoingWebhook,
    contact: Contact,
    server: WireServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = threading.Event()
    row = make_webhook_delivery(webhook, contact=contact)
    server.handler = lambda request: Answer(gate=gate)
    init = client.WebhookClient.__init__
    monkeypatch.setattr(
        client.WebhookClient,
        "__init__",
        lambda self, **options: init(self, **options, timeout=0.3),
    )
    try:
        post_all()
    finally:
        gate.set()
    row.refresh_from_db()
    assert (row.state, row.reason_code) == ("waiting", "server_timeout")


def test_a_long_answer_is_read_no_further_than_it_is_shown(
    webhook: OutgoingWebhook, contact: Contact, server: WireServer
) -> None:
    row = make_webhook_delivery(webhook, contact=contact)
    server.handler = lambda request: Answer(body=b"x" * 8_000_000)
    post_all()
    row.refresh_from_db()
    assert (row.state, row.status_code, row.response_text) == ("done", 200, "x" * 1000)


def test_a_private_address_is_never_called(
    acme: Company, contact: Contact, settings: Any, server: WireServer
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []
    row = make_webhook_delivery(make_webhook(acme, url=f"{server.url}/oi"), contact=contact)
    post_all()
    row.refresh_from_db()
    assert (row.state, row.reason_code, server.received) == ("waiting", "address_forbidden", [])


def test_an_event_is_given_up_at_the_first_failure_after_a_day(
    webhook: OutgoingWebhook, contact: Contact, server: WireServer
) -> None:
    old = timezone.now() - timedelta(days=1, minutes=1)
    first = make_webhook_delivery(webhook, contact=contact, created_at=old)
    second = make_webhook_delivery(webhook, contact=contact)
    answers = iter([Answer(status=500), Answer()])
    server.handler = lambda request: next(answers)
    post_all()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.status_code) == ("failed", 500)
    # What was behind it goes on.
    assert second.state == "done"


def test_an_ill_address_is_left_alone_and_the_others_are_not(
    acme: Company, webhook: OutgoingWebhook, server: WireServer
) -> None:
    well = make_webhook(acme, url=f"{server.url}/well")
    for _ in range(8):
        contact = make_contact(acme)
        make_webhook_delivery(webhook, contact=contact)
        make_webhook_delivery(well, contact=contact)
    server.handler = lambda request: Answer(status=200 if request.path == "/well" else 500)
    post_all()
    paths = [request.path for request in server.received]
    assert (paths.count("/hook"), paths.count("/well")) == (3, 8)
    webhook.refresh_from_db()
    assert webhook.failures == 3
    assert webhook.paused_until is not None
    assert timezone.now() < webhook.paused_until < timezone.now() + timedelta(seconds=10)


def test_after_days_of_failures_it_is_switched_off_and_its_admins_are_told(
    acme: Company,
    globex: Company,
    admin: User,
    agent: User,
    outsider: User,
    webhook: OutgoingWebhook,
    contact: Contact,
    server: WireServer,
    settings: Any,
) -> None:
    settings.EMAIL_HOST = "127.0.0.1"
    make_admin(acme, email="saiu@acme.example", is_active=False)
    OutgoingWebhook.objects.filter(pk=webhook.pk).update(
        failures=400, failing_since=timezone.now() - timedelta(days=3, minutes=1)
    )
    rows = [make_webhook_delivery(webhook, contact=contact) for _ in range(2)]
    server.handler = lambda request: Answer(status=500)
    post_all()
    webhook.refresh_from_db()
    assert (webhook.is_active, webhook.stopped_by) == (False, "failures")
    [mail] = Mail.objects.all()
    assert (mail.recipient, webhook.name in mail.subject) == (admin.email, True)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.company) == ("webhook.stopped", None, acme)
    # What waits stays, and nothing is tried.
    make_due()
    post_all()
    assert len(server.received) == 1
    assert WebhookDelivery.objects.unfinished().count() == len(rows)


@pytest.mark.parametrize("change", ["off", "plan", "company"])
def test_nothing_is_posted_for_who_may_not(
    webhook: OutgoingWebhook, contact: Contact, server: WireServer, change: str
) -> None:
    company = webhook.company
    if change == "off":
        OutgoingWebhook.objects.update(is_active=False)
    elif change == "plan":
        company.plan.use_external_api = False
        company.plan.save()
    else:
        Company.objects.filter(pk=company.pk).update(is_enabled=False)
    make_webhook_delivery(webhook, contact=contact)
    post_all()
    known.forget()
    create_contact(company_id=company.pk, name="Ana", number="5511900000001")
    assert (server.received, WebhookDelivery.objects.count()) == ([], 1)


def test_a_worker_that_died_leaves_an_event_that_is_posted_again_with_its_id(
    webhook: OutgoingWebhook, contact: Contact, server: WireServer
) -> None:
    """The kill itself is in tests/test_crash_webhooks.py."""
    row = make_webhook_delivery(webhook, contact=contact)
    claim = DELIVERIES.claim(
        1,
        awake=OutgoingWebhook.objects.values("pk"),
        busy=Company.objects.none().values("pk"),
    )
    assert claim.ids == [row.pk]
    assert not deliver_due(limit=1)
    free_all_claims()
    post_all()
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("done", 2)
    # The first worker's word counts no more.
    assert not claim.finish(row)


def test_one_company_does_not_hold_all_threads(
    acme: Company, globex: Company, webhook: OutgoingWebhook, server: WireServer, settings: Any
) -> None:
    settings.WEBHOOKS_PER_COMPANY = 1
    held = make_webhook_delivery(
        webhook,
        contact=make_contact(acme),
        state="claimed",
        lease_expires_at=timezone.now() + timedelta(minutes=1),
    )
    waits = make_webhook_delivery(webhook, contact=make_contact(acme))
    other = make_webhook_delivery(
        make_webhook(globex, url=f"{server.url}/globex"), contact=make_contact(globex)
    )
    post_all()
    states = {row.pk: row.state for row in WebhookDelivery.objects.all()}
    assert states == {held.pk: "claimed", waits.pk: "waiting", other.pk: "done"}


def test_new_contacts_are_announced_to_their_own_company_alone(
    acme: Company, globex: Company
) -> None:
    mine, theirs = make_webhook(acme), make_webhook(globex)
    make_webhook(acme, events=[WebhookEvent.TICKET_CLOSED])
    contact = create_contact(
        company_id=acme.pk,
        name="Ana",
        number="5511900000001",
        extra_info=[{"name": "Cidade", "value": "Recife"}],
    )
    [row] = WebhookDelivery.objects.all()
    assert (row.webhook, row.contact, row.company) == (mine, contact, acme)
    assert row.payload == {
        "version": 1,
        "id": str(row.event_id),
        "event": "contact.created",
        "occurredAt": row.payload["occurredAt"],
        "company": {"id": acme.pk, "name": "Acme"},
        "contact": {
            "id": contact.pk,
            "name": "Ana",
            "number": "5511900000001",
            "username": "",
            "userId": "",
            "email": "",
            "extraInfo": [{"name": "Cidade", "value": "Recife"}],
        },
    }
    unnumbered = Sender(company_id=globex.pk, number="", lid="BR.1349", username="bia.souza")
    upsert_contacts([unnumbered])
    told = WebhookDelivery.objects.exclude(pk=row.pk).get().payload["contact"]
    assert [told[key] for key in ("number", "username", "userId")] == [
        *("BR.1349@lid", "bia.souza", "BR.1349"),
    ]
    WebhookDelivery.objects.exclude(pk=row.pk).delete()
    upsert_contacts([Sender(company_id=globex.pk, number="5511900000002", name="Bia")])
    upsert_contacts([Sender(company_id=globex.pk, number="5511900000002", name="Bia")])
    assert [each.webhook for each in WebhookDelivery.objects.exclude(pk=row.pk)] == [theirs]
    # Imported ones come by the thousand; groups are nobody.
    upsert_contacts([Sender(company_id=acme.pk, number="5511900000003")], tells=False)
    upsert_contacts([Sender(company_id=acme.pk, number="120363@g.us", is_group=True)])
    assert WebhookDelivery.objects.count() == 2


def test_two_addresses_hear_one_event_by_one_id(acme: Company, contact: Contact) -> None:
    make_webhook(acme)
    make_webhook(acme)
    announce([Occurrence(WebhookEvent.CONTACT_CREATED, acme.pk, contact.pk, {})])
    assert len(set(WebhookDelivery.objects.values_list("event_id", flat=True))) == 1
    assert WebhookDelivery.objects.count() == 2


def test_who_deleted_a_webhook_meanwhile_keeps_nobody_from_writing(
    acme: Company, contact: Contact
) -> None:
    webhook = make_webhook(acme)
    assert known.hears(acme.pk, "contact.created")
    webhook.delete()  # by another process: this one still takes it for there
    announce([Occurrence(WebhookEvent.CONTACT_CREATED, acme.pk, contact.pk, {})])
    assert not WebhookDelivery.objects.exists()


def test_what_is_known_is_read_anew_after_seconds(
    acme: Company, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    clock = {"now": 100.0}
    monkeypatch.setattr(time, "monotonic", lambda: clock["now"])
    known.forget()
    with django_assert_num_queries(1):
        assert not known.hears(acme.pk, "ticket.closed")
        assert not known.hears(acme.pk + 1, "ticket.closed")
    make_webhook(acme)
    known._until = clock["now"] + webhook_events.KNOWN_SECONDS
    assert not known.hears(acme.pk, "ticket.closed")
    clock["now"] += webhook_events.KNOWN_SECONDS
    assert known.hears(acme.pk, "ticket.closed")


def test_events_of_a_merged_contact_go_on_as_the_others(
    acme: Company, webhook: OutgoingWebhook, server: WireServer
) -> None:
    keep, gone = make_contact(acme), make_contact(acme)
    row = make_webhook_delivery(webhook, contact=gone)
    merge_contacts(keep=keep, gone=gone)
    row.refresh_from_db()
    assert row.contact == keep
    post_all()
    assert len(server.received) == 1


def test_old_events_are_forgotten(webhook: OutgoingWebhook, contact: Contact) -> None:
    now = timezone.now()
    for state in ("done", "failed", "waiting"):
        make_webhook_delivery(
            webhook, contact=contact, state=state, created_at=now - timedelta(days=31)
        )
    young = make_webhook_delivery(webhook, contact=contact, state="done")
    assert purge_finished(before=now - timedelta(days=30)) == 3
    assert list(WebhookDelivery.objects.all()) == [young]


def test_a_contact_that_goes_takes_along_what_was_told_of_it(
    webhook: OutgoingWebhook, contact: Contact
) -> None:
    make_webhook_delivery(webhook, contact=contact, event_id=uuid.uuid4())
    contact.delete()
    assert not WebhookDelivery.objects.exists()
