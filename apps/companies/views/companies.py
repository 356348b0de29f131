"""The calls of companies (rules/companies §1)."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.filters import sifted
from apps.common.paging import page_number, paginate
from apps.common.serializers import SentenceSerializer, body_values, row_of, rows_of
from apps.companies import queries
from apps.companies.serializers.plans import CompanyWithPlanSerializer
from apps.companies.serializers.records import (
    CompanyInputSerializer,
    CompanyPageSerializer,
    CompanyRecordSerializer,
    NewCompanySerializer,
)
from apps.companies.services import delete_company, get_company, keeping


class CompanyListView(APIView):
    """The companies of the service; for all but the super user that is the own one."""

    @extend_schema(
        operation_id="listCompanies",
        parameters=[
            OpenApiParameter("searchParam", OpenApiTypes.STR),
            OpenApiParameter("pageNumber", OpenApiTypes.INT),
        ],
        responses=CompanyPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return a page of companies, found by name, e-mail or phone."""
        caller = caller_of(request)
        rows = queries.companies_for(caller.company_id, sees_all=caller.is_super)
        found = sifted(rows, request.query_params.get("searchParam", ""), "name", "email", "phone")
        page = paginate(found, page_number(request))
        return Response(page.body("companies", rows_of(CompanyRecordSerializer, page.rows)))

    @extend_schema(
        operation_id="createCompany",
        request=NewCompanySerializer,
        responses={201: CompanyRecordSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make a company, with its first admin where a password is given."""
        company = keeping.add_company(
            fields=body_values(NewCompanySerializer, request.data),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        row = row_of(CompanyRecordSerializer, queries.company_record(company.pk))
        return Response(row, status=status.HTTP_201_CREATED)


class CompanyOptionsView(APIView):
    """All companies of the service at once."""

    @extend_schema(operation_id="listAllCompanies", responses=CompanyRecordSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return every company by its name; for all but the super user that is the own one."""
        caller = caller_of(request)
        rows = queries.companies_for(caller.company_id, sees_all=caller.is_super)
        return Response(rows_of(CompanyRecordSerializer, rows))


class CompanyView(APIView):
    """The own company; the super user's reach every company."""

    @extend_schema(operation_id="getCompany", responses=CompanyRecordSerializer)
    def get(self, request: Request, company_id: str) -> Response:
        """Return the company with its plan, working hours and settings, secrets masked."""
        caller = caller_of(request)
        company = get_company(
            own_id=caller.company_id, company_id=int(company_id), sees_all=caller.is_super
        )
        return Response(row_of(CompanyRecordSerializer, queries.company_record(company.pk)))

    @extend_schema(
        operation_id="updateCompany",
        request=CompanyInputSerializer,
        responses=CompanyRecordSerializer,
    )
    def put(self, request: Request, company_id: str) -> Response:
        """Change a company; an admin changes whom to bill of the own one."""
        caller = caller_of(request)
        get_company(own_id=caller.company_id, company_id=int(company_id), sees_all=caller.is_super)
        company = keeping.change_company(
            company_id=int(company_id),
            changes=body_values(CompanyInputSerializer, request.data, partial=True),
            actor=caller,
            ip_address=client_address(request),
        )
        return Response(row_of(CompanyRecordSerializer, queries.company_record(company.pk)))

    @extend_schema(operation_id="deleteCompany", responses=SentenceSerializer)
    def delete(self, request: Request, company_id: str) -> Response:
        """Delete a company with all that it has; its people are signed out at once."""
        delete_company(
            company_id=int(company_id),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response({"message": "Empresa excluída."})


class CompanyPlanView(APIView):
    """A company and its plan."""

    @extend_schema(operation_id="getCompanyPlan", responses=CompanyWithPlanSerializer)
    def get(self, request: Request, company_id: str) -> Response:
        """Return the own company with its plan; the super user may ask for any company's."""
        caller = caller_of(request)
        company = get_company(
            own_id=caller.company_id, company_id=int(company_id), sees_all=caller.is_super
        )
        return Response(row_of(CompanyWithPlanSerializer, company))
