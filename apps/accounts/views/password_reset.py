"""The calls of who forgot the password (rules/accounts §11)."""

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
    """Ask for a code."""

    authentication_classes = ()

    @extend_schema(operation_id="getPasswordReset", responses=ResetOfferSerializer, auth=[])
    def get(self, request: Request) -> Response:
        """Tell whether codes can be sent here."""
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
    """Show the code."""

    authentication_classes = ()

    @extend_schema(
        operation_id="resetPassword",
        request=NewPasswordSerializer,
        responses=SentenceSerializer,
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Set a new password; every session of the account ends."""
        _confirm(request, request.data)
        return Response({"message": DONE})


def _older_answer(message: str) -> Response:
    # Older pages look for a 404 in here; it is never there.
    return Response({"status": 200, "message": message})


class OlderPasswordResetView(APIView):
    """The same, where older browsers ask."""

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
    """The same, where older browsers show the code."""

    authentication_classes = ()

    @extend_schema(
        operation_id="resetPasswordOlder",
        request=None,
        responses=OlderAnswerSerializer,
        auth=[],
    )
    def post(self, request: Request, **parts: str) -> Response:
        """Set a new password, which no log keeps, though it stands in the address."""
        sent: Mapping[str, str] = {
            "email": parts["email"],
            "code": parts["token"],
            "password": parts["new_password"],
        }
        _confirm(request, sent)
        return _older_answer(DONE)
