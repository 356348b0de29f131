"""What a decision asks to be done."""

from dataclasses import dataclass

from apps.common.reasons import NO_REASON, Reason
from apps.tickets.bot_states import BotState, Id
from apps.tickets.services.bot.routing.inputs import FileView


@dataclass(frozen=True)
class Choice:
    """One entry of a native menu; `id` comes back when it is chosen and carries the meaning."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True)
class Say:
    """Write a text: `kind` is greeting, answer, out_of_hours, audio_alert or fallback.

    The text still has its variables (rules/messages §7); it may be empty beside a `file`.
    """

    text: str
    kind: str
    file: FileView | None = None


@dataclass(frozen=True)
class Ask:
    """Send a menu. Without `choices` the text holds the numbered lines.

    With them it is a native menu, of buttons or as a list; `fallback` is the same as plain text,
    for a text that its variables made longer than native menus take.
    """

    text: str
    choices: tuple[Choice, ...] = ()
    as_list: bool = False
    fallback: str = ""


@dataclass(frozen=True)
class MoveToQueue:
    """Put the ticket into a queue.

    `by`: menu, keyword, option, timer, integration, prompt, single, fallback, closed or
    late.
    """

    queue_id: Id
    by: str


@dataclass(frozen=True)
class SetTag:
    """Tag the ticket; a lane of the board takes the place of another."""

    tag_id: int


@dataclass(frozen=True)
class SaveValue:
    """Write a value into a field of the contact: an extra one, or its own of this kind."""

    kind: str
    field: str
    value: str


@dataclass(frozen=True)
class StartIntegration:
    """Let an integration answer the message."""

    integration_id: int


@dataclass(frozen=True)
class StartPrompt:
    """Let an AI prompt answer the message."""

    prompt_id: int


@dataclass(frozen=True)
class StopFlow:
    """Take the ticket from the integration or the prompt that leads it; the bot goes on."""


@dataclass(frozen=True)
class EndBot:
    """Stop bot and integration for this cycle.

    `reason`: leaf, limit, handed_over, failed, finished, silent or phone; `error`: what failed, a
    sentence in Portuguese, `cause` the same for every language.
    """

    reason: str
    error: str = ""
    cause: Reason = NO_REASON


@dataclass(frozen=True)
class Listen:
    """Wait until the contact is quiet, then judge what was written meanwhile (rules/bot §3)."""


Action = (
    Listen
    | Say
    | Ask
    | MoveToQueue
    | SetTag
    | SaveValue
    | StartIntegration
    | StartPrompt
    | StopFlow
    | EndBot
)


@dataclass(frozen=True)
class Decision:
    """What to do, in order, and the state to keep."""

    actions: tuple[Action, ...]
    state: BotState
