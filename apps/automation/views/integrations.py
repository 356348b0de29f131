"""The calls of integrations (specification 3 §7)."""

from typing import TYPE_CHECKING, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.automation.queries.integrations import last_deliveries, search_integrations, with_uses
from apps.automation.serializers.integrations import (
    IntegrationInputSerializer,
    IntegrationPageSerializer,
    IntegrationSerializer,
    SigningSecretSerializer,
    integration_row,
)
from apps.automation.services import integrations as services
from apps.automation.services.integrations import Saved
from apps.common.addresses import client_address
from apps.common.paging import page_number, paginate
from apps.common.serializers import SentenceSerializer

if TYPE_CHECKING:
    from apps.accounts.models import User

ID = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH)


def _caller(request: Request) -> "User":
    return cast("User", request.user)


class IntegrationViewSet(ViewSet):
    """Integrations of the caller's company."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="listIntegrations",
        parameters=[
            OpenApiParameter("searchParam", OpenApiTypes.STR),
            OpenApiParameter("pageNumber", OpenApiTypes.INT),
        ],
        responses=IntegrationPageSerializer,
    )
    def list(self, request: Request) -> Response:
        """Return a page by name."""
        text = request.query_params.get("searchParam", "")[:200]
        rows = with_uses(search_integrations(_caller(request).company_id, text))
        page = paginate(rows, page_number(request))
        last = last_deliveries(page.rows)
        found = [integration_row(row, last.get(row.pk)) for row in page.rows]
        return Response(page.body("queueIntegrations", found))

    @extend_schema(
        operation_id="createIntegration",
        request=IntegrationInputSerializer,
        responses={201: IntegrationSerializer},
    )
    def create(self, request: Request) -> Response:
        """Create one; its signing secret is in this answer alone."""
        serializer = IntegrationInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        saved = services.create_integration(
            actor=_caller(request), fields=serializer.validated_data
        )
        return _answer(saved, status=201)

    @extend_schema(operation_id="getIntegration", parameters=[ID], responses=IntegrationSerializer)
    def retrieve(self, request: Request, id: str) -> Response:
        """Return one."""
        integration = services.get_integration(
            company_id=_caller(request).company_id, integration_id=int(id)
        )
        return _answer(Saved(integration, ""))

    @extend_schema(
        operation_id="updateIntegration",
        parameters=[ID],
        request=IntegrationInputSerializer,
        responses=IntegrationSerializer,
    )
    def update(self, request: Request, id: str) -> Response:
        """Change one; fields left out stay, and so does a secret sent back as its mask."""
        caller = _caller(request)
        # Missing ones, and other companies', are refused before the body is judged.
        services.get_integration(company_id=caller.company_id, integration_id=int(id))
        serializer = IntegrationInputSerializer(data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        saved = services.update_integration(
            actor=caller, integration_id=int(id), fields=serializer.validated_data
        )
        return _answer(saved)

    @extend_schema(operation_id="deleteIntegration", parameters=[ID], responses=SentenceSerializer)
    def destroy(self, request: Request, id: str) -> Response:
        """Delete one; what it leads goes on to people."""
        services.delete_integration(
            actor=_caller(request), integration_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Integração excluída."})


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
            actor=_caller(request), integration_id=int(id), ip_address=client_address(request)
        )
        return Response({"signingSecret": secret})


def _answer(saved: Saved, status: int = 200) -> Response:
    row = saved.integration
    last = last_deliveries([row]).get(row.pk)
    return Response(integration_row(row, last, new_secret=saved.new_secret), status=status)
