"""The client of a prompt: it sends the conversation to a model (rules/automation §7)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.automation.clients.base import ClientError, HandOver, Line, Outcome, Reply, Turn
from apps.automation.clients.openai_texts import (
    HAND_OVER_TOOL,
    LONGEST_LINE,
    described,
    for_whatsapp,
    in_messages,
    system_text,
    to_last_sentence,
    window,
    without_hand_over,
)
from apps.automation.clients.openai_wire import (
    ANSWER_SECONDS,
    TRANSCRIPTION_SECONDS,
    CannotHear,
    ModelServer,
)
from apps.automation.clients.speech import SPEECH_SECONDS, CannotSay, Voice, say
from apps.common.reasons import ReasonCode

logger = logging.getLogger(__name__)

# The maximum time of a turn, for its lease: a transcription, an answer and a voice note.
LONGEST_TURN_SECONDS = TRANSCRIPTION_SECONDS + ANSWER_SECONDS + SPEECH_SECONDS
CANNOT_HEAR = "Não consegui ouvir o seu áudio. Pode escrever a mensagem, por favor?"
# The model's only tool. Neither the model nor the contact chooses the queue.
TOOLS: tuple[dict[str, Any], ...] = (
    {
        "type": "function",
        "function": {
            "name": HAND_OVER_TOOL,
            "description": "Passa a conversa para uma pessoa do atendimento.",
            "parameters": {"type": "object", "properties": {}},
        },
    },
)


@dataclass(frozen=True)
class Assistant:
    """The settings of a prompt, with the operator's defaults filled in."""

    instructions: str
    api_key: str
    base_url: str
    model: str
    transcription_model: str
    max_messages: int
    max_tokens: int
    temperature: float
    queue_id: int | None
    voice: Voice | None = None


class PromptClient:
    """Answers the turns of one prompt."""

    def __init__(self, assistant: Assistant, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._assistant = assistant
        self._server = ModelServer(
            base_url=assistant.base_url,
            api_key=assistant.api_key,
            answer_seconds=answer_seconds,
        )

    def take_turn(self, turn: Turn) -> Outcome:
        """Answer a message, or hand over to the prompt's queue; raises ClientError."""
        try:
            text = self._heard(turn)
        except CannotHear:
            return Outcome(replies=(Reply(text=CANNOT_HEAR),))
        if not text:
            # A reaction or an empty message needs no answer.
            return Outcome()
        return self._answered(turn.earlier, text, contact_name=turn.contact.name)

    def _heard(self, turn: Turn) -> str:
        if turn.media_type != "audio":
            return described(turn.text, turn.media_type)
        if turn.file is None:
            raise CannotHear
        said = self._server.transcribe(turn.file, model=self._assistant.transcription_model)
        return said[:LONGEST_LINE]

    def _answered(self, earlier: Sequence[Line], text: str, *, contact_name: str) -> Outcome:
        assistant = self._assistant
        shown = window(earlier, size=assistant.max_messages)
        messages = [
            {
                "role": "system",
                "content": system_text(
                    instructions=assistant.instructions,
                    contact_name=contact_name,
                    max_tokens=assistant.max_tokens,
                ),
            },
            *(
                {"role": "user" if line.from_contact else "assistant", "content": line.text}
                for line in shown
            ),
            {"role": "user", "content": text},
        ]
        answer = self._server.answer(
            model=assistant.model,
            messages=messages,
            max_tokens=assistant.max_tokens,
            temperature=assistant.temperature,
            tools=TOOLS,
        )
        said, asked = without_hand_over(for_whatsapp(answer.text))
        if assistant.api_key and len(assistant.api_key) > 8:
            # The model never gets the key, but an admin may have pasted it into the instructions.
            said = said.replace(assistant.api_key, "")
        hands_over = asked or HAND_OVER_TOOL in answer.tools
        if answer.is_cut and said and not hands_over:
            said = to_last_sentence(said)
        if not said and not hands_over:
            raise ClientError("O modelo não respondeu nada.", reason=ReasonCode.MODEL_SILENT)
        return Outcome(
            replies=tuple(self._reply(piece) for piece in in_messages(said)),
            hand_over=HandOver(queue_id=assistant.queue_id) if hands_over else None,
            usage=(answer.usage,),
        )

    def _reply(self, text: str) -> Reply:
        voice = self._assistant.voice
        if voice is None:
            return Reply(text=text)
        try:
            return Reply(file=say(text, voice), is_voice=True)
        except CannotSay:
            return Reply(text=text)
        except ClientError as error:
            logger.warning("No voice note, the answer goes as text: %s", error.message)
            return Reply(text=text)
