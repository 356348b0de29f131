"""The calls of retention (rules/companies §9)."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address
from apps.common.serializers import body_values, query_values
from apps.companies.models import Retention, RetentionRun
from apps.companies.serializers.retention import (
    RetentionInputSerializer,
    RetentionPreviewQuerySerializer,
    RetentionPreviewSerializer,
    RetentionSerializer,
    RetentionValuesSerializer,
    moment,
    preview_row,
    run_row,
    values_row,
)
from apps.companies.services.retention import (
    SHOWN_RUNS,
    choose_retention,
    forget_retention,
    longest,
    next_run_at,
    preview,
    retention_of,
)


class RetentionViewSet(ViewSet):
    """For how long the caller's company keeps its data."""

    @extend_schema(operation_id="getRetention", responses=RetentionSerializer)
    def show(self, request: Request) -> Response:
        """Return what holds, the super user's defaults, the next run and the last ones."""
        return Response(_row(caller_of(request).company_id))

    @extend_schema(
        operation_id="chooseRetention",
        request=RetentionInputSerializer,
        responses=RetentionSerializer,
    )
    def choose(self, request: Request) -> Response:
        """Choose for how long; a stricter choice applies after a week."""
        caller = caller_of(request)
        values = body_values(RetentionInputSerializer, request.data)
        choose_retention(
            company_id=caller.company_id,
            values=values,
            actor=caller,
            ip_address=client_address(request),
        )
        return Response(_row(caller.company_id))

    @extend_schema(operation_id="forgetRetention", responses=RetentionSerializer)
    def forget(self, request: Request) -> Response:
        """Take the super user's defaults."""
        caller = caller_of(request)
        forget_retention(
            company_id=caller.company_id, actor=caller, ip_address=client_address(request)
        )
        return Response(_row(caller.company_id))

    @extend_schema(
        operation_id="previewRetention",
        parameters=[RetentionPreviewQuerySerializer],
        responses=RetentionPreviewSerializer,
    )
    def preview(self, request: Request) -> Response:
        """Return what would go by these values, and when first; nothing is stored."""
        values = query_values(RetentionPreviewQuerySerializer, request.query_params)
        filled = {
            name: values.get(name) for name in ("messages_years", "media_months", "logs_days")
        }
        return Response(preview_row(preview(caller_of(request).company_id, filled)))

    @extend_schema(operation_id="getRetentionDefaults", responses=RetentionValuesSerializer)
    def defaults(self, request: Request) -> Response:
        """Return what holds for companies without a choice of their own."""
        return Response(values_row(retention_of(None)))

    @extend_schema(
        operation_id="chooseRetentionDefaults",
        request=RetentionInputSerializer,
        responses=RetentionValuesSerializer,
    )
    def choose_defaults(self, request: Request) -> Response:
        """Choose for companies without a choice of their own."""
        chosen = choose_retention(
            company_id=None,
            values=body_values(RetentionInputSerializer, request.data),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response(values_row(chosen))


def _row(company_id: int) -> dict[str, Any]:
    retention = retention_of(company_id)
    runs = RetentionRun.objects.filter(company=company_id).order_by("-pk")[:SHOWN_RUNS]
    most = longest()
    return {
        "values": values_row(retention),
        "defaults": values_row(_defaults(retention)),
        "isDefault": retention.is_default or retention.company_id is None,
        "limits": {
            "messagesYears": most["messages_years"],
            "mediaMonths": most["media_months"],
            "logsDays": most["logs_days"],
        },
        "nextRunAt": moment(next_run_at(retention, timezone.now())),
        "runs": [run_row(run) for run in runs],
    }


def _defaults(retention: Retention) -> Retention:
    return retention if retention.company_id is None else retention_of(None)
