"""Calls about tags (rules/contacts §8)."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.serializers import SentenceSerializer, body_values
from apps.contacts import services
from apps.contacts.queries import TagFilters, tags_of
from apps.contacts.serializers.tags import (
    TagInputSerializer,
    TagLanesSerializer,
    TagPageSerializer,
    TagSerializer,
    tag_row,
)

SEARCH = OpenApiParameter("searchParam", str, description="Part of the name.")
PAGE = OpenApiParameter("pageNumber", int, description="From 1; 20 per page.")


class TagViewSet(ViewSet):
    """The company's tags."""

    lookup_value_regex = r"\d+"

    @extend_schema(operation_id="pageTags", parameters=[SEARCH, PAGE], responses=TagPageSerializer)
    def list(self, request: Request) -> Response:
        """Return a page of tags in name order."""
        tags = narrowed(tags_of(caller_of(request).company_id), TagFilters, request)
        page = paginate(tags, page_number(request))
        return Response(page.body("tags", [tag_row(tag) for tag in page.rows]))

    @extend_schema(operation_id="listTags", parameters=[SEARCH], responses=TagSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="list", url_name="options")
    def every(self, request: Request) -> Response:
        """Return all tags in name order as a bare array."""
        tags = narrowed(tags_of(caller_of(request).company_id), TagFilters, request)
        return Response([tag_row(tag) for tag in tags])

    @extend_schema(operation_id="listLanes", responses=TagLanesSerializer)
    @action(detail=False, methods=["get"], url_path="kanban", url_name="lanes")
    def lanes(self, request: Request) -> Response:
        """Return the tags that are lanes of the board."""
        tags = tags_of(caller_of(request).company_id).filter(is_kanban=True)
        return Response({"lista": [tag_row(tag) for tag in tags]})

    @extend_schema(
        operation_id="createTag", request=TagInputSerializer, responses={201: TagSerializer}
    )
    def create(self, request: Request) -> Response:
        """Create a tag; `kanban` is for admins."""
        fields = body_values(TagInputSerializer, request.data)
        tag = services.create_tag(actor=caller_of(request), fields=fields)
        return Response(tag_row(tag), status=201)

    @extend_schema(operation_id="getTag", responses=TagSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one tag."""
        tag = services.get_tag(company_id=caller_of(request).company_id, tag_id=int(pk))
        return Response(tag_row(tag))

    @extend_schema(operation_id="updateTag", request=TagInputSerializer, responses=TagSerializer)
    def update(self, request: Request, pk: str) -> Response:
        """Change a tag; fields left out stay."""
        fields = body_values(TagInputSerializer, request.data, partial=True)
        tag = services.update_tag(actor=caller_of(request), tag_id=int(pk), fields=fields)
        return Response(tag_row(tag))

    @extend_schema(operation_id="deleteTag", responses=SentenceSerializer)
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a tag and take it off all tickets."""
        services.delete_tag(
            actor=caller_of(request), tag_id=int(pk), ip_address=client_address(request)
        )
        return Response({"message": "Tag excluída."})
