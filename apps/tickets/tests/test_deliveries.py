from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.common.leases import LeaseState
from apps.common.media import store_media
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus
from apps.connections.providers.content import SentMessage
from apps.connections.providers.inbound import InboundStatus
from apps.contacts.models import Contact
from apps.tickets.models import Ack, Delivery, DeliveryKind, Message, Ticket
from apps.tickets.services.outbox import deliveries, departure
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.statuses import apply_statuses
from tests.factories import make_connection, make_contact, make_message, make_ticket
from tests.graph import GraphServer, graph_error


@pytest.fixture
def ticket(acme: Company, connection: Connection) -> Ticket:
    return make_ticket(acme, connection=connection, status="open")


def queue_up(ticket: Ticket, body: str = "Olá", *, kind: str = "send", **fields: Any) -> Delivery:
    payload = fields.pop("payload", {})
    message = fields.pop("message", None) or make_message(
        ticket, from_me=True, body=body, external_id=None, **fields
    )
    return Delivery.objects.create(
        company=ticket.company,
        connection_id=ticket.connection_id or 0,
        contact=ticket.contact,
        message=message,
        kind=kind,
        payload=payload,
    )


def deliver(limit: int = 100) -> int:
    return deliver_due(limit=limit)


def make_due(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(next_attempt_at=timezone.now())


def test_a_due_row_reaches_the_provider(
    ticket: Ticket, graph: GraphServer, emitted: list[Any]
) -> None:
    row = queue_up(ticket, "Olá")
    message = row.message
    assert deliver() == 1
    row.refresh_from_db()
    message.refresh_from_db()
    assert graph.messages[0]["to"] == ticket.contact.number
    assert graph.messages[0]["biz_opaque_callback_data"] == str(message.callback_id)
    assert (message.ack, message.external_id) == (Ack.SENT, "wamid.sent1")
    assert (row.state, row.attempts, row.owner) == (LeaseState.DONE, 1, "")
    assert row.finished_at is not None
    assert emitted[0][1]["message"]["ack"] == Ack.SENT
    assert deliver() == 0


def test_what_is_to_leave_later_holds_back_what_comes_after_it(
    ticket: Ticket, graph: GraphServer
) -> None:
    rows = [queue_up(ticket, "1"), queue_up(ticket, "2"), queue_up(ticket, "3")]
    later = timezone.now() + timedelta(seconds=30)
    Delivery.objects.filter(pk=rows[1].pk).update(next_attempt_at=later)
    deliver()
    assert deliver() == 0
    assert [message["text"]["body"] for message in graph.messages] == ["1"]
    rows[1].refresh_from_db()
    assert (rows[1].state, rows[1].next_attempt_at) == (LeaseState.WAITING, later)
    make_due(rows[1])
    deliver()
    assert [message["text"]["body"] for message in graph.messages] == ["1", "2", "3"]


def test_a_conversation_goes_in_order_and_stops_at_what_must_wait(
    acme: Company, ticket: Ticket, graph: GraphServer
) -> None:
    other = make_ticket(acme, connection=ticket.connection, status="open")
    rows = [queue_up(ticket, "1"), queue_up(ticket, "2"), queue_up(ticket, "3")]
    queue_up(other, "a")
    graph.fault = lambda payload: (
        graph_error(131056) if payload["text"]["body"] == "2" and not go_on else False
    )
    go_on: list[bool] = []
    assert deliver() == 4
    assert graph.bodies == ["1", "a"]
    rows[1].refresh_from_db()
    rows[2].refresh_from_db()
    assert (rows[1].state, rows[1].attempts) == (LeaseState.WAITING, 1)
    assert rows[1].next_attempt_at > timezone.now()
    assert (rows[2].state, rows[2].attempts) == (LeaseState.WAITING, 0)
    go_on.append(True)
    assert deliver() == 0  # the second is not due, and the third stays behind it
    make_due(rows[1])
    assert deliver() == 2
    assert graph.bodies == ["1", "a", "2", "3"]


def test_a_permanent_refusal_fails_at_once_and_lets_the_next_one_go(
    ticket: Ticket, graph: GraphServer
) -> None:
    row = queue_up(ticket, "1")
    queue_up(ticket, "2")
    graph.fault = lambda payload: graph_error(131026) if payload["text"]["body"] == "1" else False
    deliver()
    row.refresh_from_db()
    message = Message.objects.get(pk=row.message_id)
    assert (row.state, message.ack, message.error_code) == ("failed", Ack.ERROR, "131026")
    assert "WhatsApp" in message.error_reason
    assert graph.bodies == ["2"]


def test_a_provider_that_is_down_makes_messages_wait_visibly(
    ticket: Ticket, graph: GraphServer, emitted: list[Any]
) -> None:
    row = queue_up(ticket)
    graph.stop()
    deliver()
    row.refresh_from_db()
    message = Message.objects.get(pk=row.message_id)
    assert (row.state, message.ack) == (LeaseState.WAITING, Ack.PENDING)
    assert message.error_reason == row.last_error != ""
    assert emitted[0][1]["message"]["errorReason"] == message.error_reason
    graph.start()
    make_due(row)
    deliver()
    message.refresh_from_db()
    assert (message.ack, message.error_reason) == (Ack.SENT, "")


def test_passing_faults_end_as_an_error_after_about_a_day(
    ticket: Ticket, graph: GraphServer
) -> None:
    row = queue_up(ticket)
    graph.fault = lambda payload: (503, {})
    Delivery.objects.filter(pk=row.pk).update(attempts=departure.MAX_ATTEMPTS - 1)
    deliver()
    row.refresh_from_db()
    assert (row.state, Message.objects.get().ack) == (LeaseState.FAILED, Ack.ERROR)


def test_a_rate_limit_pauses_the_whole_connection(
    acme: Company, ticket: Ticket, graph: GraphServer
) -> None:
    other = make_ticket(acme, connection=ticket.connection, status="open")
    elsewhere = make_ticket(acme, connection=make_connection(acme), status="open")
    queue_up(ticket, "1")
    queue_up(other, "2")
    queue_up(elsewhere, "3")
    graph.fault = lambda payload: (
        graph_error(130429, 429) if payload["text"]["body"] == "1" else False
    )
    deliver()
    assert graph.bodies == ["3"]
    connection = Connection.objects.get(pk=ticket.connection_id or 0)
    assert connection.sends_paused_until is not None
    assert connection.sends_paused_until > timezone.now()
    assert connection.status_reason
    assert set(Delivery.objects.values_list("state", flat=True)) == {"waiting", "done"}
    graph.fault = lambda payload: False
    Connection.objects.update(sends_paused_until=timezone.now() - timedelta(seconds=1))
    Delivery.objects.update(next_attempt_at=timezone.now())
    deliver()
    assert graph.bodies == ["3", "1", "2"]


def test_refused_credentials_take_the_connection_down_and_rows_wait(
    acme: Company, ticket: Ticket, graph: GraphServer
) -> None:
    rows = [queue_up(ticket, "1"), queue_up(ticket, "2")]
    queue_up(make_ticket(acme, connection=ticket.connection, status="open"), "3")
    graph.fault = lambda payload: graph_error(190, 401)
    deliver()
    connection = Connection.objects.get(pk=ticket.connection_id or 0)
    assert connection.status == ConnectionStatus.DISCONNECTED
    assert "token" in connection.status_reason
    assert deliver() == 0
    graph.fault = lambda payload: False
    Connection.objects.update(status=ConnectionStatus.CONNECTED)
    deliver()
    assert graph.bodies == ["1", "2", "3"]
    assert rows[0].message.ack == Ack.PENDING


def test_an_answer_that_got_lost_waits_for_the_providers_word(
    ticket: Ticket, graph: GraphServer
) -> None:
    row = queue_up(ticket, "1")
    queue_up(ticket, "2")
    graph.after = lambda payload: None
    deliver()
    row.refresh_from_db()
    assert row.state == LeaseState.UNKNOWN
    graph.after = lambda payload: False
    assert deliver() == 0
    with transaction.atomic():
        status = InboundStatus("wamid.sent1", Ack.SERVER, str(row.message.callback_id))
        apply_statuses([(ticket.connection, status)])  # type: ignore[list-item]
    deliver()
    assert graph.bodies == ["1", "2"]


def test_without_a_word_the_attempt_is_repeated_after_the_window(
    ticket: Ticket, graph: GraphServer
) -> None:
    row = queue_up(ticket, "1")
    graph.after = lambda payload: None
    deliver()
    graph.after = lambda payload: False
    make_due(row)
    deliver()
    row.refresh_from_db()
    assert (row.state, row.attempts) == (LeaseState.DONE, 2)
    assert Message.objects.get().external_id == "wamid.sent2"


def test_a_word_that_stands_unread_is_read_before_the_attempt_is_repeated(
    ticket: Ticket, graph: GraphServer
) -> None:
    from apps.inbound.models import InboundEvent

    row = queue_up(ticket, "1")
    graph.after = lambda payload: None
    deliver()
    graph.after = lambda payload: False
    word = InboundEvent.objects.create(
        connection_id=ticket.connection_id or 0,
        event_id="status:x",
        kind="status",
        partition="551",
        payload={},
    )
    make_due(row)
    assert deliver() == 0
    InboundEvent.objects.filter(pk=word.pk).update(state="done")
    assert deliver() == 1


def test_a_send_whose_worker_died_is_unknown_at_first(ticket: Ticket, graph: GraphServer) -> None:
    row = queue_up(ticket)
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.filter(pk=row.pk).update(
        state=LeaseState.SENDING, owner="dead", lease_expires_at=past
    )
    assert deliver() == 0
    row.refresh_from_db()
    assert (row.state, row.owner) == (LeaseState.UNKNOWN, "")
    assert row.next_attempt_at > timezone.now()
    make_due(row)
    assert deliver() == 1
    assert graph.bodies == ["Olá"]


def test_a_hung_send_is_found_also_while_others_are_always_due(
    ticket: Ticket, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "HUNG_SECONDS", 0.0)
    hung = queue_up(ticket)
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.filter(pk=hung.pk).update(
        state=LeaseState.SENDING, owner="dead", lease_expires_at=past
    )
    other = make_ticket(ticket.company, connection=ticket.connection, status="open")
    queue_up(other)
    assert deliver() == 1
    hung.refresh_from_db()
    assert hung.state == LeaseState.UNKNOWN


def test_a_claim_that_was_never_sent_is_taken_over_when_its_lease_ends(
    ticket: Ticket, graph: GraphServer
) -> None:
    row = queue_up(ticket)
    lease = timezone.now() + timedelta(seconds=60)
    Delivery.objects.update(state="claimed", owner="other", lease_expires_at=lease)
    assert deliver() == 0
    Delivery.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    assert deliver() == 1
    row.refresh_from_db()
    assert row.state == LeaseState.DONE


def test_a_status_that_comes_before_our_own_answer_counts(
    ticket: Ticket, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = queue_up(ticket)
    send = deliveries.dispatch  # type: ignore[attr-defined]

    def send_and_be_overtaken(*args: Any) -> SentMessage:
        sent: SentMessage = send(*args)
        status = InboundStatus(sent.external_id, Ack.DELIVERED, str(row.message.callback_id))
        apply_statuses([(ticket.connection, status)])  # type: ignore[list-item]
        return sent

    monkeypatch.setattr(deliveries, "dispatch", send_and_be_overtaken)
    deliver()
    row.refresh_from_db()
    message = Message.objects.get()
    assert (row.state, message.ack, message.external_id) == ("done", 3, "wamid.sent1")


def test_rows_of_a_connection_that_is_down_or_a_company_long_overdue_wait(
    acme: Company, ticket: Ticket, graph: GraphServer
) -> None:
    queue_up(ticket)
    today = timezone.now().date()
    Connection.objects.update(status=ConnectionStatus.DISCONNECTED)
    assert deliver() == 0
    Connection.objects.update(status=ConnectionStatus.CONNECTED)
    for days in (5, 30):
        Company.objects.filter(pk=acme.pk).update(due_date=today - timedelta(days=days))
        assert deliver() == 0
    Company.objects.filter(pk=acme.pk).update(due_date=today, is_enabled=False)
    assert deliver() == 0
    Company.objects.filter(pk=acme.pk).update(due_date=today - timedelta(days=2), is_enabled=True)
    assert deliver() == 1


def test_an_echo_that_took_the_provider_id_first_does_no_harm(
    ticket: Ticket, graph: GraphServer
) -> None:
    make_message(ticket, from_me=True, external_id="wamid.sent1", body="eco")
    row = queue_up(ticket)
    deliver()
    row.refresh_from_db()
    message = Message.objects.get(pk=row.message_id)
    assert (row.state, message.ack, message.external_id) == ("done", Ack.SENT, None)


def test_a_fault_of_our_own_is_tried_again_a_few_times(
    ticket: Ticket, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = queue_up(ticket)

    def break_down(*_: Any) -> str:
        raise ValueError

    monkeypatch.setattr(deliveries, "dispatch", break_down)
    deliver()
    row.refresh_from_db()
    assert (row.state, row.attempts) == (LeaseState.WAITING, 1)  # nothing has left
    Delivery.objects.update(attempts=deliveries.MAX_FAULTY_ATTEMPTS - 1)
    make_due(row)
    deliver()
    row.refresh_from_db()
    assert (row.state, Message.objects.get().ack) == (LeaseState.FAILED, Ack.ERROR)


PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


def media_message(ticket: Ticket, **fields: Any) -> Message:
    stored = store_media(
        company_id=ticket.company_id, content=PNG, name="foto.png", mime="image/png"
    )
    fields.setdefault("body", "foto.png")
    return make_message(
        ticket,
        from_me=True,
        external_id=None,
        media_type="image",
        media_path=stored.path,
        media_name=stored.name,
        media_mime=stored.mime,
        **fields,
    )


def test_a_picture_is_uploaded_and_sent_with_its_caption(
    ticket: Ticket, graph: GraphServer
) -> None:
    queue_up(ticket, message=media_message(ticket, body="Veja"))
    queue_up(ticket, message=media_message(ticket))
    deliver()
    assert PNG in graph.uploads[0]
    assert graph.messages[0]["image"] == {"id": "media1", "caption": "Veja"}
    assert "caption" not in graph.messages[1]["image"]


def test_a_file_that_is_gone_fails_in_words(ticket: Ticket, graph: GraphServer) -> None:
    message = media_message(ticket)
    Message.objects.filter(pk=message.pk).update(media_path=f"{ticket.company_id}/gone.png")
    queue_up(ticket, message=Message.objects.get(pk=message.pk))
    deliver()
    message.refresh_from_db()
    assert (message.ack, message.error_reason) == (-1, "O arquivo não está mais disponível.")


def test_forms_of_a_send_are_named_by_the_payload(ticket: Ticket, graph: GraphServer) -> None:
    choices = [{"id": "1", "title": "Vendas"}, {"id": "2", "title": "Suporte"}]
    card = {"name": "Ana", "phones": [{"phone": "+5511999990000"}]}
    queue_up(ticket, payload={"location": {"latitude": -23.5, "longitude": -46.6}})
    queue_up(ticket, payload={"contacts": [card]})
    queue_up(ticket, payload={"menu": {"body": "Setor?", "choices": choices}})
    queue_up(ticket, payload={"template": {"name": "oi", "language": "pt_BR"}})
    deliver()
    kinds = [message["type"] for message in graph.messages]
    assert kinds == ["location", "contacts", "interactive", "template"]


def test_a_reply_names_the_message_it_answers(ticket: Ticket, graph: GraphServer) -> None:
    quoted = make_message(ticket, external_id="wamid.in")
    queue_up(ticket, quoted=quoted)
    deliver()
    assert graph.messages[0]["context"] == {"message_id": "wamid.in"}


def test_reactions_and_receipts_leave_the_message_as_it_is(
    ticket: Ticket, graph: GraphServer
) -> None:
    received = make_message(ticket, external_id="wamid.in")
    kinds: list[tuple[str, dict[str, Any]]] = [
        (DeliveryKind.REACT, {"emoji": "👍"}),
        (DeliveryKind.MARK_READ, {}),
    ]
    for kind, payload in kinds:
        queue_up(ticket, message=received, kind=kind, payload=payload)
    deliver()
    assert graph.messages[0]["reaction"] == {"message_id": "wamid.in", "emoji": "👍"}
    assert graph.messages[0].get("biz_opaque_callback_data") != str(received.callback_id)
    assert graph.messages[1]["message_id"] == "wamid.in"
    received.refresh_from_db()
    assert (received.ack, received.external_id) == (Ack.PENDING, "wamid.in")
    assert set(Delivery.objects.values_list("state", flat=True)) == {"done"}


def test_what_a_provider_can_not_do_fails_without_touching_the_message(
    ticket: Ticket, graph: GraphServer
) -> None:
    sent = make_message(ticket, from_me=True, external_id="wamid.out", ack=Ack.READ)
    queue_up(ticket, message=sent, kind=DeliveryKind.EDIT, payload={"body": "Outro"})
    queue_up(ticket, message=sent, kind=DeliveryKind.DELETE)
    deliver()
    sent.refresh_from_db()
    assert sent.ack == Ack.READ
    assert set(Delivery.objects.values_list("state", flat=True)) == {"failed"}


def test_a_receipt_does_not_hold_the_conversation_up_for_long(
    ticket: Ticket, graph: GraphServer
) -> None:
    received = make_message(ticket, external_id="wamid.in")
    row = queue_up(ticket, message=received, kind=DeliveryKind.MARK_READ)
    queue_up(ticket, "resposta")
    graph.fault = lambda payload: (503, {}) if payload.get("status") == "read" else False
    for _ in range(deliveries.MAX_FLEETING_ATTEMPTS):
        make_due(row)
        deliver()
    assert graph.bodies == ["resposta"]


def test_a_batch_asks_the_database_little_per_message(
    acme: Company, ticket: Ticket, graph: GraphServer, django_assert_max_num_queries: Any
) -> None:
    for _ in range(10):
        queue_up(ticket)
    # Outside a window two more each count the contact towards the portfolio's limit.
    with django_assert_max_num_queries(8 + 10 * 11):
        assert deliver() == 10
    Ticket.objects.update(last_inbound_at=timezone.now())
    for _ in range(10):
        queue_up(ticket)
    with django_assert_max_num_queries(8 + 10 * 9):
        assert deliver() == 10


def test_contacts_on_several_connections_do_not_wait_for_each_other(
    acme: Company, graph: GraphServer
) -> None:
    contact: Contact = make_contact(acme)
    first = make_ticket(acme, contact=contact, connection=make_connection(acme), status="open")
    second = make_ticket(acme, contact=contact, connection=make_connection(acme), status="open")
    queue_up(first, "parada")
    queue_up(second, "segue")
    graph.fault = lambda payload: (
        graph_error(131056) if payload["text"]["body"] == "parada" else False
    )
    deliver()
    assert graph.bodies == ["segue"]
