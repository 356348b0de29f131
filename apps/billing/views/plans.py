"""The calls of plans (rules/companies §3)."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.billing import queries, services
from apps.billing.models import Plan
from apps.billing.serializers.plans import PlanInputSerializer
from apps.common.callers import caller_of, client_address
from apps.common.serializers import SentenceSerializer, body_values
from apps.companies.serializers.plans import PlanSerializer, plan_row


class PublicPlansView(APIView):
    """The plans that anybody may choose."""

    authentication_classes = ()

    @extend_schema(operation_id="listPublicPlans", responses=PlanSerializer(many=True), auth=[])
    def get(self, request: Request) -> Response:
        """Return the plans that are offered at sign-up, the cheapest first."""
        return Response([plan_row(plan) for plan in queries.public_plans()])


class AllPlansView(APIView):
    """All plans, for the super user."""

    @extend_schema(operation_id="listAllPlans", responses=PlanSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return every plan by its name."""
        return Response([plan_row(plan) for plan in queries.all_plans()])


class PlansView(APIView):
    """New plans."""

    @extend_schema(
        operation_id="createPlan", request=PlanInputSerializer, responses={201: PlanSerializer}
    )
    def post(self, request: Request) -> Response:
        """Create a plan; what is left out is without limit, and every feature is on."""
        fields = body_values(PlanInputSerializer, request.data)
        plan = Plan(**fields)
        services.save_plan(
            plan=plan,
            actor=caller_of(request),
            changed=list(fields),
            ip_address=client_address(request),
        )
        return Response(plan_row(plan), status=status.HTTP_201_CREATED)


class PlanView(APIView):
    """One plan."""

    @extend_schema(operation_id="getPlan", responses=PlanSerializer)
    def get(self, request: Request, plan_id: str) -> Response:
        """Return the own company's plan or a public one; the super user may ask for any."""
        caller = caller_of(request)
        return Response(
            plan_row(
                services.get_plan(
                    int(plan_id),
                    among=queries.plans_for(caller.company_id, sees_all=caller.is_super),
                )
            )
        )

    @extend_schema(operation_id="updatePlan", request=PlanInputSerializer, responses=PlanSerializer)
    def put(self, request: Request, plan_id: str) -> Response:
        """Change a plan; what is left out stays."""
        plan = services.change_plan(
            plan_id=int(plan_id),
            changes=body_values(PlanInputSerializer, request.data, partial=True),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response(plan_row(plan))

    @extend_schema(operation_id="deletePlan", responses=SentenceSerializer)
    def delete(self, request: Request, plan_id: str) -> Response:
        """Delete a plan that no company has."""
        services.delete_plan(
            plan=services.get_plan(int(plan_id)),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return Response({"message": "Plano excluído."})
