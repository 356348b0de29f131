"""Whatever is written, fails and passes, the bot leaves nobody alone (rules/bot §9)."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

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
    judge,
    leads,
    leave,
)
from tests.talks import NOON, Talk, company

SHUT = [{"weekdayEn": "wednesday", "startTime": "09:00", "endTime": "12:00"}]
WORDS = ["Oi", "1", "2", "0", "#", "menu", "quero fila 2", "a segunda", "atendente", "x" * 400, ""]
WORDS += ["Ana Lima", "ana@casa.com.br", "529.982.247-25", "529.982.247-24", "4477"]
MEDIA = ["conversation"] * 6 + ["audio", "sticker", "image"]


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


written = st.builds(MessageView, st.sampled_from(WORDS), st.sampled_from(MEDIA))
# A burst that is read together, what fails or falls silent meanwhile, and how long it takes.
steps = st.tuples(
    st.lists(written, min_size=1, max_size=4),
    st.sampled_from(["", "failed", "finished", "silent", "handed_over"]),
    st.sampled_from([0, 5, 60, 300, 900]),
)


@settings(max_examples=300, deadline=None)
@given(talk=talks(), story=st.lists(steps, min_size=1, max_size=12))
def test_an_unheld_ticket_ends_with_a_queue_and_its_contact_with_an_answer(
    talk: Talk, story: list[Any]
) -> None:
    said, awaited = 0, False

    def take(decision: Any) -> None:
        nonlocal said, awaited
        talk._take(decision)
        said += sum(isinstance(each, Say | Ask) for each in decision.actions)
        awaited |= any(
            isinstance(each, StartIntegration | StartPrompt) for each in decision.actions
        )

    for burst, end, minutes in story:
        views = talk.connection, talk.company, talk.now
        listens = False
        for message in burst:
            decision = decide(message, talk.ticket, *views, waits=True)
            listens |= any(isinstance(each, Listen) for each in decision.actions)
            kept = tuple(each for each in decision.actions if not isinstance(each, Listen))
            take(replace(decision, actions=kept))
        if listens:
            take(judge(burst, talk.ticket, *views))
        if awaited:
            # The flow says nothing, now and ever: either it ends here, or its silence does.
            take(leave(end or "silent", talk.ticket, *views))
            awaited = False
        talk.later(minutes=minutes)
        leading = leads(talk.ticket, talk.connection, talk.company)
        assert talk.ticket.queue_id is not None or (leading and talk.state.menu)
        assert said
