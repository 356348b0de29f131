"""The calls of quick messages and file lists (rules/library §1, §5)."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.common.callers import caller_of
from apps.common.records import ID, RecordViewSet, record_schema
from apps.common.serializers import SentenceSerializer, body_values, rows_of
from apps.library.models import FileList, QuickMessage, QuickMessageQuerySet
from apps.library.queries import FileListFilters, QuickMessageFilters
from apps.library.serializers import (
    FileListInputSerializer,
    FileListPageSerializer,
    FileListQuerySerializer,
    FileListSerializer,
    FileListUploadSerializer,
    QuickMessageFileSerializer,
    QuickMessageInputSerializer,
    QuickMessageListQuerySerializer,
    QuickMessagePageSerializer,
    QuickMessageSerializer,
)
from apps.library.services import file_lists, quick_messages


@record_schema(
    query=(QuickMessageListQuerySerializer,),
    list="Return a page of quick messages by shortcode, with the inactive ones.",
    create="Create a quick message of the caller.",
    update=(
        "Change a quick message; fields that are left out keep their values. Only its owner"
        " and admins may change a shared one."
    ),
    destroy="Delete a quick message with its file.",
)
class QuickMessageViewSet(RecordViewSet):
    """The caller's own quick messages and what the company shares."""

    input_serializer = QuickMessageInputSerializer
    row_serializer = QuickMessageSerializer
    page_serializer = QuickMessagePageSerializer
    filters = QuickMessageFilters
    list_name = "records"
    deleted = "Resposta rápida excluída."

    def _records(self, caller: User) -> QuickMessageQuerySet:
        return QuickMessage.objects.visible_to(caller)

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

    @extend_schema(
        operation_id="quick_messages_options",
        parameters=[
            OpenApiParameter(
                "companyId",
                str,
                description="Ignored: the response is always for the caller's company.",
            ),
            OpenApiParameter(
                "userId", str, description="Ignored: the response is always for the caller."
            ),
        ],
        responses=QuickMessageSerializer(many=True),
    )
    @action(detail=False, url_path="list", url_name="options")
    def options_list(self, request: Request) -> Response:
        """Return all active quick messages that the caller may use, as a bare array."""
        rows = self._records(caller_of(request)).in_use()
        return Response(rows_of(QuickMessageSerializer, rows))

    @extend_schema(
        operation_id="quick_messages_file_create",
        parameters=[ID],
        request={"multipart/form-data": QuickMessageFileSerializer},
        responses=QuickMessageSerializer,
    )
    @action(detail=True, methods=["post"], url_path="media-upload", url_name="file")
    def attach_file(self, request: Request, id: str) -> Response:
        """Attach a file to a quick message; it replaces an earlier one."""
        caller = caller_of(request)
        self._find(caller, int(id))
        file = body_values(QuickMessageFileSerializer, request.data)["file"]
        quick = quick_messages.attach_file(
            user=caller,
            quick_message_id=int(id),
            content=file,
            name=file.name or "",
            mime=file.content_type or "",
        )
        return Response(self._row(quick))

    @extend_schema(
        operation_id="quick_messages_file_destroy",
        parameters=[ID],
        responses=SentenceSerializer,
    )
    @attach_file.mapping.delete
    def remove_file(self, request: Request, id: str) -> Response:
        """Remove a quick message's file."""
        quick_messages.remove_file(user=caller_of(request), quick_message_id=int(id))
        return Response({"message": "Arquivo excluído."})


@record_schema(
    query=(FileListQuerySerializer,),
    list="Return a page of file lists by name, each with its files.",
    create="Create a file list; upload its files to the ids that the response has in `options`.",
    update=(
        "Change a file list; `options` is the complete list in its order. An option that is"
        " left out is deleted with its file."
    ),
    destroy="Delete a file list with its files.",
)
class FileListViewSet(RecordViewSet):
    input_serializer = FileListInputSerializer
    row_serializer = FileListSerializer
    page_serializer = FileListPageSerializer
    filters = FileListFilters
    list_name = "files"
    deleted = "Lista de arquivos excluída."

    def _records(self, caller: User) -> QuerySet[FileList]:
        return FileList.objects.for_company(caller.company_id).prefetch_related("items")

    def _find(self, caller: User, record_id: int) -> FileList:
        return file_lists.get_file_list(user=caller, file_list_id=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> FileList:
        return file_lists.create_file_list(user=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> FileList:
        return file_lists.update_file_list(user=caller, file_list_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        file_lists.delete_file_list(user=caller, file_list_id=record_id, ip_address=ip_address)

    @extend_schema(
        operation_id="files_upload",
        parameters=[ID],
        request={"multipart/form-data": FileListUploadSerializer},
        responses=FileListSerializer,
    )
    @action(detail=False, methods=["post"], url_path=r"uploadList/(?P<id>\d+)", url_name="upload")
    def upload(self, request: Request, id: str) -> Response:
        """Upload files for options of the list; each replaces the earlier file of its option."""
        caller = caller_of(request)
        self._find(caller, int(id))
        form = body_values(FileListUploadSerializer, request.data)
        files = file_lists.upload_files(
            user=caller,
            file_list_id=int(id),
            item_ids=form["id"],
            files=form["files"],
            names=form.get("name", ()),
        )
        return Response(self._row(files))
