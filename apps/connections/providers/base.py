"""What every provider of messages can do, and the plain values exchanged with it.

Providers receive credentials, set time-outs, raise `ProviderError` and never touch the ORM.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import IO, Any, Protocol

import orjson

from apps.common.reasons import NO_REASON, Reason, ReasonCode
from apps.common.search import LONGEST_TEXT


class ProviderError(Exception):
    """A send that did not succeed: `message` in Portuguese, `reason` for every language.

    `permanent`: trying again can't help. `retry_after`: seconds the provider asks to wait.
    `pauses_connection`: all sends of the connection should wait (rate limit, spam block).
    `needs_reconnect`: the credentials are refused. `outcome_unknown`: the request may have arrived
    (time-out after sending): settle it by the provider's status before trying again.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: ReasonCode | Reason,
        code: str = "",
        permanent: bool = False,
        retry_after: float | None = None,
        pauses_connection: bool = False,
        needs_reconnect: bool = False,
        outcome_unknown: bool = False,
    ) -> None:
        self.message = message
        self.code = code
        self.reason = reason if isinstance(reason, Reason) else Reason(reason)
        self.permanent = permanent
        self.retry_after = retry_after
        self.pauses_connection = pauses_connection
        self.needs_reconnect = needs_reconnect
        self.outcome_unknown = outcome_unknown
        super().__init__(message)


@dataclass(frozen=True)
class Capabilities:
    """What a provider can do; the browser hides what it can't.

    `fetches_files`: it takes the path of a stored file, not its bytes. `fixed_ids`: it takes the
    message's id from us, by which everything that is reported of it is known from the start.
    """

    edit: bool
    delete: bool
    react: bool
    native_menus: bool
    templates: bool
    check_number: bool
    session_window: bool
    list_contacts: bool = False
    fetches_files: bool = False
    fixed_ids: bool = False


@dataclass(frozen=True)
class MessageKey:
    """A message that is there, or a call: its id, its conversation, and in a group its writer."""

    external_id: str
    chat: str = ""
    from_me: bool = False
    participant: str = ""
    body: str = ""
    media_type: str = ""


@dataclass(frozen=True)
class SendContext:
    """What goes with every send: recipient, our id, and what it answers.

    `to` is digits, a LID with its suffix, or a group's id.
    """

    to: str
    callback_id: str
    quoted: MessageKey | None = None

    @property
    def reply_to(self) -> str | None:
        """Return the provider's id of the message that this one answers."""
        return self.quoted.external_id if self.quoted else None


@dataclass(frozen=True)
class MediaContent:
    """A file to send. `kind` is image, audio, video, document or sticker.

    `path` is where it is stored; `content` is empty for a provider that fetches files.
    """

    kind: str
    content: bytes
    mime: str
    name: str = ""
    caption: str = ""
    is_voice: bool = False
    path: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class DownloadedMedia:
    """A file fetched from the provider."""

    content: bytes
    mime: str
    name: str = ""
    # A large one is in a file of `size` bytes instead, which whoever stores it closes.
    file: IO[bytes] | None = None
    size: int = 0


@dataclass(frozen=True)
class Location:
    """A place; degrees."""

    latitude: float
    longitude: float
    name: str = ""
    address: str = ""


@dataclass(frozen=True)
class CardPhone:
    """A number on a contact card."""

    phone: str
    wa_id: str = ""
    type: str = "CELL"


@dataclass(frozen=True)
class ContactCard:
    """A contact card."""

    name: str
    phones: tuple[CardPhone, ...] = ()


@dataclass(frozen=True)
class AddressEntry:
    """A person in a phone's address book: digits, or the `lid` where that alone is known."""

    number: str
    name: str = ""
    lid: str = ""


@dataclass(frozen=True)
class KnownNumber:
    """A number as the provider calls it, which may leave the ninth digit out, with its LID."""

    number: str
    lid: str = ""


@dataclass(frozen=True)
class Choice:
    """A button or a row of a list; titles ≤ 20 characters on buttons, 24 on rows."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True)
class Menu:
    """Interactive buttons (≤ 3 choices) or a list (≤ 10 choices, `button` opens it)."""

    body: str
    choices: tuple[Choice, ...]
    as_list: bool = False
    button: str = "Ver opções"
    header: str = ""
    footer: str = ""


@dataclass(frozen=True)
class TemplateSend:
    """An approved template with its filled components, as the Graph API takes them."""

    name: str
    language: str
    components: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class SentMessage:
    """The provider took the message; `external_id` is its id there."""

    external_id: str


@dataclass(frozen=True)
class InboundNotice:
    """One thing a provider reported, ready to be stored as an inbound event.

    `kind` is message or status (or the provider's word for anything else); `partition` the
    conversation it belongs to; `payload` the raw part with the envelope it needs.
    """

    event_id: str
    kind: str
    partition: str
    payload: dict[str, Any]


@dataclass(frozen=True)
class InboundMedia:
    """Media of a received message, still at the provider."""

    media_id: str
    mime: str = ""
    name: str = ""
    sha256: str = ""
    is_voice: bool = False


@dataclass(frozen=True)
class InboundMessage:
    """A received message in the wire-neutral form that the one handler takes.

    `media_type` and `body` are those of rules/messages §1 (a location's body is
    'image|link|description'); `choice_id` is the id of a pressed button or chosen row;
    `sender` is the conversation: a number, a group's id, or empty when only the `lid` is known.
    `sender_username` is what a person chose to be called there, empty where it is not told.
    `participant` and `participant_name` say who wrote inside a group, `participant_lid` where the
    number is not known. `is_history`: it was there before the number was connected.
    """

    external_id: str
    sender: str
    sender_name: str
    media_type: str
    body: str
    sent_at: datetime
    from_me: bool = False
    is_group: bool = False
    participant: str = ""
    participant_name: str = ""
    participant_lid: str = ""
    is_history: bool = False
    lid: str = ""
    sender_username: str = ""
    reply_to: str = ""
    choice_id: str = ""
    media: InboundMedia | None = None
    data: dict[str, Any] | None = None
    reaction_to: str = ""
    reaction: str = ""
    edits: str = ""
    deletes: str = ""
    raw: dict[str, Any] = field(default_factory=dict)


def bounded(inbound: InboundMessage) -> InboundMessage:
    """Return the message with what is kept of it; the whole stays in the stored event.

    A structure that is too large goes whole: half of one says nothing.
    """
    data = inbound.data
    if data is not None and len(orjson.dumps(data, default=str)) > LONGEST_TEXT:
        kept = ("forwarded", "referral")
        small: dict[str, Any] = {key: data[key] for key in kept if key in data}
        data = small if small and len(orjson.dumps(small, default=str)) <= LONGEST_TEXT else None
    return replace(
        inbound,
        body=inbound.body[:LONGEST_TEXT],
        choice_id=inbound.choice_id[:LONGEST_TEXT],
        data=data,
    )


@dataclass(frozen=True)
class InboundStatus:
    """A step of a message we sent: `ack` as in rules/messages §2, −1 with `error` and `code`."""

    external_id: str
    ack: int
    callback_id: str = ""
    error: str = ""
    code: str = ""
    reason: Reason = NO_REASON
    at: datetime | None = None


@dataclass(frozen=True)
class InboundCall:
    """Someone rings; `call_id` is what `Provider.reject_call` takes while it does."""

    call_id: str
    sender: str
    sender_name: str
    at: datetime
    is_video: bool = False
    lid: str = ""


@dataclass(frozen=True)
class InboundIdentity:
    """Somebody has other names at the provider from now on; '' for one that is not told.

    `number` and `lid` are those from before. A new number without a `new_lid` has none: Meta makes
    another user id with it (Meta's changelog, August 2026).
    """

    number: str = ""
    lid: str = ""
    new_number: str = ""
    new_lid: str = ""


@dataclass(frozen=True)
class InboundAlias:
    """A number and a LID are one person's."""

    number: str
    lid: str


@dataclass(frozen=True)
class InboundGroup:
    """A group is called so from now on; `group` is its id with suffix."""

    group: str
    subject: str


# What a limit is where there is none.
NO_LIMIT = -1


class AccountState(StrEnum):
    """What a provider says of the account behind a number."""

    LOST = "lost"  # nothing goes or comes until people do something about it
    BACK = "back"
    RESTRICTED = "restricted"  # some things are refused


@dataclass(frozen=True)
class InboundAccount:
    """The account's state changed, for a reason; `at` is when, None where that was not said."""

    state: AccountState
    reason: Reason
    sentence: str
    at: datetime | None = None


class TemplateNews(StrEnum):
    """What a provider says of a message template."""

    STATUS = "status"
    QUALITY = "quality"
    CATEGORY = "category"
    CATEGORY_AHEAD = "category_ahead"  # it will be moved, unless somebody objects
    COMPONENTS = "components"


@dataclass(frozen=True)
class InboundTemplate:
    """Something about a template changed; `value` is what it is now, in the provider's word.

    `before` is the category that it had; `reason` the provider's word for a refusal, `detail` its
    sentences beside.
    """

    news: TemplateNews
    template_id: str
    name: str
    language: str
    value: str = ""
    before: str = ""
    reason: str = ""
    detail: str = ""


class AlertSeverity(StrEnum):
    """How much a provider's alert matters."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFORMATIONAL = "informational"


@dataclass(frozen=True)
class ProviderAlert:
    """Something a provider wants people to know; `kind` and `text` are its own words.

    `is_over` takes back what was said of that kind before.
    """

    kind: str
    severity: AlertSeverity = AlertSeverity.INFORMATIONAL
    text: str = ""
    is_over: bool = False


@dataclass(frozen=True)
class NumberFigures:
    """A number's quality (GREEN, YELLOW, RED, UNKNOWN) and how many people it may write to first.

    Of 24 hours; NO_LIMIT for any number of them. '' and None where the provider does not say.
    """

    quality: str = ""
    limit: int | None = None


@dataclass(frozen=True)
class InboundFigures:
    """What is said of one number, by its digits or its id at the provider, else of all there are.

    `at` is when, None where that was not said.
    """

    number: str = ""
    phone_number_id: str = ""
    limit: int | None = None
    alerts: tuple[ProviderAlert, ...] = ()
    at: datetime | None = None


class Provider(Protocol):
    """A way to send and to look things up. Every method may raise ProviderError."""

    @property
    def capabilities(self) -> Capabilities:
        """Say what this provider can do."""

    def send_text(self, context: SendContext, body: str) -> SentMessage:
        """Send text."""

    def send_media(self, context: SendContext, media: MediaContent) -> SentMessage:
        """Upload and send a file."""

    def send_location(self, context: SendContext, location: Location) -> SentMessage:
        """Send a place."""

    def send_contact(self, context: SendContext, cards: tuple[ContactCard, ...]) -> SentMessage:
        """Send contact cards."""

    def send_menu(self, context: SendContext, menu: Menu) -> SentMessage:
        """Send buttons or a list."""

    def send_template(self, context: SendContext, template: TemplateSend) -> SentMessage:
        """Send an approved template."""

    def message_id(self, context: SendContext) -> str:
        """Give the id that a message of ours will have there, where `capabilities` fixes it."""

    def react(self, context: SendContext, message: MessageKey, emoji: str) -> SentMessage:
        """React to a message; an empty emoji takes the reaction back."""

    def edit(self, context: SendContext, message: MessageKey, body: str) -> None:
        """Change a sent text."""

    def delete(self, context: SendContext, message: MessageKey) -> None:
        """Revoke a sent message."""

    def mark_read(self, message: MessageKey) -> None:
        """Send the read receipt of a received message (and of all before it)."""

    def reject_call(self, call: MessageKey) -> None:
        """Hang up on someone who rings."""

    def check_numbers(self, numbers: Sequence[str]) -> dict[str, KnownNumber | None]:
        """Give what each number is called there, None who is not; where `capabilities` has it."""

    def download_media(self, media_id: str) -> DownloadedMedia:
        """Fetch a received file."""

    def list_contacts(self) -> Iterable[AddressEntry]:
        """Give the phone's address book, without groups, where `capabilities` has it."""

    def close(self) -> None:
        """Give back network connections."""
