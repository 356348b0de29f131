"""The calls to reset a forgotten password (rules/accounts §11)."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.serializers import (
    NewPasswordSerializer,
    OlderAnswerSerializer,
    ResetOfferSerializer,
    ResetRequestSerializer,
)
from apps.accounts.services.password_reset import ask_reset, reset_password
from apps.accounts.throttles import count_reset, counted_code, forget_wrong_passwords
from apps.common.callers import client_address, preferred_language
from apps.common.serializers import SentenceSerializer, body_values
from apps.mail.services import is_set_up, require_server

ASKED = "Se houver uma conta com este e-mail, o código chega em instantes."
DONE = "Senha redefinida com sucesso."


def _ask(request: Request, sent: Any) -> None:
    require_server()
    email = body_values(ResetRequestSerializer, sent)["email"]
    count_reset(request, email)
    ask_reset(email=email, language=preferred_language(request))


def _confirm(request: Request, sent: Any) -> None:
    fields = body_values(NewPasswordSerializer, sent)
    with counted_code(request):
        user = reset_password(
            **fields,
            ip_address=client_address(request),
            language=preferred_language(request),
        )
    forget_wrong_passwords(request, user.email)


class PasswordResetView(APIView):
    """The request for a code."""

    authentication_classes = ()

    @extend_schema(operation_id="getPasswordReset", responses=ResetOfferSerializer, auth=[])
    def get(self, request: Request) -> Response:
        """Return whether this server can send codes."""
        return Response({"enabled": is_set_up()})

    @extend_schema(
        operation_id="askPasswordReset",
        request=ResetRequestSerializer,
        responses=SentenceSerializer,
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Send a code to the address, if it has an account; the answer does not say."""
        _ask(request, request.data)
        return Response({"message": ASKED})


class PasswordResetConfirmView(APIView):
    """The new password."""

    authentication_classes = ()

    @extend_schema(
        operation_id="resetPassword",
        request=NewPasswordSerializer,
        responses=SentenceSerializer,
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Set a new password with the code; all sessions of the account end."""
        _confirm(request, request.data)
        return Response({"message": DONE})


def _older_answer(message: str) -> Response:
    # Older pages expect `status` 404 for an unknown address. It is always 200.
    return Response({"status": 200, "message": message})


class OlderPasswordResetView(APIView):
    """The request for a code, at the path of older browsers."""

    authentication_classes = ()

    @extend_schema(
        operation_id="askPasswordResetOlder",
        request=None,
        responses=OlderAnswerSerializer,
        auth=[],
    )
    def post(self, request: Request, email: str) -> Response:
        """Send a code to the address, if it has an account; the answer does not say."""
        _ask(request, {"email": email})
        return _older_answer(ASKED)


class OlderPasswordResetConfirmView(APIView):
    """The new password, at the path of older browsers."""

    authentication_classes = ()

    @extend_schema(
        operation_id="resetPasswordOlder",
        request=None,
        responses=OlderAnswerSerializer,
        auth=[],
    )
    def post(self, request: Request, **parts: str) -> Response:
        """Set a new password; it is part of the path, which is kept out of the logs."""
        sent: Mapping[str, str] = {
            "email": parts["email"],
            "code": parts["token"],
            "password": parts["new_password"],
        }
        _confirm(request, sent)
        return _older_answer(DONE)
