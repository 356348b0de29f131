"""What Meta posts of a number that stays in its phone's app: its past in chunks."""

from typing import Any

NUMBER_ID = "100000000000009"
ACCOUNT = "200000000000009"
OWN = "5511900000000"


def said(number: str, at: int, text: str, *, from_me: bool = False, **also: Any) -> dict[str, Any]:
    """Return a message of a conversation's past; its id says which it is."""
    return {
        "from": OWN if from_me else number,
        **({"to": number} if from_me else {}),
        "id": f"wamid.{number}.{at}.{text}",
        "timestamp": str(at),
        "type": "text",
        "text": {"body": text},
        "history_context": {"status": "READ"},
        **also,
    }


def thread(number: str, *messages: dict[str, Any]) -> dict[str, Any]:
    return {"id": number, "messages": list(messages)}


def notification(field: str, **value: Any) -> dict[str, Any]:
    """Return one notification of the number with its value."""
    metadata = {"display_phone_number": OWN, "phone_number_id": NUMBER_ID}
    change = {
        "field": field,
        "value": {"messaging_product": "whatsapp", "metadata": metadata, **value},
    }
    return {"object": "whatsapp_business_account", "entry": [{"id": ACCOUNT, "changes": [change]}]}


def chunk(
    *threads: dict[str, Any], phase: int = 0, order: int = 1, progress: int = 100
) -> dict[str, Any]:
    """Return a notification with one chunk of the past."""
    metadata = {"phase": phase, "chunk_order": order, "progress": progress}
    return notification("history", history=[{"metadata": metadata, "threads": list(threads)}])
