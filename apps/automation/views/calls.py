"""The calls of an integration's log."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.automation.queries.calls import OUTCOMES, CallFilters, calls_of
from apps.automation.serializers.calls import (
    IntegrationCallPageSerializer,
    IntegrationCallSerializer,
    call_row,
)
from apps.automation.services.calls import get_call, repeat_call
from apps.automation.services.integrations import get_integration
from apps.automation.throttles import RepeatCallThrottle
from apps.common.callers import caller_of
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.records import ID, PAGE

CALL_ID = OpenApiParameter("call_id", OpenApiTypes.INT, OpenApiParameter.PATH)


class CallsView(APIView):
    """What was exchanged with an integration."""

    @extend_schema(
        operation_id="listDeliveries",
        parameters=[
            ID,
            PAGE,
            OpenApiParameter(
                "status", OpenApiTypes.STR, enum=sorted(OUTCOMES), description="All without it."
            ),
        ],
        responses=IntegrationCallPageSerializer,
    )
    def get(self, request: Request, id: str) -> Response:
        """Return a page, newest first."""
        integration = get_integration(
            company_id=caller_of(request).company_id, integration_id=int(id)
        )
        found = narrowed(calls_of(integration), CallFilters, request)
        page = paginate(found, page_number(request))
        return Response(page.body("deliveries", [call_row(row) for row in page.rows]))


class CallView(APIView):
    """One call of an integration."""

    @extend_schema(
        operation_id="getDelivery", parameters=[ID, CALL_ID], responses=IntegrationCallSerializer
    )
    def get(self, request: Request, id: str, call_id: str) -> Response:
        """Return it."""
        call = get_call(
            company_id=caller_of(request).company_id,
            integration_id=int(id),
            call_id=int(call_id),
        )
        return Response(call_row(call))


class RepeatCallView(APIView):
    """Sending an event once more."""

    throttle_classes = (RepeatCallThrottle,)

    @extend_schema(
        operation_id="redeliver",
        parameters=[ID, CALL_ID],
        request=None,
        responses={201: IntegrationCallSerializer},
    )
    def post(self, request: Request, id: str, call_id: str) -> Response:
        """Post the same event to the integration's present address; returns the new call.

        It is the answer however the call went: see `error` and `statusCode`.
        """
        call = repeat_call(
            company_id=caller_of(request).company_id,
            integration_id=int(id),
            call_id=int(call_id),
        )
        return Response(call_row(call), status=201)
