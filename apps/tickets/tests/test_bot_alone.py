"""The bot leaves nobody alone (rules/bot §9), with the real services on a real database.

`tests/test_bot_alone.py` tries many more stories, with the decisions alone.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.automation.tests.wire import Answer, WireServer
from apps.common.leases import UNFINISHED
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import BotPause, BotTurn, Message, Ticket
from apps.tickets.services.bot.pause_worker import end_due
from apps.tickets.services.tickets.timers import run_timers
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from apps.tickets.tests.bot import receive, setting
from apps.tickets.tests.test_bot_fallback import SHUT, flow, led_by, server, take_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted")]
__all__ = ["server"]

WORDS = ["Oi", "1", "2", "0", "#", "menu", "atendente", "quero trocar", "x" * 400]
# What a flow, or a model, says when it is asked.
ANSWERS = {
    "nothing": Answer(),
    "fault": Answer(500),
    "no JSON": Answer(200, "<html>"),
    "goes on": flow("E o seu nome?", asks=True),
    "ends": flow("Até logo!", asks=False),
    "stops": flow('#{"stopBot":true}', asks=True),
}
steps = st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
    st.sampled_from(["conversation", "conversation", "audio"]),
    st.sampled_from(sorted(ANSWERS)),
    # What people do before the workers come, whether these come, and how long it takes.
    st.sampled_from(["", "", "", "accept", "return"]),
    st.booleans(),
    st.sampled_from([0, 5, 12, 61]),
)


@dataclass
class Story:
    """What happens to the one contact."""

    connection: Connection
    agent: User
    server: WireServer

    def step(
        self, burst: list[str], kind: str, answer: str, act: str, works: bool, minutes: int
    ) -> None:
        self.server.handler = lambda request: ANSWERS[answer]
        for text in burst:
            receive(self.connection, text, media_type=kind)
        self.act(act)
        if works:
            self.work()
        run_timers(now=timezone.now() + timedelta(minutes=minutes))

    def act(self, what: str) -> None:
        """Let the attendant take the ticket, or give it back, where that can be done."""
        ticket = Ticket.objects.latest("pk")
        if what == "accept" and ticket.status == "pending" and ticket.queue_id is not None:
            self.change(ticket, {"status": "open", "user_id": self.agent.pk})
        elif what == "return" and ticket.user_id == self.agent.pk:
            self.change(ticket, {"status": "pending"})

    def change(self, ticket: Ticket, fields: dict[str, Any]) -> None:
        update_ticket(user=self.agent, ticket_id=ticket.pk, change=TicketChange.of(fields))

    def work(self) -> None:
        """Have the workers do whatever waits, with all its tries."""
        BotPause.objects.update(next_attempt_at=timezone.now())
        end_due(limit=100)
        take_all()

    def end(self) -> None:
        """Let the workers come, and more than an hour pass."""
        self.work()
        run_timers(now=timezone.now() + timedelta(minutes=62))


@settings(
    max_examples=25,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    leads=st.sampled_from(["", "typebot", "webhook", "prompt"]),
    has_own_queue=st.booleans(),
    quiet_seconds=st.sampled_from([0, 3]),
    is_shut=st.sampled_from([False, False, True]),
    most_menus=st.sampled_from([0, 1, 3]),
    story=st.lists(steps, min_size=1, max_size=4),
)
def test_an_unheld_ticket_ends_with_a_queue_and_its_contact_with_an_answer(
    connection: Connection,
    orders: Queue,
    agent: User,
    server: WireServer,
    leads: str,
    has_own_queue: bool,
    quiet_seconds: int,
    is_shut: bool,
    most_menus: int,
    story: list[Any],
) -> None:
    cache.clear()
    with transaction.atomic():
        fresh = Connection.objects.get(pk=connection.pk)
        fresh.bot_quiet_seconds = quiet_seconds
        fresh.bot_max_menus = most_menus
        fresh.out_of_hours_message = "Voltamos amanhã."
        fresh.transfer_queue = orders if has_own_queue else None
        fresh.save()
        if is_shut:
            setting(fresh.company, "scheduleType", "company")
            type(fresh.company).objects.filter(pk=fresh.company_id).update(schedules=SHUT)
        if leads:
            more = {"typebot_slug": "f", "typebot_delay_ms": 0} if leads == "typebot" else {}
            led_by(fresh, server, leads, **more)
        told = Story(fresh, agent, server)
        for step in story:
            told.step(*step)
        told.act("return")
        told.end()
        check()
        transaction.set_rollback(True)


def check() -> None:
    assert not BotPause.objects.exists()
    assert not BotTurn.objects.filter(UNFINISHED).exists()
    for ticket in Ticket.objects.filter(status="pending", user=None):
        assert ticket.queue_id is not None
        assert Message.objects.filter(ticket=ticket, from_me=True).exists()
