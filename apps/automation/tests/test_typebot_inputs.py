from typing import Any

import pytest

from apps.automation.clients.typebot_inputs import Input, ask, choose, read_input, reword


def waiting(block: dict[str, Any]) -> Input:
    found = read_input({"id": "b1", **block})
    assert found is not None
    return found


def buttons(*contents: str, multiple: bool = False) -> Input:
    items = [{"id": f"i{n}", "content": content} for n, content in enumerate(contents, 1)]
    return waiting(
        {"type": "choice input", "items": items, "options": {"isMultipleChoice": multiple}}
    )


@pytest.mark.parametrize(
    ("titles", "text", "chosen"),
    [
        (["Sim", "Não"], "1", "Sim"),
        (["Sim", "Não"], " 2. ", "Não"),
        (["Sim", "Não"], "2 - Não", "Não"),
        (["Sim", "Não"], "nao", "Não"),
        (["Sim", "Não"], "NÃO", "Não"),
        (["Sim", "Não"], "talvez", None),
        (["Sim", "Não"], "3", None),
        (["Sim", "Não"], "0", None),
        (["Sim", "Não"], "", None),
        (["Sim", "Não"], "12345678901234567890", None),
        (["2", "1"], "1", "1"),
        (["10 dias", "20 dias"], "20 dias", "20 dias"),
    ],
)
def test_a_choice_is_known_by_title_or_number(
    titles: list[str], text: str, chosen: str | None
) -> None:
    found = choose(buttons(*titles), text=text)
    assert [item.answer for item in found] == ([chosen] if chosen else [])


def test_a_native_choice_is_known_by_its_id_alone() -> None:
    assert [item.answer for item in choose(buttons("A", "B"), text="A", choice_id="i2")] == ["B"]
    assert choose(buttons("A", "B"), text="A", choice_id="other") == []


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("1,3", ["Azul", "Verde"]),
        ("1 e 2", ["Azul", "Rosa"]),
        ("azul, verde", ["Azul", "Verde"]),
        ("2", ["Rosa"]),
        ("1, 1", ["Azul"]),
        ("1, 9", []),
        ("azul, roxo", []),
    ],
)
def test_several_may_be_chosen_where_the_flow_says_so(text: str, chosen: list[str]) -> None:
    found = choose(buttons("Azul", "Rosa", "Verde", multiple=True), text=text)
    assert [item.answer for item in found] == chosen


def test_choices_are_numbered_below_the_question() -> None:
    reply = ask(buttons("Sim", "Não").asked_with("Confirma?"), native_menus=False)
    assert reply is not None
    assert (reply.text, reply.options) == ("Confirma?\n\n*1* - Sim\n*2* - Não", ())


def test_choices_are_native_where_the_line_has_them() -> None:
    reply = ask(buttons("Sim", "Não"), native_menus=True)
    assert reply is not None
    assert reply.text == "Escolha uma opção:"
    assert [(option.id, option.title) for option in reply.options] == [("i1", "Sim"), ("i2", "Não")]


@pytest.mark.parametrize(
    "block",
    [
        buttons(*[str(n) for n in range(11)]),
        buttons("Mais do que um botão", "Uma resposta que não cabe em um botão"),
        buttons("A", "B", "C", "Mais do que cabe em uma linha"),
        buttons("A", "B", multiple=True),
    ],
)
def test_what_does_not_fit_a_native_menu_is_numbered(block: Input) -> None:
    reply = ask(block, native_menus=True)
    assert reply is not None
    assert reply.options == ()


def test_pictures_and_cards_are_choices_too() -> None:
    pictures = waiting(
        {
            "type": "picture choice input",
            "items": [
                {
                    "id": "p1",
                    "title": "Bolo",
                    "description": "De milho",
                    "pictureSrc": "https://a/b",
                },
                {"id": "p2", "pictureSrc": "https://a/c.png"},
            ],
        }
    )
    assert [item.answer for item in pictures.items] == ["Bolo", "https://a/c.png"]
    reply = ask(pictures, native_menus=False)
    assert reply is not None
    assert reply.text == "*1* - Bolo\nDe milho\n*2* - Imagem 2"
    cards = waiting(
        {
            "type": "cards input",
            "items": [
                {
                    "id": "c1",
                    "title": "Plano A",
                    "paths": [{"id": "x", "text": "Assinar"}, {"id": "y", "text": "Saber mais"}],
                }
            ],
        }
    )
    assert [item.title for item in cards.items] == ["Plano A – Assinar", "Plano A – Saber mais"]


@pytest.mark.parametrize(
    ("block", "hint"),
    [
        ({"type": "text input"}, ""),
        ({"type": "email input"}, ""),
        ({"type": "rating input"}, "Responda com um número de 1 a 10."),
        (
            {
                "type": "rating input",
                "options": {
                    "length": 5,
                    "buttonType": "Numbers",
                    "startsAt": 0,
                    "labels": {"left": "ruim", "right": "ótimo"},
                },
            },
            "Responda com um número de 0 (ruim) a 5 (ótimo).",
        ),
        ({"type": "date input"}, "Responda com a data: dd/mm/aaaa."),
        (
            {"type": "date input", "options": {"hasTime": True}},
            "Responda com a data: dd/mm/aaaa hh:mm.",
        ),
        ({"type": "file input"}, "Envie o arquivo por aqui."),
    ],
)
def test_other_questions_get_a_hint_where_one_helps(block: dict[str, Any], hint: str) -> None:
    assert waiting(block).hint == hint


@pytest.mark.parametrize(
    ("block", "text", "sent"),
    [
        ({"type": "date input"}, "03/02/2026", "2026-02-03"),
        ({"type": "date input"}, "3-2-2026 às 14:30", "2026-02-03T14:30"),
        ({"type": "date input"}, "31/02/2026", "31/02/2026"),
        ({"type": "date input"}, "amanhã", "amanhã"),
        (
            {"type": "date input", "options": {"isRange": True}},
            "01/02/2026 a 05/02/2026",
            "2026-02-01 to 2026-02-05",
        ),
        ({"type": "number input"}, "1.234,56", "1234.56"),
        ({"type": "number input"}, "1,5", "1.5"),
        ({"type": "number input"}, "7", "7"),
        ({"type": "text input"}, "1,5", "1,5"),
    ],
)
def test_dates_and_numbers_are_reworded_for_the_flow(
    block: dict[str, Any], text: str, sent: str
) -> None:
    assert reword(waiting(block), text) == sent


def test_what_a_session_keeps_comes_back() -> None:
    block = buttons("A", "B").asked_with("Qual?")
    assert Input.of(block.as_json()) == block
    assert Input.of({"id": "x", "unknown": 1}) is None
    assert Input.of(None) is None


@pytest.mark.parametrize("block", [None, "x", {}, {"type": 3}])
def test_no_question_is_the_end(block: Any) -> None:
    assert read_input(block) is None
