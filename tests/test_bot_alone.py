"""Whatever is written, fails and passes, the bot leaves nobody alone (rules/bot §9).

The decisions, and what the service leaves out before it asks for them, without a database.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.connections.models import Connection, ProviderKind
from apps.tickets.models import Message, Ticket
from apps.tickets.services.bot.answering import said, sorted_out
from apps.tickets.services.bot.executor import Heard
from apps.tickets.services.bot.routing import (
    Ask,
    ConnectionView,
    FileView,
    Listen,
    MessageView,
    OptionView,
    QueueView,
    Say,
    StartIntegration,
    StartPrompt,
    decide,
    give_back,
    judge,
    leads,
    leave,
    place,
    take_over,
)
from tests.lengths import cases
from tests.talks import NOON, Talk, company

# The connection's own minutes, as they are until an admin changes them (rules/bot §7).
MENU_SILENCE = timedelta(minutes=10)
SHUT = [{"weekdayEn": "wednesday", "startTime": "09:00", "endTime": "12:00"}]
WORDS = ["Oi", "1", "2", "0", "#", "menu", "quero fila 2", "a segunda", "atendente", "x" * 400, ""]
WORDS += ["Ana Lima", "ana@casa.com.br", "529.982.247-25", "529.982.247-24", "4477"]
MEDIA = ["conversation"] * 6 + ["audio", "sticker", "image", "call_log"]


def queue(number: int) -> st.SearchStrategy[QueueView]:
    leaf = st.builds(
        OptionView,
        id=st.integers(1, 10**6),
        title=st.sampled_from(["Sim", "Não", "Outro"]),
        message=st.sampled_from(["", "Está certo."]),
        redirection_queue_id=st.sampled_from([None, 1, 2, 99]),
        asks=st.sampled_from(["", "name", "email", "cpf", "number", "text"]),
        asks_field=st.sampled_from(["", "Campo"]),
        file=st.sampled_from([None, FileView(1, "1/shared/a", "a.png", "image/png")]),
    )
    node = st.builds(
        OptionView,
        id=st.integers(10**6 + 1, 2 * 10**6),
        title=st.just("Mais"),
        asks=st.sampled_from(["", "cpf", "text"]),
        children=st.lists(leaf, max_size=2, unique_by=lambda each: each.id).map(tuple),
    )
    return st.builds(
        QueueView,
        id=st.just(number),
        name=st.just(f"Fila {number}"),
        greeting=st.sampled_from(["", "Olá."]),
        out_of_hours_message=st.sampled_from(["", "Fechado."]),
        schedules=st.sampled_from([(), SHUT]),
        options=st.lists(leaf | node, max_size=3, unique_by=lambda each: each.id).map(tuple),
        integration_id=st.sampled_from([None, None, 5]),
        prompt_id=st.sampled_from([None, None, 6]),
    )


@st.composite
def talks(draw: st.DrawFn) -> Talk:
    queues = tuple(draw(queue(number)) for number in range(1, draw(st.integers(2, 4)) + 1))
    connection = ConnectionView(
        greeting="Bem-vindo.",
        out_of_hours_message=draw(st.sampled_from(["", "Fechado."])),
        queues=queues,
        max_menus=draw(st.sampled_from([0, 1, 3])),
        keyword="atendente",
        keyword_queue_id=draw(st.sampled_from([None, 1])),
        integration_id=draw(st.sampled_from([None, None, 5])),
        prompt_id=draw(st.sampled_from([None, None, 6])),
        fallback_queue_id=draw(st.sampled_from([None, 2, 99])),
        fallback_message="Um momento, por favor.",
    )
    return Talk(
        connection,
        company(
            schedule_type=draw(st.sampled_from(["disabled", "company", "queue"])),
            schedules=SHUT,
            queues={each.id: each for each in queues},
        ),
        now=NOON,
    )


# What is sent, and whether it is taken back before anybody reads it.
written = st.tuples(
    st.builds(MessageView, st.sampled_from(WORDS), st.sampled_from(MEDIA)),
    st.sampled_from([False, False, False, True]),
)
# What people do before the contact is quiet, and after the bot has answered.
acts = st.sampled_from(["", "", "", "", "phone", "accept", "return"])
# A burst that is read together, what fails or falls silent meanwhile, and how long it takes.
steps = st.tuples(
    st.lists(written, min_size=1, max_size=4),
    acts,
    st.sampled_from(["", "failed", "finished", "silent", "handed_over", "answers", "answers"]),
    acts,
    st.sampled_from([0, 5, 25, 40, 60, 300, 900]),
)


@dataclass
class Story:
    """A talk with all that happens around it, and what the contact has heard."""

    talk: Talk
    waits_since: datetime = NOON
    has_written: bool = False
    said: int = 0
    is_awaited: bool = False
    is_answered: bool = False

    def write(self, burst: list[tuple[MessageView, bool]], meanwhile: str) -> None:
        """Let the contact write, people do something, and the pause end."""
        messages = [_stored(place, wrote) for place, (wrote, _) in enumerate(burst, 1)]
        listens = False
        for message in said(messages):
            decision = decide(_view(message), self.talk.ticket, *self._views, waits=True)
            listens |= any(isinstance(each, Listen) for each in decision.actions)
            kept = tuple(each for each in decision.actions if not isinstance(each, Listen))
            self._take(replace(decision, actions=kept))
        for message, (_, is_taken_back) in zip(messages, burst, strict=True):
            message.is_deleted = is_taken_back
        self.has_written |= bool(said(messages))
        self.act(meanwhile)
        heard = [Heard(messages[0].ticket, messages, {})] if listens else []
        for each in sorted_out(heard)[0]:
            wrote = [_view(message) for message in each.messages]
            self._take(judge(wrote, self.talk.ticket, *self._views))

    def end_flow(self, end: str) -> None:
        """Have a flow that began answer and go on leading, or end here, if only by its silence."""
        if self.is_awaited and not self.talk.state.ended:
            self.is_answered = end == "answers"
            if self.is_answered:
                self.said += 1
            else:
                self._take(leave(end or "silent", self.talk.ticket, *self._views))
        self.is_awaited = False

    def act(self, what: str) -> None:
        """Let people do something, as far as it can be done."""
        ticket = self.talk.ticket
        if what == "return" and ticket.has_user:
            self.talk.ticket = replace(ticket, has_user=False)
            self.waits_since = self.talk.now
            is_answered = self.said > 0
            self._take(give_back(self.talk.ticket, *self._views, is_answered=is_answered))
        elif what == "accept" and not ticket.has_user:
            state = ticket.state.taken_over()
            self.talk.ticket = replace(ticket, has_user=True, state=state)
        elif what == "phone":
            self.said += 1
            if leads(ticket, self.talk.connection, self.talk.company):
                before = self.said
                self._take(take_over(ticket, *self._views))
                assert self.said == before

    def pass_time(self, minutes: int) -> None:
        """Let time go by, and the clock that shows to people who waits for too long."""
        self.talk.later(minutes=minutes)
        if self.talk.now - self.waits_since < MENU_SILENCE:
            return
        if self._is_leading and self.talk.ticket.queue_id is None:
            before = self.talk.state.menu, self.talk.state.menus_sent
            shown = place(self.talk.ticket, *self._views, by="timer", keeps_menu=True)
            self._take(shown)
            assert (self.talk.state.menu, self.talk.state.menus_sent) == before
            assert self._is_leading
        assert self.talk.ticket.queue_id is not None or self.talk.ticket.has_user

    def check(self) -> None:
        """Nobody who wrote is alone: a person has the ticket, or sees it, or menu or flow wait."""
        ticket = self.talk.ticket
        if ticket.has_user or not self.has_written:
            return
        waits = self.talk.state.menu == "queues" or self.is_answered
        assert ticket.queue_id is not None or (waits and self._is_leading)
        assert self.said

    def flow_hears(self) -> None:
        """Have a flow that answered be asked again, in whatever queue people see the ticket."""
        if self._is_leading and self.is_answered and not self.talk.state.menu:
            self.write([(MessageView("E então?"), False)], "")
            assert self.is_awaited or self.talk.state.closed_period

    @property
    def _is_leading(self) -> bool:
        return leads(self.talk.ticket, self.talk.connection, self.talk.company)

    @property
    def _views(self) -> tuple[Any, ...]:
        return self.talk.connection, self.talk.company, self.talk.now

    def _take(self, decision: Any) -> None:
        self.talk._take(decision)
        self.said += sum(isinstance(each, Say | Ask) for each in decision.actions)
        self.is_awaited |= any(
            isinstance(each, StartIntegration | StartPrompt) for each in decision.actions
        )


def _stored(pk: int, wrote: MessageView) -> Message:
    """Return a message as the service stores it, before anything of it was taken back."""
    ticket = Ticket(connection=Connection(provider=ProviderKind.BETA))
    return Message(pk=pk, ticket=ticket, body=wrote.text, media_type=wrote.media_type)


def _view(message: Message) -> MessageView:
    return MessageView(message.body, message.media_type)


# The same stories in each run; `derandomize=False` looks for others.
@settings(max_examples=cases(300), deadline=None, derandomize=True, database=None)
@given(talk=talks(), steps=st.lists(steps, min_size=1, max_size=12))
def test_an_unheld_ticket_ends_with_a_queue_and_its_contact_with_an_answer(
    talk: Talk, steps: list[Any]
) -> None:
    story = Story(talk)
    for burst, meanwhile, end, after, minutes in steps:
        story.write(burst, meanwhile)
        story.end_flow(end)
        story.act(after)
        story.pass_time(minutes)
        story.check()
    # However it stands: the person who has it goes, the menu's hour is over.
    story.act("return")
    story.pass_time(60)
    story.check()
    assert talk.ticket.queue_id is not None
    story.flow_hears()
