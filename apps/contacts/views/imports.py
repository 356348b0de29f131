"""The calls about files of contacts (rules/contacts §12)."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.records import ID
from apps.common.serializers import row_of
from apps.contacts.serializers.imports import (
    ContactImportSerializer,
    CurrentContactImportSerializer,
)
from apps.contacts.services import file_imports

FAULTS_NAME = "import-errors.csv"


class ContactImportViewSet(ViewSet):
    """Imports of contact files, finished or in progress."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(operation_id="currentContactImport", responses=CurrentContactImportSerializer)
    @action(detail=False, url_path="current", url_name="current")
    def current(self, request: Request) -> Response:
        """Return the company's newest import with its progress or result."""
        found = file_imports.current_import(caller_of(request).company_id)
        return Response({"import": row_of(ContactImportSerializer, found) if found else None})

    @extend_schema(
        operation_id="cancelContactImport",
        parameters=[ID],
        request=None,
        responses=ContactImportSerializer,
    )
    @action(detail=True, methods=["post"], url_path="cancel", url_name="cancel")
    def cancel(self, request: Request, id: str) -> Response:
        """Cancel an import; stored contacts stay. The user who started it and admins may."""
        done = file_imports.cancel_import(
            user=caller_of(request), import_id=int(id), ip_address=client_address(request)
        )
        return Response(row_of(ContactImportSerializer, done))

    @extend_schema(
        operation_id="contactImportFaults",
        parameters=[ID],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    @action(detail=True, url_path="errors", url_name="faults")
    def faults(self, request: Request, id: str) -> StreamingHttpResponse:
        """Return a CSV file of the first 1,000 faulty rows, each with its reason.

        The reasons are in the language of Accept-Language.
        """
        parts = file_imports.faults_file(
            user=caller_of(request), import_id=int(id), language=preferred_language(request)
        )
        return StreamingHttpResponse(
            parts,
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="{FAULTS_NAME}"',
                "Cache-Control": "no-store",
            },
        )
