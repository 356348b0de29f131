"""What every provider of messages can do.

Providers receive credentials, set time-outs, raise `ProviderError` and never touch the ORM.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from apps.common.reasons import Reason, ReasonCode
from apps.connections.providers.content import (
    AddressEntry,
    ContactCard,
    DownloadedMedia,
    KnownNumber,
    Location,
    MediaContent,
    Menu,
    MessageKey,
    ProfilePicture,
    SendContext,
    SentMessage,
    TemplateSend,
)


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
    session_window: bool
    list_contacts: bool = False
    fetches_files: bool = False
    fixed_ids: bool = False


class Provider(Protocol):
    """A way to send and to look things up. Every method may raise ProviderError."""

    capabilities: ClassVar[Capabilities]

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
        """Give what each number is called there, None who is not; unchecked ones by themselves."""

    def profile_picture(self, of: str, known: str) -> ProfilePicture | None:
        """Give somebody's picture; None without one, and where the provider shows nobody's.

        `known` names the one that is here, which is not fetched again.
        """

    def download_media(self, media_id: str) -> DownloadedMedia:
        """Fetch a received file."""

    def list_contacts(self) -> Iterable[AddressEntry]:
        """Give the phone's address book, without groups, where `capabilities` has it."""

    def close(self) -> None:
        """Give back network connections."""
