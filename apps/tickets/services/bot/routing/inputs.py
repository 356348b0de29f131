"""Plain views that the decisions read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import tzinfo

from apps.common.hours import NO_DAYS_OFF, DaysOff, Schedules
from apps.tickets.bot_states import BotState, Id

TEXTS = frozenset({"conversation", "extendedTextMessage"})


@dataclass(frozen=True)
class FormAnswer:
    """The values of a filled-in form, by the ids of the options that asked for them.

    `first` is the option at which the form began; None for a form that the bot has not sent.
    """

    first: Id | None = None
    values: Mapping[Id, str] = field(default_factory=dict)


@dataclass(frozen=True)
class MessageView:
    """A contact's message; `choice_id` is the id of a pressed button or chosen row.

    `is_hasty`: it was written before the contact could have read the current menu.
    `shared_number`: the contact's own number, in digits, that it shared by WhatsApp's button.
    """

    text: str
    media_type: str = "conversation"
    choice_id: str = ""
    message_id: int | None = None
    is_hasty: bool = False
    shared_number: str = ""
    form: FormAnswer | None = None

    @property
    def answer_text(self) -> str:
        """Return the text if the message is one; captions and forms are not answers."""
        return self.text if self.media_type in TEXTS and self.form is None else ""

    @property
    def is_wrong(self) -> bool:
        """Tell whether it counts as wrong if it is no valid answer; media, forms and hasty ones do
        not.
        """
        return self.media_type in TEXTS and not self.is_hasty and self.form is None


@dataclass(frozen=True)
class TicketView:
    """A ticket; `has_number`: the contact's telephone number is known."""

    queue_id: Id | None = None
    is_group: bool = False
    has_user: bool = False
    has_number: bool = False
    state: BotState = field(default_factory=BotState)


@dataclass(frozen=True)
class FileView:
    """The stored file of the option `option_id`."""

    option_id: Id
    path: str
    name: str
    mime: str
    size: int = 0


@dataclass(frozen=True)
class OptionView:
    """An option of a queue, with its `children` in order.

    `asks` is the kind of value that it asks for (`values.py`). `asks_field` is the extra field for
    the value; without it the value goes to the contact's own name, e-mail or telephone. With
    `asks_together` the questions that follow are asked with it (rules/bot §12).
    """

    id: Id
    title: str
    message: str = ""
    redirection_queue_id: Id | None = None
    tag_id: int | None = None
    asks: str = ""
    asks_field: str = ""
    asks_together: bool = False
    file: FileView | None = None
    children: tuple["OptionView", ...] = ()

    @property
    def has_file(self) -> bool:
        return self.file is not None


@dataclass(frozen=True)
class QueueView:
    """A queue with its tree of options, in order."""

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
    """A connection. `queues` are in the order of the menu; `max_menus` 0 means no limit.

    `fallback_queue_id` and `fallback_message`: the queue and the message when the bot ends for a
    contact whom it led to no queue. `native_menus`: the provider shows buttons and lists. `forms`:
    the flows of the published forms, by the digest of the form.
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
    forms: Mapping[str, str] = field(default_factory=dict)
    fallback_queue_id: Id | None = None
    fallback_message: str = ""


@dataclass(frozen=True)
class CompanyView:
    """The company's settings and hours, and the queues that a ticket may be in or be led to.

    The connection's own queues need not be among `queues`. `schedule_type` is disabled, company or
    queue; `menu_type` is text, button or list. `country` is the ISO code by which numbers without
    country are read.
    """

    zone: tzinfo
    schedule_type: str = "disabled"
    schedules: Schedules = ()
    days_off: DaysOff = NO_DAYS_OFF
    menu_type: str = "text"
    alert_audio: bool = False
    country: str = "BR"
    queues: Mapping[Id, QueueView] = field(default_factory=dict)
