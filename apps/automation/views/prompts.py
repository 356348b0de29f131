"""The calls of prompts (specification 3 §7)."""

from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.automation.models import Prompt
from apps.automation.queries.prompts import (
    costs_between,
    day_of,
    month_of,
    search_prompts,
    tokens_since,
    uses_of,
)
from apps.automation.serializers.prompts import (
    PromptInputSerializer,
    PromptPageSerializer,
    PromptSerializer,
    PromptTestInputSerializer,
    PromptTestSerializer,
    PromptUsageSerializer,
    prompt_row,
    usage_row,
)
from apps.automation.services import assistants
from apps.automation.services import prompts as services
from apps.automation.throttles import PromptTestThrottle
from apps.common.addresses import client_address
from apps.common.paging import page_number, paginate
from apps.common.serializers import SentenceSerializer
from apps.companies.queries import zone_of

if TYPE_CHECKING:
    from apps.accounts.models import User

ID = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH)


def _caller(request: Request) -> "User":
    return cast("User", request.user)


class PromptViewSet(ViewSet):
    """Prompts of the caller's company."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="listPrompts",
        parameters=[
            OpenApiParameter("searchParam", OpenApiTypes.STR),
            OpenApiParameter("pageNumber", OpenApiTypes.INT),
        ],
        responses=PromptPageSerializer,
    )
    def list(self, request: Request) -> Response:
        """Return a page by name."""
        text = request.query_params.get("searchParam", "")[:200]
        page = paginate(search_prompts(_caller(request).company_id, text), page_number(request))
        uses = uses_of(page.rows)
        return Response(page.body("prompts", [prompt_row(row, uses[row.pk]) for row in page.rows]))

    @extend_schema(
        operation_id="createPrompt",
        request=PromptInputSerializer,
        responses={201: PromptSerializer},
    )
    def create(self, request: Request) -> Response:
        """Create one."""
        serializer = PromptInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        prompt = services.create_prompt(actor=_caller(request), fields=serializer.validated_data)
        return _answer(prompt, status=201)

    @extend_schema(operation_id="getPrompt", parameters=[ID], responses=PromptSerializer)
    def retrieve(self, request: Request, id: str) -> Response:
        """Return one."""
        prompt = services.get_prompt(company_id=_caller(request).company_id, prompt_id=int(id))
        return _answer(prompt)

    @extend_schema(
        operation_id="updatePrompt",
        parameters=[ID],
        request=PromptInputSerializer,
        responses=PromptSerializer,
    )
    def update(self, request: Request, id: str) -> Response:
        """Change one; fields left out stay, and so does a key sent back as its mask."""
        caller = _caller(request)
        # Missing ones, and other companies', are refused before the body is judged.
        services.get_prompt(company_id=caller.company_id, prompt_id=int(id))
        serializer = PromptInputSerializer(data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        prompt = services.update_prompt(
            actor=caller, prompt_id=int(id), fields=serializer.validated_data
        )
        return _answer(prompt)

    @extend_schema(operation_id="deletePrompt", parameters=[ID], responses=SentenceSerializer)
    def destroy(self, request: Request, id: str) -> Response:
        """Delete one; the conversations that it leads go on to people."""
        services.delete_prompt(
            actor=_caller(request), prompt_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Prompt excluído."})


class PromptUsage(APIView):
    """What the models' answers cost."""

    @extend_schema(operation_id="getPromptUsage", responses=PromptUsageSerializer)
    def get(self, request: Request) -> Response:
        """Return the tokens of this month, by prompt."""
        company_id = _caller(request).company_id
        now, zone = timezone.now(), zone_of(company_id)
        start, end = month_of(now, zone)
        return Response(
            usage_row(
                costs_between(company_id, start, end),
                month=f"{start:%Y-%m}",
                today_tokens=tokens_since(company_id, day_of(now, zone)),
                daily_limit=settings.AI_DAILY_TOKENS,
            )
        )


class PromptTest(APIView):
    """Asking the model with a draft."""

    @extend_schema(
        operation_id="testPrompt",
        request=PromptTestInputSerializer,
        responses=PromptTestSerializer,
    )
    def post(self, request: Request) -> Response:
        """Answer a trial conversation as the draft would; nothing is stored but the tokens."""
        serializer = PromptTestInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        # Only what would reach the model counts.
        throttle = PromptTestThrottle()
        if not throttle.allow_request(request, self):
            self.throttled(request, throttle.wait() or 0)
        fields: dict[str, Any] = dict(serializer.validated_data)
        trial = assistants.try_prompt(
            actor=_caller(request),
            prompt_id=fields.pop("prompt_id", None),
            messages=fields.pop("messages"),
            fields=fields,
        )
        return Response(trial)


def _answer(prompt: Prompt, status: int = 200) -> Response:
    return Response(prompt_row(prompt, uses_of([prompt])[prompt.pk]), status=status)
