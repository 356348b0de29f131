"""The flows of the simulator's accounts."""

import json
import secrets
from typing import Any

from apps.simulator.graph import errors
from apps.simulator.graph.errors import GraphError
from apps.simulator.graph.flows import faults_of
from apps.simulator.models import SimFlow

DRAFT, PUBLISHED, DEPRECATED = "DRAFT", "PUBLISHED", "DEPRECATED"


def flow_for(flow_id: str) -> SimFlow:
    """Return a flow; raises GraphError for an unknown one."""
    found = SimFlow.objects.filter(flow_id=flow_id).first()
    if found is None:
        raise errors.unknown_object(flow_id)
    return found


def flow_row(flow: SimFlow) -> dict[str, Any]:
    return {
        "id": flow.flow_id,
        "name": flow.name,
        "status": flow.status,
        "categories": flow.categories,
        "validation_errors": [],
    }


def create_flow(waba_id: str, fields: dict[str, Any]) -> SimFlow:
    """Create a draft; names are unique in an account."""
    name, categories = fields.get("name"), fields.get("categories")
    if not isinstance(name, str) or not name:
        raise errors.missing("name")
    if not isinstance(categories, list) or not categories:
        raise errors.missing("categories")
    if SimFlow.objects.filter(waba_id=waba_id, name=name).exists():
        raise GraphError(100, "Invalid parameter", details="Flow name is not unique")
    flow_id = str(7 * 10**14 + secrets.randbelow(10**14))
    return SimFlow.objects.create(
        waba_id=waba_id, flow_id=flow_id, name=name, categories=categories
    )


def fill_flow(flow: SimFlow, raw: bytes) -> list[dict[str, Any]]:
    """Store a draft's Flow JSON; returns its validation errors."""
    if flow.status != DRAFT:
        raise GraphError(139001, "Flow can't be updated", details="Only drafts can be updated.")
    try:
        content = json.loads(raw)
    except ValueError as error:
        raise errors.invalid("flow.json is not valid JSON.") from error
    faults = faults_of(content)
    flow.content = None if faults else content
    flow.save(update_fields=["content"])
    return faults


def publish_flow(flow: SimFlow) -> None:
    if flow.status != DRAFT or flow.content is None:
        raise GraphError(139002, "Publishing failed", details="Flow has validation errors.")
    _move(flow, PUBLISHED)


def deprecate_flow(flow: SimFlow) -> None:
    if flow.status != PUBLISHED:
        raise GraphError(139003, "Can't deprecate", details="Only published flows.")
    _move(flow, DEPRECATED)


def delete_flow(flow: SimFlow) -> None:
    if flow.status != DRAFT:
        raise GraphError(139004, "Can't delete", details="Only drafts can be deleted.")
    flow.delete()


def _move(flow: SimFlow, status: str) -> None:
    flow.status = status
    flow.save(update_fields=["status"])


def check_sent(waba_id: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return a flow message with the screen that it opens, which the phone page shows.

    Raises GraphError for a flow that the account has not published, and for an unknown screen.
    """
    parameters = content["action"]["parameters"]
    flow = SimFlow.objects.filter(waba_id=waba_id, flow_id=str(parameters["flow_id"])).first()
    if flow is None or flow.status != PUBLISHED:
        raise errors.bad_value("Flow is not published, or not of this account.")
    wanted = (parameters.get("flow_action_payload") or {}).get("screen")
    screens = {each["id"]: each for each in (flow.content or {}).get("screens", [])}
    if wanted not in screens:
        raise errors.bad_value(f"Screen {wanted} is not in the flow.")
    return {**content, "shown": screens[wanted]}
