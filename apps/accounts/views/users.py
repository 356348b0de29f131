"""The calls of the session and of users (rules/accounts §1 and §5)."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth import logout as django_logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.accounts import known_browsers, queries
from apps.accounts.devices import LONGEST_DEVICE
from apps.accounts.known_browsers import KnownBrowser, read_known_browser
from apps.accounts.serializers import (
    ChoicesSerializer,
    CredentialsSerializer,
    SessionSerializer,
    SessionUserSerializer,
    TwoFactorSerializer,
    UserChangesSerializer,
    UserInputSerializer,
    UserPageSerializer,
    UserSerializer,
    user_rows,
)
from apps.accounts.services import sessions, users
from apps.accounts.throttles import counted_login
from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.errors import exception_handler
from apps.common.paging import page_number, page_within
from apps.common.records import PAGE, SEARCH
from apps.common.serializers import SentenceSerializer, body_values, row_of
from apps.companies.models import Company

REFRESH_COOKIE = "jrt"


def set_refresh_cookie(response: Response, token: str, *, seconds: int | None = None) -> None:
    """Set the refresh token as a cookie; its path is `/`, so that sockets send it too.

    The cookie lasts as long as the token, or for `seconds`; 0 removes it.
    """
    lifetime = int(settings.REFRESH_TOKEN_LIFETIME.total_seconds())
    seconds = lifetime if seconds is None else seconds
    set_private_cookie(response, REFRESH_COOKIE, token, seconds=seconds)


def set_private_cookie(response: HttpResponseBase, name: str, value: str, *, seconds: int) -> None:
    """Set an httpOnly cookie that the browser sends only to this server."""
    is_cross_site = bool(settings.CORS_ALLOWED_ORIGINS) and settings.SECURE_COOKIES
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path="/",
        secure=settings.SECURE_COOKIES,
        httponly=True,
        samesite="None" if is_cross_site else "Lax",
    )


def _known_browser(request: Request | HttpRequest) -> KnownBrowser:
    return read_known_browser(request.COOKIES.get(known_browsers.COOKIE, ""))


def remember_browser(
    request: Request | HttpRequest, response: HttpResponseBase, email: str
) -> None:
    """Add an account to the cookie of those that have signed in with this browser."""
    set_private_cookie(
        response,
        known_browsers.COOKIE,
        _known_browser(request).cookie_after(email),
        seconds=known_browsers.LIFETIME_SECONDS,
    )


def session_answer(session: sessions.OpenedSession) -> Response:
    """Return the response for a new session; for an overdue company it is a 402.

    The 402 has a session too, with which the company's admin can pay.
    """
    user = session.user
    body = {
        "token": session.access_token,
        "user": row_of(SessionUserSerializer, user),
        **({"simulator": True} if settings.SIMULATOR else {}),
        **({"simulatedQr": True} if settings.SIMULATED_QR else {}),
    }
    if session.overdue is None:
        response = Response(body)
    else:
        session.overdue.extra.update(body)
        response = exception_handler(session.overdue, {}) or Response(status=402)
    set_refresh_cookie(response, session.refresh_token)
    return response


def _rows(company: Company, users: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    return user_rows(company, users, queries.queues_by_user([pk for pk, *_ in users]))


class LoginView(APIView):
    """The login."""

    authentication_classes = ()

    @extend_schema(
        operation_id="login", request=CredentialsSerializer, responses=SessionSerializer, auth=[]
    )
    def post(self, request: Request) -> Response:
        """Sign in; earlier sessions of the account end (rules/accounts §5)."""
        fields = body_values(CredentialsSerializer, request.data)
        with counted_login(request, fields["email"]):
            session = sessions.sign_in(
                **fields,
                ip_address=client_address(request),
                browser=sessions.Browser(
                    device=request.headers.get("User-Agent", "")[:LONGEST_DEVICE],
                    language=preferred_language(request),
                    is_known=_known_browser(request).knows(fields["email"]),
                ),
            )
        response = session_answer(session)
        remember_browser(request, response, fields["email"])
        return response


class RefreshTokenView(APIView):
    """The renewal of a session."""

    authentication_classes = ()

    @extend_schema(operation_id="refreshToken", request=None, responses=SessionSerializer, auth=[])
    def post(self, request: Request) -> Response:
        """Exchange the refresh cookie for a new access token and a new cookie."""
        return session_answer(
            sessions.refresh_session(refresh_token=request.COOKIES.get(REFRESH_COOKIE, ""))
        )


class LogoutView(APIView):
    """The logout."""

    authentication_classes = ()

    @extend_schema(operation_id="logout", request=None, responses=SentenceSerializer)
    def delete(self, request: Request) -> Response:
        """End the session of the cookie and the token; one that has already ended is no error.

        The browser's session of the Django admin ends too.
        """
        sessions.sign_out(
            refresh_token=request.COOKIES.get(REFRESH_COOKIE, ""),
            authorization=request.headers.get("Authorization", ""),
        )
        django_logout(request._request)
        response = Response({"message": "Sessão encerrada."})
        set_refresh_cookie(response, "", seconds=0)
        return response


class MeView(APIView):
    """The caller and the caller's preferences."""

    @extend_schema(operation_id="me", responses=SessionUserSerializer)
    def get(self, request: Request) -> Response:
        """Return the signed-in user."""
        user = caller_of(request)
        return Response(row_of(SessionUserSerializer, user))

    @extend_schema(
        operation_id="updateMe", request=ChoicesSerializer, responses=SessionUserSerializer
    )
    def put(self, request: Request) -> Response:
        """Change the preferences of the signed-in user."""
        user = caller_of(request)
        users.choose_after_resolve(user=user, **body_values(ChoicesSerializer, request.data))
        user.refresh_from_db(fields=["opens_next"])
        return Response(row_of(SessionUserSerializer, user))


class UserViewSet(ViewSet):
    """Users of the caller's company."""

    lookup_value_regex = "[0-9]+"

    @extend_schema(
        operation_id="listUsers", parameters=[SEARCH, PAGE], responses=UserPageSerializer
    )
    def list(self, request: Request) -> Response:
        """Return a page of users; the search looks in name and e-mail."""
        caller = caller_of(request)
        text = request.query_params.get("searchParam", "").strip()
        found = queries.listed_users(caller.company_id, text)
        page = page_within(found, page_number(request))
        return Response(page.body("users", _rows(caller.company, page.rows)))

    @extend_schema(
        operation_id="listAllUsers",
        parameters=[
            OpenApiParameter(
                "companyId",
                OpenApiTypes.STR,
                description="Ignored: the response is always for the caller's company.",
            )
        ],
        responses=UserSerializer(many=True),
    )
    @action(detail=False, url_path="list", url_name="options")
    def options_list(self, request: Request) -> Response:
        """Return all users of the company as a bare array."""
        caller = caller_of(request)
        return Response(_rows(caller.company, queries.listed_users(caller.company_id)))

    @extend_schema(operation_id="getUser", responses=UserSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one user."""
        caller = caller_of(request)
        user = users.get_user(company_id=caller.company_id, user_id=int(pk))
        return Response(row_of(UserSerializer, user))

    @extend_schema(
        operation_id="createUser", request=UserInputSerializer, responses={201: UserSerializer}
    )
    def create(self, request: Request) -> Response:
        """Create a user of the company."""
        caller = caller_of(request)
        fields = body_values(UserInputSerializer, request.data)
        user = users.create_user(
            company=caller.company,
            actor=caller,
            ip_address=client_address(request),
            **fields,
        )
        row = row_of(UserSerializer, user)
        return Response(row, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="updateUser", request=UserChangesSerializer, responses=UserSerializer
    )
    def update(self, request: Request, pk: str) -> Response:
        """Change a user; fields that are left out keep their values.

        To change the own e-mail, and the own password while a second factor is on, the present
        password is required. After a new own password the response sets a new refresh cookie, and
        all other sessions end.
        """
        caller = caller_of(request)
        fields = body_values(UserChangesSerializer, request.data, partial=True)
        changed = users.update_user(
            actor=caller,
            user_id=int(pk),
            current_password=fields.pop("current_password", None),
            changes=fields,
            ip_address=client_address(request),
            language=preferred_language(request),
        )
        response = Response(row_of(UserSerializer, changed.user))
        if changed.refresh_token:
            set_refresh_cookie(response, changed.refresh_token)
        return response

    @extend_schema(operation_id="deleteUser", responses=SentenceSerializer)
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a user; the user's open tickets become pending."""
        caller = caller_of(request)
        users.delete_user(actor=caller, user_id=int(pk), ip_address=client_address(request))
        return Response({"message": "Usuário excluído."})

    @extend_schema(operation_id="getUserTwoFactor", responses=TwoFactorSerializer)
    @action(detail=False, url_path="(?P<user_id>[0-9]+)/two-factor", url_name="two-factor")
    def two_factor(self, request: Request, user_id: str) -> Response:
        """Return the state of a user's second factor."""
        user = users.get_user(company_id=caller_of(request).company_id, user_id=int(user_id))
        return Response(row_of(TwoFactorSerializer, queries.two_factor_of(user)))

    @extend_schema(operation_id="disableUserTwoFactor", responses=SentenceSerializer)
    @two_factor.mapping.delete
    def disable_two_factor(self, request: Request, user_id: str) -> Response:
        """Switch a user's second factor off; requires the right to change the user's password."""
        caller = caller_of(request)
        users.take_two_factor_away(
            actor=caller, user_id=int(user_id), ip_address=client_address(request)
        )
        return Response({"message": "Verificação em duas etapas desativada."})
