"""Validates a sent template against the created one, as Meta does.

developers.facebook.com, 'Cloud API error codes', 132000-series.
"""

import re
from typing import Any

from apps.simulator.graph.errors import GraphError, bad_value, invalid, needs_number, paused
from apps.simulator.graph.templates import Part
from apps.simulator.models import SimMedia

VARIABLE = re.compile(r"\{\{(\w+)\}\}")
BODY_LENGTH = 1024
MEDIA = {"IMAGE": "image/", "VIDEO": "video/", "DOCUMENT": ""}


def check_template(content: Part, templates: list[Part], *, by_user_id: bool = False) -> Part:
    """Return the parts that the customer sees, and the category; raises GraphError for a
    132000-series error.

    `templates` are the account's templates. With `by_user_id`, authentication templates are refused
    (131062). The result has header, text, footer, buttons, and for a file media or link, mediaType
    and filename.
    """
    found = _approved(templates, str(content["name"]), str(content["language"]["code"]))
    if by_user_id and found["category"] == "AUTHENTICATION":
        raise needs_number()
    given = _given(content.get("components"))
    named = found["parameter_format"] == "NAMED"
    parts = {part["type"]: part for part in found["components"]}
    if "CAROUSEL" in parts:
        raise _mismatch("carousel: cards are required")
    shown: Part = {
        "category": found["category"],
        "header": "",
        "footer": _footer(parts.get("FOOTER", {})),
    }
    shown |= _header(parts.get("HEADER"), given.get("header", []), named)
    shown["text"] = _text("body", parts["BODY"]["text"], given.get("body", []), named)
    if len(shown["text"]) > BODY_LENGTH:
        raise GraphError(
            132005, "Translated text too long", details="body: hydrated text is too long"
        )
    shown["buttons"] = _buttons(parts.get("BUTTONS", {}).get("buttons", []), content)
    return shown


def _approved(templates: list[Part], name: str, code: str) -> Part:
    found = next((t for t in templates if t["name"] == name and t["language"] == code), None)
    if found is not None and found["status"] == "PAUSED":
        raise paused(name)
    if found is not None and found["status"] == "DISABLED":
        raise GraphError(
            132016, "Template is Disabled", details=f"template name ({name}) is disabled"
        )
    if found is None or found["status"] != "APPROVED":
        raise GraphError(
            132001,
            "Template name does not exist in the translation",
            status=404,
            details=f"template name ({name}) does not exist in {code}",
        )
    return found


def _given(components: Any) -> dict[str, list[Part]]:
    if components is not None and not isinstance(components, list):
        raise invalid("Param template['components'] must be an array.")
    given: dict[str, list[Part]] = {}
    for component in components or []:
        kind = str(component.get("type", "")).lower() if isinstance(component, dict) else ""
        if kind not in ("header", "body", "button"):
            raise invalid("Param template['components'][0]['type'] must be one of the known types.")
        parameters = component.get("parameters")
        if not isinstance(parameters, list) or not parameters:
            raise invalid("Param parameters must be a non-empty array.")
        given.setdefault(kind, parameters)
    return given


def _header(part: Part | None, parameters: list[Part], named: bool) -> Part:
    form = part["format"] if part else ""
    received = str(parameters[0].get("type", "")).upper() if parameters else "UNKNOWN"
    if form in MEDIA:
        if received != form:
            raise _mismatch(f"header: Format mismatch, expected {form}, received {received}")
        return _media(form, parameters[0].get(form.lower()) or {})
    if not part:
        _count("header", [], parameters)
        return {}
    return {"header": _text("header", part["text"], parameters, named)}


def _media(form: str, file: Part) -> Part:
    shown: Part = {"mediaType": form.lower(), "filename": str(file.get("filename") or "")}
    if file.get("link"):
        return shown | {"link": str(file["link"])}
    media = SimMedia.objects.filter(media_id=str(file.get("id") or "")).first()
    if media is None:
        raise bad_value(f"Param {form.lower()}['id'] is not a valid media id.")
    if not media.mime.startswith(MEDIA[form]):
        raise _mismatch(f"header: Format mismatch, expected {form}, received {media.mime}")
    return shown | {"media": media.media_id, "filename": shown["filename"] or media.name}


def _text(component: str, text: str, parameters: list[Part], named: bool) -> str:
    names = list(dict.fromkeys(VARIABLE.findall(text)))
    _count(component, names, parameters)
    values: dict[str, str] = {}
    for place, parameter in enumerate(parameters):
        if parameter.get("type") != "text":
            received = str(parameter.get("type", "")).upper()
            raise _mismatch(f"{component}: Format mismatch, expected TEXT, received {received}")
        name = str(parameter.get("parameter_name") or "") if named else str(place + 1)
        if named and not name:
            raise GraphError(100, "Invalid parameter", details="Parameter name is missing or empty")
        values[name] = _value(parameter.get("text"))
    if set(values) != set(names):
        raise GraphError(
            132000,
            "Number of parameters does not match the expected number of params",
            details=f"{component}: expected the parameters {', '.join(names)}",
        )
    return VARIABLE.sub(lambda match: values[match[1]], text)


def _value(text: Any) -> str:
    if not isinstance(text, str) or not text:
        raise GraphError(
            131008, "Required parameter is missing", details="Parameter of type text is missing"
        )
    if re.search(r"[\n\t]| {5,}", text):
        raise GraphError(
            132018,
            "There's an issue with the parameters in your template",
            details="Param text cannot have new-line/tab characters or more than 4 consecutive"
            " spaces",
        )
    return text


def _count(component: str, names: list[str], parameters: list[Part]) -> None:
    if len(parameters) != len(names):
        raise GraphError(
            132000,
            "Number of parameters does not match the expected number of params",
            details=f"{component}: number of localizable_params ({len(parameters)}) does not match"
            f" the expected number of params ({len(names)})",
        )


def _buttons(buttons: list[Part], content: Part) -> list[Part]:
    given: dict[int, Part] = {}
    for component in content.get("components") or []:
        if str(component.get("type", "")).lower() == "button":
            index = int(component.get("index", -1))
            if not 0 <= index < len(buttons):
                raise _mismatch(f"buttons: there is no button at index {index}")
            given[index] = component
    return [_button(place, button, given.get(place)) for place, button in enumerate(buttons)]


def _button(place: int, button: Part, given: Part | None) -> Part:
    shown = {"type": button["type"], "text": button["text"]}
    sub_type = str(given.get("sub_type", "")).upper() if given else ""
    if given is not None and sub_type != button["type"]:
        raise _mismatch(f"buttons: Button at index {place} is not of type {sub_type}")
    parameter = given["parameters"][0] if given else {}
    if button["type"] == "QUICK_REPLY":
        return shown | {"payload": str(parameter.get("payload") or button["text"])}
    if button["type"] == "PHONE_NUMBER":
        return shown | {"phone": button["phone_number"]}
    if button["type"] == "COPY_CODE":
        code = parameter.get("coupon_code")
        if not code:
            raise _missing_button(place, "copy_code")
        return shown | {"code": str(code)}
    takes_one = "{{" in button["url"]
    if takes_one and not parameter.get("text"):
        raise _missing_button(place, "Url")
    if not takes_one and given is not None:
        raise GraphError(
            132018,
            "There's an issue with the parameters in your template",
            details=f"buttons: Button at index {place} takes no parameters",
        )
    return shown | {"url": VARIABLE.sub(str(parameter.get("text") or ""), button["url"])}


def _missing_button(place: int, kind: str) -> GraphError:
    return GraphError(
        131008,
        "Required parameter is missing",
        details=f"buttons: Button at index {place} of type {kind} requires a parameter",
    )


def _mismatch(details: str) -> GraphError:
    return GraphError(
        132012,
        "Parameter format does not match format in the created template",
        details=details,
    )


def _footer(part: Part) -> str:
    minutes = part.get("code_expiration_minutes")
    expires = f"Este código expira em {minutes} minutos." if minutes else ""
    return str(part.get("text") or expires)
