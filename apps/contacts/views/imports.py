"""The calls about files of contacts (rules/contacts §12)."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.records import ID
from apps.common.serializers import body_values
from apps.contacts.serializers.imports import (
    ContactFileSerializer,
    ContactImportSerializer,
    CurrentContactImportSerializer,
    contact_import_row,
)
from apps.contacts.services import file_imports

FAULTS_NAME = "import-errors.csv"


class ContactFileImport(APIView):
    """A file of contacts."""

    @extend_schema(
        operation_id="importContactsFile",
        request={"multipart/form-data": ContactFileSerializer},
        responses={202: ContactImportSerializer},
    )
    def post(self, request: Request) -> Response:
        """Take a .csv, .xls or .xlsx, which is read in the background; events tell how far."""
        made = file_imports.upload_contacts(
            user=caller_of(request),
            upload=body_values(ContactFileSerializer, request.data)["file"],
            ip_address=client_address(request),
        )
        return Response(contact_import_row(made), status=202)


class CurrentContactImport(APIView):
    """The newest file of contacts."""

    @extend_schema(operation_id="currentContactImport", responses=CurrentContactImportSerializer)
    def get(self, request: Request) -> Response:
        """Return the company's newest import: how far it is, or what became of it."""
        found = file_imports.current_import(caller_of(request).company_id)
        return Response({"import": contact_import_row(found) if found else None})


class ContactImportCancellation(APIView):
    """The end of an import before its time."""

    @extend_schema(
        operation_id="cancelContactImport",
        parameters=[ID],
        request=None,
        responses=ContactImportSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """End an import where it stands; what it made stays. Its starter and admins may."""
        done = file_imports.cancel_import(
            user=caller_of(request), import_id=int(id), ip_address=client_address(request)
        )
        return Response(contact_import_row(done))


class ContactImportFaults(APIView):
    """What a file of contacts had wrong."""

    @extend_schema(
        operation_id="contactImportFaults",
        parameters=[ID],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, id: str) -> StreamingHttpResponse:
        """Return a CSV file of the rows that made nothing, the first 1,000, each with its reason.

        In the language of Accept-Language.
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
