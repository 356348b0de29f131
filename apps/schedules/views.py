"""The calls of schedules (rules/schedules §1)."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.paging import PAGE_SIZE, page_number, paginate
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    query_values,
    row_of,
    rows_of,
)
from apps.companies.queries import zone_of
from apps.schedules.queries import found_schedules
from apps.schedules.serializers import (
    ScheduledMessageFormSerializer,
    ScheduledMessageInputSerializer,
    ScheduledMessageMediaSerializer,
    ScheduledMessagePageSerializer,
    ScheduledMessageQuerySerializer,
    ScheduledMessageSerializer,
    moment_in,
)
from apps.schedules.services import schedules as services

PAGE = OpenApiParameter("pageNumber", int, description="Page number, from 1.")
# The calendar loads a whole month in one call.
CALENDAR_PAGE_SIZE = 200


# A form contains the file too, so that a schedule that is due at once is not sent without it.
INPUT = {
    "application/json": ScheduledMessageInputSerializer,
    "multipart/form-data": ScheduledMessageFormSerializer,
}


def _input(request: Request, *, partial: bool = False) -> dict[str, Any]:
    zone = zone_of(caller_of(request).company_id)
    values: dict[str, Any] = body_values(
        ScheduledMessageInputSerializer, request.data, partial=partial, zone=zone
    )
    return values


def _file(request: Request) -> UploadedFile[Any] | None:
    """Return the file of a form, None without one."""
    if "file" not in request.data:
        return None
    file: UploadedFile[Any] = body_values(ScheduledMessageMediaSerializer, request.data)["file"]
    return file


class ScheduleViewSet(ViewSet):
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="listSchedules",
        parameters=[ScheduledMessageQuerySerializer, PAGE],
        responses=ScheduledMessagePageSerializer,
    )
    def list(self, request: Request) -> Response:
        """Return a page of schedules by their time, soonest first.

        With `order=desc` the latest is first. A page has 20 schedules, or 200 when both `dateStart`
        and `dateEnd` are given. The days of both are included.
        """
        caller = caller_of(request)
        given = query_values(ScheduledMessageQuerySerializer, request.query_params)
        start, end = given.pop("start", None), given.pop("end", None)
        if start is not None or end is not None:
            zone = zone_of(caller.company_id)
            start = start and moment_in(zone, start)
            end = end and moment_in(zone, end, is_end=True)
        found = found_schedules(
            caller,
            start=start,
            end=end,
            newest_first=given.pop("order", "") == "desc",
            **given,
        )
        size = CALENDAR_PAGE_SIZE if start and end else PAGE_SIZE
        page = paginate(found, page_number(request), size)
        return Response(page.body("schedules", rows_of(ScheduledMessageSerializer, page.rows)))

    @extend_schema(operation_id="getSchedule", responses=ScheduledMessageSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one schedule."""
        found = services.get_schedule(user=caller_of(request), schedule_id=int(pk))
        return Response(row_of(ScheduledMessageSerializer, found))

    @extend_schema(
        operation_id="createSchedule",
        request=INPUT,
        responses={201: ScheduledMessageSerializer},
    )
    def create(self, request: Request) -> Response:
        """Schedule a message; a `sendAt` without a zone is in the company's zone."""
        made = services.create_schedule(
            user=caller_of(request), fields=_input(request), file=_file(request)
        )
        return Response(row_of(ScheduledMessageSerializer, made), status=201)

    @extend_schema(
        operation_id="updateSchedule",
        request=INPUT,
        responses=ScheduledMessageSerializer,
    )
    def update(self, request: Request, pk: str) -> Response:
        """Change a schedule that was not sent; omitted fields do not change.

        A failed schedule is planned anew. 409 with `ERR_SCHEDULE_ALREADY_SENT` or
        `ERR_SCHEDULE_BEING_SENT` when it is too late.
        """
        schedule_id = int(pk)
        caller = caller_of(request)
        services.get_schedule(user=caller, schedule_id=schedule_id)
        changed = services.update_schedule(
            user=caller,
            schedule_id=schedule_id,
            changes=_input(request, partial=True),
            file=_file(request),
        )
        return Response(row_of(ScheduledMessageSerializer, changed))

    @extend_schema(operation_id="deleteSchedule", responses=SentenceSerializer)
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a schedule; a message that was sent stays in its conversation."""
        services.delete_schedule(user=caller_of(request), schedule_id=int(pk))
        return Response({"message": "Agendamento excluído."})

    @extend_schema(
        operation_id="attachScheduleMedia",
        request={"multipart/form-data": ScheduledMessageMediaSerializer},
        responses=ScheduledMessageSerializer,
    )
    @action(detail=True, methods=["post"], url_path="media-upload", url_name="media")
    def attach_media(self, request: Request, pk: str) -> Response:
        """Attach a file to a schedule; it replaces an earlier one."""
        caller = caller_of(request)
        services.get_schedule(user=caller, schedule_id=int(pk))
        fields = body_values(ScheduledMessageMediaSerializer, request.data)
        changed = services.attach_media(user=caller, schedule_id=int(pk), file=fields["file"])
        return Response(row_of(ScheduledMessageSerializer, changed))

    @extend_schema(operation_id="removeScheduleMedia", responses=ScheduledMessageSerializer)
    @attach_media.mapping.delete
    def remove_media(self, request: Request, pk: str) -> Response:
        """Remove a schedule's file."""
        changed = services.remove_media(user=caller_of(request), schedule_id=int(pk))
        return Response(row_of(ScheduledMessageSerializer, changed))

    @extend_schema(operation_id="retrySchedule", request=None, responses=ScheduledMessageSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str) -> Response:
        """Send the message of a failed schedule again now."""
        armed = services.retry_schedule(user=caller_of(request), schedule_id=int(pk))
        return Response(row_of(ScheduledMessageSerializer, armed))
