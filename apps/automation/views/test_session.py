"""The call that tries an integration (specification 3 §7)."""

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.automation.serializers.test_session import (
    TestSessionInputSerializer,
    TestSessionSerializer,
)
from apps.automation.services.test_session import try_integration
from apps.automation.throttles import SessionTestThrottle

if TYPE_CHECKING:
    from apps.accounts.models import User


class TestSession(APIView):
    """Asking an integration once."""

    __test__ = False

    @extend_schema(
        operation_id="testIntegration",
        request=TestSessionInputSerializer(partial=True),
        responses=TestSessionSerializer,
    )
    def post(self, request: Request) -> Response:
        """Answer what the integration says; nothing is saved."""
        serializer = TestSessionInputSerializer(data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        # Only what would reach the other side counts.
        throttle = SessionTestThrottle()
        if not throttle.allow_request(request, self):
            self.throttled(request, throttle.wait() or 0)
        fields: dict[str, Any] = dict(serializer.validated_data)
        text = fields.pop("text", "") or ""
        messages = try_integration(actor=cast("User", request.user), fields=fields, text=text)
        return Response({"messages": messages})
