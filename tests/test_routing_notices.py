"""Keyword, integration and prompt, audio alert, groups and held tickets, without database."""

from dataclasses import replace

import pytest

from apps.tickets.bot_states import BotState
from apps.tickets.services.bot.routing import TicketView
from tests.talks import DELIVERIES, MONEY, ORDERS, Talk, company, connection_view

MENU = "ask Bem-vindo à Casa Aroeira. (3)"
GREETED = ["to 30 by keyword", "end handed_over", "say Aqui é das finanças."]


def with_keyword(**fields: object) -> Talk:
    fields = {"keyword": "Segunda via", "keyword_queue_id": 30, **fields}
    return Talk(connection=connection_view(**fields))


# Groups and held tickets


@pytest.mark.parametrize("ticket", [TicketView(is_group=True), TicketView(has_user=True)])
@pytest.mark.parametrize("text", ["Oi", "Segunda via", "1"])
@pytest.mark.parametrize("media_type", ["conversation", "audio"])
def test_groups_and_held_tickets_are_left_alone(
    ticket: TicketView, text: str, media_type: str
) -> None:
    talk = with_keyword(integration_id=5, prompt_id=6)
    talk.company = company(alert_audio=True, schedule_type="company")
    talk.ticket = ticket
    before = talk.state
    assert talk.write(text, media_type=media_type) == []
    assert talk.enter(20, "timer") == []
    assert talk.state == before


# The keyword


@pytest.mark.parametrize("words", ["segunda via", "  SEGUNDA   VIA ", "Ségunda vía", "Segunda via"])
def test_the_keyword_moves_ends_the_bot_and_greets_once(words: str) -> None:
    talk = with_keyword()
    assert talk.write(words) == GREETED
    assert talk.write(words) == []
    assert talk.write("1") == []


def test_who_was_moved_on_by_a_person_comes_back_by_the_keyword() -> None:
    talk = with_keyword()
    talk.write("segunda via")
    talk.ticket = replace(talk.ticket, queue_id=20)
    assert talk.write("segunda via") == ["to 30 by keyword", "say Aqui é das finanças."]


@pytest.mark.parametrize("words", ["segunda", "segunda via?", "a segunda via", "segundavia", ""])
def test_the_keyword_is_the_whole_text(words: str) -> None:
    assert with_keyword().write(words) == [MENU]


def test_the_keyword_counts_while_a_menu_waits() -> None:
    talk = with_keyword()
    talk.write("Oi")
    talk.write("1")
    assert talk.write("segunda via") == GREETED


def test_the_keyword_goes_before_an_integration() -> None:
    assert with_keyword(integration_id=5).write("segunda via") == GREETED


def test_the_keyword_helps_who_was_left_waiting_by_the_bot() -> None:
    talk = with_keyword(max_menus=1)
    talk.write("Oi")
    assert talk.write("?") == ["end limit", "to 10 by fallback"]
    assert talk.write("segunda via") == ["to 30 by keyword", "say Aqui é das finanças."]


def test_the_keyword_starts_neither_options_nor_integration_of_its_queue() -> None:
    talk = with_keyword(keyword_queue_id=10)
    talk.company = company(queues={10: replace(ORDERS, integration_id=5)})
    assert talk.write("segunda via") == [
        "to 10 by keyword",
        "end handed_over",
        "say Olá, {{firstName}}! O que houve com o pedido?",
    ]


def test_the_keyword_for_the_queue_one_is_in_greets_without_a_move() -> None:
    talk = with_keyword()
    talk.ticket = TicketView(30)
    assert talk.write("segunda via") == ["end handed_over", "say Aqui é das finanças."]


def test_an_empty_keyword_or_one_without_queue_is_none() -> None:
    assert with_keyword(keyword="").write("") == [MENU]
    assert with_keyword(keyword=" ").write(" ") == [MENU]
    assert with_keyword(keyword_queue_id=None).write("segunda via") == [MENU]
    assert with_keyword(keyword_queue_id=99).write("segunda via") == [MENU]


def test_a_keyword_under_a_picture_is_none() -> None:
    assert with_keyword().write("segunda via", media_type="image") == [MENU]


def test_a_keyword_in_the_night_moves_and_says_that_it_is_night() -> None:
    shut = [{"weekdayEn": "wednesday", "startTime": "00:00", "endTime": "00:00"}]
    talk = with_keyword(out_of_hours_message="Amanhã.")
    talk.company = company(schedule_type="company", schedules=shut)
    assert talk.write("segunda via") == ["out_of_hours", "to 30 by keyword", "end handed_over"]
    talk = with_keyword()
    closed = replace(MONEY, schedules=shut, out_of_hours_message="Amanhã.")
    talk.company = company(schedule_type="queue", queues={30: closed})
    assert talk.write("segunda via") == ["to 30 by keyword", "end handed_over", "out_of_hours"]


# Integration and prompt


def test_an_integration_of_the_connection_answers_instead_of_the_menu() -> None:
    talk = Talk(connection=connection_view(integration_id=5))
    assert talk.write("Oi") == ["integration 5"]
    assert talk.write("1") == ["integration 5"]


def test_a_prompt_of_the_connection_answers_instead_of_the_menu() -> None:
    talk = Talk(connection=connection_view(prompt_id=6))
    assert talk.write("Oi") == ["prompt 6"]
    assert talk.write("", media_type="audio") == ["prompt 6"]


@pytest.mark.parametrize(
    ("queue", "connection", "wanted"),
    [
        ({"integration_id": 1}, {"integration_id": 2}, "integration 1"),
        ({}, {"integration_id": 2}, "integration 2"),
        ({"prompt_id": 1}, {"prompt_id": 2}, "prompt 2"),
        ({"prompt_id": 1}, {}, "prompt 1"),
        ({"integration_id": 1, "prompt_id": 1}, {}, "integration 1"),
        ({"integration_id": 1}, {"prompt_id": 2}, "integration 1"),
    ],
)
def test_whose_integration_or_prompt_answers(
    queue: dict[str, int], connection: dict[str, int], wanted: str
) -> None:
    only = replace(ORDERS, **queue)  # type: ignore[arg-type]
    talk = Talk(
        connection=connection_view(only, **connection),
        company=company(queues={10: only}),
        ticket=TicketView(10),
    )
    assert talk.write("Oi") == [wanted]


def test_a_chosen_queue_lets_its_integration_answer_before_its_options() -> None:
    queue = replace(ORDERS, integration_id=5)
    talk = Talk(
        connection=connection_view(queue, MONEY), company=company(queues={10: queue, 30: MONEY})
    )
    talk.write("Oi")
    assert talk.write("1") == ["to 10 by menu", "integration 5"]
    assert talk.write("2") == ["integration 5"]


def test_after_the_end_nothing_answers() -> None:
    talk = Talk(
        connection=connection_view(integration_id=5), ticket=TicketView(state=BotState(ended=True))
    )
    assert talk.write("Oi") == []


# The audio alert


def test_an_audio_is_answered_once_an_hour() -> None:
    talk = Talk(
        connection=connection_view(DELIVERIES),
        company=company(alert_audio=True),
        ticket=TicketView(20),
    )
    assert talk.write(media_type="audio") == ["audio_alert"]
    talk.later(minutes=59)
    assert talk.write(media_type="audio") == []
    talk.later(minutes=1)
    assert talk.write(media_type="audio") == ["audio_alert"]
    assert talk.write("Texto") == []


def test_an_audio_as_an_answer_is_alerted_and_no_wrong_answer() -> None:
    talk = Talk(company=company(alert_audio=True))
    talk.write("Oi")
    assert talk.write(media_type="audio") == ["audio_alert"]
    assert talk.write(media_type="audio") == []


def test_without_the_setting_an_audio_is_stored_and_no_more() -> None:
    talk = Talk(connection=connection_view(DELIVERIES), ticket=TicketView(20))
    assert talk.write(media_type="audio") == []


# Led into a queue from outside


def test_a_timer_leads_to_the_queue_as_a_choice_does() -> None:
    assert Talk().enter(10, "timer") == [
        "to 10 by timer",
        "ask Olá, {{firstName}}! O que houve com o pedido? (3)",
    ]
    assert Talk().enter(20, "timer") == ["to 20 by timer", "say Aqui é das entregas."]
    assert Talk().enter(99, "timer") == []


def test_after_the_bot_a_timer_moves_and_greets() -> None:
    talk = Talk(ticket=TicketView(state=BotState(ended=True)))
    assert talk.enter(10, "timer") == [
        "to 10 by timer",
        "say Olá, {{firstName}}! O que houve com o pedido?",
    ]


@pytest.mark.parametrize("by", ["integration", "prompt"])
def test_a_hand_over_ends_the_bot_and_announces_who_goes_on(by: str) -> None:
    queue = replace(MONEY, prompt_id=6, integration_id=5)
    talk = Talk(company=company(queues={30: queue}))
    assert talk.enter(30, by) == [
        f"to 30 by {by}",
        "end handed_over",
        "say Aqui é das finanças.",
    ]
    assert talk.write("Oi") == []


def test_a_hand_over_inside_the_queue_greets_nobody_twice() -> None:
    talk = Talk(ticket=TicketView(30))
    assert talk.enter(30, "prompt") == ["end handed_over"]


# 'menu' while a flow leads


@pytest.mark.parametrize(
    ("automation", "start"),
    [({"integration_id": 5}, "integration 5"), ({"prompt_id": 6}, "prompt 6")],
)
def test_menu_leads_back_from_a_queues_flow(automation: dict[str, int], start: str) -> None:
    led = replace(MONEY, **automation)  # type: ignore[arg-type]
    talk = Talk(
        connection=connection_view(ORDERS, DELIVERIES, led),
        company=company(queues={each.id: each for each in (ORDERS, DELIVERIES, led)}),
    )
    assert talk.write("Oi") == [MENU]
    assert talk.write("3") == ["to 30 by menu", start]
    assert talk.write("quero o menu do dia") == [start]
    assert talk.write("Menu!") == ["stop flow", MENU]
    assert talk.write("3") == [start]
    assert talk.write("menu") == ["stop flow", MENU]
    assert talk.write("2") == ["to 20 by menu", "say Aqui é das entregas."]


def test_menu_is_a_word_like_others_to_the_connections_own_flow() -> None:
    talk = Talk(connection=connection_view(integration_id=5))
    talk.ticket = replace(talk.ticket, state=BotState(menu_offered=True))
    assert talk.write("menu") == ["integration 5"]
