"""What a flow or a model is given to answer, and what is its answer (rules/automation §2)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.automation.tests.wire import Answer, WireServer
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.services.bot.timers import run_timers
from apps.tickets.tests.bot import receive, the_ticket
from apps.tickets.tests.test_bot_fallback import (
    assert_left_to,
    led_by,
    server,
    take_all,
    written,
)
from tests.factories import make_message

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted", "orders")]
__all__ = ["server"]


def test_what_was_scheduled_is_no_answer_of_a_flow(
    connection: Connection, queue: Queue, server: WireServer
) -> None:
    led_by(connection, server, "webhook")
    receive(connection, "Oi")
    take_all()
    make_message(the_ticket(), from_me=True, source="schedule", body="A sua consulta é amanhã.")
    assert run_timers(now=timezone.now() + timedelta(minutes=11)) == 1
    assert_left_to(queue, ("bot_ended", {"reason": "silent"}))


@pytest.mark.parametrize("kind", ["webhook", "prompt"])
def test_what_was_taken_back_before_its_turn_is_not_answered(
    connection: Connection, server: WireServer, kind: str
) -> None:
    answer = {"choices": [{"message": {"content": "Como posso ajudar?"}}]}
    server.handler = lambda request: Answer(body=answer)
    led_by(connection, server, kind)
    receive(connection, "Oi")
    receive(connection, "a senha é segredo", external_id="wamid.slip")
    receive(connection, "", deletes="wamid.slip")
    take_all()
    (asked,) = server.received
    assert b"segredo" not in asked.body
    assert b"Oi" in asked.body
    assert written() == (["Como posso ajudar?"] if kind == "prompt" else [])


def test_who_took_back_all_that_a_flow_was_to_hear_is_no_silence_of_it(
    connection: Connection, server: WireServer
) -> None:
    led_by(connection, server, "webhook")
    receive(connection, "Oi", external_id="wamid.slip")
    receive(connection, "", deletes="wamid.slip")
    take_all()
    assert not server.received
    assert run_timers(now=timezone.now() + timedelta(minutes=11)) == 0
