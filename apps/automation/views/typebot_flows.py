"""The call that reads an exported Typebot flow (rules/queues §6)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.automation.serializers.typebot_flows import (
    TypebotFlowSerializer,
    TypebotMenuSerializer,
)
from apps.automation.services.typebot_flows import read_flow
from apps.common.serializers import body_values, row_of


class TypebotFlowView(APIView):
    @extend_schema(
        operation_id="readTypebotFlow",
        request=TypebotFlowSerializer,
        responses=TypebotMenuSerializer,
    )
    def post(self, request: Request) -> Response:
        """Return an exported flow as the draft of a queue's menu, with what became of each block.

        Nothing is stored.
        """
        menu = read_flow(body_values(TypebotFlowSerializer, request.data)["flow"])
        return Response(row_of(TypebotMenuSerializer, menu))
