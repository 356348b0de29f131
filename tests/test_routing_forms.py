"""Several questions in one form (rules/bot §12), without database."""

from dataclasses import replace
from typing import Any

import pytest

from apps.queues.forms import forms_of
from apps.tickets.bot_states import Id
from apps.tickets.services.bot.routing import FormAnswer, OptionView, QueueView, TicketView
from tests.talks import DELIVERIES, MENU, MONEY, Talk, company, connection_view

RIGHT: dict[Id, str] = {1: "Ana Souza", 2: "ana@casa.com.br", 4: "A-77"}
SAVED = ["value name  Ana Souza", "value email  ana@casa.com.br", "value number Pedido A-77"]
THANKS = "say Obrigado! Anotei as suas respostas."
HOURS = [{"weekdayEn": "wednesday", "startTime": "00:00", "endTime": "00:00"}]


def chain(*leaves: OptionView, **first: Any) -> OptionView:
    """Return name, e-mail, telephone and number, each below the one before."""
    number = OptionView(4, "Pedido", "Qual?", asks="number", asks_field="Pedido", children=leaves)
    phone = OptionView(3, "Fone", "", asks="phone", children=(number,))
    email = OptionView(2, "E-mail", "", asks="email", tag_id=7, children=(phone,))
    first.setdefault("asks_together", True)
    return OptionView(1, "Cadastro", "Seu nome?", asks="name", children=(email,), **first)


def talk(option: OptionView | None = None, *, is_published: bool = True, **fields: Any) -> Talk:
    """Return a talk at the first menu of a queue with the questions, of a contact with a number."""
    option = option or chain()
    queue = QueueView(10, "Pedidos", greeting="Olá!", options=(option, OptionView(9, "Nada", "Ok")))
    flows = {form.digest: f"flow{place}" for place, form in enumerate(forms_of(option))}
    queues = (queue, DELIVERIES, MONEY)
    said = Talk(
        connection=connection_view(
            *queues, fallback_message="Um momento.", forms=flows if is_published else {}
        ),
        company=company(queues={each.id: each for each in queues}, **fields),
        ticket=TicketView(has_number=True),
    )
    said.write("Oi")
    said.write("1")
    return said


def asked(**fields: Any) -> Talk:
    said = talk(**fields)
    assert said.write("1") == ["form Seu nome? (flow1: 3)"]
    return said


def answer(said: Talk, values: dict[Id, str], first: Id | None = 1) -> list[str]:
    return said.write("Nome: Ana", form=FormAnswer(first, values))


def test_the_form_asks_what_is_not_known_and_its_answer_ends_it() -> None:
    said = asked()
    assert said.actions[-1].text.splitlines()[1:] == ["", "*0* - Voltar", "*#* - Menu principal"]
    assert answer(said, RIGHT) == ["tag 7", *SAVED, THANKS, "end leaf", "fallback"]
    assert answer(said, RIGHT) == [], "a repeated answer moves nothing"


def test_who_has_no_known_number_is_asked_for_it_as_well() -> None:
    said = talk()
    said.ticket = replace(said.ticket, has_number=False)
    assert said.write("1") == ["form Seu nome? (flow0: 4)"]
    assert answer(said, {**RIGHT, 3: "(11) 98765-4321"})[3] == "value phone  +55 11 98765-4321"


def test_the_conversation_goes_on_behind_the_last_question() -> None:
    said = talk(chain(OptionView(5, "Falar"), OptionView(6, "Sair")))
    said.write("1")
    assert answer(said, RIGHT)[-2:] == [THANKS, "ask Pedido (4)"]
    assert said.state.option_id == 4


def test_wrong_values_are_asked_for_one_by_one() -> None:
    said = asked()
    taken = answer(said, {1: "Oi", 2: "ana@casa.com.br"})
    assert taken[:2] == ["tag 7", SAVED[1]]
    assert taken[2].startswith("ask Não entendi o nome.")
    assert said.state.answered == "2"
    # Neither the good one nor the known telephone is asked for again.
    assert said.write("Ana Souza") == ["value name  Ana Souza", *ASKED_LAST]
    assert said.write("A-77")[0] == SAVED[2]
    assert said.state.answered == ""


ASKED_LAST = ["say Obrigado! Anotei: Ana Souza", "ask Qual? (2)"]


def test_who_writes_instead_is_asked_one_by_one() -> None:
    said = asked()
    assert said.write("Meu nome é Ana Souza") == ["ask Seu nome? (2)"]
    assert said.write("Ana Souza")[1:] == ["say Obrigado! Anotei: Ana Souza", "tag 7", EMAIL]
    # The form is still open on the telephone.
    assert answer(said, RIGHT)[1:4] == SAVED


EMAIL = "ask Qual é o seu e-mail? (2)"


@pytest.mark.parametrize("is_published", [True, False])
def test_the_ways_back_lead_out_of_all_questions(is_published: bool) -> None:
    said = talk(is_published=is_published)
    said.write("1")
    assert said.write("0") == ["ask Olá! (3)"]
    said.write("1")
    said.write("Ana Souza")
    assert said.write("0") == ["ask Olá! (3)"]
    said.write("1")
    assert said.write("menu") == [MENU]


def test_without_a_published_form_the_questions_follow_each_other() -> None:
    said = talk(is_published=False)
    assert said.write("1") == ["ask Seu nome? (2)"]
    assert said.write("Ana Souza")[1:] == ["say Obrigado! Anotei: Ana Souza", "tag 7", EMAIL]
    assert said.write("ana@casa.com.br")[-1] == "ask Qual? (2)"
    assert said.write("A-77")[-2:] == ["end leaf", "fallback"]


def test_without_the_switch_a_menu_follows_a_question() -> None:
    said = talk(chain(asks_together=False))
    said.write("1")
    assert said.write("Ana Souza")[-1] == "ask Cadastro (3)"


def test_one_question_needs_no_form() -> None:
    alone = OptionView(1, "Nome", "Seu nome?", asks="name", asks_together=True)
    assert talk(alone).write("1") == ["ask Seu nome? (2)"]


@pytest.mark.parametrize(
    ("first", "values"),
    [(None, RIGHT), (1, {}), (1, {99: "Ana"}), (99, RIGHT), (9, RIGHT)],
    ids=["foreign token", "empty", "foreign keys", "deleted option", "other option"],
)
def test_a_stray_answer_moves_nothing(first: Id | None, values: dict[Id, str]) -> None:
    said = asked()
    before = said.ticket
    assert answer(said, values, first) == []
    assert said.ticket == before
    assert answer(said, RIGHT)[1:4] == SAVED


def test_an_answer_after_the_option_was_deleted_moves_nothing() -> None:
    said = asked()
    queue = said.connection.queues[0]
    left = replace(queue, options=queue.options[1:])
    others = said.connection.queues[1:]
    said.connection = replace(said.connection, queues=(left, *others))
    said.company = replace(said.company, queues={10: left})
    assert answer(said, RIGHT) == []
    assert said.write("Alô?") == ["ask Olá! (2)"]


def test_a_stray_answer_at_a_menu_is_no_wrong_one() -> None:
    said = talk()
    assert answer(said, RIGHT) == []
    assert said.write("1") == ["form Seu nome? (flow1: 3)"]


def test_in_closed_hours_the_answers_are_kept() -> None:
    said = asked()
    opened = said.company
    said.company = replace(opened, schedule_type="company", schedules=HOURS)
    taken = answer(said, {1: "Ana Souza", 2: "ana@"})
    assert "value name  Ana Souza" in taken
    assert not any(each.startswith("ask") for each in taken)
    said.company = opened
    assert said.write("Olá?") == ["tag 7", EMAIL]


def test_pictures_are_no_answers() -> None:
    said = asked()
    assert said.write("", media_type="image") == ["say Preciso da resposta por escrito, por favor."]
    assert said.write("", media_type="image") == []
    assert answer(said, RIGHT)[1:4] == SAVED
