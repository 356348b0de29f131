"""The wire of the messages API (rules/messages-api §2)."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.serializers import (
    UNKNOWN_FIELD,
    BooleanField,
    BoundedListField,
    StrictSerializer,
)
from apps.contacts.models import NUMBER_LENGTH
from apps.tickets.serializers.requests import EMPTY_MESSAGE, MAX_BODY_LENGTH
from apps.tickets.serializers.templates import (
    MAX_COMPONENTS,
    NAME_LENGTH,
    LanguageField,
)

MAX_API_FILES = 10
MAX_URL = 2000
# Limits of Meta's interactive messages; beyond them it refuses the message.
MAX_INTERACTIVE_BODY = 1024
MAX_BUTTONS = 3
MAX_ROWS = 10
MAX_PARAMETERS = 50
ONE_CONTENT = "Envie um só destes: body com ou sem mediaUrl, template ou interactive."


@extend_schema_field(
    {
        "oneOf": [
            {"type": "array", "items": {"type": "string"}, "maxItems": MAX_PARAMETERS},
            {"type": "object", "additionalProperties": {"type": "string"}},
        ]
    }
)
class BodyParametersField(serializers.Field[Any, Any, Any, Any]):
    """The values of a template's text: a list by position, or an object by name."""

    default_error_messages: ClassVar = {
        "invalid": (
            f"Informe até {MAX_PARAMETERS} textos: uma lista na ordem das variáveis, ou um objeto"
            " com o nome de cada uma."
        )
    }

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        """Return them as parameters of a body component in Meta's format."""
        if not isinstance(data, list | dict) or len(data) > MAX_PARAMETERS:
            self.fail("invalid")
        values = list(data.values()) if isinstance(data, dict) else data
        if not all(isinstance(value, str | int | float) for value in values):
            self.fail("invalid")
        texts = [{"type": "text", "text": str(value)} for value in values]
        if isinstance(data, dict):
            return [text | {"parameter_name": name} for text, name in zip(texts, data, strict=True)]
        return texts


class ApiTemplateSerializer(StrictSerializer):
    """An approved template of the number's account.

    `parameters` fill the variables of its text; `components`, in Meta's format, those of header,
    text and buttons.
    """

    name = serializers.CharField(max_length=NAME_LENGTH)
    language = LanguageField()
    parameters = BodyParametersField(required=False)
    components = BoundedListField(
        child=serializers.DictField(), required=False, max_length=MAX_COMPONENTS
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return name, language and components."""
        if "parameters" in attrs and "components" in attrs:
            sentence = "Envie parameters ou components, não os dois."
            raise serializers.ValidationError({"parameters": [sentence]}, "invalid")
        components = attrs.get("components", [])
        if "parameters" in attrs:
            components = [{"type": "body", "parameters": attrs["parameters"]}]
        return {"name": attrs["name"], "language": attrs["language"], "components": components}


class InteractiveTextSerializer(StrictSerializer):
    """The text of an interactive message."""

    text = serializers.CharField(max_length=MAX_INTERACTIVE_BODY)


class InteractiveFooterSerializer(StrictSerializer):
    """The small line below an interactive message."""

    text = serializers.CharField(max_length=60)


class InteractiveHeaderSerializer(StrictSerializer):
    """The bold line above an interactive message."""

    type = serializers.ChoiceField(choices=["text"])
    text = serializers.CharField(max_length=60)


class InteractiveReplySerializer(StrictSerializer):
    """What a button shows, and the id by which its answer is known."""

    id = serializers.CharField(max_length=256)
    title = serializers.CharField(max_length=20)


class InteractiveButtonSerializer(StrictSerializer):
    """A reply button."""

    type = serializers.ChoiceField(choices=["reply"])
    reply = InteractiveReplySerializer()


class InteractiveRowSerializer(StrictSerializer):
    """A row of a list."""

    id = serializers.CharField(max_length=200)
    title = serializers.CharField(max_length=24)
    description = serializers.CharField(max_length=72, required=False, allow_blank=True)


class InteractiveSectionSerializer(StrictSerializer):
    """The rows of a list."""

    rows = BoundedListField(child=InteractiveRowSerializer(), min_length=1, max_length=MAX_ROWS)


class InteractiveActionSerializer(StrictSerializer):
    """Reply buttons, or the rows of a list and the button that opens it."""

    button = serializers.CharField(max_length=20, required=False)
    buttons = BoundedListField(
        child=InteractiveButtonSerializer(), required=False, min_length=1, max_length=MAX_BUTTONS
    )
    sections = BoundedListField(
        child=InteractiveSectionSerializer(),
        required=False,
        min_length=1,
        max_length=1,
        error_messages={"max_length": "Uma lista leva uma seção."},
    )


class ApiInteractiveSerializer(StrictSerializer):
    """Reply buttons or a list, in Meta's format; a list has one section, without a title.

    QR sessions show the choices as a numbered text.
    """

    type = serializers.ChoiceField(choices=["button", "list"])
    header = InteractiveHeaderSerializer(required=False)
    body = InteractiveTextSerializer()
    footer = InteractiveFooterSerializer(required=False)
    action = InteractiveActionSerializer()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a menu, `choices` as a list of their fields."""
        action, as_list = attrs["action"], attrs["type"] == "list"
        needed, other = ("sections", "buttons") if as_list else ("buttons", "sections")
        unused = [name for name in (other, "" if as_list else "button") if name in action]
        if needed not in action or unused:
            fault = {unused[0]: [UNKNOWN_FIELD]} if unused else {needed: ["Informe as opções."]}
            raise serializers.ValidationError({"action": fault}, "required")
        if as_list:
            choices = action["sections"][0]["rows"]
        else:
            choices = [button["reply"] for button in action["buttons"]]
        if len({each["id"] for each in choices}) < len(choices):
            sentence = "Cada opção precisa de um id próprio."
            raise serializers.ValidationError({"action": {needed: [sentence]}}, "repeated")
        labels = {"button": action["button"]} if "button" in action else {}
        for name in ("header", "footer"):
            if name in attrs:
                labels[name] = attrs[name]["text"]
        return {"body": attrs["body"]["text"], "choices": choices, "as_list": as_list, **labels}


class ApiReceiverSerializer(StrictSerializer):
    """To whom a program sends."""

    number = serializers.CharField(
        max_length=NUMBER_LENGTH,
        help_text=(
            "Country code, area code and number, without a mask. For a contact without a"
            " number: the `…@lid` that events have as `contact.number`, or Meta's user id"
            " (`BR.1349…`)."
        ),
        error_messages={
            "required": "Informe o número.",
            "blank": "Informe o número.",
            "null": "Informe o número.",
        },
    )
    completeNumbers = BooleanField(
        source="complete_numbers",
        required=False,
        help_text=(
            "True completes a number of 10 or 11 digits without country code with that of the"
            " company's country; otherwise it is refused (`ERR_NUMBER_WITHOUT_COUNTRY`)."
        ),
    )


class ApiMessageSerializer(ApiReceiverSerializer):
    """One of: a text; a file at `mediaUrl` with `body` as caption; `template`; `interactive`."""

    body = serializers.CharField(
        max_length=MAX_BODY_LENGTH,
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        error_messages={
            "null": EMPTY_MESSAGE,
            "max_length": f"A mensagem pode ter no máximo {MAX_BODY_LENGTH} caracteres.",
        },
    )
    mediaUrl = serializers.CharField(
        source="media_url",
        max_length=MAX_URL,
        required=False,
        help_text="A public http(s) address; the file is fetched during the call, at most 16 MB.",
    )
    template = ApiTemplateSerializer(required=False)
    interactive = ApiInteractiveSerializer(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a message with several contents, or with none."""
        attrs["body"] = attrs.get("body", "") if attrs.get("body", "").strip() else ""
        own = [name for name in ("template", "interactive") if name in attrs]
        others = [name for name in ("body", "media_url") if attrs.get(name)]
        if len(own) > 1 or (own and others):
            raise serializers.ValidationError({own[0]: [ONE_CONTENT]}, "invalid")
        if not own and not others:
            raise serializers.ValidationError({"body": [EMPTY_MESSAGE]}, "required")
        return attrs


class ApiMediaSerializer(ApiReceiverSerializer):
    """Files to a number; `body` is the caption of the first."""

    body = serializers.CharField(
        max_length=MAX_BODY_LENGTH, required=False, allow_blank=True, trim_whitespace=False
    )
    medias = BoundedListField(
        child=serializers.FileField(allow_empty_file=True, max_length=None),
        min_length=1,
        max_length=MAX_API_FILES,
        error_messages={"max_length": f"Envie no máximo {MAX_API_FILES} arquivos por vez."},
    )

    def validate_body(self, body: str) -> str:
        """Return the caption, empty if it is blank."""
        return body if body.strip() else ""


class ApiSentSerializer(serializers.Serializer[Any]):
    """The accepted messages; `messageId` is the first of `messageIds`, `ticketId` their ticket."""

    messageId = serializers.IntegerField()
    messageIds = serializers.ListField(child=serializers.IntegerField())
    ticketId = serializers.IntegerField()
    contactId = serializers.IntegerField()
