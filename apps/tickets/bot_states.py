"""The bot's progress with a ticket, as stored in `Ticket.bot_state`."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

# Ids of queues and options. In a draft the options have keys instead.
Id = int | str

# The ticket fields that the bot changes. Code that saves a ticket after the bot ran saves these
# too.
BOT_FIELDS = ("queue", "chatbot", "bot_state", "use_integration", "integration", "prompt")
QUEUES, OPTIONS, VALUE, FORM, NO_MENU = "queues", "options", "value", "form", ""


@dataclass(frozen=True)
class BotState:
    """The bot's state for one cycle of a ticket; `Ticket.bot_state` is its JSON form.

    `ended`: bot and integration are off until the next cycle. `menu`: the kind of menu that awaits
    an answer: the menu of queues, the options below `option_id` (None: the queue's first options),
    `value`, the question of option `option_id`, or `form`, the form of the questions from it on.
    `answered`: the ids of the questions that a form has answered, while others are asked one by
    one. `menus_sent` and `menu_at`: how often and when that menu was last sent without a valid
    answer; 0 and None while it waits for open hours.
    `menus_asked`: how often the contact has asked for the main menu since the last choice.
    `writing_asked`: the contact answered the question with media and was asked to write.
    `closed_period`: the closed periods whose out-of-hours message was sent, the latest one of each
    queue. `fallback_told`: the contact was told that a person will answer. `placed`: the ticket was
    put into a queue where people see it, and the contact may still choose. `menu_offered`: a menu
    was sent in this cycle and no person has taken over since, so the contact may ask for it again.
    `left_menu`: the menu (queues, or options below `option_id`) whose repeat limit ended the bot; a
    valid answer to it still counts until a person takes over.
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
    answered: str = ""

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "BotState":
        """Parse a stored state. Missing and invalid values become the defaults."""
        stored = stored if isinstance(stored, Mapping) else {}
        menu, option_id = stored.get("menu"), stored.get("option_id")
        left_menu = stored.get("left_menu")
        return cls(
            ended=stored.get("ended") is True,
            menu=menu if menu in {QUEUES, OPTIONS, VALUE, FORM} else NO_MENU,
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
            answered=str(stored.get("answered") or ""),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the stored form: only the values that differ from the defaults."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in values.items()
            if value not in (None, "", 0, False)
        }

    def taken_over(self) -> "BotState":
        """Return the state after a person took over: the bot is off until the next cycle."""
        return replace(self.for_new_cycle(), ended=True, keyword_used=self.keyword_used)

    def for_new_cycle(self) -> "BotState":
        """Return the state for the next cycle.

        Notices already sent (closed period, audio) are kept.
        """
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
