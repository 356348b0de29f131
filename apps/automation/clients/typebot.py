"""The client of Typebot's chat API (startChat, continueChat).

docs.typebot.io/api-reference/chat. A flow ends when it asks no further question; the ticket then
waits for a person.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from apps.automation.clients.base import (
    Call,
    ClientError,
    File,
    HandOver,
    Outcome,
    Reply,
    Turn,
)
from apps.automation.clients.commands import COMMAND, MalformedCommand, read_command
from apps.automation.clients.http import (
    MAX_FILE,
    MAX_FILES,
    TIMEOUT_SECONDS,
    exchange,
    fetch_file,
    read_json,
    shown_url,
)
from apps.automation.clients.texts import split_text, text_of
from apps.automation.clients.typebot_inputs import (
    FILE,
    Input,
    Item,
    ask,
    choose,
    read_input,
    reword,
)
from apps.automation.clients.typebot_text import as_plain, as_whatsapp, from_markdown
from apps.common.reasons import Reason, ReasonCode
from apps.common.search import fold

NAME = "Typebot"
MAX_BUBBLES = 30
MAX_PICTURES = 10
# The limit on one bubble, in characters.
MAX_MARKDOWN = 20_000
# The longest question that is sent in one message with its choices; WhatsApp accepts 1024
# characters with native ones.
MAX_QUESTION = 1000
# Limits on a wait block, and on the continuations that a flow requests without the contact.
MAX_WAIT_SECONDS = 10
MAX_CONTINUATIONS = 5
# Limit on all calls of one turn together.
TURN_SECONDS = 60.0
# Limit on all files of an answer; files that are not fetched by then are sent as links.
FILES_SECONDS = 30.0
VIDEO_PAGES = {
    "youtube": "https://www.youtube.com/watch?v=",
    "vimeo": "https://vimeo.com/",
    "tiktok": "https://www.tiktok.com/embed/v2/",
    "gumlet": "https://play.gumlet.io/embed/",
}


@dataclass
class _Talk:
    """The state of one turn."""

    turn: Turn
    replies: list[Reply] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    hand_over: HandOver | None = None
    wait_ms: int = 0
    fetched_bytes: int = 0
    started: float = field(default_factory=time.monotonic)

    def left(self, seconds: float) -> float:
        """Return the remaining time of a limit that began with the turn."""
        return self.started + seconds - time.monotonic()


class TypebotClient:
    """A client of a published flow; `url` is the viewer's or builder's, `slug` its public id."""

    def __init__(
        self,
        *,
        url: str,
        slug: str,
        expires_minutes: int = 0,
        delay_ms: int = 0,
        keyword_finish: str = "",
        keyword_restart: str = "",
        restart_message: str = "",
        unknown_message: str = "",
        timeout: float = TIMEOUT_SECONDS,
        turn_seconds: float | None = None,
    ) -> None:
        self._url = url.strip().rstrip("/").removesuffix("/api/v1")
        self._slug = slug.strip().strip("/")
        self._expires_minutes = expires_minutes
        self._delay_ms = delay_ms
        self._finish = fold(keyword_finish)
        self._restart = fold(keyword_restart)
        self._restart_message = restart_message.strip()
        self._unknown_message = unknown_message.strip()
        self._timeout = timeout
        self._turn_seconds = TURN_SECONDS if turn_seconds is None else turn_seconds

    def take_turn(self, turn: Turn) -> Outcome:
        """Start the flow or answer its question; see `base.Client`."""
        talk = _Talk(turn)
        word = fold(text_of(turn))
        if word and word == self._finish:
            return Outcome(hand_over=HandOver(reason="finished"))
        if word and word == self._restart:
            self._say(talk, self._restart_message)
            return self._start(talk)
        session_id = turn.session.get("id")
        if not isinstance(session_id, str) or not session_id or self._is_expired(turn):
            return self._start(talk, message=_message(turn, None))
        return self._go_on(talk, session_id, Input.of(turn.session.get("input")))

    def _is_expired(self, turn: Turn) -> bool:
        if not self._expires_minutes or turn.session_used_at is None:
            return False
        return turn.now - turn.session_used_at > timedelta(minutes=self._expires_minutes)

    def _start(self, talk: _Talk, message: Any = None) -> Outcome:
        """Start a new session; the flow uses `message` only if it begins with a question."""
        body: dict[str, Any] = {
            "isStreamEnabled": False,
            "prefilledVariables": _variables(talk.turn),
            "textBubbleContentFormat": "richText",
        }
        if message:
            body["message"] = message
        path = f"typebots/{quote(self._slug, safe='')}/startChat"
        try:
            data = self._post(talk, path, "startChat", body)
        except ClientError as error:
            raise self._not_started(error) from error
        session_id = data.get("sessionId")
        return self._read(talk, data, session_id if isinstance(session_id, str) else "", None)

    def _go_on(self, talk: _Talk, session_id: str, waiting: Input | None) -> Outcome:
        message = _message(talk.turn, waiting)
        if waiting is not None and waiting.items:
            turn = talk.turn
            chosen = choose(waiting, text=text_of(turn), choice_id=turn.choice_id)
            message = _choice(waiting, chosen)
        if not message:
            return self._not_understood(talk, session_id, waiting)
        try:
            data = self._continue(talk, session_id, message)
        except ClientError as error:
            if _status(error) != 404:
                raise
            # The server deletes sessions after a while.
            talk.calls += error.calls[-1:]
            return self._start(talk, message=_message(talk.turn, None))
        return self._read(talk, data, session_id, waiting)

    def _continue(self, talk: _Talk, session_id: str, message: Any) -> Mapping[str, Any]:
        body = {"textBubbleContentFormat": "richText"}
        if message:
            body["message"] = message
        path = f"sessions/{quote(session_id, safe='')}/continueChat"
        return self._post(talk, path, "continueChat", body)

    def _not_understood(self, talk: _Talk, session_id: str, waiting: Input | None) -> Outcome:
        self._say(talk, self._unknown_message)
        asked = ask(waiting, native_menus=talk.turn.native_menus) if waiting else None
        self._put(talk, asked)
        return _waiting(talk, session_id, waiting)

    def _read(
        self, talk: _Talk, data: Mapping[str, Any], session_id: str, before: Input | None
    ) -> Outcome:
        """Turn an answer into replies, continuing the flow while it asks for that."""
        for _ in range(MAX_CONTINUATIONS):
            bubbles, actions = (
                _mappings(data.get("messages")),
                _mappings(data.get("clientSideActions")),
            )
            self._act(talk, [action for action in actions if not action.get("lastBubbleBlockId")])
            for bubble in bubbles[:MAX_BUBBLES]:
                self._bubble(talk, bubble)
                after = [a for a in actions if a.get("lastBubbleBlockId") == bubble.get("id")]
                self._act(talk, after if bubble.get("id") else [])
            is_continued = any(action.get("expectsDedicatedReply") for action in actions)
            if not is_continued or not session_id or talk.hand_over:
                break
            data = self._continue(talk, session_id, None)
        if talk.hand_over is not None:
            return _over(talk, talk.hand_over)
        waiting = read_input(data.get("input"))
        if waiting is None:
            return _over(talk, HandOver(reason="finished"))
        if not session_id:
            raise _not_readable(talk)
        if not talk.replies and before is not None and before.id == waiting.id:
            return self._not_understood(talk, session_id, before)
        return self._ask(talk, session_id, waiting)

    def _ask(self, talk: _Talk, session_id: str, waiting: Input) -> Outcome:
        last = talk.replies[-1] if talk.replies else None
        if last is not None and last.file is None and 0 < len(last.text) <= MAX_QUESTION:
            waiting = waiting.asked_with(last.text)
            if waiting.items or waiting.hint:
                talk.replies.pop()
                talk.wait_ms = last.delay_ms - self._delay_ms
        self._show_pictures(talk, waiting)
        asked = ask(waiting, native_menus=talk.turn.native_menus)
        if waiting.items or waiting.hint:
            self._put(talk, asked)
        return _waiting(talk, session_id, waiting)

    def _show_pictures(self, talk: _Talk, waiting: Input) -> None:
        for number, item in list(enumerate(waiting.items, 1))[:MAX_PICTURES]:
            if item.picture:
                self._send_file(talk, item.picture, f"*{number}* - {item.title}".rstrip(" -"))

    def _bubble(self, talk: _Talk, bubble: Mapping[str, Any]) -> None:
        content = bubble.get("content")
        content = content if isinstance(content, Mapping) else {}
        kind, url = bubble.get("type"), content.get("url")
        url = url.strip() if isinstance(url, str) else ""
        if kind == "text":
            self._text(talk, content)
        elif kind == "video" and content.get("type") in VIDEO_PAGES:
            page = VIDEO_PAGES[content["type"]] + str(content.get("id") or "")
            self._say(talk, url if url.startswith("http") else page)
        elif kind == "image":
            link = content.get("clickLink")
            link = link.get("url") if isinstance(link, Mapping) else ""
            self._send_file(talk, url, link if isinstance(link, str) else "")
        elif kind in ("audio", "video"):
            self._send_file(talk, url, is_voice=kind == "audio")
        elif kind in ("embed", "custom-embed"):
            self._say(talk, url)

    def _text(self, talk: _Talk, content: Mapping[str, Any]) -> None:
        is_markdown = content.get("type") == "markdown"
        markdown = str(content.get("markdown") or "")[:MAX_MARKDOWN]
        words = markdown.strip() if is_markdown else as_plain(content.get("richText"))
        if not words.startswith(COMMAND) or _is_contacts(talk.turn, words):
            shown = from_markdown(markdown) if is_markdown else as_whatsapp(content.get("richText"))
            self._say(talk, shown)
            return
        try:
            command = read_command(words)
        except MalformedCommand:
            talk.calls.append(
                Call(
                    event="typebot.command",
                    url=shown_url(self._url),
                    request_body={"command": words[:500]},
                    error="O comando do fluxo não foi entendido e não foi enviado ao contato.",
                )
            )
        else:
            talk.hand_over = talk.hand_over or command

    def _act(self, talk: _Talk, actions: list[Mapping[str, Any]]) -> None:
        """Execute the browser's actions: wait, or send the link of a redirect; scripts are
        ignored.
        """
        for action in actions:
            wait, redirect = action.get("wait"), action.get("redirect")
            if isinstance(wait, Mapping):
                seconds = wait.get("secondsToWaitFor")
                seconds = seconds if isinstance(seconds, int | float) else 0
                talk.wait_ms += round(1000 * max(0, min(seconds, MAX_WAIT_SECONDS)))
            elif isinstance(redirect, Mapping) and isinstance(redirect.get("url"), str):
                self._say(talk, redirect["url"])

    def _put(self, talk: _Talk, asked: Reply | None) -> None:
        if asked is not None and asked.options:
            self._add(talk, asked)
        elif asked is not None:
            self._say(talk, asked.text)

    def _say(self, talk: _Talk, text: str) -> None:
        for part in split_text(text):
            self._add(talk, Reply(text=part))

    def _send_file(
        self, talk: _Talk, url: str, caption: str = "", *, is_voice: bool = False
    ) -> None:
        """Send a file, or its link if it can't be fetched."""
        if not url.startswith(("http://", "https://")):
            return
        file: File | None = None
        left = talk.left(min(FILES_SECONDS, self._turn_seconds))
        room = min(MAX_FILE, MAX_FILES - talk.fetched_bytes)
        if left > 0 and room > 0:
            try:
                file = fetch_file(url, max_bytes=room, timeout=min(left, self._timeout))
                talk.fetched_bytes += len(file.content)
            except ClientError as error:
                talk.calls += error.calls
        if file is None:
            self._say(talk, "\n".join(filter(None, (caption, url))))
        else:
            self._add(talk, Reply(text=caption, file=file, is_voice=is_voice))

    def _add(self, talk: _Talk, reply: Reply) -> None:
        talk.replies.append(replace(reply, delay_ms=self._delay_ms + talk.wait_ms))
        talk.wait_ms = 0

    def _post(self, talk: _Talk, path: str, event: str, body: Any) -> Mapping[str, Any]:
        left = talk.left(self._turn_seconds)
        if left <= 0:
            raise ClientError(
                "O fluxo do Typebot demorou demais.",
                reason=Reason(ReasonCode.SERVER_TIMEOUT, NAME),
                calls=tuple(talk.calls),
            )
        try:
            response, call = exchange(
                "POST",
                f"{self._url}/api/v1/{path}",
                event=f"typebot.{event}",
                json=body,
                timeout=min(self._timeout, left),
            )
            data = read_json(response, call)
        except ClientError as error:
            error.calls = (*talk.calls, *error.calls)
            raise
        talk.calls.append(call)
        if not isinstance(data, Mapping) or not isinstance(data.get("messages", []), list):
            raise _not_readable(talk)
        return data

    def _not_started(self, error: ClientError) -> ClientError:
        flow = f"o fluxo “{self._slug}”"
        refused = f"O Typebot recusou {flow}. Confira se ele é público."
        meanings = {
            400: (
                f"O Typebot não começou {flow}. Confira se ele está publicado e aberto.",
                ReasonCode.FLOW_NOT_STARTED,
            ),
            401: (refused, ReasonCode.FLOW_REFUSED),
            403: (refused, ReasonCode.FLOW_REFUSED),
            404: (
                f"O Typebot não encontrou {flow} publicado. Confira o slug e o endereço.",
                ReasonCode.FLOW_UNKNOWN,
            ),
        }
        meaning = meanings.get(_status(error) or 0)
        if meaning is None:
            return error
        sentence, code = meaning
        reason = Reason(code, self._slug)
        return ClientError(sentence, reason=reason, permanent=True, calls=error.calls)


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _status(error: ClientError) -> int | None:
    return error.calls[-1].status_code if error.calls else None


def _not_readable(talk: _Talk) -> ClientError:
    return ClientError(
        "O Typebot deu uma resposta que não pôde ser entendida.",
        reason=Reason(ReasonCode.SERVER_UNREADABLE, NAME),
        calls=tuple(talk.calls),
    )


def _over(talk: _Talk, hand_over: HandOver) -> Outcome:
    return Outcome(replies=tuple(talk.replies), hand_over=hand_over, calls=tuple(talk.calls))


def _waiting(talk: _Talk, session_id: str, waiting: Input | None) -> Outcome:
    session = {"id": session_id, "input": waiting.as_json() if waiting else None}
    return Outcome(replies=tuple(talk.replies), session=session, calls=tuple(talk.calls))


def _variables(turn: Turn) -> dict[str, Any]:
    """Return the flow's variables of the contact; extra fields never replace the standard ones."""
    ticket = turn.webhook_payload.get("ticket")
    ticket = ticket if isinstance(ticket, Mapping) else {}
    return {
        **turn.contact.extra,
        "name": turn.contact.name,
        "pushName": turn.contact.name,
        "number": turn.contact.number,
        "email": turn.contact.email,
        **({"ticketId": ticket["id"]} if "id" in ticket else {}),
    }


def _is_contacts(turn: Turn, words: str) -> bool:
    """Tell whether a bubble repeats the contact's text, which must not be a command."""
    known = (turn.text, turn.contact.name, turn.contact.email, *turn.contact.extra.values())
    return any(words in text for text in known)


def _media_url(turn: Turn) -> str:
    message = turn.webhook_payload.get("message")
    url = message.get("mediaUrl") if isinstance(message, Mapping) else None
    return url if isinstance(url, str) else ""


def _message(turn: Turn, waiting: Input | None) -> Any:
    """Return the contact's message for the API, as plain text if possible.

    Older servers accept only text.
    """
    text, url = text_of(turn), _media_url(turn)
    if url and waiting is not None:
        if waiting.type == FILE:
            return url
        if waiting.takes_audio and turn.media_type == "audio":
            return {"type": "audio", "url": url}
        if waiting.takes_files:
            return {"type": "text", "text": text, "attachedFileUrls": [url]}
    return reword(waiting, text or url)


def _choice(waiting: Input, chosen: list[Item]) -> Any:
    """Return the chosen items as an answer: their text, with the id if several have that text."""
    answer = ", ".join(item.answer for item in chosen)
    if len(chosen) != 1:
        return answer
    if sum(item.answer == answer for item in waiting.items) > 1:
        return {"type": "text", "text": answer, "metadata": {"replyId": chosen[0].id}}
    return answer
