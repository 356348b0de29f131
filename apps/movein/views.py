"""The calls of a company's archive (rules/moving-out §1)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.serializers import body_values, row_of
from apps.movein.models import CompanyArchive
from apps.movein.serializers import (
    ArchiveInputSerializer,
    ArchiveSerializer,
    ArchiveStateSerializer,
)
from apps.movein.services import archives


class CompanyArchiveView(APIView):
    """The one archive of the caller's company."""

    @extend_schema(operation_id="getCompanyArchive", responses=ArchiveStateSerializer)
    def get(self, request: Request) -> Response:
        """Return the archive, how far it is and where it can be downloaded."""
        found = CompanyArchive.objects.for_company(caller_of(request).company_id).first()
        return Response({"archive": row_of(ArchiveSerializer, found) if found else None})

    @extend_schema(
        operation_id="requestCompanyArchive",
        request=ArchiveInputSerializer,
        responses={201: ArchiveStateSerializer},
    )
    def post(self, request: Request) -> Response:
        """Have the archive written, in the place of the one there was."""
        fields = body_values(ArchiveInputSerializer, request.data)
        archive = archives.request_archive(
            actor=caller_of(request),
            has_media=fields["withMedia"],
            has_passwords=fields["withPasswords"],
            ip_address=client_address(request),
        )
        return Response({"archive": row_of(ArchiveSerializer, archive)}, status=201)

    @extend_schema(operation_id="deleteCompanyArchive", responses=ArchiveStateSerializer)
    def delete(self, request: Request) -> Response:
        """Delete the archive, also one that is being written."""
        archives.delete_archive(actor=caller_of(request), ip_address=client_address(request))
        return Response({"archive": None})
