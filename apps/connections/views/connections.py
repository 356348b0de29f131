"""The calls on connections (rules/connections §6)."""

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.accounts.models import User
from apps.common.callers import caller_of, client_address
from apps.common.serializers import SentenceSerializer, body_values, row_of, rows_of
from apps.connections import services
from apps.connections.queries import shown_connections
from apps.connections.serializers.connection_changes import ConnectionWriteSerializer
from apps.connections.serializers.connections import (
    ConnectionSerializer,
    ConnectionTokenSerializer,
    PhoneAskSerializer,
    SessionStartSerializer,
    SessionWriteSerializer,
)
from apps.connections.serializers.profile import (
    BusinessProfileSerializer,
    BusinessProfileWriteSerializer,
)
from apps.connections.serializers.setup import (
    SetupCheckSerializer,
    SetupWriteSerializer,
    SignedUpSerializer,
    SignupOfferSerializer,
    SignupWriteSerializer,
    WebhookSerializer,
)
from apps.connections.views.catalogs import CatalogCalls
from apps.connections.views.templates import TemplateCalls, connection_of

SESSION = OpenApiParameter(
    "session",
    OpenApiTypes.STR,
    description="Ignored; older browsers send it. The response never contains session data.",
)
COMPANY = OpenApiParameter(
    "companyId",
    OpenApiTypes.STR,
    description=(
        "Ignored; older browsers send it. The response is always for the caller's company."
    ),
)


def _without_pairing(caller: User, row: dict[str, Any]) -> dict[str, Any]:
    """Return a connection's row; a program's has nothing that links a telephone or an account."""
    if caller.person is None:
        row.update(qrcode="", pairingCode="", accessToken="", token="")
    return row


class ConnectionViewSet(TemplateCalls, CatalogCalls, ViewSet):
    lookup_url_kwarg = "connection_id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="listConnections",
        parameters=[SESSION, COMPANY],
        responses=ConnectionSerializer(many=True),
    )
    def list(self, request: Request) -> Response:
        """Return the company's connections as a bare array."""
        caller = caller_of(request)
        shown = shown_connections(caller.company_id)
        rows = rows_of(ConnectionSerializer, shown.rows, paces=shown.paces, queues=shown.queues)
        return Response([_without_pairing(caller, row) for row in rows])

    @extend_schema(
        operation_id="createConnection",
        request=ConnectionWriteSerializer,
        responses={201: ConnectionSerializer},
    )
    def create(self, request: Request) -> Response:
        """Create a connection and verify it at the provider."""
        fields = body_values(ConnectionWriteSerializer, request.data)
        connection = services.create_connection(
            actor=caller_of(request),
            values=fields,
            ip_address=client_address(request),
        )
        return Response(row_of(ConnectionSerializer, connection), status=201)

    @extend_schema(
        operation_id="getConnection", parameters=[SESSION], responses=ConnectionSerializer
    )
    def retrieve(self, request: Request, connection_id: str) -> Response:
        """Return a connection."""
        row = row_of(ConnectionSerializer, connection_of(request, connection_id))
        return Response(_without_pairing(caller_of(request), row))

    @extend_schema(
        operation_id="updateConnection",
        request=ConnectionWriteSerializer,
        responses=ConnectionSerializer,
    )
    def update(self, request: Request, connection_id: str) -> Response:
        """Change a connection; omitted fields do not change."""
        connection = connection_of(request, connection_id)
        fields = body_values(ConnectionWriteSerializer, request.data, partial=True)
        connection = services.update_connection(
            actor=caller_of(request),
            connection=connection,
            values=fields,
            ip_address=client_address(request),
        )
        return Response(row_of(ConnectionSerializer, connection))

    @extend_schema(operation_id="deleteConnection", responses=SentenceSerializer)
    def destroy(self, request: Request, connection_id: str) -> Response:
        """Delete a connection; its tickets and messages stay, open and pending tickets are closed.

        409 with `ERR_CONNECTION_BUSY` when its stored events are not handled within ten seconds.
        """
        services.delete_connection(
            actor=caller_of(request),
            connection=connection_of(request, connection_id),
            ip_address=client_address(request),
        )
        return Response({"message": "Conexão excluída."})

    @extend_schema(
        operation_id="issueConnectionToken",
        request=None,
        responses={201: ConnectionTokenSerializer},
    )
    @action(detail=True, methods=["post"], url_path="token", url_name="token")
    def issue_token(self, request: Request, connection_id: str) -> Response:
        """Create a new token, shown only in this response; an earlier one becomes invalid."""
        token = services.issue_token(
            actor=caller_of(request),
            connection=connection_of(request, connection_id),
            ip_address=client_address(request),
        )
        return Response({"token": token}, status=201)

    @extend_schema(operation_id="revokeConnectionToken", responses=SentenceSerializer)
    @issue_token.mapping.delete
    def revoke_token(self, request: Request, connection_id: str) -> Response:
        """Revoke the connection's token."""
        services.revoke_token(
            actor=caller_of(request),
            connection=connection_of(request, connection_id),
            ip_address=client_address(request),
        )
        return Response({"message": "Token revogado."})

    @extend_schema(operation_id="dismissConnectionAlerts", responses=ConnectionSerializer)
    @action(detail=True, methods=["delete"], url_path="alerts", url_name="alerts")
    def dismiss_alerts(self, request: Request, connection_id: str) -> Response:
        """Remove the alerts of a connection."""
        connection = services.dismiss_alerts(
            actor=caller_of(request),
            connection=connection_of(request, connection_id),
            ip_address=client_address(request),
        )
        return Response(row_of(ConnectionSerializer, connection))

    @extend_schema(operation_id="showConnectionProfile", responses=BusinessProfileSerializer)
    @action(detail=True)
    def profile(self, request: Request, connection_id: str) -> Response:
        """Return the number's profile, read from Meta now."""
        profile = services.profile_of(connection_of(request, connection_id))
        return Response(row_of(BusinessProfileSerializer, profile))

    @extend_schema(
        operation_id="changeConnectionProfile",
        request=BusinessProfileWriteSerializer,
        responses=SentenceSerializer,
    )
    @profile.mapping.put
    def change_profile(self, request: Request, connection_id: str) -> Response:
        """Change the number's profile at Meta; omitted fields do not change."""
        connection = connection_of(request, connection_id)
        services.change_profile(
            actor=caller_of(request),
            connection=connection,
            changes=body_values(BusinessProfileWriteSerializer, request.data),
            ip_address=client_address(request),
        )
        return Response({"message": "Perfil atualizado."})

    @extend_schema(
        operation_id="askPhoneAgain", request=PhoneAskSerializer, responses=SentenceSerializer
    )
    @action(detail=True, methods=["post"], url_path="phone", url_name="phone")
    def ask_phone(self, request: Request, connection_id: str) -> Response:
        """Repeat a request for the phone's contacts or history that failed or is unclear.

        409 with `ERR_PHONE_SYNC_CLOSED` for any other request, or more than 24 hours after the
        signup.
        """
        services.ask_phone_again(
            actor=caller_of(request),
            connection=connection_of(request, connection_id),
            kind=body_values(PhoneAskSerializer, request.data)["kind"],
            ip_address=client_address(request),
        )
        return Response({"message": "O celular será consultado de novo."})

    @extend_schema(
        operation_id="checkConnectionSetup",
        request=SetupWriteSerializer,
        responses=SetupCheckSerializer,
    )
    @action(detail=False, methods=["post"])
    def check(self, request: Request) -> Response:
        """Check one setup step with the values of the form; nothing is saved."""
        fields = body_values(SetupWriteSerializer, request.data)
        check = services.check_setup(
            actor=caller_of(request),
            step=fields.pop("step"),
            subscribes=fields.pop("subscribes"),
            values=services.SetupValues(**fields),
            ip_address=client_address(request),
        )
        return Response(row_of(SetupCheckSerializer, check))

    @extend_schema(operation_id="showSignup", responses=SignupOfferSerializer)
    @action(detail=False)
    def signup(self, request: Request) -> Response:
        """Return whether embedded signup is offered, and what opens Meta's window."""
        return Response(row_of(SignupOfferSerializer, services.signup_offer()))

    @extend_schema(
        operation_id="signUpConnection",
        request=SignupWriteSerializer,
        responses={201: SignedUpSerializer},
    )
    @signup.mapping.post
    def sign_up(self, request: Request) -> Response:
        """Connect the number that the signup window returned.

        The same code, sent again after a failure, continues after the last completed step.
        """
        fields = body_values(SignupWriteSerializer, request.data)
        done = services.sign_up(
            actor=caller_of(request),
            values=services.SignupValues(**fields),
            ip_address=client_address(request),
        )
        return Response(row_of(SignedUpSerializer, done), status=201)

    @extend_schema(operation_id="showWebhook", responses=WebhookSerializer)
    @action(detail=False)
    def webhook(self, request: Request) -> Response:
        """Return the webhook's address and its verify token, to be entered at Meta."""
        return Response(
            {"address": services.webhook_address(), "verifyToken": settings.META_VERIFY_TOKEN}
        )


class ConnectionSessionView(APIView):
    """Start a connection, renew its QR code, and disconnect it."""

    @extend_schema(
        operation_id="startConnectionSession",
        request=SessionWriteSerializer,
        responses=SessionStartSerializer,
    )
    def post(self, request: Request, connection_id: str) -> Response:
        """Start a connection: verify an official number at Meta again, or start a QR session.

        With `number` a QR session is linked by a code that is typed into that phone.
        """
        connection = connection_of(request, connection_id)
        fields = body_values(SessionWriteSerializer, request.data)
        connection = services.start_session(connection=connection, **fields)
        sentence, reason = services.session_outcome(connection)
        return Response({"message": sentence, **reason.on_wire()})

    @extend_schema(
        operation_id="renewConnectionQrCode",
        request=SessionWriteSerializer,
        responses=SentenceSerializer,
    )
    def put(self, request: Request, connection_id: str) -> Response:
        """Ask for a new QR code; 400 with `ERR_WAPP_NO_QRCODE` for an official number."""
        connection = connection_of(request, connection_id)
        fields = body_values(SessionWriteSerializer, request.data)
        services.renew_qrcode(connection=connection, **fields)
        return Response({"message": "Novo QR Code solicitado."})

    @extend_schema(operation_id="endConnectionSession", request=None, responses=SentenceSerializer)
    def delete(self, request: Request, connection_id: str) -> Response:
        """Disconnect a connection; its sends wait until it is started again."""
        services.disconnect(
            actor=caller_of(request),
            connection=connection_of(request, connection_id),
            ip_address=client_address(request),
        )
        return Response({"message": "Conexão desligada. Os envios aguardam."})
