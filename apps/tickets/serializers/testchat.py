"""The wire shapes of testing a queue's bot before the queue is saved."""

from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers

from apps.common.serializers import OptionalIdField, TextField
from apps.companies.serializers.companies import ScheduleSerializer
from apps.queues.models import AskedKind
from apps.queues.serializers import MAX_ORDER, OptionTreeField, OrderField

YEARS = range(2000, 2101)


class QueueDraftSerializer(serializers.Serializer[Any]):
    """The fields of an unsaved queue that the bot uses; the queue may be incomplete."""

    name = TextField(max_length=50)
    orderQueue = OrderField(
        source="order", required=False, min_value=-MAX_ORDER, max_value=MAX_ORDER
    )
    greetingMessage = TextField(source="greeting_message", max_length=4096)
    outOfHoursMessage = TextField(source="out_of_hours_message", max_length=4096)
    schedules = ScheduleSerializer(many=True, required=False)
    integrationId = OptionalIdField(source="integration_id")
    promptId = OptionalIdField(source="prompt_id")
    options = OptionTreeField(required=False, may_be_untitled=True)


class TestChatFormInputSerializer(serializers.Serializer[Any]):
    """A filled-in form: `first` is that of the form, `values` are by `optionId`."""

    first = serializers.CharField(max_length=64)
    values = serializers.DictField(
        child=serializers.CharField(max_length=1000, allow_blank=True, trim_whitespace=False)
    )


class TestChatInputSerializer(serializers.Serializer[Any]):
    """A contact's message to the bot of a draft.

    `state` is from the last response, null at first.
    """

    queue = QueueDraftSerializer()
    queueId = OptionalIdField(source="queue_id")
    state = serializers.DictField(required=False, allow_null=True)
    text = TextField(max_length=4096)
    choiceId = TextField(source="choice_id", max_length=200)
    form = TestChatFormInputSerializer(required=False, allow_null=True)
    at = serializers.DateTimeField(
        required=False,
        allow_null=True,
        help_text="Time of the message; the present time if it is null or left out.",
    )

    def validate_at(self, moment: datetime | None) -> datetime | None:
        """Refuse years outside 2000 to 2100."""
        if moment is not None and moment.astimezone(UTC).year not in YEARS:
            raise serializers.ValidationError("Informe uma data entre 2000 e 2100.")
        return moment


class TestChatChoiceSerializer(serializers.Serializer[Any]):
    """A button or a row of a native menu; its id comes back as `choiceId`."""

    id = serializers.CharField()
    title = serializers.CharField()


class TestChatFieldSerializer(serializers.Serializer[Any]):
    """A question of a form; `text` stands above the field, its value goes under `optionId`."""

    optionId = serializers.CharField()
    asks = serializers.ChoiceField(AskedKind.choices)
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)


class TestChatFormSerializer(serializers.Serializer[Any]):
    """A form of several questions, which begin at the node `first`."""

    first = serializers.CharField()
    title = serializers.CharField()
    questions = TestChatFieldSerializer(many=True)


class TestChatMessageSerializer(serializers.Serializer[Any]):
    """A message of the bot; with `asList` its choices are rows of a list, otherwise buttons.

    If the message is a file, `mediaName` is its name and `fileOf` the `key` of its node.
    """

    body = serializers.CharField(allow_blank=True)
    choices = TestChatChoiceSerializer(many=True)
    asList = serializers.BooleanField()
    mediaName = serializers.CharField(allow_blank=True)
    fileOf = serializers.CharField(allow_blank=True)
    form = TestChatFormSerializer(allow_null=True)


class TestChatEffectSerializer(serializers.Serializer[Any]):
    """An effect of the message on the ticket.

    `queue`: the ticket goes to the queue `queueId` (missing for an unsaved one), called
    `queueName`; `reason` is there if the contact did not choose it: single, the number has no
    other; fallback, the bot led to no queue; closed.

    `person`: the ticket waits for a person; `reason` is leaf, limit, handed_over, no_options, or
    ended if it waited already.

    `integration`, `prompt`: the one called `name` answers.

    `left`: the queue where the ticket waits and what the contact is told (`value`) if that one
    fails, ends or says nothing for `minutes`; with the reason handed_over, if a prompt hands over.

    `closed`: nobody is there at this time.

    `tag`: the ticket gets the tag called `name`.

    `value`: the contact's extra field `name` gets `value`; without `name` it is the contact's own
    name or e-mail, as `reason` says.

    `one_by_one`: the number has no forms, so the questions that are asked together follow each
    other.
    """

    kind = serializers.ChoiceField(
        choices=[
            "queue",
            "person",
            "integration",
            "prompt",
            "left",
            "closed",
            "tag",
            "value",
            "one_by_one",
        ]
    )
    queueId = serializers.IntegerField(required=False)
    queueName = serializers.CharField(required=False)
    name = serializers.CharField(required=False, allow_blank=True)
    reason = serializers.CharField(required=False)
    value = serializers.CharField(required=False, allow_blank=True)
    minutes = serializers.IntegerField(required=False)


class TestChatAnswerSerializer(serializers.Serializer[Any]):
    """The bot's answer; `optionId` is the `key` of the draft's node at which the contact is."""

    messages = TestChatMessageSerializer(many=True)
    state = serializers.DictField()
    effects = TestChatEffectSerializer(many=True)
    optionId = serializers.CharField(allow_null=True)
    menuType = serializers.ChoiceField(choices=["text", "button", "list"])
