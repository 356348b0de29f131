"""Deleting a connection loses nothing that its provider was told we have."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connections, transaction
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundNotice
from apps.connections.services import connection_leaving
from apps.inbound.models import InboundEvent
from apps.inbound.services import leaving, storing
from apps.inbound.tests.test_processing import message_event
from apps.tickets.models import Message, Ticket
from conftest import ClientFor
from tests.factories import make_connection, make_message, make_ticket
from tests.product import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_came_and_waits_is_in_its_conversation_first(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    for number in range(3):
        message_event(connection, f"wamid.{number}", sender="5511988887777", body=f"Oi {number}")
    answer = client_for(admin).delete(f"/api/whatsapp/{connection.pk}")
    assert answer.status_code == 200, answer.content
    bodies = list(
        Message.objects.filter(from_me=False).order_by("pk").values_list("body", flat=True)
    )
    assert bodies == ["Oi 0", "Oi 1", "Oi 2"]
    assert Ticket.objects.get().status == "closed"


def test_what_another_worker_still_has_is_waited_for(
    client_for: ClientFor, admin: User, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaving, "PATIENCE_SECONDS", 0.3)
    event = message_event(connection, "wamid.1", sender="5511988887777", body="Oi")
    held = {"state": LeaseState.CLAIMED, "owner": "other#1"}
    lease: Any = timezone.now() + timedelta(seconds=60)
    InboundEvent.objects.update(**held, lease_expires_at=lease)
    path = f"/api/whatsapp/{connection.pk}"
    answer = client_for(admin).delete(path)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_CONNECTION_BUSY")
    assert Connection.objects.filter(pk=connection.pk).exists()
    assert InboundEvent.objects.filter(pk=event.pk).exists()
    monkeypatch.undo()
    InboundEvent.objects.update(state=LeaseState.WAITING, owner="", lease_expires_at=None)
    assert client_for(admin).delete(path).status_code == 200
    assert Message.objects.get(from_me=False).body == "Oi"


def test_what_came_since_stops_the_deletion(
    client_for: ClientFor,
    admin: User,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticket = make_ticket(connection.company, connection=connection)
    monkeypatch.setattr(connection_leaving, "_functions", [])
    message_event(connection, "wamid.1", sender="5511988887777", body="Oi")
    answer = client_for(admin).delete(f"/api/whatsapp/{connection.pk}")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_CONNECTION_BUSY")
    ticket.refresh_from_db()
    assert (ticket.status, ticket.connection_id) == ("pending", connection.pk)


def test_who_deletes_it_second_finds_nothing(
    client_for: ClientFor, admin: User, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first(leaving: Connection) -> None:
        Connection.objects.filter(pk=leaving.pk).delete()

    monkeypatch.setattr(connection_leaving, "_functions", [first])
    answer = client_for(admin).delete(f"/api/whatsapp/{connection.pk}")
    assert answer.status_code == 404


def test_the_default_number_is_refused_at_once(
    client_for: ClientFor, admin: User, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_connection(connection.company)
    Connection.objects.filter(pk=connection.pk).update(is_default=True)
    asked: list[Connection] = []
    monkeypatch.setattr(connection_leaving, "_functions", [asked.append])
    answer = client_for(admin).delete(f"/api/whatsapp/{connection.pk}")
    assert (answer.json()["code"], asked) == ("ERR_NO_OTHER_WHATSAPP", [])


def test_only_what_came_over_it_is_handled(
    client_for: ClientFor, admin: User, connection: Connection, globex: Company
) -> None:
    other = message_event(make_connection(globex), "wamid.9", sender="5511977776666", body="Oi")
    message_event(connection, "wamid.1", sender="5511988887777", body="Oi")
    assert client_for(admin).delete(f"/api/whatsapp/{connection.pk}").status_code == 200
    other.refresh_from_db()
    assert other.state == LeaseState.WAITING


@pytest.mark.postgres
def test_a_send_that_goes_on_meanwhile_and_the_deletion_both_end(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    ticket = make_ticket(connection.company, connection=connection, user=admin, status="open")
    holds, answers = threading.Event(), []

    def is_waited_for() -> bool:
        with database.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            return bool(cursor.fetchone()[0])

    def send() -> None:
        try:
            with transaction.atomic():
                Ticket.objects.select_for_update(no_key=True).get(pk=ticket.pk)
                holds.set()
                wait_for(is_waited_for, "the deletion")
                make_message(ticket, from_me=True)
        finally:
            connections.close_all()

    def delete() -> None:
        try:
            holds.wait(10)
            answers.append(client_for(admin).delete(f"/api/whatsapp/{connection.pk}").status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(send), pool.submit(delete)]:
            each.result(30)
    assert answers == [200]
    assert Message.objects.get().connection_id is None


def test_a_notice_for_a_number_that_goes_meanwhile_is_taken_and_dropped(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def store(routed: Any) -> int:
        tried.append(len(routed))
        if len(tried) == 1:
            raise IntegrityError("connection is gone")
        return 0

    monkeypatch.setattr(storing, "_store", store)
    notice = InboundNotice(event_id="message:1", kind="message", partition="p", payload={})
    assert storing.store_notices([("1", notice)]) == 0
    assert tried == [1, 1]


def test_a_phones_past_that_still_comes_keeps_nobody(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    InboundEvent.objects.create(
        connection=connection, event_id="history:1", kind="history", partition="h", payload={}
    )
    assert client_for(admin).delete(f"/api/whatsapp/{connection.pk}").status_code == 200
