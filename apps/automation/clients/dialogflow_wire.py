"""Requests to Dialogflow through Google's library, over REST, with a self-signed token.

Import this module late: it imports the library, which is large.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from google.api_core.exceptions import GoogleAPICallError
from google.auth import crypt, jwt
from google.auth.credentials import Credentials
from google.auth.exceptions import GoogleAuthError
from google.cloud.dialogflow_v2.services.sessions import SessionsClient
from google.cloud.dialogflow_v2.services.sessions.transports import SessionsRestTransport
from google.cloud.dialogflow_v2.types import (
    AudioEncoding,
    DetectIntentRequest,
    DetectIntentResponse,
    InputAudioConfig,
    QueryInput,
    TextInput,
)
from google.protobuf.json_format import ParseError
from requests.exceptions import RequestException, Timeout

from apps.automation.clients.base import ClientError
from apps.common.reasons import Reason, ReasonCode

NAME = "Dialogflow"
LIFETIME = timedelta(hours=1)
QUOTA_WAIT_SECONDS = 30.0
OPUS_RATES = frozenset({8000, 12000, 16000, 24000, 48000})
KEY_REFUSED = "O Google recusou a chave da conta de serviço. Gere outra e cole-a aqui."


class Unanswered(ClientError):
    """Dialogflow gave no valid answer; `status` is the HTTP status, None without a response."""

    def __init__(
        self,
        message: str,
        *,
        reason: ReasonCode | Reason,
        status: int | None = None,
        permanent: bool = False,
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        super().__init__(message, reason=reason, permanent=permanent, retry_after=retry_after)


class SelfSigned(Credentials):
    """Signs tokens with the account's key, without a network call (google.aip.dev/auth/4111).

    The library's own classes for service accounts look up the account's regions in a thread and may
    call a token server. Raises ValueError for an unusable key.
    """

    def __init__(self, *, email: str, private_key: str, key_id: str, audience: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._email = email
        self._audience = audience
        self._signer = _signer(private_key, key_id)

    def refresh(self, request: Any) -> None:
        now = datetime.now(UTC)
        claims = {
            "iss": self._email,
            "sub": self._email,
            "aud": self._audience,
            "iat": int(now.timestamp()),
            "exp": int((now + LIFETIME).timestamp()),
        }
        self.token = jwt.encode(self._signer, claims).decode()  # type: ignore[no-untyped-call]
        # The library compares it with a naive UTC time.
        self.expiry = (now + LIFETIME).replace(tzinfo=None)


@lru_cache(maxsize=32)
def _signer(private_key: str, key_id: str) -> crypt.RSASigner:
    """Return the signer of a key; checking a key takes longer than the rest of a turn."""
    signer = crypt.RSASigner
    return signer.from_string(private_key, key_id or None)  # type: ignore[no-untyped-call, no-any-return]


def credentials_of(account: Mapping[str, str], *, audience: str) -> SelfSigned:
    """Return the credentials of a service account; raises ClientError for an unusable key."""
    try:
        return SelfSigned(
            email=account["client_email"],
            private_key=account["private_key"],
            key_id=account["private_key_id"],
            audience=audience,
        )
    # A key with a passphrase raises TypeError.
    except (ValueError, TypeError) as error:
        raise ClientError(
            "A chave privada no JSON da conta de serviço não é válida.",
            reason=ReasonCode.ACCOUNT_KEY,
            permanent=True,
        ) from error


def sessions_client(account: Mapping[str, str], *, endpoint: str, audience: str) -> SessionsClient:
    """Return the library's client for a service account; raises ClientError for an unusable key."""
    credentials = credentials_of(account, audience=audience)
    return SessionsClient(transport=SessionsRestTransport(host=endpoint, credentials=credentials))


def question(session: str, query: Mapping[str, Any], language: str) -> DetectIntentRequest:
    """Return the request of a query: `text`, or the `audio` of a voice note."""
    if "audio" not in query:
        text = TextInput(text=query["text"], language_code=language)
        return DetectIntentRequest(session=session, query_input=QueryInput(text=text))
    config = InputAudioConfig(
        audio_encoding=AudioEncoding.AUDIO_ENCODING_OGG_OPUS,
        sample_rate_hertz=_opus_rate(query["audio"]),
        language_code=language,
    )
    return DetectIntentRequest(
        session=session, query_input=QueryInput(audio_config=config), input_audio=query["audio"]
    )


def ask_agent(
    client: SessionsClient, request: DetectIntentRequest, *, project: str, timeout: float
) -> dict[str, Any]:
    """Send the request and return the answer as JSON; raises Unanswered."""
    try:
        with client:
            response = client.detect_intent(request, retry=None, timeout=timeout)
        if "query_result" not in response:
            raise ValueError("no result")
        answer: dict[str, Any] = DetectIntentResponse.to_dict(
            response, use_integers_for_enums=False, preserving_proto_field_name=False
        )
    except Timeout as error:
        reason = Reason(ReasonCode.SERVER_TIMEOUT, f"{NAME} ({timeout:g} s)")
        sentence = f"O Dialogflow não respondeu em {timeout:g} segundos."
        raise Unanswered(sentence, reason=reason) from error
    except GoogleAPICallError as error:
        raise _refusal(int(error.code or 0) or None, project, str(error.message or "")) from error
    except GoogleAuthError as error:
        reason = Reason(ReasonCode.GOOGLE_KEY_REFUSED)
        raise Unanswered(KEY_REFUSED, reason=reason, permanent=True) from error
    except RequestException as error:
        reason = Reason(ReasonCode.SERVER_UNREACHABLE, NAME)
        raise Unanswered("Não foi possível conectar ao Dialogflow.", reason=reason) from error
    except (ParseError, ValueError, TypeError, AttributeError) as error:
        reason = Reason(ReasonCode.SERVER_UNREADABLE, NAME)
        sentence = "O Dialogflow deu uma resposta que não pôde ser entendida."
        raise Unanswered(sentence, reason=reason) from error
    return answer


def _refusal(status: int | None, project: str, detail: str) -> Unanswered:
    """Return the error that a status of the API means."""
    if status == 401:
        reason = Reason(ReasonCode.GOOGLE_KEY_REFUSED)
        return Unanswered(KEY_REFUSED, reason=reason, status=status, permanent=True)
    if status == 403:
        sentence = (
            f"A conta de serviço não tem acesso ao Dialogflow do projeto “{project}”. "
            "Confira o projeto, se a API Dialogflow está ativada e o papel da conta."
        )
        reason = Reason(ReasonCode.PROJECT_FORBIDDEN, project)
        return Unanswered(sentence, reason=reason, status=status, permanent=True)
    if status == 404:
        sentence = f"O projeto “{project}” não existe ou não tem um agente do Dialogflow."
        reason = Reason(ReasonCode.PROJECT_UNKNOWN, project)
        return Unanswered(sentence, reason=reason, status=status, permanent=True)
    if status == 429:
        return Unanswered(
            "A cota do Dialogflow acabou por agora.",
            reason=ReasonCode.DIALOGFLOW_QUOTA,
            status=status,
            retry_after=QUOTA_WAIT_SECONDS,
        )
    if status is not None and status < 500:
        said = " ".join(detail.split())[:200]
        sentence = f"O Dialogflow não aceitou a consulta: {said or status}"
        reason = Reason(ReasonCode.DIALOGFLOW_REFUSED, said or str(status))
        return Unanswered(sentence, reason=reason, status=status, permanent=True)
    reason = Reason(ReasonCode.SERVER_ERROR, f"{NAME} ({status})" if status else NAME)
    return Unanswered(f"O Dialogflow respondeu com o erro {status}.", reason=reason, status=status)


def _opus_rate(content: bytes) -> int:
    """Return the sample rate of the OpusHead packet (RFC 7845 §5.1), else 48000.

    Dialogflow accepts only OPUS_RATES.
    """
    start = content.find(b"OpusHead") + 12
    rate = int.from_bytes(content[start : start + 4], "little")
    return rate if rate in OPUS_RATES else 48000
