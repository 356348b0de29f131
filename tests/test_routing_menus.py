"""The menu of queues, its limits, and how a menu is put (rules/bot §2, §5), without database."""

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
from apps.tickets.services.bot.routing.answers import plain
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


def test_several_queues_are_offered_after_the_greeting_in_their_order() -> None:
    talk = at_menu()
    (menu,) = talk.actions
    assert isinstance(menu, Ask)
    assert menu.text == (
        "Bem-vindo à Casa Aroeira.\n\n*1* - Pedidos\n*2* - Entregas\n*3* - Finanças"
    )
    assert (talk.state.menu, talk.state.menus_sent) == ("queues", 1)


@pytest.mark.parametrize(
    "words",
    ["3", " 3 ", "3.", "3)", "(3)", "*3*", "03", "３", "3️⃣", "③", "٣", "3 👍", "- 3 -"]
    + ["Finanças", "finanças", "FINANCAS", "  finanças  ", "Finanças!", "*Finanças*", "💰 finanças"]
    + ["3 - Finanças", "*3* - Finanças", "3. financas"]
    + ["opção 3", "Opcao 3", "quero a 3", "a opção 3, por favor", "número 3", "3 por favor", "3ª"]
    + ["a terceira", "terceiro", "A terceira opção", "quero o terceiro"]
    + ["quero finanças", "Finanças por favor", "preciso falar com as finanças, tem alguém?"]
    + ["quero falar no finanças", "estou sem internet, quero finanças", "não sei, finanças?"]
    + ["não recebi nada. Finanças, por favor", "não é entrega, mas finanças"],
)
def test_a_queue_is_chosen_by_number_or_name(words: str) -> None:
    assert at_menu().write(words) == CHOSEN


@pytest.mark.parametrize(
    "words",
    ["", " ", "0", "#", "4", "-1000", "33", "3333", "9" * 5000, "3,5", "1 2", "3 - Entregas"]
    + [
        "👍",
        "😀😀",
        "Finan",
        "não quero finanças",
        "oi, não quero finanças",
        "finanças não",
        "no quiero finanças",
        "no es para finanças",
        "I don't want finanças",
        "pedidos ou finanças?",
        "tem 3 em estoque?",
        "o terceiro pedido não veio",
        "\N{ZERO WIDTH SPACE}",
        "{{3}} reais",
        "x" * 9000,
    ],
)
def test_anything_else_repeats_the_menu(words: str) -> None:
    talk = at_menu()
    assert talk.write(words) == [MENU_AGAIN]
    assert talk.state.menus_sent == 2


@pytest.mark.parametrize(
    "media_type",
    ["audio", "sticker", "image", "video", "application", "vcard", "locationMessage", "unknown"],
)
def test_what_is_no_text_is_no_answer_whatever_stands_under_it(media_type: str) -> None:
    talk = at_menu()
    assert talk.write("3", media_type=media_type) == []
    assert talk.state.menus_sent == 1


def test_ten_as_one_emoji_is_ten() -> None:
    queues = tuple(QueueView(n, f"Fila {n}") for n in range(100, 112))
    talk = Talk(connection=connection_view(*queues), company=company(queues={}))
    talk.write("Oi")
    assert talk.write("🔟") == ["to 109 by menu"]


def test_a_button_or_row_is_known_by_its_id_whatever_it_says() -> None:
    assert at_menu().write("Finan… 2", choice_id="queue:30") == CHOSEN
    talk = below()
    assert talk.write("?", choice_id="option:4") == ["say Em até 7 dias.", "end leaf"]


def test_the_first_message_is_no_answer() -> None:
    assert Talk().write("3") == [MENU]
    assert Talk().write("Finanças") == [MENU]


def test_an_id_of_a_queue_that_is_gone_repeats_the_menu() -> None:
    assert at_menu().write("Antiga", choice_id="queue:77") == [MENU_AGAIN]
    assert at_menu().write("Finanças", choice_id="queue:77") == CHOSEN
    assert at_menu().write("3", choice_id="payload of a template") == CHOSEN


def test_a_number_means_a_place_before_it_means_a_name() -> None:
    one, two = QueueView(1, "2"), QueueView(2, "1")
    talk = Talk(connection=connection_view(one, two), company=company(queues={}))
    talk.write("Oi")
    assert talk.write("2") == ["to 2 by menu"]


def test_a_wrong_answer_is_told_so_and_gets_the_menu_without_the_greeting() -> None:
    talk = at_menu()
    talk.write("quanto custa?")
    (ask,) = talk.actions
    assert isinstance(ask, Ask)
    assert ask.text == (
        "Não entendi. Escolha uma opção:\n\n*1* - Pedidos\n*2* - Entregas\n*3* - Finanças"
    )


def test_a_wrong_answer_to_an_option_hears_its_question_again() -> None:
    talk = below()
    talk.write("quanto custa?")
    (ask,) = talk.actions
    assert isinstance(ask, Ask)
    assert ask.text.startswith("Não entendi.\n\nQue pena! Como prefere resolver?\n\n*1* - ")


# The limits


def test_the_menu_is_sent_as_often_as_the_limit_and_then_the_bot_ends() -> None:
    talk = at_menu(max_menus=3)
    assert talk.write("?") == [MENU_AGAIN]
    assert talk.write("?") == [MENU_AGAIN]
    assert talk.write("?") == ["end limit", "to 10 by fallback"]
    assert talk.state.ended
    assert talk.write("?") == []


@pytest.mark.parametrize("words", ["3", "Finanças", "quero finanças", "a terceira"])
def test_a_valid_answer_after_the_limit_still_leads_to_its_queue(words: str) -> None:
    talk = at_menu(max_menus=1, fallback_message="Um momento.")
    assert talk.write("?") == ["end limit", "to 10 by fallback", "fallback"]
    assert talk.write("alguém?") == []
    assert talk.write(words) == CHOSEN
    assert (talk.state.ended, talk.state.left_menu) == (False, "")


def test_a_valid_answer_after_the_limit_may_name_the_queue_that_it_is_in() -> None:
    talk = at_menu(max_menus=1)
    assert talk.write("?") == ["end limit", "to 10 by fallback"]
    assert talk.write("1") == [TOP]
    assert leads(talk.ticket, talk.connection, talk.company)


def test_a_valid_answer_after_the_limit_of_options_goes_on_with_them() -> None:
    talk = below(at_menu(max_menus=1))
    assert talk.write("?") == ["end limit"]
    assert talk.write("2") == ["say Em até 7 dias.", "end leaf"]
    assert talk.write("1") == []
    talk = below(at_menu(max_menus=1))
    assert talk.write("?") == ["end limit"]
    assert talk.write("0") == [TOP]


def test_while_closed_a_valid_answer_after_the_limit_still_moves_the_ticket() -> None:
    shut = [{"weekdayEn": "wednesday", "startTime": "10:00", "endTime": "10:00"}]
    closed = replace(ORDERS, schedules=shut, out_of_hours_message="Só amanhã.")
    talk = Talk(
        connection=connection_view(closed, DELIVERIES, MONEY, max_menus=1),
        company=company(schedule_type="queue", queues={}),
    )
    talk.write("Oi")
    assert talk.write("?") == ["end limit", "to 10 by fallback", "out_of_hours"]
    assert talk.write("3") == CHOSEN


def test_after_a_person_no_menu_takes_an_answer() -> None:
    talk = at_menu(max_menus=1)
    talk.write("?")
    talk.ticket = replace(talk.ticket, state=talk.state.taken_over())
    assert talk.write("3") == []


def test_a_limit_of_one_still_takes_an_answer() -> None:
    assert at_menu(max_menus=1).write("3") == CHOSEN
    assert at_menu(max_menus=1).write("?") == ["end limit", "to 10 by fallback"]


def test_without_limit_the_menu_is_repeated_for_ever() -> None:
    talk = at_menu(max_menus=0)
    for _ in range(50):
        assert talk.write("?") == [MENU_AGAIN]


@pytest.mark.parametrize("limit", [3, 0])
def test_who_asks_for_the_menu_for_ever_gets_it_five_times_and_then_a_person(limit: int) -> None:
    """Two programs that answer each other end somewhere."""
    talk = at_menu(max_menus=limit, fallback_message="Já vem alguém.")
    for _ in range(5):
        assert talk.write("menu") == [MENU]
    assert talk.write("menu") == ["end limit", "to 10 by fallback", "fallback"]
    for _ in range(5):
        assert talk.write("menu") == []
    # A choice still counts, and begins the count anew.
    assert talk.write("1") == [TOP]
    for _ in range(5):
        assert talk.write("menu") == [MENU]


def test_the_way_back_from_options_is_counted_where_nothing_is_chosen() -> None:
    talk = at_menu()
    for _ in range(8):
        assert talk.write("1")[-1] == TOP
        assert talk.write("#") == [MENU]
    only = Talk(connection=connection_view(ORDERS))
    first = only.write("Oi")[-1]
    for _ in range(5):
        assert only.write("menu") == [first]
    assert only.write("menu") == ["end limit"]
    assert only.write("menu") == []


def test_a_flow_keeps_the_ticket_of_whoever_has_asked_too_often() -> None:
    talk = at_menu()
    talk.ticket = replace(talk.ticket, state=replace(talk.state, menu="", menus_asked=5))
    flow = replace(MONEY, integration_id=7)
    talk.connection = connection_view(ORDERS, DELIVERIES, flow)
    talk.company = company(queues={flow.id: flow})
    talk.ticket = replace(talk.ticket, queue_id=flow.id)
    assert talk.write("menu") == ["integration 7"]


def test_the_limit_is_counted_per_menu_and_begins_anew_with_a_valid_choice() -> None:
    talk = at_menu(max_menus=2)
    assert talk.write("?") == [MENU_AGAIN]
    assert talk.write("1") == ["to 10 by menu", TOP]
    assert talk.write("?") == [MENU_AGAIN]
    assert talk.write("1") == [BELOW]
    assert talk.write("?") == ["ask Não entendi. (4)"]
    assert talk.write("#") == [MENU]
    assert talk.write("?") == [MENU_AGAIN]
    assert talk.write("?") == ["end limit"]


def test_after_a_menu_there_is_silence_for_the_interval_but_an_answer_counts() -> None:
    talk = at_menu(interval_minutes=5)
    talk.later(minutes=4)
    assert talk.write("?") == []
    assert talk.state.menus_sent == 1
    talk.later(minutes=1)
    assert talk.write("?") == [MENU_AGAIN]
    talk.later(seconds=10)
    assert talk.write("?") == []
    assert talk.write("3") == CHOSEN


def test_who_asks_for_the_menu_at_the_menu_has_not_answered_wrongly() -> None:
    talk = at_menu(max_menus=1, interval_minutes=10)
    for _ in range(3):
        assert talk.write("Menu!") == [MENU]
        assert talk.state.menus_sent == 1
    # Not what was written before the menu could be read.
    assert talk.write("menu", is_hasty=True) == []
    talk.later(minutes=11)
    assert talk.write("xx")[0] == "end limit"


def test_the_interval_does_not_hold_back_the_next_menu() -> None:
    assert below(at_menu(interval_minutes=60)).write("0") == [TOP]


def test_who_is_led_to_no_queue_is_left_where_the_connection_says_and_told_so_once() -> None:
    talk = at_menu(max_menus=1, fallback_queue_id=30, fallback_message="Um momento.")
    assert talk.write("?") == ["end limit", "to 30 by fallback", "fallback"]
    talk = at_menu(max_menus=1, fallback_queue_id=99, fallback_message="Um momento.")
    assert talk.write("?") == ["end limit", "to 10 by fallback", "fallback"]
    talk.ticket = replace(talk.ticket, state=talk.state.for_new_cycle())
    assert not talk.state.fallback_told


def test_outside_the_hours_of_the_fallbacks_queue_its_own_text_stands_for_it() -> None:
    shut = [{"weekdayEn": "wednesday", "startTime": "10:00", "endTime": "10:00"}]
    closed = replace(MONEY, schedules=shut, out_of_hours_message="Só amanhã.")
    told = {"fallback_queue_id": 30, "fallback_message": "Um momento.", "max_menus": 1}
    talk = Talk(
        connection=connection_view(ORDERS, DELIVERIES, closed, **told),
        company=company(schedule_type="queue", queues={}),
    )
    talk.write("Oi")
    assert talk.write("?") == ["end limit", "to 30 by fallback", "out_of_hours"]


def test_in_the_interval_the_limit_ends_nothing() -> None:
    talk = at_menu(interval_minutes=5, max_menus=1)
    assert talk.write("?") == []
    talk.later(minutes=6)
    assert talk.write("?") == ["end limit", "to 10 by fallback"]


# Who leads


@pytest.mark.parametrize(
    ("ticket", "connection", "wanted"),
    [
        (TicketView(), connection_view(), True),
        (TicketView(10), connection_view(ORDERS), True),
        (TicketView(20), connection_view(DELIVERIES), False),
        (TicketView(20), connection_view(), False),
        (TicketView(), ConnectionView(), False),
        (TicketView(), connection_view(DELIVERIES), False),
        (TicketView(20), connection_view(DELIVERIES, integration_id=1), True),
        (TicketView(20), connection_view(DELIVERIES, prompt_id=1), True),
        (TicketView(20), connection_view(replace(DELIVERIES, prompt_id=1)), False),
        (TicketView(10, state=BotState(ended=True)), connection_view(), False),
        (TicketView(10, has_user=True), connection_view(), False),
        (TicketView(10, is_group=True), connection_view(), False),
    ],
)
def test_chatbot_says_whether_the_bot_has_something_to_do(
    ticket: TicketView, connection: ConnectionView, wanted: bool
) -> None:
    assert leads(ticket, connection, company()) is wanted


# How a menu is put


def native(menu_type: str, *queues: QueueView, greeting: str = "Escolha:") -> Ask:
    talk = Talk(
        connection=connection_view(*queues, native_menus=True, greeting=greeting),
        company=company(menu_type=menu_type, queues={}),
    )
    talk.write("Oi")
    (menu,) = talk.actions
    assert isinstance(menu, Ask)
    return menu


def many(count: int, name: str = "Fila") -> tuple[QueueView, ...]:
    return tuple(QueueView(number, f"{name} {number}") for number in range(1, count + 1))


def test_menus_are_text_unless_wanted_and_possible_otherwise() -> None:
    assert native("text", *many(2)).choices == ()
    talk = Talk(company=company(menu_type="button"))
    talk.write("Oi")
    assert isinstance(talk.actions[0], Ask)
    assert talk.actions[0].choices == ()


def test_up_to_three_are_buttons_and_up_to_ten_a_list() -> None:
    buttons = native("button", *many(3))
    assert [each.id for each in buttons.choices] == ["queue:1", "queue:2", "queue:3"]
    assert (buttons.text, buttons.as_list) == ("Escolha:", False)
    assert native("button", *many(4)).choices == ()
    rows = native("list", *many(10))
    assert (len(rows.choices), rows.as_list) == (10, True)
    assert native("list", *many(11)).choices == ()
    assert native("list", *many(11)).text.endswith("*11* - Fila 11")


def test_titles_are_cut_and_never_equal() -> None:
    name = "Atendimento ao cliente da loja"
    buttons = native("button", *many(3, name)).choices
    assert [each.title for each in buttons] == [
        "Atendimento ao clie…",
        "Atendimento ao cl… 2",
        "Atendimento ao cl… 3",
    ]
    rows = native("list", *many(10, name)).choices
    assert all(len(each.title) <= 24 for each in rows)
    assert len({each.title for each in rows}) == 10
    assert [each.description for each in rows][:2] == [f"{name} 1", f"{name} 2"]
    assert max(len(each.description) for each in native("list", *many(2, "x" * 100)).choices) == 72


def test_the_ways_back_are_choices_where_they_fit_and_lines_where_not() -> None:
    def shown(count: int, menu_type: str) -> Ask:
        below_it = tuple(OptionView(n, f"Opção {n}") for n in range(2, 2 + count))
        queue = QueueView(10, "A", options=(OptionView(1, "Nó", "Qual?", children=below_it),))
        talk = Talk(
            connection=connection_view(queue, native_menus=True),
            company=company(menu_type=menu_type, queues={}),
            ticket=TicketView(10),
        )
        talk.write("Oi")
        talk.write("1")
        menu = talk.actions[0]
        assert isinstance(menu, Ask)
        return menu

    assert [each.id for each in shown(1, "button").choices] == ["option:2", "0", "#"]
    assert len(shown(3, "button").choices) == 3
    assert shown(3, "button").text == "Qual?\n\n*0* - Voltar\n*#* - Menu principal"
    assert shown(4, "button").choices == ()
    assert len(shown(8, "list").choices) == 10
    assert len(shown(10, "list").choices) == 10
    assert shown(11, "list").choices == ()
    assert shown(2, "button").fallback.endswith("*#* - Menu principal")


def test_a_text_too_long_for_a_native_menu_is_a_text() -> None:
    assert native("list", *many(2), greeting="x" * 1025).choices == ()
    assert native("list", *many(2), greeting="x" * 1024).choices != ()


def test_a_menu_without_words_has_some() -> None:
    assert native("text", *many(2), greeting=" ").text.startswith("Escolha uma opção:\n")
    assert native("button", *many(2), greeting="").text == "Escolha uma opção:"


def test_digits_of_every_kind_are_digits() -> None:
    assert plain(" １2️⃣③٤🔟 ") == "123410"
