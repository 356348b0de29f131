"""The calls of segments (rules/campaigns §8)."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.campaigns.models import Segment
from apps.campaigns.queries.segments import SegmentFilters, segments_of
from apps.campaigns.serializers.segments import (
    SegmentCountInputSerializer,
    SegmentCountSerializer,
    SegmentInputSerializer,
    SegmentPageSerializer,
    SegmentQuerySerializer,
    SegmentSerializer,
)
from apps.campaigns.services import segments
from apps.common.callers import caller_of
from apps.common.records import RecordViewSet, record_schema
from apps.common.serializers import body_values, rows_of


@record_schema(
    query=(SegmentQuerySerializer,),
    list="Return a page of segments by name.",
    create="Create a segment, which is a set of rules with a name.",
    update="Change a segment; `rules` replaces all of its rules.",
    destroy="Delete a segment; refused while a scheduled campaign takes its recipients from it.",
)
class SegmentViewSet(RecordViewSet):
    input_serializer = SegmentInputSerializer
    row_serializer = SegmentSerializer
    page_serializer = SegmentPageSerializer
    filters = SegmentFilters
    list_name = "records"
    deleted = "Segmento excluído."

    def _records(self, caller: User) -> QuerySet[Segment]:
        return segments_of(caller.company_id)

    def _find(self, caller: User, record_id: int) -> Segment:
        return segments.get_segment(company_id=caller.company_id, segment_id=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Segment:
        return segments.create_segment(user=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> Segment:
        return segments.update_segment(user=caller, segment_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        segments.delete_segment(user=caller, segment_id=record_id, ip_address=ip_address)

    @extend_schema(operation_id="segments_options", responses=SegmentSerializer(many=True))
    @action(detail=False, url_path="list", url_name="options")
    def options_list(self, request: Request) -> Response:
        """Return all of the company's segments by name, as a bare array."""
        return Response(rows_of(SegmentSerializer, self._records(caller_of(request))))

    @extend_schema(
        operation_id="segments_count",
        request=SegmentCountInputSerializer,
        responses=SegmentCountSerializer,
    )
    @action(detail=False, methods=["post"])
    def count(self, request: Request) -> Response:
        """Return how many contacts satisfy the rules; 0 without a rule."""
        rules = body_values(SegmentCountInputSerializer, request.data)["rules"]
        count = segments.count_contacts(company_id=caller_of(request).company_id, rules=rules)
        return Response({"count": count})
