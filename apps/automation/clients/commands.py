"""Commands of a flow: hand over to a queue or a user, or stop the bot (rules/automation §4)."""

import json
from collections.abc import Mapping
from typing import Any

from apps.automation.clients.base import HandOver

COMMAND = "#{"


class MalformedCommand(ValueError):
    """The text begins like a command but can't be read."""


def command_of(data: Mapping[str, Any]) -> HandOver:
    """Return the hand-over that `queueId`, `userId` or `stopBot` asks for.

    Raises MalformedCommand.
    """
    ids: dict[str, int | None] = {}
    for key in ("queueId", "userId"):
        value = data.get(key)
        if isinstance(value, str) and value.isdecimal() and len(value) < 19:
            value = int(value)
        # Numbers of a protobuf Struct are floats.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise MalformedCommand(key)
        ids[key] = value
    if not any(ids.values()) and data.get("stopBot") is not True:
        raise MalformedCommand("stopBot")
    return HandOver(queue_id=ids["queueId"], user_id=ids["userId"])


def read_command(text: str) -> HandOver:
    """Return the hand-over that a text `#{"queueId":…}`, `…,"userId":…}` or `#{"stopBot":true}`
    asks for.

    Raises MalformedCommand.
    """
    try:
        # Some editors replace quotes with typographic ones.
        data = json.loads(text[1:].replace("“", '"').replace("”", '"'))
    except (ValueError, RecursionError) as error:
        raise MalformedCommand(text) from error
    return command_of(data)
