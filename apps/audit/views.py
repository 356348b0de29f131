"""The call that reads the audit log (rules/accounts §7)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.audit.queries import AuditFilters, entries_of
from apps.audit.serializers import AuditEntrySerializer, AuditPageSerializer, AuditQuerySerializer
from apps.common.callers import caller_of
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.serializers import rows_of


class AuditLogView(APIView):
    @extend_schema(
        operation_id="readAuditLog",
        parameters=[AuditQuerySerializer],
        responses=AuditPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return a page of the audit log of the caller's company, newest first."""
        found = narrowed(entries_of(caller_of(request).company_id), AuditFilters, request)
        page = paginate(found, page_number(request))
        return Response(page.body("records", rows_of(AuditEntrySerializer, page.rows)))
