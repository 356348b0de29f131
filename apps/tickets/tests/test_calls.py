from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.common.leases import LeaseState
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundCall
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import Delivery, Message, Ticket
from apps.tickets.services.outbox.deliveries import MAX_FLEETING_ATTEMPTS, deliver_due
from apps.tickets.services.receiving.calls import receive_call
from tests.factories import make_contact, make_ticket
from tests.graph import GraphServer, graph_error

NUMBER = "5511999990001"


@pytest.fixture
def takes_no_calls(acme: Company) -> None:
    CompanySetting.objects.create(company=acme, key="call", value="disabled")


def ring(connection: Connection, **fields: Any) -> Message | None:
    fields.setdefault("call_id", "wacid.A")
    fields.setdefault("sender", NUMBER)
    fields.setdefault("sender_name", "Ana Souza")
    fields.setdefault("at", timezone.now())
    return receive_call(connection=connection, call=InboundCall(**fields))


def test_a_company_that_takes_calls_is_left_alone(connection: Connection) -> None:
    assert ring(connection) is None
    assert not Ticket.objects.exists()
    assert not Delivery.objects.exists()


@pytest.mark.usefixtures("takes_no_calls")
def test_a_call_is_kept_rejected_and_answered(connection: Connection, graph: GraphServer) -> None:
    call = ring(connection)
    assert call is not None
    ticket = Ticket.objects.get()
    assert (ticket.status, ticket.unread_count, ticket.contact.name) == ("pending", 1, "Ana Souza")
    assert (call.media_type, call.from_me) == ("call_log", False)
    assert call.body == "Chamada de voz recusada"
    written = Message.objects.get(from_me=True)
    assert written.body.startswith("*Mensagem Automática:*\nNão atendemos chamadas")
    assert (written.source, written.ticket) == ("bot", ticket)
    while deliver_due(limit=10):
        pass
    rejection, text = graph.messages
    assert rejection == {
        "messaging_product": "whatsapp",
        "call_id": "wacid.A",
        "action": "reject",
    }
    assert text["text"]["body"] == written.body


@pytest.mark.usefixtures("takes_no_calls")
def test_a_video_call_is_called_one_and_the_same_call_counts_once(connection: Connection) -> None:
    first = ring(connection, is_video=True)
    assert first is not None and first.body == "Chamada de vídeo recusada"
    assert ring(connection, is_video=True) is None
    assert (Message.objects.count(), Delivery.objects.count()) == (2, 2)


@pytest.mark.usefixtures("takes_no_calls")
def test_who_rang_long_ago_is_told_but_no_longer_hung_up_on(connection: Connection) -> None:
    ring(connection, at=timezone.now() - timedelta(minutes=3))
    assert [delivery.kind for delivery in Delivery.objects.all()] == ["send"]


@pytest.mark.usefixtures("takes_no_calls")
def test_a_call_into_an_attendance_stays_there(
    acme: Company, connection: Connection, queue: Queue
) -> None:
    contact = make_contact(acme, number=NUMBER)
    ticket = make_ticket(acme, contact=contact, connection=connection, queue=queue)
    call = ring(connection)
    assert call is not None and call.ticket == ticket


@pytest.mark.usefixtures("takes_no_calls")
def test_the_bot_says_nothing_to_a_call(connection: Connection, queue: Queue) -> None:
    QueueOption.objects.create(queue=queue, title="Preços", message="Nossos preços")
    ring(connection)
    [written] = Message.objects.filter(from_me=True)
    assert "chamadas" in written.body


@pytest.mark.usefixtures("takes_no_calls")
def test_a_rejection_that_fails_holds_nothing_up(
    connection: Connection, graph: GraphServer
) -> None:
    graph.fault = lambda body: graph_error(1, 500) if body.get("action") == "reject" else False
    ring(connection)
    for _ in range(MAX_FLEETING_ATTEMPTS + 1):
        Delivery.objects.update(next_attempt_at=timezone.now())
        deliver_due(limit=10)
    assert [message["type"] for message in graph.messages] == ["text"]
    assert list(Delivery.objects.order_by("id").values_list("state", flat=True)) == [
        "failed",
        "done",
    ]


@pytest.mark.usefixtures("takes_no_calls")
def test_a_stored_notification_becomes_a_rejected_call(connection: Connection) -> None:
    now = int(timezone.now().timestamp())
    call = {"id": "wacid.A", "from": NUMBER, "event": "connect", "timestamp": str(now)}
    event = InboundEvent.objects.create(
        connection=connection,
        event_id="calls:wacid.A:connect",
        kind="calls",
        partition=NUMBER,
        payload={
            "field": "calls",
            "contact": {"wa_id": NUMBER, "profile": {"name": "Ana"}},
            "call": call,
        },
    )
    assert process_due(limit=10) == 1
    event.refresh_from_db()
    assert event.state == LeaseState.DONE
    assert Message.objects.filter(media_type="call_log").exists()
    assert Delivery.objects.filter(kind="reject").exists()
