"""The calls of prompts (rules/automation §7)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.automation.models import Prompt
from apps.automation.queries.prompts import (
    PromptFilters,
    costs_between,
    day_of,
    month_of,
    prompts_of,
    tokens_since,
    uses_of,
)
from apps.automation.serializers.prompts import (
    PromptCostSerializer,
    PromptInputSerializer,
    PromptPageSerializer,
    PromptSerializer,
    PromptTestInputSerializer,
    PromptTestSerializer,
    PromptUsageSerializer,
)
from apps.automation.services import assistants
from apps.automation.services import prompts as services
from apps.automation.throttles import PromptTestThrottle
from apps.common.callers import caller_of
from apps.common.records import RecordViewSet, record_schema
from apps.common.serializers import body_values, rows_of
from apps.companies.queries import zone_of


@record_schema(
    "Prompt",
    list="Return a page of prompts by name.",
    update=(
        "Change a prompt. Fields that are left out, and a key sent as its mask, keep their values."
    ),
    destroy="Delete a prompt; its conversations are handed over to people.",
)
class PromptViewSet(RecordViewSet):
    input_serializer = PromptInputSerializer
    row_serializer = PromptSerializer
    page_serializer = PromptPageSerializer
    filters = PromptFilters
    list_name = "prompts"
    deleted = "Prompt excluído."

    def _records(self, caller: User) -> QuerySet[Prompt]:
        return prompts_of(caller.company_id)

    def _rows(self, records: Sequence[Prompt]) -> list[dict[str, Any]]:
        return rows_of(PromptSerializer, records, uses=uses_of(records))

    def _find(self, caller: User, record_id: int) -> Prompt:
        return services.get_prompt(company_id=caller.company_id, prompt_id=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Prompt:
        return services.create_prompt(actor=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> Prompt:
        return services.update_prompt(actor=caller, prompt_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        services.delete_prompt(actor=caller, prompt_id=record_id, ip_address=ip_address)

    @extend_schema(operation_id="getPromptUsage", responses=PromptUsageSerializer)
    @action(detail=False, url_path="usage", url_name="usage")
    def usage(self, request: Request) -> Response:
        """Return the tokens used this month, by prompt."""
        company_id = caller_of(request).company_id
        now, zone = timezone.now(), zone_of(company_id)
        start, end = month_of(now, zone)
        costs = costs_between(company_id, start, end)
        return Response(
            {
                "month": f"{start:%Y-%m}",
                "prompts": rows_of(PromptCostSerializer, costs),
                "answers": sum(cost.answers for cost in costs),
                "totalTokens": sum(cost.total_tokens for cost in costs),
                "todayTokens": tokens_since(company_id, day_of(now, zone)),
                "dailyLimit": settings.AI_DAILY_TOKENS,
            }
        )

    @extend_schema(
        operation_id="testPrompt",
        request=PromptTestInputSerializer,
        responses=PromptTestSerializer,
    )
    @action(detail=False, methods=["post"], url_path="test", url_name="test")
    def test(self, request: Request) -> Response:
        """Answer a test conversation as the draft would; only the use of tokens is stored."""
        fields = body_values(PromptTestInputSerializer, request.data)
        # Only valid requests count against the limit, because only these reach the model.
        throttle = PromptTestThrottle()
        if not throttle.allow_request(request, self):
            self.throttled(request, throttle.wait() or 0)
        result = assistants.run_prompt_test(
            actor=caller_of(request),
            prompt_id=fields.pop("prompt_id", None),
            messages=fields.pop("messages"),
            fields=fields,
        )
        return Response(result)
