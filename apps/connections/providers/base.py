"""The interface of message providers.

Providers receive credentials, set time-outs, raise `ProviderError` and never use the ORM.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from apps.common.reasons import Reason, ReasonCode
from apps.connections.providers.content import (
    AddressEntry,
    ContactCard,
    DownloadedMedia,
    FormSend,
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
    """A failed call:

    `message` in Portuguese, `reason` for every language. `permanent`: a retry cannot help.
    `retry_after`: seconds that the provider asks to wait. `pauses_connection`: all sends of the
    connection should wait (rate limit, spam block), without a `retry_after` for a few seconds at
    first. `needs_reconnect`: the credentials are refused.
    `outcome_unknown`: the request may have arrived (time-out after sending): wait for the
    provider's status before a retry.
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
    """The features of a provider; the browser hides the missing ones.

    `fetches_files`: it takes the path of a stored file, not its bytes. `fixed_ids`: we choose the
    message's id, so that every report about it can be matched from the start. `forms`: it shows
    forms of several questions.
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
    forms: bool = False


class Provider(Protocol):
    """Sends messages and looks things up. Every method may raise ProviderError."""

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
        """Send buttons, a list, or another kind of `MenuKind`."""

    def send_form(self, context: SendContext, form: FormSend) -> SentMessage:
        """Send a published form, if `forms`."""

    def send_template(self, context: SendContext, template: TemplateSend) -> SentMessage:
        """Send an approved template."""

    def message_id(self, context: SendContext) -> str:
        """Return the provider's id of a message before it is sent, if `fixed_ids`."""

    def react(self, context: SendContext, message: MessageKey, emoji: str) -> SentMessage:
        """React to a message; an empty emoji removes the reaction."""

    def edit(self, context: SendContext, message: MessageKey, body: str) -> None:
        """Change a sent text."""

    def delete(self, context: SendContext, message: MessageKey) -> None:
        """Revoke a sent message."""

    def mark_read(self, message: MessageKey) -> None:
        """Send the read receipt of a received message (and of all before it)."""

    def reject_call(self, call: MessageKey) -> None:
        """Reject a call that is ringing."""

    def check_numbers(self, numbers: Sequence[str]) -> dict[str, KnownNumber | None]:
        """Map each number to its canonical form at the provider, to None if it is not
        registered, to itself if unchecked.
        """

    def profile_picture(self, of: str, known: str) -> ProfilePicture | None:
        """Return a contact's picture; None without one, or if the provider shows no pictures.
        `known` names the stored picture, which is not downloaded again.
        """

    def download_media(self, media_id: str) -> DownloadedMedia:
        """Fetch a received file."""

    def list_contacts(self) -> Iterable[AddressEntry]:
        """Return the phone's address book without groups, if the provider has one."""

    def close(self) -> None:
        """Give back network connections."""
