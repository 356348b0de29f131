"""The calls of queues (specification 2 §7)."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.addresses import client_address
from apps.common.serializers import SentenceSerializer
from apps.queues.services import queues as services
from apps.queues.models import Queue
from apps.queues.serializers import QueueInputSerializer, QueueSerializer, queue_row


class QueueViewSet(ViewSet):
    """Queues of the caller's company."""

    lookup_value_regex = "[0-9]+"

    @extend_schema(
        operation_id="listQueues",
        parameters=[
            OpenApiParameter(
                "companyId", OpenApiTypes.INT, description="Ignored: always the own company."
            )
        ],
        responses=QueueSerializer(many=True),
    )
    def list(self, request: Request) -> Response:
        """Return all queues in their order."""
        caller: Any = request.user
        queues = Queue.objects.for_company(caller.company_id)
        return Response([queue_row(queue) for queue in queues])

    @extend_schema(operation_id="getQueue", responses=QueueSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one queue."""
        caller: Any = request.user
        queue = services.get_queue(company_id=caller.company_id, queue_id=int(pk))
        return Response(queue_row(queue))

    @extend_schema(
        operation_id="createQueue",
        request=QueueInputSerializer,
        responses={201: QueueSerializer},
    )
    def create(self, request: Request) -> Response:
        """Create a queue."""
        caller: Any = request.user
        serializer = QueueInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        queue = services.create_queue(
            company_id=caller.company_id, fields=serializer.validated_data
        )
        return Response(queue_row(queue), status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="updateQueue", request=QueueInputSerializer, responses=QueueSerializer
    )
    def update(self, request: Request, pk: str) -> Response:
        """Change a queue; fields left out do not change."""
        caller: Any = request.user
        serializer = QueueInputSerializer(data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        queue = services.update_queue(
            company_id=caller.company_id, queue_id=int(pk), fields=serializer.validated_data
        )
        return Response(queue_row(queue))

    @extend_schema(operation_id="deleteQueue", responses=SentenceSerializer)
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a queue; its tickets stay, without a queue."""
        caller: Any = request.user
        services.delete_queue(actor=caller, queue_id=int(pk), ip_address=client_address(request))
        return Response({"message": "Fila excluída."})
