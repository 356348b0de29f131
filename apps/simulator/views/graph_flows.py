"""The fake Graph API's calls on flows."""

import json
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from apps.simulator.graph import errors
from apps.simulator.models import FaultKind, SimFlow, SimNumber
from apps.simulator.services import flows as services
from apps.simulator.services.faults import take_fault
from apps.simulator.views.graph import Reset, graph_call, strike
from apps.simulator.views.graph_templates import page_of


@graph_call("GET", "POST")
def flows(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET and POST /{waba-id}/flows: the flows of an account; create a draft."""
    number = SimNumber.objects.filter(waba_id=identifier).first()
    strike(number)
    if request.method == "POST":
        flow = services.create_flow(identifier, _fields(request))
        if take_fault(FaultKind.ANSWER_LOST, number):
            raise Reset
        return JsonResponse({"id": flow.flow_id, "success": True, "validation_errors": []})
    rows = [services.flow_row(each) for each in SimFlow.objects.filter(waba_id=identifier)]
    return JsonResponse(page_of(request, rows))


def _fields(request: HttpRequest) -> dict[str, Any]:
    """Return the fields of a call, as JSON or as a form; clients use both."""
    if request.content_type == "application/json":
        body = json.loads(request.body or b"{}")
        return body if isinstance(body, dict) else {}
    fields: dict[str, Any] = request.POST.dict()
    try:
        fields["categories"] = json.loads(fields.get("categories") or "null")
    except ValueError:
        fields["categories"] = [fields["categories"]]
    return fields


@graph_call("POST")
def assets(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{flow-id}/assets: the Flow JSON of a draft, as a file."""
    strike(None)
    flow = services.flow_for(identifier)
    if request.POST.get("asset_type") != "FLOW_JSON":
        raise errors.invalid("Param asset_type must be one of {FLOW_JSON}.")
    file = request.FILES.get("file")
    if file is None:
        raise errors.missing("file")
    faults = services.fill_flow(flow, file.read())
    return JsonResponse({"success": True, "validation_errors": faults})


@graph_call("POST")
def publish(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{flow-id}/publish."""
    strike(None)
    services.publish_flow(services.flow_for(identifier))
    return JsonResponse({"success": True})


@graph_call("POST")
def deprecate(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{flow-id}/deprecate."""
    strike(None)
    services.deprecate_flow(services.flow_for(identifier))
    return JsonResponse({"success": True})
