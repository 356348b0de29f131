"""The calls of sign-up (rules/companies §7)."""

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.serializers import CompanySignupOfferSerializer, CompanySignupSerializer
from apps.accounts.services.signup import check_signup, sign_up
from apps.accounts.throttles import count_signup
from apps.billing.queries import public_plans
from apps.common.callers import client_address
from apps.common.serializers import body_values, row_of
from apps.companies.serializers.companies import CompanySerializer


def _sign_up(request: Request) -> Response:
    check_signup()
    fields = body_values(CompanySignupSerializer, request.data)
    count_signup(request)
    company, _ = sign_up(**fields, ip_address=client_address(request))
    return Response(row_of(CompanySerializer, company), status=status.HTTP_201_CREATED)


class SignupView(APIView):
    """Sign-up with a new company."""

    authentication_classes = ()

    @extend_schema(operation_id="getSignup", responses=CompanySignupOfferSerializer, auth=[])
    def get(self, request: Request) -> Response:
        """Return whether anyone may sign up with a new company, and whether a plan is offered."""
        return Response({"enabled": settings.SIGNUP_ENABLED, "hasPlans": public_plans().exists()})

    @extend_schema(
        operation_id="signUp",
        request=CompanySignupSerializer,
        responses={201: CompanySerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Create a company with its first admin and a trial until tomorrow."""
        return _sign_up(request)


class OlderSignupView(APIView):
    """Sign-up at the path of older browsers."""

    authentication_classes = ()

    @extend_schema(
        operation_id="signUpOlder",
        request=CompanySignupSerializer,
        responses={201: CompanySerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Create a company; due date, status and settings in the body are ignored."""
        return _sign_up(request)
