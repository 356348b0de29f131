"""The calls of a company's service tokens (rules/accounts §12)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.queries import service_tokens_of
from apps.accounts.serializers.service_tokens import (
    CreatedServiceTokenSerializer,
    ServiceTokenInputSerializer,
    ServiceTokenPageSerializer,
    ServiceTokenSerializer,
)
from apps.accounts.services import service_tokens as services
from apps.common.callers import caller_of, client_address
from apps.common.paging import page_number, paginate
from apps.common.records import ID, PAGE
from apps.common.serializers import SentenceSerializer, body_values, row_of, rows_of
from apps.companies.queries import zone_of


class ServiceTokenViewSet(ViewSet):
    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="listServiceTokens", parameters=[PAGE], responses=ServiceTokenPageSerializer
    )
    def list(self, request: Request) -> Response:
        """Return a page of the company's service tokens by name; none contains its text."""
        page = paginate(service_tokens_of(caller_of(request).company_id), page_number(request))
        return Response(page.body("serviceTokens", rows_of(ServiceTokenSerializer, page.rows)))

    @extend_schema(
        operation_id="createServiceToken",
        request=ServiceTokenInputSerializer,
        responses={201: CreatedServiceTokenSerializer},
    )
    def create(self, request: Request) -> Response:
        """Create a service token; only this response contains its text."""
        caller = caller_of(request)
        fields = body_values(
            ServiceTokenInputSerializer, request.data, zone=zone_of(caller.company_id)
        )
        created = services.create_token(
            actor=caller, fields=fields, ip_address=client_address(request)
        )
        row = row_of(CreatedServiceTokenSerializer, created.row, token=created.text)
        return Response(row, status=201)

    @extend_schema(operation_id="revokeServiceToken", parameters=[ID], responses=SentenceSerializer)
    def destroy(self, request: Request, id: str) -> Response:
        """Revoke a service token: its calls are refused from now on, and its sockets close."""
        services.revoke_token(
            actor=caller_of(request), token_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Token de serviço revogado."})
