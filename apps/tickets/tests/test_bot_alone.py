"""The bot leaves nobody alone (rules/bot §9), with the real services on a real database.

`tests/test_bot_alone.py` tries many more stories, with the decisions alone.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import DateTimeField, F
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.automation.models import IntegrationSession
from apps.automation.tests.service_account import service_account
from apps.automation.tests.wire import Answer, Received, WireServer
from apps.common.leases import UNFINISHED
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import (
    BotPause,
    BotTurn,
    Message,
    Ticket,
    TicketActivity,
    TrackingCycle,
)
from apps.tickets.services.bot.pause_worker import end_due
from apps.tickets.services.bot.timers import LONGEST_FLOW, run_timers
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from apps.tickets.tests.bot import receive, setting
from apps.tickets.tests.test_bot_fallback import SHUT, flow, server, take_all
from tests.factories import make_integration, make_prompt
from tests.lengths import cases

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted")]
__all__ = ["server"]

PLAIN = "5511900000001"
WORDS = ["Oi", "1", "2", "0", "#", "menu", "atendente", "quero trocar", "sair", "x" * 400]
KINDS = ["conversation"] * 4 + ["audio", "image", "call_log"]
# How a flow, or a model, fails when it is asked.
FAILURES = {
    "nothing": Answer(),
    "fault": Answer(500),
    "gone": Answer(404),
    "no JSON": Answer(200, "<html>"),
    "other JSON": Answer(200, {"queryResult": 3, "messages": "?", "choices": []}),
    "too much": Answer(200, b"x" * 1_100_000),
    "cut": Answer(raw=b""),
}
# What it says, and whether it goes on after that.
SAID = {
    "goes on": ("E o seu nome?", True),
    "ends": ("Até logo!", False),
    "ends mute": ("", False),
    "stops": ('#{"stopBot":true}', True),
    "hands over": ("Ação: Transferir para o setor de atendimento", True),
}
ANSWERS = sorted({**FAILURES, **SAID})


def answer(name: str, request: Received) -> Answer:
    """Answer as who is asked speaks: an agent, a model, a flow; a webhook only takes it."""
    if name in FAILURES:
        return FAILURES[name]
    text, asks = SAID[name]
    if request.path.partition("?")[0].endswith(":detectIntent"):
        messages = [{"text": {"text": [text]}}] if text else []
        result: dict[str, Any] = {"fulfillmentMessages": messages}
        if not asks:
            result["diagnosticInfo"] = {"end_conversation": True}
        return Answer(body={"queryResult": result})
    if request.path.endswith("/chat/completions"):
        return Answer(body={"choices": [{"message": {"content": text}}]})
    return flow(*[text] if text else [], asks=asks)


# What is sent, of which kind, and whether it is taken back before the workers come.
sent = st.tuples(
    st.sampled_from(WORDS), st.sampled_from(KINDS), st.sampled_from([False] * 4 + [True])
)
steps = st.tuples(
    st.lists(sent, min_size=1, max_size=3),
    st.sampled_from(ANSWERS),
    # What people do before the workers come, whether these come, and how long it takes.
    st.sampled_from(["", "", "", "accept", "return"]),
    st.booleans(),
    st.sampled_from([0, 5, 12, 25, 40, 61]),
)
# A flow's server leads, or the menu.
LEADS = ["", "", "typebot", "webhook", "dialogflow", "prompt"]
TIMED = (Ticket, TrackingCycle, Message, BotTurn, BotPause, IntegrationSession, TicketActivity)
TRIED = settings(
    max_examples=cases(40),
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass
class Story:
    """What happens to the one contact; `has_flow`: somebody else leads, somewhere."""

    connection: Connection
    agent: User
    server: WireServer
    has_flow: bool

    def step(
        self, burst: list[tuple[str, str, bool]], name: str, act: str, works: bool, minutes: int
    ) -> None:
        self.server.handler = lambda request: answer(name, request)
        send(self.connection, burst)
        self.act(act)
        if works:
            self.work()
        self.pass_time(minutes)

    def pass_time(self, minutes: int) -> None:
        """Let time go by, and the timers run."""
        pass_time(minutes)
        run_timers()
        # Nobody waits for longer where people do not see it, whatever is sent meanwhile.
        unseen = Ticket.objects.filter(status="pending", user=None, queue=None)
        begun = timezone.now() - LONGEST_FLOW
        assert not unseen.filter(cycles__finished_at=None, cycles__queued_at__lte=begun).exists()

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
        # One that takes a message and says nothing is waited for.
        if not self.has_flow:
            check_answered()

    def end(self) -> None:
        """Let the workers come, and more than an hour pass."""
        self.work()
        self.pass_time(62)


def send(connection: Connection, burst: list[tuple[str, str, bool]], **fields: Any) -> None:
    """Receive a burst, each part of it by a notification of its own."""
    for text, kind, is_taken_back in burst:
        name = f"wamid.sent.{uuid4()}"
        receive(connection, text, media_type=kind, external_id=name, **fields)
        if is_taken_back:
            receive(connection, "", deletes=name, **fields)


def pass_time(minutes: int) -> None:
    """Have all that happened so far be older."""
    passed = timedelta(minutes=minutes)
    for model in TIMED:
        moments = [each.name for each in model._meta.fields if isinstance(each, DateTimeField)]
        model.objects.update(**{name: F(name) - passed for name in moments})
    for ticket in Ticket.objects.all():
        for name in {"menu_at", "audio_alert_at"} & ticket.bot_state.keys():
            moment = datetime.fromisoformat(ticket.bot_state[name])
            ticket.bot_state[name] = (moment - passed).isoformat()
        ticket.save(update_fields=["bot_state"])


def have_lead(kind: str, where: Connection | Queue, server: WireServer) -> None:
    """Have an integration of a kind, or a prompt, lead the conversations of a number or a queue."""
    company = where.company
    if kind == "prompt":
        where.prompt = make_prompt(company, base_url=f"{server.url}/v1")
    else:
        more: dict[str, Any] = {"url": server.url}
        if kind == "dialogflow":
            more = {"project_name": "loja", "json_content": service_account(), "url": ""}
        elif kind == "typebot":
            more |= {"typebot_slug": "f", "typebot_delay_ms": 0, "typebot_keyword_finish": "sair"}
        where.integration = make_integration(company, type=kind, **more)
    where.save()


@TRIED
@given(
    leads=st.sampled_from(LEADS),
    in_queues=st.tuples(st.sampled_from(LEADS), st.sampled_from(LEADS)),
    has_one_queue=st.booleans(),
    has_own_queue=st.booleans(),
    quiet_seconds=st.sampled_from([0, 3]),
    is_shut=st.sampled_from([False, False, True]),
    most_menus=st.sampled_from([0, 1, 3]),
    interval_minutes=st.sampled_from([0, 0, 600]),
    alerts_audio=st.booleans(),
    story=st.lists(steps, min_size=1, max_size=4),
)
def test_an_unheld_ticket_ends_with_a_queue_and_its_contact_with_an_answer(
    connection: Connection,
    queue: Queue,
    orders: Queue,
    agent: User,
    server: WireServer,
    settings: Any,
    leads: str,
    in_queues: tuple[str, str],
    has_one_queue: bool,
    has_own_queue: bool,
    quiet_seconds: int,
    is_shut: bool,
    most_menus: int,
    interval_minutes: int,
    alerts_audio: bool,
    story: list[Any],
) -> None:
    cache.clear()
    settings.DIALOGFLOW_ENDPOINT = server.url
    with transaction.atomic():
        agent.queues.add(orders)
        if has_one_queue:
            # It is given without a word: who leads in it has the first one.
            connection.queues.remove(queue)
        for each, kind in zip((orders, queue), in_queues, strict=True):
            if kind:
                have_lead(kind, Queue.objects.get(pk=each.pk), server)
        fresh = Connection.objects.get(pk=connection.pk)
        fresh.bot_quiet_seconds = quiet_seconds
        fresh.bot_max_menus = most_menus
        fresh.bot_interval_minutes = interval_minutes
        fresh.transfer_keyword, fresh.transfer_keyword_queue = "atendente", orders
        fresh.out_of_hours_message = "Voltamos amanhã."
        fresh.transfer_queue = orders if has_own_queue else None
        fresh.save()
        setting(fresh.company, "alertReceivingAudio", "enabled" if alerts_audio else "disabled")
        if is_shut:
            setting(fresh.company, "scheduleType", "company")
            type(fresh.company).objects.filter(pk=fresh.company_id).update(schedules=SHUT)
        if leads:
            have_lead(leads, fresh, server)
        told = Story(fresh, agent, server, has_flow=any((leads, *in_queues)))
        for step in story:
            told.step(*step)
        told.act("return")
        told.end()
        check()
        transaction.set_rollback(True)


def check() -> None:
    assert not BotPause.objects.exists()
    assert not BotTurn.objects.filter(UNFINISHED).exists()
    assert not Ticket.objects.filter(status="pending", user=None, queue=None).exists()
    check_answered()


def check_answered() -> None:
    """Whoever wrote, called and took back aside, and has no person, has heard something."""
    for ticket in Ticket.objects.filter(status="pending", user=None):
        wrote = ticket.messages.filter(from_me=False, is_deleted=False)
        if wrote.exclude(media_type="call_log").exists():
            assert ticket.messages.filter(from_me=True).exists()


noise = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["Oi", "1", "2", "#", "xx"]), st.just("conversation"), st.just(True)
        ),
        st.tuples(st.just("Chamada de voz recusada"), st.just("call_log"), st.just(False)),
    ),
    max_size=2,
)
words = st.tuples(st.sampled_from(WORDS), st.just("conversation"), st.just(False))


@TRIED
@given(
    most_menus=st.sampled_from([0, 1, 3]),
    bursts=st.lists(
        st.tuples(noise, st.lists(words, min_size=1, max_size=2), noise), min_size=1, max_size=4
    ),
)
def test_calls_and_what_was_taken_back_change_nothing(
    connection: Connection, orders: Queue, most_menus: int, bursts: list[Any]
) -> None:
    with transaction.atomic():
        fields = {"bot_quiet_seconds": 3, "bot_max_menus": most_menus}
        Connection.objects.filter(pk=connection.pk).update(**fields)
        # A '1' answers the question of an opt-out word at once (rules/campaigns §7): it is too late
        # to take it back.
        may_be_asked = False
        for before, burst, behind in bursts:
            heard = list(before) if not may_be_asked else without_one(before)
            may_be_asked |= any(text == "sair" for text, _, _ in burst)
            heard += [*burst, *(without_one(behind) if may_be_asked else behind)]
            send(connection, heard)
            send(connection, burst, sender=PLAIN)
            BotPause.objects.update(next_attempt_at=timezone.now())
            end_due(limit=100)
            noisy, plain = Ticket.objects.order_by("pk")
            assert said_to(noisy) == said_to(plain)
            assert (noisy.queue, noisy.chatbot) == (plain.queue, plain.chatbot)
        transaction.set_rollback(True)


def without_one(noise: list[tuple[str, str, bool]]) -> list[tuple[str, str, bool]]:
    return [each for each in noise if each[0] != "1"]


def said_to(ticket: Ticket) -> list[str]:
    said = ticket.messages.filter(from_me=True).order_by("pk")
    return list(said.values_list("body", flat=True))
