import time
from typing import Any

import pytest

from apps.automation.clients.commands import MalformedCommand, read_command
from apps.automation.clients.texts import split_text
from apps.automation.clients.typebot_text import as_plain, as_whatsapp, from_markdown


def p(*children: Any) -> dict[str, Any]:
    return {"type": "p", "children": list(children)}


def t(text: str, **marks: bool) -> dict[str, Any]:
    return {"text": text, **marks}


RICH_TEXTS: list[tuple[str, Any, str]] = [
    ("plain", [p(t("Olá!"))], "Olá!"),
    ("two paragraphs", [p(t("Um")), p(t("Dois"))], "Um\nDois"),
    ("an empty line", [p(t("Um")), p(t("")), p(t("Dois"))], "Um\n\nDois"),
    ("bold", [p(t("Valor: "), t("R$ 10", bold=True))], "Valor: *R$ 10*"),
    ("italic", [p(t("já", italic=True))], "_já_"),
    ("struck", [p(t("R$ 20", strikethrough=True))], "~R$ 20~"),
    ("underlined is plain", [p(t("aqui", underline=True))], "aqui"),
    ("all at once", [p(t("x", bold=True, italic=True, strikethrough=True))], "*_~x~_*"),
    ("spaces stay outside", [p(t("a"), t(" b ", bold=True), t("c"))], "a *b* c"),
    ("marks of spaces vanish", [p(t("a"), t("  ", bold=True), t("b"))], "a  b"),
    ("marks end with the line", [p(t("a\nb", bold=True))], "*a*\n*b*"),
    (
        "a link",
        [p(t("Veja "), {"type": "a", "url": "https://a.br/x", "children": [t("a loja")]})],
        "Veja a loja (https://a.br/x)",
    ),
    (
        "a bare link",
        [p({"type": "a", "url": "https://a.br/", "children": [t("a.br")]})],
        "https://a.br/",
    ),
    (
        "an inline variable",
        [p(t("Oi "), {"type": "inline-variable", "children": [p(t("Ana"))]}, t("!"))],
        "Oi Ana!",
    ),
    (
        "a variable of two lines",
        [{"type": "variable", "children": [p(t("Rua A")), p(t("Santos"))]}],
        "Rua A\nSantos",
    ),
    (
        "a list",
        [
            p(t("Temos:")),
            {
                "type": "ul",
                "children": [
                    {"type": "li", "children": [{"type": "lic", "children": [t("chá")]}]},
                    {
                        "type": "li",
                        "children": [{"type": "lic", "children": [t("café", bold=True)]}],
                    },
                ],
            },
        ],
        "Temos:\n- chá\n- *café*",
    ),
    (
        "a list in a list",
        [
            {
                "type": "ol",
                "children": [
                    {
                        "type": "li",
                        "children": [
                            {"type": "lic", "children": [t("um")]},
                            {
                                "type": "ul",
                                "children": [
                                    {
                                        "type": "li",
                                        "children": [{"type": "lic", "children": [t("a")]}],
                                    }
                                ],
                            },
                        ],
                    },
                    {"type": "li", "children": [{"type": "lic", "children": [t("dois")]}]},
                ],
            }
        ],
        "1. um\n  - a\n2. dois",
    ),
    ("nonsense", ["x", None, {"children": "y"}, {"type": "p"}], ""),
    ("no list", "texto", ""),
]


@pytest.mark.parametrize(
    ("rich_text", "shown"), [row[1:] for row in RICH_TEXTS], ids=[row[0] for row in RICH_TEXTS]
)
def test_rich_text_is_written_as_whatsapp_does(rich_text: Any, shown: str) -> None:
    assert as_whatsapp(rich_text) == shown


def test_endless_nesting_ends() -> None:
    node: dict[str, Any] = t("fundo")
    for _ in range(500):
        node = {"type": "inline-variable", "children": [node]}
    assert as_whatsapp([p(node)]) == ""
    assert as_plain([p(node)]) == ""


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("**forte** e *leve*", "*forte* e _leve_"),
        ("~~não~~", "~não~"),
        ("[site](https://a.br)", "site (https://a.br)"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_markdown_is_written_as_whatsapp_does(markdown: str, shown: str) -> None:
    assert from_markdown(markdown) == shown


@pytest.mark.parametrize(
    ("text", "queue_id", "user_id"),
    [
        ('#{"queueId":3}', 3, None),
        ('#{"queueId":"3"}', 3, None),
        ('#{"queueId": 3, "userId": 7}', 3, 7),
        ('#{"stopBot":true}', None, None),
        ("#{“stopBot”: true}", None, None),
    ],
)
def test_a_command_hands_over(text: str, queue_id: int | None, user_id: int | None) -> None:
    command = read_command(text)
    assert (command.queue_id, command.user_id, command.reason) == (queue_id, user_id, "asked")


@pytest.mark.parametrize(
    "text",
    [
        "#{",
        "#{queueId: 3}",
        "#{}",
        '#{"stopBot":false}',
        '#{"queueId":"financeiro"}',
        '#{"queueId":true}',
        '#{"queueId":1.5}',
        '#{"queueId":3} e mais',
    ],
)
def test_a_malformed_command_is_none(text: str) -> None:
    with pytest.raises(MalformedCommand):
        read_command(text)


def test_long_texts_are_cut_between_words() -> None:
    assert split_text("") == []
    assert split_text("um dois três", limit=8) == ["um dois", "três"]
    assert split_text("aaaa\n\nbb cc", limit=8) == ["aaaa", "bb cc"]
    assert split_text("x" * 20, limit=8) == ["x" * 8, "x" * 8, "x" * 4]


@pytest.mark.parametrize("unit", [" ", "**a ", "[", "[a](http://", "*a"])
def test_a_bubble_of_any_shape_is_read_in_no_time(unit: str) -> None:
    text = "a" + (unit * 40_000)[:40_000] + "x"

    started = time.process_time()
    as_whatsapp([p(t(text, bold=True))])
    from_markdown(text)

    assert time.process_time() - started < 5
