"""The calls of a company's settings and working hours (specifications 2 §7 and 3 §7)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.companies import services
from apps.companies.queries import settings_of
from apps.companies.serializers import (
    CompanyHoursSerializer,
    SchedulesInputSerializer,
    SettingInputSerializer,
    SettingSerializer,
    company_hours_row,
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

    @extend_schema(operation_id="forgetSetting", responses=SettingSerializer)
    def delete(self, request: Request, key: str) -> Response:
        """Put one setting back to its default; an empty secret would change nothing."""
        caller: Any = request.user
        return Response(services.forget_setting(company_id=caller.company_id, key=key))


class CompanySchedulesView(APIView):
    """The working hours of the own company; the super user's reach every company's."""

    @extend_schema(operation_id="getCompanySchedules", responses=CompanyHoursSerializer)
    def get(self, request: Request, company_id: str) -> Response:
        """Return the company with its working hours."""
        caller: Any = request.user
        company = services.get_company(
            own_id=caller.company_id, company_id=int(company_id), sees_all=caller.is_super
        )
        return Response(company_hours_row(company))

    @extend_schema(
        operation_id="updateCompanySchedules",
        request=SchedulesInputSerializer,
        responses=CompanyHoursSerializer,
    )
    def put(self, request: Request, company_id: str) -> Response:
        """Replace the working hours."""
        caller: Any = request.user
        # Another's company is a 404 whatever the body says.
        company = services.get_company(
            own_id=caller.company_id, company_id=int(company_id), sees_all=caller.is_super
        )
        serializer = SchedulesInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        services.change_schedules(company=company, schedules=serializer.validated_data["schedules"])
        return Response(company_hours_row(company))
