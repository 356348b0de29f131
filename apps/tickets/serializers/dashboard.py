"""The wire shapes of the dashboard (rules/dashboard)."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.serializers import RowSerializer
from apps.tickets.queries.dashboard import Breakdown, Dashboard
from apps.tickets.queries.dashboard.figures import Attendant
from apps.tickets.serializers.requests import DayField

MAX_DAYS = 3660
MINUTES = "Mean in minutes, to one decimal; 0 if there is nothing to average."


@extend_schema_field(OpenApiTypes.DATE)
class OptionalDayField(DayField):
    """A day; an empty text means none."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return None if data == "" else super().run_validation(data)


class DaysField(serializers.IntegerField):
    """A number of days; 0 and an empty text mean none."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return None if data == "" else super().run_validation(data) or None


class DashboardQuerySerializer(serializers.Serializer[Any]):
    """The days of the figures; at least one field is required."""

    days = DaysField(
        required=False,
        min_value=0,
        max_value=MAX_DAYS,
        help_text="Number of days up to today, which counts as one; 0: not given.",
    )
    date_from = OptionalDayField(required=False)
    date_to = OptionalDayField(required=False)


class DashboardCountersSerializer(RowSerializer):
    """The cards of the dashboard."""

    supportPending = serializers.IntegerField(
        source="pending", help_text="Tickets that are pending now."
    )
    supportHappening = serializers.IntegerField(
        source="happening", help_text="Tickets that are open now."
    )
    supportFinished = serializers.IntegerField(source="total.finished")
    leads = serializers.IntegerField(help_text="Contacts whose first cycle began in the period.")
    avgSupportTime = serializers.FloatField(source="total.support_mean", help_text=MINUTES)
    avgWaitTime = serializers.FloatField(source="total.wait_mean", help_text=MINUTES)


class AttendantSerializer(RowSerializer):
    """The figures of one attendant."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    avgSupportTime = serializers.FloatField(source="sums.support_mean", help_text=MINUTES)
    tickets = serializers.IntegerField(
        source="sums.cycles", help_text="Number of cycles, finished or not."
    )
    rating = serializers.FloatField(
        help_text="Mean of the ratings, which are 1 to 3; 0 without ratings."
    )
    online = serializers.BooleanField(source="is_online")

    def _read_rating(self, attendant: Attendant) -> float:
        rates = attendant.rates
        count = sum(rates.values())
        return round(sum(rate * of for rate, of in rates.items()) / count, 2) if count else 0.0


class DashboardHourSerializer(RowSerializer):
    """How many tickets were created in one hour of today, by the company's clock."""

    time = serializers.CharField(help_text="Beginning of the hour, HH:00.")
    amount = serializers.IntegerField()


class DashboardSerializer(RowSerializer):
    """The cards, the attendants and the hours of today."""

    counters = DashboardCountersSerializer(source="*")
    attendants = AttendantSerializer(many=True)
    hours = DashboardHourSerializer(
        many=True, help_text="The 24 hours, from 01:00 to 23:00, then 00:00."
    )

    def _read_hours(self, dashboard: Dashboard) -> list[dict[str, Any]]:
        return [{"time": f"{hour:02}:00", "amount": of} for hour, of in dashboard.hours.items()]


class DashboardGroupSerializer(RowSerializer):
    """The figures of a queue, a connection or a tag; `id` is null for tickets that have none."""

    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    color = serializers.CharField(allow_blank=True)
    tickets = serializers.IntegerField(source="sums.cycles")
    finished = serializers.IntegerField(source="sums.finished")
    avgSupportTime = serializers.FloatField(source="sums.support_mean", help_text=MINUTES)
    avgWaitTime = serializers.FloatField(source="sums.wait_mean", help_text=MINUTES)
    avgFirstResponseTime = serializers.FloatField(source="sums.answer_mean", help_text=MINUTES)


class DashboardQueueSerializer(DashboardGroupSerializer):
    """The figures of a queue, and the number of tickets that wait in it now."""

    waiting = serializers.IntegerField()


class FirstResponseSerializer(RowSerializer):
    """How long contacts waited for the first message of a person, in closed cycles."""

    count = serializers.IntegerField(source="answered")
    average = serializers.FloatField(source="answer_mean", help_text=MINUTES)


class RateCountSerializer(RowSerializer):
    """How often a rating was given."""

    rate = serializers.IntegerField()
    count = serializers.IntegerField()


class OldestWaitingSerializer(RowSerializer):
    """The ticket that has waited longest."""

    uuid = serializers.UUIDField()
    contactName = serializers.CharField(source="contact_name", allow_blank=True)
    queueId = serializers.IntegerField(source="queue_id", allow_null=True)
    since = serializers.DateTimeField(source="queued_at")


class WaitingSerializer(RowSerializer):
    """The number of tickets that wait now, and the one that has waited longest."""

    count = serializers.IntegerField(source="waiting")
    oldest = OldestWaitingSerializer(allow_null=True)


class DashboardBreakdownSerializer(RowSerializer):
    """Figures by queue and connection, first response, ratings, waiting tickets."""

    queues = DashboardQueueSerializer(many=True)
    connections = DashboardGroupSerializer(many=True)
    firstResponse = FirstResponseSerializer(source="total")
    ratings = RateCountSerializer(many=True)
    waiting = WaitingSerializer(source="*")

    def _read_ratings(self, breakdown: Breakdown) -> list[dict[str, int]]:
        return [{"rate": rate, "count": count} for rate, count in breakdown.rates.items()]
