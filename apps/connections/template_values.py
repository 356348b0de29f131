"""Reading the parameters that a browser sends for a template, and holding them against it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from apps.connections.templates import (
    HeaderMedia,
    Part,
    Slot,
    Template,
    as_part,
    as_parts,
    as_text,
    body_text,
    kind_of_part,
)

# Limits of the Cloud API; beyond them it refuses with 132005, 132012 or 100.
HEADER_LENGTH = 60
BODY_LENGTH = 1024
URL_LENGTH = 2000
CODE_LENGTH = 20
PAYLOAD_LENGTH = 256
# Meta's 132018: a parameter is one line.
BROKEN_LINE = re.compile(r"[\r\n\t]| {5,}")
CODE = re.compile(r"[0-9A-Za-z]+")
PLACES = {"header": "do cabeçalho", "body": "do texto"}
FILES = {"image": "uma imagem", "video": "um vídeo", "document": "um documento PDF"}


@dataclass
class Given:
    """The given parameters of a template: texts by field, a header's file, payloads by button."""

    values: dict[str, str] = field(default_factory=dict)
    media: HeaderMedia | None = None
    payloads: dict[int, str] = field(default_factory=dict)
    faults: dict[str, list[str]] = field(default_factory=dict)

    def fault(self, name: str, sentence: str) -> None:
        """Note that a field is wrong; the first reason stays first."""
        self.faults.setdefault(name, []).append(sentence)


def read_values(template: Template, components: Any) -> Given:
    """Return the parameters of a send, read as Meta writes them and leniently beside.

    Types in any case, `header` and `body` parameters also as bare texts, a button's index also as
    text. `faults` names each parameter that is missing, empty, unknown or of the wrong form; they
    must be refused.
    """
    given = Given()
    if components is not None and not isinstance(components, list):
        given.fault("components", "Os parâmetros do modelo precisam ser uma lista.")
        return given
    seen: set[str] = set()
    for part in components or []:
        kind = as_text(as_part(part).get("type")).lower()
        place = f"{kind}{_index_of(part)}" if kind == "button" else kind
        if place in seen and place != "buttons":
            given.fault(kind, "Este componente foi informado duas vezes.")
            continue
        seen.add(place)
        if kind in PLACES:
            _read_texts(template, kind, part, given)
        elif kind in ("button", "buttons"):
            for button in as_parts(part.get("buttons")) or [part]:
                _read_button(template, button, given)
        elif kind != "footer":
            given.fault("components", "Um dos componentes não é cabeçalho, texto nem botão.")
    _check(template, given)
    return given


def _parameters(part: Part) -> list[Any]:
    parameters = part.get("parameters")
    return parameters if isinstance(parameters, list) else []


def _read_texts(template: Template, component: str, part: Part, given: Given) -> None:
    slots = [slot for slot in template.slots if slot.component == component]
    by_name = any(as_part(each).get("parameter_name") for each in _parameters(part))
    for place, parameter in enumerate(_parameters(part)):
        fields = as_part(parameter) or {"text": parameter}
        kind = as_text(fields.get("type")).lower() or "text"
        if kind in FILES and component == "header":
            _read_media(kind, as_part(fields.get(kind)), given)
            continue
        name = as_text(fields.get("parameter_name")) if by_name else ""
        if not by_name:
            # Meta assigns numbered ones by position; so do browsers without names.
            name = slots[place].name if place < len(slots) else str(place + 1)
        slot = next((each for each in slots if each.name == name and each.kind == "text"), None)
        if slot is None:
            shown = name or str(place + 1)
            sentence = f"Este modelo não tem a variável {shown} {PLACES[component]}."
            given.fault(f"{component}.{shown}", sentence)
        elif slot.field in given.values:
            given.fault(slot.field, "Esta variável foi informada duas vezes.")
        else:
            given.values[slot.field] = as_text(fields.get("text"))


def _read_media(kind: str, file: Part, given: Given) -> None:
    name = as_text(file.get("filename"))[:240]
    given.media = HeaderMedia(kind, as_text(file.get("id")), as_text(file.get("link")), name)


def _index_of(part: Any) -> int:
    text = as_text(as_part(part).get("index"))
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0


def _read_button(template: Template, part: Part, given: Given) -> None:
    index, parameters = _index_of(part), _parameters(part)
    if not parameters:
        return
    fields = as_part(parameters[0]) or {"text": parameters[0]}
    place = f"buttons.{index}"
    slot = next((each for each in template.slots if each.field == place), None)
    if slot is not None:
        given.values[place] = as_text(fields.get("coupon_code")) or as_text(fields.get("text"))
    elif _button_kind(template, index) == "QUICK_REPLY":
        given.payloads[index] = as_text(fields.get("payload"))
        if not 0 < len(given.payloads[index]) <= PAYLOAD_LENGTH:
            given.fault(place, f"A resposta do botão precisa ter até {PAYLOAD_LENGTH} caracteres.")
    else:
        given.fault(place, "Este botão não leva parâmetro.")


def _button_kind(template: Template, index: int) -> str:
    buttons = [
        button
        for part in template.components
        if kind_of_part(part) == "BUTTONS"
        for button in as_parts(part.get("buttons"))
    ]
    return kind_of_part(buttons[index]) if index < len(buttons) else ""


def _check(template: Template, given: Given) -> None:
    for slot in template.slots:
        if slot.kind in FILES:
            _check_media(slot, given)
        else:
            text = given.values.get(slot.field, "").strip()
            given.values[slot.field] = text
            sentence = CHECKS[slot.kind](slot, text)
            if sentence:
                given.fault(slot.field, sentence)
    takes_media = any(slot.kind in FILES for slot in template.slots)
    if given.media is not None and not takes_media:
        given.fault(f"header.{given.media.kind}", "O cabeçalho deste modelo não leva arquivo.")
    if not given.faults and len(body_text(template, given.values)) > _body_limit(template):
        first = next(s for s in template.slots if s.component == "body")
        given.fault(first.field, "O texto preenchido passa do limite do WhatsApp. Encurte-o.")


def _body_limit(template: Template) -> int:
    # A template of nothing but a body may be longer; what Meta approved is never refused here.
    own = len(body_text(template, {}))
    return max(BODY_LENGTH, own) if len(template.components) > 1 else max(4 * BODY_LENGTH, own)


def _check_media(slot: Slot, given: Given) -> None:
    media = given.media
    wanted = FILES[slot.kind]
    if media is None or not (media.id or media.link):
        given.fault(slot.field, f"Anexe {wanted} para o cabeçalho.")
    elif media.kind != slot.kind:
        given.fault(slot.field, f"O cabeçalho deste modelo pede {wanted}.")
    elif media.link and not media.link.startswith("https://"):
        given.fault(slot.field, "O endereço do arquivo precisa começar com https://.")


def _text_fault(slot: Slot, text: str) -> str:
    if not text:
        return f"Preencha a variável {slot.name} {PLACES[slot.component]}."
    if BROKEN_LINE.search(text):
        return "Escreva em uma linha só: quebras e espaços repetidos não são aceitos."
    if len(text) > (limit := HEADER_LENGTH if slot.component == "header" else BODY_LENGTH):
        return f"Escreva no máximo {limit} caracteres."
    return ""


def _url_fault(slot: Slot, text: str) -> str:
    if not text:
        return f"Preencha o final do link do botão {slot.label}."
    if re.search(r"\s", text):
        return "O final do link não pode ter espaços."
    return f"Use no máximo {URL_LENGTH} caracteres." if len(text) > URL_LENGTH else ""


def _code_fault(slot: Slot, text: str) -> str:
    if not text:
        return f"Preencha o código do botão {slot.label}."
    if not CODE.fullmatch(text):
        return "O código só pode ter letras sem acento e números."
    return (
        f"O código pode ter no máximo {CODE_LENGTH} caracteres." if len(text) > CODE_LENGTH else ""
    )


CHECKS: dict[str, Callable[[Slot, str], str]] = {
    "text": _text_fault,
    "url": _url_fault,
    "code": _code_fault,
    "otp": _code_fault,
}
