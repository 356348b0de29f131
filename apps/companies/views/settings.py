"""The calls of a company's settings and working hours (rules/companies §2)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of
from apps.common.serializers import body_values, row_of, rows_of
from apps.companies import services
from apps.companies.queries import settings_of
from apps.companies.serializers.companies import (
    CompanyHoursSerializer,
    SchedulesInputSerializer,
    SettingInputSerializer,
    SettingSerializer,
)


class SettingListView(APIView):
    """All settings of the caller's company."""

    @extend_schema(operation_id="listSettings", responses=SettingSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return every known key with its value or default, secrets masked."""
        caller = caller_of(request)
        return Response(rows_of(SettingSerializer, settings_of(caller.company_id).items()))


class SettingView(APIView):
    """One setting."""

    @extend_schema(
        operation_id="updateSetting",
        request=SettingInputSerializer,
        responses=SettingSerializer,
    )
    def put(self, request: Request, key: str) -> Response:
        """Change one setting."""
        caller = caller_of(request)
        fields = body_values(SettingInputSerializer, request.data, key=key)
        row = services.change_setting(company_id=caller.company_id, key=key, value=fields["value"])
        return Response(row)

    @extend_schema(operation_id="forgetSetting", responses=SettingSerializer)
    def delete(self, request: Request, key: str) -> Response:
        """Put one setting back to its default; an empty secret would change nothing."""
        caller = caller_of(request)
        return Response(services.forget_setting(company_id=caller.company_id, key=key))


class CompanySchedulesView(APIView):
    """The working hours of the own company; the super user's reach every company's."""

    @extend_schema(operation_id="getCompanySchedules", responses=CompanyHoursSerializer)
    def get(self, request: Request, company_id: str) -> Response:
        """Return the company with its working hours."""
        caller = caller_of(request)
        company = services.get_company(
            own_id=caller.company_id, company_id=int(company_id), sees_all=caller.is_super
        )
        return Response(row_of(CompanyHoursSerializer, company))

    @extend_schema(
        operation_id="updateCompanySchedules",
        request=SchedulesInputSerializer,
        responses=CompanyHoursSerializer,
    )
    def put(self, request: Request, company_id: str) -> Response:
        """Replace the working hours."""
        caller = caller_of(request)
        # Another's company is a 404 whatever the body says.
        company = services.get_company(
            own_id=caller.company_id, company_id=int(company_id), sees_all=caller.is_super
        )
        fields = body_values(SchedulesInputSerializer, request.data)
        services.change_schedules(company=company, schedules=fields["schedules"])
        return Response(row_of(CompanyHoursSerializer, company))
