"""Message templates on the wire: listed templates, and drafts to submit."""

from typing import Any

from django.db import models
from rest_framework import serializers

from apps.common.serializers import BoundedListField, RowSerializer, TextField
from apps.connections.template_drafts import DraftButton, TemplateDraft
from apps.connections.templates import Template

# The limit of each text of a draft. Meta's own limits are lower and have errors of their own.
LONGEST = 5000


class TemplateSerializer(RowSerializer):
    """A template of the list; its `components` are as at Meta."""

    id = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    status = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    language = serializers.CharField()
    parameter_format = serializers.ChoiceField(choices=["NAMED", "POSITIONAL"])
    components = serializers.ListField(child=serializers.DictField())
    supported = serializers.BooleanField(source="is_supported")
    canBeSent = serializers.BooleanField(source="can_be_sent")
    needsNumber = serializers.BooleanField(
        source="needs_number",
        help_text="True: it can't be sent to a contact who has a user id but no number.",
    )
    quality = serializers.CharField(
        allow_blank=True, help_text="Meta's rating: GREEN, YELLOW, RED, or '' if there is none."
    )
    rejectedReason = serializers.CharField(
        source="rejected_reason",
        allow_blank=True,
        help_text="Meta's reason for the rejection, or ''.",
    )

    def _read_parameter_format(self, template: Template) -> str:
        return "NAMED" if template.is_named else "POSITIONAL"


class TemplateChange(models.TextChoices):
    """The kind of a change to a template."""

    SUBMITTED = "submitted"
    EDITED = "edited"
    DELETED = "deleted"
    STATUS = "status"
    QUALITY = "quality"
    CATEGORY = "category"
    CATEGORY_AHEAD = "category_ahead"
    COMPONENTS = "components"


class TemplateChangeSerializer(serializers.Serializer[Any]):
    """The event of a changed template, after which browsers load the list again.

    `value` is the new status, quality or category, `reason` Meta's reason for a rejection.
    """

    name = serializers.CharField(allow_blank=True)
    language = serializers.CharField(allow_blank=True)
    change = serializers.ChoiceField(choices=TemplateChange.choices)
    value = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)


class DraftButtonType(models.TextChoices):
    """The buttons that a draft may have."""

    QUICK_REPLY = "QUICK_REPLY"
    URL = "URL"
    PHONE_NUMBER = "PHONE_NUMBER"
    COPY_CODE = "COPY_CODE"


class DraftHeaderSerializer(serializers.Serializer[Any]):
    """The header of a draft: a text, or a sample file by its handle."""

    format = serializers.ChoiceField(choices=["TEXT", "IMAGE", "VIDEO", "DOCUMENT"])
    text = TextField(max_length=LONGEST)
    handle = TextField(max_length=LONGEST)


class DraftButtonSerializer(serializers.Serializer[Any]):
    """A button of a draft.

    `example` is the sample of a link's variable end, or of the code to copy.
    """

    type = serializers.ChoiceField(choices=DraftButtonType.choices)
    text = TextField(max_length=LONGEST)
    url = TextField(max_length=LONGEST)
    phone = TextField(max_length=LONGEST)
    example = TextField(max_length=LONGEST)


class DraftSampleSerializer(serializers.Serializer[Any]):
    """The sample of a variable; `field` is its place and name, as `body.1` or `header.cliente`."""

    field = serializers.CharField(max_length=600)
    value = TextField(max_length=LONGEST)


class TemplateDraftSerializer(serializers.Serializer[Any]):
    """A template to submit; a violation of Meta's limits is reported by field."""

    name = serializers.CharField(max_length=1000)
    language = serializers.CharField(max_length=20)
    category = serializers.ChoiceField(choices=["UTILITY", "MARKETING"])
    parameterFormat = serializers.ChoiceField(choices=["POSITIONAL", "NAMED"], default="POSITIONAL")
    header = DraftHeaderSerializer(required=False, allow_null=True)
    body = serializers.CharField(max_length=LONGEST, trim_whitespace=False)
    footer = TextField(max_length=LONGEST)
    buttons = BoundedListField(child=DraftButtonSerializer(), required=False, max_length=20)
    samples = BoundedListField(child=DraftSampleSerializer(), required=False, max_length=200)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        header = attrs.get("header") or {}
        return {
            "draft": TemplateDraft(
                name=attrs["name"],
                language=attrs["language"],
                category=attrs["category"],
                is_named=attrs["parameterFormat"] == "NAMED",
                header_format=header.get("format", ""),
                header_text=header.get("text", ""),
                header_handle=header.get("handle", ""),
                body=attrs["body"],
                footer=attrs.get("footer", ""),
                buttons=tuple(DraftButton(**each) for each in attrs.get("buttons", [])),
                samples={each["field"]: each.get("value", "") for each in attrs.get("samples", [])},
            )
        }


class TemplateSampleSerializer(serializers.Serializer[Any]):
    """A form with the sample file of a header."""

    file = serializers.FileField(
        allow_empty_file=True,
        error_messages=dict.fromkeys(("required", "invalid", "null"), "Escolha um arquivo."),
    )


class TemplateHandleSerializer(serializers.Serializer[Any]):
    """The handle by which a draft refers to the sample."""

    handle = serializers.CharField()
