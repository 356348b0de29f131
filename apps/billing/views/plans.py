"""The calls of plans (rules/companies §3)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.billing import queries
from apps.billing.serializers.plans import CompanyWithPlanSerializer, company_with_plan_row
from apps.common.callers import caller_of


class CompanyPlanView(APIView):
    """A company and its plan."""

    @extend_schema(operation_id="getCompanyPlan", responses=CompanyWithPlanSerializer)
    def get(self, request: Request, company_id: str) -> Response:
        """Return the own company with its plan; the super user may ask for any company's."""
        caller = caller_of(request)
        company = queries.company_with_plan(
            int(company_id), own_id=caller.company_id, sees_all=caller.is_super
        )
        return Response(company_with_plan_row(company))
