"""The calls of integrations (rules/automation §3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.automation.models import QueueIntegration
from apps.automation.queries.integrations import (
    IntegrationFilters,
    integrations_of,
    last_calls,
)
from apps.automation.serializers.integrations import (
    IntegrationInputSerializer,
    IntegrationPageSerializer,
    IntegrationSerializer,
    SigningSecretSerializer,
    integration_row,
)
from apps.automation.services import integrations as services
from apps.automation.services.integrations import Saved
from apps.common.callers import caller_of, client_address
from apps.common.records import ID, RecordViewSet, record_schema


@record_schema(
    "Integration",
    list="Return a page by name.",
    create="Create one; its signing secret is in this answer alone.",
    update="Change one; fields left out stay, and so does a secret sent back as its mask.",
    destroy="Delete one; what it leads goes on to people.",
)
class IntegrationViewSet(RecordViewSet):
    """Integrations of the caller's company."""

    input_serializer = IntegrationInputSerializer
    row_serializer = IntegrationSerializer
    page_serializer = IntegrationPageSerializer
    filters = IntegrationFilters
    list_name = "queueIntegrations"
    deleted = "Integração excluída."

    def _records(self, caller: User) -> QuerySet[QueueIntegration]:
        return integrations_of(caller.company_id)

    def _rows(self, records: Sequence[QueueIntegration]) -> list[dict[str, Any]]:
        last = last_calls(records)
        return [integration_row(row, last.get(row.pk)) for row in records]

    def _row(self, record: Saved) -> dict[str, Any]:
        integration, new_secret = record
        last = last_calls([integration]).get(integration.pk)
        return integration_row(integration, last, new_secret=new_secret)

    def _find(self, caller: User, record_id: int) -> Saved:
        found = services.get_integration(company_id=caller.company_id, integration_id=record_id)
        return Saved(found, new_secret="")

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Saved:
        return services.create_integration(actor=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> Saved:
        return services.update_integration(actor=caller, integration_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        services.delete_integration(actor=caller, integration_id=record_id, ip_address=ip_address)


class SigningSecretView(APIView):
    """The secret that signs what is posted to an integration's address."""

    @extend_schema(
        operation_id="rotateSigningSecret",
        parameters=[ID],
        request=None,
        responses=SigningSecretSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Make a new one and show it this once."""
        secret = services.rotate_secret(
            actor=caller_of(request), integration_id=int(id), ip_address=client_address(request)
        )
        return Response({"signingSecret": secret})
