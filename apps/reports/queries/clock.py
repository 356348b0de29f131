"""The clock of a report: all time, or the hours that apply to each queue (rules/reports §3)."""

from datetime import datetime
from functools import cached_property

from apps.companies.models import Company
from apps.companies.queries import settings_of
from apps.desk.queries.sla import calendar_in
from apps.queues.models import Queue
from apps.reports.measures import OpenTime, elapsed


class Clock:
    """Counts times of a company's conversations; with `by_hours` reads its hours once, at the first
    use, in at most three queries.
    """

    def __init__(self, company_id: int, since: datetime, *, by_hours: bool) -> None:
        self._company_id = company_id
        self._since = since
        self._by_hours = by_hours
        self._found: dict[int | None, OpenTime] = {}

    def between(
        self, queue_id: int | None, start: datetime | None, end: datetime | None
    ) -> int | None:
        """Return the microseconds from one moment to the other; None if one is missing."""
        if start is None or end is None:
            return None
        if not self._by_hours:
            return elapsed(start, end)
        key = queue_id if self._settings["scheduleType"] == "queue" else None
        if key not in self._found:
            self._found[key] = self._made(key)
        return self._found[key].between(start, end)

    def _made(self, queue_id: int | None) -> OpenTime:
        if self._settings["scheduleType"] == "disabled":
            schedules = None
        elif queue_id in self._queues:
            schedules = self._queues[queue_id]
        else:
            schedules = self._of_company
        return OpenTime(calendar_in(self._settings, schedules), self._since)

    @cached_property
    def _settings(self) -> dict[str, str]:
        return settings_of(self._company_id)

    @cached_property
    def _of_company(self) -> list[dict[str, str]]:
        found: list[dict[str, str]]
        [found] = Company.objects.filter(pk=self._company_id).values_list("schedules", flat=True)
        return found

    @cached_property
    def _queues(self) -> dict[int | None, list[dict[str, str]]]:
        if self._settings["scheduleType"] != "queue":
            return {}
        queues = Queue.objects.for_company(self._company_id)
        return dict(queues.values_list("pk", "schedules"))
