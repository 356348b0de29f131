"""The wire shapes of an exported Typebot flow and of its menu."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.serializers import RowSerializer, StrictSerializer
from apps.queues.models import AskedKind
from apps.queues.trees import OptionNode

OUTCOMES = ("taken", "approximated", "left_out")
REASONS = (
    *("ab_test", "code", "condition", "dynamic_items", "empty", "file", "file_as_link"),
    *("file_input", "integration", "loop", "multiple_choice", "nearest_kind", "not_reached"),
    *("other_flow", "payment_input", "pictures", "question_first", "redirect", "script"),
    *("set_variable", "text_after_question", "text_between", "too_deep", "too_large"),
    *("variable", "wait"),
)


@extend_schema_field(OpenApiTypes.OBJECT)
class FlowField(serializers.Field[Any, Any, Any, Any]):
    """The content of an exported file; the service judges it."""

    def to_internal_value(self, data: Any) -> Any:
        return data


class TypebotFlowSerializer(StrictSerializer):
    flow = FlowField(help_text="The content of the file that Typebot exported.")


class DraftOptionSerializer(serializers.Serializer[Any]):
    """An option of a menu that is not stored."""

    title = serializers.CharField()
    message = serializers.CharField(allow_blank=True)
    asks = serializers.ChoiceField(choices=AskedKind.choices, allow_blank=True)
    asksField = serializers.CharField(allow_blank=True)
    asksTogether = serializers.BooleanField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the children, which are options themselves."""
        return {**super().get_fields(), "children": DraftOptionSerializer(many=True)}


class TypebotBlockSerializer(RowSerializer):
    """What became of a block."""

    group = serializers.CharField(allow_blank=True, help_text="The title of its group.")
    kind = serializers.CharField(allow_blank=True, help_text="Its type, as Typebot names it.")
    excerpt = serializers.CharField(allow_blank=True)
    outcome = serializers.ChoiceField(choices=OUTCOMES)
    reason = serializers.ChoiceField(choices=REASONS, allow_blank=True)


class TypebotMenuSerializer(RowSerializer):
    """The draft of a queue's menu, and what became of each block of the flow."""

    name = serializers.CharField(allow_blank=True)
    greetingMessage = serializers.CharField(source="greeting", allow_blank=True)
    options = DraftOptionSerializer(many=True)
    blocks = TypebotBlockSerializer(many=True)

    def _read_options(self, menu: Any) -> list[dict[str, Any]]:
        return [_row(node) for node in menu.options]


def _row(node: OptionNode) -> dict[str, Any]:
    return {
        "title": node.title,
        "message": node.message,
        "asks": node.asks,
        "asksField": node.asks_field,
        "asksTogether": node.asks_together,
        "children": [_row(child) for child in node.children],
    }
