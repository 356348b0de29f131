"""Live events in tests: what is told, each payload checked against its declaration."""

from collections.abc import Callable, Iterable
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


def unreadable(event: LiveEvent, action: str, paths: Iterable[str]) -> list[str]:
    """Return the paths (`tests.older_readings`) that a payload of an action need not have."""
    schema, components = _declared(event)
    shape = next(each for each in schema if action in each["properties"]["action"]["enum"])
    return [path for path in paths if not _is_there(shape, path, components)]


def _is_there(shape: dict[str, Any], path: str, components: dict[str, Any]) -> bool:
    for step in path.split("."):
        key = step.removesuffix("[]").removesuffix("?")
        if key not in shape.get("required", ()):
            return False
        shape, is_nullable = _resolved(shape["properties"][key], components)
        if is_nullable and not step.endswith("?"):
            return False
        if step.endswith("[]"):
            shape, _ = _resolved(shape.get("items", {}), components)
    return True


def _resolved(shape: dict[str, Any], components: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return a shape without references, and whether its value may be null."""
    is_nullable = False
    while True:
        is_nullable = is_nullable or shape.get("nullable", False)
        if "$ref" in shape:
            shape = components["schemas"][shape["$ref"].rpartition("/")[2]]
        elif len(shape.get("allOf", ())) == 1:
            [shape] = shape["allOf"]
        else:
            return shape, is_nullable


@cache
def _declared(event: LiveEvent) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the shapes of an event's actions, and the components that they name."""
    registry = ComponentRegistry()
    actions: list[dict[str, Any]] = payload_schema(event, registry)["oneOf"]
    return actions, registry.build({})


@cache
def _validators(event: LiveEvent) -> dict[str, Draft202012Validator]:
    actions, built = _declared(event)
    components = strict(built)
    return {
        name: Draft202012Validator({**strict(action), "components": components})
        for action in actions
        for name in action["properties"]["action"]["enum"]
    }
