"""A model's answers as OpenAI's wire has them."""

from typing import Any


def completion(text: str | None = None, **choice: Any) -> dict[str, Any]:
    """Return an answer that cost 120 + 30 tokens; `tools` are functions called."""
    tools = choice.pop("tools", ())
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if tools:
        message["tool_calls"] = [
            {"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}}
            for name in tools
        ]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "gpt-local",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150},
    }


def refusal(message: str, **fault: Any) -> dict[str, Any]:
    """Return the body of a refused call."""
    return {"error": {"message": message, "type": "invalid_request_error", **fault}}
