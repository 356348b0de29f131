"""The call that tests a queue's bot before the queue is saved."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of
from apps.common.serializers import body_values
from apps.tickets.serializers.testchat import TestChatAnswerSerializer, TestChatInputSerializer
from apps.tickets.services.bot.queue_drafts import QueueDraft
from apps.tickets.services.bot.routing import FormAnswer, MessageView
from apps.tickets.services.bot.testchat import answer_draft


class TestChatView(APIView):
    """A test conversation with the bot of a draft, which writes nothing."""

    @extend_schema(
        operation_id="testQueueChat",
        request=TestChatInputSerializer,
        responses=TestChatAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        """Answer a message as the bot of the given queue would."""
        values = body_values(TestChatInputSerializer, request.data)
        form = values.get("form")
        return Response(
            answer_draft(
                actor=caller_of(request),
                draft=QueueDraft(**{"name": "", **values["queue"]}),
                queue_id=values.get("queue_id"),
                state=values.get("state"),
                message=MessageView(
                    values.get("text", ""),
                    choice_id=values.get("choice_id", ""),
                    form=FormAnswer(**form) if form else None,
                ),
                now=values.get("at") or timezone.now(),
            )
        )
