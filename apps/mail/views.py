"""The calls of e-mails that users write (rules/emails)."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.paging import page_number, paginate
from apps.common.serializers import body_values, row_of, rows_of
from apps.mail.queries import emails_of
from apps.mail.serializers import (
    EmailInputSerializer,
    EmailPageSerializer,
    EmailSerializer,
    OlderEmailInputSerializer,
    SentEmailsSerializer,
)
from apps.mail.services import is_set_up, resend_email, send_email
from apps.mail.services.emails import get_email

PAGE_SIZE = 5
# Older browsers load the list once and page through it themselves.
MOST_AT_ONCE = 200


class EmailViewSet(ViewSet):
    @extend_schema(
        operation_id="listEmails",
        parameters=[OpenApiParameter("pageNumber", OpenApiTypes.INT)],
        responses=EmailPageSerializer,
    )
    def list(self, request: Request) -> Response:
        """Return a page of five e-mails, newest first.

        An admin gets the company's e-mails, other users their own.
        """
        page = paginate(emails_of(caller_of(request)), page_number(request), PAGE_SIZE)
        body = page.body("emails", rows_of(EmailSerializer, page.rows))
        return Response({**body, "enabled": is_set_up()})

    @extend_schema(
        operation_id="sendEmail",
        request=EmailInputSerializer,
        responses={201: SentEmailsSerializer},
    )
    def create(self, request: Request) -> Response:
        """Queue an e-mail to each recipient for sending."""
        return _send(request, body_values(EmailInputSerializer, request.data))

    @extend_schema(operation_id="getEmail", responses=EmailSerializer)
    def retrieve(self, request: Request, email_id: str) -> Response:
        """Return one e-mail."""
        mail = get_email(user=caller_of(request), email_id=int(email_id))
        return Response(row_of(EmailSerializer, mail))

    @extend_schema(operation_id="resendEmail", request=None, responses=EmailSerializer)
    def resend(self, request: Request, email_id: str) -> Response:
        """Queue a failed e-mail for sending again."""
        mail = resend_email(user=caller_of(request), email_id=int(email_id))
        return Response(row_of(EmailSerializer, mail))

    @extend_schema(
        operation_id="sendEmailOlder",
        request=OlderEmailInputSerializer,
        responses={201: SentEmailsSerializer},
    )
    def create_older(self, request: Request) -> Response:
        """Queue an e-mail to each recipient for sending, for older browsers.

        `tokenSenha` is ignored.
        """
        return _send(request, body_values(OlderEmailInputSerializer, request.data))

    @extend_schema(operation_id="listEmailsOlder", responses=EmailSerializer(many=True))
    def list_older(self, request: Request) -> Response:
        """Return the newest 200 e-mails in one answer, for older browsers."""
        newest = emails_of(caller_of(request))[:MOST_AT_ONCE]
        return Response(rows_of(EmailSerializer, newest))


def _send(request: Request, fields: dict[str, Any]) -> Response:
    mails = send_email(
        author=caller_of(request),
        recipients=fields["email"],
        subject=fields["subject"],
        message=fields["message"],
    )
    rows = rows_of(EmailSerializer, mails)
    return Response({"message": "E-mail na fila de envio.", "emails": rows}, status=201)
