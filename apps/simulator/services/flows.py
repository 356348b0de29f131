"""The flows of the simulator's accounts."""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from apps.simulator.graph import errors
from apps.simulator.graph.errors import GraphError
from apps.simulator.graph.flows import faults_of
from apps.simulator.models import FaultKind, SimFlow, SimNumber
from apps.simulator.services.faults import is_set
from apps.simulator.services.posting import enqueue

DRAFT, PUBLISHED, DEPRECATED = "DRAFT", "PUBLISHED", "DEPRECATED"
# The faults that stop all published flows of an account.
STOPPED = {FaultKind.FORM_BLOCKED: "BLOCKED", FaultKind.FORM_THROTTLED: "THROTTLED"}


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
        "status": _status(flow),
        "categories": flow.categories,
        "validation_errors": [],
    }


def _status(flow: SimFlow) -> str:
    """Return the status that Meta shows."""
    stops = [word for kind, word in STOPPED.items() if is_set(kind, flow.waba_id)]
    return stops[0] if stops and flow.status == PUBLISHED else flow.status


@contextmanager
def told_statuses() -> Iterator[None]:
    """Report the flows whose status changes inside, because faults are set or cleared."""
    with transaction.atomic():
        flows = list(SimFlow.objects.filter(status=PUBLISHED))
        before = {flow.pk: _status(flow) for flow in flows}
        yield
        for flow in flows:
            _tell(flow, before[flow.pk], _status(flow))


def _tell(flow: SimFlow, before: str, status: str) -> None:
    number = SimNumber.objects.filter(waba_id=flow.waba_id).first()
    if number is None or before == status:
        return
    words = f"changed status from {before} to {status}" if before else f"created as {status}"
    value = {
        "event": "FLOW_STATUS_CHANGE",
        "message": f"Flow {flow.name} {words}",
        "flow_id": flow.flow_id,
        **({"old_status": before} if before else {}),
        "new_status": status,
    }
    enqueue(number, value, "flows")


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
    with transaction.atomic():
        flow = SimFlow.objects.create(
            waba_id=waba_id, flow_id=flow_id, name=name, categories=categories
        )
        _tell(flow, "", DRAFT)
    return flow


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


@transaction.atomic
def _move(flow: SimFlow, status: str) -> None:
    before, flow.status = flow.status, status
    flow.save(update_fields=["status"])
    _tell(flow, before, status)


def check_sent(waba_id: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return a flow message with the screen that it opens, which the phone page shows.

    Raises GraphError for a flow that the account has not published or that is stopped, and for an
    unknown screen.
    """
    parameters = content["action"]["parameters"]
    flow = SimFlow.objects.filter(waba_id=waba_id, flow_id=str(parameters["flow_id"])).first()
    if flow is None or flow.status != PUBLISHED:
        raise errors.bad_value("Flow is not published, or not of this account.")
    if (status := _status(flow)) != PUBLISHED:
        raise errors.flow_stopped(is_blocked=status == STOPPED[FaultKind.FORM_BLOCKED])
    wanted = (parameters.get("flow_action_payload") or {}).get("screen")
    screens = {each["id"]: each for each in (flow.content or {}).get("screens", [])}
    if wanted not in screens:
        raise errors.bad_value(f"Screen {wanted} is not in the flow.")
    return {**content, "shown": screens[wanted]}
