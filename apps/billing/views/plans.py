"""The calls of plans (rules/companies §3)."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.billing import queries, services
from apps.billing.models import Plan
from apps.billing.serializers.plans import PlanInputSerializer
from apps.common.callers import caller_of, client_address
from apps.common.serializers import SentenceSerializer, body_values, row_of, rows_of
from apps.companies.serializers.plans import PlanSerializer


class PlanViewSet(ViewSet):
    """The plans; anyone may list the public ones, the super user manages all."""

    lookup_url_kwarg = "plan_id"
    lookup_value_regex = "[0-9]+"

    @extend_schema(operation_id="listPublicPlans", responses=PlanSerializer(many=True), auth=[])
    @action(detail=False, url_path="list", url_name="public", authentication_classes=())
    def list_public(self, request: Request) -> Response:
        """Return the public plans, which sign-up offers, cheapest first."""
        return Response(rows_of(PlanSerializer, queries.public_plans()))

    @extend_schema(operation_id="listAllPlans", responses=PlanSerializer(many=True))
    @action(detail=False, url_path="all", url_name="all")
    def list_all(self, request: Request) -> Response:
        """Return all plans by name."""
        return Response(rows_of(PlanSerializer, queries.all_plans()))

    @extend_schema(
        operation_id="createPlan", request=PlanInputSerializer, responses={201: PlanSerializer}
    )
    def create(self, request: Request) -> Response:
        """Create a plan.

        Limits that are left out are 0 (no limit), features that are left out are on.
        """
        fields = body_values(PlanInputSerializer, request.data)
        plan = Plan(**fields)
        services.save_plan(
            plan=plan,
            actor=caller_of(request),
            changed=list(fields),
            ip_address=client_address(request),
        )
        return Response(row_of(PlanSerializer, plan), status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="getPlan", responses=PlanSerializer)
    def retrieve(self, request: Request, plan_id: str) -> Response:
        """Return the caller's own plan or a public plan; for the super user, any plan."""
        caller = caller_of(request)
        readable = queries.plans_for(caller.company_id, sees_all=caller.is_super)
        return Response(row_of(PlanSerializer, services.get_plan(int(plan_id), among=readable)))

    @extend_schema(operation_id="updatePlan", request=PlanInputSerializer, responses=PlanSerializer)
    def update(self, request: Request, plan_id: str) -> Response:
        """Change a plan; fields that are left out keep their values."""
        plan = services.change_plan(
            plan_id=int(plan_id),
            changes=body_values(PlanInputSerializer, request.data, partial=True),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response(row_of(PlanSerializer, plan))

    @extend_schema(operation_id="deletePlan", responses=SentenceSerializer)
    def destroy(self, request: Request, plan_id: str) -> Response:
        """Delete a plan; refused while a company has it."""
        services.delete_plan(
            plan=services.get_plan(int(plan_id)),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response({"message": "Plano excluído."})
