"""The wire shapes of campaigns."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.campaigns.models import Campaign, CampaignStatus
from apps.campaigns.models.campaigns import TEXTS_COUNT
from apps.campaigns.queries.campaigns import Outlook, people_of, shipping_of, sources_of
from apps.common.media import signed_path
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.renderers import array_parts, to_json
from apps.common.serializers import (
    BooleanField,
    BoundedListField,
    OptionalIdField,
    RowSerializer,
    TextField,
    ZonedDateTimeField,
    file_field,
    name_field,
    page_of,
)

# Stands for no tag on the wire.
NO_TAG = "Nenhuma"
# The longest text that WhatsApp accepts.
TEXT_LENGTH = 4096
# Far more than any template has.
COMPONENTS_LENGTH = 20_000
NO_TIME = "Informe uma data e uma hora válidas, ou deixe sem agendamento."


class TagIdField(OptionalIdField):
    """Id of a tag; null or 'Nenhuma' for none."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(None if data == NO_TAG else data)


class ScheduledAtField(ZonedDateTimeField):
    """The time of the start; an empty text means none."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(None if data == "" else data)


class TemplateComponentsField(serializers.JSONField):
    """A template's parameters in Meta's format; null means none."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, list) or len(json.dumps(data)) > COMPONENTS_LENGTH:
            raise serializers.ValidationError("Os parâmetros do modelo não são válidos.")
        return data

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation([] if data is None else data)


class CampaignInputSerializer(serializers.Serializer[Any]):
    """A campaign to create or to change (rules/campaigns §1).

    Older browsers resend the whole record; other fields, for example its status, are ignored.
    """

    name = name_field()
    message1 = TextField(max_length=TEXT_LENGTH)
    message2 = TextField(max_length=TEXT_LENGTH)
    message3 = TextField(max_length=TEXT_LENGTH)
    message4 = TextField(max_length=TEXT_LENGTH)
    message5 = TextField(max_length=TEXT_LENGTH)
    confirmation = BooleanField(source="asks_confirmation", required=False)
    confirmationMessage1 = TextField(max_length=TEXT_LENGTH)
    confirmationMessage2 = TextField(max_length=TEXT_LENGTH)
    confirmationMessage3 = TextField(max_length=TEXT_LENGTH)
    confirmationMessage4 = TextField(max_length=TEXT_LENGTH)
    confirmationMessage5 = TextField(max_length=TEXT_LENGTH)
    scheduledAt = ScheduledAtField(
        source="scheduled_at",
        required=False,
        allow_null=True,
        error_messages=dict.fromkeys(("invalid", "date", "make_aware", "overflow"), NO_TIME),
        help_text=(
            "Start of the campaign. A time without a zone is in the company's zone; null means"
            " no start time."
        ),
    )
    whatsappId = OptionalIdField(source="connection_id")
    contactListId = OptionalIdField(source="contact_list_id")
    tagListId = TagIdField(source="tag_id", help_text="Id of a tag; null or 'Nenhuma' for none.")
    segmentId = OptionalIdField(source="segment_id")
    fileListId = OptionalIdField(source="file_list_id")
    templateName = TextField(source="template_name", max_length=512)
    templateLanguage = TextField(source="template_language", max_length=20)
    templateComponents = TemplateComponentsField(source="template_components", required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Collect the texts by their numbers, from 1."""
        for name, wire in (("texts", "message"), ("confirmation_texts", "confirmationMessage")):
            numbered = {number: f"{wire}{number}" for number in range(1, TEXTS_COUNT + 1)}
            attrs[name] = {
                number: attrs.pop(field) for number, field in numbered.items() if field in attrs
            }
        return attrs


class CampaignMediaSerializer(serializers.Serializer[Any]):
    """A form with the file of a campaign."""

    file = file_field()


class CampaignQuerySerializer(serializers.Serializer[Any]):
    searchParam = TextField()
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)


class CampaignLinkSerializer(RowSerializer):
    """A related record by its id and name."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class CampaignSourceSerializer(serializers.Serializer[Any]):
    """What people are taken from: a contact list, a tag or a segment."""

    kind = serializers.ChoiceField(choices=["list", "tag", "segment"])
    name = serializers.CharField()


class CampaignProgressSerializer(RowSerializer):
    """The number of recipients, fixed at the start, and how many of them have ended."""

    total = serializers.IntegerField()
    ended = serializers.IntegerField()
    assessed = serializers.IntegerField(
        help_text="Messages that Meta accepted and holds until it has assessed the template."
    )


class CampaignTextField(serializers.CharField):
    """One of a campaign's texts by its `number`, from 1; `source` names the list of the texts."""

    def __init__(self, number: int, **options: Any) -> None:
        self.number = number
        super().__init__(allow_blank=True, **options)

    def get_attribute(self, instance: Campaign) -> Any:
        texts: Any = super().get_attribute(instance)
        return texts[self.number - 1]


class CampaignSerializer(RowSerializer):
    """A campaign, in all responses and events."""

    # The context has the `outlooks_of` the campaigns as `outlooks`. Fetch `connection`,
    # `contact_list`, `tag` and `segment` with the campaigns.

    id = serializers.IntegerField()
    name = serializers.CharField()
    message1 = CampaignTextField(1, source="texts")
    message2 = CampaignTextField(2, source="texts")
    message3 = CampaignTextField(3, source="texts")
    message4 = CampaignTextField(4, source="texts")
    message5 = CampaignTextField(5, source="texts")
    confirmation = serializers.BooleanField(source="asks_confirmation")
    confirmationMessage1 = CampaignTextField(1, source="confirmation_texts")
    confirmationMessage2 = CampaignTextField(2, source="confirmation_texts")
    confirmationMessage3 = CampaignTextField(3, source="confirmation_texts")
    confirmationMessage4 = CampaignTextField(4, source="confirmation_texts")
    confirmationMessage5 = CampaignTextField(5, source="confirmation_texts")
    status = serializers.ChoiceField(choices=CampaignStatus.choices)
    scheduledAt = serializers.DateTimeField(source="scheduled_at", allow_null=True)
    startedAt = serializers.DateTimeField(source="started_at", allow_null=True)
    completedAt = serializers.DateTimeField(source="completed_at", allow_null=True)
    whatsappId = serializers.IntegerField(source="connection_id", allow_null=True)
    whatsapp = CampaignLinkSerializer(source="connection", allow_null=True)
    contactListId = serializers.IntegerField(source="contact_list_id", allow_null=True)
    contactList = CampaignLinkSerializer(source="contact_list", allow_null=True)
    tagListId = serializers.JSONField(help_text="Id of a tag, or 'Nenhuma'.")
    segmentId = serializers.IntegerField(source="segment_id", allow_null=True)
    segment = CampaignLinkSerializer(allow_null=True)
    sources = CampaignSourceSerializer(
        many=True,
        help_text=(
            "What people are taken from, by name; from the start on the names at the start, also"
            " of what was deleted since."
        ),
    )
    fileListId = serializers.IntegerField(source="file_list_id", allow_null=True)
    mediaPath = serializers.CharField(allow_null=True)
    mediaName = serializers.CharField(source="media.name", allow_null=True)
    mediaMime = serializers.CharField(source="media.mime", allow_null=True)
    mediaSize = serializers.IntegerField(source="media_size", allow_null=True)
    templateName = serializers.CharField(source="template_name", allow_blank=True)
    templateLanguage = serializers.CharField(source="template_language", allow_blank=True)
    templateComponents = serializers.JSONField(source="template_components")
    waitCode = serializers.CharField(
        source="wait_code",
        allow_blank=True,
        help_text="Code of what a running campaign waits for, or why it was stopped; else ''.",
    )
    progress = CampaignProgressSerializer()
    estimatedFinishAt = serializers.DateTimeField(
        allow_null=True,
        help_text="Estimate for a scheduled or running campaign; null if there is none.",
    )
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_tagListId(self, campaign: Campaign) -> int | str:
        return campaign.tag_id or NO_TAG

    def _read_sources(self, campaign: Campaign) -> list[dict[str, str]]:
        return sources_of(campaign)

    def _read_mediaPath(self, campaign: Campaign) -> str | None:
        return signed_path(campaign.media_path) if campaign.media_path else None

    def _read_progress(self, campaign: Campaign) -> Outlook:
        outlook: Outlook = self.context["outlooks"][campaign.pk]
        return outlook

    def _read_estimatedFinishAt(self, campaign: Campaign) -> datetime | None:
        return self._read_progress(campaign).finish_at


CampaignPageSerializer = page_of("records", CampaignSerializer, "A page of campaigns.")


class CampaignPersonSerializer(serializers.Serializer[Any]):
    """A person of a campaign's list or, after the start, one of its recipients."""

    id = serializers.IntegerField()
    isWhatsappValid = serializers.BooleanField(allow_null=True)


class CampaignPeopleSerializer(CampaignLinkSerializer):
    """A campaign's list with its people."""

    contacts = CampaignPersonSerializer(many=True)


class CampaignShippingSerializer(serializers.Serializer[Any]):
    """The state of one recipient; `deliveredAt` is when the provider accepted the message."""

    id = serializers.IntegerField()
    deliveredAt = serializers.DateTimeField(allow_null=True)
    confirmationRequestedAt = serializers.DateTimeField(allow_null=True)
    confirmedAt = serializers.DateTimeField(allow_null=True)


class CampaignDetailSerializer(CampaignSerializer):
    """A campaign with its people and their states, from which older browsers make a report."""

    contactList = CampaignPeopleSerializer(allow_null=True)
    shipping = CampaignShippingSerializer(many=True)


@extend_schema_serializer(component_name="TrialInput")
class TestSendInputSerializer(serializers.Serializer[Any]):
    """The numbers that get a test message, and the number of its text, by default the first one."""

    numbers = BoundedListField(
        max_length=5,
        min_length=1,
        child=serializers.CharField(
            min_length=8,
            max_length=50,
            error_messages={
                "min_length": "O número precisa ter ao menos 8 caracteres.",
                "max_length": "O número pode ter no máximo 50 caracteres.",
            },
        ),
        error_messages=dict.fromkeys(
            ("required", "null", "empty", "min_length", "max_length", "not_a_list"),
            "Informe de 1 a 5 números.",
        ),
    )
    messageNumber = serializers.IntegerField(
        source="text_number",
        required=False,
        allow_null=True,
        min_value=1,
        max_value=TEXTS_COUNT,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value", "max_string_length"),
            f"Escolha uma mensagem de 1 a {TEXTS_COUNT}.",
        ),
    )


@extend_schema_serializer(component_name="TrialMessage")
class TestSendMessageSerializer(serializers.Serializer[Any]):
    """The last message of a test to one number.

    `variant` is the text's number, null for a template.
    """

    number = serializers.CharField()
    ticketId = serializers.IntegerField()
    messageId = serializers.IntegerField()
    variant = serializers.IntegerField(allow_null=True)


@extend_schema_serializer(component_name="Trial")
class TestSendSerializer(serializers.Serializer[Any]):
    """The test messages that were queued for sending."""

    sent = TestSendMessageSerializer(many=True)


def campaign_detail(campaign: Campaign, row: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the parts of the JSON that `CampaignDetailSerializer` declares.

    `row` is the campaign's row. The people are read while the parts are taken, because there may be
    100,000 of them.
    """
    listed = row["contactList"]
    rest = {name: value for name, value in row.items() if name != "contactList"}
    yield to_json(rest)[:-1] + b',"contactList":'
    if listed is None:
        yield b"null"
    else:
        yield to_json(listed)[:-1] + b',"contacts":'
        yield from array_parts(
            [{"id": pk, "isWhatsappValid": is_valid} for pk, is_valid in people]
            for people in people_of(campaign)
        )
        yield b"}"
    yield b',"shipping":'
    yield from array_parts(
        [
            {
                "id": pk,
                "deliveredAt": sent_at,
                "confirmationRequestedAt": requested_at,
                "confirmedAt": confirmed_at,
            }
            for pk, sent_at, requested_at, confirmed_at in shipped
        ]
        for shipped in shipping_of(campaign)
    )
    yield b"}"
