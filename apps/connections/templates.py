"""Message templates of the official API: what one asks for, and filling it in.

Plain functions of Meta's own JSON, both as its list shows a template and as a send names its
parameters: developers.facebook.com/docs/whatsapp/cloud-api/guides/send-message-templates.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Part = dict[str, Any]

APPROVED = "APPROVED"
GENERATED = "auto_generated_"
AUTHENTICATION = "AUTHENTICATION"
VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
MEDIA_FORMATS = {"IMAGE": "image", "VIDEO": "video", "DOCUMENT": "document"}
PLAIN_BUTTONS = frozenset({"QUICK_REPLY", "PHONE_NUMBER", "VOICE_CALL"})
CODE_BUTTONS = frozenset({"COPY_CODE"})
OTP_BUTTONS = frozenset({"OTP"})


@dataclass(frozen=True)
class Slot:
    """One value that a template asks for.

    `component` is header, body or button; `kind` is text, image, video, document, url (the end of
    an address), code (to be copied) or otp (a code inside an address).
    """

    component: str
    kind: str
    name: str = ""
    index: int = 0
    label: str = ""

    @property
    def field(self) -> str:
        """Return the field name of refusals: body.1, header.image, buttons.0."""
        if self.component == "button":
            return f"buttons.{self.index}"
        return f"{self.component}.{self.name or self.kind}"


@dataclass(frozen=True)
class Template:
    """A template as Meta lists it. `is_supported` is off for carousels, catalogues and flows.

    `quality` is GREEN, YELLOW, RED or '' while none is known; `rejected_reason` Meta's word.
    """

    id: str
    name: str
    language: str
    status: str
    category: str
    is_named: bool
    components: tuple[Part, ...]
    slots: tuple[Slot, ...]
    is_supported: bool
    quality: str = ""
    rejected_reason: str = ""

    @property
    def can_be_sent(self) -> bool:
        """Tell whether an attendant may choose it (rules/messages §8)."""
        return self.status == APPROVED and self.is_supported

    @property
    def needs_number(self) -> bool:
        """Tell whether it needs a number:

        Meta refuses authentication templates to a bare user id (131062).
        """
        return self.category == AUTHENTICATION


def as_part(value: Any) -> Part:
    """Return the value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_parts(value: Any) -> list[Part]:
    """Return the objects of a list; anything else is empty."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Return text as it is and a number as text; anything else is empty."""
    if isinstance(value, str):
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else ""


def kind_of_part(part: Part, key: str = "type") -> str:
    """Return a part's type in capitals."""
    return as_text(part.get(key)).upper()


def variables_in(text: str) -> list[str]:
    """Return the names of a text's variables: numbers in their order, else as they appear."""
    names = list(dict.fromkeys(VARIABLE.findall(text)))
    return sorted(names, key=int) if all(name.isdecimal() for name in names) else names


def filled_text(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its variables filled in; one without a value stays as it is."""
    return VARIABLE.sub(lambda match: values.get(match[1], match[0]), text)


def read_template(raw: Any) -> Template | None:
    """Return a template of Meta's list, None for what has no name or no language."""
    fields = as_part(raw)
    name, language = as_text(fields.get("name")), as_text(fields.get("language"))
    if not name or not language:
        return None
    components = tuple(as_parts(fields.get("components")))
    slots: list[Slot] = []
    # Meta makes templates of its own from utility texts, and refuses to send them as templates.
    is_supported = bool(components) and not name.startswith(GENERATED)
    for part in components:
        found = _slots_of(part)
        is_supported = is_supported and found is not None
        slots += found or ()
    return Template(
        id=as_text(fields.get("id")),
        name=name,
        language=language,
        status=kind_of_part(fields, "status") or "UNKNOWN",
        category=kind_of_part(fields, "category"),
        is_named=kind_of_part(fields, "parameter_format") == "NAMED",
        components=components,
        slots=tuple(slots),
        is_supported=is_supported,
        quality=_known(kind_of_part(as_part(fields.get("quality_score")), "score"), "UNKNOWN"),
        rejected_reason=_known(kind_of_part(fields, "rejected_reason"), "NONE"),
    )


def _known(word: str, nothing: str) -> str:
    return "" if word == nothing else word


def _slots_of(part: Part) -> list[Slot] | None:
    """Return the parameters of a component; None if we cannot send it."""
    kind = kind_of_part(part)
    if kind == "HEADER":
        form = kind_of_part(part, "format") or "TEXT"
        if form == "TEXT":
            return _text_slots("header", part)
        return [Slot("header", MEDIA_FORMATS[form])] if form in MEDIA_FORMATS else None
    if kind == "BODY":
        return _text_slots("body", part)
    if kind == "FOOTER":
        return []
    if kind == "BUTTONS":
        slots: list[Slot] = []
        for index, button in enumerate(as_parts(part.get("buttons"))):
            found = _button_slots(index, button)
            if found is None:
                return None
            slots += found
        return slots
    return None


def _text_slots(component: str, part: Part) -> list[Slot]:
    return [Slot(component, "text", name) for name in variables_in(as_text(part.get("text")))]


def _button_slots(index: int, button: Part) -> list[Slot] | None:
    kind, label = kind_of_part(button), as_text(button.get("text"))
    if kind in PLAIN_BUTTONS:
        return []
    if kind == "URL":
        has_variable = VARIABLE.search(as_text(button.get("url"))) is not None
        return [Slot("button", "url", index=index, label=label)] if has_variable else []
    if kind in CODE_BUTTONS:
        return [Slot("button", "code", index=index, label=label)]
    return [Slot("button", "otp", index=index, label=label)] if kind in OTP_BUTTONS else None


@dataclass(frozen=True)
class HeaderMedia:
    """The file of a header: Meta's id of it, or a public address."""

    kind: str
    id: str = ""
    link: str = ""
    name: str = ""


def graph_components(
    template: Template,
    values: Mapping[str, str],
    media: HeaderMedia | None,
    payloads: Mapping[int, str],
) -> list[Part]:
    """Return the `components` of a send; values by `Slot.field`, quick replies' payloads by index.

    Components without parameters are left out, as Meta asks.
    """
    parts: list[Part] = []
    if media is not None:
        file: Part = {"id": media.id} if media.id else {"link": media.link}
        if media.kind == "document" and media.name:
            file["filename"] = media.name
        parts.append(
            {"type": "HEADER", "parameters": [{"type": media.kind, media.kind: file}]},
        )
    for component in ("header", "body"):
        slots = [s for s in template.slots if s.component == component and s.kind == "text"]
        if slots:
            parameters = [_text_parameter(template, slot, values[slot.field]) for slot in slots]
            parts.append({"type": component.upper(), "parameters": parameters})
    parts += [
        _button(index, "QUICK_REPLY", {"type": "payload", "payload": payload})
        for index, payload in sorted(payloads.items())
    ]
    for slot in template.slots:
        if slot.kind in ("url", "otp"):
            parameter = {"type": "text", "text": values[slot.field]}
            parts.append(_button(slot.index, "URL", parameter))
        elif slot.kind == "code":
            parameter = {"type": "coupon_code", "coupon_code": values[slot.field]}
            parts.append(_button(slot.index, "COPY_CODE", parameter))
    return parts


def _text_parameter(template: Template, slot: Slot, value: str) -> Part:
    parameter: Part = {"type": "text", "text": value}
    return {**parameter, "parameter_name": slot.name} if template.is_named else parameter


def _button(index: int, sub_type: str, parameter: Part) -> Part:
    return {"type": "button", "sub_type": sub_type, "index": index, "parameters": [parameter]}


def body_text(template: Template, values: Mapping[str, str]) -> str:
    """Return the filled text of the body, which every template has."""
    return "\n".join(
        filled_text(as_text(part.get("text")), _values_of("body", values))
        for part in template.components
        if kind_of_part(part) == "BODY"
    )


def shown_components(
    template: Template, values: Mapping[str, str], media: HeaderMedia | None
) -> list[Part]:
    """Return the components as the contact sees them (rules/messages §1)."""
    shown: list[Part] = []
    for part in template.components:
        kind = kind_of_part(part)
        if kind == "HEADER" and media is not None:
            header: Part = {"type": kind, "format": kind_of_part(part, "format")}
            header |= {"filename": media.name} if media.name else {}
            shown.append(header | ({"link": media.link} if media.link else {}))
        elif kind in ("HEADER", "BODY"):
            text = filled_text(as_text(part.get("text")), _values_of(kind.lower(), values))
            shown.append(
                {"type": kind, "text": text} | ({"format": "TEXT"} if kind == "HEADER" else {})
            )
        elif kind == "FOOTER":
            shown.append({"type": kind, "text": _footer(part)})
        elif kind == "BUTTONS":
            buttons = as_parts(part.get("buttons"))
            shown.append({"type": kind, "buttons": _shown_buttons(buttons, values)})
    return shown


def _footer(part: Part) -> str:
    minutes = as_text(part.get("code_expiration_minutes"))
    expires = f"Este código expira em {minutes} minutos." if minutes else ""
    return as_text(part.get("text")) or expires


def _shown_buttons(buttons: Sequence[Part], values: Mapping[str, str]) -> list[Part]:
    rows: list[Part] = []
    for index, button in enumerate(buttons):
        kind = kind_of_part(button)
        row: Part = {"type": kind, "text": as_text(button.get("text"))}
        value = values.get(f"buttons.{index}", "")
        if kind == "URL":
            address = as_text(button.get("url"))
            row["url"] = filled_text(address, dict.fromkeys(VARIABLE.findall(address), value))
        elif kind == "PHONE_NUMBER":
            row["phone_number"] = as_text(button.get("phone_number"))
        elif value:
            row["code"] = value
        rows.append(row)
    return rows


def _values_of(component: str, values: Mapping[str, str]) -> dict[str, str]:
    prefix = f"{component}."
    return {
        field[len(prefix) :]: text for field, text in values.items() if field.startswith(prefix)
    }
