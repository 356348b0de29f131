"""The wire shapes of the dashboard (rules/dashboard)."""

from datetime import UTC, date, datetime, time, tzinfo
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.serializers import RowSerializer
from apps.tickets.queries.dashboard import Breakdown, Dashboard
from apps.tickets.queries.dashboard.figures import Attendant
from apps.tickets.queries.dashboard.older import SERIES, Counted, Live, Present, Report
from apps.tickets.serializers.requests import DayField

MAX_DAYS = 3660
SECONDS = "Mean in seconds, of minutes to one decimal; 0 if there is nothing to average."
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
        return rating_of(attendant)


def rating_of(attendant: Attendant) -> float:
    """Return the mean rating, 0 without any."""
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


class HoursQuerySerializer(serializers.Serializer[Any]):
    """The first and the last day, and the hours of the company's clock at which they begin and end.

    Older browsers also send `tz`, which has no effect.
    """

    date_from = OptionalDayField(required=False)
    date_to = OptionalDayField(required=False)
    hour_from = serializers.TimeField(required=False)
    hour_to = serializers.TimeField(required=False)


class QueueNameSerializer(RowSerializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()


class LiveTicketsSerializer(RowSerializer):
    """How many tickets of a status a queue has now; `queue` is null for those without one."""

    status = serializers.CharField()
    queueId = serializers.IntegerField(source="queue_id", allow_null=True)
    queue = QueueNameSerializer(allow_null=True)
    count = serializers.IntegerField()

    def _read_queue(self, live: Live) -> dict[str, Any] | None:
        if live.queue_id is None:
            return None
        return {"id": live.queue_id, "name": live.queue_name, "color": live.queue_color}


class PresentUserSerializer(RowSerializer):
    """An active user, whether it is online, and the number of its open tickets now."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    online = serializers.BooleanField()
    openTicketsCount = serializers.IntegerField()


class DashboardStatusSerializer(RowSerializer):
    """Live tickets by status and queue, and the users, as older browsers read them."""

    ticketsStatusSummary = LiveTicketsSerializer(source="live", many=True)
    usersStatusSummary = PresentUserSerializer(source="users", many=True)

    def _read_usersStatusSummary(self, present: Present) -> list[dict[str, Any]]:
        return [
            {
                "id": user.id,
                "name": user.name,
                "online": user.is_online,
                "openTicketsCount": present.open_counts.get(user.id, 0),
            }
            for user in present.users
        ]


class DayCountSerializer(RowSerializer):
    """The number of cycles on a day; `time` is its first moment in the company's zone."""

    time = serializers.DateTimeField()
    counter = serializers.IntegerField()


class DayCountsSerializer(RowSerializer):
    """Cycles by day, without days that have none; `field` is always `day`."""

    field = serializers.CharField()
    start = serializers.DateTimeField(allow_null=True)
    end = serializers.DateTimeField(allow_null=True)
    counters = DayCountSerializer(many=True)


class TicketCountersSerializer(RowSerializer):
    """Cycles that were queued, accepted and finished, by day."""

    create = DayCountsSerializer()  # type: ignore[assignment]
    accept = DayCountsSerializer()
    close = DayCountsSerializer()


class TicketStatisticsSerializer(RowSerializer):
    """Figures of the cycles that were queued in the period."""

    avgWaitTime = serializers.FloatField(help_text=SECONDS)
    avgServiceTime = serializers.FloatField(help_text=SECONDS)
    totalClosed = serializers.IntegerField()
    newContacts = serializers.IntegerField()


class DashboardTicketsSerializer(RowSerializer):
    """The figures of a period, as older browsers read them."""

    ticketCounters = TicketCountersSerializer(source="*")
    ticketStatistics = TicketStatisticsSerializer(source="*")

    def _read_ticketCounters(self, counted: Counted) -> dict[str, Any]:
        span = counted.span
        return {
            name: {
                "field": "day",
                "start": span.since and span.since.astimezone(UTC),
                "end": span.until and span.until.astimezone(UTC),
                "counters": [
                    {"time": _midnight(day, span.zone), "counter": count}
                    for day, count in counted.days[name].items()
                ],
            }
            for name in SERIES
        }

    def _read_ticketStatistics(self, counted: Counted) -> dict[str, Any]:
        return {
            "avgWaitTime": _seconds(counted.total.wait_mean),
            "avgServiceTime": _seconds(counted.total.support_mean),
            "totalClosed": counted.total.finished,
            "newContacts": counted.leads,
        }


class ReportedUserSerializer(RowSerializer):
    """The figures of one attendant; `openTickets` are those of now."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    avgWaitTime = serializers.FloatField(help_text=SECONDS)
    avgServiceTime = serializers.FloatField(help_text=SECONDS)
    totalTickets = serializers.IntegerField()
    openTickets = serializers.IntegerField()
    closedTickets = serializers.IntegerField()
    averageRating = serializers.FloatField()
    online = serializers.BooleanField()


class DashboardUsersSerializer(RowSerializer):
    """The attendants of a period, as older browsers read them."""

    start = serializers.DateField(source="span.first", allow_null=True)
    end = serializers.DateField(source="span.last", allow_null=True)
    userReport = ReportedUserSerializer(source="attendants", many=True)

    def _read_userReport(self, report: Report) -> list[dict[str, Any]]:
        return [
            {
                "id": each.id,
                "name": each.name,
                "avgWaitTime": _seconds(each.sums.wait_mean),
                "avgServiceTime": _seconds(each.sums.support_mean),
                "totalTickets": each.sums.cycles,
                "openTickets": report.open_counts.get(each.id, 0),
                "closedTickets": each.sums.finished,
                "averageRating": rating_of(each),
                "online": each.is_online,
            }
            for each in report.attendants
        ]


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def _seconds(minutes: float) -> float:
    return round(minutes * 60)
