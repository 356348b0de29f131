"""Message templates on the wire: as they are listed, and as browsers send one."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.serializers import (
    BoundedListField,
    OptionalIdField,
    SwitchField,
    TextField,
    UnusedField,
)
from apps.connections.serializers.templates import TemplateSerializer
from apps.connections.templates import as_part, as_text

NAME_LENGTH = 512
LANGUAGE_LENGTH = 20
ID_LENGTH = 50
MAX_COMPONENTS = 20


class TemplateListQuerySerializer(serializers.Serializer[Any]):
    """The number whose templates to list.

    `refresh` reads them from Meta again, `status` filters.
    """

    whatsappId = OptionalIdField(source="connection_id")
    status = serializers.CharField(required=False, allow_blank=True, max_length=30)
    refresh = SwitchField(required=False)


class TemplateListSerializer(serializers.Serializer[Any]):
    """All templates of a number's account, in one page."""

    templates = TemplateSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class TemplateMediaSerializer(serializers.Serializer[Any]):
    """A form with the file of a header; `messaging_product`, from older browsers, is ignored."""

    messaging_product = TextField(max_length=20)
    type = TextField(max_length=150)
    whatsappId = OptionalIdField(source="connection_id")
    ticketId = OptionalIdField(source="ticket_id")
    file = serializers.FileField(
        allow_empty_file=True,
        error_messages=dict.fromkeys(("required", "invalid", "null"), "Escolha um arquivo."),
    )


class TemplateMediaIdSerializer(serializers.Serializer[Any]):
    """The provider's id of the uploaded file."""

    id = serializers.CharField()


@extend_schema_field(OpenApiTypes.OBJECT)
class TemplateReferenceField(serializers.Field[Any, Any, Any, Any]):
    """`{name, language: {code}, components}`, or the template's bare name."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the parts that name a template."""
        if isinstance(data, str):
            return {"name": data}
        if not isinstance(data, dict):
            raise serializers.ValidationError("Escolha um modelo.", "required")
        return data


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object"}]})
class LanguageField(serializers.Field[Any, Any, Any, Any]):
    """A language's code, bare or as `{code}`."""

    def to_internal_value(self, data: Any) -> str:
        code = data if isinstance(data, str) else as_part(data).get("code")
        if not isinstance(code, str) or len(code) > LANGUAGE_LENGTH:
            raise serializers.ValidationError("Informe o idioma do modelo.", "required")
        return code


class TemplateSendSerializer(serializers.Serializer[Any]):
    """A template and the parameters of its components, in Meta's format.

    Older browsers may send name, language and components beside `template`; these take precedence.
    `components` has header, body and button, each with its `parameters`.
    """

    template = TemplateReferenceField(required=False, allow_null=True)
    interactive = UnusedField("Um modelo vai sozinho, sem mensagem interativa ao lado.")
    templateId = TextField(max_length=ID_LENGTH)
    name = TextField(max_length=NAME_LENGTH)
    language = LanguageField(required=False, allow_null=True)
    components = BoundedListField(
        child=serializers.DictField(),
        required=False,
        allow_null=True,
        max_length=MAX_COMPONENTS,
        error_messages={
            "not_a_list": "Os parâmetros do modelo precisam ser uma lista.",
            "max_length": f"Um modelo tem no máximo {MAX_COMPONENTS} componentes.",
        },
    )
    clientId = serializers.UUIDField(source="client_id", required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return name, language, id and components, from `template` or from beside it."""
        template: Mapping[str, Any] = attrs.get("template") or {}
        choice: dict[str, Any] = {
            "name": attrs.get("name") or as_text(template.get("name")),
            "language": attrs.get("language") or _language_of(template),
            "id": attrs.get("templateId") or as_text(template.get("id")),
            "components": attrs.get("components")
            if attrs.get("components") is not None
            else template.get("components"),
        }
        is_too_long = len(choice["name"]) > NAME_LENGTH or len(choice["id"]) > ID_LENGTH
        if not (choice["name"] or choice["id"]) or is_too_long:
            raise serializers.ValidationError({"template": ["Escolha um modelo."]}, "required")
        components = choice["components"]
        if isinstance(components, list) and len(components) > MAX_COMPONENTS:
            sentence = f"Um modelo tem no máximo {MAX_COMPONENTS} componentes."
            raise serializers.ValidationError({"components": [sentence]}, "max_length")
        return {"choice": choice, "client_id": attrs.get("client_id")}


def _language_of(template: Mapping[str, Any]) -> str:
    language = template.get("language")
    code = as_text(as_part(language).get("code")) or as_text(language)
    return code[:LANGUAGE_LENGTH]
