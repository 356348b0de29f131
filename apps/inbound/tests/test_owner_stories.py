"""Whatever happens in whatever order, the bot writes only where we lead (rules/tickets §14)."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import DateTimeField, F
from django.utils import timezone
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.common.leases import UNFINISHED
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.inbound.tests.meta import (
    ACCOUNT,
    NUMBER,
    ago,
    echo,
    handle,
    handover,
    ordinary,
    seen,
    tell,
    text,
)
from apps.tickets.models import (
    BotPause,
    Delivery,
    Message,
    Ticket,
    TicketActivity,
    TicketOwner,
    TrackingCycle,
)
from apps.tickets.owners import AUTOMATIC
from apps.tickets.services.bot.pause_worker import end_due
from apps.tickets.services.bot.timers import run_timers
from apps.tickets.services.outbox import send_text
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.tickets.control import ThreadControlRefused, control_thread
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from apps.tickets.tests.bot import setting
from tests.factories import make_connection, make_queue
from tests.graph import GraphServer, graph_error
from tests.lengths import cases

pytestmark = pytest.mark.django_db
# Steps are so many seconds apart; what comes late is told of a time between two steps.
APART, LATE = 10, 25
TIMED = (Ticket, TrackingCycle, Message, BotPause, TicketActivity, Delivery)
WORDS = ["Oi", "1", "2", "#", "3"]
_number = count(1)


@pytest.fixture
def graph(graph: GraphServer, settings: Any) -> GraphServer:
    settings.META_APP_SECRET = "app-secret"
    return graph


@pytest.fixture
def number(acme: Company, agent: User) -> Connection:
    """A number of two queues whose bot greets, waits, moves, closes and asks for a rating."""
    queues = [make_queue(acme, name=name, order=place) for place, name in enumerate("AB")]
    agent.queues.set(queues)
    setting(acme, "userRating", "enabled")
    setting(acme, "sendGreetingAccepted", "enabled")
    setting(acme, "sendMsgTransfTicket", "enabled")
    setting(acme, "closePending", "enabled")
    return make_connection(
        acme,
        queues=queues,
        phone_number_id=NUMBER,
        waba_id=ACCOUNT,
        greeting_message="Bem-vindo!",
        completion_message="Até logo!",
        inactive_message="Encerramos.",
        transfer_queue=queues[0],
        minutes_to_transfer=30,
        ticket_expires_minutes=60,
        bot_quiet_seconds=3,
    )


class Story:
    """One customer's conversation, and who leads it by what Meta has told so far."""

    def __init__(self, agent: User, graph: GraphServer) -> None:
        self.agent, self.graph = agent, graph
        self.now, self.owner, self.since = 0, TicketOwner.US, 0
        self.posted = self.written = 0

    def told(self, owner: TicketOwner, at: int) -> None:
        if at >= self.since:
            self.owner, self.since = owner, at

    def step(self, what: str, word: str, *, is_late: bool, seconds: int) -> None:
        self.pass_time(seconds)
        late = LATE if is_late else 0
        getattr(self, what)(word, ago(late), self.now - late)
        self.check()

    def check(self) -> None:
        """The bot writes nothing new where we do not lead, and nothing that waited goes out."""
        if Ticket.objects.exists():
            assert Ticket.objects.latest("pk").owner == self.owner
        new = Message.objects.filter(pk__gt=self.written, from_me=True, source__in=AUTOMATIC)
        if self.owner != TicketOwner.US:
            assert not new.exists()
        self.written = Message.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        sent = self.graph.messages[self.posted :]
        self.posted = len(self.graph.messages)
        ids = [each["biz_opaque_callback_data"] for each in sent if each["type"] != "read"]
        if self.owner != TicketOwner.US:
            assert not Message.objects.filter(callback_id__in=ids, source__in=AUTOMATIC).exists()

    def pass_time(self, seconds: int) -> None:
        passed = timedelta(seconds=seconds)
        self.now += seconds
        for model in TIMED:
            moments = [each.name for each in model._meta.fields if isinstance(each, DateTimeField)]
            model._default_manager.update(**{name: F(name) - passed for name in moments})
        for ticket in Ticket.objects.all():
            if "menu_at" in ticket.bot_state:
                at = datetime.fromisoformat(ticket.bot_state["menu_at"])
                ticket.bot_state["menu_at"] = (at - passed).isoformat()
                ticket.save(update_fields=["bot_state"])

    def customer(self, word: str, stamp: str, at: int) -> None:
        tell(ordinary(text(f"wamid.{next(_number)}", word, timestamp=stamp)))
        handle()
        if self.owner == TicketOwner.US or at > self.since:
            self.told(TicketOwner.US, at)

    def copy(self, word: str, stamp: str, at: int) -> None:
        tell(seen(text(f"wamid.{next(_number)}", word, timestamp=stamp)))
        handle()
        self.told(TicketOwner.OTHER, at)

    def echo(self, word: str, stamp: str, at: int) -> None:
        tell(echo(f"wamid.{next(_number)}", at=stamp))
        handle()
        self.told(TicketOwner.OTHER, at)

    def passed(self, word: str, stamp: str, at: int) -> None:
        self.hand("control_passed", TicketOwner.US, stamp, at)

    def taken(self, word: str, stamp: str, at: int) -> None:
        self.hand("control_taken", TicketOwner.OTHER, stamp, at)

    def hand(self, kind: str, owner: TicketOwner, stamp: str, at: int) -> None:
        is_known = Ticket.objects.exists()
        # A repeated notification is the same event, so each has a number of its own.
        tell(handover(kind, timestamp=stamp, serial=next(_number)))
        handle()
        if is_known:
            self.told(owner, at)

    def control(self, action: str, owner: TicketOwner) -> None:
        ticket = Ticket.objects.order_by("-pk").first()
        if ticket is not None and self.agent.queues.filter(pk=ticket.queue_id).exists():
            was_ours = self.owner == TicketOwner.US
            try:
                control_thread(user=self.agent, ticket_id=ticket.pk, action=action)
            except ThreadControlRefused:
                return
            if was_ours != (action == "take"):
                self.told(owner, self.now)

    def take(self, word: str, stamp: str, at: int) -> None:
        self.graph.fault = lambda payload: False
        self.control("take", TicketOwner.US)

    def take_refused(self, word: str, stamp: str, at: int) -> None:
        self.graph.fault = lambda payload: graph_error(2494191) if "action" in payload else False
        self.control("take", TicketOwner.US)
        self.graph.fault = lambda payload: False

    def release(self, word: str, stamp: str, at: int) -> None:
        self.control("release", TicketOwner.IDLE)

    def person(self, word: str, stamp: str, at: int) -> None:
        """A person accepts, and writes; the workers send it."""
        ticket = Ticket.objects.order_by("-pk").first()
        if ticket is None or ticket.queue_id is None or ticket.last_inbound_at is None:
            return
        if ticket.user_id is None:
            self.change(ticket, status="open", user_id=self.agent.pk)
        if timezone.now() - ticket.last_inbound_at < timedelta(hours=23):
            self.deliver(word, stamp, at)
            self.check()
            send_text(ticket=Ticket.objects.get(pk=ticket.pk), user=self.agent, body=word)
            deliver_due(limit=100)
            if self.owner != TicketOwner.US:
                self.told(TicketOwner.US, self.now)

    def resolve(self, word: str, stamp: str, at: int) -> None:
        ticket = Ticket.objects.order_by("-pk").first()
        if ticket is not None and ticket.user_id == self.agent.pk:
            self.change(ticket, status="closed")

    def give_back(self, word: str, stamp: str, at: int) -> None:
        ticket = Ticket.objects.order_by("-pk").first()
        if ticket is not None and ticket.status == "open":
            self.change(ticket, status="pending")

    def change(self, ticket: Ticket, **fields: Any) -> None:
        update_ticket(user=self.agent, ticket_id=ticket.pk, change=TicketChange.of(fields))

    def work(self, word: str, stamp: str, at: int) -> None:
        """The customer has gone quiet, and every timer runs."""
        BotPause.objects.update(next_attempt_at=timezone.now())
        end_due(limit=100)
        run_timers()

    def deliver(self, word: str, stamp: str, at: int) -> None:
        while deliver_due(limit=100):
            pass
        assert not Delivery.objects.filter(UNFINISHED).exists()


FROM_META = ["customer", "copy", "echo", "passed", "taken"]
OURS = ["take", "take_refused", "release", "person", "resolve", "give_back", "work", "deliver"]
steps = st.one_of(
    st.tuples(st.sampled_from(FROM_META), st.sampled_from(WORDS), st.booleans()),
    st.tuples(st.sampled_from(OURS), st.sampled_from(WORDS), st.just(False)),
)


def story(*names: str, last: int = APART) -> list[Any]:
    """Return the steps of a story, the last of which comes so many seconds after the others."""
    return [((name, "1", False), last if name == names[-1] else APART) for name in names]


@example(story=story("taken", "deliver"))
@example(story=story("copy", "work"))
@example(story=story("deliver", "taken", "customer", "taken", "work"))
@example(story=story("customer", "work", "person", "taken", "resolve"))
@example(story=story("customer", "work", "person", "echo", "give_back"))
@example(story=story("customer", "work", "person", "taken", "work", last=90 * 60))
@example(story=story("deliver", "taken", "work", last=40 * 60))
@example(story=story("customer", "work", "person", "resolve", "taken", "deliver"))
@settings(
    max_examples=cases(120),
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    story=st.lists(
        st.tuples(steps, st.sampled_from([APART, APART, APART, 40 * 60, 90 * 60])),
        min_size=2,
        max_size=9,
    )
)
def test_the_bot_never_writes_where_another_owns(
    number: Connection, agent: User, graph: GraphServer, story: list[Any]
) -> None:
    cache.clear()
    graph.messages.clear()
    with transaction.atomic():
        told = Story(agent, graph)
        told.step("customer", "Oi", is_late=False, seconds=APART)
        for (what, word, is_late), seconds in story:
            told.step(what, word, is_late=is_late, seconds=seconds)
        told.step("work", "", is_late=False, seconds=APART)
        told.step("deliver", "", is_late=False, seconds=APART)
        transaction.set_rollback(True)
