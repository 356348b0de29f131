"""Parses the conversations of dialogues.txt."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# A line: the author (c customer, a attendant), optionally '>' (quotes the customer's last message)
# or a kind, then the text or 'sample | caption'.
LINE = re.compile(r"([ca])(>?):?([a-z]*):? (.+)")


@dataclass(frozen=True)
class Turn:
    """One message of a dialogue, with unfilled {slots}."""

    from_me: bool
    kind: str
    text: str
    sample: str = ""
    quotes: bool = False


@dataclass(frozen=True)
class Dialogue:
    """A whole conversation, with the queue and tag of its ticket."""

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
        kind = ""  # a word after '>' only names the quoted message
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
