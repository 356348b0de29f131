"""The calls of the caller's second factor and sign-ins (rules/accounts §10)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import queries
from apps.accounts.serializers import (
    CodeSerializer,
    CurrentPasswordSerializer,
    EnrolmentSerializer,
    RecoveryCodesSerializer,
    SignInPageSerializer,
    SignInSerializer,
    TwoFactorSerializer,
)
from apps.accounts.services import two_factor
from apps.audit.queries import sign_ins_of
from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.paging import page_number, paginate
from apps.common.records import PAGE
from apps.common.serializers import SentenceSerializer, body_values, row_of, rows_of


class TwoFactorView(APIView):
    """The caller's second factor."""

    @extend_schema(operation_id="getTwoFactor", responses=TwoFactorSerializer)
    def get(self, request: Request) -> Response:
        """Return the state of the caller's second factor."""
        return Response(row_of(TwoFactorSerializer, queries.two_factor_of(caller_of(request))))

    @extend_schema(
        operation_id="beginTwoFactor",
        request=CurrentPasswordSerializer,
        responses=EnrolmentSerializer,
    )
    def post(self, request: Request) -> Response:
        """Create a secret for an authenticator.

        The second factor is on only after a code has confirmed it.
        """
        fields = body_values(CurrentPasswordSerializer, request.data)
        begun = two_factor.begin(
            user=caller_of(request), ip_address=client_address(request), **fields
        )
        return Response({"secret": begun.secret, "address": begun.address})

    @extend_schema(
        operation_id="confirmTwoFactor", request=CodeSerializer, responses=RecoveryCodesSerializer
    )
    def put(self, request: Request) -> Response:
        """Switch the second factor on with a code.

        Only this response contains the recovery codes.
        """
        fields = body_values(CodeSerializer, request.data)
        codes = two_factor.confirm(
            user=caller_of(request), ip_address=client_address(request), **fields
        )
        return Response({"recoveryCodes": codes})

    @extend_schema(
        operation_id="disableTwoFactor",
        request=CurrentPasswordSerializer,
        responses=SentenceSerializer,
    )
    def delete(self, request: Request) -> Response:
        """Switch the caller's second factor off."""
        fields = body_values(CurrentPasswordSerializer, request.data)
        two_factor.disable(user=caller_of(request), ip_address=client_address(request), **fields)
        return Response({"message": "Verificação em duas etapas desativada."})


class RecoveryCodesView(APIView):
    """The caller's recovery codes."""

    @extend_schema(
        operation_id="renewRecoveryCodes",
        request=CurrentPasswordSerializer,
        responses=RecoveryCodesSerializer,
    )
    def post(self, request: Request) -> Response:
        """Create new recovery codes; the earlier ones become invalid."""
        fields = body_values(CurrentPasswordSerializer, request.data)
        codes = two_factor.renew_recovery_codes(
            user=caller_of(request), ip_address=client_address(request), **fields
        )
        return Response({"recoveryCodes": codes})


class SignInsView(APIView):
    """The sign-ins of the caller's account."""

    @extend_schema(operation_id="listSignIns", parameters=[PAGE], responses=SignInPageSerializer)
    def get(self, request: Request) -> Response:
        """Return a page of sign-ins, newest first."""
        page = paginate(sign_ins_of(caller_of(request).pk), page_number(request))
        rows = rows_of(SignInSerializer, page.rows, language=preferred_language(request))
        return Response(page.body("records", rows))
