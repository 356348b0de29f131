"""The calls of integrations (rules/automation §3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.automation.models import QueueIntegration
from apps.automation.queries.calls import OUTCOMES, CallFilters, calls_of
from apps.automation.queries.integrations import (
    IntegrationFilters,
    integrations_of,
    last_calls,
)
from apps.automation.serializers.calls import (
    IntegrationCallPageSerializer,
    IntegrationCallSerializer,
)
from apps.automation.serializers.integrations import (
    IntegrationInputSerializer,
    IntegrationPageSerializer,
    IntegrationSerializer,
    SigningSecretSerializer,
)
from apps.automation.serializers.testsession import (
    TestSessionInputSerializer,
    TestSessionSerializer,
)
from apps.automation.services import integrations as services
from apps.automation.services.calls import get_call, repeat_call
from apps.automation.services.integrations import Saved
from apps.automation.services.testsession import run_integration_test
from apps.automation.throttles import RepeatCallThrottle, TestSessionThrottle
from apps.common.callers import caller_of, client_address
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.records import ID, PAGE, RecordViewSet, record_schema
from apps.common.serializers import body_values, row_of, rows_of

CALL_ID = OpenApiParameter("call_id", OpenApiTypes.INT, OpenApiParameter.PATH)


@record_schema(
    "Integration",
    list="Return a page of integrations by name.",
    create="Create an integration; only this response contains its signing secret.",
    update=(
        "Change an integration. Fields that are left out, and secrets sent as their mask,"
        " keep their values."
    ),
    destroy="Delete an integration; its conversations are handed over to people.",
)
class IntegrationViewSet(RecordViewSet):
    input_serializer = IntegrationInputSerializer
    row_serializer = IntegrationSerializer
    page_serializer = IntegrationPageSerializer
    filters = IntegrationFilters
    list_name = "queueIntegrations"
    deleted = "Integração excluída."

    def _records(self, caller: User) -> QuerySet[QueueIntegration]:
        return integrations_of(caller.company_id)

    def _rows(self, records: Sequence[QueueIntegration]) -> list[dict[str, Any]]:
        return rows_of(IntegrationSerializer, records, last_calls=last_calls(records))

    def _row(self, record: Saved) -> dict[str, Any]:
        integration, new_secret = record
        last = last_calls([integration])
        return row_of(IntegrationSerializer, integration, last_calls=last, new_secret=new_secret)

    def _find(self, caller: User, record_id: int) -> Saved:
        found = services.get_integration(company_id=caller.company_id, integration_id=record_id)
        return Saved(found, new_secret="")

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Saved:
        return services.create_integration(actor=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> Saved:
        return services.update_integration(actor=caller, integration_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        services.delete_integration(actor=caller, integration_id=record_id, ip_address=ip_address)

    @extend_schema(
        operation_id="rotateSigningSecret",
        parameters=[ID],
        request=None,
        responses=SigningSecretSerializer,
    )
    @action(detail=True, methods=["post"], url_path="secret", url_name="secret")
    def rotate_secret(self, request: Request, id: str) -> Response:
        """Create a new signing secret, shown only in this response; the old one becomes invalid."""
        secret = services.rotate_secret(
            actor=caller_of(request), integration_id=int(id), ip_address=client_address(request)
        )
        return Response({"signingSecret": secret})

    @extend_schema(
        operation_id="testIntegration",
        request=TestSessionInputSerializer(partial=True),
        responses=TestSessionSerializer,
    )
    @action(detail=False, methods=["post"], url_path="testSession", url_name="test")
    def test_session(self, request: Request) -> Response:
        """Test an integration once and return what it answers; nothing is saved."""
        fields = body_values(TestSessionInputSerializer, request.data, partial=True)
        # Only valid requests count against the limit, because only these reach the other side.
        throttle = TestSessionThrottle()
        if not throttle.allow_request(request, self):
            self.throttled(request, throttle.wait() or 0)
        text = fields.pop("text", "") or ""
        result = run_integration_test(actor=caller_of(request), fields=fields, text=text)
        named = result.reason.on_wire() if result.reason.code else {}
        return Response({"messages": result.messages, **named})

    @extend_schema(
        operation_id="listDeliveries",
        parameters=[
            ID,
            PAGE,
            OpenApiParameter(
                "status",
                OpenApiTypes.STR,
                enum=sorted(OUTCOMES),
                description="Outcome of the calls to return; all outcomes if it is left out.",
            ),
        ],
        responses=IntegrationCallPageSerializer,
    )
    @action(detail=True, url_path="deliveries", url_name="deliveries")
    def calls(self, request: Request, id: str) -> Response:
        """Return a page of the integration's log, newest first."""
        integration, _ = self._find(caller_of(request), int(id))
        found = narrowed(calls_of(integration), CallFilters, request)
        page = paginate(found, page_number(request))
        return Response(page.body("deliveries", rows_of(IntegrationCallSerializer, page.rows)))

    @extend_schema(
        operation_id="getDelivery", parameters=[ID, CALL_ID], responses=IntegrationCallSerializer
    )
    @action(detail=True, url_path=r"deliveries/(?P<call_id>\d+)", url_name="delivery")
    def call(self, request: Request, id: str, call_id: str) -> Response:
        """Return one call of the integration's log."""
        call = get_call(
            company_id=caller_of(request).company_id,
            integration_id=int(id),
            call_id=int(call_id),
        )
        return Response(row_of(IntegrationCallSerializer, call))

    @extend_schema(
        operation_id="redeliver",
        parameters=[ID, CALL_ID],
        request=None,
        responses={201: IntegrationCallSerializer},
    )
    @action(
        detail=True,
        methods=["post"],
        url_path=r"deliveries/(?P<call_id>\d+)/redeliver",
        url_name="redeliver",
        throttle_classes=[RepeatCallThrottle],
    )
    def repeat_call(self, request: Request, id: str, call_id: str) -> Response:
        """Post the event of a call again, to the integration's present address.

        Returns the new call, also one that failed: see `error` and `statusCode`.
        """
        call = repeat_call(
            company_id=caller_of(request).company_id,
            integration_id=int(id),
            call_id=int(call_id),
        )
        return Response(row_of(IntegrationCallSerializer, call), status=201)
