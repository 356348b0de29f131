"""Plain values of a provider's reports."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson

from apps.common.reasons import NO_REASON, Reason
from apps.common.search import LONGEST_TEXT
from apps.connections.providers.content import AddressEntry

# In the data of a card: the digits of the own number, which the contact shared when asked.
SHARED_NUMBER = "sharedNumber"
# In the data of a form's answer: `token`, which the form was sent with, and `answers` by key.
FORM_ANSWER = "formAnswer"


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
    """The secret that decrypts the votes on a poll; its texts are in the message."""

    secret: str


@dataclass(frozen=True)
class InboundMessage:
    """A received message in the wire-neutral form that the one handler takes.

    `media_type` and `body` are those of rules/messages §1 (a location's body is
    'image|link|description'); `choice_id` is the id of a pressed button or chosen row;
    `sender` is the conversation: a number, a group's id, or empty when only the `lid` is known.
    `sender_username` is what a person chose to be called there, empty where it is not told.
    `participant` and `participant_name` say who wrote inside a group, `participant_lid` where the
    number is not known. `is_copy`: another responder of the number got or wrote it
    (rules/inbound §12). `votes_on` names the poll that a `vote` is about, which is encrypted with
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
    is_copy: bool = False
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
    """Return the message cut to the stored lengths; the stored event keeps the whole.

    A structure that is too large is dropped: half of one is useless.
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
    """A part of a phone's history, of any number of conversations.

    `phase` (0: the last day, 1: to 90 days, 2: to 180) and `progress` (0 to 100) are set in the
    last part of a chunk, None elsewhere. `is_declined`: the owner refused to share the history.
    """

    messages: tuple[InboundMessage, ...] = ()
    phase: int | None = None
    progress: int | None = None
    is_declined: bool = False
    error: str = ""


@dataclass(frozen=True)
class InboundAddresses:
    """Entries of a phone's address book: the initial ones, and later additions and changes."""

    entries: tuple[AddressEntry, ...]


@dataclass(frozen=True)
class Pricing:
    """The provider's pricing of a message, which is charged when it is delivered.

    `category` is in capitals; `model` and `type` are the provider's words.
    """

    is_billable: bool
    category: str
    model: str = ""
    type: str = ""


@dataclass(frozen=True)
class InboundStatus:
    """A status of a sent message:

    `ack` as in rules/messages §2, −1 with `error` and `code`. `number` and `user_id` are the
    recipient, if the provider tells; '' in groups. `is_copy`: the message is another responder's.
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
    is_copy: bool = False


@dataclass(frozen=True)
class MarketingPreference:
    """A contact, by number or `lid`, opted out of marketing messages, or in again."""

    number: str
    lid: str
    wants: bool


@dataclass(frozen=True)
class InboundPreferences:
    """Opt-outs of marketing messages that contacts made at the provider, in order."""

    entries: tuple[MarketingPreference, ...]


@dataclass(frozen=True)
class InboundCall:
    """A ringing call; `call_id` is the argument of `Provider.reject_call`."""

    call_id: str
    sender: str
    sender_name: str
    at: datetime
    is_video: bool = False
    lid: str = ""


@dataclass(frozen=True)
class InboundIdentity:
    """A contact's identifiers at the provider changed; '' for those not told. `number` and `lid`
    are the former ones. A new number without a `new_lid` has none: Meta assigns another user id
    with it (Meta's changelog, August 2026).
    """

    number: str = ""
    lid: str = ""
    new_number: str = ""
    new_lid: str = ""


@dataclass(frozen=True)
class InboundHandover:
    """A conversation was passed to us, or taken from us by another responder of the number.

    The contact is told by `number` or `lid`. `former_role` and `new_role` are the provider's words
    for the owners, `metadata` what the other responder says; '' for what is not told.
    """

    number: str
    lid: str
    is_ours: bool
    at: datetime
    former_role: str = ""
    new_role: str = ""
    metadata: str = ""


@dataclass(frozen=True)
class InboundAlias:
    """A number and a LID belong to one person."""

    number: str
    lid: str


@dataclass(frozen=True)
class InboundGroup:
    """A group's new name; `group` is its id with suffix."""

    group: str
    subject: str


# The value of a limit if there is none.
NO_LIMIT = -1


class AccountState(StrEnum):
    """The state of the account of a number."""

    LOST = "lost"  # messages are neither sent nor received until people act
    BACK = "back"
    RESTRICTED = "restricted"  # some actions are refused
    MARKETING_TERMS = "marketing_terms"  # it may use the API of marketing messages


class TemplateNews(StrEnum):
    """The kinds of news about a message template."""

    STATUS = "status"
    QUALITY = "quality"
    CATEGORY = "category"
    CATEGORY_AHEAD = "category_ahead"  # its category will change, unless somebody objects
    COMPONENTS = "components"


class FormStop(StrEnum):
    """Why the provider does not send a form; empty where it does."""

    NONE = ""
    BLOCKED = "BLOCKED"  # what was sent can't be opened either
    THROTTLED = "THROTTLED"  # a few an hour
    DEPRECATED = "DEPRECATED"  # for good


@dataclass(frozen=True)
class InboundForm:
    """The state of a form, by the provider's id, since `at`."""

    form_id: str
    stop: FormStop
    at: datetime | None = None


@dataclass(frozen=True)
class InboundTemplate:
    """A change of a template; `value` is the new value in the provider's word, `before` the former
    category, `reason` the provider's code of a refusal, `detail` its sentences.
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
    """The severity of a provider's alert."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFORMATIONAL = "informational"


@dataclass(frozen=True)
class ProviderAlert:
    """A provider's alert; `kind` and `text` are its own words. `is_over` withdraws earlier alerts
    of that kind; `until` is when it expires.
    """

    kind: str
    severity: AlertSeverity = AlertSeverity.INFORMATIONAL
    text: str = ""
    is_over: bool = False
    until: datetime | None = None


@dataclass(frozen=True)
class InboundAccount:
    """A change of the account's state, with its reason; `at` is its time, None if not told.
    `alerts` are new or withdrawn alerts.
    """

    state: AccountState
    reason: Reason
    sentence: str
    at: datetime | None = None
    alerts: tuple[ProviderAlert, ...] = ()


@dataclass(frozen=True)
class NumberFigures:
    """A number's quality (GREEN, YELLOW, RED, UNKNOWN) and its limit of new conversations in 24
    hours, NO_LIMIT for none.

    '' and None if the provider does not tell.
    """

    quality: str = ""
    limit: int | None = None


@dataclass(frozen=True)
class AccountOwner:
    """The business portfolio that owns an account, and whether the business is verified, in the
    provider's words; '' for what the provider does not tell.
    """

    portfolio_id: str = ""
    name: str = ""
    verification: str = ""


@dataclass(frozen=True)
class InboundFigures:
    """Figures of one number, by its digits or its provider id, else of all numbers of the account.

    `at` is their time, None if not told.
    """

    number: str = ""
    phone_number_id: str = ""
    limit: int | None = None
    alerts: tuple[ProviderAlert, ...] = ()
    at: datetime | None = None
