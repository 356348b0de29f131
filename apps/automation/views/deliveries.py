"""The calls of an integration's log."""

from typing import TYPE_CHECKING, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.automation.queries.deliveries import deliveries_of
from apps.automation.serializers.deliveries import (
    DeliveryPageSerializer,
    DeliverySerializer,
    delivery_row,
)
from apps.automation.services.deliveries import get_delivery, redeliver
from apps.automation.services.integrations import get_integration
from apps.automation.throttles import RedeliveryThrottle
from apps.common.paging import page_number, paginate

if TYPE_CHECKING:
    from apps.accounts.models import User

ID = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH)
DELIVERY_ID = OpenApiParameter("delivery_id", OpenApiTypes.INT, OpenApiParameter.PATH)
SHOWN = {"ok": True, "failed": False}


def _caller(request: Request) -> "User":
    return cast("User", request.user)


class DeliveriesView(APIView):
    """What was exchanged with an integration."""

    @extend_schema(
        operation_id="listDeliveries",
        parameters=[
            ID,
            OpenApiParameter("pageNumber", OpenApiTypes.INT),
            OpenApiParameter(
                "status", OpenApiTypes.STR, enum=sorted(SHOWN), description="All without it."
            ),
        ],
        responses=DeliveryPageSerializer,
    )
    def get(self, request: Request, id: str) -> Response:
        """Return a page, newest first."""
        integration = get_integration(
            company_id=_caller(request).company_id, integration_id=int(id)
        )
        shown = SHOWN.get(request.query_params.get("status", ""))
        page = paginate(deliveries_of(integration, went_well=shown), page_number(request))
        return Response(page.body("deliveries", [delivery_row(row) for row in page.rows]))


class DeliveryView(APIView):
    """One call of an integration."""

    @extend_schema(
        operation_id="getDelivery", parameters=[ID, DELIVERY_ID], responses=DeliverySerializer
    )
    def get(self, request: Request, id: str, delivery_id: str) -> Response:
        """Return it."""
        delivery = get_delivery(
            company_id=_caller(request).company_id,
            integration_id=int(id),
            delivery_id=int(delivery_id),
        )
        return Response(delivery_row(delivery))


class RedeliverView(APIView):
    """Sending an event once more."""

    throttle_classes = (RedeliveryThrottle,)

    @extend_schema(
        operation_id="redeliver",
        parameters=[ID, DELIVERY_ID],
        request=None,
        responses={201: DeliverySerializer},
    )
    def post(self, request: Request, id: str, delivery_id: str) -> Response:
        """Post the same event to the integration's present address; returns the new call.

        It is the answer however the call went: see `error` and `statusCode`.
        """
        delivery = redeliver(
            company_id=_caller(request).company_id,
            integration_id=int(id),
            delivery_id=int(delivery_id),
        )
        return Response(delivery_row(delivery), status=201)
