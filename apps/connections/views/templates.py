"""Writing message templates (rules/messages §8)."""

from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.serializers import SentenceSerializer, body_values
from apps.connections import services
from apps.connections.models import Connection
from apps.connections.serializers.templates import (
    TemplateDraftSerializer,
    TemplateHandleSerializer,
    TemplateSampleSerializer,
    TemplateSerializer,
    template_row,
)


def _connection(request: Request, connection_id: str) -> Connection:
    company_id = caller_of(request).company_id
    return services.connection_for(company_id=company_id, pk=int(connection_id))


class TemplateCreateView(APIView):
    """New templates of a number's account."""

    @extend_schema(
        operation_id="createTemplate",
        request=TemplateDraftSerializer,
        responses={201: TemplateSerializer},
    )
    def post(self, request: Request, connection_id: str) -> Response:
        """Submit a template to Meta's review."""
        connection = _connection(request, connection_id)
        template = services.create_template(
            actor=caller_of(request),
            connection=connection,
            draft=body_values(TemplateDraftSerializer, request.data)["draft"],
            ip_address=client_address(request),
        )
        return Response(template_row(template), status=201)


class TemplateDetailView(APIView):
    """One language of a template."""

    @extend_schema(
        operation_id="updateTemplate",
        request=TemplateDraftSerializer,
        responses=TemplateSerializer,
    )
    def put(self, request: Request, connection_id: str, template_id: str) -> Response:
        """Submit other words of it to Meta's review; name and language stay."""
        connection = _connection(request, connection_id)
        template = services.edit_template(
            actor=caller_of(request),
            connection=connection,
            template_id=template_id,
            draft=body_values(TemplateDraftSerializer, request.data)["draft"],
            ip_address=client_address(request),
        )
        return Response(template_row(template))

    @extend_schema(operation_id="deleteTemplate", responses=SentenceSerializer)
    def delete(self, request: Request, connection_id: str, template_id: str) -> Response:
        """Delete it at Meta's; its name may not be used again for 30 days."""
        services.delete_template(
            actor=caller_of(request),
            connection=_connection(request, connection_id),
            template_id=template_id,
            ip_address=client_address(request),
        )
        return Response({"message": "Modelo excluído."})


class TemplateSampleView(APIView):
    """A sample file for the header of a template."""

    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="uploadTemplateSample",
        request={"multipart/form-data": TemplateSampleSerializer},
        responses={201: TemplateHandleSerializer},
    )
    def post(self, request: Request, connection_id: str) -> Response:
        """Upload it to Meta; answers the handle by which a draft names it."""
        connection = _connection(request, connection_id)
        file = body_values(TemplateSampleSerializer, request.data)["file"]
        handle = services.upload_template_sample(connection=connection, file=file)
        return Response({"handle": handle}, status=201)
