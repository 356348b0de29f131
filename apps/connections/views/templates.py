"""Writing message templates (rules/messages §8)."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.callers import caller_of, client_address
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    query_values,
    row_of,
    rows_of,
)
from apps.connections import services
from apps.connections.models import Connection
from apps.connections.serializers.template_library import (
    LibraryChoiceSerializer,
    LibraryPageSerializer,
    LibraryQuerySerializer,
    LibraryTemplateSerializer,
)
from apps.connections.serializers.templates import (
    TemplateDraftSerializer,
    TemplateHandleSerializer,
    TemplateSampleSerializer,
    TemplateSerializer,
)


def connection_of(request: Request, connection_id: str) -> Connection:
    """Return the connection with the id in the path; raises ConnectionNotFound."""
    company_id = caller_of(request).company_id
    return services.connection_for(company_id=company_id, pk=int(connection_id))


class TemplateCalls:
    """The calls on the templates of a number's account, for the viewset of connections."""

    @extend_schema(
        operation_id="createTemplate",
        request=TemplateDraftSerializer,
        responses={201: TemplateSerializer},
    )
    @action(detail=True, methods=["post"], url_path="templates", url_name="templates")
    def create_template(self, request: Request, connection_id: str) -> Response:
        """Submit a new template for Meta's review."""
        connection = connection_of(request, connection_id)
        template = services.create_template(
            actor=caller_of(request),
            connection=connection,
            draft=body_values(TemplateDraftSerializer, request.data)["draft"],
            ip_address=client_address(request),
        )
        return Response(row_of(TemplateSerializer, template), status=201)

    @extend_schema(
        operation_id="listTemplateLibrary",
        parameters=[LibraryQuerySerializer],
        responses=LibraryPageSerializer,
    )
    @action(detail=True, methods=["get"], url_path="template-library", url_name="template-library")
    def list_library(self, request: Request, connection_id: str) -> Response:
        """List Meta's template library, page by page."""
        asked = query_values(LibraryQuerySerializer, request.query_params)
        after = asked.pop("after", "")
        found, cursor = services.library_of(
            connection_of(request, connection_id), filters=asked, after=after
        )
        rows = rows_of(LibraryTemplateSerializer, found)
        return Response({"templates": rows, "next": cursor})

    @extend_schema(
        operation_id="createTemplateFromLibrary",
        request=LibraryChoiceSerializer,
        responses={201: TemplateSerializer},
    )
    @list_library.mapping.post
    def create_from_library(self, request: Request, connection_id: str) -> Response:
        """Submit a template of Meta's library with the company's links and telephones."""
        template = services.create_from_library(
            actor=caller_of(request),
            connection=connection_of(request, connection_id),
            choice=body_values(LibraryChoiceSerializer, request.data)["choice"],
            ip_address=client_address(request),
        )
        return Response(row_of(TemplateSerializer, template), status=201)

    @extend_schema(
        operation_id="updateTemplate",
        request=TemplateDraftSerializer,
        responses=TemplateSerializer,
    )
    @action(
        detail=True,
        methods=["put"],
        url_path=r"templates/(?P<template_id>\d+)",
        url_name="template",
    )
    def update_template(self, request: Request, connection_id: str, template_id: str) -> Response:
        """Submit a changed template for Meta's review; its name and language can't change."""
        connection = connection_of(request, connection_id)
        template = services.edit_template(
            actor=caller_of(request),
            connection=connection,
            template_id=template_id,
            draft=body_values(TemplateDraftSerializer, request.data)["draft"],
            ip_address=client_address(request),
        )
        return Response(row_of(TemplateSerializer, template))

    @extend_schema(operation_id="deleteTemplate", responses=SentenceSerializer)
    @update_template.mapping.delete
    def delete_template(self, request: Request, connection_id: str, template_id: str) -> Response:
        """Delete a template at Meta; its name can't be used again for 30 days."""
        services.delete_template(
            actor=caller_of(request),
            connection=connection_of(request, connection_id),
            template_id=template_id,
            ip_address=client_address(request),
        )
        return Response({"message": "Modelo excluído."})

    @extend_schema(
        operation_id="uploadTemplateSample",
        request={"multipart/form-data": TemplateSampleSerializer},
        responses={201: TemplateHandleSerializer},
    )
    @action(
        detail=True,
        methods=["post"],
        url_path="templates/samples",
        url_name="template-samples",
        parser_classes=(MultiPartParser,),
    )
    def upload_sample(self, request: Request, connection_id: str) -> Response:
        """Upload a sample file to Meta; returns the handle by which a draft refers to it."""
        connection = connection_of(request, connection_id)
        file = body_values(TemplateSampleSerializer, request.data)["file"]
        handle = services.upload_template_sample(connection=connection, file=file)
        return Response({"handle": handle}, status=201)
