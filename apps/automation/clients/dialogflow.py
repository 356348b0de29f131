"""The client of Dialogflow ES; `dialogflow_wire` sends the requests.

Only service accounts are accepted. They sign their own tokens for the API, so no address in the
tenant's JSON is ever called.
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
from apps.automation.clients.texts import split_text, text_of
from apps.automation.clients.typebot_inputs import Input, ask, choose
from apps.common.reasons import Reason, ReasonCode

ENDPOINT = "https://dialogflow.googleapis.com"
# The token's audience is always Google's API, also if the endpoint is another server (tests).
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
FILES_SECONDS = 30.0
ONLY_TEXT = {
    "pt": "Por aqui consigo entender só texto. Pode escrever a sua mensagem?",
    "en": "I can only understand text here. Could you write your message?",
    "es": "Por aquí solo entiendo texto. ¿Puede escribir su mensaje?",
}


class DialogflowClient:
    """A client of an agent: service account's JSON, project and language."""

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
        """Answer with the agent's reply; see `base.Client`."""
        query = self._query(turn)
        if query is None:
            sentence = ONLY_TEXT.get(self._language[:2], ONLY_TEXT["pt"])
            return Outcome((Reply(text=sentence),), session=dict(turn.session))
        data, call = self._detect(turn.contact.uuid, query)
        return self._outcome(turn, read_answer(data), call)

    def _query(self, turn: Turn) -> dict[str, Any] | None:
        """Return the query, a text or a voice note's audio; None if there is neither."""
        choices = Input.of(turn.session.get("choices"))
        words = text_of(turn)
        chosen = choose(choices, text=words, choice_id=turn.choice_id) if choices else []
        text = chosen[0].answer if chosen else words
        if turn.media_type == "audio" and turn.file is not None and _is_opus(turn.file):
            return {"audio": turn.file.content}
        return {"text": text[:MAX_TEXT]} if text else None

    def _detect(self, session: str, query: Mapping[str, Any]) -> tuple[dict[str, Any], Call]:
        """Ask the agent; return the answer as JSON and the log entry."""
        # Google's library is large, so it is imported with the first message.
        from apps.automation.clients import dialogflow_wire as wire  # noqa: PLC0415

        account = read_account(self._credentials_json)
        project = self._project or account["project_id"]
        if not re.fullmatch(r"[\w.:-]{1,100}", project):
            raise ClientError(
                "Informe o ID do projeto do Google Cloud.",
                reason=ReasonCode.PROJECT_MISSING,
                permanent=True,
            )
        client = wire.sessions_client(account, endpoint=self._endpoint, audience=AUDIENCE)
        path = f"projects/{project}/agent/sessions/{session}"
        request = wire.question(path, query, self._language)
        shown = query.get("text") or f"(áudio, {len(query['audio'])} bytes)"
        call = Call(
            event="dialogflow.detectIntent",
            url=f"{self._endpoint}/v2/{path}:detectIntent",
            request_body={"query": shown, "languageCode": self._language},
        )
        started = time.monotonic()
        try:
            answer = wire.ask_agent(client, request, project=project, timeout=self._timeout)
        except wire.Unanswered as error:
            took = round((time.monotonic() - started) * 1000)
            failed = replace(
                call,
                status_code=error.status,
                error=error.message[:500],
                reason=error.reason,
                duration_ms=took,
            )
            error.calls = (failed,)
            raise
        said = str(answer.get("queryResult", {}).get("fulfillmentText") or "")[:4000]
        took = round((time.monotonic() - started) * 1000)
        return answer, replace(call, status_code=200, response_text=said, duration_ms=took)

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
                replies += [Reply(text=piece) for piece in split_text(part.text)]
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
                replies += [Reply(text=piece) for piece in split_text(asked.text)]
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
        """Return the file as a message, or its link if it can't be fetched."""
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
    """Return the used fields of a service account's JSON; raises ClientError if it is invalid.

    Its addresses are never called, but a `token_uri` that is not Google's is refused.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ClientError(
            "O JSON da conta de serviço não pôde ser lido. Cole o arquivo inteiro do Google Cloud.",
            reason=ReasonCode.ACCOUNT_UNREADABLE,
            permanent=True,
        ) from error
    if not isinstance(data, dict) or data.get("type") != "service_account":
        raise ClientError(
            "O JSON não é o de uma conta de serviço do Google Cloud (“type”: “service_account”).",
            reason=ReasonCode.ACCOUNT_TYPE,
            permanent=True,
        )
    keys = ("client_email", "private_key", "private_key_id", "project_id")
    account = {key: str(data.get(key) or "") for key in keys}
    missing = next((key for key in keys[:2] if not account[key]), None)
    if missing is not None:
        raise ClientError(
            f"Falta “{missing}” no JSON da conta de serviço.",
            reason=Reason(ReasonCode.ACCOUNT_LACKS, missing),
            permanent=True,
        )
    if data.get("token_uri", TOKEN_URI) not in TOKEN_URIS:
        raise ClientError(
            "O “token_uri” do JSON não é um endereço do Google.",
            reason=ReasonCode.ACCOUNT_TOKEN_URI,
            permanent=True,
        )
    return account


def check_account(text: str) -> None:
    """Raise ClientError for a service account's JSON that can't be used."""
    account = read_account(text)
    # Google's library is large, so it is imported with the first key.
    from apps.automation.clients.dialogflow_wire import credentials_of  # noqa: PLC0415

    credentials_of(account, audience=AUDIENCE)


def _is_opus(file: File) -> bool:
    return b"OpusHead" in file.content[:512]
