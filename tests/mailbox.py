"""An SMTP server of our own, which speaks the wire."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope

from tests.services import free_port


class Mailbox:
    """What a server took; `answer` is what it says to a recipient, `refusals` to some of them."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, list[str], EmailMessage]] = []
        self.logins: list[tuple[str, str]] = []
        self.answer = "250 OK"
        self.refusals: dict[str, str] = {}
        self.port = free_port()

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Envelope, address: str, options: Any
    ) -> str:
        answer = self.refusals.get(address, self.answer)
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        message = message_from_bytes(envelope.original_content or b"", policy=default)
        self.taken.append((str(envelope.mail_from), envelope.rcpt_tos, message))
        return "250 OK"

    def authenticate(self, server: Any, session: Any, envelope: Any, way: str, data: Any) -> Any:
        self.logins.append((data.login.decode(), data.password.decode()))
        # `handled` would be that the refusal was sent already: who signs in would wait for it.
        return AuthResult(success=self.logins[-1] == ("balcao", "segredo"), handled=False)

    def texts_to(self, recipient: str) -> list[str]:
        """Return their texts, with line ends of one character."""
        parts = [message.get_body(("plain",)) for message in self.to(recipient)]
        return [part.get_content().replace("\r\n", "\n") for part in parts if part is not None]

    def to(self, recipient: str) -> list[EmailMessage]:
        """Return what came for an address, the oldest first."""
        return [message for _, recipients, message in self.taken if recipient in recipients]


@contextmanager
def serving(*, login: bool = True) -> Iterator[Mailbox]:
    """Serve one at the operator's side, which asks for a login where `login` says so."""
    box = Mailbox()
    controller = Controller(
        box,
        hostname="127.0.0.1",
        port=box.port,
        authenticator=box.authenticate if login else None,
        auth_required=login,
        auth_require_tls=False,
    )
    controller.start()
    try:
        yield box
    finally:
        controller.stop()
