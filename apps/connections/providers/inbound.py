"""Plain values of what a provider reports on its own."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson

from apps.common.reasons import NO_REASON, Reason
from apps.common.search import LONGEST_TEXT
from apps.connections.providers.content import AddressEntry


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
class InboundPoll:
    """What reads the votes on a poll; its words are the message's."""

    secret: str


@dataclass(frozen=True)
class InboundMessage:
    """A received message in the wire-neutral form that the one handler takes.

    `media_type` and `body` are those of rules/messages §1 (a location's body is
    'image|link|description'); `choice_id` is the id of a pressed button or chosen row;
    `sender` is the conversation: a number, a group's id, or empty when only the `lid` is known.
    `sender_username` is what a person chose to be called there, empty where it is not told.
    `participant` and `participant_name` say who wrote inside a group, `participant_lid` where the
    number is not known. `votes_on` names the poll that a `vote` is about, which is encrypted with
    that poll's secret (`providers.votes`). `is_history`: it was there before the number was
    connected; `ack` is how far such a one of ours got (rules/messages §2). `raw` is the message
    itself as the provider told it, sealed where it holds keys, `envelope` what of the notification
    is told around it.
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
    votes_on: str = ""
    vote: str = ""
    poll: InboundPoll | None = None
    ack: int | None = None
    raw: dict[str, Any] = field(default_factory=dict)
    envelope: dict[str, Any] = field(default_factory=dict)


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
class InboundHistory:
    """A part of what a phone has from before, of any number of conversations.

    `phase` (0: the last day, 1: to 90 days, 2: to 180) and `progress` (0 to 100, of all there is)
    stand in the last part of a chunk, None elsewhere. `is_declined`: the owner shares nothing.
    """

    messages: tuple[InboundMessage, ...] = ()
    phase: int | None = None
    progress: int | None = None
    is_declined: bool = False
    error: str = ""


@dataclass(frozen=True)
class InboundAddresses:
    """People in a phone's address book: what it had, and what was added or changed since."""

    entries: tuple[AddressEntry, ...]


@dataclass(frozen=True)
class Pricing:
    """What a provider says of a message's price; it is charged once the message is delivered.

    `category` is in capitals, `model` and `type` are the provider's own words.
    """

    is_billable: bool
    category: str
    model: str = ""
    type: str = ""


@dataclass(frozen=True)
class InboundStatus:
    """A step of a message we sent: `ack` as in rules/messages §2, −1 with `error` and `code`.

    `number` and `user_id` are whom it went to, as far as the provider says it; '' in groups.
    """

    external_id: str
    ack: int
    callback_id: str = ""
    error: str = ""
    code: str = ""
    reason: Reason = NO_REASON
    at: datetime | None = None
    pricing: Pricing | None = None
    number: str = ""
    user_id: str = ""


@dataclass(frozen=True)
class MarketingPreference:
    """Somebody, by number or `lid`, wants the company's marketing messages again, or no more."""

    number: str
    lid: str
    wants: bool


@dataclass(frozen=True)
class InboundPreferences:
    """What people said to the provider of a company's marketing messages, in order."""

    entries: tuple[MarketingPreference, ...]


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

    `is_over` takes back what was said of that kind before; `until` is when it ends by itself.
    """

    kind: str
    severity: AlertSeverity = AlertSeverity.INFORMATIONAL
    text: str = ""
    is_over: bool = False
    until: datetime | None = None


@dataclass(frozen=True)
class InboundAccount:
    """The account's state changed, for a reason; `at` is when, None where that was not said.

    `alerts` are what people are told of it, or what they need no longer be told.
    """

    state: AccountState
    reason: Reason
    sentence: str
    at: datetime | None = None
    alerts: tuple[ProviderAlert, ...] = ()


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
