"""The plain values exchanged with every integration and model.

A client receives credentials, sets time-outs, raises `ClientError` and never touches the ORM. Who
calls it stores its session, its replies and its calls.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from apps.common.reasons import NO_REASON, Reason, ReasonCode


@dataclass(frozen=True)
class Call:
    """One HTTP exchange, for the log: no secret is in it. `status_code` is None without answer.

    `error` says in Portuguese what went wrong, `reason` in every language.
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
    """The other side did not answer as it should.

    `message` says so in Portuguese, `reason` for every language.
    `permanent`: trying again can't help (refused credentials, an address that is not there).
    `retry_after`: seconds it asks to wait. `calls`: what was exchanged until then.
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
    """A file that goes either way."""

    content: bytes
    mime: str
    name: str = ""


@dataclass(frozen=True)
class Option:
    """One thing to choose; `id` comes back as the turn's `choice_id` where menus are native."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True)
class Reply:
    """A message to the contact: text, a file with the text as caption, or a menu.

    `delay_ms` is waited before it is sent, after the one before it. `is_voice` sends a sound as a
    voice note.
    """

    text: str = ""
    file: File | None = None
    options: tuple[Option, ...] = ()
    delay_ms: int = 0
    is_voice: bool = False


@dataclass(frozen=True)
class Line:
    """One message of the conversation so far, as a model is shown it."""

    from_contact: bool
    text: str


@dataclass(frozen=True)
class Person:
    """The contact. `uuid` is stable and says nothing about them."""

    uuid: str
    name: str
    number: str
    email: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Turn:
    """A message that waits for an answer, with everything a client may tell about it.

    `webhook_payload` is the event as webhooks get it (rules/automation §3). `history` holds what
    came before, oldest first. `session` is what the last turn of this ticket left, empty at first,
    and `session_used_at` when that was. `event_id` is the same over every try.
    """

    event_id: uuid.UUID
    text: str
    media_type: str
    contact: Person
    now: datetime
    file: File | None = None
    choice_id: str = ""
    history: tuple[Line, ...] = ()
    session: Mapping[str, Any] = field(default_factory=dict)
    session_used_at: datetime | None = None
    native_menus: bool = False
    webhook_payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class HandOver:
    """The ticket is a person's now: in a queue, or to a user of it; ids are still to be checked.

    `reason` is 'asked' (the flow or the model said so), 'finished' (the flow came to its end) or
    'failed'.
    """

    queue_id: int | None = None
    user_id: int | None = None
    reason: str = "asked"


@dataclass(frozen=True)
class Usage:
    """What an answer of a model cost."""

    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Outcome:
    """What comes of a turn: replies in order, the session to keep, whether a person goes on.

    `session` None ends the session; the next message begins a new one, unless handed over.
    """

    replies: tuple[Reply, ...] = ()
    session: Mapping[str, Any] | None = None
    hand_over: HandOver | None = None
    calls: tuple[Call, ...] = ()
    usage: tuple[Usage, ...] = ()


class Client(Protocol):
    def take_turn(self, turn: Turn) -> Outcome:
        """Answer a message; raises ClientError."""
