"""Rules, macros and what they have done, on the wire (rules/desk §12 to §15)."""

from typing import Any, NoReturn

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.serializers import (
    MAX_ID,
    BooleanField,
    BoundedListField,
    BoundedListSerializer,
    IdField,
    OptionalIdField,
    PartSerializer,
    RowSerializer,
    StrictSerializer,
)
from apps.desk.decisions.conditions import FIELDS, IDS, NUMBERS, Operator
from apps.desk.decisions.rules import PRIORITIES as WORDS_OF_PRIORITIES
from apps.desk.decisions.rules import Do, When
from apps.desk.decisions.sla import When as StepWhen
from apps.desk.models import Macro, Rule, RuleRun, Tells
from apps.desk.models.policies import choices_of
from apps.desk.serializers.sla import KINDS, priority_word
from apps.tickets.serializers.tickets import PRIORITIES, PRIORITY_WORDS

MOST_ACTIONS, MOST_CHECKS, MOST_VALUES, DEEPEST_TREE = 20, 30, 50, 4
# A month and a day.
LONGEST = 31 * 24 * 60
LONGEST_TEXT, LONGEST_NAME, LONGEST_VALUE = 4096, 80, 200
WHENS, STEPS, DOES = choices_of(When), choices_of(StepWhen), choices_of(Do)
_NUMBERS = {word: number for number, word in PRIORITY_WORDS.items()}
_CHOOSE: dict[str, Any] = {
    "invalid_choice": "Escolha uma das opções.",
    "required": "Escolha uma das opções.",
}
# What each word of a condition stands for.
WORDS: dict[str, tuple[str, ...]] = {
    "status": ("open", "pending", "closed"),
    "leads": ("bot", "people"),
    "kind": ("contact", "group"),
    "media": ("text", "image", "audio", "video", "file", "contact", "location"),
    "hours": ("open", "closed"),
    "priority": tuple(WORDS_OF_PRIORITIES.values()),
}
NAMED = [(each, each) for each in (*sorted(IDS), "quick")]
_RANGES = {"rate": (1, 3), "weekday": (0, 6), "hour": (0, 24 * 60)}


def _minutes(**options: Any) -> serializers.IntegerField:
    sentence = f"Informe de 0 a {LONGEST} minutos."
    return serializers.IntegerField(
        min_value=0,
        max_value=LONGEST,
        required=False,
        error_messages=dict.fromkeys(("min_value", "max_value", "invalid"), sentence),
        **options,
    )


def _text(longest: int, **options: Any) -> serializers.CharField:
    sentence = f"Escreva no máximo {longest} caracteres."
    options = {"required": False, "allow_blank": True, **options}
    return serializers.CharField(
        max_length=longest,
        error_messages={"max_length": sentence, "blank": "Complete o que falta."},
        **options,
    )


class RuleTriggerSerializer(StrictSerializer, PartSerializer):
    """When a rule starts; `ids` are tags, queues or people, `minutes` belong to times."""

    when = serializers.ChoiceField(choices=WHENS, error_messages=_CHOOSE)
    ids = BoundedListField(child=IdField(), max_length=MOST_VALUES, required=False)
    minutes = _minutes()
    inHours = BooleanField(required=False)
    kind = serializers.ChoiceField(
        choices=KINDS, required=False, allow_blank=True, error_messages=_CHOOSE
    )
    step = serializers.ChoiceField(choices=STEPS, required=False, error_messages=_CHOOSE)


class RuleActionListSerializer(BoundedListSerializer):
    most = MOST_ACTIONS


class RuleActionSerializer(StrictSerializer, PartSerializer):
    """One thing to do, with what it needs.

    `id` is a tag, queue, person (null: back to the queue) or quick message. `name` is a field of
    the contact, or a template with its `language` and the `values` of its text. `minutes` are those
    of a snooze, 0 until the contact writes. `tells` is whom `tell` tells.
    """

    do = serializers.ChoiceField(choices=DOES, error_messages=_CHOOSE)
    id = OptionalIdField()
    name = _text(512)
    language = _text(20)
    text = _text(LONGEST_TEXT, trim_whitespace=False)
    values = BoundedListField(child=_text(1024), max_length=MOST_VALUES, required=False)
    priority = serializers.ChoiceField(choices=PRIORITIES, required=False, error_messages=_CHOOSE)
    minutes = _minutes()
    tells = serializers.ChoiceField(
        choices=choices_of(Tells), required=False, allow_blank=True, error_messages=_CHOOSE
    )

    class Meta:
        list_serializer_class = RuleActionListSerializer

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        row: dict[str, Any] = super().to_internal_value(data)
        if "priority" in row:
            row["priority"] = _NUMBERS[row["priority"]]
        return row

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return an action as it is stored, its priority as a word."""
        row = dict(instance)
        if row.get("priority"):
            row["priority"] = priority_word(row["priority"])
        return row


_FIELD_NAME = _text(100, allow_blank=False)
_VALUE = _text(LONGEST_VALUE, allow_blank=False)


@extend_schema_field(OpenApiTypes.OBJECT)
class ConditionField(serializers.Field[Any, Any, Any, Any]):
    """A tree of `all`, `any` and `not` over checks of one field each, or null for no condition.

    A check has `field`, `operator`, `values` and, of a field of the contact, its `name`.
    """

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        self._checks = 0
        return self._tree(data, 1)

    def to_representation(self, value: Any) -> Any:
        return value

    def _tree(self, data: Any, depth: int) -> dict[str, Any]:
        if not isinstance(data, dict):
            self._refuse("A condição não está no formato esperado.")
        if depth > DEEPEST_TREE:
            self._refuse(f"Uma condição tem no máximo {DEEPEST_TREE} níveis.")
        for word in ("all", "any"):
            if word in data:
                parts = data[word]
                if len(data) != 1 or not isinstance(parts, list) or len(parts) > MOST_CHECKS:
                    self._refuse(f"Uma condição tem no máximo {MOST_CHECKS} partes.")
                return {word: [self._tree(part, depth + 1) for part in parts]}
        if "not" in data:
            if len(data) != 1:
                self._refuse("A condição não está no formato esperado.")
            return {"not": self._tree(data["not"], depth + 1)}
        return self._check(data)

    def _check(self, data: dict[str, Any]) -> dict[str, Any]:
        self._checks += 1
        if self._checks > MOST_CHECKS:
            self._refuse(f"Uma condição tem no máximo {MOST_CHECKS} partes.")
        name = data.get("field")
        if not isinstance(name, str) or name not in FIELDS:
            self._refuse("Escolha o que a condição olha.")
        operator = data.get("operator", Operator.IS)
        if data.keys() - {"field", "operator", "values", "name"} or operator not in FIELDS[name]:
            self._refuse("Escolha como a condição olha isto.")
        kept: dict[str, Any] = {"field": name, "operator": str(operator)}
        if name == "contactField":
            kept["name"] = self._name(data.get("name"))
        values = data.get("values", [])
        if not isinstance(values, list) or len(values) > MOST_VALUES:
            self._refuse(f"Escolha no máximo {MOST_VALUES} opções.")
        if operator == Operator.EMPTY:
            return kept
        if not values or (operator == Operator.BETWEEN and len(values) != 2):
            self._refuse("Complete a condição.")
        kept["values"] = [self._value(name, each) for each in values]
        return kept

    def _name(self, name: Any) -> str:
        if not isinstance(name, str):
            self._refuse("Informe o campo do contato.")
        return str(_FIELD_NAME.run_validation(name))

    def _value(self, field: str, value: Any) -> str | int:
        if field in NUMBERS:
            least, most = _RANGES.get(field, (1, MAX_ID))
            is_number = isinstance(value, int) and not isinstance(value, bool)
            if not is_number or not least <= value <= most:
                self._refuse("Escolha uma das opções.")
            return int(value)
        if not isinstance(value, str):
            self._refuse(f"Escreva de 1 a {LONGEST_VALUE} caracteres.")
        text = str(_VALUE.run_validation(value))
        if field in WORDS and text not in WORDS[field]:
            self._refuse("Escolha uma das opções.")
        return text

    def _refuse(self, sentence: str) -> NoReturn:
        raise serializers.ValidationError([sentence], "invalid")


class RuleInputSerializer(StrictSerializer):
    """A rule; without a name it is called by its sentence."""

    name = _text(LONGEST_NAME)
    isOn = BooleanField(source="is_on", required=False)
    trigger = RuleTriggerSerializer()
    condition = ConditionField(required=False, allow_null=True)
    actions = RuleActionSerializer(many=True)


class RuleSwitchSerializer(StrictSerializer):
    isOn = BooleanField(source="is_on")


class RuleNamesSerializer(serializers.Serializer[Any]):
    """A row that a rule or a macro names."""

    kind = serializers.ChoiceField(choices=NAMED)
    id = serializers.IntegerField()
    name = serializers.CharField()


class RuleSerializer(RowSerializer):
    """A rule, in the order in which rules run; `problem` says why the product switched it off.

    `runCount` counts what it did within 30 days, `lastRunAt` is when it did it last. `names` are
    the rows that it names, `startsItself` warns of one that does what starts it.
    """

    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    isOn = serializers.BooleanField(source="is_on")
    position = serializers.IntegerField()
    trigger = RuleTriggerSerializer()
    condition = ConditionField(allow_null=True)
    actions = RuleActionSerializer(many=True)
    problem = serializers.CharField(allow_blank=True)
    startsItself = serializers.BooleanField()
    names = RuleNamesSerializer(many=True)
    runCount = serializers.IntegerField()
    lastRunAt = serializers.DateTimeField(allow_null=True)

    def _read_trigger(self, rule: Rule) -> Any:
        return dict(rule.trigger)

    def _read_actions(self, rule: Rule) -> Any:
        return rule.actions

    def _read_startsItself(self, rule: Rule) -> bool:
        return bool(getattr(rule, "starts_itself", False))

    def _read_names(self, rule: Rule) -> Any:
        return getattr(rule, "names", [])

    def _read_runCount(self, rule: Rule) -> int:
        return getattr(rule, "run_count", 0) or 0

    def _read_lastRunAt(self, rule: Rule) -> Any:
        return getattr(rule, "last_run_at", None)


class RulesOrderSerializer(StrictSerializer):
    """The ids of all rules of the company, in the order in which they are to run."""

    ids = BoundedListField(child=IdField(), max_length=500)


class MacroInputSerializer(StrictSerializer):
    """A macro; `isShared` is the company's, for everybody.

    `shortcut` is one letter or digit, pressed with Alt; Alt and M open the list of macros.
    """

    name = serializers.CharField(
        max_length=LONGEST_NAME,
        error_messages={
            "required": "Informe o nome.",
            "blank": "Informe o nome.",
            "max_length": f"O nome pode ter no máximo {LONGEST_NAME} caracteres.",
        },
    )
    shortcut = serializers.RegexField(
        r"^[a-ln-z0-9]?$",
        required=False,
        allow_blank=True,
        error_messages={"invalid": "Escolha uma letra, menos o M, ou um algarismo."},
    )
    isShared = BooleanField(source="is_shared", required=False)
    actions = RuleActionSerializer(many=True)


class MacroSerializer(RowSerializer):
    """A macro; `isKnown`: the user has run it as it is, so it need not be shown before."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    shortcut = serializers.CharField(allow_blank=True)
    isShared = serializers.BooleanField()
    actions = RuleActionSerializer(many=True)
    problem = serializers.CharField(allow_blank=True)
    names = RuleNamesSerializer(many=True)
    isKnown = serializers.BooleanField()

    def _read_isShared(self, macro: Macro) -> bool:
        return macro.user_id is None

    def _read_actions(self, macro: Macro) -> Any:
        return macro.actions

    def _read_names(self, macro: Macro) -> Any:
        return getattr(macro, "names", [])

    def _read_isKnown(self, macro: Macro) -> bool:
        return bool(getattr(macro, "is_known", False))


class MacroRunInputSerializer(StrictSerializer):
    """The same `clientId` again runs nothing and returns the run."""

    macroId = IdField(source="macro_id")
    clientId = serializers.UUIDField(source="client_id", required=False, allow_null=True)


@extend_schema_field(OpenApiTypes.OBJECT)
class ChangesField(serializers.Field[Any, Any, Any, Any]):
    """What has changed, by the name of the field: status, queue, person, priority, tags, snoozed,
    and `fields` of the contact.
    """

    def to_representation(self, value: Any) -> Any:
        return value


class RuleRunEventSerializer(serializers.Serializer[Any]):
    """What started a rule: `id` is that of a tag, queue, person or lane."""

    id = serializers.IntegerField(allow_null=True)
    messageId = serializers.IntegerField(allow_null=True)
    rate = serializers.IntegerField(allow_null=True)


class RuleRunSerializer(RowSerializer):
    """A run of a rule, or of a macro by a user; of a refused one nothing was done.

    `event` is what it was about, `chain` are the rules that led to it. `refusal` is a code and
    `sentence` says it. `canUndo`: it is a macro's of the last minutes that left nothing outside.
    """

    id = serializers.IntegerField()
    ruleId = serializers.IntegerField(source="rule_id", allow_null=True)
    macroId = serializers.IntegerField(source="macro_id", allow_null=True)
    name = serializers.CharField(allow_blank=True)
    ticketId = serializers.IntegerField(source="ticket_id")
    ticketUuid = serializers.UUIDField()
    contactName = serializers.CharField()
    userName = serializers.CharField(allow_null=True)
    when = serializers.ChoiceField(choices=WHENS, allow_blank=True)
    event = RuleRunEventSerializer()
    chain = serializers.ListField(child=serializers.IntegerField())
    before = ChangesField()
    after = ChangesField()
    refusal = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField(allow_blank=True)
    canUndo = serializers.BooleanField(source="can_undo")
    undoneAt = serializers.DateTimeField(source="undone_at", allow_null=True)
    at = serializers.DateTimeField()

    def _read_event(self, run: RuleRun) -> Any:
        return {name: run.event.get(name) for name in ("id", "messageId", "rate")}

    def _read_ticketUuid(self, run: RuleRun) -> Any:
        return run.ticket.uuid

    def _read_contactName(self, run: RuleRun) -> str:
        return run.ticket.contact.name

    def _read_userName(self, run: RuleRun) -> str | None:
        return run.user.name if run.user else None


class RuleRunsQuerySerializer(StrictSerializer):
    """Of which rule or ticket, and before which run of the page above."""

    ruleId = serializers.IntegerField(
        source="rule_id", required=False, min_value=1, max_value=MAX_ID
    )
    ticketId = serializers.IntegerField(
        source="ticket_id", required=False, min_value=1, max_value=MAX_ID
    )
    beforeId = serializers.IntegerField(
        source="before_id", required=False, min_value=1, max_value=MAX_ID
    )


class RuleRunsPageSerializer(serializers.Serializer[Any]):
    runs = RuleRunSerializer(many=True)
    hasMore = serializers.BooleanField()
