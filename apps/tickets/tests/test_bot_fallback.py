"""No way out of the bot leaves anybody alone (rules/bot §9): each end, from the wire to the ticket.

The connection has two queues and neither the ticket nor the contact has chosen one; what leads is
the connection's own integration, prompt or menu.
"""

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.clients.webhooks import WebhookClient
from apps.automation.tests.wire import Answer, Handler, WireServer, wire_server
from apps.common.leases import UNFINISHED
from apps.companies.models import Company
from apps.connections.models import FALLBACK_MESSAGE, Connection
from apps.queues.models import Queue
from apps.tickets.models import BotTurn, Message, Ticket, TicketActivity
from apps.tickets.serializers import activity_row, ticket_row
from apps.tickets.services.bot.removals import end_bots_of
from apps.tickets.services.bot.routing.decide import AUDIO_ALERT
from apps.tickets.services.bot.timers import run_timers
from apps.tickets.services.bot.turn_worker import take_due
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from apps.tickets.tests.bot import MENU, MENU_AGAIN, history, receive, setting, the_ticket
from conftest import ClientFor
from tests.factories import make_integration, make_prompt, make_queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted", "orders")]
SHUT = [
    {"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"}
    for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
]


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


def led_by(connection: Connection, server: WireServer, kind: str, **fields: Any) -> None:
    """Have an integration of a kind, or a prompt, lead the connection's conversations."""
    if kind == "prompt":
        company = connection.company
        connection.prompt = make_prompt(company, base_url=f"{server.url}/v1", **fields)
    else:
        url = "" if kind == "dialogflow" else server.url
        connection.integration = make_integration(connection.company, type=kind, url=url, **fields)
    connection.save()


def take_all() -> None:
    """Take every turn with all its tries."""
    while BotTurn.objects.filter(UNFINISHED).update(next_attempt_at=timezone.now()):
        take_due(limit=1)


def written() -> list[str]:
    """What our side wrote, in order."""
    return list(Message.objects.filter(from_me=True).order_by("pk").values_list("body", flat=True))


def assert_left_to(queue: Queue, *activities: tuple[str, dict[str, Any]]) -> None:
    ticket = the_ticket()
    assert (ticket.status, ticket.queue, ticket.user) == ("pending", queue, None)
    assert (ticket.use_integration, ticket.prompt) == (False, None)
    assert history() == [*activities, ("queued", {"queue": queue.name, "by": "fallback"})]


def flow(*texts: str, asks: bool) -> Answer:
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
    return Answer(body={"sessionId": "s1", "messages": messages, "input": question})


@pytest.mark.parametrize(
    ("answer", "error", "reason"),
    [
        (Answer(500), "500", ("server_error", "127.0.0.1 (500)")),
        (Answer(404), "404", ("server_error", "127.0.0.1 (404)")),
        (Answer(200, b"x" * 1_100_000), "", ("answer_too_large", "127.0.0.1")),
        (Answer(gate=threading.Event()), "", ("server_timeout", "127.0.0.1 (1 s)")),
    ],
    ids=["500", "404", "too much", "too late"],
)
def test_a_webhook_that_fails(
    connection: Connection,
    queue: Queue,
    server: WireServer,
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer,
    error: str,
    reason: tuple[str, str],
) -> None:
    defaults = WebhookClient.__init__.__kwdefaults__ or {}
    monkeypatch.setitem(defaults, "timeout", 0.3)
    server.handler = lambda request: answer
    led_by(connection, server, "webhook")
    assert receive(connection, "Oi") == []
    take_all()
    if answer.gate is not None:
        answer.gate.set()
    assert written() == [FALLBACK_MESSAGE]
    (ended, _) = history()
    assert error in ended[1]["error"]
    told = {"reasonCode": reason[0], "reasonDetail": reason[1]}
    detail = {"reason": "failed", "error": ended[1]["error"], **told}
    assert_left_to(queue, ("bot_ended", detail))
    line = activity_row(TicketActivity.objects.get(kind="bot_ended"))
    assert {key: line[key] for key in told} == told
    # Once in a cycle, and the bot begins nothing anew.
    assert receive(connection, "Alguém?") == []


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (lambda request: Answer(500), "failed"),
        (lambda request: Answer(200, "<html>"), "failed"),
        (lambda request: flow("Até logo!", asks=False), "finished"),
    ],
    ids=["failing", "malformed", "finishing"],
)
def test_a_typebot_that_ends(
    connection: Connection, queue: Queue, server: WireServer, handler: Handler, reason: str
) -> None:
    server.handler = handler
    led_by(connection, server, "typebot", typebot_slug="f", typebot_delay_ms=0)
    receive(connection, "Oi")
    take_all()
    assert written()[-1] == FALLBACK_MESSAGE
    (ended, _) = history()
    assert ended[1]["reason"] == reason
    assert_left_to(queue, ended)


def test_a_typebot_that_is_told_to_finish(
    connection: Connection, queue: Queue, server: WireServer
) -> None:
    server.handler = lambda request: flow("Qual é o seu nome?", asks=True)
    led_by(
        connection,
        server,
        "typebot",
        typebot_slug="f",
        typebot_delay_ms=0,
        typebot_keyword_finish="sair",
    )
    receive(connection, "Oi")
    take_all()
    assert written() == ["Qual é o seu nome?"]
    receive(connection, "Sair")
    take_all()
    assert written() == ["Qual é o seu nome?", FALLBACK_MESSAGE]
    assert_left_to(queue, history()[0])


def test_a_flow_that_stops_the_bot_by_command(
    connection: Connection, queue: Queue, server: WireServer
) -> None:
    server.handler = lambda request: flow('#{"stopBot":true}', asks=True)
    led_by(connection, server, "typebot", typebot_slug="f", typebot_delay_ms=0)
    receive(connection, "Oi")
    take_all()
    assert written() == [FALLBACK_MESSAGE]
    assert_left_to(queue, history()[0])


def test_a_dialogflow_that_fails(connection: Connection, queue: Queue, server: WireServer) -> None:
    led_by(connection, server, "dialogflow", json_content="{}", project_name="p")
    receive(connection, "Oi")
    take_all()
    assert written() == [FALLBACK_MESSAGE]
    assert_left_to(queue, history()[0])


def test_a_model_that_fails_twice_leaves_to_its_own_queue(
    acme: Company, connection: Connection, orders: Queue, server: WireServer
) -> None:
    server.handler = lambda request: Answer(500, {"error": {"message": "down"}})
    own = make_queue(acme, name="Suporte", order=9)
    connection.transfer_queue = orders
    led_by(connection, server, "prompt", queue=own)
    receive(connection, "Oi")
    take_all()
    assert len(server.received) == 2
    assert written() == ["Vou chamar alguém da equipe. Um momento, por favor."]
    assert_left_to(own, history()[0])


@pytest.mark.parametrize("answer", [Answer(500), None], ids=["failing", "silent"])
def test_a_flow_leaves_to_its_own_queue(
    acme: Company, connection: Connection, orders: Queue, server: WireServer, answer: Answer | None
) -> None:
    server.handler = lambda request: answer or Answer()
    own = make_queue(acme, name="Suporte", order=9)
    connection.transfer_queue = orders
    led_by(connection, server, "webhook", fallback_queue=own)
    receive(connection, "Oi")
    take_all()
    run_timers(now=timezone.now() + timedelta(hours=1))
    assert written() == [FALLBACK_MESSAGE]
    assert_left_to(own, history()[0])


def test_in_closed_hours_the_flows_own_queue_goes_before_the_connections(
    acme: Company, connection: Connection, orders: Queue, server: WireServer
) -> None:
    setting(acme, "scheduleType", "company")
    acme.schedules = SHUT
    acme.save()
    own = make_queue(acme, name="Suporte", order=9)
    connection.transfer_queue = orders
    led_by(connection, server, "webhook", fallback_queue=own)
    receive(connection, "Oi")
    assert the_ticket().queue == own


def test_a_menu_at_its_limit(connection: Connection, orders: Queue) -> None:
    connection.transfer_queue = orders
    connection.fallback_message = "{{firstName}}, já chamo alguém."
    connection.bot_max_menus = 2
    connection.save()
    assert receive(connection, "Oi") == [MENU]
    assert receive(connection, "quanto custa?") == [MENU_AGAIN]
    assert receive(connection, "alô?") == ["Maria, já chamo alguém."]
    assert_left_to(orders, ("bot_ended", {"reason": "limit"}))
    assert the_ticket().chatbot is False
    assert receive(connection, "alô?") == []


def test_closed_hours(acme: Company, connection: Connection, queue: Queue) -> None:
    setting(acme, "scheduleType", "company")
    acme.schedules = SHUT
    acme.save()
    connection.out_of_hours_message = "Voltamos amanhã."
    connection.save()
    assert receive(connection, "Oi") == ["Voltamos amanhã."]
    assert receive(connection, "Alguém?") == []
    ticket = the_ticket()
    assert (ticket.status, ticket.queue) == ("pending", queue)
    assert history() == [("queued", {"queue": queue.name, "by": "closed"})]
    acme.schedules = []
    acme.save()
    assert receive(connection, "Bom dia") == [MENU]
    assert the_ticket().queue == queue


def test_a_deleted_integration_leaves_nobody_alone(
    connection: Connection, queue: Queue, server: WireServer
) -> None:
    led_by(connection, server, "webhook")
    receive(connection, "Oi")
    take_all()
    assert connection.integration is not None
    end_bots_of(connection.integration)
    assert written() == [FALLBACK_MESSAGE]
    assert_left_to(queue, history()[0])


def test_a_flow_that_takes_a_message_and_falls_silent(
    connection: Connection, orders: Queue, server: WireServer
) -> None:
    connection.transfer_queue = orders
    connection.integration_silence_minutes = 5
    led_by(connection, server, "webhook")
    receive(connection, "Oi")
    take_all()
    now = timezone.now()
    assert run_timers(now=now + timedelta(minutes=4, seconds=50)) == 0
    # Who goes on writing does not put it off.
    receive(connection, "Alguém?")
    assert run_timers(now=now + timedelta(minutes=5, seconds=10)) == 1
    assert written() == [FALLBACK_MESSAGE]
    assert_left_to(orders, ("bot_ended", {"reason": "silent"}))
    assert run_timers(now=now + timedelta(hours=1)) == 0


def test_a_chosen_queues_flow_that_falls_silent_leaves_the_ticket_there(
    connection: Connection, orders: Queue, server: WireServer
) -> None:
    orders.integration = make_integration(connection.company, type="webhook", url=server.url)
    orders.save()
    receive(connection, "Oi")
    receive(connection, "2")
    take_all()
    assert the_ticket().use_integration is True
    now = timezone.now()
    assert run_timers(now=now + timedelta(minutes=9)) == 0
    assert run_timers(now=now + timedelta(minutes=11)) == 1
    assert written()[-1] == FALLBACK_MESSAGE
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot, ticket.use_integration) == (orders, False, False)
    assert history()[-1] == ("bot_ended", {"reason": "silent"})


def test_the_bots_own_notice_is_no_answer_of_a_flow(
    acme: Company, connection: Connection, queue: Queue, server: WireServer
) -> None:
    setting(acme, "alertReceivingAudio", "enabled")
    led_by(connection, server, "webhook")
    receive(connection, "Oi")
    assert receive(connection, "", media_type="audio") == [AUDIO_ALERT]
    take_all()
    assert not BotTurn.objects.filter(UNFINISHED).exists()
    assert run_timers(now=timezone.now() + timedelta(minutes=11)) == 1
    assert written() == [AUDIO_ALERT, FALLBACK_MESSAGE]
    assert_left_to(queue, ("bot_ended", {"reason": "silent"}))


def test_a_connection_says_how_long_its_menu_may_be_ignored(
    connection: Connection, queue: Queue
) -> None:
    connection.menu_silence_minutes = 25
    connection.save()
    receive(connection, "Oi")
    now = timezone.now()
    assert run_timers(now=now + timedelta(minutes=24, seconds=50)) == 0
    assert run_timers(now=now + timedelta(minutes=25)) == 1
    assert the_ticket().queue == queue


def test_whom_a_flow_answered_is_seen_by_people_when_nothing_more_is_said(
    connection: Connection, orders: Queue, server: WireServer
) -> None:
    server.handler = lambda request: flow("Qual é o seu nome?", asks=True)
    connection.transfer_queue = orders
    led_by(connection, server, "typebot", typebot_slug="f", typebot_delay_ms=0)
    receive(connection, "Oi")
    take_all()
    now = timezone.now()
    assert run_timers(now=now + timedelta(minutes=59)) == 0
    assert the_ticket().queue is None
    assert run_timers(now=now + timedelta(hours=1)) == 1
    ticket = the_ticket()
    assert (ticket.status, ticket.queue, ticket.user) == ("pending", orders, None)
    assert (ticket.chatbot, ticket.use_integration) == (True, True)
    assert history() == [("queued", {"queue": "Pedidos", "by": "timer"})]
    assert run_timers(now=now + timedelta(hours=3)) == 0
    # The flow goes on where it was, with its session.
    server.handler = lambda request: flow("Prazer, Ana!", asks=True)
    receive(connection, "Ana")
    take_all()
    assert "continueChat" in server.received[-1].path
    assert written() == ["Qual é o seu nome?", "Prazer, Ana!"]
    # And when it ends, people are there.
    server.handler = lambda request: Answer(500)
    receive(connection, "E agora?")
    take_all()
    assert written()[2:] == [FALLBACK_MESSAGE]
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot, ticket.use_integration) == (orders, False, False)


def test_whom_a_model_answered_is_seen_in_its_own_queue(
    acme: Company, connection: Connection, server: WireServer
) -> None:
    answer = {"choices": [{"message": {"content": "Como posso ajudar?"}}]}
    server.handler = lambda request: Answer(body=answer)
    own = make_queue(acme, name="Suporte", order=9)
    # The number leads to no queue at all.
    connection.queues.clear()
    led_by(connection, server, "prompt", queue=own)
    receive(connection, "Oi")
    take_all()
    assert run_timers(now=timezone.now() + timedelta(hours=1)) == 1
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot, ticket.prompt) == (own, True, connection.prompt)
    receive(connection, "Qual o prazo?")
    take_all()
    assert written() == ["Como posso ajudar?"] * 2


def test_what_an_earlier_cycle_left_open_is_no_silence(
    connection: Connection, server: WireServer
) -> None:
    server.handler = lambda request: flow("Qual é o seu nome?", asks=True)
    led_by(connection, server, "typebot", typebot_slug="f", typebot_delay_ms=0)
    receive(connection, "Oi")
    take_all()
    BotTurn.objects.update(created_at=timezone.now() - timedelta(days=1))
    Message.objects.filter(from_me=True).delete()
    assert run_timers(now=timezone.now() + timedelta(minutes=50)) == 0


def test_the_queue_that_is_there_is_kept(
    connection: Connection, orders: Queue, server: WireServer
) -> None:
    server.handler = lambda request: Answer(404)
    orders.integration = make_integration(connection.company, url=server.url)
    orders.save()
    receive(connection, "Oi")
    receive(connection, "2")
    take_all()
    assert written() == [MENU, FALLBACK_MESSAGE]
    assert the_ticket().queue == orders
    assert [detail.get("by") for kind, detail in history() if kind == "queued"] == ["menu"]


def test_whom_no_word_reaches_any_more_still_gets_a_queue(
    connection: Connection, queue: Queue, server: WireServer
) -> None:
    server.handler = lambda request: Answer(404)
    led_by(connection, server, "webhook")
    receive(connection, "Oi")
    Ticket.objects.update(last_inbound_at=timezone.now() - timedelta(hours=25))
    take_all()
    assert written() == []
    assert_left_to(queue, history()[0])


def test_a_message_that_comes_too_late_for_the_bot_is_seen_by_people(
    connection: Connection, queue: Queue
) -> None:
    assert receive(connection, "Oi", sent_at=timezone.now() - timedelta(hours=25)) == []
    assert the_ticket().queue == queue
    assert history() == [("queued", {"queue": queue.name, "by": "late"})]
    assert receive(connection, "Oi") == [MENU]
    assert ticket_row(the_ticket())["chatbot"] is True


def test_who_has_a_person_needs_no_fallback(
    connection: Connection, server: WireServer, admin: User
) -> None:
    server.handler = lambda request: Answer(404)
    led_by(connection, server, "webhook")
    receive(connection, "Oi")
    update_ticket(
        user=admin,
        ticket_id=the_ticket().pk,
        change=TicketChange.of({"status": "open", "user_id": admin.pk}),
    )
    take_all()
    assert written() == []
    assert the_ticket().queue is None


@pytest.mark.parametrize("led_from", ["number", "queue"])
def test_a_prompt_that_goes_with_its_queue_leaves_to_another(
    client_for: ClientFor,
    admin: User,
    connection: Connection,
    queue: Queue,
    orders: Queue,
    led_from: str,
) -> None:
    connection.transfer_queue = queue
    prompt = make_prompt(connection.company, queue=queue)
    if led_from == "number":
        connection.prompt = prompt
    else:
        queue.prompt = prompt
        queue.save()
    connection.save()
    receive(connection, "Oi")
    if led_from == "queue":
        receive(connection, "1")
    assert the_ticket().prompt == prompt
    assert client_for(admin).delete(f"/api/queue/{queue.pk}").status_code == 200
    assert written()[-1] == FALLBACK_MESSAGE
    assert the_ticket().queue == orders
    assert [kind for kind, _ in history()][-2:] == ["bot_ended", "queued"]


def test_a_flow_whose_queue_goes_leaves_to_the_next_in_line(
    client_for: ClientFor, admin: User, connection: Connection, queue: Queue, server: WireServer
) -> None:
    gone = make_queue(connection.company, name="Outra", order=9)
    connection.queues.add(gone)
    server.handler = lambda request: Answer(404)
    led_by(connection, server, "webhook", fallback_queue=gone)
    receive(connection, "Oi")
    assert client_for(admin).delete(f"/api/queue/{gone.pk}").status_code == 200
    assert the_ticket().use_integration
    take_all()
    assert (written(), the_ticket().queue) == ([FALLBACK_MESSAGE], queue)
