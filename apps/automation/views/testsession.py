"""The call that tries an integration (rules/automation §10)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.automation.serializers.testsession import (
    TestSessionInputSerializer,
    TestSessionSerializer,
)
from apps.automation.services.testsession import try_integration
from apps.automation.throttles import TestSessionThrottle
from apps.common.callers import caller_of
from apps.common.serializers import body_values


class TestSessionView(APIView):
    """Asking an integration once."""

    @extend_schema(
        operation_id="testIntegration",
        request=TestSessionInputSerializer(partial=True),
        responses=TestSessionSerializer,
    )
    def post(self, request: Request) -> Response:
        """Answer what the integration says; nothing is saved."""
        fields = body_values(TestSessionInputSerializer, request.data, partial=True)
        # Only what would reach the other side counts.
        throttle = TestSessionThrottle()
        if not throttle.allow_request(request, self):
            self.throttled(request, throttle.wait() or 0)
        text = fields.pop("text", "") or ""
        trial = try_integration(actor=caller_of(request), fields=fields, text=text)
        named = trial.reason.on_wire() if trial.reason.code else {}
        return Response({"messages": trial.messages, **named})
