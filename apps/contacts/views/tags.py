"""Calls about tags (rules/contacts §8)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.common.callers import caller_of
from apps.common.filters import narrowed
from apps.common.paging import first_page, page_number, paginate
from apps.common.records import RecordViewSet, record_schema
from apps.common.serializers import rows_of
from apps.contacts import services
from apps.contacts.models import Tag
from apps.contacts.queries import (
    TAG_COLUMNS,
    TagFilters,
    count_tags,
    every_tag,
    first_tags,
    tags_of,
)
from apps.contacts.serializers.tags import (
    TagInputSerializer,
    TagLanesSerializer,
    TagPageSerializer,
    TagSerializer,
    listed_tag,
)

SEARCH = OpenApiParameter("searchParam", str, description="Part of the name.")
PAGE = OpenApiParameter("pageNumber", int, description="Page number, from 1; a page has 20 rows.")


@extend_schema_view(list=extend_schema(operation_id="pageTags"))
@record_schema(
    "Tag",
    query=(SEARCH, PAGE),
    path=(),
    list="Return a page of tags in name order.",
    create="Create a tag; only admins may set `kanban`.",
    retrieve="Return one tag.",
    update="Change a tag; fields that are left out keep their values.",
    destroy="Delete a tag and remove it from all tickets.",
)
class TagViewSet(RecordViewSet):
    input_serializer = TagInputSerializer
    row_serializer = TagSerializer
    page_serializer = TagPageSerializer
    filters = TagFilters
    list_name = "tags"
    deleted = "Tag excluída."

    def list(self, request: Request) -> Response:
        """Return a page of tags in name order."""
        company_id, number = caller_of(request).company_id, page_number(request)
        if number == 1 and not request.query_params.get("searchParam"):
            page = first_page(first_tags(company_id), partial(count_tags, company_id))
        else:
            found = narrowed(tags_of(company_id), TagFilters, request)
            page = paginate(found.values_list(*TAG_COLUMNS), number)
        return Response(page.body("tags", [listed_tag(values) for values in page.rows]))

    def _records(self, caller: User) -> QuerySet[Tag]:
        return tags_of(caller.company_id)

    def _find(self, caller: User, record_id: int) -> Tag:
        return services.get_tag(company_id=caller.company_id, tag_id=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Tag:
        return services.create_tag(actor=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> Tag:
        return services.update_tag(actor=caller, tag_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        services.delete_tag(actor=caller, tag_id=record_id, ip_address=ip_address)

    @extend_schema(operation_id="listTags", parameters=[SEARCH], responses=TagSerializer(many=True))
    @action(detail=False, url_path="list", url_name="options")
    def every(self, request: Request) -> Response:
        """Return all tags in name order as a bare array."""
        company_id = caller_of(request).company_id
        if request.query_params.get("searchParam"):
            found = narrowed(tags_of(company_id), TagFilters, request)
            tags = list(found.values_list(*TAG_COLUMNS))
        else:
            tags = every_tag(company_id)
        return Response([listed_tag(values) for values in tags])

    @extend_schema(operation_id="listLanes", responses=TagLanesSerializer)
    @action(detail=False, url_path="kanban", url_name="lanes")
    def lanes(self, request: Request) -> Response:
        """Return the tags that are lanes of the board."""
        tags = self._records(caller_of(request)).filter(is_kanban=True)
        return Response({"lista": rows_of(TagSerializer, tags)})
