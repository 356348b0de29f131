"""Names of what had messages written (rules/costs §1)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from apps.automation.models import Prompt, QueueIntegration
from apps.desk.models import Rule
from apps.queues.models import Queue, QueueOption
from apps.tickets.origins import Origin


@dataclass(frozen=True)
class Named:
    """The name of a record, and of the queue that an option belongs to; None: there is none."""

    name: str | None = None
    queue: str | None = None


NamesOf = Callable[[int, set[int]], Mapping[int, Named]]


def _queues(company_id: int, ids: set[int]) -> dict[int, Named]:
    rows = Queue.objects.filter(company=company_id, pk__in=ids)
    return {pk: Named(name) for pk, name in rows.values_list("pk", "name")}


def _options(company_id: int, ids: set[int]) -> dict[int, Named]:
    rows = QueueOption.objects.filter(queue__company=company_id, pk__in=ids)
    found = rows.values_list("pk", "title", "queue__name")
    return {pk: Named(title, queue) for pk, title, queue in found}


def _integrations(company_id: int, ids: set[int]) -> dict[int, Named]:
    rows = QueueIntegration.objects.filter(company=company_id, pk__in=ids)
    return {pk: Named(name) for pk, name in rows.values_list("pk", "name")}


def _rules(company_id: int, ids: set[int]) -> dict[int, Named]:
    rows = Rule.objects.filter(company=company_id, pk__in=ids).exclude(name="")
    return {pk: Named(name) for pk, name in rows.values_list("pk", "name")}


def _prompts(company_id: int, ids: set[int]) -> dict[int, Named]:
    rows = Prompt.objects.filter(company=company_id, pk__in=ids)
    return {pk: Named(name) for pk, name in rows.values_list("pk", "name")}


_NAMES: dict[str, NamesOf] = {
    Origin.GREETING: _queues,
    Origin.INTEGRATION: _integrations,
    Origin.OPTION: _options,
    Origin.OUT_OF_HOURS: _queues,
    Origin.PROMPT: _prompts,
    Origin.QUEUE: _queues,
    Origin.RULE: _rules,
}


def register_names(origin: Origin, names: NamesOf) -> None:
    """Have `names` name the company's records of an origin; for apps above this one."""
    _NAMES[origin] = names


def names_of(company_id: int, origins: Iterable[str]) -> dict[str, Named]:
    """Return names by origin, in a query for each kind at most."""
    wanted: dict[str, set[int]] = {}
    for origin in origins:
        kind, _, record = origin.partition(":")
        if kind in _NAMES and record.isdecimal():
            wanted.setdefault(kind, set()).add(int(record))
    return {
        f"{kind}:{pk}": named
        for kind, ids in wanted.items()
        for pk, named in _NAMES[kind](company_id, ids).items()
    }
