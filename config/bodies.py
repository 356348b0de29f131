"""How many bytes each call takes, judged before its body is read (rules/wire §7).

Keyed by the address's name. A call without a row takes `DEFAULT_BYTES`; one that asks for no
session takes `PUBLIC_BYTES`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, parse_cookie
from django.urls import Resolver404, resolve

from apps.accounts.services.service_tokens import caller_of_token, is_service_token
from apps.accounts.tokens import is_signed
from apps.common.errors import DomainError, SessionExpired
from apps.common.media import MEGABYTE, SIZE_LIMITS
from apps.common.parsers import RequestTooLarge
from apps.common.refusals import answer_refusal
from apps.common.sheets import MAX_FILE_BYTES
from apps.connections.services.gateway_calls import judge_head
from apps.tickets.services.messages.messages_api import connection_of_api_token
from config.access import ACCESS, PUBLIC

KILOBYTE = 1024
PUBLIC_BYTES = 16 * KILOBYTE
DEFAULT_BYTES = MEGABYTE
BODY_BYTES: dict[str, int] = {
    # 200 options with 4,096 characters each, which take up to 4 bytes.
    "queues-list": 4 * MEGABYTE,
    "queues-detail": 4 * MEGABYTE,
    "queues-test-chat": 4 * MEGABYTE,
    # Exports of Typebot with some hundred blocks have up to a megabyte.
    "typebot-flow": 4 * MEGABYTE,
    # A text of 4,096 characters, each of which may be escaped in 12 bytes.
    "messages-api": 64 * KILOBYTE,
    "messages-api-older": 64 * KILOBYTE,
    "operator-login": PUBLIC_BYTES,
    "operator-password": PUBLIC_BYTES,
    # Meta's notifications have up to 3 MB.
    "webhook": 4 * MEGABYTE,
    # Notifications of a few Pix payments; checkouts of older browsers send fields that are not
    # read.
    "webhook-efi": 256 * KILOBYTE,
    "webhook-asaas": 64 * KILOBYTE,
    "subscription": 64 * KILOBYTE,
    # The body that gateways sign (docs/gateway.md §3).
    "gateway-lease": MEGABYTE,
    "gateway-keys": MEGABYTE,
    "gateway-commit": 8 * MEGABYTE,
    "gateway-wipe": PUBLIC_BYTES,
}
ONE_FILE = max(SIZE_LIMITS.values()) + MEGABYTE
# The proxy of the operator guide has the same limit.
SEVERAL_FILES = 110 * MEGABYTE
# The limit of a form with files; each file has the limit of its kind as well.
FORM_BYTES: dict[str, int] = {
    "queue-options-file": ONE_FILE,
    "quick-messages-file": ONE_FILE,
    "files-upload": SEVERAL_FILES,
    "contacts-import-file": MAX_FILE_BYTES + MEGABYTE,
    "contacts-import-file-preview": MAX_FILE_BYTES + MEGABYTE,
    "contact-lists-upload": MAX_FILE_BYTES + MEGABYTE,
    "contact-lists-preview": MAX_FILE_BYTES + MEGABYTE,
    "campaigns-media": ONE_FILE,
    "chats-messages": ONE_FILE,
    "announcements-media": SIZE_LIMITS["image"] + MEGABYTE,
    "schedules-list": ONE_FILE,
    "schedules-detail": ONE_FILE,
    "schedules-media": ONE_FILE,
    "templates-media": ONE_FILE,
    "connections-template-samples": ONE_FILE,
    "admin:movein_movein_add": SEVERAL_FILES,
    "messages": SEVERAL_FILES,
    "messages-api": SEVERAL_FILES,
    "messages-api-older": SEVERAL_FILES,
}
# The form of Meta's signature.
SIGNATURE = re.compile(r"sha256=[0-9a-f]{64}")
# Calls of programs, which carry the token of a connection.
PROGRAM_CALLS = {"messages-api", "messages-api-older"}


class NotSigned(DomainError):
    """A notification without a signature that could be Meta's."""

    status = 401
    code = "ERR_WEBHOOK_SIGNATURE"
    message = "A notificação não está assinada."


def most_bytes(name: str, content_type: str) -> int | None:
    """Return the most bytes of a body of this type that the address accepts; None where the view
    has its own limit.
    """
    if content_type.startswith("multipart/form-data") and name in FORM_BYTES:
        return FORM_BYTES[name]
    if name in BODY_BYTES:
        return BODY_BYTES[name]
    rows = ACCESS.get(name)
    if rows is None:
        return None
    return PUBLIC_BYTES if set(rows.values()) == {PUBLIC} else DEFAULT_BYTES


def most_bytes_at(path: str, content_type: str) -> int:
    """Return the most bytes of a body that an address accepts; for use before Django has the
    request.
    """
    if _is_simulators(path):  # the stand-in for Meta takes files
        return SEVERAL_FILES
    name = _name_at(path)
    limit = most_bytes(name, content_type)
    if limit is None:  # pages, of which only the operator's take forms
        limit = DEFAULT_BYTES if name.startswith("admin:") else PUBLIC_BYTES
    return limit


def admit(scope: Mapping[str, Any], headers: Mapping[bytes, bytes]) -> bool:
    """Tell whether the sender of more than 16 kB is identified by the headers, before the body is
    read.

    A session's token must be signed by us; whether it has expired is checked with the call, so that
    a browser is told to refresh it. A service token must be valid, and at the messages API a token
    must belong to a connection. The admin pages want the cookie of a session. A gateway signs
    the digest of its body. Meta signs the body alone, so that only the presence of a signature can
    be checked: its sender counts as unidentified, like a caller without a session and a gateway
    without a digest. Raises SessionExpired, NotSigned, WrongSignature and the errors of
    `connection_of_api_token` and `caller_of_token`.
    """
    path = scope["path"]
    if _is_simulators(path):
        return True
    name = _name_at(path)
    if name.startswith("gateway-"):
        return _is_gateway(scope, headers)
    if name == "webhook":
        if not SIGNATURE.fullmatch(_text(headers, b"x-hub-signature-256")):
            raise NotSigned
        return False
    if name.startswith("admin:"):
        return _is_operators(headers)
    kind, _, token = _text(headers, b"authorization").strip().partition(" ")
    token = token.strip() if kind.lower() == "bearer" else ""
    if name in PROGRAM_CALLS:
        close_old_connections()
        try:
            connection_of_api_token(token or _text(headers, b"token").strip())
        finally:
            close_old_connections()
        return True
    if set(ACCESS.get(name, {}).values()) - {PUBLIC}:
        if is_service_token(token):
            close_old_connections()
            try:
                caller_of_token(token)
            finally:
                close_old_connections()
        elif not is_signed(token):
            raise SessionExpired
        return True
    return False


def _is_operators(headers: Mapping[bytes, bytes]) -> bool:
    """Tell whether a session of the admin pages sends this; others are led to the sign-in."""
    key = parse_cookie(_text(headers, b"cookie")).get(settings.SESSION_COOKIE_NAME)
    close_old_connections()
    try:
        return SESSION_KEY in SessionStore(key)
    finally:
        close_old_connections()


def _is_gateway(scope: Mapping[str, Any], headers: Mapping[bytes, bytes]) -> bool:
    query = scope["query_string"].decode("latin-1")
    return judge_head(
        method=scope["method"],
        target=f"{scope['raw_path'].decode('latin-1')}{'?' if query else ''}{query}",
        digest=_text(headers, b"x-gateway-body"),
        at=_text(headers, b"x-gateway-time"),
        call_id=_text(headers, b"x-gateway-id"),
        signature=_text(headers, b"x-gateway-signature"),
    )


def _name_at(path: str) -> str:
    try:
        return resolve(path).view_name or ""
    except Resolver404:
        return ""


def _is_simulators(path: str) -> bool:
    return settings.SIMULATOR and path.startswith("/simulator/")


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1")


class BodyLimits:
    """Refuses a body that is longer than its address accepts with 413, and parses none of it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on; the address is known only once it is resolved."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Answer in the view's place, or None to let it."""
        match = request.resolver_match
        limit = most_bytes(match.view_name if match else "", request.content_type or "")
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length = 0  # Django reads nothing then
        if limit is None or length <= limit:
            return None
        return answer_refusal(RequestTooLarge())
