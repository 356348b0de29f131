"""The calls of a company's roles (rules/accounts §2)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.queries import role_row, roles_of
from apps.accounts.serializers.roles import (
    RoleInputSerializer,
    RoleSerializer,
    RolesSerializer,
    roles_body,
)
from apps.accounts.services import roles
from apps.common.callers import caller_of, client_address
from apps.common.records import ID
from apps.common.serializers import SentenceSerializer, body_values, row_of


class RoleViewSet(ViewSet):
    """The roles that users of the caller's company may have."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(operation_id="listRoles", responses=RolesSerializer)
    def list(self, request: Request) -> Response:
        """Return the three fixed roles, and then the company's own by name."""
        return Response(roles_body(roles_of(caller_of(request).company_id)))

    @extend_schema(operation_id="getRole", parameters=[ID], responses=RoleSerializer)
    def retrieve(self, request: Request, id: str) -> Response:
        """Return one of the company's own roles."""
        role = roles.get_role(company_id=caller_of(request).company_id, role_id=int(id))
        return Response(row_of(RoleSerializer, role_row(role)))

    @extend_schema(
        operation_id="createRole", request=RoleInputSerializer, responses={201: RoleSerializer}
    )
    def create(self, request: Request) -> Response:
        """Create a role with permissions that the caller has."""
        role = roles.create_role(
            actor=caller_of(request),
            fields=body_values(RoleInputSerializer, request.data),
            ip_address=client_address(request),
        )
        return Response(row_of(RoleSerializer, role_row(role)), status=201)

    @extend_schema(
        operation_id="updateRole",
        parameters=[ID],
        request=RoleInputSerializer,
        responses=RoleSerializer,
    )
    def update(self, request: Request, id: str) -> Response:
        """Change a role, at once for all who have it; fields that are left out stay."""
        role = roles.update_role(
            actor=caller_of(request),
            role_id=int(id),
            fields=body_values(RoleInputSerializer, request.data, partial=True),
            ip_address=client_address(request),
        )
        return Response(row_of(RoleSerializer, role_row(role)))

    @extend_schema(operation_id="deleteRole", parameters=[ID], responses=SentenceSerializer)
    def destroy(self, request: Request, id: str) -> Response:
        """Delete a role that nobody has."""
        roles.delete_role(
            actor=caller_of(request), role_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Papel excluído."})
