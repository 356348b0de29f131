"""The calls of announcements and helps (rules/announcements)."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.announcements.models import Announcement, Help
from apps.announcements.queries import AnnouncementFilters, HelpFilters
from apps.announcements.serializers import (
    AnnouncementFileSerializer,
    AnnouncementInputSerializer,
    AnnouncementPageSerializer,
    AnnouncementSerializer,
    HelpInputSerializer,
    HelpPageSerializer,
    HelpSerializer,
)
from apps.announcements.services import announcements, helps
from apps.common.callers import caller_of
from apps.common.records import ID, RecordViewSet, record_schema
from apps.common.serializers import SentenceSerializer, body_values, rows_of


@record_schema(
    list="Return a page of announcements, newest first; only the super user gets inactive ones.",
    create="Create an announcement.",
    destroy="Delete an announcement with its picture.",
)
class AnnouncementViewSet(RecordViewSet):
    """The operator's announcements; all users read them, the super user writes them."""

    input_serializer = AnnouncementInputSerializer
    row_serializer = AnnouncementSerializer
    page_serializer = AnnouncementPageSerializer
    filters = AnnouncementFilters
    list_name = "records"
    deleted = "Informativo excluído."

    def _records(self, caller: User) -> QuerySet[Announcement]:
        return Announcement.objects.visible_to(caller)

    def _find(self, caller: User, record_id: int) -> Announcement:
        return announcements.get_announcement(user=caller, announcement_id=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Announcement:
        return announcements.create_announcement(fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> Announcement:
        return announcements.update_announcement(announcement_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        announcements.delete_announcement(
            actor=caller, announcement_id=record_id, ip_address=ip_address
        )

    @extend_schema(
        operation_id="announcements_media_create",
        parameters=[ID],
        request={"multipart/form-data": AnnouncementFileSerializer},
        responses=AnnouncementSerializer,
    )
    @action(detail=True, methods=["post"], url_path="media-upload", url_name="media")
    def attach_picture(self, request: Request, id: str) -> Response:
        """Attach a picture to an announcement; it replaces an earlier one."""
        self._find(caller_of(request), int(id))
        file = body_values(AnnouncementFileSerializer, request.data)["file"]
        announcement = announcements.attach_picture(
            announcement_id=int(id),
            content=file,
            name=file.name or "",
            mime=file.content_type or "",
        )
        return Response(self._row(announcement))

    @extend_schema(
        operation_id="announcements_media_destroy", parameters=[ID], responses=SentenceSerializer
    )
    @attach_picture.mapping.delete
    def remove_picture(self, request: Request, id: str) -> Response:
        """Remove an announcement's picture."""
        announcements.remove_picture(announcement_id=int(id))
        return Response({"message": "Arquivo excluído."})


@record_schema(
    "Help",
    list="Return a page of help videos, oldest first.",
    create="Create a help video; `video` is its code or its address at YouTube or Vimeo.",
    destroy="Delete a help video.",
)
class HelpViewSet(RecordViewSet):
    """The help videos; all users read them, the super user writes them."""

    input_serializer = HelpInputSerializer
    row_serializer = HelpSerializer
    page_serializer = HelpPageSerializer
    filters = HelpFilters
    list_name = "records"
    deleted = "Ajuda excluída."

    def _records(self, caller: User) -> QuerySet[Help]:
        return Help.objects.all()

    def _find(self, caller: User, record_id: int) -> Help:
        return helps.get_help(record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Help:
        return helps.create_help(fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> Help:
        return helps.update_help(help_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        helps.delete_help(actor=caller, help_id=record_id, ip_address=ip_address)

    @extend_schema(operation_id="listAllHelps", responses=HelpSerializer(many=True))
    @action(detail=False, url_path="list", url_name="all")
    def every(self, request: Request) -> Response:
        """Return all helps, oldest first, as a bare array."""
        return Response(rows_of(HelpSerializer, self._records(caller_of(request))))
