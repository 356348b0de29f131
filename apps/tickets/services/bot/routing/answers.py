"""Reads the contact's answers to menus."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar
from unicodedata import decimal

from apps.common.search import bare, composed, fold
from apps.tickets.bot_states import Id
from apps.tickets.services.bot.routing.inputs import MessageView, OptionView, QueueView

BACK, MAIN = "0", "#"

# The characters that make a keycap emoji of a digit. The keycap ten is a character of its own.
KEYCAP = {0xFE0F: None, 0x20E3: None}
TEN = "\N{KEYCAP TEN}"
# No menu has more entries, and Python refuses to parse numbers of thousands of digits.
NUMBER = re.compile(r"\W*?([0-9]{1,3})\W*")
NUMBERED = re.compile(r"\W*?([0-9]{1,3})\W+(.+)", re.DOTALL)
# An answer is at most a title with its number. A longer text is not an answer.
LONGEST_ANSWER = 300
# Prefixes of the choice ids of queues and of options.
QUEUE_ID, OPTION_ID = "queue:", "option:"

Entry = TypeVar("Entry", QueueView, OptionView)
Meaning = TypeVar("Meaning")

# Folded words that may stand before and after a number.
BEFORE = (
    r"(?:(?:eu|quero|queria|gostaria|prefiro|escolho|pode|ser|seria|vou|de|da|do|a|o|na|no|as|os"
    r"|el|la|un|una|the|want|i|opcao|opcion|option|numero|number|num|nro|n|item|letra|alternativa"
    r"|escolha|resposta|acho|que|e|é|sim|por|favor|please)[\s:.ºª°,-]+)*"
)
AFTER = (
    r"(?:[\s,.!]+(?:opcao|opcion|option|por|favor|please|obrigad[oa]|gracias|pfv|pf|mesmo|one))*"
)
SAID_NUMBER = re.compile(rf"{BEFORE}([0-9]{{1,3}})[aoºª°]?{AFTER}\W*")
ORDINALS = (
    r"primeir[oa]|primer[oa]?|first",
    r"segund[oa]|second",
    r"terceir[oa]|tercer[oa]?|third",
    r"quart[oa]|cuart[oa]|fourth",
    r"quint[oa]|fifth",
    r"sext[oa]|sixth",
    r"setim[oa]|septim[oa]|seventh",
    r"oitav[oa]|octav[oa]|eighth",
    r"non[oa]|noven[oa]|ninth",
    r"decim[oa]|tenth",
)
# The index of the matching group is the position.
SAID_ORDINAL = re.compile(rf"{BEFORE}(?:{'|'.join(f'({each})' for each in ORDINALS)}){AFTER}\W*")
# A clause with one of these words does not choose the entry that it names. 'no' alone is not one of
# them, because in Portuguese it means 'in the': 'quero falar no financeiro'.
DENIAL = re.compile(
    r"\b(?:nao|nem|sem|sin|not|don'?t"
    r"|no (?:quiero|necesito|deseo|busco|es|era|para|al|a|con|la|el|los|las|want|need))\b"
)
CLAUSES = re.compile(r"[,.;:!?]\s|\b(?:mas|pero|but)\b")
MENU_WORDS = frozenset(
    {"menu", "menu principal", "menu inicial", "voltar ao menu", "volver al menu", "main menu"}
    | {"back to menu", "back to the menu"}
)


def plain(text: str) -> str:
    """Return a text with all digits (other scripts, wide, circled, keycap) as ASCII digits."""
    text = composed(text.replace(TEN, "10").translate(KEYCAP), "NFKC").strip()
    return "".join(str(decimal(each, each)) for each in text)


# A rehearsal compares the few titles of a menu with many answers.
@lru_cache(maxsize=2048)
def _plain_title(title: str) -> str:
    return plain(title)


def is_same(text: str, other: str) -> bool:
    """Tell whether two texts are equal and not empty, ignoring white space, case and accents."""
    folded = fold(text)
    return bool(folded) and folded == fold(other)


def answer_of(message: MessageView) -> str:
    """Return the text if it is short enough to be an answer, else an empty one."""
    text = message.answer_text
    return plain(text) if len(text) <= LONGEST_ANSWER else ""


def command_of(message: MessageView) -> str:
    """Return '0' or '#' if the contact answered that, else an empty string."""
    if message.choice_id in {BACK, MAIN}:
        return message.choice_id
    text = answer_of(message)
    if text.strip(".)*-_ ") == MAIN:
        return MAIN
    return BACK if _number(text) == 0 else ""


def id_of(choice_id: str, kind: str) -> str:
    """Return the id in a choice id of this kind, as text; empty for another kind."""
    return choice_id[len(kind) :] if choice_id.startswith(kind) else ""


def chosen(message: MessageView, entries: Sequence[Entry], kind: str) -> Entry | None:
    """Return the entry that an answer names: by its id, its position or its title."""
    wanted = id_of(message.choice_id, kind)
    for entry in entries:
        if wanted and str(entry.id) == wanted:
            return entry
    text = answer_of(message)
    if not text:
        return None
    number = _number(text)
    if number is not None:
        return entries[number - 1] if 1 <= number <= len(entries) else _titled(text, entries)
    found = _titled(text, entries)
    if found is None and (both := NUMBERED.fullmatch(text)):
        # The contact sent a whole line of the menu back.
        place = int(both[1])
        named = _titled(both[2], entries)
        if named is not None:
            is_line = 1 <= place <= len(entries) and entries[place - 1] is named
            return named if is_line else None
    return found or _said(fold(text), entries) or _mentioned(fold(text), entries)


def only(meanings: Iterable[Meaning | None]) -> Meaning | None:
    """Return the meaning that all messages with a meaning share; None if they share none."""
    found = [each for each in meanings if each is not None]
    return found[0] if found and all(each == found[0] for each in found) else None


def asks_for_menu(message: MessageView) -> bool:
    """Tell whether a message asks for the main menu in words."""
    return bare(answer_of(message)) in MENU_WORDS


def _said(text: str, entries: Sequence[Entry]) -> Entry | None:
    """Return the entry whose position is given in words: 'opção 2', 'a segunda'."""
    number = SAID_NUMBER.fullmatch(text)
    ordinal = SAID_ORDINAL.fullmatch(text)
    place = int(number[1]) if number else (ordinal and ordinal.lastindex) or 0
    return entries[place - 1] if 1 <= place <= len(entries) else None


def _mentioned(text: str, entries: Sequence[Entry]) -> Entry | None:
    """Return the entry if a sentence names exactly one.

    Titles inside longer titles do not count.
    """
    named = []
    titles = [(bare(_plain_title(title_of(each))), each) for each in entries]
    for title, entry in sorted(titles, key=lambda each: len(each[0]), reverse=True):
        if not any(letter.isalpha() for letter in title):
            continue
        found = re.compile(rf"(?<!\w){re.escape(title)}(?!\w)")
        if found.search(text):
            text = found.sub("\N{BULLET}", text)
            named.append(entry)
    if len(named) != 1:
        return None
    naming = (each for each in CLAUSES.split(text) if "\N{BULLET}" in each)
    return None if any(DENIAL.search(each) for each in naming) else named[0]


def _number(text: str) -> int | None:
    found = NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def _titled(text: str, entries: Sequence[Entry]) -> Entry | None:
    for entry in entries:
        if is_same(text, _plain_title(title_of(entry))):
            return entry
    said = bare(text)
    for entry in entries:
        if said and said == bare(_plain_title(title_of(entry))):
            return entry
    return None


def title_of(entry: QueueView | OptionView) -> str:
    """Return the entry's title in a menu."""
    return entry.name if isinstance(entry, QueueView) else entry.title


def find(options: Sequence[OptionView], option_id: Id) -> tuple[OptionView, ...]:
    """Return the path from the top to an option, the option last; empty if it is not there."""
    for option in options:
        if option.id == option_id:
            return (option,)
        below = find(option.children, option_id)
        if below:
            return (option, *below)
    return ()
