"""Exported Typebot flows of each version as menus (rules/queues §6)."""

import json
from typing import Any

import pytest

from apps.accounts.models import User
from apps.automation.clients.typebot_flow import (
    MOST_BLOCKS,
    BlockReport,
    FlowUnreadable,
    Menu,
    Outcome,
    menu_of_flow,
)
from apps.automation.serializers.typebot_flows import REASONS
from apps.queues.models import Queue
from apps.queues.trees import MAX_DEPTH, MAX_OPTIONS, OptionNode, walk
from conftest import ClientFor

Block = dict[str, Any]


def text(words: str, **more: Any) -> Block:
    rich = [{"type": "p", "children": [{"text": words}]}]
    return {"id": f"t {words}", "type": "text", "content": {"richText": rich}, **more}


def choice(name: str, *items: str, **options: Any) -> Block:
    """Return a choice; `Sim>g2` is an item with an edge to the group g2."""
    made = []
    for each in items:
        title, _, to = each.partition(">")
        edge = {"outgoingEdgeId": f"to {to}"} if to else {}
        made.append({"id": f"{name} {title}", "content": title, **edge})
    return {"id": name, "type": "choice input", "items": made, "options": options}


def asks(kind: str, variable: str = "", **more: Any) -> Block:
    options = {"variableId": f"v {variable}"} if variable else {}
    return {"id": f"{kind} {variable}", "type": kind, "options": options, **more}


def flow(*groups: list[Block], version: str = "6.1", **more: Any) -> dict[str, Any]:
    """Return an export whose groups are g1, g2 …; each may be the target of an edge."""
    names = [f"g{number}" for number, _ in enumerate(groups, 1)]
    options = [block.get("options") for group in groups for block in group]
    variables = {
        str(each.get("variableId", ""))[2:] for each in options if isinstance(each, dict)
    } - {""}
    made: dict[str, Any] = {
        "version": version,
        "name": "Loja",
        "groups": [
            {"id": name, "title": f"Grupo {name}", "blocks": blocks}
            for name, blocks in zip(names, groups, strict=True)
        ],
        "edges": [
            {"id": f"to {name}", "from": {"blockId": "x"}, "to": {"groupId": name}}
            for name in names
        ],
        "variables": [{"id": f"v {name}", "name": name} for name in sorted(variables)],
    }
    if version in {"6", "6.1"}:
        made["events"] = [{"id": "s", "type": "start", "outgoingEdgeId": "to g1"}]
    else:
        start = {"id": "s", "type": "start", "label": "Start", "outgoingEdgeId": "to g1"}
        made["groups"].insert(0, {"id": "g0", "title": "Start", "blocks": [start]})
    return {**made, **more}


def told(menu: Menu) -> dict[str, tuple[str, str]]:
    return {each.excerpt or each.kind: (each.outcome.value, each.reason) for each in menu.blocks}


def shape(nodes: tuple[OptionNode, ...]) -> list[Any]:
    return [[node.title, node.message, shape(node.children)] for node in nodes]


@pytest.mark.parametrize("version", ["3", "4", "5", "6", "6.1"])
def test_texts_and_choices_are_a_menu_in_each_version(version: str) -> None:
    menu = menu_of_flow(
        flow(
            [text("Olá, {{Nome}}!"), choice("c", "Vendas>g2", "Suporte>g3", "Sair")],
            [text("O que procura?"), choice("d", "Móveis>g4", "Luz>g4")],
            [text("Conte o problema.")],
            [text("Já chamamos alguém.")],
            version=version,
        )
    )
    assert menu.greeting == "Olá, {{name}}!"
    sales = [["Móveis", "Já chamamos alguém.", []], ["Luz", "Já chamamos alguém.", []]]
    assert shape(menu.options) == [
        ["Vendas", "O que procura?", sales],
        ["Suporte", "Conte o problema.", []],
        ["Sair", "", []],
    ]
    assert {each.outcome for each in menu.blocks} == {Outcome.TAKEN}
    assert len(menu.blocks) == 6


def test_inputs_are_questions_that_follow_each_other() -> None:
    menu = menu_of_flow(
        flow(
            [text("Oi"), choice("c", "Cadastro>g2")],
            [
                text("Seu nome?"),
                asks("text input", "nome"),
                text("Seu CPF?"),
                asks("text input", "cpf do cliente"),
                text("E-mail?"),
                asks("email input", "email"),
                text("Quando?"),
                asks("date input", "Data"),
                text("Obrigado!"),
            ],
        )
    )
    (first,) = menu.options
    chain = [node for _, node in walk([first])]
    assert [(node.message, node.asks, node.asks_field) for node in chain] == [
        ("Seu nome?", "name", ""),
        ("Seu CPF?", "cpf", "cpf do cliente"),
        ("E-mail?", "email", ""),
        ("Quando?", "text", "Data"),
    ]
    assert [node.asks_together for node in chain] == [True, True, True, False]
    assert first.title == "Cadastro"
    facts = told(menu)
    assert facts["date input"] == ("approximated", "nearest_kind")
    assert facts["Obrigado!"] == ("left_out", "text_after_question")


def test_a_question_at_the_start_is_behind_an_option() -> None:
    menu = menu_of_flow(
        flow([text("Bem-vindo"), text("Qual o pedido?"), asks("number input", "Pedido")])
    )
    assert menu.greeting == "Bem-vindo"
    (node,) = menu.options
    assert (node.title, node.message, node.asks) == ("Pedido", "Qual o pedido?", "number")
    assert told(menu)["number input"] == ("approximated", "question_first")


def test_a_text_between_an_answer_and_a_choice_has_an_option() -> None:
    menu = menu_of_flow(
        flow(
            [choice("c", "Pedido>g2")],
            [text("Número?"), asks("number input", "n"), text("E agora?"), choice("d", "A", "B")],
        )
    )
    (between,) = menu.options[0].children
    assert shape((between,)) == [["Grupo g2", "E agora?", [["A", "", []], ["B", "", []]]]]


def test_what_has_no_counterpart_is_told_and_passed() -> None:
    kinds = ("Set variable", "Code", "Redirect", "Wait", "AB test", "Typebot link", "Webhook")
    menu = menu_of_flow(
        flow(
            [
                *({"id": kind, "type": kind, "options": {}} for kind in kinds),
                {"id": "if", "type": "Condition", "items": [{"id": "i", "content": {}}]},
                {"id": "im", "type": "image", "content": {"url": "https://example.com/a.png"}},
                {"id": "vi", "type": "video", "content": {"url": "{{film}}"}},
                {"id": "pay", "type": "payment input", "options": {}},
                text("Oi {{saldo}}"),
                choice("c", "A", "B", isMultipleChoice=True),
            ],
            [text("Nunca")],
        )
    )
    facts = told(menu)
    assert facts["set variable"] == ("left_out", "set_variable")
    assert facts["webhook"] == ("left_out", "integration")
    assert facts["typebot link"] == ("left_out", "other_flow")
    assert facts["condition"] == ("left_out", "condition")
    assert facts["https://example.com/a.png"] == ("approximated", "file_as_link")
    assert facts["{{film}}"] == ("left_out", "file")
    assert facts["Oi {{saldo}}"] == ("approximated", "variable")
    assert facts["A, B"] == ("approximated", "multiple_choice")
    assert facts["Nunca"] == ("left_out", "not_reached")
    assert menu.greeting == "https://example.com/a.png\n\nOi"
    assert {each.reason for each in menu.blocks} <= {"", *REASONS}


def test_a_jump_and_an_edge_into_a_group_are_followed() -> None:
    made = flow(
        [{"id": "j", "type": "Jump", "options": {"groupId": "g2", "blockId": "t dois"}}],
        [text("um"), text("dois")],
    )
    assert menu_of_flow(made).greeting == "dois"


def test_a_loop_ends_where_it_began() -> None:
    menu = menu_of_flow(flow([text("Menu"), choice("c", "Voltar>g1", "Fim")]))
    assert shape(menu.options) == [["Voltar", "", []], ["Fim", "", []]]
    assert told(menu)["Menu"] == ("approximated", "loop")


def test_the_limits_of_a_menu_hold() -> None:
    deep = [[text(f"n{n}"), choice(f"c{n}", f"mais>g{n + 1}")] for n in range(1, 30)]
    menu = menu_of_flow(flow(*deep, [text("fim")]))
    assert max(place.count("children") for place, _ in walk(menu.options)) + 1 == MAX_DEPTH
    assert "too_deep" in {each.reason for each in menu.blocks}
    wide = menu_of_flow(flow([choice("c", *(f"i{n}" for n in range(MAX_OPTIONS + 50)))]))
    assert len(wide.options) == MAX_OPTIONS
    questions = [
        block for n in range(900) for block in (text(f"q{n}"), asks("text input", f"v{n}"))
    ]
    asked = menu_of_flow(flow([choice("c", "A>g2")], questions))
    assert len(list(walk(asked.options))) <= MAX_DEPTH
    # A graph whose every item leads to all that follows would grow without an end.
    dense = [[choice(f"c{n}", *[f"x{m}>g{n + 1}" for m in range(20)])] for n in range(1, 20)]
    assert len(list(walk(menu_of_flow(flow(*dense, [text("fim")])).options))) <= MAX_OPTIONS


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        ([], "não é um fluxo"),
        ({}, "não é um fluxo"),
        ({"groups": "x"}, "não é um fluxo"),
        (flow([text("Oi")], version="2"), "versões 3 a 6.1"),
        (flow([text("Oi")], version="7"), "versões 3 a 6.1"),
        (flow([text(f"{n}") for n in range(MOST_BLOCKS + 1)]), "blocos"),
        (flow([text("Oi")], edges=[{"id": str(n)} for n in range(5001)]), "ligações"),
    ],
)
def test_what_is_no_flow_is_refused(made: Any, sentence: str) -> None:
    with pytest.raises(FlowUnreadable, match=sentence):
        menu_of_flow(made)


def test_strange_values_are_no_fault() -> None:
    odd = flow(
        [
            {"type": 7, "content": [], "items": "x", "options": 3, "outgoingEdgeId": {}},
            {"id": None, "type": "text", "content": {"richText": {"a": 1}, "plainText": 5}},
            {"id": [], "type": "choice input", "items": [None, {"content": {"x": 1}}, {}]},
        ],
        variables=[None, {"id": 4}],
        events=[None, {"type": "start", "outgoingEdgeId": ["x"]}],
    )
    assert isinstance(menu_of_flow(odd).blocks[0], BlockReport)


@pytest.mark.django_db
def test_the_call_answers_a_draft_that_can_be_saved(client_for: ClientFor, admin: User) -> None:
    client = client_for(admin)
    made = flow(
        [text("Oi"), choice("c", "Cadastro>g2", "Fim")],
        [
            text("Nome?"),
            asks("text input", "nome"),
            text("Pedido?"),
            asks("number input", "Pedido"),
        ],
    )
    draft = client.post("/api/typebot-flow", {"flow": made}, "json").json()
    assert (draft["name"], draft["greetingMessage"]) == ("Loja", "Oi")
    assert [each["outcome"] for each in draft["blocks"]] == ["taken"] * 6
    body = {"name": "Do Typebot", "color": "#123456", "orderQueue": 1, "options": draft["options"]}
    saved = client.post("/api/queue", body, "json")
    assert saved.status_code == 201, saved.content
    assert Queue.objects.get(name="Do Typebot").options.count() == 3
    refused = client.post("/api/typebot-flow", {"flow": {"version": "6"}}, "json")
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_TYPEBOT_FLOW")
    assert len(json.dumps(made)) < 10_000
