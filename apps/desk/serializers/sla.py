"""Times, clocks and their report on the wire (rules/desk §8 to §11)."""

from typing import Any

from rest_framework import serializers

from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import (
    MAX_ID,
    BoundedListSerializer,
    OptionalIdField,
    PartSerializer,
    RowSerializer,
    StrictSerializer,
)
from apps.desk.decisions.sla import Kind, When
from apps.desk.models import SlaAction, SlaPolicy, SlaStep, SlaTells
from apps.desk.models.policies import choices_of
from apps.tickets.serializers.dashboard import DashboardQuerySerializer
from apps.tickets.serializers.tickets import PRIORITIES, PRIORITY_WORDS, TicketSerializer

# A month and a day, so that a month's time can be told.
LONGEST = 31 * 24 * 60
MOST_STEPS = 20
KINDS, ACTIONS = choices_of(Kind), choices_of(SlaAction)
_NUMBERS = {word: number for number, word in PRIORITY_WORDS.items()}
_CHOOSE: Any = {"invalid_choice": "Escolha uma das opções."}
_OPTIONAL: dict[str, Any] = {"required": False, "allow_null": True}


def _minutes(least: int, **options: Any) -> serializers.IntegerField:
    sentence = f"Informe de {least} a {LONGEST} minutos."
    return serializers.IntegerField(
        min_value=least,
        max_value=LONGEST,
        error_messages=dict.fromkeys(("min_value", "max_value", "invalid"), sentence),
        **options,
    )


class PriorityField(serializers.ChoiceField):
    """A priority by its word, null for none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            choices=PRIORITIES,
            required=False,
            allow_null=True,
            error_messages=_CHOOSE,
            **options,
        )

    def to_internal_value(self, data: Any) -> Any:
        return _NUMBERS[super().to_internal_value(data)]


class SlaStepListSerializer(BoundedListSerializer):
    most = MOST_STEPS


class SlaStepInputSerializer(StrictSerializer, PartSerializer):
    """A step: at a moment of a kind's clocks an action with what it needs.

    `minutes` belong to `after`, `tells` to `tell`, `tagId` to `tag`, `priority` to `priority`,
    `queueId` to `queue`, and `userId` to `assign`, which without it gives the ticket back to its
    queue.
    """

    kind = serializers.ChoiceField(choices=KINDS, error_messages=_CHOOSE)
    when = serializers.ChoiceField(choices=choices_of(When), error_messages=_CHOOSE)
    minutes = _minutes(0, required=False)
    action = serializers.ChoiceField(choices=ACTIONS, error_messages=_CHOOSE)
    tells = serializers.ChoiceField(
        choices=choices_of(SlaTells), required=False, allow_blank=True, error_messages=_CHOOSE
    )
    tagId = OptionalIdField(source="tag_id")
    priority = PriorityField()
    queueId = OptionalIdField(source="queue_id")
    userId = OptionalIdField(source="user_id")

    class Meta:
        list_serializer_class = SlaStepListSerializer


class SlaPolicyInputSerializer(StrictSerializer):
    """Times for the tickets of a queue, with a tag, or of a priority: one of the three.

    Minutes of the hours that apply; null has no time for it.
    """

    queueId = OptionalIdField(source="queue_id")
    tagId = OptionalIdField(source="tag_id")
    priority = PriorityField()
    firstAnswerMinutes = _minutes(1, source="first_answer_minutes", **_OPTIONAL)
    nextAnswerMinutes = _minutes(1, source="next_answer_minutes", **_OPTIONAL)
    resolutionMinutes = _minutes(1, source="resolution_minutes", **_OPTIONAL)
    steps = SlaStepInputSerializer(many=True, required=False)


class SlaStepSerializer(RowSerializer):
    """A step with the names of what it does."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=KINDS)
    when = serializers.ChoiceField(choices=choices_of(When))
    minutes = serializers.IntegerField()
    action = serializers.ChoiceField(choices=ACTIONS)
    tells = serializers.ChoiceField(choices=choices_of(SlaTells), allow_blank=True)
    tagId = serializers.IntegerField(source="tag_id", allow_null=True)
    tagName = serializers.CharField(source="tag.name", allow_null=True)
    priority = serializers.ChoiceField(choices=PRIORITIES, allow_null=True)
    queueId = serializers.IntegerField(source="queue_id", allow_null=True)
    queueName = serializers.CharField(source="queue.name", allow_null=True)
    userId = serializers.IntegerField(source="user_id", allow_null=True)
    userName = serializers.CharField(source="user.name", allow_null=True)

    def _read_tagName(self, step: SlaStep) -> str | None:
        return step.tag.name if step.tag else None

    def _read_priority(self, step: SlaStep) -> str | None:
        return priority_word(step.priority)

    def _read_queueName(self, step: SlaStep) -> str | None:
        return step.queue.name if step.queue else None

    def _read_userName(self, step: SlaStep) -> str | None:
        return step.user.name if step.user else None


class SlaPolicySerializer(RowSerializer):
    """Times for the tickets of a queue, with a tag, or of a priority."""

    id = serializers.IntegerField()
    queueId = serializers.IntegerField(source="queue_id", allow_null=True)
    queueName = serializers.CharField(source="queue.name", allow_null=True)
    tagId = serializers.IntegerField(source="tag_id", allow_null=True)
    tagName = serializers.CharField(source="tag.name", allow_null=True)
    priority = serializers.ChoiceField(choices=PRIORITIES, allow_null=True)
    firstAnswerMinutes = serializers.IntegerField(source="first_answer_minutes", allow_null=True)
    nextAnswerMinutes = serializers.IntegerField(source="next_answer_minutes", allow_null=True)
    resolutionMinutes = serializers.IntegerField(source="resolution_minutes", allow_null=True)
    steps = SlaStepSerializer(many=True)

    def _read_queueName(self, policy: SlaPolicy) -> str | None:
        return policy.queue.name if policy.queue else None

    def _read_tagName(self, policy: SlaPolicy) -> str | None:
        return policy.tag.name if policy.tag else None

    def _read_priority(self, policy: SlaPolicy) -> str | None:
        return priority_word(policy.priority)

    def _read_steps(self, policy: SlaPolicy) -> list[SlaStep]:
        return list(policy.steps.all())


def priority_word(number: int | None) -> str | None:
    return PRIORITY_WORDS[number] if number is not None else None


class SlaClockSerializer(RowSerializer):
    """A clock of a ticket, open until `endedAt`; paused it has no `dueAt`."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=KINDS)
    minutes = serializers.IntegerField()
    startedAt = serializers.DateTimeField(source="started_at")
    dueAt = serializers.DateTimeField(source="due_at", allow_null=True)
    pausedAt = serializers.DateTimeField(source="paused_at", allow_null=True)
    pausedSeconds = serializers.IntegerField(source="paused_seconds")
    metAt = serializers.DateTimeField(source="met_at", allow_null=True)
    missedAt = serializers.DateTimeField(source="missed_at", allow_null=True)
    endedAt = serializers.DateTimeField(source="ended_at", allow_null=True)


class SlaQuerySerializer(DashboardQuerySerializer):
    """The days of the report, and whose clocks count."""

    kind = serializers.ChoiceField(choices=KINDS, required=False, allow_blank=True)


class SlaMissedQuerySerializer(SlaQuerySerializer):
    """Which of the missed ones; 0 stands for no queue and for nobody."""

    queueId = serializers.IntegerField(
        source="queue_id", required=False, min_value=0, max_value=MAX_ID
    )
    userId = serializers.IntegerField(
        source="user_id", required=False, min_value=0, max_value=MAX_ID
    )
    hour = serializers.IntegerField(required=False, min_value=0, max_value=23)
    pageNumber = serializers.IntegerField(
        source="page", required=False, min_value=1, max_value=MAX_PAGE_NUMBER
    )


class SlaCountSerializer(serializers.Serializer[Any]):
    """How many clocks were met and missed; `id` and `name` are null where there is nobody, or
    what it was has been deleted.
    """

    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_null=True)
    met = serializers.IntegerField()
    missed = serializers.IntegerField()


class SlaKindSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KINDS)
    met = serializers.IntegerField()
    missed = serializers.IntegerField()


class SlaHourSerializer(serializers.Serializer[Any]):
    """The clocks that were met or missed in an hour of the day, in the company's zone."""

    hour = serializers.IntegerField()
    met = serializers.IntegerField()
    missed = serializers.IntegerField()


class SlaReportSerializer(serializers.Serializer[Any]):
    """Clocks met and missed, by kind, queue, person and hour."""

    kinds = SlaKindSerializer(many=True)
    queues = SlaCountSerializer(many=True)
    users = SlaCountSerializer(many=True)
    hours = SlaHourSerializer(many=True)


class SlaMissedSerializer(serializers.Serializer[Any]):
    """A missed clock with its ticket, and who had it then."""

    clock = SlaClockSerializer()
    ticket = TicketSerializer()
    queueName = serializers.CharField(allow_null=True)
    userName = serializers.CharField(allow_null=True)


class SlaMissedPageSerializer(serializers.Serializer[Any]):
    clocks = SlaMissedSerializer(many=True)
    hasMore = serializers.BooleanField()


class HolidaySerializer(serializers.Serializer[Any]):
    """A day off; without times it is closed all day."""

    date = serializers.DateField()
    name = serializers.CharField()
    national = serializers.BooleanField()
    startTime = serializers.CharField(allow_blank=True)
    endTime = serializers.CharField(allow_blank=True)


class HolidaysQuerySerializer(serializers.Serializer[Any]):
    year = serializers.IntegerField(required=False, min_value=2000, max_value=2100)
