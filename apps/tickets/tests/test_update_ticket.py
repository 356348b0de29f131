from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Delivery, Message, Ticket, TicketActivity, TrackingCycle
from conftest import ClientFor
from tests.factories import (
    make_admin,
    make_company,
    make_connection,
    make_message,
    make_queue,
    make_ticket,
    make_user,
)

Put = Any


@pytest.fixture
def put(client_for: ClientFor) -> Put:
    def send(user: User, ticket: Ticket, **body: Any) -> Any:
        response = client_for(user).put(f"/api/tickets/{ticket.pk}", body, format="json")
        ticket.refresh_from_db()
        return response

    return send


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue) -> Ticket:
    return make_ticket(acme, connection=connection, queue=queue, chatbot=True)


def switch_on(company: Company, key: str) -> None:
    CompanySetting.objects.create(company=company, key=key, value="enabled")


def test_accepting_makes_the_user_its_holder_and_ends_the_bot(
    put: Put, agent: User, ticket: Ticket
) -> None:
    before = timezone.now()
    response = put(agent, ticket, status="open", userId=agent.pk, useIntegration=True)
    assert response.status_code == 200
    row = response.json()
    assert (row["status"], row["userId"], row["user"]["name"]) == ("open", agent.pk, "Bob")
    assert (row["chatbot"], row["useIntegration"]) == (False, False)
    cycle = TrackingCycle.objects.get(ticket=ticket)
    assert cycle.user_id == agent.pk
    assert cycle.started_at is not None and cycle.started_at >= before
    assert ticket.updated_at >= before
    event = TicketActivity.objects.get(ticket=ticket)
    assert (event.kind, event.actor_id) == ("accepted", agent.pk)
    assert event.detail == {
        "actor": "Bob",
        "user": "Bob",
        "queue": "Vendas",
        "connection": "Loja",
    }


def test_a_late_accept_is_told_who_was_first(
    put: Put, acme: Company, queue: Queue, agent: User, ticket: Ticket
) -> None:
    late = make_user(acme, queues=[queue])
    put(agent, ticket, status="open", userId=agent.pk)
    response = put(late, ticket, status="open", userId=late.pk)
    assert response.status_code == 409
    assert response.json()["code"] == "ERR_TICKET_ALREADY_TAKEN"
    assert ticket.user_id == agent.pk


def test_accepting_twice_changes_nothing(put: Put, agent: User, ticket: Ticket) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    assert put(agent, ticket, status="open", userId=agent.pk).status_code == 200
    assert TicketActivity.objects.count() == 1


def test_another_queues_ticket_can_not_be_accepted(
    put: Put, acme: Company, agent: User, ticket: Ticket
) -> None:
    ticket.queue = make_queue(acme)
    ticket.save()
    response = put(agent, ticket, status="open", userId=agent.pk)
    assert (response.status_code, response.json()["code"]) == (403, "ERR_NO_PERMISSION")
    switch_on(acme, "allowToSpyMessage")
    assert put(agent, ticket, status="open", userId=agent.pk).status_code == 403
    assert ticket.status == "pending"


def test_a_ticket_without_a_queue_is_an_admins(
    put: Put, agent: User, admin: User, queue: Queue, ticket: Ticket
) -> None:
    ticket.queue = None
    ticket.save()
    assert put(agent, ticket, status="open", userId=agent.pk).status_code == 403
    assert put(admin, ticket, status="open", userId=admin.pk, queueId=queue.pk).status_code == 200
    assert (ticket.user_id, ticket.queue_id) == (admin.pk, queue.pk)


def test_returning_clears_the_holder_and_the_wait_begins_anew(
    put: Put, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    began = timezone.now()
    response = put(agent, ticket, status="pending", userId=None, queueId=ticket.queue_id)
    assert response.json()["user"] is None
    assert (ticket.status, ticket.user_id, ticket.chatbot) == ("pending", None, False)
    cycle = TrackingCycle.objects.get(ticket=ticket)
    assert (cycle.started_at, cycle.user_id, cycle.finished_at) == (None, None, None)
    assert cycle.queued_at >= began
    assert ticket.queued_at == cycle.queued_at
    assert datetime.fromisoformat(response.json()["queuedAt"]) >= began.replace(microsecond=0)
    assert TicketActivity.objects.filter(kind="returned").count() == 1


def test_resolving_finishes_the_cycle(put: Put, agent: User, ticket: Ticket) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    response = put(agent, ticket, status="closed", userId=agent.pk, queueId=ticket.queue_id)
    assert (response.status_code, ticket.status, ticket.user_id) == (200, "closed", agent.pk)
    assert ticket.closed_at is not None
    cycle = TrackingCycle.objects.get(ticket=ticket)
    assert cycle.finished_at is not None
    assert cycle.started_at is not None
    assert cycle.user_id == agent.pk


def test_closing_twice_is_refused(put: Put, agent: User, ticket: Ticket) -> None:
    put(agent, ticket, status="closed")
    response = put(agent, ticket, status="closed")
    assert (response.status_code, response.json()["code"]) == (409, "ERR_TICKET_NOT_OPEN")
    assert TicketActivity.objects.count() == 1


@pytest.mark.parametrize(
    "body", [{"status": "closed"}, {"status": "pending"}, {"userId": None}, {"whatsappId": 0}]
)
def test_only_the_holder_or_an_admin_lets_an_open_ticket_go(
    put: Put, acme: Company, queue: Queue, agent: User, ticket: Ticket, body: dict[str, Any]
) -> None:
    if "whatsappId" in body:
        body = {"whatsappId": make_connection(acme).pk}
    put(agent, ticket, status="open", userId=agent.pk)
    colleague = make_user(acme, queues=[queue])
    response = put(colleague, ticket, **body)
    assert response.status_code == 403
    assert (ticket.status, ticket.user_id) == ("open", agent.pk)


def test_the_holder_keeps_the_ticket_when_moved_out_of_the_queue(
    put: Put, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    agent.queues.clear()
    assert put(agent, ticket, status="closed").status_code == 200


def test_reopening_begins_a_new_cycle(
    put: Put, acme: Company, queue: Queue, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="closed")
    colleague = make_user(acme, queues=[queue])
    response = put(colleague, ticket, status="open", userId=colleague.pk, queueId=queue.pk)
    assert response.status_code == 200
    assert (ticket.status, ticket.user_id, ticket.closed_at) == ("open", colleague.pk, None)
    assert TrackingCycle.objects.filter(ticket=ticket).count() == 2
    assert TrackingCycle.objects.filter(ticket=ticket, finished_at=None).count() == 1


def test_reopening_beside_another_live_ticket_is_refused_with_that_ticket(
    put: Put, acme: Company, queue: Queue, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="closed")
    other = make_ticket(
        acme, contact=ticket.contact, connection=ticket.connection, last_message="segredo"
    )
    response = put(agent, ticket, status="open", userId=agent.pk)
    body = response.json()
    assert (response.status_code, body["code"]) == (409, "ERR_OTHER_OPEN_TICKET")
    assert body["error"] == "ERR_OTHER_OPEN_TICKET"
    assert (body["ticket"]["id"], body["ticket"]["user"], body["ticket"]["queue"]) == (
        other.pk,
        {},
        {},
    )
    assert body["ticket"]["lastMessage"] == ""
    assert ticket.status == "closed"


def test_a_transfer_without_a_user_waits_in_the_new_queue(
    put: Put, acme: Company, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    target = make_queue(acme, name="Financeiro")
    response = put(
        agent,
        ticket,
        queueId=target.pk,
        userId=None,
        status="pending",
        whatsappId=ticket.connection_id,
    )
    assert response.status_code == 200
    assert (ticket.status, ticket.user_id, ticket.queue_id) == ("pending", None, target.pk)
    event = TicketActivity.objects.get(kind="transferred")
    assert (event.detail["queue"], event.detail["user"]) == ("Financeiro", None)


def test_a_transfer_to_a_user_leaves_the_ticket_open_with_them(
    put: Put, acme: Company, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    target = make_queue(acme)
    carla = make_user(acme, queues=[target], name="Carla")
    assert put(agent, ticket, queueId=target.pk, userId=carla.pk).status_code == 200
    assert (ticket.status, ticket.user_id, ticket.queue_id) == ("open", carla.pk, target.pk)
    assert TrackingCycle.objects.get(ticket=ticket).user_id == carla.pk


def test_a_user_outside_the_queue_can_not_be_given_the_ticket(
    put: Put, acme: Company, admin: User, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    stranger = make_user(acme)
    response = put(admin, ticket, userId=stranger.pk)
    assert response.status_code == 400
    assert "userId" in response.json()["fields"]
    assert ticket.user_id == agent.pk


def test_a_disabled_user_can_not_be_given_the_ticket(
    put: Put, acme: Company, admin: User, queue: Queue, ticket: Ticket
) -> None:
    gone = make_user(acme, queues=[queue], is_active=False)
    response = put(admin, ticket, userId=gone.pk)
    assert (response.status_code, ticket.status) == (400, "pending")


def test_an_admin_assigns_an_open_ticket(
    put: Put, acme: Company, admin: User, queue: Queue, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    carla = make_user(acme, queues=[queue])
    assert put(admin, ticket, status="open", userId=carla.pk).status_code == 200
    assert ticket.user_id == carla.pk


def test_a_colleague_can_not_take_a_ticket_by_naming_someone(
    put: Put, acme: Company, queue: Queue, agent: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="open", userId=agent.pk)
    carla = make_user(acme, queues=[queue])
    assert put(carla, ticket, userId=carla.pk).status_code == 403
    assert ticket.user_id == agent.pk


def test_a_transfer_onto_a_connection_with_a_live_ticket_is_refused(
    put: Put, acme: Company, admin: User, ticket: Ticket
) -> None:
    second = make_connection(acme)
    make_ticket(acme, contact=ticket.contact, connection=second)
    response = put(admin, ticket, whatsappId=second.pk, queueId=ticket.queue_id)
    assert (response.status_code, response.json()["code"]) == (409, "ERR_OTHER_OPEN_TICKET")
    assert ticket.connection_id != second.pk


def test_the_window_of_the_new_connection_is_its_own(
    put: Put, acme: Company, admin: User, ticket: Ticket
) -> None:
    now = timezone.now()
    ticket.last_inbound_at = now
    ticket.save()
    second, third = make_connection(acme), make_connection(acme)
    wrote_at = now - timedelta(hours=3)
    make_ticket(
        acme,
        contact=ticket.contact,
        connection=second,
        status="closed",
        last_inbound_at=wrote_at,
    )
    put(admin, ticket, whatsappId=second.pk)
    assert ticket.last_inbound_at == wrote_at
    put(admin, ticket, whatsappId=third.pk)
    assert ticket.last_inbound_at is None


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("queueId", "ERR_NOT_FOUND"),
        ("userId", "ERR_NO_USER_FOUND"),
        ("whatsappId", "ERR_NO_WAPP_FOUND"),
        ("promptId", "ERR_NOT_FOUND"),
        ("integrationId", "ERR_NOT_FOUND"),
    ],
)
def test_what_a_change_names_must_be_the_companys(
    put: Put, admin: User, ticket: Ticket, field: str, code: str
) -> None:
    globex = make_company()
    foreign = {
        "queueId": make_queue(globex).pk,
        "userId": make_user(globex).pk,
        "whatsappId": make_connection(globex).pk,
        "promptId": 999_999,
        "integrationId": 999_999,
    }
    response = put(admin, ticket, **{field: foreign[field]})
    assert (response.status_code, response.json()["code"]) == (404, code)
    assert field in response.json()["fields"]


@pytest.mark.parametrize(
    "body",
    [
        {"status": "later"},
        {"userId": "x"},
        {"userId": -1},
        {"queueId": 2**70},
        {"useIntegration": "perhaps"},
        {"status": ["open"]},
    ],
)
def test_a_malformed_change_is_refused_by_field(
    put: Put, agent: User, ticket: Ticket, body: dict[str, Any]
) -> None:
    response = put(agent, ticket, **body)
    assert response.status_code == 400
    assert list(response.json()["fields"]) == list(body)


def test_a_foreign_ticket_does_not_exist(put: Put, outsider: User, ticket: Ticket) -> None:
    response = put(outsider, ticket, status="open")
    assert (response.status_code, response.json()["code"]) == (404, "ERR_NO_TICKET_FOUND")


def test_a_bot_field_alone_is_written_without_an_event(
    put: Put, agent: User, ticket: Ticket
) -> None:
    assert put(agent, ticket, useIntegration=True).json()["useIntegration"] is True
    assert TicketActivity.objects.count() == 0


def test_an_admin_deletes_a_ticket_with_its_messages(
    client_for: ClientFor, admin: User, agent: User, ticket: Ticket
) -> None:
    make_message(ticket)
    path = f"/api/tickets/{ticket.pk}"
    assert client_for(agent).delete(path).status_code == 403
    response = client_for(admin).delete(path)
    assert (response.status_code, response.json()) == (200, {"message": "Atendimento excluído."})
    assert not Ticket.objects.exists() and not Message.objects.exists()
    assert AuditEntry.objects.get(action="ticket.deleted").actor_id == admin.pk
    assert client_for(admin).delete(path).status_code == 404


def test_the_accept_greeting_is_a_message_of_the_server(
    put: Put, acme: Company, agent: User, ticket: Ticket
) -> None:
    switch_on(acme, "sendGreetingAccepted")
    ticket.contact.name = "Maria Silva"
    ticket.contact.save()
    ticket.last_inbound_at = timezone.now()
    ticket.save()
    put(agent, ticket, status="open", userId=agent.pk)
    message = Message.objects.get()
    heading, line = message.body.split("\n")
    assert heading == "*Mensagem Automática:*"
    assert line.endswith("Maria, aqui é Bob. Vou continuar o seu atendimento.")
    assert line.startswith(("Bom dia", "Boa"))
    assert (message.source, message.user_id, message.ack) == ("bot", None, 0)
    assert Delivery.objects.get().message_id == message.pk
    assert ticket.latest_message_id == message.pk


def test_no_greeting_goes_to_a_group_or_through_a_closed_window(
    put: Put, acme: Company, agent: User, ticket: Ticket
) -> None:
    switch_on(acme, "sendGreetingAccepted")
    put(agent, ticket, status="open", userId=agent.pk)
    put(agent, ticket, status="pending")
    Ticket.objects.update(is_group=True, last_inbound_at=timezone.now())
    put(agent, ticket, status="open", userId=agent.pk)
    assert ticket.status == "open"
    assert not Message.objects.exists()


def test_the_contact_is_told_of_a_transfer(
    put: Put, acme: Company, agent: User, ticket: Ticket
) -> None:
    switch_on(acme, "sendMsgTransfTicket")
    Ticket.objects.update(last_inbound_at=timezone.now())
    put(agent, ticket, status="open", userId=agent.pk)
    target = make_queue(acme, name="Financeiro")
    carla = make_user(acme, queues=[target], name="Carla")
    put(agent, ticket, queueId=target.pk, userId=carla.pk)
    message = Message.objects.get()
    assert "*Financeiro*" in message.body
    assert "*Carla*" in message.body


def test_the_note_of_a_transfer_is_for_the_team_alone(
    put: Put, acme: Company, agent: User, ticket: Ticket, events: Any, client_for: ClientFor
) -> None:
    switch_on(acme, "sendMsgTransfTicket")
    Ticket.objects.update(last_inbound_at=timezone.now())
    put(agent, ticket, status="open", userId=agent.pk)
    carla = make_user(acme, queues=[make_queue(acme, name="Financeiro")], name="Carla")
    target = carla.queues.get()
    note = "  Já pagou, falta o recibo.\nPrometi para hoje.  "
    events.clear()
    response = put(agent, ticket, queueId=target.pk, userId=carla.pk, note=note)
    assert response.status_code == 200
    kept = "Já pagou, falta o recibo.\nPrometi para hoje."
    [line] = [told["payload"]["event"] for told in events if "event" in told.get("payload", {})]
    assert (line["kind"], line["note"]) == ("transferred", kept)
    page = client_for(carla).get(f"/api/messages/{ticket.pk}").json()
    assert [line["note"] for line in page["events"]] == [None, kept]
    assert not Message.objects.filter(body__contains="recibo").exists()


@pytest.mark.parametrize("note", ["", "   ", None])
def test_a_transfer_without_a_note_leaves_none(
    put: Put, acme: Company, admin: User, ticket: Ticket, note: str | None
) -> None:
    assert put(admin, ticket, queueId=make_queue(acme).pk, note=note).status_code == 200
    assert "note" not in TicketActivity.objects.get().detail


def test_a_note_has_a_length(put: Put, acme: Company, admin: User, ticket: Ticket) -> None:
    response = put(admin, ticket, queueId=make_queue(acme).pk, note="x" * 1001)
    assert response.status_code == 400
    assert list(response.json()["fields"]) == ["note"]
    assert not TicketActivity.objects.exists()


def test_a_return_tells_the_contact_nothing(
    put: Put, acme: Company, agent: User, ticket: Ticket
) -> None:
    switch_on(acme, "sendMsgTransfTicket")
    Ticket.objects.update(last_inbound_at=timezone.now())
    put(agent, ticket, status="open", userId=agent.pk)
    put(agent, ticket, status="pending")
    assert not Message.objects.exists()


def test_an_admin_may_hold_in_any_queue(
    put: Put, acme: Company, admin: User, ticket: Ticket
) -> None:
    second = make_admin(acme)
    assert put(admin, ticket, userId=second.pk).status_code == 200
    assert ticket.user_id == second.pk
