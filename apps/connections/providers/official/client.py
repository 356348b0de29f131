"""HTTP client of the Graph API: time-outs, errors in words, one connection pool per process."""

import os
from functools import lru_cache
from io import BytesIO
from typing import Any

import httpx
import orjson

from apps.common.reasons import ReasonCode
from apps.common.traces import traced_call
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import DownloadedMedia
from apps.connections.providers.departing import DepartingBody, OnWriting, unwatched
from apps.connections.providers.official.errors import error_from_answer

CONNECT_SECONDS = 5.0
READ_SECONDS = 20.0
# The largest file of WhatsApp (a document).
DOWNLOAD_BYTES = 100 * 1024 * 1024
# The hosts of Meta's media; the bearer token is sent nowhere else.
MEDIA_HOSTS = frozenset({"graph.facebook.com", "lookaside.fbsbx.com"})

_UNREACHED = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)


@lru_cache(maxsize=2)
def _pool(process_id: int) -> httpx.Client:
    # Keyed by process: a forked worker must not share its parent's sockets.
    return httpx.Client(
        timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
        limits=httpx.Limits(max_connections=100, max_keepalive_connections=20),
        follow_redirects=False,
    )


def _parsed(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None


class GraphClient:
    """Calls with one access token; an empty one is not sent, which only a code's exchange needs.

    Every method raises ProviderError. When the answer to a message is lost, the error says that
    the outcome is unknown; any other call may be repeated, and so may a message of whose body no
    byte was written. `on_writing`: see `apps.connections.providers.departing`.
    """

    def __init__(
        self,
        *,
        access_token: str,
        base_url: str,
        version: str,
        read_seconds: float = READ_SECONDS,
        download_bytes: int = DOWNLOAD_BYTES,
        on_writing: OnWriting = unwatched,
    ) -> None:
        self._access_token = access_token
        self._on_writing = on_writing
        self._base = f"{base_url.rstrip('/')}/{version}"
        self._timeout = httpx.Timeout(read_seconds, connect=CONNECT_SECONDS)
        self._download_bytes = download_bytes

    @property
    def _headers(self) -> dict[str, str]:
        if not self._access_token.isascii() or not self._access_token.isprintable():
            raise ProviderError(
                "O token de acesso não é válido.",
                reason=ReasonCode.CREDENTIALS_REFUSED,
                needs_reconnect=True,
            )
        return {"Authorization": f"Bearer {self._access_token}"} if self._access_token else {}

    def _send(
        self,
        method: str,
        path: str,
        *,
        message: DepartingBody | None = None,
        headers: dict[str, str] | None = None,
        **content: Any,
    ) -> Any:
        """Call and return the parsed answer; a `message` is the body of a call that must not be
        repeated.
        """
        if message is not None:
            headers, content = message.headers, {"content": message}
        try:
            with traced_call(method, httpx.URL(self._base).host):
                response = _pool(os.getpid()).request(
                    method,
                    f"{self._base}/{path}",
                    headers={**self._headers, **(headers or {})},
                    timeout=self._timeout,
                    **content,
                )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _network_error(error, has_left=_has_left(message)) from error
        body = _parsed(response.content)
        if response.is_success and isinstance(body, dict) and "error" not in body:
            return body
        if response.is_success and not isinstance(body, dict):
            raise ProviderError(
                "A resposta da Meta não pôde ser lida.",
                reason=ReasonCode.MALFORMED_ANSWER,
                code="malformed_answer",
                outcome_unknown=_has_left(message),
            )
        fault = error_from_answer(response.status_code, body, response.headers.get("retry-after"))
        fault.outcome_unknown = fault.outcome_unknown and _has_left(message)
        raise fault

    def get(self, path: str, **params: str) -> dict[str, Any]:
        """Read an object of the graph."""
        answer: dict[str, Any] = self._send("GET", path, params=params)
        return answer

    def post(self, path: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Post an idempotent call."""
        answer: dict[str, Any] = self._send("POST", path, json=payload)
        return answer

    def post_query(self, path: str, **params: str) -> dict[str, Any]:
        """Post an idempotent call whose parameters are in the query."""
        answer: dict[str, Any] = self._send("POST", path, params=params)
        return answer

    def post_bytes(self, session: str, content: bytes) -> dict[str, Any]:
        """Post a whole file to an upload session; the session wants the token by another name."""
        answer: dict[str, Any] = self._send(
            "POST",
            session,
            headers={"Authorization": f"OAuth {self._access_token}", "file_offset": "0"},
            content=content,
        )
        return answer

    def post_file(
        self, path: str, fields: dict[str, str], content: bytes, *, name: str, mime: str
    ) -> dict[str, Any]:
        """Post a form with a file; the call may be repeated."""
        answer: dict[str, Any] = self._send(
            "POST", path, data=fields, files={"file": (name, content, mime)}
        )
        return answer

    def post_once(self, path: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Post a call that must not be repeated; a lost answer leaves its outcome unknown."""
        answer: dict[str, Any] = self._send("POST", path, message=DepartingBody(payload))
        return answer

    def delete(self, path: str, **params: str) -> dict[str, Any]:
        """Delete an object of the graph."""
        answer: dict[str, Any] = self._send("DELETE", path, params=params)
        return answer

    def post_message(
        self, phone_number_id: str, payload: dict[str, Any], *, edge: str = "messages"
    ) -> dict[str, Any]:
        """Post to the number's messages; a lost answer leaves the outcome unknown."""
        answer: dict[str, Any] = self._send(
            "POST",
            f"{phone_number_id}/{edge}",
            message=DepartingBody(payload, self._on_writing),
        )
        return answer

    def upload(self, phone_number_id: str, content: bytes, *, mime: str, name: str) -> str:
        """Upload a file; returns its media id, good for 30 days."""
        answer = self._send(
            "POST",
            f"{phone_number_id}/media",
            data={"messaging_product": "whatsapp", "type": mime},
            # In pieces: httpx would copy bytes whole.
            files={"file": (name, BytesIO(content), mime)},
        )
        media_id = answer.get("id")
        if not isinstance(media_id, str | int) or not media_id:
            raise ProviderError(
                "A Meta não devolveu o arquivo enviado.",
                reason=ReasonCode.MALFORMED_ANSWER,
                code="malformed_answer",
            )
        return str(media_id)

    def download(self, url: str, mime: str, name: str) -> DownloadedMedia:
        """Fetch a file from the address that the graph named; the address lives five minutes."""
        if not self._is_trusted(url):
            raise ProviderError(
                "O endereço do arquivo não é da Meta.",
                reason=ReasonCode.FOREIGN_HOST,
                code="foreign_host",
                permanent=True,
            )
        try:
            with _pool(os.getpid()).stream(
                "GET", url, headers=self._headers, timeout=self._timeout
            ) as response:
                if not response.is_success:
                    raise error_from_answer(response.status_code, _parsed(response.read()))
                content = self._read_limited(response)
                mime = mime or response.headers.get("content-type", "")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _network_error(error) from error
        return DownloadedMedia(content=content, mime=mime, name=name)

    def _is_trusted(self, url: str) -> bool:
        try:
            there, own = httpx.URL(url), httpx.URL(self._base)
        except httpx.InvalidURL:
            return False
        is_own = (there.scheme, there.host, there.port) == (own.scheme, own.host, own.port)
        return is_own or (there.scheme == "https" and there.host in MEDIA_HOSTS)

    def _read_limited(self, response: httpx.Response) -> bytes:
        content = bytearray()
        for chunk in response.iter_bytes():
            content += chunk
            if len(content) > self._download_bytes:
                raise ProviderError(
                    "O arquivo é maior do que o permitido.",
                    reason=ReasonCode.MEDIA_TOO_LARGE,
                    code="too_large",
                    permanent=True,
                )
        return bytes(content)


def _has_left(message: DepartingBody | None) -> bool:
    return message is not None and message.has_left


def _network_error(error: Exception, *, has_left: bool = False) -> ProviderError:
    if isinstance(error, _UNREACHED):
        return ProviderError(
            "Não foi possível falar com a Meta.", reason=ReasonCode.UNREACHABLE, code="unreachable"
        )
    if isinstance(error, httpx.InvalidURL):
        return ProviderError(
            "O endereço não é válido.",
            reason=ReasonCode.BAD_ADDRESS,
            code="bad_address",
            permanent=True,
        )
    is_timeout = isinstance(error, httpx.TimeoutException)
    return ProviderError(
        "A Meta não respondeu a tempo." if is_timeout else "A conexão com a Meta caiu.",
        reason=ReasonCode.TIMEOUT if is_timeout else ReasonCode.BROKEN_CONNECTION,
        code="timeout" if is_timeout else "broken_connection",
        outcome_unknown=has_left,
    )
