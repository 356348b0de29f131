"""The calls of queues (rules/queues §1)."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address
from apps.common.errors import InvalidInput
from apps.common.records import ID
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    query_values,
    row_of,
    rows_of,
)
from apps.queues.models import Queue, QueueOption
from apps.queues.queries import menu_of, options_of, queues_of, usage_of
from apps.queues.serializers import (
    OptionFileSerializer,
    OptionFiltersSerializer,
    OptionInputSerializer,
    OptionSerializer,
    QueueInputSerializer,
    QueueSerializer,
    QueueUsageSerializer,
    QueueWithOptionsSerializer,
    option_rows,
)
from apps.queues.services import options as option_services
from apps.queues.services import queues as services

# The parameter is not called `pk`, as the router would, because the schema sorts by paths.
_FILE_PATH = r"(?P<id>\d+)/media-upload"


class QueueViewSet(ViewSet):
    lookup_value_regex = "[0-9]+"

    @extend_schema(
        operation_id="listQueues",
        parameters=[
            OpenApiParameter(
                "companyId",
                OpenApiTypes.STR,
                description="Ignored: the response is always for the caller's company.",
            )
        ],
        responses=QueueSerializer(many=True),
    )
    def list(self, request: Request) -> Response:
        """Return all queues in their order."""
        caller = caller_of(request)
        return Response(rows_of(QueueSerializer, queues_of(caller.company_id)))

    @extend_schema(operation_id="getQueue", responses=QueueWithOptionsSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one queue with its menu of options."""
        caller = caller_of(request)
        return _answer(services.get_queue(company_id=caller.company_id, queue_id=int(pk)))

    @extend_schema(
        operation_id="createQueue",
        request=QueueInputSerializer,
        responses={201: QueueWithOptionsSerializer},
    )
    def create(self, request: Request) -> Response:
        """Create a queue, with its menu when `options` are given.

        The company's only queue gets the caller as a member, and its only connection.
        """
        caller = caller_of(request)
        fields = body_values(QueueInputSerializer, request.data)
        fields.pop("if_updated_at", None)
        queue = services.create_queue(
            actor=caller,
            options=fields.pop("options", ()),
            fields=fields,
            ip_address=client_address(request),
        )
        return _answer(queue, status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="updateQueue",
        request=QueueInputSerializer,
        responses=QueueWithOptionsSerializer,
    )
    def update(self, request: Request, pk: str) -> Response:
        """Change a queue; omitted fields do not change.

        `options` replaces the whole menu: options with an id are changed, those without are
        created, and omitted ones are deleted. 409 with `ERR_QUEUE_CHANGED` when `ifUpdatedAt` is
        given and the queue was saved since.
        """
        caller = caller_of(request)
        fields = body_values(QueueInputSerializer, request.data, partial=True)
        queue = services.update_queue(
            company_id=caller.company_id,
            queue_id=int(pk),
            options=fields.pop("options", None),
            seen_at=fields.pop("if_updated_at", None),
            fields=fields,
        )
        return _answer(queue)

    @extend_schema(operation_id="deleteQueue", responses=SentenceSerializer)
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a queue with its options and its prompts; its tickets stay."""
        caller = caller_of(request)
        services.delete_queue(actor=caller, queue_id=int(pk), ip_address=client_address(request))
        return Response({"message": "Fila excluída."})

    @extend_schema(operation_id="getQueueUsage", responses=QueueUsageSerializer)
    @action(detail=True, url_path="usage")
    def usage(self, request: Request, pk: str) -> Response:
        """Count the records that the deletion of a queue would affect."""
        caller = caller_of(request)
        return Response(
            usage_of(services.get_queue(company_id=caller.company_id, queue_id=int(pk)))
        )


def _answer(queue: Queue, status_code: int = status.HTTP_200_OK) -> Response:
    row = row_of(QueueSerializer, queue)
    return Response({**row, "options": option_rows(menu_of(queue.pk))}, status=status_code)


class OptionViewSet(ViewSet):
    """Options of the queues of the caller's company, one at a time (rules/queues §2)."""

    lookup_value_regex = "[0-9]+"

    @extend_schema(
        operation_id="listQueueOptions",
        parameters=[OptionFiltersSerializer],
        responses=OptionSerializer(many=True),
    )
    def list(self, request: Request) -> Response:
        """Return the options below `parentId`, or all of `queueId`, as trees."""
        caller = caller_of(request)
        filters = query_values(OptionFiltersSerializer, request.query_params)
        queue_id, parent_id = filters.get("queue_id"), filters.get("parent_id")
        if queue_id is None and parent_id is None:
            sentence = "Informe a fila."
            raise InvalidInput(sentence, fields={"queueId": [sentence]}, rule="required")
        options = options_of(caller.company_id, queue_id=queue_id, parent_id=parent_id)
        return Response(option_rows(options, parent_id))

    @extend_schema(
        operation_id="createQueueOption",
        request=OptionInputSerializer,
        responses={201: OptionSerializer},
    )
    def create(self, request: Request) -> Response:
        """Add an option to a queue's menu."""
        caller = caller_of(request)
        fields = body_values(OptionInputSerializer, request.data)
        option = option_services.create_option(
            company_id=caller.company_id, queue_id=fields.pop("queue_id"), fields=fields
        )
        return _option_answer(option, status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="updateQueueOption",
        request=OptionInputSerializer,
        responses=OptionSerializer,
    )
    def update(self, request: Request, pk: str) -> Response:
        """Change an option; omitted fields do not change."""
        caller = caller_of(request)
        fields = body_values(OptionInputSerializer, request.data, partial=True)
        option = option_services.update_option(
            company_id=caller.company_id, option_id=int(pk), fields=fields
        )
        return _option_answer(option)

    @extend_schema(operation_id="deleteQueueOption", responses=SentenceSerializer)
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete an option and all below it."""
        caller = caller_of(request)
        option_services.delete_option(company_id=caller.company_id, option_id=int(pk))
        return Response({"message": "Opção excluída."})

    @extend_schema(
        operation_id="attachQueueOptionFile",
        parameters=[ID],
        request={"multipart/form-data": OptionFileSerializer},
        responses=OptionSerializer,
    )
    @action(detail=False, methods=["post"], url_path=_FILE_PATH, url_name="file")
    def attach_file(self, request: Request, id: str) -> Response:
        """Attach a file to an option; it replaces an earlier one."""
        caller = caller_of(request)
        option_services.get_option(company_id=caller.company_id, option_id=int(id))
        file = body_values(OptionFileSerializer, request.data)["file"]
        option = option_services.attach_file(
            company_id=caller.company_id,
            option_id=int(id),
            content=file,
            name=file.name or "",
            mime=file.content_type or "",
        )
        return _option_answer(option)

    @extend_schema(
        operation_id="removeQueueOptionFile", parameters=[ID], responses=SentenceSerializer
    )
    @attach_file.mapping.delete
    def remove_file(self, request: Request, id: str) -> Response:
        """Remove an option's file."""
        caller = caller_of(request)
        option_services.remove_file(company_id=caller.company_id, option_id=int(id))
        return Response({"message": "Arquivo excluído."})


def _option_answer(option: QueueOption, status_code: int = status.HTTP_200_OK) -> Response:
    level = option_rows(menu_of(option.queue_id), option.parent_id)
    row = next(row for row in level if row["id"] == option.pk)
    return Response(row, status=status_code)
