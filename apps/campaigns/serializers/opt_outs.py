"""The wire shapes of opt-outs (rules/campaigns §7)."""

from typing import Any

from rest_framework import serializers

from apps.campaigns.models import OptOutSource
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import BooleanField, RowSerializer, TextField, page_of
from apps.contacts.serializers.contacts import COMPLETE_NUMBERS_HELP

NO_NUMBER = "Informe o número."


class OptOutInputSerializer(serializers.Serializer[Any]):
    """The number of a person whom no campaign is to write to."""

    number = serializers.CharField(
        max_length=50,
        error_messages={
            "required": NO_NUMBER,
            "blank": NO_NUMBER,
            "null": NO_NUMBER,
            "max_length": "O número pode ter no máximo 50 caracteres.",
        },
    )
    completeNumbers = BooleanField(
        source="complete_numbers", required=False, help_text=COMPLETE_NUMBERS_HELP
    )


class OptOutQuerySerializer(serializers.Serializer[Any]):
    searchParam = TextField()


class OptOutPageQuerySerializer(OptOutQuerySerializer):
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)


class OptOutSerializer(RowSerializer):
    """A number that no campaign writes to.

    `by`: `word` answered a campaign, `asked` confirmed our question, `hand` added by an admin,
    `meta` stopped marketing messages at Meta. `number` is the canonical number, or `lid:` and the
    id of a person without a known number. `contactId` is null and `name` empty if no contact has
    the number; `campaignName` is empty if no campaign is known.
    """

    id = serializers.IntegerField()
    number = serializers.CharField(source="canonical_number")
    name = serializers.CharField(allow_blank=True)
    contactId = serializers.IntegerField(source="contact_id", allow_null=True)
    by = serializers.ChoiceField(source="source", choices=OptOutSource.values)
    campaignId = serializers.IntegerField(source="campaign_id", allow_null=True)
    campaignName = serializers.CharField(allow_blank=True)
    createdAt = serializers.DateTimeField(source="created_at")

    def _read_name(self, row: Any) -> str:
        return row.contact_name or ""

    def _read_campaignName(self, row: Any) -> str:
        return row.campaign.name if row.campaign else ""


OptOutPageSerializer = page_of("records", OptOutSerializer, "A page of opt-outs.")
