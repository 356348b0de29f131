"""The conversations of dialogues.txt, read into plain values."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# A line: who (c customer, a attendant), optionally '>' (quotes the customer's last message) or a
# kind, then the words or 'sample | caption'.
LINE = re.compile(r"([ca])(>?):?([a-z]*):? (.+)")


@dataclass(frozen=True)
class Turn:
    """One message of a dialogue, still with its {slots}."""

    from_me: bool
    kind: str
    text: str
    sample: str = ""
    quotes: bool = False


@dataclass(frozen=True)
class Dialogue:
    """A conversation from the first word to the thanks."""

    queue: str
    tag: str
    turns: tuple[Turn, ...]


def _turn(line: str) -> Turn:
    match = LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"dialogues.txt: {line}")
    who, quote, kind, text = match.groups()
    sample = ""
    if quote:
        kind = ""  # what follows '>' says what is quoted
    elif kind not in ("", "reage"):
        sample, _, text = (part.strip() for part in text.partition("|"))
    return Turn(who == "a", kind or "texto", text.strip(), sample, bool(quote))


@cache
def dialogues() -> tuple[Dialogue, ...]:
    text = (Path(__file__).parent / "dialogues.txt").read_text(encoding="utf-8")
    found = []
    for block in text.split("== ")[1:]:
        head, *lines = block.strip().splitlines()
        queue, _, tag = (part.strip() for part in head.partition("|"))
        found.append(Dialogue(queue, tag, tuple(_turn(line) for line in lines)))
    return tuple(found)
