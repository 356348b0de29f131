"""The calls of a company's settings (specification 2 §7)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.companies import services
from apps.companies.queries import settings_of
from apps.companies.serializers import (
    SettingInputSerializer,
    SettingSerializer,
    setting_rows,
)


class SettingListView(APIView):
    """All settings of the caller's company."""

    @extend_schema(operation_id="listSettings", responses=SettingSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return every known key with its value or default, secrets masked."""
        caller: Any = request.user
        return Response(setting_rows(settings_of(caller.company_id)))


class SettingView(APIView):
    """One setting."""

    @extend_schema(
        operation_id="updateSetting",
        request=SettingInputSerializer,
        responses=SettingSerializer,
    )
    def put(self, request: Request, key: str) -> Response:
        """Change one setting."""
        caller: Any = request.user
        serializer = SettingInputSerializer(data=request.data, context={"key": key})
        serializer.is_valid(raise_exception=True)
        row = services.change_setting(
            company_id=caller.company_id, key=key, value=serializer.validated_data["value"]
        )
        return Response(row)
