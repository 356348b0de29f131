"""What is a value that a contact was asked for (rules/bot §10), without database."""

from dataclasses import replace

import pytest

from apps.tickets.services.bot.routing import MessageView, OptionView, QueueView, decide, judge
from apps.tickets.services.bot.routing.values import value_of
from tests.talks import DELIVERIES, MENU, MONEY, Talk, company, connection_view

ASKING = QueueView(
    10,
    "Pedidos",
    greeting="Olá!",
    options=(
        OptionView(
            1,
            "Trocar",
            "O que houve?",
            children=(
                OptionView(3, "Peça", "Qual o pedido?", asks="number", asks_field="Pedido"),
                OptionView(4, "Outro", "Conte tudo.", 20, asks="text", asks_field="Motivo"),
            ),
        ),
        OptionView(2, "Prazos", "São 30 dias."),
    ),
)
QUEUES = (ASKING, DELIVERIES, MONEY)
QUESTION = "ask Qual o pedido? (2)"


def asked(choice: str = "1", **fields: object) -> Talk:
    """Return a talk where the question of the first option's child waits."""
    talk = Talk(
        connection=connection_view(*QUEUES, fallback_message="Um momento.", **fields),
        company=company(queues={each.id: each for each in QUEUES}),
    )
    for words in ("Oi", "1", "1"):
        talk.write(words)
    talk.write(choice)
    assert talk.state.menu == "value"
    return talk


@pytest.mark.parametrize(
    ("kind", "words", "wanted"),
    [
        ("name", "Maria D'Ávila-Souza", "Maria D'Ávila-Souza"),
        ("name", "Olá, meu nome é João da Silva.", "João da Silva"),
        ("name", "Sou a Ana", "Ana"),
        ("name", "Oi, tudo bem?", ""),
        ("name", "Bom dia", ""),
        ("name", "não", ""),
        ("name", "J", ""),
        ("name", "Maria 2", ""),
        ("name", "M" * 51, ""),
        ("email", "é Ana.Lima+1@casa.com.br, tá?", "Ana.Lima+1@casa.com.br"),
        ("email", "ana@casa", ""),
        ("email", "ana@@casa.com", ""),
        ("email", "ana..lima@casa.com", ""),
        ("email", "a@b.com ou c@d.com", ""),
        ("email", "x" * 300 + "@casa.com", ""),
        ("cpf", "52998224725", "529.982.247-25"),
        ("cpf", "meu CPF: 529.982.247-25", "529.982.247-25"),
        ("cpf", "５２９９８２２４７２５", "529.982.247-25"),
        ("cpf", "529.982.247-24", ""),
        ("cpf", "00000000000", ""),
        ("cpf", "11.222.333/0001-81", ""),
        ("number", "pedido nº 12345", "12345"),
        ("phone", "(11) 98765-4321", "+55 11 98765-4321"),
        ("phone", "+351 912 345 678 e ligue à tarde", "+351 912 345 678"),
        ("phone", "11 98765-4321 ou 11 98765-4322", ""),
        ("phone", "98765-4321", ""),
        ("phone", "529.982.247-25", ""),
        ("number", "#A-77/2026.", "A-77/2026"),
        ("number", "não sei", ""),
        ("number", "12 ou 13", ""),
        ("number", "1" * 41, ""),
        ("text", "  Veio quebrado,\nde novo ", "Veio quebrado, de novo"),
        ("text", "Olá", ""),
        ("text", "?", ""),
        ("text", "x" * 501, ""),
        ("text", "a\x00b", "ab"),
    ],
)
def test_a_value_is_read_in_its_one_form(kind: str, words: str, wanted: str) -> None:
    assert value_of(kind, [MessageView(words)], "BR") == wanted


def test_what_nobody_reads_takes_no_time() -> None:
    for kind in ("name", "email", "cpf", "phone", "number", "text"):
        assert value_of(kind, [MessageView("a.1-" * 20_000)], "BR") == ""


def test_a_value_is_taken_and_the_way_goes_on() -> None:
    assert asked().write("4477") == [
        "value number Pedido 4477",
        "say Obrigado! Anotei: 4477",
        "end leaf",
        "fallback",
    ]
    assert asked("2").write("Não gostei {{name}}") == [
        "value text Motivo Não gostei {{name}}",
        "say Obrigado! Anotei.",
        "to 20 by option",
        "say Aqui é das entregas.",
    ]


def test_an_option_without_words_asks_by_its_kind() -> None:
    talk = asked()
    child = replace(ASKING.options[0].children[0], message="")
    queue = replace(ASKING, options=(replace(ASKING.options[0], children=(child,)),))
    talk.connection = connection_view(queue, DELIVERIES, MONEY)
    talk.company = company(queues={10: queue, 20: DELIVERIES, 30: MONEY})
    talk.write("0")
    assert talk.write("1") == ["ask Qual é o número? (2)"]


def test_the_ways_back_lead_out_of_the_question() -> None:
    assert asked().write("0") == ["ask O que houve? (4)"]
    assert asked().write("#") == [MENU]
    assert asked().write("menu") == [MENU]
    assert asked("2").write("Voltar", choice_id="0") == ["ask O que houve? (4)"]
    assert asked("2").write("Prazos", choice_id="option:2")[0] == "say São 30 dias."
    assert asked("2").write("Finanças", choice_id="queue:30")[0] == "to 30 by menu"
    # A button that stands for nothing any more is no answer in words.
    assert asked("2").write("Sim", choice_id="x")[0].startswith("ask ")


def test_the_keyword_goes_before_a_value() -> None:
    talk = asked("2", keyword="atendente", keyword_queue_id=30)
    assert talk.write("atendente")[0] == "to 30 by keyword"


def test_a_wrong_value_is_asked_for_again_as_often_as_the_limit() -> None:
    talk = asked(max_menus=2)
    (again,) = talk.write("não sei")
    assert again.startswith("ask Não encontrei o número.")
    assert talk.write("não sei") == ["end limit", "fallback"]


def test_pieces_of_one_breath_are_one_text() -> None:
    talk = asked("2")
    burst = [MessageView("Veio"), MessageView("quebrado")]
    talk._take(judge(burst, talk.ticket, talk.connection, talk.company, talk.now))
    assert talk.actions[0].value == "Veio quebrado"


def test_what_was_written_before_the_question_is_no_free_value() -> None:
    talk = asked("2")
    early = MessageView("E aí?", is_hasty=True)
    assert decide(early, talk.ticket, talk.connection, talk.company, talk.now).actions == ()


def test_a_question_that_is_gone_leads_to_what_is_left() -> None:
    talk = asked()
    top = ASKING.options[0]
    queue = replace(ASKING, options=(replace(top, children=top.children[1:]),))
    talk.connection = connection_view(queue, DELIVERIES, MONEY)
    talk.company = company(queues={10: queue, 20: DELIVERIES, 30: MONEY})
    assert talk.write("4477") == ["ask Olá! (2)"]
    talk = asked()
    child = replace(top.children[0], asks="")
    queue = replace(ASKING, options=(replace(top, children=(child, top.children[1])),))
    talk.company = company(queues={10: queue, 20: DELIVERIES, 30: MONEY})
    assert talk.write("4477") == ["ask O que houve? (4)"]


def test_closed_a_right_value_is_kept_and_a_wrong_one_waits() -> None:
    talk = asked()
    shut = [{"weekdayEn": "wednesday", "startTime": "00:00", "endTime": "00:00"}]
    open_company, top = talk.company, ASKING.options[0]
    asking = replace(top.children[0], children=(OptionView(5, "Rastrear", "Já vai."),))
    queue = replace(ASKING, options=(replace(top, children=(asking,)),))
    queues: dict[int | str, QueueView] = {10: queue, 20: DELIVERIES, 30: MONEY}
    talk.company = replace(open_company, queues=queues, schedule_type="company", schedules=shut)
    assert talk.write("sei lá") == []
    assert talk.write("4477")[0] == "value number Pedido 4477"
    # In time the menu below is shown with the first word.
    talk.company = replace(open_company, queues=queues)
    assert talk.write("Oi") == ["ask Peça (3)"]
