"""The wire shapes of queues and of their options."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.media import media_url
from apps.common.serializers import (
    BooleanField,
    IdField,
    MediaUrlField,
    OptionalIdField,
    RowSerializer,
    TextField,
    UnusedField,
    file_field,
    name_field,
)
from apps.companies.serializers.companies import ScheduleSerializer
from apps.queues.models import AskedKind, Queue, QueueOption
from apps.queues.trees import MAX_DEPTH, MAX_OPTIONS, OptionNode

MAX_ORDER = 2**31 - 1


def _title_field(**options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=100,
        error_messages={
            "required": "Informe o título.",
            "blank": "Informe o título.",
            "null": "Informe o título.",
            "max_length": "O título pode ter no máximo 100 caracteres.",
        },
        **options,
    )


class AsksField(serializers.ChoiceField):
    """What an option asks the contact for; empty or null for nothing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            AskedKind.choices,
            required=False,
            allow_blank=True,
            allow_null=True,
            error_messages={"invalid_choice": "Escolha o que a opção pergunta."},
            **options,
        )

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation("" if data is None else data)


def _asks_field_name() -> TextField:
    return TextField(
        source="asks_field",
        max_length=100,
        trim_whitespace=True,
        error_messages={"max_length": "O nome do campo pode ter no máximo 100 caracteres."},
    )


class OptionNodeSerializer(serializers.Serializer[Any]):
    """An option of a queue's menu.

    With the `id` of a stored option it changes that one, without an `id` it is new.
    """

    id = OptionalIdField()
    key = serializers.CharField(required=False, allow_blank=True, max_length=64)
    title = _title_field()
    message = TextField(max_length=4096)
    redirectionQueueId = OptionalIdField(source="redirection_queue_id")
    tagId = OptionalIdField(source="tag_id")
    asks = AsksField()
    asksField = _asks_field_name()
    asksTogether = BooleanField(source="asks_together", required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the children, which are nodes themselves."""
        children = OptionNodeSerializer(many=True, required=False)
        return {**super().get_fields(), "children": children}


class _FlatNodeSerializer(OptionNodeSerializer):
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: field for name, field in super().get_fields().items() if name != "children"}


class _UntitledNodeSerializer(_FlatNodeSerializer):
    title = _title_field(allow_blank=True)
    # The name and type of a file that is uploaded after the queue is saved.
    mediaName = TextField(source="media_name", max_length=1000)
    mediaMime = TextField(source="media_mime", max_length=1000)


@extend_schema_field(OptionNodeSerializer(many=True))
class OptionTreeField(serializers.Field[Any, Any, Any, Any]):
    """The whole menu of a queue; an error is reported at the path of its option.

    The field checks depth and number of the options itself, because nested serializers would
    recurse as deep as the request is nested. `may_be_untitled` accepts a menu that is still being
    edited.
    """

    default_error_messages: ClassVar[dict[str, Any]] = {
        "not_a_list": "Informe uma lista de opções.",
        "too_many": f"Uma fila pode ter até {MAX_OPTIONS} opções.",
        "too_deep": f"O menu pode ter até {MAX_DEPTH} níveis.",
    }

    def __init__(self, *, may_be_untitled: bool = False, **options: Any) -> None:
        self._node = _UntitledNodeSerializer() if may_be_untitled else _FlatNodeSerializer()
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> tuple[OptionNode, ...]:
        """Return the nodes of the top level."""
        if not isinstance(data, list):
            self.fail("not_a_list")
        if _node_count(data) > MAX_OPTIONS:
            self.fail("too_many")
        nodes, errors = self._level(data, depth=1)
        if errors:
            raise serializers.ValidationError(errors)
        return nodes

    def _level(self, items: list[Any], depth: int) -> tuple[tuple[OptionNode, ...], dict[str, Any]]:
        nodes: list[OptionNode] = []
        errors: dict[str, Any] = {}
        for index, item in enumerate(items):
            try:
                nodes.append(self._read(item, depth))
            except serializers.ValidationError as error:
                errors[str(index)] = error.detail
        return tuple(nodes), errors

    def _read(self, item: Any, depth: int) -> OptionNode:
        errors: dict[str, Any] = {}
        values: dict[str, Any] = {}
        try:
            values = self._node.run_validation(item)
        except serializers.ValidationError as error:
            if not isinstance(item, dict) or not isinstance(error.detail, dict):
                raise
            errors = error.detail
        given = item.get("children") or []
        children: tuple[OptionNode, ...] = ()
        sentences = self.error_messages
        if not isinstance(given, list):
            errors["children"] = [sentences["not_a_list"]]
        elif given and depth == MAX_DEPTH:
            errors["children"] = [sentences["too_deep"]]
        else:
            children, inner = self._level(given, depth + 1)
            if inner:
                errors["children"] = inner
        if errors:
            raise serializers.ValidationError(errors)
        return OptionNode(**values, children=children)


def _node_count(items: list[Any]) -> int:
    """Return the number of nodes of an unvalidated menu; counting stops above MAX_OPTIONS."""
    count, waiting = 0, [items]
    while waiting and count <= MAX_OPTIONS:
        level = waiting.pop()
        count += len(level)
        inner = (item.get("children") for item in level if isinstance(item, dict))
        waiting.extend(children for children in inner if isinstance(children, list) and children)
    return count


class OrderField(serializers.IntegerField):
    """A queue's position, or null; older browsers send an empty text for none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(None if data == "" else data)


class QueueInputSerializer(serializers.Serializer[Any]):
    """A queue to create or to change (rules/queues §1)."""

    name = name_field()
    color = serializers.CharField(
        min_length=3,
        max_length=9,
        error_messages={
            "required": "Escolha uma cor.",
            "blank": "Escolha uma cor.",
            "null": "Escolha uma cor.",
            "min_length": "A cor precisa ter de 3 a 9 caracteres.",
            "max_length": "A cor precisa ter de 3 a 9 caracteres.",
        },
    )
    orderQueue = OrderField(
        source="order",
        min_value=-MAX_ORDER,
        max_value=MAX_ORDER,
        error_messages={"required": "Informe a ordem."},
    )
    greetingMessage = TextField(source="greeting_message", max_length=4096)
    complationMessage = TextField(source="completion_message", max_length=4096)
    outOfHoursMessage = TextField(source="out_of_hours_message", max_length=4096)
    ratingMessage = TextField(source="rating_message", max_length=4096)
    expireChat = BooleanField(source="expire_chat", required=False)
    asksTransferNote = BooleanField(source="asks_transfer_note", required=False)
    schedules = ScheduleSerializer(many=True, required=False)
    integrationId = OptionalIdField(source="integration_id")
    promptId = OptionalIdField(source="prompt_id")
    options = OptionTreeField(required=False)
    # The `updatedAt` of the queue when the editor loaded it; 409 if the queue was saved since.
    ifUpdatedAt = serializers.DateTimeField(
        source="if_updated_at", required=False, allow_null=True, write_only=True
    )


class QueueSerializer(RowSerializer):
    """A queue."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()
    orderQueue = serializers.IntegerField(source="order", allow_null=True)
    greetingMessage = serializers.CharField(source="greeting_message", allow_blank=True)
    complationMessage = serializers.CharField(source="completion_message", allow_blank=True)
    outOfHoursMessage = serializers.CharField(source="out_of_hours_message", allow_blank=True)
    ratingMessage = serializers.CharField(source="rating_message", allow_blank=True)
    expireChat = serializers.BooleanField(source="expire_chat")
    asksTransferNote = serializers.BooleanField(
        source="asks_transfer_note",
        help_text="Whether a transfer to the queue, or inside it, needs a note.",
    )
    schedules = ScheduleSerializer(many=True)
    integrationId = serializers.IntegerField(source="integration_id", allow_null=True)
    promptId = serializers.IntegerField(source="prompt_id", allow_null=True)
    hasConnection = serializers.BooleanField(
        help_text="Whether a connection, an option, a prompt or a flow leads to the queue."
    )
    hasAttendants = serializers.BooleanField(help_text="Whether the queue has an active user.")
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    # Set by `with_reach`, true for a queue that was read without it.
    def _read_hasConnection(self, queue: Queue) -> bool:
        return getattr(queue, "has_connection", True)

    def _read_hasAttendants(self, queue: Queue) -> bool:
        return getattr(queue, "has_attendants", True)


class OptionSerializer(serializers.Serializer[Any]):
    """An option of a queue's menu; `option` is its position among its siblings, from 1."""

    # `option_rows` makes the rows.

    id = serializers.IntegerField()
    title = serializers.CharField()
    message = serializers.CharField(allow_blank=True)
    option = serializers.IntegerField()
    queueId = serializers.IntegerField(source="queue_id")
    parentId = serializers.IntegerField(source="parent_id", allow_null=True)
    redirectionQueueId = serializers.IntegerField(source="redirection_queue_id", allow_null=True)
    tagId = serializers.IntegerField(
        source="tag_id",
        allow_null=True,
        help_text=(
            "Id of the tag that the ticket gets when a contact chooses the option; null: none."
        ),
    )
    asks = serializers.ChoiceField(
        choices=AskedKind.choices,
        allow_blank=True,
        help_text="Kind of answer for which the message asks; '' if it is not a question.",
    )
    asksField = serializers.CharField(
        source="asks_field",
        allow_blank=True,
        help_text=(
            "Extra field of the contact that stores the answer; '': the contact's name or e-mail."
        ),
    )
    asksTogether = serializers.BooleanField(
        source="asks_together",
        help_text="Whether the questions that follow are asked with it in one form.",
    )
    mediaPath = MediaUrlField(
        source="media_path",
        allow_null=True,
        help_text="Signed address of the file; null without a file.",
    )
    mediaName = serializers.CharField(source="media.name", allow_null=True)
    mediaMime = serializers.CharField(source="media.mime", allow_null=True)
    mediaSize = serializers.IntegerField(source="media_size", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the children, which are options themselves."""
        return {**super().get_fields(), "children": OptionSerializer(many=True)}


class QueueWithOptionsSerializer(QueueSerializer):
    """A queue with its whole menu."""

    options = OptionSerializer(many=True)


class QueueUsageSerializer(serializers.Serializer[Any]):
    """The records that the deletion of a queue would affect.

    `tickets` counts the open and pending tickets that would be left without a queue. `prompts`
    counts those that would be deleted with it. `options` counts options of other queues that lead
    to it. `integrations` counts those that have it as the queue of conversations that they lead to
    none; they would lose it. `deadlines` counts the times for answers that are for it or have a
    step that leads to it (rules/desk §8).
    """

    tickets = serializers.IntegerField()
    connections = serializers.IntegerField()
    users = serializers.IntegerField()
    options = serializers.IntegerField()
    prompts = serializers.IntegerField()
    integrations = serializers.IntegerField()
    deadlines = serializers.IntegerField()


class ParentIdField(OptionalIdField):
    """The id of the option above; -1, 0 or null for the top level (rules/queues §2)."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the id, or None for the top level."""
        return super().run_validation(None if data in (-1, "-1", 0, "0") else data)


class OptionInputSerializer(serializers.Serializer[Any]):
    """An option to create or to change; without `option`, its position, a new one comes last."""

    title = _title_field()
    message = TextField(max_length=4096)
    option = serializers.IntegerField(
        source="position",
        required=False,
        min_value=0,
        max_value=MAX_ORDER,
        error_messages={"invalid": "Informe a posição como um número."},
    )
    queueId = IdField(source="queue_id", error_messages={"required": "Informe a fila."})
    parentId = ParentIdField(source="parent_id")
    redirectionQueueId = OptionalIdField(source="redirection_queue_id")
    forwardQueueId = OptionalIdField(
        write_only=True, help_text="`redirectionQueueId` in older browsers; null changes nothing."
    )
    exitChatbot = UnusedField("Desmarque a saída do bot: escolha a fila que atende a opção.")
    tagId = OptionalIdField(source="tag_id")
    asks = AsksField()
    asksField = _asks_field_name()
    asksTogether = BooleanField(source="asks_together", required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Put the queue of older browsers in its place."""
        if forward := attrs.pop("forwardQueueId", None):
            attrs["redirection_queue_id"] = forward
        return attrs


class OptionFileSerializer(serializers.Serializer[Any]):
    """A form with the file of an option."""

    file = file_field()


class OptionFiltersSerializer(serializers.Serializer[Any]):
    """The filters of the list of options."""

    queueId = OptionalIdField(source="queue_id")
    parentId = ParentIdField(
        source="parent_id", help_text="Id of the parent option; -1 for the top level."
    )


def option_rows(
    options: Iterable[QueueOption], parent_id: int | None = None
) -> list[dict[str, Any]]:
    """Return the rows of the options below a parent, or of the top level, with their children.

    `options` are all options of one queue, in the order of their positions.
    """
    below: defaultdict[int | None, list[QueueOption]] = defaultdict(list)
    for option in options:
        below[option.parent_id].append(option)

    def rows_below(parent_id: int | None) -> list[dict[str, Any]]:
        return [
            {
                "id": option.pk,
                "title": option.title,
                "message": option.message,
                "option": place,
                "queueId": option.queue_id,
                "parentId": option.parent_id,
                "redirectionQueueId": option.redirection_queue_id,
                "tagId": option.tag_id,
                "asks": option.asks,
                "asksField": option.asks_field,
                "asksTogether": option.asks_together,
                "mediaPath": media_url(option.media_path) or None,
                "mediaName": option.media.name if option.media else None,
                "mediaMime": option.media.mime if option.media else None,
                "mediaSize": option.media_size,
                "createdAt": option.created_at,
                "updatedAt": option.updated_at,
                "children": rows_below(option.pk),
            }
            for place, option in enumerate(below[parent_id], start=1)
        ]

    return rows_below(parent_id)
