"""The actions that a decision returns."""

from dataclasses import dataclass

from apps.common.reasons import NO_REASON, Reason
from apps.tickets.bot_states import BotState, Id
from apps.tickets.services.bot.routing.inputs import FileView


@dataclass(frozen=True)
class Choice:
    """One entry of a native menu. `id` comes back when the contact chooses it."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True)
class Say:
    """Send a text: `kind` is greeting, answer, out_of_hours, audio_alert or fallback.

    The variables of the text are not filled in yet (rules/messages §7). The text may be empty if
    there is a `file`. `origin`: see `Origin`.
    """

    text: str
    kind: str
    file: FileView | None = None
    origin: str = ""


@dataclass(frozen=True)
class Ask:
    """Send a menu. Without `choices` the text holds the numbered lines.

    With them it is a native menu, of buttons or as a list. `fallback` is the same menu as plain
    text, for a text that is too long for native menus once its variables are filled in.
    `asks_number`: WhatsApp's button by which the contact shares the own number is below the text.
    """

    text: str
    choices: tuple[Choice, ...] = ()
    as_list: bool = False
    fallback: str = ""
    origin: str = ""
    asks_number: bool = False


@dataclass(frozen=True)
class AskedField:
    """A question of a form: the `key` of its answer, the option that asks, and its words."""

    key: str
    option_id: Id
    label: str


@dataclass(frozen=True)
class AskForm:
    """Send a published form of several questions, which begin at the option `first`."""

    text: str
    flow_id: str
    first: Id
    fields: tuple[AskedField, ...]
    origin: str = ""


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
    """Tag the ticket; a kanban tag replaces the ticket's other kanban tag."""

    tag_id: int


@dataclass(frozen=True)
class SaveValue:
    """Write a value into the contact's extra field `field`, or into its own field of this kind."""

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
    """Stop the integration or the prompt that leads the ticket; the bot continues."""


@dataclass(frozen=True)
class EndBot:
    """Stop bot and integration for this cycle.

    `reason`: leaf, limit, handed_over, failed, finished, silent or phone. `error`: what failed, a
    sentence in Portuguese; `cause`: the same, independent of the language.
    """

    reason: str
    error: str = ""
    cause: Reason = NO_REASON


@dataclass(frozen=True)
class Listen:
    """Wait until the contact is quiet, then judge the messages of that time (rules/bot §3)."""


Action = (
    Listen
    | Say
    | Ask
    | AskForm
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
    """The actions, in order, and the new state."""

    actions: tuple[Action, ...]
    state: BotState
