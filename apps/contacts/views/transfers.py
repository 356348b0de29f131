"""Contacts in and out: the phone's address book and the CSV file."""

from dataclasses import asdict

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.contacts import services
from apps.contacts.serializers.contacts import ImportedContactsSerializer

FILE_NAME = "contacts.csv"


class ContactImport(APIView):
    """The address book of the connected phone."""

    @extend_schema(
        operation_id="importContacts", request=None, responses=ImportedContactsSerializer
    )
    def post(self, request: Request) -> Response:
        """Make contacts of the address book of a connected number."""
        done = services.import_contacts(
            actor=caller_of(request), ip_address=client_address(request)
        )
        return Response(asdict(done))


class ContactExport(APIView):
    """Contacts as a file."""

    @extend_schema(
        operation_id="exportContacts",
        parameters=[
            OpenApiParameter("searchParam", str, description="Part of name, number or e-mail.")
        ],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return a CSV file of all contacts, or of those that a search finds, as it is read."""
        parts = services.export_contacts(
            actor=caller_of(request),
            text=request.query_params.get("searchParam", ""),
            ip_address=client_address(request),
        )
        return StreamingHttpResponse(
            parts,
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="{FILE_NAME}"',
                "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",  # nginx passes the parts on as they come
            },
        )
