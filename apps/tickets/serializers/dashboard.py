"""The wire shapes of the dashboard (rules/dashboard)."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.tickets.queries.dashboard import Breakdown, Dashboard
from apps.tickets.queries.dashboard.figures import Attendant
from apps.tickets.queries.dashboard.groups import Group
from apps.tickets.queries.dashboard.sums import Sums, minutes
from apps.tickets.serializers.requests import DayField

MAX_DAYS = 3660
MINUTES = "Minutes, to a tenth; 0 of none."


@extend_schema_field(OpenApiTypes.DATE)
class OptionalDayField(DayField):
    """A day; an empty text is none."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the day, or None."""
        return None if data == "" else super().run_validation(data)


class DaysField(serializers.IntegerField):
    """A number of days; 0 and an empty text are none."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the number, or None."""
        return None if data == "" else super().run_validation(data) or None


class DashboardQuerySerializer(serializers.Serializer[Any]):
    """For which days; one of them at least."""

    days = DaysField(
        required=False,
        min_value=0,
        max_value=MAX_DAYS,
        help_text="The last days, today among them.",
    )
    date_from = OptionalDayField(required=False)
    date_to = OptionalDayField(required=False)


class DashboardCountersSerializer(serializers.Serializer[Any]):
    """The cards."""

    supportPending = serializers.IntegerField(help_text="Tickets that wait now.")
    supportHappening = serializers.IntegerField(help_text="Tickets that are open now.")
    supportFinished = serializers.IntegerField()
    leads = serializers.IntegerField(help_text="Contacts who came for the first time.")
    avgSupportTime = serializers.FloatField(help_text=MINUTES)
    avgWaitTime = serializers.FloatField(help_text=MINUTES)


class AttendantSerializer(serializers.Serializer[Any]):
    """What one attendant did."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    avgSupportTime = serializers.FloatField(help_text=MINUTES)
    tickets = serializers.IntegerField(help_text="Attendances, however they stand.")
    rating = serializers.FloatField(help_text="Mean of 1 to 3; 0 without any.")
    online = serializers.BooleanField()


class DashboardHourSerializer(serializers.Serializer[Any]):
    """How many tickets were created in one hour of today, by the company's clock."""

    time = serializers.CharField(help_text="When the hour begins, HH:00.")
    amount = serializers.IntegerField()


class DashboardSerializer(serializers.Serializer[Any]):
    """The dashboard."""

    counters = DashboardCountersSerializer()
    attendants = AttendantSerializer(many=True)
    hours = DashboardHourSerializer(many=True, help_text="01:00 to 23:00, then 00:00.")


class DashboardGroupSerializer(serializers.Serializer[Any]):
    """The attendances of a queue, a connection or a tag; id null: of those that have none."""

    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    color = serializers.CharField(allow_blank=True)
    tickets = serializers.IntegerField()
    finished = serializers.IntegerField()
    avgSupportTime = serializers.FloatField(help_text=MINUTES)
    avgWaitTime = serializers.FloatField(help_text=MINUTES)
    avgFirstResponseTime = serializers.FloatField(help_text=MINUTES)


class DashboardQueueSerializer(DashboardGroupSerializer):
    """The same of a queue, with who waits in it now."""

    waiting = serializers.IntegerField()


class FirstResponseSerializer(serializers.Serializer[Any]):
    """How long contacts waited for a person's first words, in finished attendances."""

    count = serializers.IntegerField()
    average = serializers.FloatField(help_text=MINUTES)


class RateCountSerializer(serializers.Serializer[Any]):
    """How often a rating was given."""

    rate = serializers.IntegerField()
    count = serializers.IntegerField()


class OldestWaitingSerializer(serializers.Serializer[Any]):
    """The ticket that waits longest."""

    uuid = serializers.UUIDField()
    contactName = serializers.CharField(allow_blank=True)
    queueId = serializers.IntegerField(allow_null=True)
    since = serializers.DateTimeField()


class WaitingSerializer(serializers.Serializer[Any]):
    """Who waits now."""

    count = serializers.IntegerField()
    oldest = OldestWaitingSerializer(allow_null=True)


class DashboardBreakdownSerializer(serializers.Serializer[Any]):
    """What managers ask for next."""

    queues = DashboardQueueSerializer(many=True)
    connections = DashboardGroupSerializer(many=True)
    firstResponse = FirstResponseSerializer()
    ratings = RateCountSerializer(many=True)
    waiting = WaitingSerializer()


def mean_rating(rates: dict[int, int]) -> float:
    """Return the mean of counted ratings, to a hundredth; 0 without any."""
    count = sum(rates.values())
    return round(sum(rate * of for rate, of in rates.items()) / count, 2) if count else 0.0


def dashboard_row(dashboard: Dashboard) -> dict[str, Any]:
    """Return the dashboard in the shape of `DashboardSerializer`."""
    total = dashboard.total
    return {
        "counters": {
            "supportPending": dashboard.pending,
            "supportHappening": dashboard.happening,
            "supportFinished": total.finished,
            "leads": dashboard.leads,
            "avgSupportTime": minutes(total.support, total.supported),
            "avgWaitTime": minutes(total.wait, total.waited),
        },
        "attendants": [_attendant_row(each) for each in dashboard.attendants],
        "hours": [
            {"time": f"{hour:02}:00", "amount": count} for hour, count in dashboard.hours.items()
        ],
    }


def _attendant_row(attendant: Attendant) -> dict[str, Any]:
    sums = attendant.sums
    return {
        "id": attendant.id,
        "name": attendant.name,
        "avgSupportTime": minutes(sums.support, sums.supported),
        "tickets": sums.cycles,
        "rating": mean_rating(attendant.rates),
        "online": attendant.is_online,
    }


def breakdown_row(breakdown: Breakdown) -> dict[str, Any]:
    """Return a breakdown in the shape of `DashboardBreakdownSerializer`."""
    oldest, total = breakdown.oldest, breakdown.total
    return {
        "queues": [{**group_row(each), "waiting": each.waiting} for each in breakdown.queues],
        "connections": [group_row(each) for each in breakdown.connections],
        "firstResponse": {
            "count": total.answered,
            "average": minutes(total.answer, total.answered),
        },
        "ratings": [{"rate": rate, "count": count} for rate, count in breakdown.rates.items()],
        "waiting": {
            "count": breakdown.waiting,
            "oldest": oldest
            and {
                "uuid": oldest.uuid,
                "contactName": oldest.contact_name,
                "queueId": oldest.queue_id,
                "since": oldest.queued_at,
            },
        },
    }


def group_row(group: Group) -> dict[str, Any]:
    """Return a group in the shape of `DashboardGroupSerializer`."""
    sums: Sums = group.sums
    return {
        "id": group.id,
        "name": group.name,
        "color": group.color,
        "tickets": sums.cycles,
        "finished": sums.finished,
        "avgSupportTime": minutes(sums.support, sums.supported),
        "avgWaitTime": minutes(sums.wait, sums.waited),
        "avgFirstResponseTime": minutes(sums.answer, sums.answered),
    }
