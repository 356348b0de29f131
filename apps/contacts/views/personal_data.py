"""What a person may ask for: all that the company has of them, and its erasure."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.serializers import SentenceSerializer
from apps.contacts import services


class ContactData(APIView):
    """One contact's data as an archive."""

    @extend_schema(
        operation_id="exportContactData",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, id: str) -> StreamingHttpResponse:
        """Return a ZIP archive of all that is known of a contact, as it is read."""
        caller = caller_of(request)
        contact = services.get_contact(company_id=caller.company_id, contact_id=int(id))
        parts = services.export_personal_data(
            contact=contact, actor=caller, ip_address=client_address(request)
        )
        return StreamingHttpResponse(
            parts,
            content_type="application/zip",
            headers={
                "Content-Disposition": f'attachment; filename="contato-{contact.pk}.zip"',
                "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",  # nginx passes the parts on as they come
            },
        )


class ContactErasure(APIView):
    """Forgetting a contact."""

    @extend_schema(operation_id="eraseContact", request=None, responses=SentenceSerializer)
    def post(self, request: Request, id: str) -> Response:
        """Delete a contact with its conversations, and take its name out of what stays."""
        caller = caller_of(request)
        contact = services.get_contact(company_id=caller.company_id, contact_id=int(id))
        services.erase_contact(contact=contact, actor=caller, ip_address=client_address(request))
        return Response({"message": "Os dados do contato foram apagados."})
