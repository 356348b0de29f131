"""HTTP requests to addresses of tenants: allowed targets, timeouts, size limits and log entries.

`timeout` limits the whole exchange, from the DNS lookup to the last byte. So a server that answers
byte by byte blocks a worker no longer than one that does not answer.
"""

import base64
import mimetypes
import ssl
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

import httpcore
import httpx
import orjson

from apps.automation.clients.base import Call, ClientError, File
from apps.automation.clients.network import GuardedNetwork
from apps.automation.clients.targets import ForbiddenTarget, UnknownHost
from apps.common.reasons import Reason, ReasonCode
from apps.common.traces import traced_call

TIMEOUT_SECONDS = 10.0
MEGABYTE = 1024 * 1024
# The logged length of an answer, in characters.
LOGGED_ANSWER = 4000
# Limits on one file, and on all files of an answer, because they are held in memory.
MAX_FILE = 16 * MEGABYTE
MAX_FILES = 48 * MEGABYTE
MAX_REDIRECTS = 3
REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Statuses that may be retried; any other one below 500 is permanent.
PASSING = frozenset({408, 409, 423, 425, 429})
LONGEST_WAIT = 300.0
# Common misspellings of content types, and types that tell nothing.
MIME_NAMES = {"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png"}
SAYS_NOTHING = frozenset({"", "application/octet-stream", "binary/octet-stream"})
PICTURE_STARTS = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
# Endings of scripts that may generate images.
PAGES = frozenset({".ashx", ".asp", ".aspx", ".cgi", ".jsp", ".php"})


@dataclass(frozen=True)
class Response:
    """A complete response; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        """The content as text; invalid bytes are replaced."""
        return self.content.decode("utf-8", errors="replace")


def exchange(
    method: str,
    url: str,
    *,
    event: str,
    json: Any = None,
    data: Mapping[str, str] | None = None,
    files: Mapping[str, tuple[str, bytes, str]] | None = None,
    content: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT_SECONDS,
    max_bytes: int = MEGABYTE,
    cuts: bool = False,
    logged: Mapping[str, Any] | None = None,
) -> tuple[Response, Call]:
    """Send one request; return a successful response and its log entry.

    The body is `json`, `data` (a form), `files` (field → name, bytes, type; `data` has the other
    fields) or `content`. `logged` is the body in the log, by default `json` or `data`. Raises
    ClientError with the Call in `calls`: for a forbidden target, a timeout, an answer over
    `max_bytes` (with `cuts` the rest is ignored instead), a redirect and any other status than 2xx.
    The status is then in `calls[-1].status_code`.
    """
    entry = Call(
        event=event,
        url=shown_url(url),
        request_body=dict(logged if logged is not None else _logged(json, data)),
    )
    started = time.monotonic()
    try:
        request = _request(method, url, headers, json=json, data=data, files=files, content=content)
        response = _send(request, deadline=started + timeout, max_bytes=max_bytes, cuts=cuts)
    except ClientError as error:
        error.calls = (_failed(replace(entry, duration_ms=_since(started)), error),)
        raise
    entry = replace(
        entry,
        status_code=response.status,
        response_text=_logged_answer(response),
        duration_ms=_since(started),
    )
    if 200 <= response.status < 300:
        return response, entry
    raise _refused(request, response, entry)


def read_json(response: Response, call: Call) -> Any:
    """Return the JSON of a response; raises ClientError if it is invalid."""
    try:
        return orjson.loads(response.content)
    except orjson.JSONDecodeError as error:
        failure = ClientError(
            "A resposta não pôde ser lida: não é JSON.", reason=ReasonCode.ANSWER_NOT_JSON
        )
        failure.calls = (_failed(call, failure),)
        raise failure from error


def fetch_file(
    url: str, *, max_bytes: int = MAX_FILE, timeout: float = TIMEOUT_SECONDS, name: str = ""
) -> File:
    """Fetch a file that an answer links to; each redirect is checked as a target.

    The type is the response's content type. A name whose ending does not fit the type gets the
    type's ending. Raises ClientError.
    """
    deadline = time.monotonic() + timeout
    address = url
    for _ in range(MAX_REDIRECTS + 1):
        try:
            request = _request("GET", address)
            response = _send(request, deadline=deadline, max_bytes=max_bytes)
        except ClientError as error:
            entry = Call(event="file", url=shown_url(address), request_body={})
            error.calls = (_failed(entry, error),)
            raise
        if response.status not in REDIRECTS or "location" not in response.headers:
            break
        address = str(request.url.join(response.headers["location"]))
    entry = Call(event="file", url=shown_url(address), request_body={}, status_code=response.status)
    if not 200 <= response.status < 300:
        raise _refused(request, response, entry)
    mime = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    mime = MIME_NAMES.get(mime, mime)
    if mime in SAYS_NOTHING:
        mime = _mime_in(response.content)
    return File(content=response.content, mime=mime, name=name or _name_of(request.url, mime))


def shown_url(url: str) -> str:
    """Return an address for the log, without password and values of the query."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError, ValueError):
        return url.rpartition("@")[2].partition("?")[0][:500]
    hidden = parsed.copy_with(username=None, password=None) if parsed.userinfo else parsed
    shown = str(hidden.copy_with(query=None, fragment=None))
    keys = list(dict.fromkeys(parsed.params.keys()))
    return (shown + ("?" + "&".join(f"{key}=…" for key in keys) if keys else ""))[:500]


class GuardedTransport(httpx.BaseTransport):
    """The same restrictions for a library with its own httpx client; redirects are not followed.

    A failure raises `httpx.TransportError`, whose cause is the ClientError.
    """

    def __init__(self, *, timeout: float = TIMEOUT_SECONDS, max_bytes: int = MEGABYTE) -> None:
        self._timeout = timeout
        self._max_bytes = max_bytes

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request and return the complete response."""
        request.headers["Accept-Encoding"] = "identity"
        deadline = time.monotonic() + self._timeout
        try:
            if request.url.scheme not in {"http", "https"} or not request.url.host:
                raise _no_address()
            answer = _send(request, deadline=deadline, max_bytes=self._max_bytes)
        except ClientError as error:
            raise httpx.TransportError(error.message, request=request) from error
        # The content is complete and decoded, so headers of length and encoding no longer apply.
        kept = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
        return httpx.Response(answer.status, headers=kept, content=answer.content)


_KEPT = ("content-type", "retry-after", "x-request-id")


def _failed(call: Call, error: ClientError) -> Call:
    return replace(call, error=error.message, reason=error.reason)


def _no_address() -> ClientError:
    return ClientError(
        "O endereço tem de começar com http:// ou https://.",
        reason=ReasonCode.ADDRESS_SCHEME,
        permanent=True,
    )


def _request(
    method: str,
    url: str,
    headers: Mapping[str, str] | None = None,
    *,
    json: Any = None,
    data: Mapping[str, str] | None = None,
    files: Mapping[str, tuple[str, bytes, str]] | None = None,
    content: bytes | None = None,
) -> httpx.Request:
    try:
        address = httpx.URL(url)
        if address.scheme not in {"http", "https"} or not address.host:
            raise _no_address()
        all_headers = {"User-Agent": "Balcao", "Accept": "*/*", "Accept-Encoding": "identity"}
        if address.userinfo:
            credentials = f"{address.username}:{address.password}".encode()
            all_headers["Authorization"] = f"Basic {base64.b64encode(credentials).decode()}"
            address = address.copy_with(username=None, password=None)
        if json is not None:
            content = orjson.dumps(json)
            all_headers["Content-Type"] = "application/json"
        return httpx.Request(
            method,
            address,
            headers={**all_headers, **(headers or {})},
            content=content,
            data=dict(data) if data is not None else None,
            files=dict(files) if files is not None else None,
        )
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise ClientError(
            "O endereço não é válido.", reason=ReasonCode.ADDRESS_INVALID, permanent=True
        ) from error


def _send(
    request: httpx.Request, *, deadline: float, max_bytes: int, cuts: bool = False
) -> Response:
    host = request.url.host
    seconds = max(1, round(deadline - time.monotonic()))
    sent = httpcore.Request(
        method=request.method,
        url=httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        ),
        headers=request.headers.raw,
        content=request.read(),
    )
    try:
        with (
            traced_call(request.method, host),
            httpcore.ConnectionPool(
                ssl_context=_tls(), network_backend=GuardedNetwork(deadline)
            ) as pool,
        ):
            received = pool.handle_request(sent)
            try:
                answer = httpx.Response(received.status, headers=received.headers)
                content = _bounded(received.iter_stream(), max_bytes, host, cuts)
            finally:
                received.close()
    except ForbiddenTarget as error:
        raise ClientError(
            f"O endereço {host} leva a uma rede interna, o que não é permitido.",
            reason=Reason(ReasonCode.ADDRESS_FORBIDDEN, host),
            permanent=True,
        ) from error
    except UnknownHost as error:
        sentence = f"O servidor {host} não foi encontrado."
        raise ClientError(sentence, reason=Reason(ReasonCode.SERVER_UNKNOWN, host)) from error
    except httpcore.TimeoutException as error:
        sentence = f"{host} não respondeu em {seconds} segundos."
        reason = Reason(ReasonCode.SERVER_TIMEOUT, f"{host} ({seconds} s)")
        raise ClientError(sentence, reason=reason) from error
    except httpcore.ConnectError as error:
        if isinstance(error.__cause__ or error.__context__, ssl.SSLError):
            sentence = f"O certificado HTTPS de {host} não é válido."
            reason = Reason(ReasonCode.SERVER_CERTIFICATE, host)
            raise ClientError(sentence, reason=reason) from error
        sentence = f"Não foi possível conectar a {host}."
        raise ClientError(sentence, reason=Reason(ReasonCode.SERVER_UNREACHABLE, host)) from error
    except httpcore.ProtocolError as error:
        sentence = f"{host} deu uma resposta que não pôde ser lida."
        raise ClientError(sentence, reason=Reason(ReasonCode.SERVER_UNREADABLE, host)) from error
    except (httpcore.NetworkError, OSError) as error:
        sentence = f"A conexão com {host} caiu antes da resposta."
        raise ClientError(sentence, reason=Reason(ReasonCode.SERVER_BROKE_OFF, host)) from error
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Response(status=answer.status_code, headers=headers, content=content)


def _bounded(stream: Iterable[bytes], max_bytes: int, host: str, cuts: bool) -> bytes:
    content = bytearray()
    for chunk in stream:
        content += chunk
        if len(content) <= max_bytes:
            continue
        if cuts:
            break
        raise ClientError(
            f"A resposta de {host} é grande demais.",
            reason=Reason(ReasonCode.ANSWER_TOO_LARGE, host),
            permanent=True,
        )
    return bytes(content[:max_bytes])


def _refused(request: httpx.Request, response: Response, entry: Call) -> ClientError:
    host, status = request.url.host, response.status
    if status in REDIRECTS:
        sentence = f"{host} redireciona para outro endereço. Informe o endereço final."
        reason = Reason(ReasonCode.SERVER_REDIRECTS, host)
    elif status in {401, 403}:
        sentence = f"{host} recusou o acesso (erro {status})."
        reason = Reason(ReasonCode.SERVER_REFUSED, f"{host} ({status})")
    else:
        sentence = f"{host} respondeu com o erro {status}."
        reason = Reason(ReasonCode.SERVER_ERROR, f"{host} ({status})")
    error = ClientError(
        sentence,
        reason=reason,
        permanent=status < 500 and status not in PASSING,
        retry_after=_wait_asked(response) if status in {429, 503} else None,
    )
    error.calls = (_failed(entry, error),)
    return error


def _wait_asked(response: Response) -> float | None:
    text = response.headers.get("retry-after", "").strip()
    return min(float(text), LONGEST_WAIT) if text.isdecimal() and len(text) < 9 else None


def _logged(json: Any, data: Mapping[str, str] | None) -> Mapping[str, Any]:
    if isinstance(json, Mapping):
        return json
    return data or {}


def _logged_answer(response: Response) -> str:
    kind = response.headers.get("content-type", "")
    if kind.startswith(("image/", "audio/", "video/", "application/octet-stream")):
        return f"({kind.partition(';')[0]}, {len(response.content)} bytes)"
    # PostgreSQL rejects NUL in text.
    return response.text[:LOGGED_ANSWER].replace("\x00", "")


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


def _mime_in(content: bytes) -> str:
    """Return the type of an image by its first bytes, '' if unknown."""
    kinds = (mime for start, mime in PICTURE_STARTS.items() if content.startswith(start))
    return next(kinds, "")


def _name_of(url: httpx.URL, mime: str) -> str:
    name = url.path.rstrip("/").rpartition("/")[2]
    ending = mimetypes.guess_extension(mime)
    if not name or ending is None or mimetypes.guess_type(name)[0] == mime:
        return name[:255]
    if mime.partition("/")[0] not in {"image", "audio", "video"}:
        return name[:255]
    # 'render.php' may send an image; 'v1.5' has no ending.
    path = PurePosixPath(name)
    is_kind = mimetypes.guess_type(name)[0] is not None or path.suffix.lower() in PAGES
    return f"{(path.stem if is_kind else name)[:240]}{ending}"


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)
