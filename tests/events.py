"""Live events in tests: what is told, each payload checked against its declaration."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson
from drf_spectacular.plumbing import ComponentRegistry
from jsonschema import Draft202012Validator

from apps.common.renderers import to_json
from apps.realtime.emit import LiveEvent
from apps.realtime.schema import payload_schema
from tests.shapes import strict


@dataclass(frozen=True)
class Told:
    """One event, as it left for the browsers; `event` is its name without the prefix."""

    event: str
    payload: dict[str, Any]
    company_id: int
    rooms: list[str]


Listeners = list[Callable[[Told], None]]


def faults_of(event: LiveEvent, payload: dict[str, Any]) -> list[str]:
    """Return where a payload is not as the event declares it: keys too many, missing, of a type."""
    validator = _validators(event).get(payload["action"])
    if validator is None:
        return [f"{event.name} has no action {payload['action']}"]
    return [
        f"{fault.json_path.replace('$', event.name)}: {fault.message}"
        for fault in validator.iter_errors(orjson.loads(to_json(payload)))
    ]


@cache
def _validators(event: LiveEvent) -> dict[str, Draft202012Validator]:
    registry = ComponentRegistry()
    actions = payload_schema(event, registry)["oneOf"]
    components = strict(registry.build({}))
    return {
        name: Draft202012Validator({**strict(action), "components": components})
        for action in actions
        for name in action["properties"]["action"]["enum"]
    }
