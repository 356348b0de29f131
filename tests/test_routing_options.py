"""The tree of options, and what changes under it (rules/bot §4), without database."""

from dataclasses import replace

import pytest

from apps.tickets.bot_states import BotState
from apps.tickets.services.bot.routing import (
    Ask,
    ConnectionView,
    OptionView,
    QueueView,
    TicketView,
    leads,
)
from tests.talks import (
    BELOW,
    CHOSEN,
    DELIVERIES,
    MENU,
    MENU_AGAIN,
    MONEY,
    ORDERS,
    TOP,
    Talk,
    at_menu,
    below,
    company,
    connection_view,
)

TOP_ALONE = "ask Olá, {{firstName}}! O que houve com o pedido? (2)"


def test_a_node_prints_its_message_its_children_and_the_ways_back() -> None:
    talk = below()
    (menu,) = talk.actions
    assert isinstance(menu, Ask)
    assert menu.text == (
        "Que pena! Como prefere resolver?\n\n*1* - Quero um novo\n*2* - Quero o dinheiro\n"
        "*0* - Voltar\n*#* - Menu principal"
    )
    assert (talk.state.menu, talk.state.option_id) == ("options", 1)


@pytest.mark.parametrize("back", ["0", "0️⃣", "０", " 0 ", "0.", "(0)"])
def test_zero_goes_one_up(back: str) -> None:
    assert below().write(back) == [TOP]


@pytest.mark.parametrize("main", ["#", "#️⃣", "＃", " # ", "*#*", "#."])
def test_the_hash_leads_to_the_menu_of_queues(main: str) -> None:
    talk = below()
    assert talk.write(main) == [MENU]
    # The queue stays until another is chosen.
    assert talk.ticket.queue_id == 10
    assert talk.write("3") == CHOSEN


def test_pressed_ways_back_count_as_well() -> None:
    assert below().write("Voltar", choice_id="0") == [TOP]
    assert below().write("Menu principal", choice_id="#") == [MENU]


def test_choosing_the_queue_again_shows_its_options_without_a_move() -> None:
    talk = below()
    assert talk.write("#") == [MENU]
    assert talk.write("1") == [TOP]


def test_from_the_first_options_both_ways_lead_to_the_queues() -> None:
    for back in ("0", "#"):
        talk = at_menu()
        talk.write("1")
        assert talk.write(back) == [MENU]


def test_with_one_queue_its_first_options_are_the_main_menu() -> None:
    talk = Talk(connection=connection_view(ORDERS), ticket=TicketView(10))
    assert talk.write("Oi") == [TOP_ALONE]
    assert talk.write("1") == [BELOW]
    assert talk.write("#") == [TOP_ALONE]
    assert talk.write("1") == [BELOW]
    assert talk.write("0") == [TOP_ALONE]
    assert talk.state.menus_sent == 1
    # There is nothing above it.
    assert talk.write("0") == ["ask Não entendi. Escolha uma opção: (2)"]
    assert talk.state.menus_sent == 2


@pytest.mark.parametrize("words", ["2", "quero o dinheiro", "QUERO  O DINHEIRO", "2️⃣"])
def test_a_leaf_prints_its_message_and_leaves_the_ticket_to_a_person(words: str) -> None:
    talk = below()
    assert talk.write(words) == ["say Em até 7 dias.", "end leaf"]
    assert talk.write("Alguém?") == []


def test_a_leaf_that_leads_on_moves_and_is_greeted_there() -> None:
    assert below().write("1") == [
        "say Certo! Envie uma foto.",
        "to 20 by option",
        "say Aqui é das entregas.",
    ]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("1", ["end leaf", "fallback"]),
        ("2", ["say Certo! Um momento, por favor.", "to 20 by option", "say Aqui é das entregas."]),
    ],
)
def test_a_leaf_without_words_says_the_default(words: str, wanted: list[str]) -> None:
    queue = QueueView(40, "A", options=(OptionView(1, "X"), OptionView(2, "Y", " ", 20)))
    talk = Talk(
        connection=connection_view(queue, fallback_message="Um momento."), ticket=TicketView(40)
    )
    talk.write("Oi")
    assert talk.write(words) == wanted


def test_a_leaf_may_lead_to_the_first_options_of_its_own_queue() -> None:
    queue = replace(ORDERS, options=(OptionView(1, "De novo", "Vamos lá.", 10),))
    talk = Talk(
        connection=connection_view(queue),
        company=company(queues={10: queue}),
        ticket=TicketView(10),
    )
    talk.write("Oi")
    assert talk.write("1") == [
        "say Vamos lá.",
        "ask Olá, {{firstName}}! O que houve com o pedido? (1)",
    ]


def test_queues_that_lead_to_each_other_take_one_step_for_each_answer() -> None:
    a = QueueView(1, "A", "Em A", options=(OptionView(11, "Ir a B", "Já.", 2),))
    b = QueueView(2, "B", "Em B", options=(OptionView(21, "Ir a A", "Já.", 1),))
    talk = Talk(
        connection=connection_view(a), company=company(queues={1: a, 2: b}), ticket=TicketView(1)
    )
    talk.write("Oi")
    for _ in range(10):
        assert talk.write("1") == ["say Já.", "to 2 by option", "ask Em B (1)"]
        assert talk.write("1") == ["say Já.", "to 1 by option", "ask Em A (1)"]


def test_a_redirection_to_a_queue_that_is_gone_is_a_leaf_like_any_other() -> None:
    talk = below()
    talk.connection = connection_view(ORDERS, MONEY)
    talk.company = company(queues={10: ORDERS, 30: MONEY})
    assert talk.write("1") == ["say Certo! Envie uma foto.", "end leaf"]


def test_an_older_button_means_what_it_says() -> None:
    talk = below()
    assert talk.write("Finanças", choice_id="queue:30") == CHOSEN
    talk = below()
    talk.write("0")
    assert talk.write("Quero o dinheiro", choice_id="option:4") == [
        "say Em até 7 dias.",
        "end leaf",
    ]


@pytest.mark.parametrize(
    ("pressed", "answer"),
    [
        ("option:4", ["say Em até 7 dias.", "end leaf"]),
        ("option:1", [BELOW]),
        ("option:77", [MENU_AGAIN]),
    ],
)
def test_an_older_option_is_chosen_from_the_menu_of_queues_too(
    pressed: str, answer: list[str]
) -> None:
    talk = below()
    assert talk.write("#") == [MENU]
    assert talk.write("?", choice_id=pressed) == answer


def test_an_older_option_of_a_closed_queue_is_told_the_hours() -> None:
    talk = below()
    assert talk.write("#") == [MENU]
    shut = [{"weekdayEn": "wednesday", "startTime": "00:00", "endTime": "00:00"}]
    orders = replace(ORDERS, schedules=shut, out_of_hours_message="Voltamos amanhã.")
    talk.company = company(schedule_type="queue", queues={10: orders})
    assert talk.write("?", choice_id="option:4") == ["out_of_hours"]


def test_once_the_bot_has_ended_an_older_button_does_nothing() -> None:
    talk = below()
    talk.write("2")
    assert talk.write("Finanças", choice_id="queue:30") == []


# What changes under a conversation


def without(option_id: int) -> QueueView:
    return replace(ORDERS, options=tuple(o for o in ORDERS.options if o.id != option_id))


def put(talk: Talk, queue: QueueView) -> None:
    talk.connection = connection_view(queue, DELIVERIES, MONEY)
    talk.company = company(queues={each.id: each for each in (queue, DELIVERIES, MONEY)})


def test_an_option_deleted_under_the_contact_leads_to_what_is_left() -> None:
    talk = below()
    put(talk, without(1))
    assert talk.write("2") == ["ask Olá, {{firstName}}! O que houve com o pedido? (2)"]
    assert talk.state.option_id is None
    assert talk.write("1") == ["say São 30 dias.", "end leaf"]


def test_options_that_are_all_gone_leave_the_ticket_where_it_is() -> None:
    talk = below()
    put(talk, replace(ORDERS, options=()))
    assert talk.write("2") == []
    assert not leads(talk.ticket, talk.connection, talk.company)


def test_a_node_without_children_any_more_shows_the_menu_it_stands_in() -> None:
    talk = below()
    first = replace(ORDERS.options[0], children=())
    put(talk, replace(ORDERS, options=(first, *ORDERS.options[1:])))
    assert talk.write("2") == [TOP]


def test_a_queue_deleted_under_the_contact_brings_the_menu_of_queues_back() -> None:
    talk = below()
    talk.connection = connection_view(DELIVERIES, MONEY)
    talk.company = company(queues={20: DELIVERIES, 30: MONEY})
    talk.ticket = replace(talk.ticket, queue_id=None)
    assert talk.write("2") == ["ask Bem-vindo à Casa Aroeira. (2)"]
    assert talk.state.menus_sent == 1


def test_a_queue_that_went_from_the_menu_is_not_chosen_by_its_old_place() -> None:
    talk = at_menu()
    talk.connection = connection_view(ORDERS, DELIVERIES)
    assert talk.write("3") == ["ask Não entendi. Escolha uma opção: (2)"]


def test_when_one_queue_is_left_the_ticket_gets_it_in_silence() -> None:
    talk = at_menu()
    talk.connection = connection_view(MONEY)
    assert talk.write("3") == ["to 30 by single"]


def test_when_no_queue_is_left_nothing_is_asked() -> None:
    talk = at_menu()
    talk.connection = ConnectionView()
    assert talk.write("3") == []
    assert not leads(talk.ticket, talk.connection, talk.company)


def test_a_state_of_another_queue_shows_the_options_of_this_one() -> None:
    talk = below()
    other = QueueView(40, "Outra", "Em outra", options=(OptionView(41, "X"),))
    talk.company = company(queues={40: other})
    talk.ticket = replace(talk.ticket, queue_id=40)
    assert talk.write("2") == ["ask Em outra (2)"]


def test_a_queue_that_is_not_ours_to_know_is_left_alone() -> None:
    talk = Talk(ticket=TicketView(999))
    assert talk.write("Oi") == []


@pytest.mark.parametrize(
    "stored",
    [None, {}, [], {"menu": "queues", "menus_sent": "x"}, {"menu": 5, "option_id": [1]}]
    + [{"ended": "yes"}, {"menu_at": "ontem"}, {"menu_at": "2026-01-01T00:00:00"}],
)
def test_a_stored_state_that_makes_no_sense_harms_nothing(stored: object) -> None:
    state = BotState.of(stored)  # type: ignore[arg-type]
    assert not state.ended
    assert BotState.of(state.as_json()) == state
    talk = Talk(ticket=TicketView(state=state))
    assert talk.write("Oi") == [MENU]


def test_a_new_cycle_begins_anew_but_repeats_no_notice() -> None:
    talk = Talk()
    state = BotState(
        ended=True,
        menu="queues",
        menus_sent=3,
        closed_period="company x",
        audio_alert_at=talk.now,
        keyword_used=True,
    )
    assert state.for_new_cycle() == BotState(closed_period="company x", audio_alert_at=talk.now)
    assert BotState().as_json() == {}
