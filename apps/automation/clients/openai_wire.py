"""The client of a server with OpenAI's API: answers and transcriptions.

The library is imported at the first use, because it costs 45 MB and half a second that companies
without a prompt need not pay. Its requests are sent by the transport of `http.py`. It does not
retry, because the worker does. Its answers are read as plain JSON, because compatible servers
differ.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import httpx

from apps.automation.clients.base import ClientError, File, Usage
from apps.automation.clients.http import MEGABYTE, GuardedTransport
from apps.common.reasons import Reason, ReasonCode

if TYPE_CHECKING:
    import openai

ANSWER_SECONDS = 40.0
TRANSCRIPTION_SECONDS = 60.0
# Half an hour of a voice note; the servers accept 25 MB.
LARGEST_AUDIO = 8 * MEGABYTE
_TOO_MANY = 256
# The limit on an answer in characters, above any number of tokens that a prompt may ask for.
LONGEST_ANSWER = 40_000

# The parameters that a model refused, which are left out from then on. Newer models want
# `max_completion_tokens`; some have a fixed temperature or no tools. Per process, by address and
# model.
_refused: dict[tuple[str, str], frozenset[str]] = {}


@dataclass(frozen=True)
class Answer:
    """A model's answer: `tools` are the called functions; `is_cut` means that tokens ran out."""

    text: str
    tools: tuple[str, ...]
    is_cut: bool
    usage: Usage


class CannotHear(Exception):
    """The server can't transcribe this audio, or any audio."""


class ModelServer:
    """A server and a key; every method raises ClientError."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        answer_seconds: float = ANSWER_SECONDS,
        transcription_seconds: float = TRANSCRIPTION_SECONDS,
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._answer_seconds = answer_seconds
        self._transcription_seconds = transcription_seconds

    def answer(
        self,
        *,
        model: str,
        messages: Sequence[Mapping[str, str]],
        max_tokens: int,
        temperature: float,
        tools: Sequence[Mapping[str, Any]],
    ) -> Answer:
        """Ask a model for the next message of the conversation."""
        place = (self._base_url, model)
        client = self._client(self._answer_seconds)
        for _ in range(4):
            refused = _refused.get(place, frozenset())
            options: dict[str, Any] = {"model": model, "messages": list(messages)}
            limit = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
            options[limit] = max_tokens
            if "temperature" not in refused:
                options["temperature"] = temperature
            if tools and "tools" not in refused:
                options["tools"] = list(tools)
            body, refusal = self._send(
                lambda options=options: client.chat.completions.with_raw_response.create(**options),
                may_adapt=True,
            )
            if not refusal:
                return _read_answer(body, model)
            if refusal in refused:
                break
            if len(_refused) >= _TOO_MANY:
                _refused.clear()
            _refused[place] = refused | {refusal}
        raise ClientError(
            "O servidor do modelo não aceita o pedido.",
            reason=ReasonCode.MODEL_REFUSED,
            permanent=True,
        )

    def transcribe(self, sound: File, *, model: str) -> str:
        """Return the transcription of an audio; raises CannotHear if there is none."""
        if not sound.content or len(sound.content) > LARGEST_AUDIO:
            raise CannotHear
        mime = sound.mime.partition(";")[0].strip() or "audio/ogg"
        # Servers detect the format by the file name.
        name = f"audio.{_ENDINGS.get(mime, 'ogg')}"
        client = self._client(self._transcription_seconds)
        body, _ = self._send(
            lambda: client.audio.transcriptions.with_raw_response.create(
                model=model,
                file=(name, sound.content, mime),
                language="pt",
                response_format="json",
            ),
            is_sound=True,
        )
        text = body.get("text")
        if not isinstance(text, str) or not text.strip():
            raise CannotHear
        return text.strip()

    def _client(self, seconds: float) -> "openai.OpenAI":
        import openai  # noqa: PLC0415  large, so imported at the first use

        return openai.OpenAI(
            # Always set: otherwise the library would read them from the environment.
            api_key=self._api_key or "none",
            base_url=self._base_url,
            organization="",
            project="",
            max_retries=0,
            timeout=seconds,
            # The library also accepts an httpx client, although its types name only httpx2.
            http_client=cast(
                "Any",
                httpx.Client(
                    transport=GuardedTransport(timeout=seconds), trust_env=False, timeout=seconds
                ),
            ),
            default_headers={"OpenAI-Organization": "", "OpenAI-Project": ""},
        )

    def _send(
        self, call: Any, *, may_adapt: bool = False, is_sound: bool = False
    ) -> tuple[dict[str, Any], str]:
        """Return the response's JSON, or with `may_adapt` the name of the refused parameter."""
        import openai  # noqa: PLC0415  large, so imported at the first use

        try:
            content: bytes = call().http_response.content
        except openai.APIStatusError as error:
            status, told = error.status_code, _told(error.response.content)
            if may_adapt and status in (400, 422) and (refusal := _refusal_in(told)):
                return {}, refusal
            if is_sound and status in (400, 404, 405, 413, 415, 422, 501):
                raise CannotHear from error
            raise self._fault(status, told, error.response.headers.get("retry-after")) from error
        except openai.APIConnectionError as error:
            raise _unreached(error) from error
        except openai.OpenAIError as error:
            raise ClientError(
                "O servidor do modelo não pôde ser chamado.", reason=ReasonCode.MODEL_UNREACHABLE
            ) from error
        try:
            body = json.loads(content)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise _not_readable()
        return body, ""

    def _fault(self, status: int, told: str, wait: str | None) -> ClientError:
        """Return the error of a status; its texts never contain the key."""
        if status in (401, 403):
            return ClientError(
                "O servidor do modelo recusou a chave da API.",
                reason=ReasonCode.MODEL_KEY_REFUSED,
                permanent=True,
            )
        if status == 404:
            return ClientError(
                "O modelo não existe neste servidor, ou o endereço não é o de uma API.",
                reason=ReasonCode.MODEL_UNKNOWN,
                permanent=True,
            )
        if status == 429:
            if "quota" in told or "billing" in told:
                return ClientError(
                    "A conta da API está sem saldo.",
                    reason=ReasonCode.MODEL_CREDIT,
                    permanent=True,
                )
            seconds = float(wait) if wait and wait.isdecimal() and len(wait) < 6 else None
            return ClientError(
                "O servidor do modelo pediu para esperar.",
                reason=ReasonCode.MODEL_BUSY,
                retry_after=seconds,
            )
        if status >= 500 or status in (408, 409):
            return ClientError(
                f"O servidor do modelo falhou (erro {status}).",
                reason=Reason(ReasonCode.MODEL_ERROR, str(status)),
            )
        if "context" in told and ("length" in told or "window" in told):
            return ClientError(
                "A conversa é longa demais para este modelo.",
                reason=ReasonCode.MODEL_TOO_LONG,
                permanent=True,
            )
        # The server's message may contain the key.
        detail = f": {told[:200]}" if told and not (self._api_key and self._api_key in told) else ""
        sentence = f"O servidor do modelo recusou o pedido (erro {status}){detail}"
        return ClientError(
            sentence if detail else f"{sentence}.",
            reason=Reason(ReasonCode.MODEL_REFUSED, f"{status}{detail}"),
            permanent=True,
        )


_ENDINGS = {
    "audio/ogg": "ogg",
    "audio/opus": "ogg",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
    "audio/mp4": "m4a",
    "audio/aac": "m4a",
    "audio/x-m4a": "m4a",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/webm": "webm",
    "audio/flac": "flac",
}


def _told(content: bytes) -> str:
    """Return the server's own message of an error."""
    try:
        body = json.loads(content)
    except ValueError:
        return ""
    fault = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(fault, dict):
        parts = (fault.get(name) for name in ("message", "code", "type", "param", "detail"))
        return " ".join(part for part in parts if isinstance(part, str))
    return fault if isinstance(fault, str) else ""


def _refusal_in(told: str) -> str:
    words = told.casefold()
    if "max_completion_tokens" in words:
        return "max_tokens"
    if "temperature" in words:
        return "temperature"
    if "tool" in words or "function" in words:
        return "tools"
    return ""


def _unreached(error: Exception) -> ClientError:
    cause = error.__cause__
    told = cause.__cause__ if cause is not None else None
    if isinstance(told, ClientError):
        return ClientError(told.message, reason=told.reason, permanent=told.permanent)
    return ClientError(
        "Não foi possível falar com o servidor do modelo.", reason=ReasonCode.MODEL_UNREACHABLE
    )


def _not_readable() -> ClientError:
    return ClientError(
        "O servidor do modelo deu uma resposta que não pôde ser lida.",
        reason=ReasonCode.MODEL_UNREADABLE,
    )


def _read_answer(body: Mapping[str, Any], asked: str) -> Answer:
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise _not_readable()
    counted = body.get("usage")
    usage = counted if isinstance(counted, dict) else {}
    model = body.get("model")
    return Answer(
        text=(_text_of(message.get("content")) or _text_of(message.get("refusal")))[
            :LONGEST_ANSWER
        ],
        tools=_tools_in(message),
        is_cut=choice.get("finish_reason") == "length",
        usage=Usage(
            model=(model if isinstance(model, str) and model else asked)[:100],
            prompt_tokens=_count(usage.get("prompt_tokens")),
            completion_tokens=_count(usage.get("completion_tokens")),
        ),
    )


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _tools_in(message: Mapping[str, Any]) -> tuple[str, ...]:
    calls = message.get("tool_calls")
    functions = (
        [call.get("function") for call in calls or [] if isinstance(call, dict)]
        if (isinstance(calls, list))
        else []
    )
    names = (
        function.get("name")
        for function in [*functions, message.get("function_call")]
        if isinstance(function, dict)
    )
    return tuple(name for name in names if isinstance(name, str))


def _count(value: Any) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return min(value, 2**31 - 1) if is_count and value > 0 else 0
