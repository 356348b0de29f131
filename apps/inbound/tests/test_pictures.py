"""Pictures of those who write to a QR session: looked at, kept, changed and gone."""

import base64
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.common.media import read_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact, ContactPicture
from apps.contacts.services import delete_contact, merge_by_hand, undo_merge, upsert_contact
from apps.contacts.services.pictures import GOOD_FOR, MAX_ATTEMPTS, fetch_due, want_pictures
from apps.inbound.services import process_due
from apps.queues.models import Queue
from tests import factories
from tests.gateway import (
    SECRET,
    Gateway,
    Said,
    commit,
    make_qr_connection,
    message_event,
    running_gateway,
)

pytestmark = pytest.mark.django_db
NUMBER = "5511999990000"
JPEG = b"\xff\xd8\xff" + b"small"


@pytest.fixture
def gateway(settings: Any) -> Iterator[Gateway]:
    settings.GATEWAY_SECRET = SECRET
    with running_gateway() as gateway:
        yield gateway


@pytest.fixture
def qr(acme: Company, queue: Queue, gateway: Gateway) -> Connection:
    connection = make_qr_connection(acme, queues=[queue])
    gateway.own(connection)
    return connection


def shows(gateway: Gateway, name: str, content: bytes = JPEG) -> None:
    """Let everybody show a picture of this name, none for ''."""

    def answer(body: dict[str, Any]) -> Said:
        if not name or body["known"] == name:
            return Said({"picture": name})
        data = base64.b64encode(content).decode()
        return Said({"picture": name, "mime": "image/jpeg", "data": data})

    gateway.answers["picture"] = answer


def asked(gateway: Gateway) -> list[tuple[str, str]]:
    told = [each.body for each in gateway.commands if each.name == "picture"]
    return [(body["of"], body["known"]) for body in told]


def written(qr: Connection, *, days: int = 0, **payload: Any) -> Contact:
    """Have somebody write, so many days after the last look, and look at what is due."""
    for row in ContactPicture.objects.all():
        row.wanted_at -= timedelta(days=days)
        row.save(update_fields=["wanted_at"])
    assert commit(qr.pk, 1, message_event(NUMBER, **payload)).status_code == 200
    while process_due(limit=100):
        pass
    while fetch_due(limit=4):
        pass
    return Contact.objects.get(is_group=False)


def test_who_writes_is_shown_with_the_picture_and_browsers_hear_of_it(
    qr: Connection, gateway: Gateway, events: list[dict[str, Any]]
) -> None:
    shows(gateway, "first")
    contact = written(qr)
    assert asked(gateway) == [(NUMBER, "")]
    assert read_media(contact.picture_path) == JPEG
    told = [each["payload"] for each in events if each["event"] == "contact"]
    assert told[-1]["action"] == "update"
    assert contact.picture_path in told[-1]["contact"]["profilePicUrl"]


def test_it_is_looked_at_once_a_week_and_fetched_where_it_is_another(
    qr: Connection, gateway: Gateway
) -> None:
    shows(gateway, "first")
    first = written(qr).picture_path
    assert written(qr, days=6).picture_path == first
    assert asked(gateway) == [(NUMBER, "")]
    assert written(qr, days=1).picture_path == first
    assert asked(gateway)[1:] == [(NUMBER, "first")]
    shows(gateway, "second", JPEG + b"er")
    second = written(qr, days=7).picture_path
    assert second != first and read_media(second) == JPEG + b"er"
    shows(gateway, "")
    assert written(qr, days=7).picture_path == ""
    assert asked(gateway)[3:] == [(NUMBER, "second")]


def test_what_nobody_needs_is_removed(
    qr: Connection, gateway: Gateway, admin: User, django_capture_on_commit_callbacks: Any
) -> None:
    def after(work: Any) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            work()

    shows(gateway, "first")
    contact = written(qr)
    first = contact.picture_path
    other = factories.make_contact(qr.company, name="Outra")
    # Merged away and back, it has its picture again.
    merge = merge_by_hand(contact_id=other.pk, other_id=contact.pk, actor=admin)
    assert default_storage.exists(first)
    undo_merge(merge_id=merge.pk, actor=admin)
    contact = Contact.objects.get(pk=contact.pk)
    assert (contact.picture_path, default_storage.exists(first)) == (first, True)
    after(lambda: delete_contact(contact=contact, actor=admin))
    assert not default_storage.exists(first)


def test_the_past_and_the_official_api_ask_for_none(
    qr: Connection, gateway: Gateway, acme: Company
) -> None:
    shows(gateway, "first")
    written(qr, isHistory=True)
    official = factories.make_connection(acme, name="Oficial")
    want_pictures([(official, Contact.objects.get())])
    assert not ContactPicture.objects.exists()


def test_a_session_that_is_away_is_asked_again_and_then_no_more(
    qr: Connection, gateway: Gateway
) -> None:
    gateway.refuse("picture", "ERR_NO_ANSWER", 503)
    written(qr)
    row = ContactPicture.objects.get()
    assert (row.state, row.attempts) == (LeaseState.WAITING, 1)
    ContactPicture.objects.update(attempts=MAX_ATTEMPTS - 1, next_attempt_at=row.wanted_at)
    fetch_due(limit=4)
    assert ContactPicture.objects.get().state == LeaseState.FAILED
    shows(gateway, "first")
    assert written(qr, days=GOOD_FOR.days).picture_path


def test_what_is_no_picture_is_not_kept(qr: Connection, gateway: Gateway) -> None:
    shows(gateway, "first", b"<svg>")
    assert written(qr).picture_path == ""
    assert ContactPicture.objects.get().state == LeaseState.FAILED


def test_known_ones_cost_one_statement_however_many_they_are(qr: Connection) -> None:
    contacts = [
        upsert_contact(company_id=qr.company_id, number=f"551188888{number:04}")
        for number in range(20)
    ]
    met = [(qr, contact) for contact in contacts]
    want_pictures(met)
    for count in (1, 20):
        with CaptureQueriesContext(database) as queries:
            want_pictures(met[:count])
        assert len(queries) == 1
    assert ContactPicture.objects.count() == 20
