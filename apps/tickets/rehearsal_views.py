"""The call that tries a queue's bot before it is saved."""

from typing import cast

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.tickets.routing import Inbound
from apps.tickets.serializers.rehearsals import RehearsalAnswerSerializer, RehearsalInputSerializer
from apps.tickets.services.rehearsals import QueueDraft, answer_draft


class RehearsalView(APIView):
    """A rehearsal: it reads, decides and writes nothing."""

    @extend_schema(
        operation_id="testQueueChat",
        request=RehearsalInputSerializer,
        responses=RehearsalAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Answer a message as the bot of the given queue would."""
        serializer = RehearsalInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        values = serializer.validated_data
        return Response(
            answer_draft(
                actor=cast(User, request.user),
                draft=QueueDraft(**{"name": "", **values["queue"]}),
                queue_id=values.get("queue_id"),
                state=values.get("state"),
                inbound=Inbound(values.get("text", ""), choice_id=values.get("choice_id", "")),
                now=values.get("at") or timezone.now(),
            )
        )
