"""Builds menus: numbered lines, or the provider's native buttons and lists."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.common.search import fold
from apps.tickets.bot_states import Id
from apps.tickets.services.bot.routing.actions import Ask, Choice
from apps.tickets.services.bot.routing.answers import BACK, MAIN, OPTION_ID, QUEUE_ID, title_of
from apps.tickets.services.bot.routing.inputs import (
    CompanyView,
    ConnectionView,
    OptionView,
    QueueView,
)

# developers.facebook.com/docs/whatsapp/cloud-api/messages/interactive-reply-buttons-messages and
# interactive-list-messages.
BODY_LENGTH = 1024
BUTTON_COUNT, BUTTON_TITLE_LENGTH = 3, 20
ROW_COUNT, ROW_TITLE_LENGTH, ROW_DESCRIPTION_LENGTH = 10, 24, 72

DEFAULT_TEXT = "Escolha uma opção:"
WAYS_BACK = {BACK: "Voltar", MAIN: "Menu principal"}


@dataclass(frozen=True)
class Front:
    """What awaits a contact's answer: the `entries` of a menu, or a question of the kind `asks`.

    An entry is a choice id with its title. `queue_id` and `option_id` tell where: without an option
    it is the queue's first menu, without a queue the menu of queues. Without entries and `asks`
    nothing awaits an answer.
    """

    queue_id: Id | None = None
    option_id: Id | None = None
    asks: str = ""
    entries: tuple[tuple[str, str], ...] = ()


def entries_of(entries: Sequence[QueueView | OptionView]) -> tuple[tuple[str, str], ...]:
    """Return the choice ids and titles of a menu."""
    return tuple((_id_of(each), title_of(each)) for each in entries)


def menu_of(
    text: str,
    entries: Sequence[QueueView | OptionView],
    *,
    back: Sequence[str] = (),
    connection: ConnectionView,
    company: CompanyView,
    origin: str,
) -> Ask:
    """Return the menu of queues or options below a text; `back` are the commands that lead back.

    It is native if the company wants that, the provider can show it and its limits allow it, else
    text. If only the commands exceed the limit, they become lines of the text. A question has
    commands but no entries.
    """
    text = text.strip() or DEFAULT_TEXT
    lines = [f"*{place}* - {title_of(each)}" for place, each in enumerate(entries, 1)]
    ways = [f"*{each}* - {WAYS_BACK[each]}" for each in back]
    as_text = "\n".join([f"{text}\n", *lines, *ways])
    if not connection.native_menus or company.menu_type not in {"button", "list"}:
        return Ask(as_text, origin=origin)
    # Two commands alone are buttons, not a list.
    as_list = company.menu_type == "list" and bool(entries)
    limit = ROW_COUNT if as_list else BUTTON_COUNT
    pairs = [(_id_of(each), title_of(each).strip()) for each in entries]
    if len(pairs) + len(back) <= limit:
        pairs += [(each, WAYS_BACK[each]) for each in back]
    elif ways:
        text = "\n".join([f"{text}\n", *ways])
    # Neither buttons nor lists accept an empty title.
    if len(pairs) > limit or len(text) > BODY_LENGTH or not all(title for _, title in pairs):
        return Ask(as_text, origin=origin)
    return Ask(text, _choices(pairs, as_list), as_list, fallback=as_text, origin=origin)


def _id_of(entry: QueueView | OptionView) -> str:
    kind = QUEUE_ID if isinstance(entry, QueueView) else OPTION_ID
    return f"{kind}{entry.id}"


def _choices(pairs: Sequence[tuple[str, str]], as_list: bool) -> tuple[Choice, ...]:
    length = ROW_TITLE_LENGTH if as_list else BUTTON_TITLE_LENGTH
    taken: set[str] = set()
    choices = []
    for choice_id, title in pairs:
        short = _unique(title, length, taken)
        whole = title[:ROW_DESCRIPTION_LENGTH] if as_list and short != title else ""
        choices.append(Choice(choice_id, short, whole))
    return tuple(choices)


def _unique(title: str, length: int, taken: set[str]) -> str:
    """Return a title, shortened and made unique, because providers refuse equal titles."""
    short = title if len(title) <= length else title[: length - 1].rstrip() + "…"
    number = 2
    while fold(short) in taken:
        ending = f"… {number}"
        short = title[: length - len(ending)].rstrip() + ending
        number += 1
    taken.add(fold(short))
    return short
