import hashlib
import hmac
import json
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import (
    IntegrationCall,
    IntegrationSession,
    QueueIntegration,
)
from apps.automation.tests.wire import Answer, WireServer, wire_server
from apps.common.leases import Claim
from apps.companies.models import Company
from apps.connections.models import FALLBACK_MESSAGE, Connection
from apps.queues.models import Queue
from apps.tickets.models import BotTurn, Delivery, Message, Ticket, TicketActivity
from apps.tickets.services.bot import turn_worker
from apps.tickets.services.bot.payloads import turns_with_relations
from apps.tickets.services.bot.replies import prepare
from apps.tickets.services.bot.turn_worker import take_due
from apps.tickets.tests.conftest import Emitted
from tests.factories import make_integration, make_message, make_queue, make_ticket, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted")]


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


@pytest.fixture
def webhook(acme: Company, server: WireServer) -> QueueIntegration:
    return make_integration(
        acme, type="webhook", name="Fluxo", url=f"{server.url}/hook", signing_secret="segredo"
    )


@pytest.fixture
def typebot(acme: Company, server: WireServer) -> QueueIntegration:
    return make_integration(
        acme, type="typebot", name="Robô", url=server.url, typebot_slug="vendas", typebot_delay_ms=0
    )


def _turn(integration: QueueIntegration, connection: Connection, **fields: Any) -> BotTurn:
    """Make a message that the integration has to answer, on a ticket that it leads."""
    ticket = fields.pop("ticket", None) or make_ticket(
        integration.company,
        connection=connection,
        integration=integration,
        use_integration=True,
        chatbot=True,
        last_inbound_at=timezone.now(),
    )
    return BotTurn.objects.create(
        company=integration.company,
        ticket=ticket,
        message=fields.pop("message", None) or make_message(ticket, body="Oi!"),
        kind="integration",
        integration=integration,
        event_id=uuid.uuid4(),
        **fields,
    )


def _take() -> int:
    return take_due(limit=1)


def _due(turn: BotTurn) -> None:
    """Let the pause before the next try pass."""
    BotTurn.objects.filter(pk=turn.pk).update(next_attempt_at=timezone.now())


def _says(*texts: str, asks: bool = True, **extra: Any) -> Answer:
    """What a Typebot flow answers."""
    messages = [
        {
            "id": f"b{place}",
            "type": "text",
            "content": {
                "type": "richText",
                "richText": [{"type": "p", "children": [{"text": text}]}],
            },
        }
        for place, text in enumerate(texts)
    ]
    question = {"id": "i1", "type": "text input"} if asks else None
    return Answer(body={"sessionId": "s1", "messages": messages, "input": question, **extra})


def _sent(ticket: Ticket) -> list[str]:
    sent = Message.objects.filter(ticket=ticket, from_me=True).order_by("pk")
    return list(sent.values_list("body", flat=True))


def _ending(ticket: Ticket) -> list[str]:
    activities = TicketActivity.objects.filter(ticket=ticket, kind="bot_ended")
    return [activity.detail["reason"] for activity in activities]


def test_a_webhook_gets_a_signed_payload(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    turn = _turn(webhook, connection, payload={"choice_id": "b-1", "raw": {"id": "wamid.1"}})
    assert _take() == 1
    [request] = server.received
    body = request.json
    assert list(body) == [
        *("version", "event", "company", "connection", "ticket", "contact", "message", "raw")
    ]
    assert (body["version"], body["event"]) == (1, "message.received")
    assert body["company"] == {"id": webhook.company_id, "name": "Acme"}
    assert body["connection"]["provider"] == "official"
    assert body["ticket"]["id"] == turn.ticket_id
    assert body["contact"]["number"] == turn.ticket.contact.number
    assert (body["message"]["body"], body["message"]["choiceId"]) == ("Oi!", "b-1")
    assert body["message"]["externalId"] == turn.message.external_id
    change = body["raw"]["entry"][0]["changes"][0]
    assert change["value"]["messages"] == [{"id": "wamid.1"}]
    assert change["value"]["metadata"]["phone_number_id"] == connection.phone_number_id
    assert request.headers["x-balcao-event"] == "message.received"
    assert request.headers["x-balcao-delivery"] == str(turn.event_id)
    stamp = request.headers["x-balcao-timestamp"]
    signed = hmac.new(b"segredo", stamp.encode() + b"." + request.body, hashlib.sha256)
    assert request.headers["x-balcao-signature"] == f"sha256={signed.hexdigest()}"


def test_what_was_exchanged_is_logged(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    server.handler = lambda request: Answer(body={"ok": True})
    turn = _turn(webhook, connection)
    _take()
    turn.refresh_from_db()
    assert (turn.state, turn.owner) == ("done", "")
    row = IntegrationCall.objects.get()
    assert (row.event_id, row.attempt, row.status_code) == (turn.event_id, 1, 200)
    assert (row.ticket_id, row.turn_id, row.company_id) == (
        turn.ticket_id,
        turn.pk,
        turn.company_id,
    )
    assert row.request_body["message"]["body"] == "Oi!"
    assert json.loads(row.response_text) == {"ok": True}
    ticket = Ticket.objects.get()
    assert ticket.use_integration
    assert _sent(ticket) == []


def test_a_dead_webhook_is_tried_five_times_with_the_same_event_and_then_a_person_goes_on(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    server.handler = lambda request: Answer(status=500)
    turn = _turn(webhook, connection)
    for _ in range(4):
        assert _take() == 1
        turn.refresh_from_db()
        assert turn.state == "waiting"
        assert turn.next_attempt_at > timezone.now()
        assert _take() == 0
        _due(turn)
    assert _ending(turn.ticket) == []
    _take()
    turn.refresh_from_db()
    assert (turn.state, turn.attempts) == ("failed", 5)
    assert {request.headers["x-balcao-delivery"] for request in server.received} == {
        str(turn.event_id)
    }
    assert list(IntegrationCall.objects.values_list("attempt", flat=True)) == [1, 2, 3, 4, 5]
    ticket = Ticket.objects.get()
    assert (ticket.status, ticket.user, ticket.chatbot) == ("pending", None, False)
    assert not ticket.use_integration
    assert _ending(ticket) == ["failed"]


def test_a_refusal_is_not_repeated(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    server.handler = lambda request: Answer(status=404, body="no flow")
    turn = _turn(webhook, connection)
    _take()
    turn.refresh_from_db()
    assert turn.state == "failed"
    assert "404" in turn.last_error
    assert _ending(turn.ticket) == ["failed"]


def test_the_next_message_waits_for_the_one_before_it(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    server.handler = lambda request: Answer(status=503 if len(server.received) == 1 else 200)
    first = _turn(webhook, connection)
    second = _turn(webhook, connection, ticket=first.ticket)
    assert _take() == 1
    assert _take() == 0
    _due(first)
    assert (_take(), _take()) == (1, 1)
    ids = [request.headers["x-balcao-delivery"] for request in server.received]
    assert ids == [str(first.event_id), str(first.event_id), str(second.event_id)]


def test_an_address_in_the_own_network_is_not_called(
    webhook: QueueIntegration, connection: Connection, server: WireServer, settings: Any
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []
    turn = _turn(webhook, connection)
    _take()
    assert server.received == []
    assert "rede interna" in IntegrationCall.objects.get().error
    assert _ending(turn.ticket) == ["failed"]


def test_an_official_webhook_is_only_for_official_connections(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    QueueIntegration.objects.update(type="webhook_official")
    Connection.objects.update(provider="beta")
    turn = _turn(webhook, connection)
    _take()
    assert server.received == []
    assert "API oficial" in IntegrationCall.objects.get().error
    assert _ending(turn.ticket) == ["failed"]


def test_replies_are_messages_of_the_integration_and_the_session_is_kept(
    typebot: QueueIntegration, connection: Connection, server: WireServer, emitted: Emitted
) -> None:
    server.handler = lambda request: _says("Olá!", "Qual é o seu nome?")
    turn = _turn(typebot, connection)
    _take()
    assert _sent(turn.ticket) == ["Olá!", "Qual é o seu nome?"]
    written = Message.objects.filter(from_me=True)
    assert {(each.source, each.user) for each in written} == {("integration", None)}
    session = IntegrationSession.objects.get()
    assert session.data["id"] == "s1"
    created = [payload for _, payload in emitted if payload.get("action") == "create"]
    assert [payload["message"]["source"] for payload in created] == ["integration", "integration"]
    _turn(typebot, connection, ticket=turn.ticket)
    _take()
    assert [request.path for request in server.received] == [
        "/api/v1/typebots/vendas/startChat",
        "/api/v1/sessions/s1/continueChat",
    ]


def test_replies_leave_in_their_time(
    typebot: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    QueueIntegration.objects.update(typebot_delay_ms=2000)
    server.handler = lambda request: _says("um", "dois")
    _turn(typebot, connection)
    started = timezone.now()
    _take()
    first, second = Delivery.objects.order_by("pk")
    assert timedelta(seconds=1) < first.next_attempt_at - started
    assert second.next_attempt_at - first.next_attempt_at == timedelta(seconds=2)


def test_a_flow_at_its_end_leaves_the_ticket_to_a_person(
    typebot: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    server.handler = lambda request: _says("Até logo!", asks=False)
    turn = _turn(typebot, connection)
    _take()
    ticket = Ticket.objects.get()
    assert _sent(ticket) == ["Até logo!", FALLBACK_MESSAGE]
    assert _ending(ticket) == ["finished"]
    assert not ticket.use_integration
    assert not IntegrationSession.objects.exists()
    turn.refresh_from_db()
    assert turn.state == "done"


def test_a_flow_hands_over_to_a_queue_and_to_a_user_of_it(
    typebot: QueueIntegration, connection: Connection, server: WireServer, acme: Company
) -> None:
    queue = make_queue(acme, name="Suporte")
    user = make_user(acme, queues=[queue])
    command = '#{"queueId":' + str(queue.pk) + ',"userId":' + str(user.pk) + "}"
    server.handler = lambda request: _says(command)
    _turn(typebot, connection)
    _take()
    ticket = Ticket.objects.get()
    assert (ticket.queue, ticket.user, ticket.status) == (queue, user, "open")
    assert not ticket.chatbot
    kinds = list(TicketActivity.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds.count("queued") == 1
    assert "transferred" in kinds
    assert '#{"queueId"' not in "".join(_sent(ticket))


def test_a_foreign_queue_and_a_user_outside_the_queue_count_for_nothing(
    typebot: QueueIntegration,
    connection: Connection,
    server: WireServer,
    globex: Company,
    outsider: User,
    acme: Company,
    queue: Queue,
) -> None:
    foreign = make_queue(globex)
    stranger = make_user(acme)
    for user in (outsider, stranger):
        command = '#{"queueId":' + str(foreign.pk) + ',"userId":' + str(user.pk) + "}"
        server.handler = lambda request, command=command: _says(command)  # type: ignore[misc]
        turn = _turn(typebot, connection)
        assert turn.ticket.queue is None
        _take()
        ticket = Ticket.objects.get(pk=turn.ticket_id)
        assert (ticket.queue, ticket.user, ticket.status) == (queue, None, "pending")
        assert _ending(ticket) == ["handed_over"]


@pytest.mark.parametrize("gone", ["accepted", "closed", "ended", "other"])
def test_an_answer_that_comes_too_late_is_dropped_but_logged(
    gone: str,
    typebot: QueueIntegration,
    connection: Connection,
    server: WireServer,
    agent: User,
) -> None:
    turn = _turn(typebot, connection)
    server.handler = lambda request: _says("Tarde demais")
    all_changes: dict[str, dict[str, Any]] = {
        "accepted": {"status": "open", "user": agent},
        "closed": {"status": "closed"},
        "ended": {"bot_state": {"ended": True}},
        "other": {"integration": None},
    }
    changes = all_changes[gone]

    # The ticket moves on between the call and its record.

    row = turns_with_relations().get(pk=turn.pk)
    claim = _claim()
    outcome = turn_worker._outcome(row)
    Ticket.objects.filter(pk=turn.ticket_id).update(**changes)
    turn_worker._record(row, claim, outcome, prepare(row.company_id, outcome.replies))
    assert _sent(turn.ticket) == []
    assert not IntegrationSession.objects.exists()
    assert IntegrationCall.objects.filter(turn=turn).count() == 1
    turn.refresh_from_db()
    assert turn.state == "done"


def _claim() -> Claim[BotTurn]:
    nobody = Company.objects.none().values("pk")
    return turn_worker.TURNS.claim(1, busy=nobody, patient=timezone.now())


@pytest.mark.parametrize("gone", ["accepted", "closed"])
def test_a_turn_of_a_ticket_that_moved_on_is_not_taken(
    gone: str, webhook: QueueIntegration, connection: Connection, server: WireServer, agent: User
) -> None:
    turn = _turn(webhook, connection)
    changes: dict[str, Any] = {"status": "open", "user": agent}
    Ticket.objects.update(**(changes if gone == "accepted" else {"status": "closed"}))
    assert _take() == 1
    assert server.received == []
    turn.refresh_from_db()
    assert turn.state == "done"


def test_whoever_lost_the_claim_changes_nothing(
    typebot: QueueIntegration, connection: Connection, server: WireServer
) -> None:

    server.handler = lambda request: _says("Olá!")
    turn = _turn(typebot, connection)
    row = turns_with_relations().get(pk=turn.pk)
    claim = _claim()
    BotTurn.objects.update(owner="another#2")
    outcome = turn_worker._outcome(row)
    turn_worker._record(row, claim, outcome, prepare(row.company_id, outcome.replies))
    assert _sent(turn.ticket) == []
    turn.refresh_from_db()
    assert turn.state == "claimed"


def test_a_claim_that_ran_out_is_taken_again_with_the_same_event(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    turn = _turn(webhook, connection, attempts=1)
    BotTurn.objects.update(
        state="claimed", owner="dead#1", lease_expires_at=timezone.now() - timedelta(seconds=1)
    )
    assert _take() == 1
    assert server.received[0].headers["x-balcao-delivery"] == str(turn.event_id)
    assert IntegrationCall.objects.get().attempt == 2


def test_a_turn_that_killed_every_worker_ends_with_a_person(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    turn = _turn(webhook, connection, attempts=5)
    _take()
    assert server.received == []
    assert _ending(turn.ticket) == ["failed"]


def test_a_file_that_is_still_fetched_is_waited_for_within_bounds(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:
    turn = _turn(webhook, connection)
    Message.objects.filter(pk=turn.message_id).update(media_state="fetching", media_type="audio")
    assert _take() == 0
    BotTurn.objects.update(created_at=timezone.now() - timedelta(minutes=2))
    assert _take() == 1
    assert server.received[0].json["message"]["mediaUrl"] is None


def test_one_company_leaves_threads_to_the_others(
    webhook: QueueIntegration, connection: Connection, globex: Company, settings: Any
) -> None:
    settings.TURNS_PER_COMPANY = 1
    held = _turn(webhook, connection)
    BotTurn.objects.filter(pk=held.pk).update(
        state="claimed", lease_expires_at=timezone.now() + timedelta(minutes=1)
    )
    _turn(webhook, connection)
    assert _take() == 0
    from tests.factories import make_connection

    other = make_integration(globex, type="webhook", name="Outro", url=webhook.url)
    turn = _turn(other, make_connection(globex))
    assert _take() == 1
    turn.refresh_from_db()
    assert turn.state == "done"


def test_without_the_plan_for_it_a_person_goes_on(
    webhook: QueueIntegration, connection: Connection, server: WireServer, acme: Company
) -> None:
    acme.plan.use_integrations = False
    acme.plan.save()
    turn = _turn(webhook, connection)
    _take()
    assert server.received == []
    assert _ending(turn.ticket) == ["failed"]


def test_an_integration_deleted_during_the_call_leaves_no_trace(
    webhook: QueueIntegration, connection: Connection, server: WireServer
) -> None:

    turn = _turn(webhook, connection)
    row = turns_with_relations().get(pk=turn.pk)
    claim = _claim()
    QueueIntegration.objects.all().delete()
    turn_worker._take(row, claim)
    assert not IntegrationCall.objects.exists()
    assert _sent(turn.ticket) == []


def test_a_claim_costs_few_statements(
    webhook: QueueIntegration,
    connection: Connection,
    queue: Queue,
    django_assert_max_num_queries: Any,
) -> None:
    for _ in range(3):
        _turn(webhook, connection)
    with django_assert_max_num_queries(25):
        _take()
