"""The calls of opt-outs (rules/campaigns §7)."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.campaigns.queries.opt_outs import OptOutFilters, opt_outs_of
from apps.campaigns.serializers.opt_outs import (
    OptOutInputSerializer,
    OptOutPageQuerySerializer,
    OptOutPageSerializer,
    OptOutQuerySerializer,
    OptOutSerializer,
)
from apps.campaigns.services import opt_outs
from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.records import ID
from apps.common.serializers import SentenceSerializer, body_values, row_of, rows_of

EXPORT_NAME = "opt-outs.csv"


class OptOutViewSet(ViewSet):
    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="opt_outs_list",
        parameters=[OptOutPageQuerySerializer],
        responses=OptOutPageSerializer,
    )
    def list(self, request: Request) -> Response:
        """Return a page of the numbers that no campaign writes to, newest first."""
        found = narrowed(opt_outs_of(caller_of(request).company_id), OptOutFilters, request)
        page = paginate(found, page_number(request))
        return Response(page.body("records", rows_of(OptOutSerializer, page.rows)))

    @extend_schema(
        operation_id="opt_outs_create",
        request=OptOutInputSerializer,
        responses={201: OptOutSerializer},
    )
    def create(self, request: Request) -> Response:
        """Exclude a number from all campaigns, also from running ones."""
        caller = caller_of(request)
        values = body_values(OptOutInputSerializer, request.data)
        added = opt_outs.add_opt_out(
            user=caller,
            number=values["number"],
            complete_numbers=values.get("complete_numbers", caller.person is not None),
            ip_address=client_address(request),
        )
        return Response(row_of(OptOutSerializer, added), status=201)

    @extend_schema(operation_id="opt_outs_destroy", parameters=[ID], responses=SentenceSerializer)
    def destroy(self, request: Request, id: str) -> Response:
        """Let later campaigns write to the number again."""
        opt_outs.remove_opt_out(
            user=caller_of(request), opt_out_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Descadastro excluído."})

    @extend_schema(
        operation_id="opt_outs_export",
        parameters=[OptOutQuerySerializer],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    @action(detail=False)
    def export(self, request: Request) -> StreamingHttpResponse:
        """Return a CSV file of the opt-outs that match the search, streamed.

        It is in the language of Accept-Language.
        """
        caller = caller_of(request)
        parts = opt_outs.export_opt_outs(
            actor=caller,
            opt_outs=narrowed(opt_outs_of(caller.company_id), OptOutFilters, request),
            language=preferred_language(request),
            ip_address=client_address(request),
        )
        return StreamingHttpResponse(
            parts,
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="{EXPORT_NAME}"',
                "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",  # nginx passes the parts on as they come
            },
        )
