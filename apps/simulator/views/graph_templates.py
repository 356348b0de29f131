"""The fake Graph API's calls on templates, and its lists in pages."""

import base64
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from apps.simulator.graph import catalog, errors
from apps.simulator.graph.library import library_of
from apps.simulator.models import FaultKind, SimNumber
from apps.simulator.services import reviewing
from apps.simulator.services.faults import take_fault
from apps.simulator.views.graph import Reset, graph_call, json_of, strike

ROWS_PER_PAGE, LARGEST_PAGE = 25, 1000


@graph_call("GET", "POST", "DELETE")
def templates(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET, POST and DELETE /{waba-id}/message_templates.

    The list comes in pages, with filters; `fields` narrows the rows.
    """
    number = SimNumber.objects.filter(waba_id=identifier).first()
    strike(number)
    if request.method == "POST":
        created = reviewing.create_template(identifier, json_of(request))
        if take_fault(FaultKind.ANSWER_LOST, number):
            raise Reset
        return JsonResponse(created)
    if request.method == "DELETE":
        reviewing.delete_template(
            identifier,
            name=request.GET.get("name", ""),
            template_id=request.GET.get("hsm_id", ""),
        )
        return JsonResponse({"success": True})
    own = reviewing.templates_of(identifier)
    found = own
    for key in ("name", "status", "category", "language"):
        wanted = request.GET.get(key)
        if wanted:
            found = [template for template in found if template[key] == wanted]
    answer = page_of(request, found)
    if "summary" in request.GET:
        answer["summary"] = {
            "total_count": len(own),
            "message_template_count": len(own),
            "message_template_limit": 6000,
            "are_translations_complete": True,
        }
    return JsonResponse(answer)


@graph_call("GET")
def product_catalogs(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET /{waba-id}/product_catalogs: every account has the same one."""
    if not SimNumber.objects.filter(waba_id=identifier).exists():
        raise errors.unknown_object(identifier)
    return JsonResponse(page_of(request, [catalog.CATALOG]))


@graph_call("GET")
def products(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET /{catalog-id}/products, with Meta's filter."""
    if identifier != catalog.CATALOG["id"]:
        raise errors.unknown_object(identifier)
    try:
        found = catalog.matching(request.GET.get("filter", ""))
    except (ValueError, AttributeError, TypeError) as error:
        raise errors.invalid("Param filter must be a JSON object.") from error
    return JsonResponse(page_of(request, found))


@graph_call("GET")
def template_library(request: HttpRequest, identifier: str = "") -> HttpResponseBase:
    """GET /{waba-id}/message_template_library, or at the root: Meta's library, in pages."""
    strike(SimNumber.objects.filter(waba_id=identifier).first())
    return JsonResponse(page_of(request, library_of(request.GET.dict())))


def page_of(request: HttpRequest, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a page with Meta's cursors; the last page has cursors too, but no `next`."""
    try:
        limit = min(max(1, int(request.GET.get("limit", ROWS_PER_PAGE))), LARGEST_PAGE)
        after = request.GET.get("after", "")
        start = int(base64.b64decode(after, validate=True).removeprefix(b"after:")) if after else 0
    except ValueError as error:  # also raised for a cursor that can't be decoded
        raise errors.invalid("Invalid cursors values") from error
    shown = rows[start : start + limit]
    end = start + len(shown)
    cursor = {"before": _cursor(start), "after": _cursor(end)}
    paging: dict[str, Any] = {"cursors": cursor} if shown else {}
    if end < len(rows):
        query = request.GET.copy()
        query["after"] = cursor["after"]
        paging["next"] = f"{request.build_absolute_uri(request.path)}?{query.urlencode()}"
    fields = [name for name in request.GET.get("fields", "").split(",") if name]
    if fields:
        shown = [{key: row[key] for key in [*fields, "id"] if key in row} for row in shown]
    return {"data": shown, "paging": paging} if paging else {"data": shown}


def _cursor(place: int) -> str:
    return base64.b64encode(f"after:{place}".encode()).decode()
