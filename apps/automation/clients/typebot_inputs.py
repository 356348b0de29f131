"""Inputs of a Typebot flow: their messages in WhatsApp, and the contact's answers to them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from apps.automation.clients.base import Option, Reply
from apps.common.search import fold

CHOICES = "choice input"
PICTURES = "picture choice input"
CARDS = "cards input"
RATING = "rating input"
DATE = "date input"
NUMBER = "number input"
FILE = "file input"
TEXT = "text input"

# WhatsApp's lists have up to ten rows of 24 characters; up to three buttons have 20 each.
MAX_NATIVE, MAX_ROW_TITLE = 10, 24
MAX_BUTTONS, MAX_BUTTON_TITLE = 3, 20
MAX_ITEMS = 100
CHOOSE = "Escolha uma opção:"

_NUMBERS = re.compile(r"\s*\d+(?:(?:\s*[,;/]\s*|\s+e\s+|\s+)\d+)*\s*", re.IGNORECASE)
_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:\s+(?:às\s+)?(\d{1,2})[:h](\d{2})?)?")
_DECIMAL_COMMA = re.compile(r"-?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+")


@dataclass(frozen=True)
class Item:
    """A choice: `answer` is the value for the flow."""

    id: str
    title: str
    answer: str
    description: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Input:
    """An input that the flow waits for; `question` is the text that asks for it.

    `takes_files` and `takes_audio`: a text input that also accepts attachments or a recording.
    """

    id: str
    type: str
    items: tuple[Item, ...] = ()
    is_multiple: bool = False
    question: str = ""
    hint: str = ""
    takes_files: bool = False
    takes_audio: bool = False
    is_range: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the input as JSON for the session."""
        return asdict(self)

    @classmethod
    def of(cls, data: Any) -> "Input | None":
        """Return the input of `as_json`; None for the format of another version."""
        if not isinstance(data, Mapping):
            return None
        try:
            items = tuple(Item(**item) for item in data.get("items", ()))
            return cls(**{**data, "items": items})
        except TypeError:
            return None

    def asked_with(self, question: str) -> "Input":
        """Return a copy with another question."""
        return replace(self, question=question)


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [item for item in value if isinstance(item, Mapping)]


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _items(block: Mapping[str, Any]) -> list[Item]:
    found = []
    for item in _mappings(block.get("items"))[:MAX_ITEMS]:
        identity, title = str(item.get("id") or ""), _text(item.get("title"))
        description = _text(item.get("description"))
        if block["type"] == CHOICES:
            content = _text(item.get("content"))
            found.append(Item(identity, content, content))
        elif block["type"] == PICTURES:
            picture = _text(item.get("pictureSrc"))
            found.append(Item(identity, title or description, title or picture, description))
            found[-1] = replace(found[-1], picture=picture)
        else:
            found += [
                Item(
                    str(path.get("id") or ""),
                    " – ".join(filter(None, (title, _text(path.get("text"))))),
                    _text(path.get("text")),
                    description,
                    _text(item.get("imageUrl")) if not index else "",
                )
                for index, path in enumerate(_mappings(item.get("paths")))
            ]
    return [item for item in found if item.title or item.picture]


def _hint(kind: str, options: Mapping[str, Any]) -> str:
    if kind == RATING:
        length = options.get("length")
        last = length if isinstance(length, int) else 10
        first = options.get("startsAt") if options.get("buttonType") == "Numbers" else 1
        first = first if isinstance(first, int) else 0
        labels = options.get("labels")
        labels = labels if isinstance(labels, Mapping) else {}
        left, right = _text(labels.get("left")), _text(labels.get("right"))
        lowest, highest = (f" ({label})" if label else "" for label in (left, right))
        return f"Responda com um número de {first}{lowest} a {last}{highest}."
    if kind == DATE:
        form = "dd/mm/aaaa hh:mm" if options.get("hasTime") else "dd/mm/aaaa"
        if options.get("isRange"):
            return f"Responda com as duas datas: {form} a {form}."
        return f"Responda com a data: {form}."
    if kind == FILE:
        return "Envie o arquivo por aqui."
    return ""


def _is_enabled(options: Mapping[str, Any], name: str) -> bool:
    part = options.get(name)
    return isinstance(part, Mapping) and bool(part.get("isEnabled"))


def read_input(block: Any) -> Input | None:
    """Return the input of an answer's `input` block; None if the flow has ended."""
    if not isinstance(block, Mapping) or not isinstance(block.get("type"), str):
        return None
    options = block.get("options")
    options = options if isinstance(options, Mapping) else {}
    kind = block["type"]
    has_items = kind in (CHOICES, PICTURES, CARDS)
    return Input(
        id=str(block.get("id") or ""),
        type=kind,
        items=tuple(_items(block)) if has_items else (),
        is_multiple=bool(options.get("isMultipleChoice")),
        hint=_hint(kind, options),
        takes_files=_is_enabled(options, "attachments"),
        takes_audio=_is_enabled(options, "audioClip"),
        is_range=bool(options.get("isRange")),
    )


def ask(waiting: Input, *, native_menus: bool) -> Reply | None:
    """Return the question with its choices or its hint; None if there is nothing to ask."""
    if not waiting.items:
        parts = [waiting.question, waiting.hint and f"_{waiting.hint}_"]
        text = "\n\n".join(filter(None, parts))
        return Reply(text=text) if text else None
    titles = [item.title for item in waiting.items]
    longest = MAX_BUTTON_TITLE if len(titles) <= MAX_BUTTONS else MAX_ROW_TITLE
    fits = len(titles) <= MAX_NATIVE and all(
        item.id and 0 < len(item.title) <= longest for item in waiting.items
    )
    if native_menus and fits and not waiting.is_multiple:
        options = tuple(Option(item.id, item.title, item.description) for item in waiting.items)
        return Reply(text=waiting.question or CHOOSE, options=options)
    lines = [
        f"*{number}* - {item.title or 'Imagem ' + str(number)}"
        + (f"\n{item.description}" if item.description not in ("", item.title) else "")
        for number, item in enumerate(waiting.items, 1)
    ]
    hint = "_Para escolher mais de uma, separe os números com vírgula._"
    parts = [waiting.question, "\n".join(lines), hint if waiting.is_multiple else ""]
    return Reply(text="\n\n".join(filter(None, parts)))


def _by_number(items: Sequence[Item], number: str) -> Item | None:
    index = int(number) - 1 if len(number) <= 4 else -1
    return items[index] if 0 <= index < len(items) else None


def choose(waiting: Input, *, text: str, choice_id: str = "") -> list[Item]:
    """Return the items chosen by a native choice's id, a title or a number; else an empty list.

    Titles take precedence over numbers, so that '2' chooses the item with that title.
    """
    items = waiting.items
    if choice_id:
        return [item for item in items if item.id == choice_id][:1]
    wanted = fold(text).rstrip(".)") if text.strip() else ""
    named = [item for item in items if wanted and fold(item.title).rstrip(".)") == wanted]
    if named:
        return named[:1]
    if waiting.is_multiple:
        if _NUMBERS.fullmatch(text):
            found = [_by_number(items, number) for number in re.findall(r"\d+", text)]
        else:
            parts = [fold(part) for part in re.split(r"[,;\n]", text) if part.strip()]
            titles = {fold(item.title): item for item in reversed(items)}
            found = [titles.get(part) for part in parts]
        chosen = list(dict.fromkeys(item for item in found if item))
        return chosen if None not in found else []
    number = re.fullmatch(r"(\d+)(?:\s*[-–.)].*)?", text.strip(), re.DOTALL)
    item = _by_number(items, number[1]) if number else None
    return [item] if item else []


def _as_iso(date: re.Match[str]) -> str:
    day, month, year, hour, minute = date.groups()
    try:
        moment = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0))
    except ValueError:
        return date[0]
    return moment.strftime("%Y-%m-%dT%H:%M" if hour else "%Y-%m-%d")


def reword(waiting: Input | None, text: str) -> str:
    """Return typed text in the flow's format: dates (read day first) as ISO, 1,5 as 1.5."""
    if waiting is None:
        return text
    if waiting.type == DATE:
        dates = [_as_iso(date) for date in _DATE.finditer(text)]
        wanted = 2 if waiting.is_range else 1
        return " to ".join(dates) if len(dates) == wanted else text
    if waiting.type == NUMBER and _DECIMAL_COMMA.fullmatch(text.strip()):
        return text.strip().replace(".", "").replace(",", ".")
    return text
