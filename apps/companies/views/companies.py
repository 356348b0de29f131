"""The calls of companies (rules/companies §1)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address
from apps.common.filters import sifted
from apps.common.paging import page_number, paginate
from apps.common.records import PAGE, SEARCH
from apps.common.serializers import SentenceSerializer, body_values, row_of, rows_of
from apps.companies import queries
from apps.companies.models import Company
from apps.companies.serializers.companies import CompanyHoursSerializer, SchedulesInputSerializer
from apps.companies.serializers.plans import CompanyWithPlanSerializer
from apps.companies.serializers.records import (
    CompanyInputSerializer,
    CompanyPageSerializer,
    CompanyRecordSerializer,
    NewCompanySerializer,
)
from apps.companies.services import change_schedules, delete_company, get_company, keeping


def _company_of(request: Request, company_id: str) -> Company:
    """Return the caller's own company, or any for the super user; raises CompanyNotFound."""
    caller = caller_of(request)
    return get_company(
        own_id=caller.company_id, company_id=int(company_id), sees_all=caller.is_super
    )


def _record(company: Company) -> dict[str, Any]:
    return row_of(CompanyRecordSerializer, queries.company_record(company.pk))


class CompanyViewSet(ViewSet):
    """The companies of the installation; the super user sees all, other users only their own."""

    lookup_url_kwarg = "company_id"
    lookup_value_regex = "[0-9]+"

    @extend_schema(
        operation_id="listCompanies", parameters=[SEARCH, PAGE], responses=CompanyPageSerializer
    )
    def list(self, request: Request) -> Response:
        """Return a page of companies, found by name, e-mail or phone."""
        caller = caller_of(request)
        rows = queries.companies_for(caller.company_id, sees_all=caller.is_super)
        found = sifted(rows, request.query_params.get("searchParam", ""), "name", "email", "phone")
        page = paginate(found, page_number(request))
        return Response(page.body("companies", rows_of(CompanyRecordSerializer, page.rows)))

    @extend_schema(operation_id="listAllCompanies", responses=CompanyRecordSerializer(many=True))
    @action(detail=False, url_path="list", url_name="options")
    def options_list(self, request: Request) -> Response:
        """Return all companies by name; users other than the super user get only their own."""
        caller = caller_of(request)
        rows = queries.companies_for(caller.company_id, sees_all=caller.is_super)
        return Response(rows_of(CompanyRecordSerializer, rows))

    @extend_schema(
        operation_id="createCompany",
        request=NewCompanySerializer,
        responses={201: CompanyRecordSerializer},
    )
    def create(self, request: Request) -> Response:
        """Create a company; with a password, its first admin is created too."""
        company = keeping.add_company(
            fields=body_values(NewCompanySerializer, request.data),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response(_record(company), status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="getCompany", responses=CompanyRecordSerializer)
    def retrieve(self, request: Request, company_id: str) -> Response:
        """Return a company with its plan, working hours and settings; secrets are masked."""
        return Response(_record(_company_of(request, company_id)))

    @extend_schema(
        operation_id="updateCompany",
        request=CompanyInputSerializer,
        responses=CompanyRecordSerializer,
    )
    def update(self, request: Request, company_id: str) -> Response:
        """Change a company; fields that are left out keep their values.

        A company's admins may change only its billing fields.
        """
        # Respond 404 for a foreign company before the body is checked.
        found = _company_of(request, company_id)
        company = keeping.change_company(
            company_id=found.pk,
            changes=body_values(CompanyInputSerializer, request.data, partial=True),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response(_record(company))

    @extend_schema(operation_id="deleteCompany", responses=SentenceSerializer)
    def destroy(self, request: Request, company_id: str) -> Response:
        """Delete a company with all its data; its users are signed out at once."""
        delete_company(
            company_id=int(company_id),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response({"message": "Empresa excluída."})

    @extend_schema(operation_id="getCompanyPlan", responses=CompanyWithPlanSerializer)
    def plan(self, request: Request, company_id: str) -> Response:
        """Return the caller's company with its plan; for the super user, any company."""
        return Response(row_of(CompanyWithPlanSerializer, _company_of(request, company_id)))

    @extend_schema(operation_id="getCompanySchedules", responses=CompanyHoursSerializer)
    def schedules(self, request: Request, company_id: str) -> Response:
        """Return a company with its working hours."""
        return Response(row_of(CompanyHoursSerializer, _company_of(request, company_id)))

    @extend_schema(
        operation_id="updateCompanySchedules",
        request=SchedulesInputSerializer,
        responses=CompanyHoursSerializer,
    )
    def update_schedules(self, request: Request, company_id: str) -> Response:
        """Replace all working hours of a company."""
        # Another's company is a 404 whatever the body says.
        company = _company_of(request, company_id)
        fields = body_values(SchedulesInputSerializer, request.data)
        change_schedules(company=company, schedules=fields["schedules"])
        return Response(row_of(CompanyHoursSerializer, company))
