"""Rehearsals and their reports on the wire (rules/desk §16)."""

from typing import Any

from rest_framework import serializers

from apps.common.leases import LeaseState
from apps.common.serializers import (
    MAX_ID,
    OptionalIdField,
    RowSerializer,
    StrictSerializer,
    TextField,
)
from apps.desk.decisions.bot_trials import End, Unknown
from apps.desk.models import Rehearsal, Subject
from apps.desk.models.policies import choices_of
from apps.desk.serializers.assignment import AssignmentPolicyInputSerializer
from apps.desk.serializers.rules import RuleInputSerializer
from apps.desk.serializers.sla import KINDS, SlaPolicyInputSerializer
from apps.queues.serializers import OptionTreeField
from apps.tickets.serializers.testchat import QueueDraftSerializer
from apps.tickets.serializers.tickets import TicketSerializer

LONGEST = 30
SUBJECTS = choices_of(Subject)
STATES = [(each, each) for each in ("waiting", "running", "done", "failed")]
_CHOOSE = "Escolha uma das opções."


class TriedPolicySerializer(AssignmentPolicyInputSerializer):
    """How a queue would give what waits to people; omitted fields are as they are."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, of which none is required."""
        fields: dict[str, Any] = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields


class TriedQueueSerializer(QueueDraftSerializer):
    """What of a queue the bot goes by; omitted fields are as they are.

    Options with the `id` of a stored one keep its file.
    """

    name = TextField(max_length=50)
    options = OptionTreeField(required=False)


class RehearsalInputSerializer(StrictSerializer):
    """What is tried, on how many of the last days.

    `assignment` are the fields of the queue `queueId` that change, `bot` those of its bot; `sla`
    are times in the place of `slaId`, or new ones; `rule` is a rule in the place of `ruleId`, or a
    new one.
    """

    subject = serializers.ChoiceField(choices=SUBJECTS, error_messages={"invalid_choice": _CHOOSE})
    days = serializers.IntegerField(
        min_value=1,
        max_value=LONGEST,
        error_messages=dict.fromkeys(
            ("min_value", "max_value", "invalid"), f"Informe de 1 a {LONGEST} dias."
        ),
    )
    queueId = OptionalIdField(source="queue_id")
    assignment = TriedPolicySerializer(required=False)
    slaId = OptionalIdField(source="sla_id")
    sla = SlaPolicyInputSerializer(required=False)
    ruleId = OptionalIdField(source="rule_id")
    rule = RuleInputSerializer(required=False)
    bot = TriedQueueSerializer(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what belongs to another subject, and times that are missing."""
        own = {
            Subject.ASSIGNMENT: {"queue_id": "queueId", "assignment": "assignment"},
            Subject.SLA: {"sla_id": "slaId", "sla": "sla"},
            Subject.RULE: {"rule_id": "ruleId", "rule": "rule"},
            Subject.BOT: {"queue_id": "queueId", "bot": "bot"},
        }
        for names in own.values():
            for name, wire in names.items():
                if name not in own[attrs["subject"]] and attrs.get(name) is not None:
                    sentence = "Isto não faz parte deste ensaio."
                    raise serializers.ValidationError({wire: [sentence]}, "unused")
        for subject, sentence in (
            (Subject.SLA, "Informe os prazos."),
            (Subject.RULE, "Informe a regra."),
            (Subject.BOT, "Informe a fila."),
        ):
            if attrs["subject"] == subject and subject.value not in attrs:
                raise serializers.ValidationError({subject.value: [sentence]}, "required")
        return attrs


class RehearsalsQuerySerializer(StrictSerializer):
    """Which rehearsals are asked for."""

    subject = serializers.ChoiceField(
        choices=SUBJECTS, required=False, error_messages={"invalid_choice": _CHOOSE}
    )
    targetId = serializers.IntegerField(
        source="target_id", min_value=1, max_value=MAX_ID, required=False
    )


class SpreadSerializer(serializers.Serializer[Any]):
    """Times in seconds; null where there is none."""

    count = serializers.IntegerField()
    median = serializers.FloatField(allow_null=True)
    p90 = serializers.FloatField(allow_null=True)


class RehearsalSideSerializer(serializers.Serializer[Any]):
    """What happened, or what would have. `waits` end when somebody has the ticket, `answers` with
    a person's first word; both begin when it waits for people.
    """

    held = serializers.IntegerField()
    answered = serializers.IntegerField()
    returned = serializers.IntegerField()
    forSupervisors = serializers.IntegerField(
        allow_null=True, help_text="null of what happened: no row tells it."
    )
    waits = SpreadSerializer()
    answers = SpreadSerializer()
    met = serializers.IntegerField()
    missed = serializers.IntegerField()


class RehearsalPersonSerializer(serializers.Serializer[Any]):
    """To whom tickets came first, before and after; without a name the user was deleted."""

    userId = serializers.IntegerField()
    name = serializers.CharField(allow_null=True)
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class RehearsalKindSerializer(serializers.Serializer[Any]):
    """Clocks of a kind that were met and missed, and would have been."""

    kind = serializers.ChoiceField(choices=KINDS)
    metBefore = serializers.IntegerField()
    missedBefore = serializers.IntegerField()
    metAfter = serializers.IntegerField()
    missedAfter = serializers.IntegerField()


class RehearsalDeedSerializer(serializers.Serializer[Any]):
    """How often a step of the times, by its number in their list, would have been done."""

    id = serializers.IntegerField()
    count = serializers.IntegerField()


class RehearsalRunsSerializer(serializers.Serializer[Any]):
    """How often the rule ran, would have run, and would have been refused."""

    before = serializers.IntegerField()
    after = serializers.IntegerField()
    refused = serializers.IntegerField()


class RehearsalOutcomeSerializer(serializers.Serializer[Any]):
    """What became of a ticket, or would have; null where it waited to the end."""

    userName = serializers.CharField(allow_null=True)
    waitSeconds = serializers.FloatField(allow_null=True)
    answerSeconds = serializers.FloatField(allow_null=True)
    returns = serializers.IntegerField()


class RehearsalNodeSerializer(serializers.Serializer[Any]):
    """A menu or a question of the bot: `path` are the titles that lead to it in its queue, '' for
    the queue's first menu; without a queue it is the menu of queues.
    """

    queueId = serializers.IntegerField(allow_null=True)
    queueName = serializers.CharField(allow_null=True)
    path = serializers.CharField(allow_blank=True)


class RehearsalBotNodeSerializer(RehearsalNodeSerializer):
    """In how many conversations the last answer to it was none, and how many would come to it whose
    contact never had it.
    """

    stoppedBefore = serializers.IntegerField()
    stoppedAfter = serializers.IntegerField()
    unseen = serializers.IntegerField()


class RehearsalUndecidedSerializer(serializers.Serializer[Any]):
    """Conversations of which nothing tells how they go on, by why: a flow or a model answers, the
    contact never had that menu or question, another responder of the number leads.
    """

    integration = serializers.IntegerField()
    prompt = serializers.IntegerField()
    unseen = serializers.IntegerField()
    elsewhere = serializers.IntegerField()


class RehearsalBotSideSerializer(serializers.Serializer[Any]):
    """What would become of the conversations that the bot `began`: each is with `people`, still
    `inBot`, or undecided. In `stopped` of them the last answer to a menu or question was none.
    """

    began = serializers.IntegerField()
    people = serializers.IntegerField()
    inBot = serializers.IntegerField()
    stopped = serializers.IntegerField()
    undecided = RehearsalUndecidedSerializer()
    steps = serializers.FloatField(
        allow_null=True, help_text="The contact's turns until people have it: their median."
    )


class RehearsalBotQueueSerializer(serializers.Serializer[Any]):
    """How many conversations come to people in a queue; null: in none."""

    queueId = serializers.IntegerField(allow_null=True)
    queueName = serializers.CharField(allow_null=True)
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class RehearsalBotSerializer(serializers.Serializer[Any]):
    """The bot by the tree that is on, and by the one that would be."""

    before = RehearsalBotSideSerializer()
    after = RehearsalBotSideSerializer()
    queues = RehearsalBotQueueSerializer(many=True)
    nodes = RehearsalBotNodeSerializer(many=True)


class RehearsalBotOutcomeSerializer(serializers.Serializer[Any]):
    """What would become of a conversation; `node` is where it stopped, or what was never seen."""

    end = serializers.ChoiceField(choices=choices_of(End))
    queueId = serializers.IntegerField(allow_null=True)
    queueName = serializers.CharField(allow_null=True)
    steps = serializers.IntegerField(allow_null=True)
    unknown = serializers.ChoiceField(choices=choices_of(Unknown), allow_blank=True)
    node = RehearsalNodeSerializer(allow_null=True)


class RehearsalBotSampleSerializer(serializers.Serializer[Any]):
    """A conversation by both trees."""

    before = RehearsalBotOutcomeSerializer()
    after = RehearsalBotOutcomeSerializer()


class RehearsalSampleSerializer(serializers.Serializer[Any]):
    """A ticket to which something else would have happened.

    `before` and `after` are those of a distribution; the kinds of clock those of times; `runs`,
    `at` and `refusal` those of a rule; `bot` is that of a queue's bot.
    """

    ticket = TicketSerializer()
    before = RehearsalOutcomeSerializer(allow_null=True)
    after = RehearsalOutcomeSerializer(allow_null=True)
    missedBefore = serializers.ListField(child=serializers.ChoiceField(choices=KINDS))
    missedAfter = serializers.ListField(child=serializers.ChoiceField(choices=KINDS))
    runs = serializers.IntegerField()
    at = serializers.DateTimeField(allow_null=True)
    refusal = serializers.CharField()
    bot = RehearsalBotSampleSerializer(allow_null=True)


class RehearsalReportSerializer(serializers.Serializer[Any]):
    """What would have happened beside what did.

    `tickets` began in the span; the change is about `matched` of them, and would have had another
    outcome for `changed`. The samples are at most 50 of these.
    """

    tickets = serializers.IntegerField()
    matched = serializers.IntegerField()
    changed = serializers.IntegerField()
    runs = RehearsalRunsSerializer()
    before = RehearsalSideSerializer()
    after = RehearsalSideSerializer()
    people = RehearsalPersonSerializer(many=True)
    kinds = RehearsalKindSerializer(many=True)
    deeds = RehearsalDeedSerializer(many=True)
    samples = RehearsalSampleSerializer(many=True)
    bot = RehearsalBotSerializer(allow_null=True, help_text="null for another subject.")
    estimatedPeople = serializers.IntegerField(
        help_text="For so many people presence is only told by when they wrote."
    )
    isCut = serializers.BooleanField(
        help_text="The span has more tickets than are tried: the latest ones were."
    )


class RehearsalSerializer(RowSerializer):
    """A rehearsal and how far it is; `targetId` is the queue, times or rule that would change."""

    id = serializers.IntegerField()
    subject = serializers.ChoiceField(choices=SUBJECTS)
    targetId = serializers.IntegerField(source="target_id", allow_null=True)
    days = serializers.IntegerField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=STATES)
    ticketsDone = serializers.IntegerField(source="tickets_done")
    ticketsTotal = serializers.IntegerField(source="tickets_total")
    userName = serializers.CharField(source="user.name", allow_null=True)
    errorCode = serializers.CharField(source="error_code")
    createdAt = serializers.DateTimeField(source="created_at")
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True)

    def _read_state(self, rehearsal: Rehearsal) -> str:
        if rehearsal.state in {LeaseState.DONE, LeaseState.FAILED}:
            return str(rehearsal.state)
        return "running" if rehearsal.state == LeaseState.CLAIMED else "waiting"

    def _read_userName(self, rehearsal: Rehearsal) -> str | None:
        return rehearsal.user.name if rehearsal.user else None


class RehearsalDetailSerializer(serializers.Serializer[Any]):
    """A rehearsal with its report, null until it is over."""

    rehearsal = RehearsalSerializer()
    report = RehearsalReportSerializer(allow_null=True)
