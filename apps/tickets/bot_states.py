"""How far the bot is with a ticket."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

# The ids of queues and options; those of a draft are its keys.
Id = int | str

# What the bot changes of a ticket; who stores the ticket anyway stores these with it.
BOT_FIELDS = ("queue", "chatbot", "bot_state", "use_integration", "integration", "prompt")
QUEUES, OPTIONS, VALUE, NO_MENU = "queues", "options", "value", ""


@dataclass(frozen=True)
class BotState:
    """What the bot remembers of a ticket's cycle; `Ticket.bot_state` is its JSON form.

    `ended`: bot and integration are off until the next cycle. `menu`: the one that waits for an
    answer, of queues or of the options below `option_id` (None: the queue's first ones); `value`:
    the question of the option `option_id` waits instead. `menus_sent` and `menu_at`: how often and
    when last that menu was sent without a valid answer. `menus_asked`: how often the contact has
    asked for the main menu since a choice. `writing_asked`: who answered it by a picture or a sound
    was asked to write. `closed_period`: the ones whose out-of-hours message was sent, of each queue
    its last. `fallback_told`: the contact was told that somebody comes. `placed`: the ticket was
    put where somebody sees it, and the contact may still choose. `menu_offered`: a menu was sent in
    this cycle and no person has come since: the contact may ask for it again. `left_menu`: the one,
    of queues or of the options below `option_id`, at whose limit the bot ended: a valid answer
    still counts until a person comes.
    """

    ended: bool = False
    menu: str = NO_MENU
    option_id: Id | None = None
    menus_sent: int = 0
    menu_at: datetime | None = None
    menus_asked: int = 0
    writing_asked: bool = False
    closed_period: str = ""
    audio_alert_at: datetime | None = None
    keyword_used: bool = False
    fallback_told: bool = False
    placed: bool = False
    menu_offered: bool = False
    left_menu: str = NO_MENU

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "BotState":
        """Read a stored state; what is missing or makes no sense is as at the beginning."""
        stored = stored if isinstance(stored, Mapping) else {}
        menu, option_id = stored.get("menu"), stored.get("option_id")
        left_menu = stored.get("left_menu")
        return cls(
            ended=stored.get("ended") is True,
            menu=menu if menu in {QUEUES, OPTIONS, VALUE} else NO_MENU,
            option_id=option_id if type(option_id) in {int, str} else None,
            menus_sent=_count(stored.get("menus_sent")),
            menu_at=_moment(stored.get("menu_at")),
            menus_asked=_count(stored.get("menus_asked")),
            writing_asked=stored.get("writing_asked") is True,
            closed_period=str(stored.get("closed_period") or ""),
            audio_alert_at=_moment(stored.get("audio_alert_at")),
            keyword_used=stored.get("keyword_used") is True,
            fallback_told=stored.get("fallback_told") is True,
            placed=stored.get("placed") is True,
            menu_offered=stored.get("menu_offered") is True,
            left_menu=left_menu if left_menu in {QUEUES, OPTIONS} else NO_MENU,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the form that is stored: only what differs from the beginning."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in values.items()
            if value not in (None, "", 0, False)
        }

    def taken_over(self) -> "BotState":
        """Return the state after a person came: off until the next cycle, nothing to choose."""
        return replace(self.for_new_cycle(), ended=True, keyword_used=self.keyword_used)

    def for_new_cycle(self) -> "BotState":
        """Return the state of the next cycle: what the contact was told keeps being told."""
        return BotState(closed_period=self.closed_period, audio_alert_at=self.audio_alert_at)


def _count(value: object) -> int:
    return value if type(value) is int and value > 0 else 0


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
