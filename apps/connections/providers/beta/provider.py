"""The QR provider: a session that a gateway runs (docs/gateway.md §5)."""

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from django.utils.crypto import salted_hmac

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import Capabilities, ProviderError
from apps.connections.providers.beta.client import MEDIA_SECONDS, GatewayClient
from apps.connections.providers.beta.reading import opened
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
    menu_text,
)

# The most numbers of one `check`.
MOST_CHECKED = 50
CHECK_SECONDS = 8.0
# A picture's name is a digest.
NAME_LENGTH = 100
# WhatsApp Web's own ids look like this.
ID_PREFIX = "3EB0"
ID_DIGITS = 18


def message_id_of(callback_id: str) -> str:
    """Return the WhatsApp id of a message row; it is always the same."""
    digest = salted_hmac("beta message id", callback_id, algorithm="sha256").hexdigest()
    return ID_PREFIX + digest[:ID_DIGITS].upper()


class BetaProvider:
    """Sends through one session; implements `apps.connections.providers.base.Provider`.

    `file_url` returns the path at which the gateway fetches a stored file, `address_book` the
    stored entries of the phone's address book.
    """

    # Everything that WhatsApp Web supports.
    capabilities: ClassVar[Capabilities] = Capabilities(
        edit=True,
        delete=True,
        react=True,
        native_menus=False,
        templates=False,
        session_window=False,
        list_contacts=True,
        fetches_files=True,
        fixed_ids=True,
    )

    def __init__(
        self,
        *,
        client: GatewayClient,
        file_url: Callable[[MediaContent], str],
        address_book: Callable[[], Iterable[AddressEntry]],
    ) -> None:
        self._client = client
        self._file_url = file_url
        self._address_book = address_book

    def message_id(self, context: SendContext) -> str:
        """Give the id that a message of ours will have."""
        return message_id_of(context.callback_id)

    def send_text(self, context: SendContext, body: str) -> SentMessage:
        return self._send("text", context, {"body": body})

    def send_media(self, context: SendContext, media: MediaContent) -> SentMessage:
        """Send a file, which the gateway fetches."""
        body = {
            "kind": media.kind,
            "mime": media.mime,
            "name": media.name,
            "caption": media.caption,
            "isVoice": media.is_voice,
            "url": self._file_url(media),
            **({"seconds": round(media.seconds)} if media.seconds else {}),
        }
        return self._send("media", context, body, read_seconds=MEDIA_SECONDS)

    def send_location(self, context: SendContext, location: Location) -> SentMessage:
        return self._send("location", context, asdict(location))

    def send_contact(self, context: SendContext, cards: tuple[ContactCard, ...]) -> SentMessage:
        return self._send("contact", context, {"cards": [asdict(card) for card in cards]})

    def send_menu(self, context: SendContext, menu: Menu) -> SentMessage:
        """Send a menu as text: WhatsApp Web has no buttons of its own."""
        return self.send_text(context, menu_text(menu))

    def send_form(self, context: SendContext, form: FormSend) -> SentMessage:
        """Refuse: forms are the official API's."""
        raise ProviderError(
            "Formulários só podem ser enviados por números da API oficial.",
            reason=ReasonCode.FORM_UNSUPPORTED,
            code="unsupported",
            permanent=True,
        )

    def send_template(self, context: SendContext, template: TemplateSend) -> SentMessage:
        """Refuse: templates are the official API's."""
        raise ProviderError(
            "Modelos só podem ser enviados por números da API oficial.",
            reason=ReasonCode.TEMPLATE_UNSUPPORTED,
            code="unsupported",
            permanent=True,
        )

    def react(self, context: SendContext, message: MessageKey, emoji: str) -> SentMessage:
        """React to a message; an empty emoji takes the reaction back."""
        body = {"message": wire_key(message), "emoji": emoji}
        return self._send("react", context, body)

    def edit(self, context: SendContext, message: MessageKey, body: str) -> None:
        self._change("edit", context, message, {"body": body})

    def delete(self, context: SendContext, message: MessageKey) -> None:
        self._change("delete", context, message, {})

    def _change(
        self, name: str, context: SendContext, message: MessageKey, more: dict[str, Any]
    ) -> None:
        # A reaction that is changed back is a third change: each row has its own id.
        named = {"to": context.to, "id": self.message_id(context), "message": wire_key(message)}
        self._client.command(name, {**named, **more})

    def mark_read(self, message: MessageKey) -> None:
        """Send the read receipt of a received message."""
        self._client.command("read", {"messages": [wire_key(message)]})

    def reject_call(self, call: MessageKey) -> None:
        """Hang up on someone who rings."""
        self._client.command("reject-call", {"callId": call.external_id, "from": call.chat})

    def check_numbers(self, numbers: Sequence[str]) -> dict[str, KnownNumber | None]:
        """Map each number to its canonical form; one that the answer leaves out counts as
        registered.
        """
        found: dict[str, KnownNumber | None] = {number: KnownNumber(number) for number in numbers}
        for start in range(0, len(numbers), MOST_CHECKED):
            asked = list(numbers[start : start + MOST_CHECKED])
            answer = self._client.command("check", {"numbers": asked}, read_seconds=CHECK_SECONDS)
            told = answer.get("numbers")
            for each in told if isinstance(told, list) else ():
                if isinstance(each, dict) and each.get("number") in found:
                    found[each["number"]] = _known(each)
        return found

    def profile_picture(self, of: str, known: str) -> ProfilePicture | None:
        """Fetch a contact's small picture, if it is visible to us."""
        answer = self._client.command("picture", {"of": of, "known": known})
        name, mime, data = answer.get("picture"), answer.get("mime"), answer.get("data")
        if not isinstance(name, str) or not name:
            return None
        if not isinstance(data, str):
            return ProfilePicture(name[:NAME_LENGTH])
        content = base64.b64decode(data)
        return ProfilePicture(name[:NAME_LENGTH], mime if isinstance(mime, str) else "", content)

    def download_media(self, media_id: str) -> DownloadedMedia:
        """Fetch a received file by its sealed reference."""
        reference = opened(media_id)
        if not reference:
            raise ProviderError(
                "A identificação do arquivo não é válida.",
                reason=ReasonCode.BAD_ID,
                code="bad_media_id",
                permanent=True,
            )
        return self._client.download(reference)

    def list_contacts(self) -> Iterable[AddressEntry]:
        """Return the phone's address book as the session reported it."""
        return self._address_book()

    def close(self) -> None:
        """Keep the pool: it belongs to the process and serves all sessions."""

    def _send(
        self, name: str, context: SendContext, body: dict[str, Any], **more: float
    ) -> SentMessage:
        message_id = self.message_id(context)
        quoted = context.quoted
        named = {"to": context.to, "id": message_id, **body}
        if quoted:
            words = {"body": quoted.body, "type": quoted.media_type}
            named["replyTo"] = {**wire_key(quoted), **words}
        answer = self._client.command(name, named, **more)
        external_id = answer.get("externalId")
        return SentMessage(external_id if isinstance(external_id, str) else message_id)


def _known(told: dict[str, Any]) -> KnownNumber | None:
    """Return a number from an address in a `check`'s answer (docs/gateway.md §5)."""
    if told.get("exists") is False:
        return None
    jid, lid = told.get("jid"), told.get("lid")
    user, _, server = jid.partition("@") if isinstance(jid, str) else ("", "", "")
    number = user.partition(":")[0] if server == "s.whatsapp.net" else ""
    return KnownNumber(
        number if number.isdecimal() else told["number"], lid if isinstance(lid, str) else ""
    )


def wire_key(message: MessageKey) -> dict[str, Any]:
    """Return a message's key in the form of commands."""
    return {
        "chat": message.chat,
        "id": message.external_id,
        "fromMe": message.from_me,
        **({"participant": message.participant} if message.participant else {}),
    }
