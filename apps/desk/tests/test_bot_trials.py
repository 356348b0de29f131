"""A bot's tree is tried on what contacts wrote; the same tree does the same (rules/desk §16)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.desk.decisions.bot_tally import BotTally
from apps.desk.decisions.bot_trials import (
    BotTrial,
    End,
    Node,
    Number,
    Outcome,
    Told,
    Tree,
    Unknown,
)
from apps.desk.decisions.stories import Deed, Happening, Story
from apps.desk.decisions.tally import Tally
from apps.tickets.services.bot.routing import (
    CompanyView,
    ConnectionView,
    MessageView,
    OptionView,
    QueueView,
)
from tests.lengths import cases

NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
SALES, ORDERS, MONEY = 1, 2, 3
END = NOON + timedelta(days=1)


def option(pk: int | str, title: str, *children: OptionView, **fields: Any) -> OptionView:
    return OptionView(id=pk, title=title, children=children, **fields)


PRICES, DELIVERY = option(11, "Preços"), option(12, "Entrega")
BILLS = option(13, "Boletos", option(14, "Segunda via"), option(15, "Atraso"))
ROOT = QueueView(id=SALES, name="Vendas", options=(PRICES, DELIVERY, BILLS))


def tree(queue: QueueView = ROOT, *others: QueueView, **fields: Any) -> Tree:
    """Return a bot with a number for these queues."""
    queues = (queue, *others)
    company = CompanyView(zone=UTC, queues={each.id: each for each in (*queues, AWAY)})
    return Tree({1: ConnectionView(queues=queues, **fields)}, company)


AWAY = QueueView(id=MONEY, name="Financeiro")


def try_on(
    before: Tree,
    after: Tree,
    *texts: str,
    happenings: Sequence[Happening] = (),
    number: Number | None = None,
    every: timedelta = MINUTE,
) -> tuple[Outcome, Outcome]:
    """Try two trees on what a contact wrote, a minute apart."""
    story = Story(
        id=1,
        ticket_id=1,
        contact_id=1,
        began_at=NOON,
        opened_at=NOON,
        connection_id=1,
        happenings=list(happenings),
    )
    messages = [(NOON + place * every, MessageView(text)) for place, text in enumerate(texts)]
    trial = BotTrial(before, after, {1: number or Number()})
    return trial.try_on(story, Told(messages, has_number=True), END)


def with_options(*options: OptionView) -> Tree:
    return tree(replace(ROOT, options=options))


def test_a_choice_counts_as_what_it_named_in_the_menu_that_the_contact_had() -> None:
    goes_away = replace(DELIVERY, redirection_queue_id=MONEY)
    before = with_options(PRICES, goes_away, BILLS)
    after = with_options(goes_away, BILLS, PRICES)
    was, would = try_on(before, after, "Oi", "2")
    # The second entry was 'Entrega', which is the first one now.
    assert was == would == Outcome(End.PEOPLE, MONEY, steps=2)


def test_an_option_with_another_title_is_the_same_option() -> None:
    renamed = replace(BILLS, title="Pagamentos", children=())
    _, would = try_on(with_options(PRICES, BILLS), with_options(PRICES, renamed), "Oi", "boletos")
    assert (would.end, would.stopped_at) == (End.PEOPLE, None)


def test_what_is_gone_from_the_menu_stops_the_contact_there() -> None:
    was, would = try_on(tree(), with_options(PRICES, BILLS), "Oi", "Entrega")
    assert was == Outcome(End.PEOPLE, SALES, steps=2)
    assert would == Outcome(End.BOT, stopped_at=Node(SALES, None))
    # What it wrote to the person then is no answer to the bot.
    taken = Happening(NOON + 2 * MINUTE, Deed.TAKEN, 5)
    assert (
        try_on(tree(), with_options(PRICES), "Oi", "Entrega", "1", happenings=[taken])[1] == would
    )


def test_a_menu_that_the_contact_never_had_decides_nothing() -> None:
    deeper = replace(PRICES, children=(option("new", "Atacado"), option("more", "Varejo")))
    after = with_options(deeper, DELIVERY, BILLS)
    lost = Outcome(End.UNDECIDED, unknown=Unknown.UNSEEN, unseen=Node(SALES, 11))
    # Whether it wrote on to the person or not.
    assert try_on(tree(), after, "Oi", "1")[1] == lost
    assert try_on(tree(), after, "Oi", "1", "obrigada")[1] == lost
    # Who went another way is not concerned.
    was, would = try_on(tree(), after, "Oi", "2")
    assert was == would


def test_a_level_less_takes_fewer_steps() -> None:
    flat = replace(BILLS, children=())
    was, would = try_on(tree(), with_options(PRICES, DELIVERY, flat), "Oi", "3", "Atraso")
    assert (was.end, was.steps) == (End.PEOPLE, 3)
    assert (would.end, would.steps) == (End.PEOPLE, 2)


def test_a_flow_and_a_model_are_not_guessed() -> None:
    flow, model = replace(ROOT, integration_id=7), replace(ROOT, prompt_id=7)
    for queue, why in ((flow, Unknown.INTEGRATION), (model, Unknown.PROMPT)):
        assert try_on(tree(queue), tree(queue), "Oi", "1") == (
            Outcome(End.UNDECIDED, unknown=why),
            Outcome(End.UNDECIDED, unknown=why),
        )
        # The contact answered the flow, so that it has not answered the menu.
        assert try_on(tree(queue), tree(), "Oi", "1")[1].unknown == Unknown.UNSEEN
        assert try_on(tree(), tree(queue), "Oi", "1")[1].unknown == why


def test_a_pressed_button_is_known_by_its_words() -> None:
    long = option(21, "Segunda via do boleto atrasado")
    queue = replace(ROOT, options=(PRICES, long))
    before = tree(queue, native_menus=True)
    shown = replace(before, company=replace(before.company, menu_type="button"))
    was, _ = try_on(shown, shown, "Oi", "Segunda via do bole…")
    assert was == Outcome(End.PEOPLE, SALES, steps=2)


def test_the_limit_leaves_the_contact_to_people_and_names_the_menu() -> None:
    before = tree(max_menus=2)
    was, would = try_on(before, before, "Oi", "xyz", "abc")
    assert was == would == Outcome(End.PEOPLE, SALES, steps=3, stopped_at=Node(SALES, None))
    # A valid answer still counts until a person comes.
    assert try_on(before, before, "Oi", "xyz", "abc", "3")[0].end == End.BOT


def test_who_takes_it_from_the_bot_has_it_in_both_trees() -> None:
    taken = Happening(NOON + 90 * timedelta(seconds=1), Deed.TAKEN, 5)
    was, would = try_on(tree(), with_options(DELIVERY, BILLS), "Oi", "3", "1", happenings=[taken])
    assert was == Outcome(End.PEOPLE, SALES, steps=2)
    assert would.end == End.PEOPLE


def test_the_messages_of_a_pause_are_read_together() -> None:
    quiet = Number(quiet=4 * timedelta(seconds=1))
    words = ("Oi", "tudo bem?", "quero", "preços")
    was, would = try_on(tree(), tree(), *words, number=quiet, every=timedelta(seconds=2))
    # The menu was sent once, after all of them.
    assert was == would == Outcome(End.BOT)
    was, _ = try_on(tree(), tree(), "Oi", "preços", number=quiet)
    assert (was.end, was.steps) == (End.PEOPLE, 2)


def test_a_ticket_without_a_queue_goes_where_the_number_says_in_time() -> None:
    other = QueueView(id=ORDERS, name="Pedidos")
    patient = Number(transfer_after=10 * MINUTE, transfer_queue_id=ORDERS)
    both = tree(ROOT, other)
    assert try_on(both, both, "Oi")[0].end == End.BOT
    assert try_on(both, both, "Oi", number=patient)[0] == Outcome(End.PEOPLE, ORDERS, steps=1)


def test_where_another_responder_leads_nothing_is_decided() -> None:
    led = Happening(NOON + 30 * timedelta(seconds=1), Deed.LED)
    was, would = try_on(tree(), tree(), "Oi", "1", happenings=[led])
    assert was == would
    assert was.unknown == Unknown.ELSEWHERE


def test_a_conversation_that_people_began_is_not_the_bots() -> None:
    wrote = Happening(NOON, Deed.ANSWERED, 1)
    assert try_on(tree(), tree(), "Oi", "1", happenings=[wrote])[0].end == End.NOT_BEGUN
    bare = with_options()
    was, would = try_on(bare, tree(), "Oi", "1")
    assert (was.end, would.unknown) == (End.NOT_BEGUN, Unknown.UNSEEN)


titles = st.sampled_from(["Preços", "Entrega", "Boletos", "Outros", "Trocas"])
asks = st.sampled_from(["", "", "", "name", "email", "number", "phone", "text"])


@st.composite
def options(draw: st.DrawFn, depth: int = 2, prefix: int = 1) -> tuple[OptionView, ...]:
    names = draw(st.lists(titles, max_size=3, unique=True))
    return tuple(
        OptionView(
            id=prefix * 10 + place,
            title=name,
            asks=draw(asks),
            redirection_queue_id=draw(st.sampled_from([None, None, SALES, ORDERS, MONEY])),
            children=draw(options(depth - 1, prefix * 10 + place)) if depth else (),
        )
        for place, name in enumerate(names, 1)
    )


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    queues = [
        QueueView(
            id=pk,
            name=name,
            options=draw(options(prefix=pk)),
            integration_id=draw(st.sampled_from([None] * 6 + [7])),
            prompt_id=draw(st.sampled_from([None] * 6 + [7])),
        )
        for pk, name in ((SALES, "Vendas"), (ORDERS, "Pedidos"))
    ]
    kept = queues[: draw(st.integers(0, 2))]
    connection = ConnectionView(
        queues=tuple(kept),
        max_menus=draw(st.integers(0, 2)),
        keyword=draw(st.sampled_from(["", "pessoa"])),
        keyword_queue_id=MONEY,
        fallback_queue_id=draw(st.sampled_from([None, MONEY])),
        native_menus=draw(st.booleans()),
        interval_minutes=draw(st.sampled_from([0, 0, 5])),
    )
    hours = [{"weekdayEn": "monday", "startTime": "08:00", "endTime": "12:02"}]
    company = CompanyView(
        zone=UTC,
        queues={each.id: each for each in (*queues, AWAY)},
        schedules=hours,
        schedule_type=draw(st.sampled_from(["disabled", "disabled", "company"])),
        menu_type=draw(st.sampled_from(["text", "button", "list"])),
        alert_audio=draw(st.booleans()),
    )
    return Tree({1: connection}, company)


words = st.sampled_from(
    ["1", "2", "3", "0", "#", "menu", "Oi", "preços", "quero entrega", "Boletos", "pessoa"]
    + ["ana@exemplo.com", "pedido 123", "Maria Silva", "Vendas"]
)
messages = st.builds(
    MessageView, words, media_type=st.sampled_from(["conversation"] * 5 + ["audio", "image"])
)
deeds = st.sampled_from([Deed.TAKEN, Deed.GIVEN, Deed.ANSWERED, Deed.CLOSED, Deed.LED, Deed.WROTE])


@st.composite
def pasts(draw: st.DrawFn) -> tuple[Story, Told]:
    gaps = draw(st.lists(st.integers(0, 300), max_size=8))
    at, written = NOON, []
    for gap in gaps:
        at += timedelta(seconds=gap)
        written.append((at, draw(messages)))
    moments = sorted(draw(st.lists(st.integers(0, 1500), max_size=2)))
    happenings = [Happening(NOON + timedelta(seconds=each), draw(deeds)) for each in moments]
    story = Story(
        id=draw(st.integers(1, 99)),
        ticket_id=1,
        contact_id=1,
        began_at=NOON,
        opened_at=NOON,
        connection_id=1,
        happenings=happenings,
    )
    queue_id = draw(st.sampled_from([None, None, SALES, ORDERS, MONEY]))
    return story, Told(written, queue_id, draw(st.booleans()))


numbers = st.builds(
    Number,
    quiet=st.sampled_from([None, timedelta(seconds=4), timedelta(seconds=31)]),
    transfer_after=st.sampled_from([None, 5 * MINUTE]),
    transfer_queue_id=st.sampled_from([None, ORDERS]),
)


@settings(max_examples=cases(400))
@given(trees(), st.lists(pasts(), max_size=4), numbers)
def test_the_tree_that_is_on_changes_nothing(
    bot: Tree, past: list[tuple[Story, Told]], number: Number
) -> None:
    figures = BotTally(Tally(), {})
    same = Tree(dict(bot.connections), replace(bot.company, queues=dict(bot.company.queues)))
    trial = BotTrial(bot, same, {1: number})
    for story, told in past:
        figures.add(story, *trial.try_on(story, told, END))
    plain = figures.plain()
    assert plain["before"] == plain["after"]
    assert figures.tally.changed == 0
    assert all(each["before"] == each["after"] for each in plain["queues"])
    assert all(each["stoppedBefore"] == each["stoppedAfter"] for each in plain["nodes"])
    assert not any(each["unseen"] for each in plain["nodes"])


@settings(max_examples=cases(400))
@given(trees(), trees(), pasts(), numbers)
def test_each_conversation_is_counted_once_whatever_the_trees(
    before: Tree, after: Tree, past: tuple[Story, Told], number: Number
) -> None:
    figures = BotTally(Tally(), {})
    outcomes = BotTrial(before, after, {1: number}).try_on(*past, END)
    figures.add(past[0], *outcomes)
    plain = figures.plain()
    for side, outcome in zip((plain["before"], plain["after"]), outcomes, strict=True):
        parts = side["people"] + side["inBot"] + sum(side["undecided"].values())
        assert side["began"] == parts == (outcome.end != End.NOT_BEGUN)
        assert (outcome.unknown is None) == (outcome.end != End.UNDECIDED)
        assert (outcome.steps is None) == (outcome.end != End.PEOPLE)
    # By the tree that is on, no answer is one to a menu that the contact never had.
    assert outcomes[0].unknown != Unknown.UNSEEN
    assert figures.tally.changed == (outcomes[0] != outcomes[1])
