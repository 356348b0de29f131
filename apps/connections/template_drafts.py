"""Message templates as people write them: what Meta asks of one, and its JSON. Pure.

Limits: developers.facebook.com/documentation/business-messaging/whatsapp/templates/components.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from apps.connections.templates import VARIABLE, Part, variables_in

NAME_LENGTH = 512
BODY_LENGTH = 1024
HEADER_LENGTH = 60
FOOTER_LENGTH = 60
BUTTON_COUNT = 10
BUTTON_LENGTH = 25
URL_LENGTH = 2000
PHONE_LENGTH = 20
CODE_LENGTH = 20
# The most buttons of a kind.
MOST_OF_KIND = {"QUICK_REPLY": 10, "URL": 2, "PHONE_NUMBER": 1, "COPY_CODE": 1}
KINDS_IN_WORDS = {
    "URL": "dois botões de link",
    "PHONE_NUMBER": "um botão de telefone",
    "COPY_CODE": "um botão de copiar código",
}
MEDIA_FORMATS = frozenset({"IMAGE", "VIDEO", "DOCUMENT"})
# Meta allows changes of these only.
EDITABLE = frozenset({"APPROVED", "REJECTED", "PAUSED"})

NAME = re.compile(r"[a-z0-9_]+")
LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2,3})?")
NAMED = re.compile(r"[a-z][a-z0-9_]*")
PHONE = re.compile(r"\+?[0-9][0-9 ()-]{4,}")
URL = re.compile(r"https?://[^\s{}]+")
BRACES = re.compile(r"\{\{|\}\}")
CODE = re.compile(r"[0-9A-Za-z]+")


@dataclass(frozen=True)
class DraftButton:
    """A button: `url` of a link, `phone` of a call, `example` of a link's end or of a code."""

    type: str
    text: str = ""
    url: str = ""
    phone: str = ""
    example: str = ""


@dataclass(frozen=True)
class TemplateDraft:
    """A template that somebody writes.

    `header_format` is '', TEXT, IMAGE, VIDEO or DOCUMENT; `header_handle` is the sample file as
    Meta's upload names it. `samples` are by place and variable: body.1, header.cliente.
    """

    name: str
    language: str
    category: str
    body: str
    is_named: bool = False
    header_format: str = ""
    header_text: str = ""
    header_handle: str = ""
    footer: str = ""
    buttons: tuple[DraftButton, ...] = ()
    samples: Mapping[str, str] = field(default_factory=dict)


class _Faults(dict[str, list[str]]):
    """What is wrong, by field; the first reason of each."""

    def add(self, name: str, sentence: str) -> None:
        self.setdefault(name, [sentence])


def faults_of(draft: TemplateDraft) -> dict[str, list[str]]:
    """Return the faults that Meta would refuse, by field; empty for a valid draft.

    Fields: name, language, header, headerFile, body, footer, buttons, buttons.0 and on, and
    samples.body.1 for the sample of a variable.
    """
    faults = _Faults()
    if not NAME.fullmatch(draft.name) or len(draft.name) > NAME_LENGTH:
        faults.add("name", f"Use só letras minúsculas sem acento, números e _, até {NAME_LENGTH}.")
    if not LANGUAGE.fullmatch(draft.language):
        faults.add("language", "Escolha o idioma do modelo.")
    _check_header(draft, faults)
    _check_body(draft, faults)
    if len(draft.footer) > FOOTER_LENGTH:
        faults.add("footer", f"Escreva no máximo {FOOTER_LENGTH} caracteres.")
    if BRACES.search(draft.footer):
        faults.add("footer", "O rodapé não leva variáveis.")
    _check_buttons(draft.buttons, faults)
    return faults


def _check_header(draft: TemplateDraft, faults: _Faults) -> None:
    if draft.header_format in MEDIA_FORMATS:
        if not draft.header_handle:
            faults.add("headerFile", "Anexe um arquivo de exemplo para o cabeçalho.")
    elif draft.header_format == "TEXT":
        if not draft.header_text.strip():
            faults.add("header", "Escreva o título.")
        elif len(draft.header_text) > HEADER_LENGTH:
            faults.add("header", f"Escreva no máximo {HEADER_LENGTH} caracteres.")
        elif "\n" in draft.header_text:
            faults.add("header", "O título é uma linha só.")
        elif len(variables_in(draft.header_text)) > 1:
            faults.add("header", "O título leva no máximo uma variável.")
        _check_variables("header", draft.header_text, draft, faults)


def _check_body(draft: TemplateDraft, faults: _Faults) -> None:
    text = draft.body.strip()
    if not text:
        faults.add("body", "Escreva o texto do modelo.")
    elif len(draft.body) > BODY_LENGTH:
        faults.add("body", f"Escreva no máximo {BODY_LENGTH} caracteres.")
    elif _is_at_an_edge(text):
        faults.add("body", "O texto não pode começar nem terminar com uma variável.")
    _check_variables("body", draft.body, draft, faults)


def _is_at_an_edge(text: str) -> bool:
    found = list(VARIABLE.finditer(text))
    return bool(found) and (found[0].start() == 0 or found[-1].end() == len(text))


def _check_variables(place: str, text: str, draft: TemplateDraft, faults: _Faults) -> None:
    if BRACES.search(VARIABLE.sub("", text)):
        faults.add(place, "Escreva variáveis entre chaves duplas: {{1}} ou {{nome}}.")
    names = variables_in(text)
    if draft.is_named:
        if not all(NAMED.fullmatch(name) for name in names):
            faults.add(place, "Nomeie variáveis com letras minúsculas sem acento, números e _.")
    elif names != [str(number) for number in range(1, len(names) + 1)]:
        faults.add(place, "Numere as variáveis em sequência: {{1}}, {{2}}, {{3}}.")
    for name in names:
        if not draft.samples.get(f"{place}.{name}", "").strip():
            faults.add(f"samples.{place}.{name}", f"Dê um exemplo para a variável {name}.")


def _check_buttons(buttons: tuple[DraftButton, ...], faults: _Faults) -> None:
    if len(buttons) > BUTTON_COUNT:
        faults.add("buttons", f"Um modelo leva no máximo {BUTTON_COUNT} botões.")
    for kind, words in KINDS_IN_WORDS.items():
        if sum(button.type == kind for button in buttons) > MOST_OF_KIND[kind]:
            faults.add("buttons", f"Um modelo leva no máximo {words}.")
    # Quick replies must be adjacent: all before the other buttons, or all after them.
    turns = [button.type == "QUICK_REPLY" for button in buttons]
    if sum(one != other for one, other in pairwise(turns)) > 1:
        faults.add("buttons", "Deixe as respostas rápidas juntas, antes ou depois dos outros.")
    for index, button in enumerate(buttons):
        sentence = _button_fault(button)
        if sentence:
            faults.add(f"buttons.{index}", sentence)
    texts = [button.text.strip() for button in buttons if button.text.strip()]
    if len(set(texts)) < len(texts):
        faults.add("buttons", "Dois botões não podem ter o mesmo texto.")


def _button_fault(button: DraftButton) -> str:
    if button.type != "COPY_CODE":
        if not button.text.strip():
            return "Escreva o texto do botão."
        if len(button.text) > BUTTON_LENGTH:
            return f"O texto do botão tem no máximo {BUTTON_LENGTH} caracteres."
        if BRACES.search(button.text):
            return "O texto do botão não leva variáveis."
    if button.type == "URL":
        return _url_fault(button)
    if button.type == "PHONE_NUMBER":
        is_good = PHONE.fullmatch(button.phone) and len(button.phone) <= PHONE_LENGTH
        return "" if is_good else f"Informe o telefone com DDI, até {PHONE_LENGTH} caracteres."
    if button.type == "COPY_CODE":
        is_good = CODE.fullmatch(button.example) and len(button.example) <= CODE_LENGTH
        return "" if is_good else f"Dê um código de exemplo: letras e números, até {CODE_LENGTH}."
    return ""


def _url_fault(button: DraftButton) -> str:
    fixed = button.url.removesuffix("{{1}}")
    if not URL.fullmatch(fixed):
        return "O link começa com https:// e leva no máximo uma variável, {{1}}, no final."
    if len(button.url) > URL_LENGTH:
        return f"O link tem no máximo {URL_LENGTH} caracteres."
    if fixed != button.url and not button.example.strip():
        return "Dê um exemplo para o final do link."
    return ""


def graph_template(draft: TemplateDraft) -> Part:
    """Return the body of a call that creates the template at Meta's."""
    return {
        "name": draft.name,
        "language": draft.language,
        "category": draft.category,
        "parameter_format": "NAMED" if draft.is_named else "POSITIONAL",
        "components": graph_parts(draft),
    }


def graph_parts(draft: TemplateDraft) -> list[Part]:
    """Return a draft's components with their samples, as Meta wants and lists them."""
    parts: list[Part] = []
    if draft.header_format in MEDIA_FORMATS:
        handle = {"header_handle": [draft.header_handle]}
        parts.append({"type": "HEADER", "format": draft.header_format, "example": handle})
    elif draft.header_format == "TEXT":
        header: Part = {"type": "HEADER", "format": "TEXT", "text": draft.header_text.strip()}
        parts.append(header | _example("header", draft.header_text, draft))
    body: Part = {"type": "BODY", "text": draft.body.strip()}
    parts.append(body | _example("body", draft.body, draft))
    if draft.footer.strip():
        parts.append({"type": "FOOTER", "text": draft.footer.strip()})
    if draft.buttons:
        parts.append({"type": "BUTTONS", "buttons": [_button(each) for each in draft.buttons]})
    return parts


def _example(place: str, text: str, draft: TemplateDraft) -> Part:
    names = variables_in(text)
    values = [draft.samples[f"{place}.{name}"].strip() for name in names]
    if not names:
        return {}
    if draft.is_named:
        rows = [
            {"param_name": name, "example": value}
            for name, value in zip(names, values, strict=True)
        ]
        return {"example": {f"{place}_text_named_params": rows}}
    # Bodies may have several rows of samples, headers only one.
    listed: list[Any] = [values] if place == "body" else values
    return {"example": {f"{place}_text": listed}}


def _button(button: DraftButton) -> Part:
    text = button.text.strip()
    if button.type == "URL":
        part: Part = {"type": "URL", "text": text, "url": button.url}
        fixed = button.url.removesuffix("{{1}}")
        return part if fixed == button.url else part | {"example": [fixed + _end(button, fixed)]}
    if button.type == "PHONE_NUMBER":
        return {"type": "PHONE_NUMBER", "text": text, "phone_number": button.phone}
    if button.type == "COPY_CODE":
        return {"type": "COPY_CODE", "example": button.example}
    return {"type": "QUICK_REPLY", "text": text}


def _end(button: DraftButton, fixed: str) -> str:
    """Return the sample of a link's end; people also paste the whole link."""
    return button.example.strip().removeprefix(fixed)
