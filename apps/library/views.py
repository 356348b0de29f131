"""The calls of quick messages (specification 2 §7)."""

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.common.paging import page_number, paginate
from apps.common.serializers import SentenceSerializer
from apps.library import services
from apps.library.models import QuickMessage
from apps.library.queries import search_quick_messages
from apps.library.serializers import (
    QuickMessageFileSerializer,
    QuickMessageInputSerializer,
    QuickMessageListQuerySerializer,
    QuickMessagePageSerializer,
    QuickMessageSerializer,
    quick_message_row,
)

if TYPE_CHECKING:
    from apps.accounts.models import User

ID = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH)


def _caller(request: Request) -> "User":
    return cast("User", request.user)


class QuickMessageViewSet(ViewSet):
    """The caller's own quick messages and what the company shares."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        parameters=[QuickMessageListQuerySerializer], responses=QuickMessagePageSerializer
    )
    def list(self, request: Request) -> Response:
        """Return a page by shortcode, also of those switched off."""
        rows = search_quick_messages(
            _caller(request), request.query_params.get("searchParam", "")[:200]
        )
        page = paginate(rows, page_number(request))
        return Response(page.body("records", [quick_message_row(row) for row in page.rows]))

    @extend_schema(request=QuickMessageInputSerializer, responses={201: QuickMessageSerializer})
    def create(self, request: Request) -> Response:
        """Create one of the caller's."""
        serializer = QuickMessageInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        quick = services.create_quick_message(
            user=_caller(request), fields=serializer.validated_data
        )
        return Response(quick_message_row(quick), status=201)

    @extend_schema(parameters=[ID], responses=QuickMessageSerializer)
    def retrieve(self, request: Request, id: str) -> Response:
        """Return one."""
        quick = services.get_quick_message(user=_caller(request), quick_message_id=int(id))
        return Response(quick_message_row(quick))

    @extend_schema(
        parameters=[ID], request=QuickMessageInputSerializer, responses=QuickMessageSerializer
    )
    def update(self, request: Request, id: str) -> Response:
        """Change one; fields left out stay. A shared one is its owner's and an admin's."""
        # Missing ones, and other people's, are refused before the body is judged.
        services.get_quick_message(user=_caller(request), quick_message_id=int(id))
        serializer = QuickMessageInputSerializer(data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        quick = services.update_quick_message(
            user=_caller(request), quick_message_id=int(id), fields=serializer.validated_data
        )
        return Response(quick_message_row(quick))

    @extend_schema(parameters=[ID], responses=SentenceSerializer)
    def destroy(self, request: Request, id: str) -> Response:
        """Delete one with its file."""
        services.delete_quick_message(user=_caller(request), quick_message_id=int(id))
        return Response({"message": "Resposta rápida excluída."})


class QuickMessageOptions(APIView):
    """Quick messages to choose from while writing."""

    @extend_schema(
        operation_id="quick_messages_options",
        parameters=[
            OpenApiParameter("companyId", str, description="Ignored: the caller's company."),
            OpenApiParameter("userId", str, description="Ignored: the caller."),
        ],
        responses=QuickMessageSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Return all that the caller may use and that are switched on, as a bare array."""
        rows = QuickMessage.objects.visible_to(_caller(request)).in_use()
        return Response([quick_message_row(row) for row in rows])


class QuickMessageFileView(APIView):
    """The file of a quick message."""

    @extend_schema(
        operation_id="quick_messages_file_create",
        parameters=[ID],
        request={"multipart/form-data": QuickMessageFileSerializer},
        responses=QuickMessageSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Attach a file, in the place of the one there is."""
        services.get_quick_message(user=_caller(request), quick_message_id=int(id))
        serializer = QuickMessageFileSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        file: Any = serializer.validated_data["file"]
        quick = services.attach_file(
            user=_caller(request),
            quick_message_id=int(id),
            content=file,
            name=file.name or "",
            mime=file.content_type or "",
        )
        return Response(quick_message_row(quick))

    @extend_schema(
        operation_id="quick_messages_file_destroy",
        parameters=[ID],
        responses=SentenceSerializer,
    )
    def delete(self, request: Request, id: str) -> Response:
        """Take the file away."""
        services.remove_file(user=_caller(request), quick_message_id=int(id))
        return Response({"message": "Arquivo excluído."})
