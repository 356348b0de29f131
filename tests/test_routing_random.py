"""Whatever the trees and whatever is written, the bot goes on, says something or lets go."""

import random
from dataclasses import replace

import pytest

from apps.tickets.bot_states import BotState
from apps.tickets.services.bot.routing import (
    Ask,
    CompanyView,
    ConnectionView,
    EndBot,
    MoveToQueue,
    OptionView,
    QueueView,
    Say,
    StartIntegration,
    StartPrompt,
    TicketView,
    leads,
)
from apps.tickets.services.bot.routing.menus import BODY_LENGTH, BUTTON_COUNT, ROW_COUNT
from tests.talks import NOON, ZONE, Talk

WORDS = [
    "",
    " ",
    "0",
    "#",
    "👍",
    "áudio",
    "Fila 2",
    "opção 1",
    "3.",
    "１",
    "2️⃣",
    "x" * 500,
    "{{name}}",
]
MEDIA = ["conversation"] * 9 + ["audio", "sticker", "locationMessage"]
STEPS = 40


def options(
    random: random.Random, queues: int, depth: int, ids: list[int]
) -> tuple[OptionView, ...]:
    found = []
    for _ in range(random.randint(0 if depth else 1, 4) if depth < 4 else 0):
        ids[0] += 1
        found.append(
            OptionView(
                ids[0],
                random.choice(["Opção", "opcao", "Opção 1", "", "7", "👍"]),
                random.choice(["", "Texto", "y" * 2000]),
                random.choice([None, *range(1, queues + 3)]),
                asks=random.choice(["", "", "", "name", "cpf", "number", "text"]),
                children=options(random, queues, depth + 1, ids),
            )
        )
    return tuple(found)


def world(random: random.Random) -> tuple[ConnectionView, CompanyView]:
    count = random.randint(0, 12)
    shut = [{"weekdayEn": "wednesday", "startTime": "09:00", "endTime": "12:00"}]
    ids = [0]
    queues = [
        QueueView(
            number,
            random.choice([f"Fila {number}", "Fila", "2"]),
            random.choice(["", f"Olá, aqui é {number}"]),
            "Fechado",
            random.choice([(), shut]),
            options(random, count, 0, ids) if random.random() < 0.7 else (),
            random.choice([None] * 9 + [1]),
            random.choice([None] * 9 + [2]),
        )
        for number in range(1, count + 1)
    ]
    connection = ConnectionView(
        greeting="Bem-vindo",
        out_of_hours_message="Fechado",
        queues=tuple(random.sample(queues, random.randint(0, count))),
        max_menus=random.choice([0, 1, 3]),
        interval_minutes=random.choice([0, 0, 5]),
        keyword=random.choice(["", "áudio"]),
        keyword_queue_id=random.choice([None, 1, 99]),
        integration_id=random.choice([None] * 9 + [3]),
        prompt_id=random.choice([None] * 9 + [4]),
        native_menus=random.random() < 0.5,
    )
    company = CompanyView(
        zone=ZONE,
        schedule_type=random.choice(["disabled", "company", "queue"]),
        schedules=random.choice([(), shut]),
        menu_type=random.choice(["text", "button", "list"]),
        alert_audio=random.random() < 0.5,
        queues={queue.id: queue for queue in queues if random.random() < 0.95},
    )
    return connection, company


def state(random: random.Random) -> BotState:
    """Return a state that may belong to another world."""
    stored = {
        "menu": random.choice(["", "queues", "options", "value"]),
        "option_id": random.choice([None, 1, 5, 999, "draft"]),
        "menus_sent": random.randint(0, 4),
    }
    return BotState.of(stored)


@pytest.mark.parametrize("seed", range(60))
def test_no_tree_and_no_answer_makes_it_loop_fail_or_forget_the_contact(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        connection, company = world(chance)
        ticket = TicketView(chance.choice([None, 1, 2, 99]), state=state(chance))
        talk = Talk(connection, company, ticket, NOON)
        for _ in range(STEPS):
            if chance.random() < 0.03:
                talk.connection, talk.company = world(chance)
            if chance.random() < 0.05:
                talk.enter(chance.randint(1, 13), chance.choice(["timer", "prompt", "integration"]))
                check(talk, answered=False)
            choice_id = chance.choice(["", "", f"option:{chance.randint(1, 60)}", "queue:1", "0"])
            words = chance.choice([*WORDS, str(chance.randint(0, 13))])
            was = talk.ticket
            led = leads(was, talk.connection, talk.company)
            media_type = chance.choice(MEDIA)
            talk.write(words, media_type=media_type, choice_id=choice_id)
            check(talk, answered=True)
            # But for a valid answer after the limit, with which it goes on.
            if was.state.ended and (talk.state.ended or not was.state.left_menu):
                assert not any(isinstance(each, Ask | StartPrompt) for each in talk.actions)
            if led and not talk.actions and media_type == "conversation":
                left_to_a_person(talk)
            talk.later(minutes=chance.choice([0, 1, 30, 300]))


def check(talk: Talk, *, answered: bool) -> None:
    actions = talk.actions
    # At most: out of hours, audio alert, the only queue, the leaf's words, a move, an end, a word.
    assert len(actions) <= 8
    moves = [each for each in actions if isinstance(each, MoveToQueue)]
    assert len(moves) <= 2
    last = [each for each in actions if isinstance(each, Ask | StartIntegration | StartPrompt)]
    assert len(last) <= 1
    assert sum(isinstance(each, EndBot) for each in actions) <= 1
    if any(isinstance(each, EndBot) for each in actions):
        assert not last
        assert talk.state.ended
        assert not leads(talk.ticket, talk.connection, talk.company)
    for each in actions:
        if isinstance(each, Say):
            assert each.text.strip()
        if isinstance(each, Ask):
            assert actions[-1] is each
            assert talk.state.menu
            check_menu(each)
    if answered and talk.connection.max_menus:
        assert talk.state.menus_sent <= max(talk.connection.max_menus, 4)


def check_menu(menu: Ask) -> None:
    assert menu.text.strip()
    if menu.choices:
        assert len(menu.text) <= BODY_LENGTH
        assert len(menu.choices) <= (ROW_COUNT if menu.as_list else BUTTON_COUNT)
        titles = [each.title for each in menu.choices]
        assert len(set(titles)) == len(titles)
        assert all(0 < len(title) <= (24 if menu.as_list else 20) for title in titles)
        assert len({each.id for each in menu.choices}) == len(menu.choices)
        assert menu.fallback


def left_to_a_person(talk: Talk) -> None:
    """Nothing came of it: it is closed, silent after a menu, or no menu is left to send."""
    again = replace(talk.ticket, state=replace(talk.state, closed_period=""))
    if not leads(talk.ticket, talk.connection, talk.company) or talk.state.closed_period:
        return
    assert talk.state.menu, again
    assert talk.connection.interval_minutes
