"""How the OpenAPI schema shows the live events: the component `LiveEvents`, one property each."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.apps import apps
from django.utils.module_loading import module_has_submodule
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent, build_mocked_view
from drf_spectacular.utils import extend_schema, inline_serializer

from apps.realtime.emit import Fields, LiveEvent

COMPONENT = "LiveEvents"
DESCRIPTION = (
    "What Socket.IO clients and `/ws/events/` hear, by the event's name without its prefix: "
    "`ticket` arrives as `company-{companyId}-ticket`."
)


def declared_events() -> Iterator[LiveEvent]:
    """Yield the events that the apps declare in their `events.py`."""
    for app in apps.get_app_configs():
        if app.module and module_has_submodule(app.module, "events"):
            declared = vars(import_module(f"{app.name}.events")).values()
            yield from (each for each in declared if isinstance(each, LiveEvent))


def payload_schema(event: LiveEvent, registry: ComponentRegistry) -> dict[str, Any]:
    """Return the schema of an event's payloads; the components that it names join `registry`."""
    view = build_mocked_view("GET", "/", extend_schema(), registry)
    schema: dict[str, Any] = {
        "oneOf": [_action_schema(view.schema, *each) for each in event.actions.items()]
    }
    if event.is_common:
        schema["description"] = f"Arrives as `company-{event.name}`, whichever the company."
    if event.also:
        name = event.also.format(company_id="{companyId}")
        schema["description"] = f"Older browsers hear it as `{name}`."
    return schema


def _action_schema(auto_schema: Any, action: str, fields: Fields) -> dict[str, Any]:
    payload = inline_serializer("Payload", dict(fields))
    # Each payload is told in its place, not as a component of that name.
    component = auto_schema.resolve_serializer(payload, "response")
    schema = component.schema or {}
    if component.name:
        del auto_schema.registry[component]
    return {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": [action]},
            **schema.get("properties", {}),
        },
        "required": ["action", *schema.get("required", [])],
    }


def add_live_events(result: dict[str, Any], generator: Any, request: Any, public: bool) -> Any:
    """Document every live event (a drf-spectacular postprocessing hook, before that of enums)."""
    registry = generator.registry
    events = sorted(declared_events(), key=lambda event: event.name)
    schema = {
        "type": "object",
        "description": DESCRIPTION,
        "properties": {event.name: payload_schema(event, registry) for event in events},
        "required": [event.name for event in events],
    }
    component: Any = ResolvedComponent  # the library has no types for it
    registry.register_on_missing(component(COMPONENT, component.SCHEMA, schema, COMPONENT))
    result["components"] = registry.build({})
    return result
