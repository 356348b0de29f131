"""The wire shapes of a campaign's results, and of its preview."""

from typing import Any

from rest_framework import serializers

from apps.campaigns.models import CampaignRecipient, RecipientState
from apps.campaigns.queries.reports import CampaignReport
from apps.campaigns.serializers.campaigns import CampaignSerializer
from apps.campaigns.serializers.costs import CostSumSerializer
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import OptionalIdField, RowSerializer, TextField, page_of


class StateCountSerializer(RowSerializer):
    """How many recipients are in a state."""

    state = serializers.ChoiceField(RecipientState.choices)
    count = serializers.IntegerField()


class ReasonCountSerializer(StateCountSerializer):
    """How many recipients are in a state for one reason."""

    reason = serializers.CharField()


class VariantSerializer(RowSerializer):
    """The results of one of the texts, by its number from 1."""

    number = serializers.IntegerField()
    sent = serializers.IntegerField(
        source="count", help_text="Recipients to whom this text was handed over for sending."
    )
    delivered = serializers.IntegerField(source="sent")
    read = serializers.IntegerField()
    answered = serializers.IntegerField()


class CampaignReportSerializer(RowSerializer):
    """The results of a campaign (rules/campaigns §10)."""

    # The record is a CampaignReport; the context has `campaign`, `outlooks` and the billed `cost`.

    campaign = CampaignSerializer()
    total = serializers.IntegerField(source="total.count")
    valid = serializers.IntegerField(
        help_text=(
            "Recipients without the skipped ones; before the start, the people to whom it"
            " would write."
        )
    )
    delivered = serializers.IntegerField(
        source="total.sent", help_text="Recipients whose message the provider accepted."
    )
    reached = serializers.IntegerField(
        source="total.reached", help_text="Recipients whose phone received the message."
    )
    read = serializers.IntegerField(source="total.read")
    answered = serializers.IntegerField(source="total.answered")
    confirmationRequested = serializers.IntegerField(source="total.requested")
    confirmed = serializers.IntegerField(source="total.confirmed")
    failed = serializers.IntegerField(source="states.failed")
    skipped = serializers.IntegerField(source="states.skipped")
    notConfirmed = serializers.IntegerField(source="states.not_confirmed")
    optedOut = serializers.IntegerField(source="opted_out")
    blocked = serializers.IntegerField(
        help_text="Recipients who stopped the company's marketing messages at Meta."
    )
    states = StateCountSerializer(many=True)
    reasons = ReasonCountSerializer(many=True)
    variants = VariantSerializer(many=True)
    cost = CostSumSerializer(help_text="Cost of the messages that Meta reported as billed.")
    estimatedFinishAt = serializers.DateTimeField(allow_null=True)

    def _read_campaign(self, report: CampaignReport) -> Any:
        return self.context["campaign"]

    def _read_states(self, report: CampaignReport) -> list[dict[str, Any]]:
        counts = report.states
        return [
            {"state": state, "count": counts[state]} for state in RecipientState if state in counts
        ]

    def _read_reasons(self, report: CampaignReport) -> list[dict[str, Any]]:
        most_first = sorted(report.reasons.items(), key=lambda each: (-each[1], each[0]))
        return [
            {"state": state, "reason": reason, "count": count}
            for (state, reason), count in most_first
        ]

    def _read_variants(self, report: CampaignReport) -> list[dict[str, Any]]:
        return [
            {"number": number, **vars(figures)}
            for number, figures in sorted(report.variants.items())
        ]

    def _read_cost(self, report: CampaignReport) -> Any:
        return self.context["cost"]

    def _read_estimatedFinishAt(self, report: CampaignReport) -> Any:
        return self.context["outlooks"][self.context["campaign"].pk].finish_at


class TimelinePointSerializer(RowSerializer):
    """The counts of one minute, hour or day."""

    at = serializers.DateTimeField()
    delivered = serializers.IntegerField()
    read = serializers.IntegerField()
    answered = serializers.IntegerField()


class CampaignTimelineSerializer(serializers.Serializer[Any]):
    """Deliveries, reads and answers over time; periods without any are included."""

    unit = serializers.ChoiceField(("minute", "hour", "day"))
    points = TimelinePointSerializer(many=True)


class RecipientQuerySerializer(serializers.Serializer[Any]):
    searchParam = TextField()
    state = serializers.ChoiceField(RecipientState.choices, required=False, allow_blank=True)


class RecipientPageQuerySerializer(RecipientQuerySerializer):
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)
    afterId = OptionalIdField(
        source="after_id",
        help_text=(
            "Return the page after the recipient with this id; `pageNumber` is then ignored."
        ),
    )


class CampaignRecipientSerializer(RowSerializer):
    """A recipient; `ack` is the tick of the newest message to this recipient."""

    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    number = serializers.CharField(allow_blank=True)
    email = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(RecipientState.choices)
    variant = serializers.IntegerField(allow_null=True)
    ack = serializers.IntegerField(source="newest_message.ack", allow_null=True)
    reason = serializers.CharField(source="reason_code", allow_blank=True)
    detail = serializers.CharField(
        allow_blank=True,
        help_text=(
            "Detail of the reason, the same in every language; without a reason code, a sentence."
        ),
    )
    sentAt = serializers.DateTimeField(source="sent_at", allow_null=True)
    reachedAt = serializers.DateTimeField(source="reached_at", allow_null=True)
    readAt = serializers.DateTimeField(source="read_at", allow_null=True)
    answeredAt = serializers.DateTimeField(source="answered_at", allow_null=True)
    confirmationRequestedAt = serializers.DateTimeField(
        source="confirmation_requested_at", allow_null=True
    )
    confirmedAt = serializers.DateTimeField(source="confirmed_at", allow_null=True)
    ticketUuid = serializers.UUIDField(source="newest_message.ticket.uuid", allow_null=True)

    def _read_detail(self, recipient: CampaignRecipient) -> str:
        return recipient.reason_detail if recipient.reason_code else recipient.error_reason


CampaignRecipientPageSerializer = page_of(
    "records", CampaignRecipientSerializer, "A page of recipients."
)


class PreviewQuerySerializer(serializers.Serializer[Any]):
    """The contact for whom the texts are filled in, by default the first recipient."""

    contactId = OptionalIdField(source="contact_id")


class FilledTextSerializer(serializers.Serializer[Any]):
    """A text by its number, from 1, with its variables filled in."""

    number = serializers.IntegerField()
    text = serializers.CharField()


class CampaignPreviewSerializer(serializers.Serializer[Any]):
    """The campaign's texts and its template's parameters, as one person would get them."""

    messages = FilledTextSerializer(many=True)
    confirmations = FilledTextSerializer(many=True)
    templateComponents = serializers.JSONField()
    name = serializers.CharField(
        allow_blank=True, help_text="Name of the person for whom the texts are filled in."
    )
