import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.automation.models import Prompt, TokenUse
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from apps.companies.models import Company
from apps.connections.models import FALLBACK_MESSAGE, Connection
from apps.queues.models import Queue
from apps.tickets.models import BotTurn, Message, Ticket, TicketActivity
from apps.tickets.services.bot.turn_worker import take_due
from tests.factories import make_message, make_prompt, make_queue, make_ticket

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted")]


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        running.handler = lambda request: _says("Claro!")
        yield running


@pytest.fixture
def prompt(acme: Company, queue: Queue, server: WireServer) -> Prompt:
    return make_prompt(acme, base_url=f"{server.url}/v1", queue=queue, max_messages=3)


@pytest.fixture
def ticket(acme: Company, connection: Connection, prompt: Prompt) -> Ticket:
    return make_ticket(
        acme,
        connection=connection,
        prompt=prompt,
        chatbot=True,
        last_inbound_at=timezone.now(),
    )


def _says(text: str, **message: Any) -> Answer:
    choice = {"message": {"role": "assistant", "content": text, **message}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 40, "completion_tokens": 7}
    return Answer(body={"model": "m-1", "choices": [choice], "usage": usage})


def _turn(
    ticket: Ticket, message: Message | None = None, body: str = "Vocês abrem hoje?"
) -> BotTurn:
    return BotTurn.objects.create(
        company=ticket.company,
        ticket=ticket,
        message=message or make_message(ticket, body=body),
        kind="prompt",
        prompt=ticket.prompt,
        event_id=uuid.uuid4(),
    )


def _take() -> int:
    return take_due(limit=1)


def _asked(request: Received) -> list[str]:
    """The conversation that the model was shown, without the system's text."""
    return [line["content"] for line in request.json["messages"][1:]]


def _sent(ticket: Ticket) -> list[tuple[str, str]]:
    rows = Message.objects.filter(ticket=ticket, from_me=True).order_by("pk")
    return [(row.source, row.body) for row in rows]


def test_a_model_answers_and_its_tokens_are_counted(
    ticket: Ticket, prompt: Prompt, server: WireServer
) -> None:
    _turn(ticket)
    assert _take() == 1
    assert _sent(ticket) == [("ai", "Claro!")]
    use = TokenUse.objects.get()
    assert (use.prompt_tokens, use.completion_tokens) == (40, 7)
    assert (use.company_id, use.prompt, use.ticket) == (ticket.company_id, prompt, ticket)
    ticket.refresh_from_db()
    assert (ticket.status, ticket.prompt, ticket.last_message) == ("pending", prompt, "Claro!")


def test_a_model_sees_the_last_messages_oldest_first_and_the_current_one_once(
    ticket: Ticket, server: WireServer
) -> None:
    for place in range(5):
        make_message(ticket, body=f"antes {place}", from_me=place % 2 == 1)
    make_message(ticket, body="apagada", is_deleted=True)
    make_message(ticket, body="-23.5|-46.6|Loja", media_type="locationMessage")
    other = make_ticket(ticket.company, connection=ticket.connection)
    make_message(other, body="de outro contato")
    _turn(ticket, body="agora")
    _take()
    assert _asked(server.received[0]) == ["antes 2", "antes 3", "antes 4", "agora"]


def test_what_a_contact_writes_in_pieces_is_answered_once(
    ticket: Ticket, server: WireServer
) -> None:
    turns = [_turn(ticket, body=body) for body in ("Oi", "tudo bem?", "vocês abrem hoje?")]
    assert [_take() for _ in range(4)] == [1, 1, 1, 0]
    [request] = server.received
    assert _asked(request) == ["Oi", "tudo bem?", "vocês abrem hoje?"]
    assert _sent(ticket) == [("ai", "Claro!")]
    assert {turn.state for turn in BotTurn.objects.all()} == {"done"}
    assert len(turns) == 3


def test_a_hand_over_leaves_the_ticket_in_the_prompts_queue(
    ticket: Ticket, prompt: Prompt, server: WireServer, acme: Company
) -> None:
    support = make_queue(acme, name="Suporte")
    Prompt.objects.filter(pk=prompt.pk).update(queue=support)
    server.handler = lambda request: _says(
        "Um momento. Ação: Transferir para o setor de atendimento"
    )
    _turn(ticket)
    _take()
    ticket.refresh_from_db()
    assert (ticket.queue, ticket.status, ticket.prompt, ticket.chatbot) == (
        support,
        "pending",
        None,
        False,
    )
    assert all("Transferir para o setor" not in body for _, body in _sent(ticket))
    kinds = list(TicketActivity.objects.filter(ticket=ticket).values_list("kind", flat=True))
    assert sorted(kinds) == ["bot_ended", "queued"]


def test_a_hand_over_in_the_same_queue_says_it_once(ticket: Ticket, server: WireServer) -> None:
    assert ticket.prompt is not None
    Ticket.objects.filter(pk=ticket.pk).update(queue=ticket.prompt.queue)
    server.handler = lambda request: _says("Ação: Transferir para o setor de atendimento")
    _turn(ticket)
    _take()
    [activity] = TicketActivity.objects.filter(ticket=ticket)
    assert (activity.kind, activity.detail) == ("bot_ended", {"reason": "handed_over"})
    assert _sent(ticket) == [("bot", FALLBACK_MESSAGE)]


def test_a_model_that_says_itself_who_comes_is_not_followed_by_our_words(
    ticket: Ticket, server: WireServer
) -> None:
    assert ticket.prompt is not None
    Ticket.objects.filter(pk=ticket.pk).update(queue=ticket.prompt.queue)
    server.handler = lambda request: _says(
        "Chamo a Ana. Ação: Transferir para o setor de atendimento"
    )
    _turn(ticket)
    _take()
    assert _sent(ticket) == [("ai", "Chamo a Ana.")]


def test_a_failing_model_is_asked_twice_and_then_a_person_goes_on(
    ticket: Ticket, server: WireServer
) -> None:
    server.handler = lambda request: Answer(status=500, body={"error": {"message": "down"}})
    turn = _turn(ticket)
    _take()
    turn.refresh_from_db()
    assert (turn.state, turn.attempts) == ("waiting", 1)
    BotTurn.objects.update(next_attempt_at=timezone.now())
    _take()
    turn.refresh_from_db()
    assert (turn.state, turn.attempts) == ("failed", 2)
    ticket.refresh_from_db()
    assert (ticket.status, ticket.prompt, ticket.user) == ("pending", None, None)
    ended, queued = TicketActivity.objects.filter(ticket=ticket).order_by("pk")
    assert ended.detail == {
        "reason": "failed",
        "error": "O servidor do modelo falhou (erro 500).",
        "reasonCode": "model_error",
        "reasonDetail": "500",
    }
    assert ticket.queue is not None
    assert queued.detail == {"queue": ticket.queue.name, "by": "fallback"}
    assert _sent(ticket) == [("bot", FALLBACK_MESSAGE)]


def test_a_recording_is_waited_for_before_it_is_heard(
    ticket: Ticket, server: WireServer, settings: Any
) -> None:
    message = make_message(ticket, body="", media_type="audio", media_state="fetching")
    _turn(ticket, message)
    assert _take() == 0
    from apps.common.media import store_media

    stored = store_media(
        company_id=ticket.company_id, content=b"OggS" + b"\x00" * 40, name="a.ogg", mime="audio/ogg"
    )
    Message.objects.filter(pk=message.pk).update(
        media_state="ready", media_path=stored.path, media_mime="audio/ogg", media_name="a.ogg"
    )
    server.handler = lambda request: (
        Answer(body={"text": "quero um orçamento"})
        if request.path.endswith("/audio/transcriptions")
        else _says("Já preparo!")
    )
    assert _take() == 1
    assert _asked(server.received[-1]) == ["quero um orçamento"]
    assert _sent(ticket) == [("ai", "Já preparo!")]


def test_a_recording_that_never_comes_is_asked_for_in_writing(
    ticket: Ticket, server: WireServer
) -> None:
    message = make_message(ticket, body="", media_type="audio", media_state="fetching")
    turn = _turn(ticket, message)
    BotTurn.objects.filter(pk=turn.pk).update(created_at=timezone.now() - timedelta(minutes=2))
    assert _take() == 1
    [(source, body)] = _sent(ticket)
    assert source == "ai"
    assert body
    assert server.received == []
