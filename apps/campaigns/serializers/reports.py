"""The wire shapes of what became of a campaign."""

from typing import Any

from rest_framework import serializers

from apps.campaigns.models import Campaign, CampaignRecipient, RecipientState
from apps.campaigns.queries.prices import Cost
from apps.campaigns.queries.reports import Point, Report
from apps.campaigns.serializers.campaigns import CampaignSerializer, campaign_row
from apps.campaigns.serializers.costs import CostSumSerializer, cost_sum
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import OptionalIdField, TextField


class StateCountSerializer(serializers.Serializer[Any]):
    """How many recipients are in a state."""

    state = serializers.ChoiceField(RecipientState.choices)
    count = serializers.IntegerField()


class ReasonCountSerializer(StateCountSerializer):
    """How many are in it for a reason."""

    reason = serializers.CharField()


class VariantSerializer(serializers.Serializer[Any]):
    """What became of one of the texts, by its number from 1."""

    number = serializers.IntegerField()
    sent = serializers.IntegerField(help_text="Handed over with this text.")
    delivered = serializers.IntegerField()
    read = serializers.IntegerField()
    answered = serializers.IntegerField()


class CampaignReportSerializer(serializers.Serializer[Any]):
    """What became of a campaign (rules/campaigns §10)."""

    campaign = CampaignSerializer()
    total = serializers.IntegerField()
    valid = serializers.IntegerField(
        help_text="All but the skipped; before the start whom it would write to."
    )
    delivered = serializers.IntegerField(help_text="The provider took the message.")
    reached = serializers.IntegerField(help_text="It is on the telephone.")
    read = serializers.IntegerField()
    answered = serializers.IntegerField()
    confirmationRequested = serializers.IntegerField()
    confirmed = serializers.IntegerField()
    failed = serializers.IntegerField()
    skipped = serializers.IntegerField()
    notConfirmed = serializers.IntegerField()
    optedOut = serializers.IntegerField()
    blocked = serializers.IntegerField(help_text="They stopped the company's marketing at Meta.")
    states = StateCountSerializer(many=True)
    reasons = ReasonCountSerializer(many=True)
    variants = VariantSerializer(many=True)
    cost = CostSumSerializer(help_text="What Meta has said is billed.")
    estimatedFinishAt = serializers.DateTimeField(allow_null=True)


class TimelinePointSerializer(serializers.Serializer[Any]):
    """What came to pass in one minute, hour or day."""

    at = serializers.DateTimeField()
    delivered = serializers.IntegerField()
    read = serializers.IntegerField()
    answered = serializers.IntegerField()


class CampaignTimelineSerializer(serializers.Serializer[Any]):
    """How deliveries, reads and answers went on, without a gap."""

    unit = serializers.ChoiceField(("minute", "hour", "day"))
    points = TimelinePointSerializer(many=True)


class RecipientQuerySerializer(serializers.Serializer[Any]):
    """The query of a campaign's recipients."""

    searchParam = TextField()
    state = serializers.ChoiceField(RecipientState.choices, required=False, allow_blank=True)


class RecipientPageQuerySerializer(RecipientQuerySerializer):
    """The query of a page of them."""

    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)
    afterId = OptionalIdField(
        source="after_id", help_text="The page behind this recipient, instead of a number."
    )


class CampaignRecipientSerializer(serializers.Serializer[Any]):
    """One recipient; `ack` is the tick of the newest message to it."""

    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    number = serializers.CharField(allow_blank=True)
    email = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(RecipientState.choices)
    variant = serializers.IntegerField(allow_null=True)
    ack = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    detail = serializers.CharField(
        allow_blank=True, help_text="What is said of the reason in any language; else a sentence."
    )
    sentAt = serializers.DateTimeField(allow_null=True)
    reachedAt = serializers.DateTimeField(allow_null=True)
    readAt = serializers.DateTimeField(allow_null=True)
    answeredAt = serializers.DateTimeField(allow_null=True)
    confirmationRequestedAt = serializers.DateTimeField(allow_null=True)
    confirmedAt = serializers.DateTimeField(allow_null=True)
    ticketUuid = serializers.UUIDField(allow_null=True)


class CampaignRecipientPageSerializer(serializers.Serializer[Any]):
    """A page of recipients."""

    records = CampaignRecipientSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class PreviewQuerySerializer(serializers.Serializer[Any]):
    """For whom to fill the texts in; without anybody for the first recipient."""

    contactId = OptionalIdField(source="contact_id")


class FilledTextSerializer(serializers.Serializer[Any]):
    """A text by its number, from 1, with its variables filled in."""

    number = serializers.IntegerField()
    text = serializers.CharField()


class CampaignPreviewSerializer(serializers.Serializer[Any]):
    """The texts that are written, and a template's parameters, as one person would get them."""

    messages = FilledTextSerializer(many=True)
    confirmations = FilledTextSerializer(many=True)
    templateComponents = serializers.JSONField()
    name = serializers.CharField(allow_blank=True, help_text="Whose they are.")


def report_row(campaign: Campaign, report: Report, cost: Cost) -> dict[str, Any]:
    """Return a report in the shape of `CampaignReportSerializer`."""
    row, total, states = campaign_row(campaign), report.total, report.states
    return {
        "campaign": row,
        "total": total.count,
        "valid": report.valid,
        "delivered": total.sent,
        "reached": total.reached,
        "read": total.read,
        "answered": total.answered,
        "confirmationRequested": total.requested,
        "confirmed": total.confirmed,
        "failed": states.get(RecipientState.FAILED, 0),
        "skipped": states.get(RecipientState.SKIPPED, 0),
        "notConfirmed": states.get(RecipientState.NOT_CONFIRMED, 0),
        "optedOut": report.opted_out,
        "blocked": report.blocked,
        "states": [
            {"state": state.value, "count": states[state]}
            for state in RecipientState
            if state in states
        ],
        "reasons": [
            {"state": state, "reason": reason, "count": count}
            for (state, reason), count in sorted(
                report.reasons.items(), key=lambda each: (-each[1], each[0])
            )
        ],
        "variants": [
            {
                "number": number,
                "sent": figures.count,
                "delivered": figures.sent,
                "read": figures.read,
                "answered": figures.answered,
            }
            for number, figures in sorted(report.variants.items())
        ],
        "cost": cost_sum(cost),
        "estimatedFinishAt": row["estimatedFinishAt"],
    }


def point_row(point: Point) -> dict[str, Any]:
    """Return a point in the shape of `TimelinePointSerializer`."""
    return {
        "at": point.at,
        "delivered": point.delivered,
        "read": point.read,
        "answered": point.answered,
    }


def recipient_row(recipient: CampaignRecipient) -> dict[str, Any]:
    """Return a recipient, its messages at hand, in the shape of `CampaignRecipientSerializer`."""
    newest = recipient.message or recipient.confirmation_message
    return {
        "id": recipient.pk,
        "name": recipient.name,
        "number": recipient.number,
        "email": recipient.email,
        "state": recipient.state,
        "variant": recipient.variant,
        "ack": newest.ack if newest else None,
        "reason": recipient.reason_code,
        "detail": recipient.reason_detail if recipient.reason_code else recipient.error_reason,
        "sentAt": recipient.sent_at,
        "reachedAt": recipient.reached_at,
        "readAt": recipient.read_at,
        "answeredAt": recipient.answered_at,
        "confirmationRequestedAt": recipient.confirmation_requested_at,
        "confirmedAt": recipient.confirmed_at,
        "ticketUuid": newest.ticket.uuid if newest else None,
    }
