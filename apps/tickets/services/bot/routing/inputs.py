"""Plain views of what a decision is made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from apps.tickets.bot_states import BotState, Id

# A row of working hours: weekdayEn, startTime, endTime (rules/hours §2).
Schedules = Sequence[Mapping[str, str]]
TEXTS = frozenset({"conversation", "extendedTextMessage"})


@dataclass(frozen=True)
class MessageView:
    """What a contact wrote; `choice_id` is the id of a pressed button or chosen row.

    `is_hasty`: it was written before the menu that waits now could be read.
    """

    text: str
    media_type: str = "conversation"
    choice_id: str = ""
    message_id: int | None = None
    is_hasty: bool = False

    @property
    def answer_text(self) -> str:
        """Return what can be an answer: the words of a text, nothing of a picture or a sound."""
        return self.text if self.media_type in TEXTS else ""

    @property
    def is_wrong(self) -> bool:
        """Tell whether it is a wrong answer where it is none: media and what came early are not."""
        return self.media_type in TEXTS and not self.is_hasty


@dataclass(frozen=True)
class TicketView:
    queue_id: Id | None = None
    is_group: bool = False
    has_user: bool = False
    state: BotState = field(default_factory=BotState)


@dataclass(frozen=True)
class FileView:
    """The file of the option `option_id`, as the store knows it."""

    option_id: Id
    path: str
    name: str
    mime: str
    size: int = 0


@dataclass(frozen=True)
class OptionView:
    """A node of a queue's options; `children` in their order.

    `asks`: the kind of value that it asks for (`values.py`), `asks_field` the extra field of the
    contact that it lands in; none is the contact's own name or e-mail.
    """

    id: Id
    title: str
    message: str = ""
    redirection_queue_id: Id | None = None
    tag_id: int | None = None
    asks: str = ""
    asks_field: str = ""
    file: FileView | None = None
    children: tuple["OptionView", ...] = ()


@dataclass(frozen=True)
class QueueView:
    """A queue with its tree of options, in their order."""

    id: Id
    name: str
    greeting: str = ""
    out_of_hours_message: str = ""
    schedules: Schedules = ()
    options: tuple[OptionView, ...] = ()
    integration_id: int | None = None
    prompt_id: int | None = None


@dataclass(frozen=True)
class ConnectionView:
    """The connection. `queues` in the order of the menu; `max_menus` 0 = no limit.

    `fallback_queue_id` and `fallback_message`: where the bot leaves who was led to no queue, and
    what it says by it.

    `native_menus`: its provider shows buttons and lists.
    """

    greeting: str = ""
    out_of_hours_message: str = ""
    queues: tuple[QueueView, ...] = ()
    max_menus: int = 3
    interval_minutes: int = 0
    keyword: str = ""
    keyword_queue_id: Id | None = None
    integration_id: int | None = None
    prompt_id: int | None = None
    native_menus: bool = False
    fallback_queue_id: Id | None = None
    fallback_message: str = ""


@dataclass(frozen=True)
class CompanyView:
    """The company's settings and hours, and all its queues that a ticket may be in or led to.

    The connection's own queues need not be among `queues`. `schedule_type` is disabled, company or
    queue; `menu_type` text, button or list.
    """

    zone: tzinfo
    schedule_type: str = "disabled"
    schedules: Schedules = ()
    menu_type: str = "text"
    alert_audio: bool = False
    queues: Mapping[Id, QueueView] = field(default_factory=dict)
