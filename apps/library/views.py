"""The calls of quick messages (rules/library §1)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.common.callers import caller_of
from apps.common.records import ID, RecordViewSet, record_schema
from apps.common.serializers import SentenceSerializer, body_values
from apps.library.models import QuickMessage
from apps.library.queries import QuickMessageFilters
from apps.library.serializers import (
    QuickMessageFileSerializer,
    QuickMessageInputSerializer,
    QuickMessageListQuerySerializer,
    QuickMessagePageSerializer,
    QuickMessageSerializer,
    quick_message_row,
)
from apps.library.services import quick_messages


@record_schema(
    query=(QuickMessageListQuerySerializer,),
    list="Return a page by shortcode, also of those switched off.",
    create="Create one of the caller's.",
    update="Change one; fields left out stay. A shared one is its owner's and an admin's.",
    destroy="Delete one with its file.",
)
class QuickMessageViewSet(RecordViewSet):
    """The caller's own quick messages and what the company shares."""

    input_serializer = QuickMessageInputSerializer
    row_serializer = QuickMessageSerializer
    page_serializer = QuickMessagePageSerializer
    filters = QuickMessageFilters
    list_name = "records"
    deleted = "Resposta rápida excluída."

    def _records(self, caller: User) -> QuerySet[QuickMessage]:
        return QuickMessage.objects.visible_to(caller)

    def _rows(self, records: Sequence[QuickMessage]) -> list[dict[str, Any]]:
        return [quick_message_row(quick) for quick in records]

    def _find(self, caller: User, record_id: int) -> QuickMessage:
        return quick_messages.get_quick_message(user=caller, quick_message_id=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> QuickMessage:
        return quick_messages.create_quick_message(user=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> QuickMessage:
        return quick_messages.update_quick_message(
            user=caller, quick_message_id=record_id, fields=fields
        )

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        quick_messages.delete_quick_message(user=caller, quick_message_id=record_id)


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
        rows = QuickMessage.objects.visible_to(caller_of(request)).in_use()
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
        quick_messages.get_quick_message(user=caller_of(request), quick_message_id=int(id))
        file = body_values(QuickMessageFileSerializer, request.data)["file"]
        quick = quick_messages.attach_file(
            user=caller_of(request),
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
        quick_messages.remove_file(user=caller_of(request), quick_message_id=int(id))
        return Response({"message": "Arquivo excluído."})
