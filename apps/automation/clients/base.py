"""The values exchanged with the clients of integrations and models.

A client gets its credentials, sets timeouts, raises `ClientError` and never uses the ORM. The
caller stores sessions, replies and calls.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from apps.common.reasons import NO_REASON, Reason, ReasonCode


@dataclass(frozen=True)
class Call:
    """A log entry of one HTTP exchange, without secrets.

    `status_code` is None if there was no answer. `error` is the failure in Portuguese; `reason` is
    a code that is translated for each reader.
    """

    event: str
    url: str
    request_body: dict[str, Any]
    status_code: int | None = None
    response_text: str = ""
    error: str = ""
    reason: Reason = NO_REASON
    duration_ms: int = 0


class ClientError(Exception):
    """The integration or model did not answer as it should.

    `message` is the failure in Portuguese; `reason` is a code that is translated for each reader.
    `permanent`: a retry can't succeed (refused credentials, an address that does not exist).
    `retry_after`: the seconds that the server asks to wait. `calls`: the exchanges until then.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: ReasonCode | Reason,
        permanent: bool = False,
        retry_after: float | None = None,
        calls: tuple[Call, ...] = (),
    ) -> None:
        self.message = message
        self.reason = reason if isinstance(reason, Reason) else Reason(reason)
        self.permanent = permanent
        self.retry_after = retry_after
        self.calls = calls
        super().__init__(message)


@dataclass(frozen=True)
class File:
    """A file from or to the contact."""

    content: bytes
    mime: str
    name: str = ""


@dataclass(frozen=True)
class Option:
    """A choice of a menu; a native menu returns its `id` as the turn's `choice_id`."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True)
class Reply:
    """A message to the contact: text, a file with the text as caption, or a menu.

    `delay_ms` is the pause after the previous message. `is_voice` sends audio as a voice note.
    """

    text: str = ""
    file: File | None = None
    options: tuple[Option, ...] = ()
    delay_ms: int = 0
    is_voice: bool = False


@dataclass(frozen=True)
class Line:
    """An earlier message of the conversation, as a model gets it."""

    from_contact: bool
    text: str


@dataclass(frozen=True)
class Person:
    """The contact; `uuid` is stable and contains no personal data."""

    uuid: str
    name: str
    number: str
    email: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Turn:
    """A message to answer, with the data that clients may use.

    `webhook_payload` is the event that webhooks get (rules/automation §3). `earlier` has the
    earlier messages, oldest first. `session` is the session after the ticket's last turn, at first
    empty, and `session_used_at` the time of that turn. `event_id` is the same for all attempts.
    """

    event_id: uuid.UUID
    text: str
    media_type: str
    contact: Person
    now: datetime
    file: File | None = None
    choice_id: str = ""
    earlier: tuple[Line, ...] = ()
    session: Mapping[str, Any] = field(default_factory=dict)
    session_used_at: datetime | None = None
    native_menus: bool = False
    webhook_payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class HandOver:
    """The ticket is handed over to a queue or to a user of it; the ids are not verified yet.

    `reason` is 'asked' (by the flow or the model), 'finished' (the flow ended) or 'failed'.
    """

    queue_id: int | None = None
    user_id: int | None = None
    reason: str = "asked"


@dataclass(frozen=True)
class Usage:
    """The token use of an AI answer."""

    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Outcome:
    """The result of a turn: replies in order, the new session, and a possible hand-over.

    If `session` is None, the session ends; unless the ticket was handed over, the next message
    begins a new one.
    """

    replies: tuple[Reply, ...] = ()
    session: Mapping[str, Any] | None = None
    hand_over: HandOver | None = None
    calls: tuple[Call, ...] = ()
    usage: tuple[Usage, ...] = ()


class Client(Protocol):
    def take_turn(self, turn: Turn) -> Outcome:
        """Answer a message; raises ClientError."""
