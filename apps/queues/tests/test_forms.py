"""Forms of several questions as Flow JSON, against pywa's for the same form."""

from typing import Any

import orjson
import pytest
from pywa.types.flows import (
    CompleteAction,
    FlowJSON,
    Footer,
    Form,
    InputType,
    Layout,
    Screen,
    TextArea,
    TextBody,
    TextInput,
)

from apps.queues.forms import Form as OurForm
from apps.queues.forms import flow_json, forms_of, questions_from
from apps.queues.trees import OptionNode


def chain(*kinds: str, title: str = "Campo", message: str = "") -> OptionNode:
    """Return questions of these kinds, each below the one before."""
    children: tuple[OptionNode, ...] = ()
    for kind in reversed(kinds):
        children = (OptionNode(title, message, asks=kind, children=children),)
    return children[0]


def shown(node: OptionNode) -> dict[str, Any]:
    form = flow_json(forms_of(node)[0], "7.3")["screens"][0]["layout"]["children"][0]
    result: dict[str, Any] = form
    return result


def test_a_form_is_the_one_that_pywa_makes() -> None:
    text = OptionNode("O que houve", "Conte tudo.", asks="text")
    order = OptionNode("Pedido", asks="number", children=(text,))
    phone = OptionNode("Telefone", asks="phone", children=(order,))
    cpf = OptionNode("CPF", "Seu CPF?", asks="cpf", children=(phone,))
    email = OptionNode("E-mail", asks="email", children=(cpf,))
    first = OptionNode("Abrir um chamado agora", asks="name", children=(email,))
    ours = flow_json(forms_of(first)[0], "7.3")
    keys = ("name_1", "email_2", "cpf_3", "phone_4", "number_5", "text_6")
    fields: list[Any] = [
        TextBody(text="Abrir um chamado agora"),
        TextInput(
            name="name_1",
            label="Abrir um chamado ag…",
            input_type=InputType.TEXT,
            required=True,
            max_chars=50,
        ),
        TextInput(
            name="email_2", label="E-mail", input_type=InputType.EMAIL, required=True, max_chars=254
        ),
        TextBody(text="Seu CPF?"),
        TextInput(
            name="cpf_3",
            label="CPF",
            input_type=InputType.TEXT,
            required=True,
            max_chars=14,
            helper_text="Os 11 números do CPF",
        ),
        TextInput(
            name="phone_4",
            label="Telefone",
            input_type=InputType.PHONE,
            required=True,
            max_chars=30,
            helper_text="Com o DDD, como (11) 98765-4321",
        ),
        TextInput(
            name="number_5", label="Pedido", input_type=InputType.TEXT, required=True, max_chars=40
        ),
        TextBody(text="Conte tudo."),
        TextArea(name="text_6", label="O que houve", required=True, max_length=500),
        Footer(
            label="Enviar",
            on_click_action=CompleteAction(payload={key: f"${{form.{key}}}" for key in keys}),
        ),
    ]
    screen = Screen(
        id="FORM",
        title="Abrir um chamado agora",
        terminal=True,
        success=True,
        layout=Layout(children=[Form(name="form", children=fields)]),
    )
    made: str = FlowJSON(version="7.3", screens=[screen]).to_json()  # type: ignore[no-untyped-call]
    assert ours == orjson.loads(made)


def test_words_that_flow_json_would_read_as_an_expression_are_only_words() -> None:
    parts = shown(chain("name", "email", title="`${data.x}`", message="`${form.name_1}`"))
    assert parts["children"][0]["text"] == "'$ {form.name_1}'"
    assert parts["children"][1]["label"] == "'$ {data.x}'"


def test_a_question_with_variables_is_shown_by_its_title() -> None:
    parts = shown(chain("name", "email", message="Qual é, {{firstName}}?"))
    assert [each["type"] for each in parts["children"]] == ["TextInput", "TextInput", "Footer"]


@pytest.mark.parametrize("kinds", [("name",), ("name", "phone")])
def test_one_question_alone_is_no_form(kinds: tuple[str, ...]) -> None:
    forms = forms_of(chain(*kinds))
    assert [len(form.fields) for form in forms] == ([2] if len(kinds) > 1 else [])


def test_questions_end_at_a_menu_at_a_file_and_where_nothing_is_asked() -> None:
    name = chain("name", "email")
    menu = OptionNode("Menu", asks="name", children=(name, name))
    assert len(questions_from(menu)) == 1
    plain = OptionNode("Nome", asks="name", children=(OptionNode("Fim"),))
    assert len(questions_from(plain)) == 1
    filed = OptionNode("E-mail", asks="email", media_name="ajuda.pdf")
    assert len(questions_from(OptionNode("Nome", asks="name", children=(filed,)))) == 1


def test_the_digest_is_that_of_the_words() -> None:
    form = forms_of(chain("name", "email"))[0]
    assert OurForm.of_json(form.as_json()) == form
    assert forms_of(chain("name", "email"))[0].digest == form.digest
    assert forms_of(chain("name", "email", title="Outro"))[0].digest != form.digest
