"""Prompts with the queues and connections that use them, and their token use."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, QuerySet, Sum
from django_filters import CharFilter, FilterSet

from apps.automation.models import Prompt, TokenUse
from apps.common.filters import sifted
from apps.connections.models import Connection
from apps.queues.models import Queue

_USE = ("id", "name", "prompt_id")


def prompts_of(company_id: int) -> QuerySet[Prompt]:
    """Return a company's prompts by name, with their queues."""
    return Prompt.objects.for_company(company_id).select_related("queue").order_by("name", "id")


class PromptFilters(FilterSet):
    """Filters of the list of prompts: a part of the prompt's or of the queue's name."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[Prompt], name: str, text: str) -> QuerySet[Prompt]:
        """Keep the prompts whose name, or whose queue's name, contains the text."""
        return sifted(rows, text, "name", "queue__name")


@dataclass(frozen=True)
class Uses:
    """The queues and connections that use a prompt, as ids and names."""

    queues: list[dict[str, Any]] = field(default_factory=list)
    connections: list[dict[str, Any]] = field(default_factory=list)


def uses_of(prompts: Iterable[Prompt]) -> dict[int, Uses]:
    """Return the uses of each prompt, by prompt id, in two queries for any number of prompts."""
    uses = {prompt.pk: Uses() for prompt in prompts}
    for queue in Queue.objects.filter(prompt__in=uses).order_by("name").values(*_USE):
        uses[queue["prompt_id"]].queues.append(queue)
    for connection in Connection.objects.filter(prompt__in=uses).order_by("name").values(*_USE):
        uses[connection["prompt_id"]].connections.append(connection)
    return uses


@dataclass(frozen=True)
class Cost:
    """The token use of one prompt; `prompt_id` is None for all deleted prompts together."""

    prompt_id: int | None
    answers: int
    prompt_tokens: int
    completion_tokens: int

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def month_of(now: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return the start of the month and of the next month in a time zone."""
    first = now.astimezone(zone).date().replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)
    return (
        datetime.combine(first, time(), tzinfo=zone),
        datetime.combine(following, time(), tzinfo=zone),
    )


def day_of(now: datetime, zone: ZoneInfo) -> datetime:
    """Return the start of the day in a time zone."""
    return datetime.combine(now.astimezone(zone).date(), time(), tzinfo=zone)


def costs_between(company_id: int, start: datetime, end: datetime) -> Sequence[Cost]:
    """Return the token use of a company by prompt, in one query."""
    rows = TokenUse.objects.for_company(company_id).filter(
        created_at__gte=start, created_at__lt=end
    )
    totals = rows.values("prompt_id").annotate(
        answers=Count("pk"), asked=Sum("prompt_tokens"), answered=Sum("completion_tokens")
    )
    return [
        Cost(row["prompt_id"], row["answers"], row["asked"], row["answered"])
        for row in totals.order_by("prompt_id")
    ]


def tokens_since(company_id: int, start: datetime) -> int:
    """Return the number of tokens that a company has used since a moment."""
    rows = TokenUse.objects.for_company(company_id).filter(created_at__gte=start)
    sums = rows.aggregate(asked=Sum("prompt_tokens"), answered=Sum("completion_tokens"))
    return (sums["asked"] or 0) + (sums["answered"] or 0)


def answers_since(company_id: int, ticket_id: int, start: datetime) -> int:
    """Return the number of AI answers in a ticket since a moment."""
    rows = TokenUse.objects.for_company(company_id).filter(ticket=ticket_id, created_at__gte=start)
    return rows.count()
