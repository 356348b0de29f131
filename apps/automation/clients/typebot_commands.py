"""Commands that a flow gives in a text bubble (specification 4 §5.1)."""

import json

from apps.automation.clients.base import HandOver

COMMAND = "#{"


class MalformedCommand(ValueError):
    """A bubble begins as a command and is none."""


def read_command(text: str) -> HandOver:
    """Return what `#{"queueId":…}`, `…,"userId":…}` or `#{"stopBot":true}` commands.

    Raises MalformedCommand.
    """
    try:
        # Editors put typographic quotes.
        data = json.loads(text[1:].replace("“", '"').replace("”", '"'))
    except (ValueError, RecursionError) as error:
        raise MalformedCommand(text) from error
    ids = {}
    for key in ("queueId", "userId"):
        value = data.get(key)
        if isinstance(value, str) and value.isdecimal() and len(value) < 19:
            value = int(value)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise MalformedCommand(text)
        ids[key] = value
    if not any(ids.values()) and data.get("stopBot") is not True:
        raise MalformedCommand(text)
    return HandOver(queue_id=ids["queueId"], user_id=ids["userId"])
