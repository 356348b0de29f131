"""The health of a number, on the wire."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import RowSerializer, rows_of
from apps.connections.serializers.connections import AlertSerializer, PhoneSyncSerializer
from apps.tickets.queries.health import Health


class FailuresSerializer(RowSerializer):
    """The messages of the last 24 hours that failed for one reason."""

    reasonCode = serializers.CharField(source="reason_code", allow_blank=True)
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)
    sentence = serializers.CharField(allow_blank=True)
    count = serializers.IntegerField()


class PortfolioNumberSerializer(RowSerializer):
    """A number that shares another one's limit."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField(allow_blank=True)


class HealthSerializer(RowSerializer):
    """The health of a number; Meta's figures are empty for a QR session."""

    id = serializers.IntegerField(source="connection.id")
    lastInAt = serializers.DateTimeField(source="last_in_at", allow_null=True)
    lastOutAt = serializers.DateTimeField(source="last_out_at", allow_null=True)
    lastOutAck = serializers.IntegerField(source="last_out_ack", allow_null=True)
    failed = serializers.IntegerField()
    failures = FailuresSerializer(many=True)
    waiting = serializers.IntegerField()
    waitingSince = serializers.DateTimeField(source="waiting_since", allow_null=True)
    qualityRating = serializers.ChoiceField(
        source="connection.quality_rating",
        choices=["GREEN", "YELLOW", "RED", "UNKNOWN"],
        allow_blank=True,
    )
    qualityAt = serializers.DateTimeField(source="connection.quality_at", allow_null=True)
    messagingLimit = serializers.IntegerField(
        source="connection.messaging_limit",
        allow_null=True,
        help_text=(
            "How many people the numbers of the portfolio may write to first in 24 hours,"
            " together; -1: no limit, null: not known."
        ),
    )
    messagingLimitAt = serializers.DateTimeField(
        source="connection.messaging_limit_at", allow_null=True
    )
    portfolioId = serializers.CharField(
        source="connection.portfolio_id",
        allow_blank=True,
        help_text="Meta's business portfolio of the number; '' if Meta has not told it.",
    )
    portfolioName = serializers.CharField(source="connection.portfolio_name", allow_blank=True)
    portfolioNumbers = PortfolioNumberSerializer(
        many=True, help_text="The company's other numbers under the same limit."
    )
    portfolioUsed = serializers.IntegerField(
        source="used",
        allow_null=True,
        help_text=(
            "To how many people the numbers wrote first in the last 24 hours, or are about to;"
            " null for a QR session."
        ),
    )
    businessVerification = serializers.CharField(
        source="connection.business_verification",
        allow_blank=True,
        help_text=(
            "Whether Meta has verified the business, in Meta's words (verified, not_verified,"
            " pending, …); '' if Meta has not told it."
        ),
    )
    businessVerificationAt = serializers.DateTimeField(
        source="connection.business_verification_at", allow_null=True
    )
    alerts = AlertSerializer(many=True)
    phone = PhoneSyncSerializer(
        many=True,
        help_text="Transfers from the phone of a number that stays in its app; else empty.",
    )

    def _read_portfolioNumbers(self, health: Health) -> list[dict[str, Any]]:
        own, portfolio = health.connection.pk, health.portfolio
        others = [each for each in portfolio.numbers if each.pk != own] if portfolio else []
        return rows_of(PortfolioNumberSerializer, others)

    def _read_alerts(self, health: Health) -> list[dict[str, Any]]:
        return health.connection.alerts or []
