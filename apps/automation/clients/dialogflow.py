"""Dialogflow ES through Google's own library, over REST.

The library is big, so it is imported when the first message needs it. Only service accounts are
taken, and they sign their own token for the API: no address in the tenant's JSON is ever called.
"""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.automation.clients.base import Call, ClientError, File, Outcome, Reply, Turn
from apps.automation.clients.dialogflow_reading import Answer, Part, read_answer
from apps.automation.clients.http import MAX_FILE, MAX_FILES, TIMEOUT_SECONDS, fetch_file
from apps.automation.clients.pieces import pieces, words_of
from apps.automation.clients.typebot_inputs import Input, ask, choose

ENDPOINT = "https://dialogflow.googleapis.com"
# Of the API, whatever stands in for it.
AUDIENCE = f"{ENDPOINT}/"
TOKEN_URI = "https://oauth2.googleapis.com/token"  # noqa: S105
TOKEN_URIS = frozenset(
    {
        TOKEN_URI,
        "https://accounts.google.com/o/oauth2/token",
        "https://www.googleapis.com/oauth2/v4/token",
    }
)
# cloud.google.com/dialogflow/quotas
MAX_TEXT = 256
MAX_PARTS = 30
QUOTA_WAIT_SECONDS = 30.0
FILES_SECONDS = 30.0
OPUS_RATES = frozenset({8000, 12000, 16000, 24000, 48000})
ONLY_TEXT = {
    "pt": "Por aqui consigo entender só texto. Pode escrever a sua mensagem?",
    "en": "I can only understand text here. Could you write your message?",
    "es": "Por aquí solo entiendo texto. ¿Puede escribir su mensaje?",
}


class DialogflowClient:
    """An agent: the service account's JSON, its project and the language it is spoken to in."""

    def __init__(
        self,
        *,
        project: str,
        credentials_json: str,
        language: str = "pt-BR",
        endpoint: str = ENDPOINT,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self._project = project.strip()
        self._credentials_json = credentials_json
        self._language = language or "pt-BR"
        self._endpoint = endpoint.rstrip("/")
        self._timeout = timeout

    def take_turn(self, turn: Turn) -> Outcome:
        """Have the agent answer; see `base.Client`."""
        query = self._query(turn)
        if query is None:
            sentence = ONLY_TEXT.get(self._language[:2], ONLY_TEXT["pt"])
            return Outcome((Reply(text=sentence),), session=dict(turn.session))
        data, call = self._detect(turn.contact.uuid, query)
        return self._outcome(turn, read_answer(data), call)

    def _query(self, turn: Turn) -> dict[str, Any] | None:
        """Return what is asked: words, or a voice note's sound; None where there is neither."""
        choices = Input.of(turn.session.get("choices"))
        words = words_of(turn)
        chosen = choose(choices, text=words, choice_id=turn.choice_id) if choices else []
        text = chosen[0].answer if chosen else words
        if turn.media_type == "audio" and turn.file is not None and _is_opus(turn.file):
            return {"audio": turn.file.content}
        return {"text": text[:MAX_TEXT]} if text else None

    def _detect(self, session: str, query: Mapping[str, Any]) -> tuple[dict[str, Any], Call]:
        """Ask the agent; returns the answer as JSON and the log's entry."""
        from google.api_core.exceptions import GoogleAPICallError
        from google.auth.exceptions import GoogleAuthError
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

        client, project = self._client()
        path = f"projects/{project}/agent/sessions/{session}"
        if "audio" in query:
            config = InputAudioConfig(
                audio_encoding=AudioEncoding.AUDIO_ENCODING_OGG_OPUS,
                sample_rate_hertz=_opus_rate(query["audio"]),
                language_code=self._language,
            )
            request = DetectIntentRequest(
                session=path,
                query_input=QueryInput(audio_config=config),
                input_audio=query["audio"],
            )
        else:
            text = TextInput(text=query["text"], language_code=self._language)
            request = DetectIntentRequest(session=path, query_input=QueryInput(text=text))
        shown = query.get("text") or f"(áudio, {len(query['audio'])} bytes)"
        call = Call(
            event="dialogflow.detectIntent",
            url=f"{self._endpoint}/v2/{path}:detectIntent",
            request_body={"query": shown, "languageCode": self._language},
        )
        started = time.monotonic()

        def failed(
            sentence: str,
            *,
            permanent: bool = False,
            status: int | None = None,
            retry_after: float | None = None,
        ) -> ClientError:
            entry = replace(
                call,
                status_code=status,
                error=sentence[:500],
                duration_ms=round((time.monotonic() - started) * 1000),
            )
            return ClientError(
                sentence, permanent=permanent, retry_after=retry_after, calls=(entry,)
            )

        try:
            with client:
                response = client.detect_intent(request, retry=None, timeout=self._timeout)
            if "query_result" not in response:
                raise ValueError("no result")
            data = DetectIntentResponse.to_dict(
                response, use_integers_for_enums=False, preserving_proto_field_name=False
            )
        except Timeout as error:
            raise failed(f"O Dialogflow não respondeu em {self._timeout:g} segundos.") from error
        except GoogleAPICallError as error:
            status = int(error.code or 0) or None
            sentence, permanent = _refusal(status, project, str(error.message or ""))
            wait = QUOTA_WAIT_SECONDS if status == 429 else None
            raise failed(sentence, permanent=permanent, status=status, retry_after=wait) from error
        except GoogleAuthError as error:
            sentence = "O Google recusou a chave da conta de serviço. Gere outra e cole-a aqui."
            raise failed(sentence, permanent=True) from error
        except RequestException as error:
            raise failed("Não foi possível conectar ao Dialogflow.") from error
        except (ParseError, ValueError, TypeError, AttributeError) as error:
            raise failed("O Dialogflow deu uma resposta que não pôde ser entendida.") from error
        done = replace(
            call,
            status_code=200,
            response_text=str(data.get("queryResult", {}).get("fulfillmentText") or "")[:4000],
            duration_ms=round((time.monotonic() - started) * 1000),
        )
        return data, done

    def _client(self) -> tuple[Any, str]:
        """Return the library's client and the project; raises ClientError for unusable keys."""
        from google.cloud.dialogflow_v2.services.sessions import SessionsClient
        from google.cloud.dialogflow_v2.services.sessions.transports import SessionsRestTransport

        from apps.automation.clients.dialogflow_signing import SelfSigned

        account = read_account(self._credentials_json)
        project = self._project or account["project_id"]
        if not re.fullmatch(r"[\w.:-]{1,100}", project):
            raise ClientError("Informe o ID do projeto do Google Cloud.", permanent=True)
        try:
            credentials = SelfSigned(
                email=account["client_email"],
                private_key=account["private_key"],
                key_id=account["private_key_id"],
                audience=AUDIENCE,
            )
        except ValueError as error:
            raise ClientError(
                "A chave privada no JSON da conta de serviço não é válida.", permanent=True
            ) from error
        transport = SessionsRestTransport(host=self._endpoint, credentials=credentials)
        return SessionsClient(transport=transport), project

    def _outcome(self, turn: Turn, answer: Answer, call: Call) -> Outcome:
        replies: list[Reply] = []
        calls = [call]
        until = time.monotonic() + FILES_SECONDS
        for part in answer.parts[:MAX_PARTS]:
            if part.url:
                fetched = sum(len(each.file.content) for each in replies if each.file)
                room = min(MAX_FILE, MAX_FILES - fetched)
                replies += self._file(part, calls, until, max_bytes=room)
            else:
                replies += [Reply(text=piece) for piece in pieces(part.text)]
        choices = answer.choices
        if choices is not None and answer.hand_over is None:
            last = replies[-1] if replies and not choices.question else None
            if last is not None and last.file is None and len(last.text) <= 1000:
                choices = choices.asked_with(last.text)
                replies.pop()
            asked = ask(choices, native_menus=turn.native_menus)
            if asked is not None and asked.options:
                replies.append(asked)
            elif asked is not None:
                replies += [Reply(text=piece) for piece in pieces(asked.text)]
        if answer.voice is not None:
            replies.append(Reply(file=answer.voice, is_voice=True))
        session = {"choices": choices.as_json()} if choices is not None else {}
        return Outcome(
            tuple(replies),
            session=None if answer.hand_over else session,
            hand_over=answer.hand_over,
            calls=tuple(calls),
        )

    def _file(self, part: Part, calls: list[Call], until: float, *, max_bytes: int) -> list[Reply]:
        """Return a file to send, or its link where it can't be fetched."""
        left = until - time.monotonic()
        if left > 0 and max_bytes > 0:
            try:
                file = fetch_file(part.url, max_bytes=max_bytes, timeout=min(left, self._timeout))
            except ClientError as error:
                calls += error.calls
            else:
                return [Reply(text=part.text, file=file, is_voice=part.is_voice)]
        return [Reply(text="\n".join(filter(None, (part.text, part.url))))]


def read_account(text: str) -> dict[str, str]:
    """Return what is used of a service account's JSON; raises ClientError with what is wrong.

    None of its addresses is ever called; one that is not Google's is refused all the same.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ClientError(
            "O JSON da conta de serviço não pôde ser lido. Cole o arquivo inteiro do Google Cloud.",
            permanent=True,
        ) from error
    if not isinstance(data, dict) or data.get("type") != "service_account":
        raise ClientError(
            "O JSON não é o de uma conta de serviço do Google Cloud (“type”: “service_account”).",
            permanent=True,
        )
    keys = ("client_email", "private_key", "private_key_id", "project_id")
    account = {key: str(data.get(key) or "") for key in keys}
    missing = next((key for key in keys[:2] if not account[key]), None)
    if missing is not None:
        raise ClientError(f"Falta “{missing}” no JSON da conta de serviço.", permanent=True)
    if data.get("token_uri", TOKEN_URI) not in TOKEN_URIS:
        raise ClientError("O “token_uri” do JSON não é um endereço do Google.", permanent=True)
    return account


def _refusal(status: int | None, project: str, detail: str) -> tuple[str, bool]:
    """Return what an error of the API means, and whether it stays."""
    if status == 401:
        return "O Google recusou a chave da conta de serviço. Gere outra e cole-a aqui.", True
    if status == 403:
        return (
            f"A conta de serviço não tem acesso ao Dialogflow do projeto “{project}”. "
            "Confira o projeto, se a API Dialogflow está ativada e o papel da conta.",
            True,
        )
    if status == 404:
        return f"O projeto “{project}” não existe ou não tem um agente do Dialogflow.", True
    if status == 429:
        return "A cota do Dialogflow acabou por agora.", False
    if status is not None and status < 500:
        said = " ".join(detail.split())[:200]
        return f"O Dialogflow não aceitou a consulta: {said or status}", True
    return f"O Dialogflow respondeu com o erro {status}.", False


def _is_opus(file: File) -> bool:
    return b"OpusHead" in file.content[:512]


def _opus_rate(content: bytes) -> int:
    """Return the rate in the OpusHead packet (RFC 7845 §5.1), one that Dialogflow takes."""
    start = content.find(b"OpusHead") + 12
    rate = int.from_bytes(content[start : start + 4], "little")
    return rate if rate in OPUS_RATES else 48000
