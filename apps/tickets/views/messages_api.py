"""The messages API: how programs send, each with the token of a connection."""

from typing import Any, cast

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from apps.accounts.throttles import count_unknown_token
from apps.common.attempts import wait_after
from apps.common.serializers import body_values
from apps.connections.models import Connection
from apps.tickets.serializers.messages_api import (
    ApiMediaSerializer,
    ApiMessageSerializer,
    ApiSentSerializer,
)
from apps.tickets.services.messages.messages_api import (
    ApiMessage,
    InvalidToken,
    connection_of_api_token,
    send_through_api,
)
from apps.tickets.services.messages.templates import TemplateChoice

FILE_FIELDS = ("medias", "medias[]")


class ConnectionToken(BaseAuthentication):
    """A connection's token, as bearer or in the header `token`; `request.auth` is the connection.

    Raises what `connection_of_api_token` raises, and TooManyAttempts after many unknown ones.
    """

    def authenticate(self, request: Request) -> tuple[None, Connection]:
        scheme, _, token = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            token = request.headers.get("token", "")
        try:
            return None, connection_of_api_token(token.strip())
        except InvalidToken:
            # Only unknown tokens are limited: a flow with an old token blocks no other flow of its
            # server.
            count_unknown_token(request)
            raise

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class TokenThrottle(BaseThrottle):
    """Limit each connection's token to API_SENDS_PER_MINUTE; without the cache there is no
    limit.
    """

    _left = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count a send, and tell whether it is allowed in this minute."""
        connection = cast(Connection, request.auth)
        self._left = wait_after(f"api-sends:{connection.pk}", most=settings.API_SENDS_PER_MINUTE)
        return not self._left

    def wait(self) -> float:
        """Return the seconds until the next minute."""
        return self._left


class MessagesApiView(APIView):
    authentication_classes = (ConnectionToken,)
    throttle_classes = (TokenThrottle,)

    @extend_schema(
        operation_id="sendForProgram",
        auth=[],
        parameters=[
            OpenApiParameter(
                "Authorization",
                OpenApiTypes.STR,
                OpenApiParameter.HEADER,
                description=(
                    "`Bearer <token>` with the connection's token; the header `token` is"
                    " accepted too."
                ),
            ),
            OpenApiParameter(
                "Idempotency-Key",
                OpenApiTypes.STR,
                OpenApiParameter.HEADER,
                description=(
                    "Up to 255 characters. A request with the same key and content gets the"
                    " earlier response and sends nothing."
                ),
            ),
        ],
        request={
            "application/json": ApiMessageSerializer,
            "multipart/form-data": ApiMediaSerializer,
        },
        responses={200: ApiSentSerializer},
    )
    def post(self, request: Request) -> Response:
        """Send a text, files, a template or choices.

        The response has the ids of the messages and of their ticket.
        """
        files = [file for name in FILE_FIELDS for file in request.FILES.getlist(name)]
        data: Any = request.data
        if files:
            fields = {key: data[key] for key in data if key not in FILE_FIELDS}
            values = body_values(ApiMediaSerializer, {**fields, "medias": files})
        else:
            values = body_values(ApiMessageSerializer, data)
        template = values.get("template")
        answer = send_through_api(
            connection=cast(Connection, request.auth),
            message=ApiMessage(
                number=values["number"],
                complete_numbers=values.get("complete_numbers", False),
                body=values.get("body", ""),
                files=files,
                media_url=values.get("media_url", ""),
                template=TemplateChoice(**template) if template else None,
                menu=values.get("interactive"),
            ),
            key=request.headers.get("Idempotency-Key", "").strip(),
        )
        return Response(answer)


class OlderMessagesApiView(MessagesApiView):
    """The same call at an older address, which the schema does not show."""

    schema = None
