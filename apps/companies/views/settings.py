"""The calls of a company's settings (rules/companies §2)."""

from django.conf import settings as django_settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address
from apps.common.errors import NoPermission
from apps.common.serializers import body_values, row_of, rows_of
from apps.companies import services
from apps.companies.queries import settings_of
from apps.companies.serializers.companies import SettingInputSerializer, SettingSerializer

# What reading all conversations needs (rules/accounts §2); accounts is above this app.
SEE_ALL = "tickets:seeAll"


class SettingViewSet(ViewSet):
    """The settings of the caller's company."""

    lookup_url_kwarg = "key"
    lookup_value_regex = "[^/]+"

    @extend_schema(operation_id="listSettings", responses=SettingSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Return every known key with its value or default; secrets are masked."""
        caller = caller_of(request)
        return Response(rows_of(SettingSerializer, settings_of(caller.company_id).items()))

    @extend_schema(operation_id="getSetting", responses=OpenApiTypes.STR)
    def retrieve(self, request: Request, key: str) -> Response:
        """Return a setting's value as a text, as older browsers read it; secrets are masked.

        A key that is not known has an empty one.
        """
        found = settings_of(caller_of(request).company_id)
        row = row_of(SettingSerializer, (key, found.get(key, "")))
        return Response(row["value"])

    @extend_schema(
        operation_id="updateSetting",
        request=SettingInputSerializer,
        responses=SettingSerializer,
    )
    def update(self, request: Request, key: str) -> Response:
        """Change one setting."""
        caller = caller_of(request)
        fields = body_values(SettingInputSerializer, request.data, key=key)
        value = fields["value"]
        if (
            key == services.OPENS_ALL
            and value.strip() == "enabled"
            and SEE_ALL not in caller.granted
        ):
            # Nobody grants what they lack.
            raise NoPermission(
                "Só quem vê todas as conversas pode abri-las para os outros.",
                extra={"permissions": [SEE_ALL]},
            )
        row = services.change_setting(
            company_id=caller.company_id,
            key=key,
            value=value,
            actor=caller,
            ip_address=client_address(request),
        )
        return Response(row)

    @extend_schema(operation_id="forgetSetting", responses=SettingSerializer)
    def destroy(self, request: Request, key: str) -> Response:
        """Reset a setting to its default; this is how a secret is removed."""
        caller = caller_of(request)
        row = services.forget_setting(
            company_id=caller.company_id, key=key, actor=caller, ip_address=client_address(request)
        )
        return Response(row)


class PublicSettingView(APIView):
    """A setting of the installation, which older browsers read before anybody has signed in."""

    authentication_classes = ()

    @extend_schema(operation_id="getPublicSetting", responses=OpenApiTypes.STR, auth=[])
    def get(self, request: Request, key: str) -> Response:
        """Return the value as a text: `allowSignup`; every other key is empty, for their own look
        applies then.
        """
        is_open = key == "allowSignup" and django_settings.SIGNUP_ENABLED
        closed = "disabled" if key == "allowSignup" else ""
        return Response("enabled" if is_open else closed)
