"""The calls on connections (rules/connections §6)."""

from dataclasses import asdict

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.serializers import SentenceSerializer, body_values
from apps.connections import services
from apps.connections.models import Connection
from apps.connections.queries import connections_of
from apps.connections.serializers.connections import (
    ConnectionSerializer,
    ConnectionTokenSerializer,
    ConnectionWriteSerializer,
    PhoneAskSerializer,
    SessionStartSerializer,
    SessionWriteSerializer,
    SetupCheckSerializer,
    SetupWriteSerializer,
    SignedUpSerializer,
    SignupOfferSerializer,
    SignupWriteSerializer,
    WebhookSerializer,
    connection_row,
)
from apps.connections.serializers.profile import (
    BusinessProfileSerializer,
    BusinessProfileWriteSerializer,
)

SESSION = OpenApiParameter(
    "session",
    OpenApiTypes.STR,
    description="Ignored, for older browsers: session data are never part of the answer.",
)
COMPANY = OpenApiParameter(
    "companyId",
    OpenApiTypes.STR,
    description="Ignored, for older browsers: the answer is always the caller's company.",
)


def _connection(request: Request, connection_id: int) -> Connection:
    return services.connection_for(company_id=caller_of(request).company_id, pk=connection_id)


class ConnectionListView(APIView):
    """All connections of the company, and new ones."""

    @extend_schema(
        operation_id="listConnections",
        parameters=[SESSION, COMPANY],
        responses=ConnectionSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List the company's connections."""
        rows = connections_of(caller_of(request).company_id)
        return Response([connection_row(connection) for connection in rows])

    @extend_schema(
        operation_id="createConnection",
        request=ConnectionWriteSerializer,
        responses={201: ConnectionSerializer},
    )
    def post(self, request: Request) -> Response:
        """Add a connection and verify it at the provider."""
        fields = body_values(ConnectionWriteSerializer, request.data)
        connection = services.create_connection(
            actor=caller_of(request),
            values=fields,
            ip_address=client_address(request),
        )
        return Response(connection_row(connection), status=201)


class ConnectionDetailView(APIView):
    """One connection."""

    @extend_schema(
        operation_id="getConnection", parameters=[SESSION], responses=ConnectionSerializer
    )
    def get(self, request: Request, connection_id: int) -> Response:
        """Show a connection."""
        return Response(connection_row(_connection(request, connection_id)))

    @extend_schema(
        operation_id="updateConnection",
        request=ConnectionWriteSerializer,
        responses=ConnectionSerializer,
    )
    def put(self, request: Request, connection_id: int) -> Response:
        """Change what the body names; the rest stays."""
        connection = _connection(request, connection_id)
        fields = body_values(ConnectionWriteSerializer, request.data, partial=True)
        connection = services.update_connection(
            actor=caller_of(request),
            connection=connection,
            values=fields,
            ip_address=client_address(request),
        )
        return Response(connection_row(connection))

    @extend_schema(operation_id="deleteConnection", responses=SentenceSerializer)
    def delete(self, request: Request, connection_id: int) -> Response:
        """Delete a connection; its history stays, its open tickets close."""
        services.delete_connection(
            actor=caller_of(request),
            connection=_connection(request, connection_id),
            ip_address=client_address(request),
        )
        return Response({"message": "Conexão excluída."})


class ConnectionSessionView(APIView):
    """Start, renew and end what keeps a connection up."""

    @extend_schema(
        operation_id="startConnectionSession",
        request=SessionWriteSerializer,
        responses=SessionStartSerializer,
    )
    def post(self, request: Request, connection_id: int) -> Response:
        """Start: an official number is verified at Meta again, a QR session brought up.

        With `number` a QR session is linked by a code that is typed into that phone.
        """
        connection = _connection(request, connection_id)
        fields = body_values(SessionWriteSerializer, request.data)
        connection = services.start_session(connection=connection, **fields)
        sentence, reason = services.session_outcome(connection)
        return Response({"message": sentence, **reason.on_wire()})

    @extend_schema(
        operation_id="renewConnectionQrCode",
        request=SessionWriteSerializer,
        responses=SentenceSerializer,
    )
    def put(self, request: Request, connection_id: int) -> Response:
        """Ask for a new QR code; an official number has none (400)."""
        connection = _connection(request, connection_id)
        fields = body_values(SessionWriteSerializer, request.data)
        services.renew_qrcode(connection=connection, **fields)
        return Response({"message": "Novo QR Code solicitado."})

    @extend_schema(operation_id="endConnectionSession", request=None, responses=SentenceSerializer)
    def delete(self, request: Request, connection_id: int) -> Response:
        """Disconnect: sends wait until it is started again."""
        services.disconnect(
            actor=caller_of(request),
            connection=_connection(request, connection_id),
            ip_address=client_address(request),
        )
        return Response({"message": "Conexão desligada. Os envios aguardam."})


class ConnectionTokenView(APIView):
    """The token with which programs send through a connection."""

    @extend_schema(
        operation_id="issueConnectionToken",
        request=None,
        responses={201: ConnectionTokenSerializer},
    )
    def post(self, request: Request, connection_id: int) -> Response:
        """Make a new token, shown this once; one that was there ends."""
        token = services.issue_token(
            actor=caller_of(request),
            connection=_connection(request, connection_id),
            ip_address=client_address(request),
        )
        return Response({"token": token}, status=201)

    @extend_schema(operation_id="revokeConnectionToken", responses=SentenceSerializer)
    def delete(self, request: Request, connection_id: int) -> Response:
        """End the token."""
        services.revoke_token(
            actor=caller_of(request),
            connection=_connection(request, connection_id),
            ip_address=client_address(request),
        )
        return Response({"message": "Token revogado."})


class ConnectionAlertsView(APIView):
    """What Meta wanted people to know of a connection."""

    @extend_schema(operation_id="dismissConnectionAlerts", responses=ConnectionSerializer)
    def delete(self, request: Request, connection_id: int) -> Response:
        """Take the alerts away, once they are read."""
        connection = services.dismiss_alerts(
            actor=caller_of(request),
            connection=_connection(request, connection_id),
            ip_address=client_address(request),
        )
        return Response(connection_row(connection))


class ConnectionProfileView(APIView):
    """What an official number shows of itself in WhatsApp."""

    @extend_schema(operation_id="showConnectionProfile", responses=BusinessProfileSerializer)
    def get(self, request: Request, connection_id: int) -> Response:
        """Show the profile as Meta has it now."""
        profile = services.profile_of(_connection(request, connection_id))
        return Response(BusinessProfileSerializer(profile).data)

    @extend_schema(
        operation_id="changeConnectionProfile",
        request=BusinessProfileWriteSerializer,
        responses=SentenceSerializer,
    )
    def put(self, request: Request, connection_id: int) -> Response:
        """Change what the body names at Meta's; the rest stays."""
        connection = _connection(request, connection_id)
        services.change_profile(
            actor=caller_of(request),
            connection=connection,
            changes=body_values(BusinessProfileWriteSerializer, request.data),
            ip_address=client_address(request),
        )
        return Response({"message": "Perfil atualizado."})


class ConnectionPhoneView(APIView):
    """What the phone of a number that stays in its app is asked for."""

    @extend_schema(
        operation_id="askPhoneAgain", request=PhoneAskSerializer, responses=SentenceSerializer
    )
    def post(self, request: Request, connection_id: int) -> Response:
        """Ask once more what failed or is unclear."""
        services.ask_phone_again(
            actor=caller_of(request),
            connection=_connection(request, connection_id),
            kind=body_values(PhoneAskSerializer, request.data)["kind"],
            ip_address=client_address(request),
        )
        return Response({"message": "O celular será consultado de novo."})


class SetupCheckView(APIView):
    """How far the set-up of a number at Meta's is."""

    @extend_schema(
        operation_id="checkConnectionSetup",
        request=SetupWriteSerializer,
        responses=SetupCheckSerializer,
    )
    def post(self, request: Request) -> Response:
        """Look at one step with what is in the form; nothing is saved."""
        fields = body_values(SetupWriteSerializer, request.data)
        check = services.check_setup(
            actor=caller_of(request),
            step=fields.pop("step"),
            subscribes=fields.pop("subscribes"),
            values=services.SetupValues(**fields),
            ip_address=client_address(request),
        )
        return Response(asdict(check))


class SignupView(APIView):
    """Adding a number with Meta's embedded signup."""

    @extend_schema(operation_id="showSignup", responses=SignupOfferSerializer)
    def get(self, request: Request) -> Response:
        """Show whether the button is there, and how Meta's window is opened."""
        return Response(SignupOfferSerializer(services.signup_offer()).data)

    @extend_schema(
        operation_id="signUpConnection",
        request=SignupWriteSerializer,
        responses={201: SignedUpSerializer},
    )
    def post(self, request: Request) -> Response:
        """Connect the number that the window gave; the same code goes on where it stopped."""
        fields = body_values(SignupWriteSerializer, request.data)
        done = services.sign_up(
            actor=caller_of(request),
            values=services.SignupValues(**fields),
            ip_address=client_address(request),
        )
        return Response(
            {"connection": connection_row(done.connection), "pin": done.pin}, status=201
        )


class WebhookView(APIView):
    """Where Meta is to post what happens."""

    @extend_schema(operation_id="showWebhook", responses=WebhookSerializer)
    def get(self, request: Request) -> Response:
        """Show the address and the token with which Meta verifies it, to be entered there."""
        return Response(
            {"address": services.webhook_address(), "verifyToken": settings.META_VERIFY_TOKEN}
        )
