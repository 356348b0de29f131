"""The calls of outgoing webhooks (rules/automation §11)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.automation.models import OutgoingWebhook
from apps.automation.queries.webhooks import (
    WebhookFilters,
    deliveries_of,
    standings,
    webhooks_of,
)
from apps.automation.serializers.webhooks import (
    OutgoingWebhookInputSerializer,
    OutgoingWebhookPageSerializer,
    OutgoingWebhookSerializer,
    WebhookDeliveryPageSerializer,
    WebhookDeliverySerializer,
    WebhookLogQuerySerializer,
    WebhookSecretSerializer,
    WebhookTestSerializer,
)
from apps.automation.services import webhooks as services
from apps.automation.services.webhook_deliveries import retry_delivery
from apps.automation.services.webhooks import SavedWebhook
from apps.automation.throttles import RepeatCallThrottle, TestSessionThrottle
from apps.common.callers import caller_of, client_address
from apps.common.records import ID, RecordViewSet, record_schema
from apps.common.serializers import query_values, row_of, rows_of

DELIVERY_ID = OpenApiParameter("delivery_id", OpenApiTypes.INT, OpenApiParameter.PATH)


@record_schema(
    "OutgoingWebhook",
    list="Return a page of webhooks by name.",
    create="Create a webhook; only this response contains its secret.",
    update=(
        "Change a webhook; fields that are left out keep their values. Switching it on again"
        " sends its pending events."
    ),
    destroy="Delete a webhook with its log; its pending events are not sent.",
)
class WebhookViewSet(RecordViewSet):
    input_serializer = OutgoingWebhookInputSerializer
    row_serializer = OutgoingWebhookSerializer
    page_serializer = OutgoingWebhookPageSerializer
    filters = WebhookFilters
    list_name = "outgoingWebhooks"
    deleted = "Webhook excluído."

    def _records(self, caller: User) -> QuerySet[OutgoingWebhook]:
        return webhooks_of(caller.company_id)

    def _rows(self, records: Sequence[OutgoingWebhook]) -> list[dict[str, Any]]:
        return rows_of(OutgoingWebhookSerializer, records, standings=standings(records))

    def _row(self, record: SavedWebhook) -> dict[str, Any]:
        webhook, new_secret = record
        found = standings([webhook])
        return row_of(OutgoingWebhookSerializer, webhook, standings=found, new_secret=new_secret)

    def _find(self, caller: User, record_id: int) -> SavedWebhook:
        return SavedWebhook(
            services.get_webhook(company_id=caller.company_id, webhook_id=record_id)
        )

    def _add(self, caller: User, fields: Mapping[str, Any]) -> SavedWebhook:
        return services.create_webhook(actor=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> SavedWebhook:
        return services.update_webhook(actor=caller, webhook_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        services.delete_webhook(actor=caller, webhook_id=record_id, ip_address=ip_address)

    @extend_schema(
        operation_id="renewWebhookSecret",
        parameters=[ID],
        request=None,
        responses=WebhookSecretSerializer,
    )
    @action(detail=True, methods=["post"], url_path="secret", url_name="secret")
    def renew_secret(self, request: Request, id: str) -> Response:
        """Create a new secret, shown only in this response; the old one becomes invalid."""
        secret = services.renew_secret(
            actor=caller_of(request), webhook_id=int(id), ip_address=client_address(request)
        )
        return Response({"secret": secret})

    @extend_schema(
        operation_id="testWebhook", parameters=[ID], request=None, responses=WebhookTestSerializer
    )
    @action(
        detail=True,
        methods=["post"],
        url_path="test",
        url_name="test",
        throttle_classes=[TestSessionThrottle],
    )
    def test(self, request: Request, id: str) -> Response:
        """Post a signed `webhook.test` now and return the result, also if the post fails."""
        return Response(services.run_webhook_test(actor=caller_of(request), webhook_id=int(id)))

    @extend_schema(
        operation_id="listWebhookDeliveries",
        parameters=[ID, WebhookLogQuerySerializer],
        responses=WebhookDeliveryPageSerializer,
    )
    @action(detail=True, url_path="deliveries", url_name="deliveries")
    def deliveries(self, request: Request, id: str) -> Response:
        """Return a part of the webhook's log, newest first."""
        webhook, _ = self._find(caller_of(request), int(id))
        asked = query_values(WebhookLogQuerySerializer, request.query_params)
        rows, has_more = deliveries_of(webhook, **asked)
        shown = rows_of(WebhookDeliverySerializer, rows)
        return Response({"deliveries": shown, "hasMore": has_more})

    @extend_schema(
        operation_id="retryWebhookDelivery",
        parameters=[ID, DELIVERY_ID],
        request=None,
        responses=WebhookDeliverySerializer,
    )
    @action(
        detail=True,
        methods=["post"],
        url_path=r"deliveries/(?P<delivery_id>\d+)/retry",
        url_name="retry",
        throttle_classes=[RepeatCallThrottle],
    )
    def retry(self, request: Request, id: str, delivery_id: str) -> Response:
        """Send an event of the log again now.

        It has the same id and goes to the webhook's present address.
        """
        row = retry_delivery(
            actor=caller_of(request), webhook_id=int(id), delivery_id=int(delivery_id)
        )
        return Response(row_of(WebhookDeliverySerializer, row))
