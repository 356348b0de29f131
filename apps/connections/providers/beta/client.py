"""HTTP client of a session's gateway: signed calls, time-outs, errors in words
(docs/gateway.md).
"""

import contextlib
import os
import tempfile
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

import httpx
import orjson

from apps.common.reasons import Reason, ReasonCode
from apps.common.traces import traced_call
from apps.connections.providers.base import ProviderError
from apps.connections.providers.beta.signing import signed_headers
from apps.connections.providers.content import DownloadedMedia
from apps.connections.providers.departing import DepartingBody, OnWriting, unwatched

CONNECT_SECONDS = 3.0
# A send of a file waits until WhatsApp has accepted it.
READ_SECONDS = 25.0
MEDIA_SECONDS = 90.0
WAKE_SECONDS = 0.5
# The largest file of WhatsApp; files smaller than the second number stay in memory.
DOWNLOAD_BYTES = 100 * 1024 * 1024
MEMORY_BYTES = 1024 * 1024
NAME_LENGTH = 255
NOT_OPEN_SECONDS = 5.0

# The gateway's own error codes (docs/gateway.md §5) in words; all others are WhatsApp's.
FAULTS: dict[str, tuple[str, ReasonCode]] = {
    "ERR_MEDIA_GONE": (
        "O arquivo não está mais disponível no WhatsApp.",
        ReasonCode.MEDIA_GONE,
    ),
    "ERR_MEDIA_UPLOAD": (
        "O WhatsApp não recebeu o arquivo. O envio será repetido.",
        ReasonCode.MEDIA_REFUSED,
    ),
    "ERR_FILE_URL": (
        "O gateway não encontrou o arquivo. Confira BALCAO_URL no gateway.",
        ReasonCode.MEDIA_NOT_FETCHED,
    ),
    "ERR_AUDIO_UNREADABLE": (
        "Não foi possível ler o áudio.",
        ReasonCode.AUDIO_UNREADABLE,
    ),
    "ERR_NO_ANSWER": (
        "O WhatsApp não respondeu a tempo. O envio será repetido.",
        ReasonCode.TIMEOUT,
    ),
    "ERR_GATEWAY_SIGNATURE": (
        "O gateway não reconhece este servidor. Confira GATEWAY_SECRET nos dois.",
        ReasonCode.GATEWAY_GONE,
    ),
    "ERR_GATEWAY": (
        "O gateway falhou ao enviar. O envio será repetido.",
        ReasonCode.INTERNAL,
    ),
    "ERR_NO_COMMAND": (
        "O gateway não conhece este pedido. Atualize o gateway e o servidor juntos.",
        ReasonCode.INTERNAL,
    ),
    "ERR_BAD_COMMAND": (
        "O gateway não entendeu este pedido. Atualize o gateway e o servidor juntos.",
        ReasonCode.INTERNAL,
    ),
}
PERMANENT = frozenset({"ERR_MEDIA_GONE", "ERR_AUDIO_UNREADABLE", "ERR_BAD_COMMAND"})

NOT_OPEN = "A conexão com o WhatsApp está sendo refeita. O envio continua em instantes."


@lru_cache(maxsize=2)
def _pool(process_id: int) -> httpx.Client:
    # Keyed by process: a forked worker must not share its parent's sockets.
    return httpx.Client(
        limits=httpx.Limits(max_connections=100, max_keepalive_connections=20),
        follow_redirects=False,
        trust_env=False,  # gateways are on our own machines, without a proxy
    )


class GatewayClient:
    """Commands to the gateway that owns a session.

    Every method raises ProviderError. A lost answer may be retried: messages have fixed ids, so
    that the same command sends no second message (docs/gateway.md §5). `on_writing` is called right
    before the body of a command leaves.
    """

    def __init__(
        self,
        *,
        secret: str,
        address: str,
        session_id: int,
        epoch: int,
        on_writing: OnWriting = unwatched,
    ) -> None:
        self._on_writing = on_writing
        self._secret = secret
        self._address = address.rstrip("/")
        self._session_id = session_id
        self.epoch = epoch

    def command(
        self, name: str, body: dict[str, Any], *, read_seconds: float = READ_SECONDS
    ) -> dict[str, Any]:
        """Send a command to the owner; return its answer."""
        request = self._request(name, body, read_seconds)
        try:
            with traced_call(request.method, request.url.host):
                response = _pool(os.getpid()).send(request)
        except httpx.HTTPError as error:
            raise _network_error(error) from error
        answer = _parsed(response.content)
        if response.is_success and isinstance(answer, dict):
            return answer
        if response.is_success:
            raise _malformed()
        raise error_of(response.status_code, answer)

    def download(self, reference: dict[str, Any]) -> DownloadedMedia:
        """Fetch a received file, to the disk when it is large."""
        request = self._request("download", {"reference": reference}, MEDIA_SECONDS)
        with contextlib.ExitStack() as undo:
            file = undo.enter_context(tempfile.SpooledTemporaryFile(max_size=MEMORY_BYTES))
            try:
                response = _pool(os.getpid()).send(request, stream=True)
                undo.callback(response.close)
                if not response.is_success:
                    raise error_of(response.status_code, _parsed(response.read()))
                size = 0
                for chunk in response.iter_bytes():
                    size += len(chunk)
                    if size > DOWNLOAD_BYTES:
                        raise ProviderError(
                            "O arquivo é maior do que o permitido.",
                            reason=ReasonCode.MEDIA_TOO_LARGE,
                            code="too_large",
                            permanent=True,
                        )
                    file.write(chunk)
            except httpx.HTTPError as error:
                raise _network_error(error) from error
            response.close()
            file.seek(0)
            undo.pop_all()
        return DownloadedMedia(
            content=b"",
            file=file,
            size=size,
            mime=response.headers.get("content-type", ""),
            name=unquote(response.headers.get("x-media-name", ""))[:NAME_LENGTH],
        )

    def _request(self, name: str, body: dict[str, Any], read_seconds: float) -> httpx.Request:
        path = f"/sessions/{self._session_id}/{name}"
        content = orjson.dumps({"epoch": self.epoch, **body})
        headers = signed_headers(self._secret, method="POST", target=path, body=content)
        departing = DepartingBody(content, self._on_writing)
        return _pool(os.getpid()).build_request(
            "POST",
            f"{self._address}{path}",
            content=departing,
            headers={
                **headers,
                **departing.headers,
                "Content-Type": "application/json; charset=utf-8",
            },
            timeout=httpx.Timeout(read_seconds, connect=CONNECT_SECONDS),
        )


def wake_gateway(secret: str, address: str) -> None:
    """Ask a gateway to make its lease call now; errors are ignored."""
    body = b"{}"
    headers = signed_headers(secret, method="POST", target="/wake", body=body)
    headers["Content-Type"] = "application/json; charset=utf-8"
    with contextlib.suppress(httpx.HTTPError, httpx.InvalidURL):
        _pool(os.getpid()).post(
            f"{address.rstrip('/')}/wake", content=body, headers=headers, timeout=WAKE_SECONDS
        )


def _parsed(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None


def _malformed() -> ProviderError:
    return ProviderError(
        "A resposta do gateway não pôde ser lida.",
        reason=ReasonCode.MALFORMED_ANSWER,
        code="malformed_answer",
    )


def _network_error(error: Exception) -> ProviderError:
    if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
        return ProviderError(
            "O gateway não respondeu a tempo. O envio será repetido.",
            reason=ReasonCode.TIMEOUT,
            code="timeout",
        )
    return ProviderError(
        "Não foi possível falar com o gateway. O envio será repetido.",
        reason=ReasonCode.GATEWAY_GONE,
        code="unreachable",
    )


def error_of(status: int, answer: Any) -> ProviderError:
    """Return the error of a refusal by the gateway."""
    body = answer if isinstance(answer, dict) else {}
    code = body["code"] if isinstance(body.get("code"), str) else f"http_{status}"
    said = body["message"] if isinstance(body.get("message"), str) else ""
    wait = body.get("retryAfter")
    retry_after = float(wait) if isinstance(wait, int | float) and 0 < wait <= 86_400 else None
    if status in (409, 410) or code == "ERR_SESSION_NOT_OPEN":
        # Another gateway owns it by now, or its socket is reconnecting.
        return ProviderError(
            NOT_OPEN,
            reason=ReasonCode.SESSION_NOT_OPEN,
            code=code,
            retry_after=retry_after or NOT_OPEN_SECONDS,
        )
    known = FAULTS.get(code)
    if known is not None:
        sentence, reason = known
        return ProviderError(
            sentence,
            reason=reason,
            code=code,
            permanent=code in PERMANENT or body.get("permanent") is True,
            retry_after=retry_after,
        )
    return ProviderError(
        f"O WhatsApp recusou: {said}" if said else "O WhatsApp recusou o envio.",
        reason=Reason(ReasonCode.WHATSAPP_REFUSED, said),
        code=code,
        permanent=body.get("permanent") is True,
        retry_after=retry_after,
    )
