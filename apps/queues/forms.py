"""The questions of a menu that are asked together in a form of WhatsApp (rules/bot §12)."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, Self, TypeVar

import orjson

NAME, EMAIL, CPF, PHONE, NUMBER, TEXT = "name", "email", "cpf", "phone", "number", "text"
# Limits of Flow JSON: developers.facebook.com/docs/whatsapp/flows/reference/components.
LABEL_LENGTH, TEXT_LENGTH, TITLE_LENGTH = 20, 4096, 30
SCREEN = "FORM"
SEND_LABEL = "Enviar"
# A change of the layout below needs another number, so that its forms are published anew.
LAYOUT = 1
_VARIABLE = re.compile(r"\{\{[^{}]*\}\}")
_HELP = {
    CPF: "Os 11 números do CPF",
    PHONE: "Com o DDD, como (11) 98765-4321",
}
# The limits of the values (`routing/values.py`). A CPF may have signs.
_LONGEST = {
    NAME: 50,
    EMAIL: 254,
    CPF: 14,
    PHONE: 30,
    NUMBER: 40,
    TEXT: 500,
}
_INPUTS = {EMAIL: "email", PHONE: "phone"}


class Node(Protocol):
    """What is read of an option."""

    @property
    def title(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def asks(self) -> str: ...
    @property
    def has_file(self) -> bool: ...
    @property
    def children(self) -> Sequence[Self]: ...


NodeT = TypeVar("NodeT", bound=Node)


@dataclass(frozen=True)
class FormField:
    """A question in a form; `key` names its answer, `text` is what stands above the field."""

    key: str
    kind: str
    label: str
    text: str


@dataclass(frozen=True)
class Form:
    """A form of several questions, the same for all options with the same words."""

    title: str
    fields: tuple[FormField, ...]

    @property
    def digest(self) -> str:
        """Return the SHA-256, in hexadecimal, of what the contact sees and of LAYOUT."""
        content = orjson.dumps([LAYOUT, asdict(self)])
        return hashlib.sha256(content).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Return the title and the fields, as `QuestionForm.content` keeps them."""
        return {"title": self.title, "fields": [asdict(each) for each in self.fields]}

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> Self:
        return cls(stored["title"], tuple(FormField(**each) for each in stored["fields"]))


def next_question(node: NodeT) -> NodeT | None:
    """Return the question that follows a question: its only child, if that asks without a file."""
    child = node.children[0] if len(node.children) == 1 else None
    return child if child is not None and child.asks and not child.has_file else None


def questions_from(first: NodeT) -> tuple[NodeT, ...]:
    """Return a question with those that follow it, each the only child of the one before."""
    found = [first]
    while (following := next_question(found[-1])) is not None:
        found.append(following)
    return tuple(found)


def form_of(questions: Sequence[Node]) -> Form | None:
    """Return the form of some questions; None for one alone, which needs no form."""
    if len(questions) < 2:
        return None
    fields = tuple(_field(each, place) for place, each in enumerate(questions, start=1))
    return Form(_plain(questions[0].title)[:TITLE_LENGTH], fields)


def forms_of(first: Node) -> list[Form]:
    """Return the forms that an option may need: with and without the question for a telephone,
    which is asked only where the contact's number is unknown.
    """
    questions = questions_from(first)
    without = tuple(each for each in questions if each.asks != PHONE)
    forms = [form_of(questions), form_of(without)]
    return list(dict.fromkeys(form for form in forms if form is not None))


def _field(node: Node, place: int) -> FormField:
    title = _plain(node.title)
    # Nobody fills in variables of a published form, so its title stands for such a question.
    message = "" if _VARIABLE.search(node.message) else _plain(node.message)
    text = message or (title if len(title) > LABEL_LENGTH else "")
    label = title if len(title) <= LABEL_LENGTH else f"{title[: LABEL_LENGTH - 1].rstrip()}…"
    return FormField(f"{node.asks}_{place}", node.asks, label, text[:TEXT_LENGTH])


def _plain(text: str) -> str:
    """Return a text without what Flow JSON would read as an expression."""
    return text.replace("`", "'").replace("${", "$ {").strip()


def flow_json(form: Form, version: str) -> dict[str, Any]:
    """Return a form as Flow JSON: one screen, which completes without an endpoint.

    developers.facebook.com/docs/whatsapp/flows/reference/flowjson
    """
    parts: list[dict[str, Any]] = []
    for each in form.fields:
        if each.text:
            parts.append({"type": "TextBody", "text": each.text})
        parts.append(_input(each))
    payload = {each.key: f"${{form.{each.key}}}" for each in form.fields}
    complete = {"name": "complete", "payload": payload}
    parts.append({"type": "Footer", "label": SEND_LABEL, "on-click-action": complete})
    whole = {"type": "Form", "name": "form", "children": parts}
    screen = {
        "id": SCREEN,
        "title": form.title,
        "terminal": True,
        "success": True,
        "layout": {"type": "SingleColumnLayout", "children": [whole]},
    }
    return {"version": version, "screens": [screen]}


def _input(field: FormField) -> dict[str, Any]:
    kind = field.kind
    named = {"name": field.key, "label": field.label, "required": True}
    if kind == TEXT:
        return {"type": "TextArea", **named, "max-length": _LONGEST[kind]}
    shown = {"input-type": _INPUTS.get(kind, "text"), "max-chars": _LONGEST[kind]}
    helped = {"helper-text": _HELP[kind]} if kind in _HELP else {}
    return {"type": "TextInput", **named, **shown, **helped}
