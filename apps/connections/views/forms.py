"""The forms of the bot's questions (rules/bot §12)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of
from apps.common.serializers import rows_of
from apps.connections import services
from apps.connections.serializers.forms import QueueFormSerializer
from apps.queues.services.queues import get_queue


class QueueFormsView(APIView):
    @extend_schema(operation_id="listQueueForms", responses=QueueFormSerializer(many=True))
    def get(self, request: Request, queue_id: str) -> Response:
        """Return how the questions that are asked together are asked on each connection."""
        caller = caller_of(request)
        queue = get_queue(company_id=caller.company_id, queue_id=int(queue_id))
        return Response(rows_of(QueueFormSerializer, services.forms_shown(queue)))
