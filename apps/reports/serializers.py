"""Shapes of the reports on the wire; the files have the same rows (rules/reports)."""

from collections.abc import Iterable, Sequence
from typing import Any

from rest_framework import serializers

from apps.common.serializers import MAX_ID, RowSerializer, SwitchField
from apps.costs.serializers import AmountSerializer
from apps.reports.measures import BAND_NAMES, SECOND
from apps.reports.queries.activity import PersonDay
from apps.reports.queries.asked import RATINGS, STATES
from apps.reports.queries.conversations import Conversation
from apps.reports.queries.figures import RATES, Figures
from apps.tickets.serializers.dashboard import OptionalDayField

ALL_TIME, OPEN_TIME = "all", "open"
SECONDS = "Seconds of the asked clock; null if it never came."
MEAN = "Mean in seconds of the asked clock; null if there is nothing to average."
_CHOOSE = "Escolha uma das opções."


class FilterIdField(serializers.IntegerField):
    """The id of a record; 0 is none, and an empty text is any."""

    def __init__(self, **options: Any) -> None:
        sentence = "Id inválido."
        options["error_messages"] = dict.fromkeys(
            ("min_value", "max_value", "max_string_length", "invalid"), sentence
        )
        options.setdefault("min_value", 0)
        super().__init__(max_value=MAX_ID, required=False, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return None if data == "" else super().run_validation(data)


def _choice(choices: Iterable[str], **options: Any) -> serializers.ChoiceField:
    return serializers.ChoiceField(
        choices=list(choices),
        required=False,
        allow_blank=True,
        error_messages={"invalid_choice": _CHOOSE},
        **options,
    )


class DaysQuerySerializer(serializers.Serializer[Any]):
    """Days of the company's zone, both included; the last 30 by default."""

    dateFrom = OptionalDayField(required=False)
    dateTo = OptionalDayField(required=False)


class ReportQuerySerializer(DaysQuerySerializer):
    """Which conversations: those that began to wait on these days."""

    userId = FilterIdField(source="user_id", help_text="Who has or had it; 0: nobody.")
    queueId = FilterIdField(source="queue_id", help_text="0: without a queue.")
    connectionId = FilterIdField(source="connection_id", help_text="0: without a connection.")
    tagId = FilterIdField(source="tag_id", min_value=1)
    clock = _choice(
        (ALL_TIME, OPEN_TIME),
        help_text="Whether times count all time (default) or that of working hours.",
    )


class ConversationsQuerySerializer(ReportQuerySerializer):
    """Which conversations, as narrow as a figure."""

    state = _choice(STATES)
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=60,
        help_text="Why it was resolved, as it is in the row.",
    )
    withoutReason = SwitchField(
        source="without_reason", required=False, help_text="Resolved without a reason."
    )
    rating = _choice(
        RATINGS, help_text="`any`: rated; `unanswered`: asked for a rating that never came."
    )
    band = _choice(BAND_NAMES, help_text="Time to the first answer of a resolved conversation.")
    accepted = SwitchField(source="is_accepted", required=False, help_text="Accepted at all.")
    answered = SwitchField(
        source="is_answered", required=False, help_text="Resolved, and with a first answer."
    )
    workedBy = FilterIdField(
        source="worked_by",
        min_value=1,
        help_text="In which this person wrote by hand or acted on the days, at most 92; when they"
        " began to wait does not matter then.",
    )
    weekday = serializers.IntegerField(
        required=False, min_value=1, max_value=7, help_text="When it began to wait; 1 is Monday."
    )
    hour = serializers.IntegerField(required=False, min_value=0, max_value=23)


class PageQuerySerializer(ConversationsQuerySerializer):
    """Which conversations, and from where on."""

    cursor = serializers.CharField(
        required=False, max_length=40, help_text="`next` of the page before."
    )


class FileQuerySerializer(ConversationsQuerySerializer):
    """Which conversations, and in which kind of file."""

    file = _choice(("csv", "xlsx"), help_text="By default csv.")


def _seconds(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(allow_null=True, help_text=SECONDS, **options)


def _moment(**options: Any) -> serializers.DateTimeField:
    return serializers.DateTimeField(allow_null=True, **options)


def _whole(microseconds: int | None) -> int | None:
    return None if microseconds is None else microseconds // SECOND


class ReportedConversationSerializer(RowSerializer):
    """A conversation from waiting to resolved; what it does not have is null."""

    id = serializers.IntegerField()
    ticketId = serializers.IntegerField(source="ticket_id")
    uuid = serializers.UUIDField(help_text="Of the ticket.")
    protocol = serializers.CharField()
    state = serializers.ChoiceField(choices=list(STATES))
    contactId = serializers.IntegerField(source="contact_id")
    contactName = serializers.CharField(source="contact_name", allow_blank=True)
    number = serializers.CharField(source="contact_number", allow_blank=True)
    connectionId = serializers.IntegerField(source="connection_id", allow_null=True)
    connectionName = serializers.CharField(source="connection_name", allow_null=True)
    queueId = serializers.IntegerField(source="queue_id", allow_null=True)
    queueName = serializers.CharField(source="queue_name", allow_null=True)
    userId = serializers.IntegerField(source="user_id", allow_null=True)
    userName = serializers.CharField(source="user_name", allow_null=True)
    tags = serializers.ListField(child=serializers.CharField(), help_text="That the ticket has.")
    reason = serializers.CharField(allow_blank=True)
    queuedAt = serializers.DateTimeField(source="queued_at")
    startedAt = _moment(source="started_at")
    firstAnswerAt = _moment(source="first_answer_at", help_text="Of a person.")
    finishedAt = _moment(source="finished_at")
    waitSeconds = _seconds()
    firstAnswerSeconds = _seconds()
    attendanceSeconds = _seconds()
    resolutionSeconds = _seconds()
    received = serializers.IntegerField(help_text="Messages of the contact.")
    answers = serializers.IntegerField(help_text="Messages of people.")
    firstMessageAt = _moment()
    lastMessageAt = _moment()
    ratingAskedAt = _moment(source="rating_asked_at")
    rating = serializers.IntegerField(source="rate", allow_null=True, help_text="1 to 3.")
    costs = AmountSerializer(many=True)

    def _read_waitSeconds(self, row: Conversation) -> int | None:
        return _whole(row.wait)

    def _read_firstAnswerSeconds(self, row: Conversation) -> int | None:
        return _whole(row.answer)

    def _read_attendanceSeconds(self, row: Conversation) -> int | None:
        return _whole(row.attendance)

    def _read_resolutionSeconds(self, row: Conversation) -> int | None:
        return _whole(row.resolution)

    def _read_received(self, row: Conversation) -> int:
        return row.said.received

    def _read_answers(self, row: Conversation) -> int:
        return row.said.answers

    def _read_firstMessageAt(self, row: Conversation) -> Any:
        return row.said.first_at

    def _read_lastMessageAt(self, row: Conversation) -> Any:
        return row.said.last_at


class ConversationReportSerializer(RowSerializer):
    """A page of conversations, the latest first."""

    conversations = ReportedConversationSerializer(many=True)
    count = serializers.IntegerField(
        allow_null=True,
        help_text="How many there are; null on later pages, and with `band` by working hours.",
    )
    next = serializers.CharField(allow_null=True, help_text="`cursor` of the next page.")
    dateFrom = serializers.DateField()
    dateTo = serializers.DateField()


class BandCountSerializer(RowSerializer):
    """How many resolved conversations were first answered within a band of time."""

    band = serializers.ChoiceField(choices=list(BAND_NAMES))
    count = serializers.IntegerField()


class TimeCountSerializer(RowSerializer):
    """How many conversations began to wait in an hour of a weekday."""

    weekday = serializers.IntegerField(help_text="1 is Monday.")
    hour = serializers.IntegerField()
    count = serializers.IntegerField()


class ClosingReasonCountSerializer(RowSerializer):
    """How many conversations were resolved for a reason; '' without one."""

    reason = serializers.CharField(allow_blank=True)
    count = serializers.IntegerField()


class ReportRatingSerializer(RowSerializer):
    """How often a rating was given."""

    rating = serializers.IntegerField()
    count = serializers.IntegerField()


class ReportFiguresSerializer(RowSerializer):
    """The figures of the asked conversations; each is a list of them."""

    conversations = serializers.IntegerField()
    waiting = serializers.IntegerField()
    open = serializers.IntegerField()
    resolved = serializers.IntegerField()
    waitSeconds = serializers.IntegerField(allow_null=True, help_text=MEAN)
    firstAnswerSeconds = serializers.IntegerField(allow_null=True, help_text=MEAN)
    attendanceSeconds = serializers.IntegerField(allow_null=True, help_text=MEAN)
    resolutionSeconds = serializers.IntegerField(allow_null=True, help_text=MEAN)
    unanswered = serializers.IntegerField(
        help_text="Conversations whose contact was asked for a rating and gave none."
    )
    rating = serializers.FloatField(allow_null=True, help_text="Mean rating, 1 to 3.")
    ratings = ReportRatingSerializer(many=True)
    bands = BandCountSerializer(many=True)
    times = TimeCountSerializer(many=True, help_text="Without hours that have none.")
    reasons = ClosingReasonCountSerializer(many=True)
    dateFrom = serializers.DateField()
    dateTo = serializers.DateField()


def figures_row(figures: Figures) -> dict[str, Any]:
    """Return the figures as `ReportFiguresSerializer` declares them, without the days."""
    counts = figures.counts
    return {
        **{name: counts[name] for name in ("conversations", "waiting", "open", "resolved")},
        "waitSeconds": figures.mean("wait"),
        "firstAnswerSeconds": figures.mean("answer"),
        "attendanceSeconds": figures.mean("attendance"),
        "resolutionSeconds": figures.mean("resolution"),
        "unanswered": counts["unanswered"],
        "rating": figures.rating,
        "ratings": [{"rating": rate, "count": counts[f"rated_{rate}"]} for rate in RATES],
        "bands": [{"band": name, "count": figures.bands[name]} for name in BAND_NAMES],
        "times": [
            {"weekday": weekday, "hour": hour, "count": count}
            for (weekday, hour), count in sorted(figures.times.items())
        ],
        "reasons": [{"reason": name, "count": count} for name, count in figures.by_reason],
    }


class ActivityQuerySerializer(DaysQuerySerializer):
    """Which days, the last 7 by default, and whose."""

    userId = FilterIdField(source="user_id", min_value=1)


class ActivityPageQuerySerializer(ActivityQuerySerializer):
    """Which days, whose, and which page."""

    cursor = serializers.DateField(required=False, help_text="`next` of the page before.")


class ActivityFileQuerySerializer(ActivityQuerySerializer):
    """Which days, whose, and in which kind of file."""

    file = _choice(("csv", "xlsx"), help_text="By default csv.")


class PauseSumSerializer(RowSerializer):
    """How long a person paused for a reason; '' without one."""

    reason = serializers.CharField(allow_blank=True)
    seconds = serializers.IntegerField()


class PersonDaySerializer(RowSerializer):
    """A person's day: presence in seconds, messages, and acts on conversations."""

    date = serializers.DateField(source="day")
    userId = serializers.IntegerField(source="user_id")
    userName = serializers.CharField(source="user_name")
    onlineSeconds = serializers.IntegerField()
    pausedSeconds = serializers.IntegerField()
    pauses = PauseSumSerializer(many=True)
    offlineSeconds = serializers.IntegerField()
    firstAt = _moment(source="first_at", help_text="The first message or act of the day.")
    lastAt = _moment(source="last_at")
    messages = serializers.IntegerField(help_text="Written by hand.")
    acts = serializers.IntegerField(help_text="Accepted, transferred, resolved, noted and so on.")

    def _read_onlineSeconds(self, row: PersonDay) -> float:
        return row.presences.online.total_seconds()

    def _read_pausedSeconds(self, row: PersonDay) -> float:
        return row.presences.paused.total_seconds()

    def _read_offlineSeconds(self, row: PersonDay) -> float:
        return row.presences.offline.total_seconds()

    def _read_pauses(self, row: PersonDay) -> list[dict[str, Any]]:
        pauses = sorted(row.presences.pauses.items(), key=lambda each: (-each[1], each[0]))
        return [{"reason": name, "seconds": int(of.total_seconds())} for name, of in pauses]


class ActivityReportSerializer(RowSerializer):
    """A page of people's days, the latest first, then by name."""

    days = PersonDaySerializer(many=True)
    next = serializers.DateField(allow_null=True, help_text="`cursor` of the next page.")
    dateFrom = serializers.DateField()
    dateTo = serializers.DateField()


def columns_of(serializer: type[RowSerializer], without: Sequence[str]) -> list[str]:
    """Return the fields of a row that are columns of its file, in their order."""
    return [name for name, _ in serializer().fields.items() if name not in without]
